//! Examples of facts: trees before and after, and how the difference is shown.

use std::fmt::Write as _;

use similar::{ChangeTag, TextDiff};

use crate::model::fact::FactKind;
use crate::model::text::sanitise;

/// What stands at a path of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular file with this text.
    File(&'static str),
    /// An executable file with this text.
    Executable(&'static str),
    /// A symbolic link to this.
    Link(&'static str),
    /// A submodule at this commit.
    Submodule(&'static str),
}

/// A whole tree: entries by path, sorted.
pub type Tree = &'static [(&'static str, Entry)];

/// One change of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// What it shows, as part of a sentence.
    pub what: &'static str,
    /// The tree after it.
    pub after: Tree,
}

/// Two changes of one tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The kind that the first change has and the second one has not.
    pub kind: FactKind,
    /// The tree before.
    pub before: Tree,
    /// A change with a fact of the kind.
    pub hit: Change,
    /// A change without one.
    pub miss: Change,
}

impl Example {
    /// Both changes, as differences; the lines of a difference are indented.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for (title, change) in [("A hit", self.hit), ("Not one", self.miss)] {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{title}: {}.\n", change.what);
            difference(&mut text, self.before, change.after);
            text.push('\n');
        }
        text
    }
}

/// The entries that differ, in the order of their paths.
fn difference(text: &mut String, before: Tree, after: Tree) {
    let find = |tree: Tree, path: &str| tree.iter().find(|(at, _)| *at == path).map(|(_, entry)| *entry);
    let mut paths: Vec<_> = before.iter().chain(after).map(|(path, _)| *path).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let (old, new) = (find(before, path), find(after, path));
        if old == new {
            continue;
        }
        let _ = writeln!(text, "  {path}");
        let (old, new) = (described(old), described(new));
        for change in TextDiff::from_lines(&old, &new).iter_all_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            let line = format!("{sign} {}", sanitise(change.value().trim_end_matches('\n')));
            let _ = writeln!(text, "    {}", line.trim_end());
        }
    }
}

fn described(entry: Option<Entry>) -> String {
    match entry {
        None => String::new(),
        Some(Entry::File(text)) => text.to_owned(),
        Some(Entry::Executable(text)) => format!("(executable)\n{text}"),
        Some(Entry::Link(target)) => format!("-> {target}\n"),
        Some(Entry::Submodule(commit)) => format!("commit {commit}\n"),
    }
}
