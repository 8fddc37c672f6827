//! Finds the package of a file: the nearest folder with the language's manifest.

use std::collections::HashMap;

use super::outline::Outline;
use super::source::{ReadFault, Tree};

/// The packages of one tree; each folder is looked at once.
pub struct Packages<'t> {
    scanner: &'t dyn Outline,
    tree: &'t dyn Tree,
    with_manifest: HashMap<Vec<u8>, bool>,
}

impl<'t> Packages<'t> {
    /// Nothing looked up yet.
    pub fn new(scanner: &'t dyn Outline, tree: &'t dyn Tree) -> Self {
        Self {
            scanner,
            tree,
            with_manifest: HashMap::new(),
        }
    }

    /// The folder of the package that the file at `path` belongs to, without a final `/`; empty for the top.
    ///
    /// Without any manifest around it, the folder that the language takes instead.
    pub fn of(&mut self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        let Some(manifest) = self.scanner.manifest() else {
            return Ok(self.scanner.folder_without_manifest(path));
        };
        let mut folder = path;
        while !folder.is_empty() {
            folder = &folder[..folder.iter().rposition(|byte| *byte == b'/').unwrap_or(0)];
            let found = if let Some(found) = self.with_manifest.get(folder) {
                *found
            } else {
                let mut file = folder.to_vec();
                if !file.is_empty() {
                    file.push(b'/');
                }
                file.extend_from_slice(manifest.as_bytes());
                let found = self.tree.read(&file)?.is_some();
                self.with_manifest.insert(folder.to_vec(), found);
                found
            };
            if found {
                return Ok(Some(folder.to_vec()));
            }
        }
        Ok(self.scanner.folder_without_manifest(path))
    }
}
