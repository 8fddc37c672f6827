//! Installs and removes hooks; reads what a hook call asks for.
//!
//! [`install`], [`uninstall`] and [`status`] work on the hook files that [`shim`] describes, at the [`place`] where git
//! looks for them; [`manager`] knows the programs that keep hooks in a configuration of their own, [`configured`]
//! the hooks in git's configuration. [`rewrite`] reads a `post-rewrite` call; [`chained`] runs the hook that ours
//! took the place of.

pub mod chained;
pub mod configured;
pub mod install;
pub mod manager;
pub mod place;
pub mod probe;
pub mod rewrite;
pub mod shim;
pub mod status;
pub mod uninstall;

mod files;

pub use files::is_program;
