//! Replaces a file as a whole: readers see the old one or the new one, and a link is never written through.

use std::io::Write as _;
use std::path::Path;

use crate::error::{Error, Result};
use crate::model::text::sanitise;

/// Writes a temporary file next to `path`, flushes it, and renames it into place.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |cause: &std::io::Error| {
        Error::new(
            "io",
            format!("{} cannot be written", sanitise(&path.to_string_lossy())),
        )
        .caused_by(cause)
    };
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".review-gate-")
        .permissions(permissions())
        .tempfile_in(folder)
        .map_err(|cause| failed(&cause))?;
    file.write_all(bytes).map_err(|cause| failed(&cause))?;
    file.as_file().sync_all().map_err(|cause| failed(&cause))?;
    file.persist(path).map_err(|error| failed(&error.error))?;
    Ok(())
}

/// What a newly made file has before the umask.
fn permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::Permissions::from_mode(0o666)
}
