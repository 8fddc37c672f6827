//! Evidence: what runs say, and the commands that record them.

mod formats;
mod large;
mod log;
mod prove;
mod run;
