//! How one ref is stored: in a file of its own, among the packed ones, or not at all.
//!
//! gix tries ten places for what git might complete a name to, and asks for the state of the packed refs at each.
//! Refs are looked up by their full names here, many of them in one command, so the plain cases are read directly;
//! whatever is not plain is left to gix.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::Repo;
use super::convert::from_gix;
use super::refs::unreadable;
use crate::error::Result;
use crate::model::ids::Oid;

/// No plain ref file is longer: an id and a line end, or the name of another ref.
const LONGEST: usize = 512;

/// What a ref of a full name is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stored {
    /// It points to this object.
    Id(Oid),
    /// It stands for the ref of this full name.
    Symbolic(String),
    /// There is surely no ref of this name.
    Nowhere,
    /// gix knows how to read it, or what is wrong with it.
    AskGix,
}

impl Repo {
    /// Looks a ref up by its full name.
    pub(super) fn stored_ref(&self, name: &str) -> Result<Stored> {
        // Some refs belong to one worktree, and a namespace moves all of them.
        let elsewhere = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"];
        if !name.starts_with("refs/")
            || elsewhere.iter().any(|prefix| name.starts_with(prefix))
            || self.gix.namespace().is_some()
        {
            return Ok(Stored::AskGix);
        }
        let Ok(full) = gix::refs::FullName::try_from(name) else {
            return Ok(Stored::AskGix);
        };
        // Loose first: packing a ref writes the packed form before it removes the loose one.
        if let Some(found) = self.read_ref_file(&self.common_dir().join(name)) {
            return Ok(found);
        }
        let unreadable = |cause: &gix::Error| unreadable(name, cause);
        let packed = self
            .gix
            .refs
            .cached_packed_buffer()
            .map_err(|cause| unreadable(&cause))?;
        let Some(packed) = packed else {
            return Ok(Stored::Nowhere);
        };
        let found = packed
            .try_find(full.as_ref())
            .map_err(|cause| unreadable(&cause))?;
        Ok(found.map_or(Stored::Nowhere, |found| Stored::Id(from_gix(&found.target()))))
    }

    /// What the `HEAD` of this worktree says.
    pub(super) fn stored_head(&self) -> Stored {
        if self.gix.namespace().is_some() {
            return Stored::AskGix;
        }
        self.read_ref_file(&self.git_dir().join("HEAD"))
            .unwrap_or(Stored::AskGix)
    }

    /// What the file of a ref says; `None` when there is none, or a directory in its place.
    fn read_ref_file(&self, path: &Path) -> Option<Stored> {
        match path.symlink_metadata() {
            Ok(found) if found.is_file() => {}
            Ok(found) if found.is_dir() => return None,
            Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return None;
            }
            _ => return Some(Stored::AskGix),
        }
        let mut bytes = [0; LONGEST];
        let read = File::open(path).and_then(|mut file| file.read(&mut bytes));
        Some(match read {
            Ok(length) if length < LONGEST => parse(&bytes[..length])
                .filter(|found| !matches!(found, Stored::Id(id) if !self.id_fits(*id)))
                .unwrap_or(Stored::AskGix),
            // It may just have been packed, or there is something wrong with it.
            _ => Stored::AskGix,
        })
    }
}

/// The two plain forms, as git writes them.
fn parse(bytes: &[u8]) -> Option<Stored> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    if let Some(target) = text.strip_prefix("ref: ") {
        let is_full = target.starts_with("refs/") && gix::refs::FullName::try_from(target).is_ok();
        return is_full.then(|| Stored::Symbolic(target.to_owned()));
    }
    text.parse().ok().map(Stored::Id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_git_writes_is_read_here() {
        let id = "12".repeat(20);
        assert_eq!(
            parse(format!("{id}\n").as_bytes()),
            Some(Stored::Id(id.parse().unwrap()))
        );
        assert_eq!(
            parse(b"ref: refs/heads/main\n"),
            Some(Stored::Symbolic("refs/heads/main".to_owned()))
        );
        for odd in [
            id.clone(),
            format!("{id} \n"),
            format!("{id}\n\n"),
            "ref: ../../etc\n".to_owned(),
            "ref: refs/heads/../x\n".to_owned(),
            "ref:refs/heads/main\n".to_owned(),
            String::new(),
        ] {
            assert_eq!(parse(odd.as_bytes()), None, "{odd:?}");
        }
    }
}
