//! What a scanner is told about a file besides its bytes: by the policy, and by the files around it.

use std::collections::BTreeMap;

use super::outline::{Options, Outline};
use super::source::{ReadFault, Tree};
use crate::model::glob::{Glob, selects};

/// The files that the policy takes for tests besides those with the names of their language: globs by language id.
pub type TestFiles = BTreeMap<String, Vec<Glob>>;

/// The surroundings of the files of one language on one side.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The language's id.
    pub lang: &'a str,
    /// Its scanner.
    pub scanner: &'a dyn Outline,
    /// The tree that the files are in.
    pub own: &'a dyn Tree,
    /// The tree before, which decides about rules.
    pub base: &'a dyn Tree,
    /// Test files by policy.
    pub test_files: &'a TestFiles,
}

impl Surroundings<'_> {
    /// The options for one file of a package.
    pub fn options(&self, path: &[u8], package: Option<&[u8]>) -> Result<Options, ReadFault> {
        let globs = self.test_files.get(self.lang);
        let mut options = Options {
            package: package.map(<[u8]>::to_vec),
            test_file: globs.is_some_and(|globs| selects(globs, path)),
            ..Options::default()
        };
        self.scanner
            .look_around(self.own, self.base, path, &mut options)?;
        Ok(options)
    }
}
