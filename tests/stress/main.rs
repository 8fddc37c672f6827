//! The concurrency and crash tests with their full counts.
