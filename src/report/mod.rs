//! Outcome values to human text, JSON, Markdown and GitHub annotations; pure.

pub mod demo;
pub mod hooks;
