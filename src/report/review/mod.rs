//! Reviews for people and programs.

pub mod packet;
pub mod show;

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use crate::model::goal::Goal;
use crate::model::outcome::review::Opened;
use crate::model::text::sanitise;

/// `review start` and `review amend`
#[derive(Debug, Serialize, JsonSchema)]
pub struct ReviewJson<'a> {
    schema: &'static str,
    version: u32,
    /// The id of the review.
    review: &'a str,
    /// The branch, by its short name.
    branch: &'a str,
    /// The base by name.
    base_ref: Option<&'a str>,
    /// The merge-base it stands on.
    anchor: String,
    /// The goal after all amendments.
    #[schemars(with = "serde_json::Value")]
    goal: &'a Goal,
    /// Its digest.
    goal_digest: String,
    /// Ids of the reviews whose place it took.
    replaced: Vec<&'a str>,
    /// Whether anything was written.
    changed: bool,
}

/// As JSON.
pub fn json(opened: &Opened) -> String {
    let object = ReviewJson {
        schema: "review-gate/review",
        version: 1,
        review: opened.review.as_str(),
        branch: &opened.branch,
        base_ref: opened.base_ref.as_deref(),
        anchor: opened.anchor.to_hex(),
        goal: &opened.goal,
        goal_digest: opened.goal_digest.to_hex(),
        replaced: opened
            .replaced
            .iter()
            .map(super::super::model::review::ReviewId::as_str)
            .collect(),
        changed: opened.changed,
    };
    let mut text = serde_json::to_string_pretty(&object).expect("structs of texts serialise");
    text.push('\n');
    text
}

/// For people.
pub fn human(opened: &Opened) -> String {
    let mut text = String::new();
    let word = if opened.changed {
        "Review"
    } else {
        "Nothing new. Review"
    };
    let _ = writeln!(text, "{word} {} of {}", opened.review, sanitise(&opened.branch));
    if let Some(base) = &opened.base_ref {
        let _ = writeln!(text, "base       {} ({})", sanitise(base), opened.anchor.short());
    }
    if let Some(summary) = &opened.goal.summary {
        let _ = writeln!(text, "summary    {}", sanitise(summary));
    }
    if let Some(contract) = &opened.goal.contract {
        let _ = writeln!(text, "contract   {}", sanitise(contract));
    }
    for criterion in &opened.goal.criteria {
        let _ = writeln!(
            text,
            "{:<10} {}",
            sanitise(&criterion.id),
            sanitise(&criterion.text)
        );
    }
    for entry in &opened.goal.authorize {
        for (surface, globs) in [
            ("api", &entry.api),
            ("tests", &entry.tests),
            ("golden", &entry.golden),
        ] {
            for glob in globs {
                let _ = writeln!(
                    text,
                    "authorised under {}: {surface} {}",
                    sanitise(&entry.criterion),
                    sanitise(glob)
                );
            }
        }
    }
    for review in &opened.replaced {
        let _ = writeln!(text, "It takes the place of {review}; findings of that one stay.");
    }
    text
}
