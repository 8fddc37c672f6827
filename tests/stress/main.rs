//! The concurrency and crash tests with their full counts, the largest inputs, and real test runners.

#![allow(
    clippy::disallowed_methods,
    reason = "the homes of clippy.toml are those of the product; tests stand outside of it"
)]
#![allow(
    clippy::unwrap_used,
    reason = "clippy lets #[test] functions unwrap, but not what they call"
)]

#[path = "../it/crowd.rs"]
mod crowd;
#[path = "../it/evidence/large.rs"]
mod large;
mod runners;
#[path = "../it/support.rs"]
mod support;

#[test]
fn thirty_two_processes_file_twenty_five_findings_each() {
    crowd::all_findings_of_a_crowd_are_kept(4, 32, 25);
}

#[test]
fn two_hundred_writers_are_killed() {
    crowd::nothing_is_lost_by_kills(200);
}

#[test]
fn evidence_of_the_largest_size_is_read() {
    large::the_worst_shapes_are_read(git_review_gate::review::evidence::tests::MAX_READ);
}
