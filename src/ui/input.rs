//! Reads a file that a flag names, or standard input for `-`; bounded.

use std::io::Read as _;
use std::path::Path;

use crate::error::{Error, Result};
use crate::model::text::sanitise;

/// The most bytes that are read; everything that is read this way has smaller limits of its own.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// The bytes of the file, or of standard input where the path is `-`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let shown = sanitise(&path.to_string_lossy());
    let failed =
        |cause: &std::io::Error| Error::new("io", format!("{shown} cannot be read")).caused_by(cause);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin()
            .lock()
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    }
    .map_err(|cause| failed(&cause))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::new(
            "too-large",
            format!("{shown} has more than {MAX_BYTES} bytes"),
        ));
    }
    Ok(bytes)
}
