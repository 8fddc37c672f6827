//! `man [DIR]`: manual pages made from the definition of the command line.

use std::path::PathBuf;

use clap::Command;

use crate::error::Result;
use crate::ops::man::{self, Page};
use crate::ui::answer::Answer;

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Git opens a manual page for `git review-gate --help`, so install them.\n\nExamples:\n  git review-gate man ~/.local/share/man/man1\n  git review-gate man | man -l -"
)]
pub struct Args {
    /// Write one page for each command into this folder; without it, the main page is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Args {
    /// Writes the pages, or prints the main one.
    pub fn run(self) -> Result<Answer> {
        let pages = pages(super::definition());
        match self.folder {
            Some(folder) => {
                man::write(&folder, &pages)?;
                Ok(Answer::done(format!(
                    "{} pages in {}\n",
                    pages.len(),
                    folder.display()
                )))
            }
            None => Ok(Answer::done(pages[0].text.clone())),
        }
    }
}

/// The main page first, then one for every command that is not hidden.
fn pages(mut definition: Command) -> Vec<Page> {
    definition.build();
    let mut pages = Vec::new();
    collect(&definition, "git-review-gate", &mut pages);
    pages
}

/// What stands behind the options: the examples in a section of their own, as readers of manual pages look for them,
/// the rest as notes.
fn with_examples(page: &str) -> String {
    let Some((before, rest)) = page.split_once(".SH EXTRA\n") else {
        return page.to_owned();
    };
    let end = rest.find("\n.SH ").map_or(rest.len(), |end| end + 1);
    let (extra, after) = rest.split_at(end);
    let (notes, examples) = ["Examples:\n", "Example:\n"]
        .into_iter()
        .find_map(|word| extra.split_once(word))
        .unwrap_or((extra, ""));
    // Remarks may follow the examples after an empty line.
    let (examples, remarks) = examples.split_once("\n\n").unwrap_or((examples, ""));
    let notes = [notes.trim_end(), remarks.trim_end()];
    let notes: Vec<&str> = notes.into_iter().filter(|notes| !notes.is_empty()).collect();
    let mut text = before.to_owned();
    if !examples.trim_end().is_empty() {
        text.push_str(".SH EXAMPLES\n.nf\n");
        text.push_str(examples.trim_end());
        text.push_str("\n.fi\n");
    }
    if !notes.is_empty() {
        text.push_str(".SH NOTES\n");
        text.push_str(&notes.join("\n\n"));
        text.push('\n');
    }
    text.push_str(after);
    text
}

/// Adds the page of `command`, then those of its subcommands.
fn collect(command: &Command, name: &str, pages: &mut Vec<Page>) {
    let mut text = Vec::new();
    let page = command.clone().display_name(name.to_owned());
    clap_mangen::Man::new(page)
        .manual("Git Review Gate Manual")
        .source(concat!("git-review-gate ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .expect("writing to memory cannot fail");
    pages.push(Page {
        file: format!("{name}.1"),
        text: with_examples(&String::from_utf8(text).expect("the definition is UTF-8")),
    });
    for subcommand in command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set())
    {
        collect(subcommand, &format!("{name}-{}", subcommand.get_name()), pages);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_have_a_section_of_their_own() {
        for (extra, wanted) in [
            ("Examples:\n  one\n", ".SH EXAMPLES\n.nf\n  one\n.fi\n"),
            (
                "First.\n\nExamples:\n  one\n  two\n\nThen.\n",
                ".SH EXAMPLES\n.nf\n  one\n  two\n.fi\n.SH NOTES\nFirst.\n\nThen.\n",
            ),
            ("Example:\n  one\n", ".SH EXAMPLES\n.nf\n  one\n.fi\n"),
            ("Exit codes.\n", ".SH NOTES\nExit codes.\n"),
        ] {
            let page = format!("before\n.SH EXTRA\n{extra}.SH VERSION\nv0\n");
            assert_eq!(with_examples(&page), format!("before\n{wanted}.SH VERSION\nv0\n"));
        }
        assert_eq!(with_examples(".SH NAME\n"), ".SH NAME\n");
    }

    #[test]
    fn no_page_hides_its_examples() {
        for page in pages(crate::cli::definition()) {
            let hides = ["Example:\n", "Examples:\n"]
                .iter()
                .any(|word| page.text.contains(word));
            assert!(!hides, "{}", page.file);
        }
    }
}
