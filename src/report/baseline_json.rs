//! A baseline as one JSON object: `review-gate/baseline`, version 1.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::model::baseline::{SurfaceMode, Unmeasured, Verdict};
use crate::model::fact::{Fact, FactKind};
use crate::model::ids::BlobId;
use crate::model::measured::{Baseline, Count, Excluded, Files, Measured, RULES, Unused};
use crate::model::range::{PassedOver, RangeMode, Unavailable};

/// The object, two-space indented, with a final newline. `digest` is that of the text artifact.
pub fn json(baseline: &Baseline, digest: &str) -> String {
    let object = Object::of(baseline, digest);
    // Maps have text keys and numbers are integers, so there is nothing that JSON cannot hold.
    let mut text = serde_json::to_string_pretty(&object).expect("plain values are JSON");
    text.push('\n');
    text
}

#[derive(serde::Serialize)]
struct Object<'a> {
    schema: &'static str,
    version: u32,
    tool: Tool,
    status: &'static str,
    reason: Option<&'a Unavailable>,
    verdict: Option<Verdict>,
    verdict_line: Option<String>,
    range: Option<Range<'a>>,
    options: Option<Options<'a>>,
    files: Option<&'a Files>,
    counts: Counts,
    facts: &'a [Fact],
    unmeasured: &'a [Unmeasured],
    excluded: &'a [Excluded],
    unused_authorizations: &'a [Unused],
    digest: &'a str,
}

#[derive(serde::Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
    rules: u32,
}

#[derive(serde::Serialize)]
struct Range<'a> {
    mode: RangeMode,
    base: Base<'a>,
    head: Head<'a>,
    merge_bases: Vec<String>,
    passed_over: &'a [PassedOver],
    object_format: &'static str,
}

#[derive(serde::Serialize)]
struct Base<'a> {
    asked: Option<&'a str>,
    found_by: &'a str,
    commit: String,
    tree: String,
}

#[derive(serde::Serialize)]
struct Head<'a> {
    asked: &'a str,
    commit: String,
    tree: String,
}

#[derive(serde::Serialize)]
struct Options<'a> {
    surface: SurfaceMode,
    paths: &'a [String],
    langs: &'a [String],
    probes: bool,
    drift: &'a [FactKind],
    policy: Option<String>,
    goal: Option<&'a str>,
}

/// Counts in the order of the kinds.
struct Counts(Vec<(FactKind, Count)>);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (kind, count) in &self.0 {
            map.serialize_entry(kind.word(), count)?;
        }
        map.end()
    }
}

impl<'a> Object<'a> {
    fn of(baseline: &'a Baseline, digest: &'a str) -> Self {
        let mut object = Self {
            schema: "review-gate/baseline",
            version: 1,
            tool: Tool {
                name: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                rules: RULES,
            },
            status: "UNAVAILABLE",
            reason: None,
            verdict: None,
            verdict_line: None,
            range: None,
            options: None,
            files: None,
            counts: Counts(Vec::new()),
            facts: &[],
            unmeasured: &[],
            excluded: &[],
            unused_authorizations: &[],
            digest,
        };
        match baseline {
            Baseline::Unavailable(reason) => object.reason = Some(reason),
            Baseline::Computed(measured) => {
                object.status = "COMPUTED";
                object.verdict = Some(measured.verdict);
                object.verdict_line = Some(baseline.first_line());
                object.fill(measured);
            }
        }
        object
    }

    fn fill(&mut self, measured: &'a Measured) {
        let range = &measured.range;
        self.range = Some(Range {
            mode: range.mode,
            base: Base {
                asked: range.base_asked.as_deref(),
                found_by: &range.found_by,
                commit: range.base.to_string(),
                tree: range.base_tree.to_string(),
            },
            head: Head {
                asked: &range.head_asked,
                commit: range.head.to_string(),
                tree: range.head_tree.to_string(),
            },
            merge_bases: range.merge_bases.iter().map(ToString::to_string).collect(),
            passed_over: &range.passed_over,
            object_format: measured.object_format(),
        });
        let options = &measured.options;
        self.options = Some(Options {
            surface: options.surface,
            paths: &options.paths,
            langs: &options.langs,
            probes: options.probes,
            drift: &options.drift,
            policy: options.policy.map(|BlobId(blob)| blob.to_hex()),
            goal: options.goal.as_deref(),
        });
        self.files = Some(&measured.files);
        self.counts = Counts(measured.counts());
        self.facts = &measured.facts;
        self.unmeasured = &measured.unmeasured;
        self.excluded = &measured.excluded;
        self.unused_authorizations = &measured.unused;
    }
}
