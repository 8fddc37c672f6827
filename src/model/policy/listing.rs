//! Every key of a policy outside its gates with its value, as the file would write it; and what `explain policy` shows.

use std::fmt::Display;
use std::time::Duration;

use super::effective::{EffectiveGate, PolicySide};
use super::{DeliveryRule, EvidenceSource, Policy};
use crate::model::baseline::SurfaceMode;
use crate::model::ids::{BlobId, CommitId};

/// One key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The table it stands in, such as `[sync]`; empty for the top level.
    pub section: &'static str,
    /// The key.
    pub key: String,
    /// The value; `none` where the key is not set and has no built-in value.
    pub value: String,
}

/// The policy in force for a ref, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainedPolicy {
    /// Full name of the ref, safe to show.
    pub ref_name: String,
    /// Where each side's policy was read, base first.
    pub sources: Vec<PolicySource>,
    /// What holds for the ref; `None` where nothing gates it.
    pub gate: Option<EffectiveGate>,
    /// The policy that decides everything but the gates: the base's.
    pub base: Policy,
}

/// Where one side's policy was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicySource {
    /// Which side.
    pub side: PolicySide,
    /// The commit; `None` where no base exists.
    pub commit: Option<CommitId>,
    /// The file; `None` where there is none and the built-in policy stands.
    pub blob: Option<BlobId>,
}

/// All keys outside the gates, in the order of the starter file.
pub fn entries(policy: &Policy) -> Vec<Entry> {
    let mut list = Vec::new();
    let mut add = |section, key: &str, value: String| {
        list.push(Entry {
            section,
            key: key.to_owned(),
            value,
        });
    };
    add("", "base", optional(policy.base.as_deref()));
    let baseline = &policy.baseline;
    let surface = match baseline.surface {
        SurfaceMode::Reachable => "reachable",
        SurfaceMode::Declared => "declared",
    };
    let default = baseline.drift.default.then_some("default");
    let kinds = baseline.drift.kinds.iter().map(|kind| kind.word());
    add("[baseline]", "surface", quoted(surface));
    add("[baseline]", "drift", texts(default.into_iter().chain(kinds)));
    for (key, globs) in [
        ("include", &baseline.include),
        ("exclude", &baseline.exclude),
        ("golden", &baseline.golden),
        ("not_golden", &baseline.not_golden),
        ("helpers", &baseline.helpers),
    ] {
        add("[baseline]", key, texts(globs));
    }
    for (language, globs) in &baseline.test_files {
        add("[baseline]", &format!("test_files.{language}"), texts(globs));
    }
    for probe in &baseline.probes {
        add("[[baseline.probe]]", &probe.name, texts(&probe.command));
    }
    let evidence = &policy.evidence;
    add("[evidence]", "total_bytes", evidence.total_bytes.to_string());
    add("[evidence]", "coverage", quoted(evidence.coverage));
    add("[evidence]", "proof", quoted(evidence.proof));
    add("[evidence]", "replay", quoted(evidence.replay));
    for source in &evidence.sources {
        add("[[evidence.source]]", source.key(), described(source));
    }
    add("[reviewer]", "command", texts(&policy.reviewer.command));
    add("[reviewer]", "timeout", seconds(policy.reviewer.timeout));
    add("[reviewer]", "attempts", policy.reviewer.attempts.to_string());
    add("[origins]", "extra", texts(&policy.origins.extra));
    for (origin, emails) in &policy.origins.speakers {
        add("[origins]", origin, texts(emails));
    }
    for (section, speakers) in [("[rule]", &policy.rule), ("[authorize]", &policy.authorize)] {
        add(
            section,
            "by",
            speakers.0.as_ref().map_or("none".to_owned(), texts),
        );
    }
    add("[waive]", "major", texts(&policy.waive.major));
    add("[waive]", "blocker", texts(&policy.waive.blocker));
    let spec = &policy.spec;
    add("[spec]", "dir", quoted(&spec.dir));
    add("[spec]", "max_rounds", spec.max_rounds.to_string());
    add("[spec]", "max_dispatches", spec.max_dispatches.to_string());
    add("[spec]", "max_seconds", spec.max_seconds.to_string());
    add("[spec]", "require", quoted(spec.require));
    add(
        "[spec]",
        "allow_stopped",
        texts(spec.allow_stopped.iter().map(|reason| reason.as_str())),
    );
    for (key, flag) in [
        ("block_unread", spec.block_unread),
        ("block_low_confidence", spec.block_low_confidence),
        ("block_minor", spec.block_minor),
        ("unread_on_any_stop", spec.unread_on_any_stop),
    ] {
        add("[spec]", key, flag.to_string());
    }
    add(
        "[quality]",
        "max_score_drop",
        policy.quality.max_score_drop.to_string(),
    );
    add(
        "[quality]",
        "require_baseline",
        policy.quality.require_baseline.to_string(),
    );
    let sync = &policy.sync;
    add("[sync]", "remote", optional(sync.remote.as_deref()));
    add("[sync]", "on_push", quoted(sync.on_push));
    add("[sync]", "timeout", seconds(sync.timeout));
    add("[sync]", "push_timeout", seconds(sync.push_timeout));
    add("[sync]", "notes_prefix", quoted(&sync.notes_prefix));
    list
}

fn described(source: &EvidenceSource) -> String {
    match source {
        EvidenceSource::BuiltIn { path, from, .. } => {
            format!(
                "path {}, from {from}",
                path.as_deref().map_or("built in".to_owned(), quoted)
            )
        }
        EvidenceSource::Own {
            path,
            supports,
            rule,
            from,
            ..
        } => {
            let supports = texts(supports.iter().map(|dimension| dimension.as_str()));
            let rule = match rule {
                DeliveryRule::Whole => "whole".to_owned(),
                DeliveryRule::Conclusion { marker } => format!("conclusion {}", quoted(marker)),
            };
            format!(
                "path {}, supports {supports}, rule {rule}, from {from}",
                quoted(path)
            )
        }
    }
}

fn quoted(text: impl Display) -> String {
    format!("\"{text}\"")
}

fn optional(text: Option<&str>) -> String {
    text.map_or("none".to_owned(), quoted)
}

fn seconds(duration: Duration) -> String {
    quoted(format!("{}s", duration.as_secs()))
}

fn texts<T: Display>(list: impl IntoIterator<Item = T>) -> String {
    let list: Vec<String> = list.into_iter().map(quoted).collect();
    format!("[{}]", list.join(", "))
}
