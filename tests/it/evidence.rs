//! Evidence: what runs say, and the commands that record them.

mod cargo;
mod formats;
mod large;
mod log;
mod prove;
mod run;
