//! Outcome values to human text, JSON, Markdown and GitHub annotations; pure.

pub mod adopt;
pub mod baseline;
pub mod baseline_json;
pub mod baseline_schema;
pub mod decision;
pub mod decision_json;
pub mod demo;
pub mod evidence;
pub mod finding;
pub mod fsck;
pub mod github;
pub mod hooks;
pub mod init;
pub mod log;
pub mod markdown;
pub mod policy;
pub mod quality;
pub mod quality_corpus;
pub mod review;
pub mod schemas;
pub mod status;
pub mod sync;
pub mod wrap;

#[cfg(test)]
mod testing;
