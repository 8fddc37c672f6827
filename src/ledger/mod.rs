//! The append-only ledger of review events: codec, union and fold are pure; the store keeps it in git notes.

pub mod codec;
pub mod finding;
pub mod fold;
pub mod index;
pub mod mirror;
pub mod note;
pub mod records;
pub mod refs;
pub mod store;
pub mod union;
pub mod view;
