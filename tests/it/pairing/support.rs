//! Trees in memory, and the facts between two of them, without git.

use std::collections::{BTreeMap, BTreeSet};

use git_review_gate::model::baseline::SurfaceMode;
use git_review_gate::structure::lang::rust::Rust;
use git_review_gate::structure::outline::{Options, Outline};
use git_review_gate::structure::pairing::{ChangedFile, Comparison, Input, Settings, SourceFile, compare};
use git_review_gate::structure::source::{ReadFault, Tree};

/// A tree: path → text.
#[derive(Clone, Default)]
pub(super) struct Files(pub(super) BTreeMap<Vec<u8>, Vec<u8>>);

impl Files {
    pub(super) fn new<T: AsRef<str>>(files: &[(&str, T)]) -> Self {
        let bytes = |text: &str| text.as_bytes().to_vec();
        Self(
            files
                .iter()
                .map(|(path, text)| (bytes(path), bytes(text.as_ref())))
                .collect(),
        )
    }
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (path, text) in &self.0 {
            writeln!(
                f,
                "--- {}\n{}",
                String::from_utf8_lossy(path),
                String::from_utf8_lossy(text)
            )?;
        }
        Ok(())
    }
}

impl Tree for Files {
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        Ok(self.0.get(path).cloned())
    }

    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
        let below = |path: &&Vec<u8>| {
            folder.is_empty()
                || path
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with(b"/"))
        };
        Ok(self
            .0
            .keys()
            .filter(below)
            .filter(|path| path.ends_with(suffix))
            .cloned()
            .collect())
    }
}

/// The folder of a file's package: with a manifest, or else the one that holds `src` or `tests`.
fn package(files: &Files, path: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(path).unwrap();
    let around = text
        .match_indices('/')
        .map(|(at, _)| &text[..at])
        .collect::<Vec<_>>();
    let manifest = around.iter().rev().chain([&""]).find(|folder| {
        let file = if folder.is_empty() {
            "Cargo.toml".to_owned()
        } else {
            format!("{folder}/Cargo.toml")
        };
        files.0.contains_key(file.as_bytes())
    });
    let folder = manifest.map(|folder| (*folder).to_owned()).or_else(|| {
        let parts = around
            .iter()
            .filter(|folder| folder.ends_with("src") || folder.ends_with("tests"));
        let first = parts.min_by_key(|folder| folder.len())?;
        Some(first.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
    });
    folder.map(String::into_bytes)
}

/// Something before and after.
type Sides<T> = (Option<T>, Option<T>);

/// What changes between two trees.
pub(super) fn difference(before: &Files, after: &Files, surface: SurfaceMode) -> Comparison {
    let scanner = Rust;
    // The package of each file, kept for the borrows of the comparison.
    let measured = |path: &Vec<u8>| path.ends_with(b".rs") || path.ends_with(b"Cargo.toml");
    let paths: BTreeSet<&Vec<u8>> = before
        .0
        .keys()
        .chain(after.0.keys())
        .filter(|path| measured(path))
        .collect();
    let changed: Vec<&Vec<u8>> = paths
        .into_iter()
        .filter(|path| before.0.get(*path) != after.0.get(*path))
        .collect();
    let lost: Vec<&Vec<u8>> = changed
        .iter()
        .copied()
        .filter(|path| !after.0.contains_key(*path))
        .collect();
    let mut origins: BTreeMap<&Vec<u8>, &Vec<u8>> = BTreeMap::new();
    for path in changed
        .iter()
        .copied()
        .filter(|path| !before.0.contains_key(*path))
    {
        let new = &after.0[path];
        let from = lost
            .iter()
            .find(|old| before.0[**old] == *new && !origins.values().any(|taken| taken == *old));
        if let Some(from) = from {
            origins.insert(path, from);
        }
    }
    let mut pairs: Vec<Sides<&Vec<u8>>> = Vec::new();
    for path in changed {
        if let Some(from) = origins.get(path) {
            pairs.push((Some(*from), Some(path)));
        } else if !origins.values().any(|from| *from == path) {
            pairs.push((
                before.0.get_key_value(path).map(|(k, _)| k),
                after.0.get_key_value(path).map(|(k, _)| k),
            ));
        }
    }
    let folders: Vec<Sides<Vec<u8>>> = pairs
        .iter()
        .map(|(old, new)| {
            let old = old.and_then(|path| package(before, path));
            let new = new.and_then(|path| package(after, path));
            (old, new)
        })
        .collect();
    let side = |files: &'_ Files, path: &Vec<u8>, package: &Option<Vec<u8>>| {
        let options = Options {
            package: package.clone(),
            ..Options::default()
        };
        scanner
            .outline(&files.0[path], path, &options)
            .unwrap_or_else(|degraded| panic!("{}: {degraded:?}", String::from_utf8_lossy(path)))
    };
    let files: Vec<ChangedFile<'_>> = pairs
        .iter()
        .zip(&folders)
        .map(|((old, new), (package_before, package_after))| ChangedFile {
            before: old.map(|path| SourceFile {
                path,
                bytes: &before.0[path],
                package: package_before.as_deref(),
                outline: side(before, path, package_before),
            }),
            after: new.map(|path| SourceFile {
                path,
                bytes: &after.0[path],
                package: package_after.as_deref(),
                outline: side(after, path, package_after),
            }),
        })
        .collect();
    let input = Input {
        lang: "rust",
        scanner: &scanner,
        files: &files,
        before,
        after,
    };
    compare(
        &input,
        &Settings {
            surface,
            ..Settings::default()
        },
    )
}
