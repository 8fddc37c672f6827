//! The objects of a push that is being received: git keeps them apart until the hook has said yes.
//!
//! gix knows nothing of `GIT_OBJECT_DIRECTORY` and `GIT_ALTERNATE_OBJECT_DIRECTORIES`. It does follow the file
//! `info/alternates` of an object store, so it is given an empty one outside of the repository that names all of them.
#![expect(
    clippy::disallowed_methods,
    reason = "the environment says where the objects are; the empty store is a temporary folder"
)]

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use crate::error::{Error, Result};

/// Where git says that objects are, if not in the repository alone.
const OBJECTS: &str = "GIT_OBJECT_DIRECTORY";
const ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";
const QUARANTINE: &str = "GIT_QUARANTINE_PATH";

/// An object store that only refers to others; it goes when the last handle on it does.
#[derive(Debug, Clone)]
pub(super) struct Quarantine {
    _folder: Arc<TempDir>,
}

/// Lets `gix` read the objects that the environment names; `None` where it names none.
pub(super) fn enter(gix: &mut gix::Repository) -> Result<Option<Quarantine>> {
    let Some(stores) = stores(&gix.common_dir().join("objects"))? else {
        return Ok(None);
    };
    let failed = |cause: &io::Error| {
        Error::new("io", "the objects of this push cannot be read")
            .caused_by(cause)
            .hint("df -h \"${TMPDIR:-/tmp}\"")
    };
    let folder = empty_store(&stores).map_err(|cause| failed(&cause))?;
    let odb = gix::odb::at_opts(
        folder.path(),
        gix.object_hash(),
        None,
        gix::odb::store::init::Options::default(),
    )
    .map_err(|cause| failed(&cause))?;
    gix.objects = gix::odb::memory::Proxy::from(odb);
    Ok(Some(Quarantine {
        _folder: Arc::new(folder),
    }))
}

/// The object directories of the environment and that of the repository itself, absolute.
fn stores(own: &Path) -> Result<Option<Vec<PathBuf>>> {
    let named: Vec<PathBuf> = [QUARANTINE, OBJECTS]
        .iter()
        .filter_map(env::var_os)
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .collect();
    let alternates = env::var_os(ALTERNATES).unwrap_or_default();
    if named.is_empty() && alternates.is_empty() {
        return Ok(None);
    }
    let mut stores = Vec::new();
    let listed = split(&alternates)?;
    for path in named.into_iter().chain(listed).chain([own.to_owned()]) {
        let path = std::path::absolute(&path).unwrap_or(path);
        if path.as_os_str().as_encoded_bytes().contains(&b'\n') {
            return Err(Error::new(
                "not-supported",
                "the path of an object directory holds a line feed",
            ));
        }
        if !stores.contains(&path) {
            stores.push(path);
        }
    }
    Ok(Some(stores))
}

/// The directories in `GIT_ALTERNATE_OBJECT_DIRECTORIES`: git puts those with odd bytes in double quotes.
fn split(listed: &OsStr) -> Result<Vec<PathBuf>> {
    if listed.as_encoded_bytes().contains(&b'"') {
        return Err(
            Error::new("not-supported", format!("{ALTERNATES} holds a quoted path"))
                .hint("keep the repository in a folder without quotes, colons and line feeds in its name"),
        );
    }
    Ok(env::split_paths(listed)
        .filter(|path| !path.as_os_str().is_empty())
        .collect())
}

/// A new object store without objects that refers to these.
fn empty_store(stores: &[PathBuf]) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("review-gate-objects-")
        .tempdir()?;
    fs::create_dir(folder.path().join("info"))?;
    let mut text = Vec::new();
    for store in stores {
        text.extend_from_slice(store.as_os_str().as_encoded_bytes());
        text.push(b'\n');
    }
    fs::write(folder.path().join("info").join("alternates"), text)?;
    Ok(folder)
}
