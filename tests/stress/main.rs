//! The concurrency and crash tests with their full counts.

#![allow(
    clippy::disallowed_methods,
    reason = "the homes of clippy.toml are those of the product; tests stand outside of it"
)]
