//! Hooks in every layout that git offers: installed, live, and taken out again without a trace.

mod calls;
mod install;
mod status;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::support::{Repo, World};

/// Everything below a folder: path → (mode, content or target of the link).
pub fn snapshot(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.expect("entry").path();
            let meta = fs::symlink_metadata(&path).expect("metadata");
            let content = if meta.is_symlink() {
                fs::read_link(&path)
                    .expect("link")
                    .into_os_string()
                    .into_encoded_bytes()
            } else if meta.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).expect("file")
            };
            found.insert(path, (meta.permissions().mode(), content));
        }
    }
    found
}

/// Where git looks for hooks from here.
pub fn hooks_dir(repo: &Repo) -> PathBuf {
    repo.git(["rev-parse", "--path-format=absolute", "--git-path", "hooks"])
        .into()
}

/// A repository with one commit.
pub fn one_commit(world: &World, name: &str) -> Repo {
    let repo = world.repo(name);
    repo.write("README", "text\n");
    repo.commit("Start");
    repo
}
