//! Writes manual pages into a folder.

#![expect(clippy::disallowed_methods, reason = "writing these files is the use case")]

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// One manual page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The name of its file.
    pub file: String,
    /// Its text, in roff.
    pub text: String,
}

/// Writes the pages; those that are there are replaced, nothing else in the folder is touched.
pub fn write(folder: &Path, pages: &[Page]) -> Result<()> {
    let fault = |path: &Path, cause: &std::io::Error| {
        Error::new("io", format!("{} could not be written", path.display())).caused_by(cause)
    };
    fs::create_dir_all(folder).map_err(|cause| fault(folder, &cause))?;
    for page in pages {
        let path = folder.join(&page.file);
        fs::write(&path, &page.text).map_err(|cause| fault(&path, &cause))?;
    }
    Ok(())
}
