//! `artifact-gate`: what an item cites must exist.

use std::collections::BTreeSet;

use super::{Case, State};
use crate::model::dimension::Dimension;
use crate::model::final_review::{FinalReviewOutput, Gate};
use crate::model::text::sanitise;
use crate::review::{delivered, path};

/// How recorded evidence is cited.
const EVIDENCE: &str = "evidence:";

/// How a baseline is cited.
const BASELINE: &str = "baseline:";

/// The fewest digits of a citation.
const MIN_DIGITS: usize = 8;

/// The most characters of one path in a message.
const MAX_SHOWN: usize = 120;

/// What items may cite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Files and folders of the tree: of those that [`asked`] names, the ones that are there.
    pub tree: BTreeSet<String>,
    /// The paths that registered evidence of this tree names.
    pub artifacts: BTreeSet<String>,
    /// The ids of the evidence events, in lower-case hex.
    pub evidence: BTreeSet<String>,
}

/// The paths that have to be looked up in the tree before a reply can be judged.
pub fn asked(reply: &FinalReviewOutput) -> BTreeSet<String> {
    reply
        .dimensions
        .iter()
        .flat_map(|entry| &entry.evidence)
        .filter_map(|item| item.artifact.as_deref())
        .flat_map(candidates)
        .map(str::to_owned)
        .collect()
}

/// Names everything that does not resolve, once.
pub(super) fn resolved(case: &Case<'_>, state: &mut State) {
    let is_delivered = delivered::baseline_summary(case.sources).is_some();
    let baseline = case.baseline_name.filter(|_| is_delivered);
    for dimension in Dimension::ALL {
        let Some(entry) = case.reply.dimension(*dimension) else {
            continue;
        };
        let mut unknown: Vec<&str> = Vec::new();
        for artifact in entry.evidence.iter().filter_map(|item| item.artifact.as_deref()) {
            if !resolves(artifact, case.known, baseline) && !unknown.contains(&artifact) {
                unknown.push(artifact);
            }
        }
        if !unknown.is_empty() {
            let shown: Vec<String> = unknown.iter().map(|artifact| shown(artifact)).collect();
            let text = format!("not found: {}", shown.join(", "));
            state.lower(*dimension, Gate::Artifact, &text);
        }
    }
}

fn shown(artifact: &str) -> String {
    match artifact.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", sanitise(&artifact[..end])),
        None => sanitise(artifact),
    }
}

/// Whether an artifact exists. `baseline` is the full name of the one that was delivered.
fn resolves(artifact: &str, known: &Known, baseline: Option<&str>) -> bool {
    if artifact.starts_with(BASELINE) {
        return baseline == Some(artifact);
    }
    if let Some(digits) = artifact.strip_prefix(EVIDENCE) {
        let is_id = digits.len() >= MIN_DIGITS
            && digits
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let named = known.evidence.range(digits.to_owned()..);
        return is_id && named.take_while(|id| id.starts_with(digits)).take(2).count() == 1;
    }
    if candidates(artifact).any(|path| known.tree.contains(path)) {
        return true;
    }
    bare(artifact).is_some_and(|path| known.artifacts.contains(path))
}

/// The paths that an artifact may mean: itself, and itself without a place within the file.
fn candidates(artifact: &str) -> impl Iterator<Item = &str> {
    let is_path = !artifact.starts_with(EVIDENCE) && !artifact.starts_with(BASELINE);
    [Some(artifact), without_place(artifact)]
        .into_iter()
        .flatten()
        .filter(move |_| is_path)
        .filter_map(bare)
}

/// The path without `./` in front and `/` at the end, if it is one that a tree can hold.
fn bare(path: &str) -> Option<&str> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path::fault(path).is_none().then_some(path)
}

/// What stands before `:12`, `:12:4`, `:3-9`, `#L3`, `#L3-L9` or `::name`.
fn without_place(artifact: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((path, name)) = artifact.split_once("::") {
        return (!name.is_empty()).then_some(path);
    }
    if let Some((path, place)) = artifact.rsplit_once('#') {
        let is_line = |text: &str| text.strip_prefix('L').is_some_and(is_number);
        let is_place = is_line(place)
            || place
                .split_once('-')
                .is_some_and(|(from, to)| is_line(from) && is_line(to));
        return is_place.then_some(path);
    }
    let (path, place) = artifact.rsplit_once(':')?;
    if !is_number(place) {
        let is_span = place
            .split_once('-')
            .is_some_and(|(from, to)| is_number(from) && is_number(to));
        return is_span.then_some(path);
    }
    match path.rsplit_once(':') {
        Some((path, line)) if is_number(line) => Some(path),
        _ => Some(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_within_a_file_is_no_part_of_its_path() {
        for (artifact, path) in [
            ("a.rs:12", Some("a.rs")),
            ("a.rs:12:4", Some("a.rs")),
            ("a.rs:3-9", Some("a.rs")),
            ("a.rs#L3", Some("a.rs")),
            ("a.rs#L3-L9", Some("a.rs")),
            ("a.py::Class::test[x:1]", Some("a.py")),
            ("a.rs", None),
            ("a.rs:", None),
            ("a.rs:x", None),
            ("a.rs:3-", None),
            ("a.rs#3", None),
            ("a.rs#L3-9", None),
            ("a.rs::", None),
        ] {
            assert_eq!(without_place(artifact), path, "{artifact}");
        }
    }

    #[test]
    fn only_what_is_there_resolves() {
        let known = Known {
            tree: ["a.rs", "src", "odd:1"].map(str::to_owned).into(),
            artifacts: ["out/junit.xml".to_owned()].into(),
            evidence: ["0f0f0f0f11", "aa11bb22cc", "aa11bb22dd"]
                .map(str::to_owned)
                .into(),
        };
        let name = "baseline:00";
        for good in [
            "a.rs",
            "./a.rs",
            "src/",
            "./src/",
            "a.rs:1",
            "odd:1",
            "out/junit.xml",
            "evidence:0f0f0f0f",
            "evidence:aa11bb22c",
            "baseline:00",
        ] {
            assert!(resolves(good, &known, Some(name)), "{good}");
        }
        for wrong in [
            "",
            "b.rs",
            "A.rs",
            "/a.rs",
            "././a.rs",
            "src//",
            "src/../a.rs",
            "a.rs\\",
            "out/junit.xml:1",
            "evidence:0f0f0f0",
            "evidence:aa11bb22",
            "evidence:0F0F0F0F",
            "evidence:",
            "baseline:0",
            "baseline:000",
        ] {
            assert!(!resolves(wrong, &known, Some(name)), "{wrong}");
        }
        assert!(!resolves(name, &known, None));
    }
}
