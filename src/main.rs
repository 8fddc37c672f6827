//! The binary: parse, run, return the exit code.

fn main() {}
