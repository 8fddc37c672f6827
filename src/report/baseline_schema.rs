//! The JSON Schema of `review-gate/baseline`: the shape that `baseline_json` writes, for readers.

#![expect(
    dead_code,
    reason = "only the schema of these types is used; the objects are written elsewhere"
)]

use std::collections::BTreeMap;

use schemars::JsonSchema;

/// A structural baseline: what a range removed, weakened, changed or added.
#[derive(Debug, JsonSchema)]
pub struct BaselineForm {
    /// `review-gate/baseline`
    schema: String,
    /// 1
    version: u32,
    tool: Tool,
    status: Status,
    /// Why it is not available.
    reason: Option<Reason>,
    /// One of the five phrases.
    verdict: Option<String>,
    /// The first line of the text artifact.
    verdict_line: Option<String>,
    range: Option<Range>,
    options: Option<Options>,
    files: Option<Files>,
    /// Each kind with at least one fact.
    counts: BTreeMap<String, Count>,
    facts: Vec<Fact>,
    unmeasured: Vec<Unmeasured>,
    excluded: Vec<Excluded>,
    unused_authorizations: Vec<Unused>,
    /// `sha256:` over the text artifact without its END line.
    digest: String,
}

#[derive(Debug, JsonSchema)]
struct Tool {
    name: String,
    version: String,
    /// Raised whenever any rule changes results.
    rules: u32,
}

#[derive(Debug, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Computed,
    Unavailable,
}

#[derive(Debug, JsonSchema)]
struct Reason {
    code: crate::model::range::Code,
    message: String,
    tried: Vec<PassedOver>,
    help: Vec<String>,
}

#[derive(Debug, JsonSchema)]
struct PassedOver {
    candidate: String,
    why: String,
}

#[derive(Debug, JsonSchema)]
struct Range {
    mode: crate::model::range::RangeMode,
    base: Base,
    head: Head,
    /// The one that is used first.
    merge_bases: Vec<String>,
    passed_over: Vec<PassedOver>,
    /// `sha1` or `sha256`
    object_format: String,
}

#[derive(Debug, JsonSchema)]
struct Base {
    /// As on the command line.
    asked: Option<String>,
    found_by: String,
    /// The commit that is compared.
    commit: String,
    tree: String,
}

#[derive(Debug, JsonSchema)]
struct Head {
    asked: String,
    commit: String,
    tree: String,
}

#[derive(Debug, JsonSchema)]
struct Options {
    /// `reachable` or `declared`
    surface: String,
    paths: Vec<String>,
    langs: Vec<String>,
    probes: bool,
    /// The kinds that are drift.
    drift: Vec<String>,
    /// The blob of the policy; null for the built-in policy.
    policy: Option<String>,
    /// The digest of the goal.
    goal: Option<String>,
}

#[derive(Debug, JsonSchema)]
struct Files {
    changed: usize,
    measured: usize,
    excluded: usize,
    other: usize,
    unmeasured: usize,
    by_language: BTreeMap<String, usize>,
    /// Packages without a readable entry, measured as declared.
    declared_only: Vec<String>,
}

#[derive(Debug, JsonSchema)]
struct Count {
    total: usize,
    drift: usize,
    authorised: usize,
}

#[derive(Debug, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Surface {
    Tests,
    Api,
    Behaviour,
}

#[derive(Debug, JsonSchema)]
enum Tier {
    /// Exact.
    E,
    /// Heuristic.
    H,
}

#[derive(Debug, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Class {
    Drift,
    Add,
    Note,
}

#[derive(Debug, JsonSchema)]
struct Fact {
    kind: String,
    surface: Surface,
    tier: Tier,
    class: Class,
    /// In the drift set and not authorised.
    drift: bool,
    authorised_by: Vec<String>,
    key: String,
    path: String,
    to_key: Option<String>,
    to_path: Option<String>,
    before: Option<Span>,
    after: Option<Span>,
    /// What there is to say beyond the kind; readers ignore what they do not know.
    detail: BTreeMap<String, serde_json::Value>,
}

#[derive(Debug, JsonSchema)]
struct Span {
    line: u32,
    end_line: u32,
    /// Signature or evidence, at most 2000 bytes.
    text: String,
}

#[derive(Debug, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Side {
    Before,
    After,
    Both,
}

#[derive(Debug, JsonSchema)]
struct Unmeasured {
    path: String,
    side: Side,
    reason: String,
    detail: String,
    /// Names at line starts, for orientation only.
    seen: Vec<String>,
}

#[derive(Debug, JsonSchema)]
struct Excluded {
    rule: String,
    source: String,
    files: usize,
}

#[derive(Debug, JsonSchema)]
struct Unused {
    criterion: String,
    surface: Surface,
    glob: String,
}
