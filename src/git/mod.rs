//! The only code that touches gix or runs the git program.
//!
//! [`Repo`] is one opened repository; its methods are grouped by file: [`objects`], [`refs`], [`revision`],
//! [`commits`], [`config`], [`identity`]. What gix cannot do (fetch, push, credentials, hooks directory, writing
//! configuration) goes to the git program through [`process`].

pub mod abbreviation;
pub mod attributes;
pub mod batch;
pub mod commits;
pub mod config;
pub mod diff;
pub mod identity;
pub mod look_up;
pub mod merge;
pub mod notes;
pub mod numstat;
pub mod objects;
pub mod process;
pub mod push_lines;
pub mod range;
pub mod reach;
pub mod ref_move;
pub mod refs;
pub mod repo;
pub mod revision;
pub mod transport;

mod convert;
mod durable;
mod pack;
mod quarantine;
mod stored_ref;

pub use repo::Repo;
