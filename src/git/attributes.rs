//! Attributes of paths, from the `.gitattributes` files of one tree only: no other file, no configuration.

use std::path::{Path, PathBuf};

use gix::attrs::search::{MetadataCollection, Outcome};
use gix::attrs::{Search, StateRef};
use gix::bstr::ByteSlice;

use super::Repo;
use crate::error::{Error, Result};
use crate::model::change::Entry;
use crate::model::ids::BlobId;
use crate::model::text::sanitise_bytes;

/// A larger attributes file is an error.
const MAX_BYTES: u64 = 4 << 20;

/// The attributes by which files are left out, in the order in which they are named as the reason.
const EXCLUDING: [&str; 4] = ["linguist-generated", "linguist-vendored", "binary", "diff"];

/// The attribute files of one tree that count for some paths.
pub struct Attributes {
    search: Search,
    outcome: Outcome,
    files: usize,
    /// Attribute files that are not in this clone: what they say is not known.
    pub missing: Vec<(Vec<u8>, BlobId)>,
}

impl Repo {
    /// Reads attribute files of one tree, found with [`Repo::files_above`].
    pub fn attributes(&self, mut files: Vec<Entry>) -> Result<Attributes> {
        files.retain(|entry| {
            let name = entry.path.rsplit(|byte| *byte == b'/').next();
            // Git does not follow a link here either.
            name == Some(b".gitattributes") && entry.kind.is_file()
        });
        // Folders come before what is in them: the list that was added last counts first.
        files.sort_by_key(|entry| (memchr::memchr_iter(b'/', &entry.path).count(), entry.path.clone()));
        let broken = |cause: std::io::Error| {
            Error::new("attributes", "an attributes file cannot be used").caused_by(&cause)
        };
        let mut collection = MetadataCollection::default();
        // Knows the macro `binary`, and reads no file.
        let mut search = Search::new_globals(std::iter::empty::<PathBuf>(), &mut Vec::new(), &mut collection)
            .map_err(broken)?;
        let mut missing = Vec::new();
        let count = files.len();
        for Entry { path, id, .. } in files {
            let Some(bytes) = self.try_blob(BlobId(id), MAX_BYTES)? else {
                missing.push((path, BlobId(id)));
                continue;
            };
            let source = gix_path(&path)?;
            let top = !path.contains(&b'/');
            search
                .add_patterns_buffer(&bytes, source, Some(Path::new("")), &mut collection, top)
                .map_err(broken)?;
        }
        let mut outcome = Outcome::default();
        outcome.initialize_with_selection(&collection, EXCLUDING);
        Ok(Attributes {
            search,
            outcome,
            files: count,
            missing,
        })
    }
}

impl Attributes {
    /// The attribute by which a path is generated, vendored or not text for people, and the file that says so.
    pub fn excluding(&mut self, path: &[u8]) -> Option<(&'static str, String)> {
        if self.files == 0 {
            return None;
        }
        self.outcome.reset();
        let case = gix::glob::pattern::Case::Sensitive;
        self.search
            .pattern_matching_relative_path(path.as_bstr(), case, Some(false), &mut self.outcome);
        EXCLUDING
            .into_iter()
            .zip(self.outcome.iter_selected())
            .find_map(|(name, found)| {
                let excludes = match found.assignment.state {
                    StateRef::Set => name != "diff",
                    StateRef::Value(value) => name.starts_with("linguist") && value.as_bstr() != "false",
                    StateRef::Unset => name == "diff",
                    StateRef::Unspecified => false,
                };
                let source = found
                    .location
                    .source
                    .map(|path| path.to_string_lossy().into_owned());
                let shown = if name == "diff" { "-diff" } else { name };
                excludes.then(|| (shown, source.unwrap_or_else(|| ".gitattributes".to_owned())))
            })
    }
}

fn gix_path(path: &[u8]) -> Result<PathBuf> {
    path.to_path().map(Path::to_owned).map_err(|_| {
        Error::new(
            "attributes",
            format!("{} is no path on this system", sanitise_bytes(path)),
        )
    })
}
