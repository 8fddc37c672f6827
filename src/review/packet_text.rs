//! What a reviewer reads, line by line. What others wrote stands between fences that it cannot know.

use std::fmt::Write as _;

use super::budget::{Allocated, Allocation};
use super::packet::Material;
use super::status_line;
use crate::model::canonical;
use crate::model::delivery::{BaselineStatus, Content, Origin, OutOfReach};
use crate::model::dimension::Dimension;
use crate::model::goal::Goal;
use crate::model::ids::Digest;
use crate::model::policy::{Coverage, EvidencePolicy, Proof};
use crate::model::text::sanitise;

/// What a fence is made of, besides the packet's id and a number.
const FENCE_DOMAIN: &str = "git-review-gate fence 1\n";

const OPENING: &str = include_str!("../../templates/packet/opening.txt");
const DIMENSIONS: &str = include_str!("../../templates/packet/dimensions.txt");
const RULES: &str = include_str!("../../templates/packet/rules.txt");
const REPLY: &str = include_str!("../../templates/packet/reply.txt");

/// What the text is made of.
pub(super) struct Prompt<'a> {
    pub(super) material: &'a Material<'a>,
    pub(super) id: Digest,
    pub(super) allocation: &'a Allocation,
    pub(super) reachability: &'a [OutOfReach],
    pub(super) baseline: (&'a BaselineStatus, Option<&'a str>),
    pub(super) contract: &'static str,
}

/// Writes it.
pub(super) fn write(prompt: &Prompt<'_>) -> String {
    let material = prompt.material;
    let goal = goal_text(material.goal);
    let contents: Vec<String> = material
        .sources
        .iter()
        .zip(&prompt.allocation.sources)
        .map(|(source, allocated)| match &source.content {
            Content::Text(text) => {
                let included = usize::try_from(allocated.delivery.included).unwrap_or(text.len());
                escape(&text[..included])
            }
            _ => String::new(),
        })
        .collect();
    let shown: Vec<&str> = contents.iter().chain([&goal]).map(String::as_str).collect();
    let fence = fence(prompt.id, &shown);
    let mut text = head(prompt, &fence);
    text.push_str("\n## Goal\n");
    line(&mut text, format_args!("CONTRACT: {}", prompt.contract));
    block(&mut text, "goal", &fence, &goal);
    text.push_str("\n## Pre/post baseline\n");
    let (status, summary) = prompt.baseline;
    line(
        &mut text,
        format_args!("{}", status_line::baseline(status, summary)),
    );
    if !prompt.reachability.is_empty() {
        text.push_str("\n## Evidence delivery reachability (structural)\n");
        for entry in prompt.reachability {
            line(
                &mut text,
                format_args!("{}", unreachable(entry, prompt.allocation.cap)),
            );
        }
    }
    text.push_str("\n## Evidence\n");
    for (at, (source, content)) in prompt.allocation.sources.iter().zip(&contents).enumerate() {
        let tree = material.head_tree.short();
        line(
            &mut text,
            format_args!("\n[{}] {}", at + 1, sanitise(&source.delivery.spec.key)),
        );
        evidence(&mut text, source, prompt.allocation.total, &tree);
        if !content.is_empty() {
            block(&mut text, &sanitise(&source.delivery.spec.key), &fence, content);
        }
    }
    text.push_str("\n## The four dimensions\n");
    text.push_str(&dimensions(material.evidence));
    text.push_str("\n## Verdict rules\n");
    text.push_str(RULES);
    text.push_str("\n## Reply\n");
    text.push_str(&REPLY.replace("{rid}", material.review.as_str()));
    text
}

// Writing to a String cannot fail.
fn line(text: &mut String, args: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{args}");
}

fn head(prompt: &Prompt<'_>, fence: &str) -> String {
    let material = prompt.material;
    format!(
        "git review-gate final review\nPACKET: {}\nREVIEW: {}\nRANGE: {}..{}\nTREE: {}\nFENCE: {fence}\n\n{OPENING}",
        prompt.id, material.review, material.base, material.head, material.head_tree
    )
}

