//! Reads and validates `.review-gate.toml` into `model::policy`; errors carry line and column.
