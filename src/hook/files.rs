//! The few file operations that hooks need; each says what failed on which path.

#![expect(
    clippy::disallowed_methods,
    reason = "installing hooks is writing files into the hooks directory"
)]

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::error::{Error, Result};

/// No hook is larger than this; one that is stays untouched.
const MAX_HOOK: u64 = 8 << 20;

/// What is found under the name of a hook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A regular file, with its bytes.
    File {
        /// Its content.
        bytes: Vec<u8>,
        /// Whether git would run it.
        executable: bool,
    },
    /// A symbolic link to a regular file, with the bytes of that file.
    Link {
        /// The content of the file it points at.
        bytes: Vec<u8>,
        /// Whether git would run it.
        executable: bool,
    },
    /// A symbolic link that points at nothing.
    Dangling,
}

/// Looks without changing anything.
pub fn look(path: &Path) -> Result<Found> {
    let entry = match fs::symlink_metadata(path) {
        Ok(entry) => entry,
        Err(cause) if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Found::Nothing);
        }
        Err(cause) => return Err(fault("could not be read", path, &cause)),
    };
    let target = match fs::metadata(path) {
        Ok(target) => target,
        Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Found::Dangling),
        Err(cause) => return Err(fault("could not be read", path, &cause)),
    };
    if !target.is_file() || target.len() > MAX_HOOK {
        return Err(Error::new("hooks", format!("{} is not a hook", path.display()))
            .because("it is no regular file, or larger than any hook")
            .hint(format!("ls -l '{}'", path.display())));
    }
    let bytes = fs::read(path).map_err(|cause| fault("could not be read", path, &cause))?;
    let executable = is_executable(&target);
    Ok(if entry.is_symlink() {
        Found::Link { bytes, executable }
    } else {
        Found::File { bytes, executable }
    })
}

/// Whether there is anything under this name, a dangling link included.
pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether this is a program that can be started.
pub fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && is_executable(&found))
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    found.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    // Git for Windows looks at the content, not at the mode.
    true
}

/// Writes an executable file in one step: temporary file, mode, rename; then reads it back.
pub fn write_hook(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().expect("a hook lies in a directory");
    fs::create_dir_all(directory).map_err(|cause| fault("could not be made", directory, &cause))?;
    let mut file = tempfile::Builder::new()
        .prefix(".review-gate-")
        .tempfile_in(directory)
        .map_err(|cause| fault("cannot be written to", directory, &cause))?;
    file.write_all(text.as_bytes())
        .and_then(|()| set_mode(file.as_file()))
        .and_then(|()| file.as_file().sync_all())
        .map_err(|cause| fault("could not be written", path, &cause))?;
    file.persist(path)
        .map_err(|cause| fault("could not be written", path, &cause.error))?;
    match look(path)? {
        Found::File {
            bytes,
            executable: true,
        } if bytes == text.as_bytes() => Ok(()),
        _ => Err(Error::new(
            "hooks",
            format!("{} is not what was written to it", path.display()),
        )
        .because("the file system dropped its content or its mode")
        .hint("git review-gate hooks status")),
    }
}

#[cfg(unix)]
fn set_mode(file: &fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn set_mode(_: &fs::File) -> std::io::Result<()> {
    Ok(())
}

/// Gives a file (or a link itself) another name in the same directory.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|cause| fault("could not be moved", from, &cause))
}

/// Removes a hook, and the directory where nothing else is left in it.
pub fn remove(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(|cause| fault("could not be removed", path, &cause))?;
    // Git makes no hooks directory without files in it; one that was not empty stays.
    let _ = path.parent().map(fs::remove_dir);
    Ok(())
}

fn fault(what: &str, path: &Path, cause: &std::io::Error) -> Error {
    Error::new("io", format!("{} {what}", path.display())).caused_by(cause)
}
