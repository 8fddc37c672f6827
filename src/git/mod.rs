//! The only code that touches gix or runs the git program.