/// One block of foreign text. The text is escaped already.
fn block(text: &mut String, name: &str, fence: &str, content: &str) {
    line(text, format_args!("----- BEGIN {name} {fence} -----"));
    text.push_str(content);
    if !content.ends_with('\n') {
        text.push('\n');
    }
    line(text, format_args!("----- END {name} {fence} -----"));
}

fn evidence(text: &mut String, source: &Allocated, total: u64, tree: &str) {
    let spec = &source.delivery.spec;
    line(text, format_args!("SUPPORTS: {}", names(&spec.supports)));
    match spec.origin {
        Origin::Tree => line(text, format_args!("FROM: tree {tree}")),
        other => line(text, format_args!("FROM: {other}")),
    }
    line(text, format_args!("{}", status_line::source(source, total)));
}

fn unreachable(entry: &OutOfReach, cap: u64) -> String {
    let sources: Vec<String> = entry
        .sources
        .iter()
        .map(|source| format!("{} ({} bytes)", sanitise(&source.key), source.total))
        .collect();
    format!(
        "- {}: nothing can be delivered whole; every source with text is over the per-file cap of {cap} bytes: {}",
        entry.dimension,
        sources.join(", ")
    )
}

fn names(dimensions: &[Dimension]) -> String {
    let names: Vec<_> = dimensions.iter().map(|one| one.as_str()).collect();
    names.join(", ")
}

/// The goal, escaped. No value can look like the field or the criterion behind it: criteria are one line each, further
/// lines of the others are indented.
fn goal_text(goal: &Goal) -> String {
    let mut text = String::new();
    for (name, value) in [("summary", &goal.summary), ("problem", &goal.problem)] {
        if let Some(value) = value {
            let value = escape(value.trim_end()).replace('\n', "\n  ");
            line(&mut text, format_args!("{name}: {value}"));
        }
    }
    for criterion in &goal.criteria {
        line(
            &mut text,
            format_args!("{}: {}", sanitise(&criterion.id), sanitise(&criterion.text)),
        );
    }
    for entry in &goal.authorize {
        for (surface, globs) in [
            ("api", &entry.api),
            ("tests", &entry.tests),
            ("golden", &entry.golden),
        ] {
            for glob in globs {
                let id = sanitise(&entry.criterion);
                line(
                    &mut text,
                    format_args!("authorised under {id}: {surface} {}", sanitise(glob)),
                );
            }
        }
    }
    text
}

/// The dimensions, with what the policy asks for beyond the rest.
fn dimensions(evidence: &EvidencePolicy) -> String {
    let coverage = match evidence.coverage {
        Coverage::Off => "",
        Coverage::Required => ", a test-coverage item",
    };
    let proof = match evidence.proof {
        Proof::Off => "",
        Proof::Required => "; a proof is recorded for this tree",
        Proof::OrBuildFailure => "; a proof, if only by a build failure, is recorded for this tree",
    };
    DIMENSIONS
        .replace("{coverage}", coverage)
        .replace("{proof}", proof)
}

/// Foreign text as it is shown: lines end with a line feed, and nothing moves a cursor, hides text or reorders it.
pub fn escape(content: &str) -> String {
    let mut text = String::with_capacity(content.len());
    let mut chars = content.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\t' => text.push(c),
            c if c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') => {
                // Writing to a String cannot fail.
                let _ = write!(text, "\\u{{{:X}}}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text
}

/// The first fence that occurs in none of the texts: what is shown cannot end its own block.
pub fn fence(packet: Digest, texts: &[&str]) -> String {
    let mut number: u64 = 0;
    loop {
        let of = format!("{packet}\n{number}\n");
        let digest = canonical::digest_of(&[FENCE_DOMAIN.as_bytes(), of.as_bytes()]);
        let fence = &digest.to_hex()[..32];
        let finder = memchr::memmem::Finder::new(fence);
        // Texts of limited size hold few of endlessly many fences.
        if texts.iter().all(|text| finder.find(text.as_bytes()).is_none()) {
            return fence.to_owned();
        }
        number += 1;
    }
}
