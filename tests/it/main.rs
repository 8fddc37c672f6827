//! The one integration binary: the built command against real repositories, and the cases.

#![allow(
    clippy::disallowed_methods,
    reason = "the homes of clippy.toml are those of the product; tests stand outside of it"
)]
#![allow(
    clippy::unwrap_used,
    reason = "clippy lets #[test] functions unwrap, but not what they call"
)]

mod attacks;
mod bad_input;
mod baseline;
mod crowd;
mod demo;
mod evidence;
mod final_review;
mod finding;
mod fsck;
mod gate;
mod generated;
mod git;
mod hooks;
mod index;
mod init;
mod ledger;
mod packet;
mod pairing;
mod policy;
mod prepush;
mod prereceive;
mod push_lines;
mod quality;
mod record;
mod review;
mod reviewed;
mod reviewers;
mod rewrites;
mod scene;
mod spec;
mod stands;
mod store;
mod support;
mod sync;
mod tidy;
mod transcripts;
mod trees;
mod ui;
