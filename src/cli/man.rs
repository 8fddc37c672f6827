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
        text: String::from_utf8(text)
            .expect("the definition is UTF-8")
            .replace(".SH EXTRA", ".SH NOTES"),
    });
    for subcommand in command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set())
    {
        collect(subcommand, &format!("{name}-{}", subcommand.get_name()), pages);
    }
}
