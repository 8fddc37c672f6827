//! Pairing and facts between trees in memory.

use git_review_gate::model::baseline::SurfaceMode;

use self::support::{Files, difference};

mod api;
mod bodies;
mod laws;
mod support;
mod tests;

/// The facts between two trees as `kind key`, with ` -> key` where the unit is named differently after.
fn facts<T: AsRef<str>>(before: &[(&str, T)], after: &[(&str, T)]) -> Vec<String> {
    let found = difference(&Files::new(before), &Files::new(after), SurfaceMode::Reachable);
    assert_eq!(found.unmeasured, []);
    found
        .facts
        .iter()
        .map(|fact| {
            let to = fact
                .to_key
                .as_ref()
                .map(|key| format!(" -> {}", key.trim_start_matches("rust:")));
            let key = fact.key.trim_start_matches("rust:");
            format!("{} {key}{}", fact.kind.word(), to.unwrap_or_default())
        })
        .collect()
}

/// Facts between two versions of one library file.
fn library(before: &str, after: &str) -> Vec<String> {
    facts(&[("src/lib.rs", before)], &[("src/lib.rs", after)])
}

/// Facts between two versions of one test file.
fn test_file(before: &str, after: &str) -> Vec<String> {
    facts(&[("tests/t.rs", before)], &[("tests/t.rs", after)])
}
