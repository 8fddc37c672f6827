//! Structural baselines: the cases, and what only whole repositories show.

mod cases;
mod examples;
mod files;
mod history;
mod options;
mod probes;
mod python;
mod refusals;
mod scenarios;
mod tree_diff;
