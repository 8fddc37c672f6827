//! How large a change is, as git counts it.

use super::Repo;
use crate::error::{Error, Result};
use crate::model::ids::CommitId;

/// How large a change is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Files that changed; one that moved counts once.
    pub files: u64,
    /// Lines added and deleted; binary files have none.
    pub lines: u64,
}

impl Repo {
    /// The size of the change from one commit to another, whatever the configuration says about diffs.
    pub fn size_of_change(&self, before: CommitId, after: CommitId) -> Result<Size> {
        let (before, after) = (before.to_string(), after.to_string());
        let listed = self
            .git([
                "diff-tree",
                "-r",
                "-z",
                "--numstat",
                "-M",
                "-l1000",
                "--diff-algorithm=myers",
                "--no-ext-diff",
                "--no-textconv",
                &before,
                &after,
            ])
            .run_ok()?;
        parse(&listed).ok_or_else(|| {
            Error::new(
                "git-failed",
                "git diff-tree --numstat printed what is not understood",
            )
            .hint("git diff --stat")
        })
    }
}

/// `<added> TAB <deleted> TAB <path> NUL`; a moved file has an empty path, then NUL, the old and the new path.
fn parse(listed: &[u8]) -> Option<Size> {
    let mut size = Size::default();
    let mut fields = listed.split(|byte| *byte == 0);
    while let Some(field) = fields.next() {
        if field.is_empty() {
            // Behind the last NUL there is nothing.
            return fields.next().is_none().then_some(size);
        }
        let mut columns = field.splitn(3, |byte| *byte == b'\t');
        let (added, deleted, path) = (columns.next()?, columns.next()?, columns.next()?);
        if path.is_empty() {
            let mut is_path = || fields.next().is_some_and(|path| !path.is_empty());
            if !(is_path() && is_path()) {
                return None;
            }
        }
        size.files += 1;
        size.lines += count(added)? + count(deleted)?;
    }
    None
}

/// A number, or `-` where there are no lines to count.
fn count(column: &[u8]) -> Option<u64> {
    match column {
        b"-" => Some(0),
        _ => std::str::from_utf8(column).ok()?.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_files_and_lines() {
        for (listed, expected) in [
            (&b""[..], Some((0, 0))),
            (b"1\t2\ta\0", Some((1, 3))),
            (b"1\t2\ta\tb\n\x002\t0\t\0old\0new\0-\t-\tbin\0", Some((3, 5))),
            (b"1\t2\0", None),
            (b"x\t2\ta\0", None),
            (b"1\t2\t\0old\0", None),
        ] {
            let size = parse(listed).map(|size| (size.files, size.lines));
            assert_eq!(size, expected, "{listed:?}");
        }
    }
}
