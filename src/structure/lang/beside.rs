//! Files that declare the public API of a file beside them: stubs and declaration files.

use crate::structure::exclude::generated_mark;
use crate::structure::source::{ReadFault, Tree};

/// Whether the file at `path` is there and speaks for the one beside it.
///
/// One with a mark of generated code is not measured, so what it declares would be seen by nobody: it does not speak.
pub(super) fn speaks(tree: &dyn Tree, path: &[u8]) -> Result<bool, ReadFault> {
    match tree.read(path) {
        Ok(found) => Ok(found.is_some_and(|bytes| generated_mark(&bytes).is_none())),
        // It is there, whatever is in it.
        Err(ReadFault::Missing(_) | ReadFault::TooLarge(_)) => Ok(true),
        Err(fault @ ReadFault::Damaged(_)) => Err(fault),
    }
}
