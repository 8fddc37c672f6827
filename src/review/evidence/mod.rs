//! Evidence: what a run's output and reports say, which runs count for a tree, and what a reviewer reads of them.
//!
//! All of it is pure, linear in what it reads, and holds for any bytes.

pub mod class;
pub mod log;
pub mod seen;
pub mod tail;
pub mod tests;

mod ansi;
mod cobertura;
mod go_json;
mod go_verbose;
mod jest;
mod junit;
mod lcov;
mod libtest;
mod nextest;
mod pytest;
mod xml;

pub use self::cobertura::read as cobertura;
pub use self::junit::read as junit;
pub use self::lcov::read as lcov;
