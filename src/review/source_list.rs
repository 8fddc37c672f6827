//! Which sources of evidence a packet has, in list order: the built-in ones, then those of the policy.

use crate::model::delivery::{
    OPEN_FINDINGS, Origin, PRE_POST_DIFF, SCOPE_CONTRACT, SourceSpec, WITNESSED_RUNS, baseline_name, gate_of,
};
use crate::model::dimension::Dimension;
use crate::model::goal::Goal;
use crate::model::ids::Digest;
use crate::model::policy::{DeliveryRule, EvidencePolicy, EvidenceSource, ReadFrom};
use crate::model::review::{ReviewId, slug};

const FC: Dimension = Dimension::FunctionalCompleteness;
const PR: Dimension = Dimension::ProblemResolution;
const NB: Dimension = Dimension::NoNewBugs;
const EFI: Dimension = Dimension::ExistingFunctionalityIntact;

/// What the conclusion of a structural baseline starts with.
pub const VERDICT: &str = crate::model::baseline::VERDICT_MARKER;

/// Sources that are not a file of the policy's choice.
const FIXED: [(&str, Origin, &[Dimension]); 4] = [
    (SCOPE_CONTRACT, Origin::Tree, &[FC, EFI]),
    (PRE_POST_DIFF, Origin::Baseline, &[EFI]),
    (WITNESSED_RUNS, Origin::EvidenceLog, &[FC, PR, NB]),
    (OPEN_FINDINGS, Origin::FindingsLedger, &[NB]),
];

/// Sources that are a file, which the policy may place elsewhere.
const FILES: [(&str, &[Dimension]); 7] = [
    ("test-report", &[FC, PR, NB]),
    ("test-cases", &[FC, PR]),
    ("security-findings", &[NB]),
    ("performance-findings", &[NB]),
    ("code-review", &[NB]),
    ("tech-doc", &[EFI]),
    ("bug-analysis", &[PR]),
];

/// What the list of sources depends on.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// `[evidence]` of the base's policy.
    pub policy: &'a EvidencePolicy,
    /// The goal, which names the contract.
    pub goal: &'a Goal,
    /// The review, for paths that name it.
    pub review: &'a ReviewId,
    /// Its branch, for paths that name it.
    pub branch: &'a str,
    /// The digest of the baseline; `None` where none could be computed.
    pub baseline: Option<&'a Digest>,
}

/// Every source, in list order.
pub fn list(context: &Context<'_>) -> Vec<SourceSpec> {
    let mut sources = Vec::new();
    for (key, origin, supports) in FIXED {
        let at = match origin {
            Origin::Baseline => context.baseline.map(baseline_name),
            Origin::EvidenceLog | Origin::FindingsLedger => Some(origin.as_str().to_owned()),
            Origin::Tree | Origin::Worktree => context.goal.contract.clone(),
        };
        sources.push(SourceSpec {
            key: key.to_owned(),
            origin,
            at,
            supports: supports.to_vec(),
            rule: if gate_of(key) == Some(EFI) {
                DeliveryRule::Conclusion {
                    marker: VERDICT.to_owned(),
                }
            } else {
                DeliveryRule::Whole
            },
        });
    }
    for (key, supports) in FILES {
        let moved = context.policy.sources.iter().find_map(|source| match source {
            EvidenceSource::BuiltIn {
                key: moved,
                path,
                from,
                ..
            } if moved == key => Some((path.as_deref(), *from)),
            _ => None,
        });
        let (path, from) = moved.unwrap_or((None, ReadFrom::Tree));
        let default = format!("docs/superpowers/specs/reviews/{{review}}/{key}.md");
        sources.push(SourceSpec {
            key: key.to_owned(),
            origin: origin(from),
            at: Some(filled(path.unwrap_or(&default), context)),
            supports: supports.to_vec(),
            rule: DeliveryRule::Whole,
        });
    }
    for source in &context.policy.sources {
        if let EvidenceSource::Own {
            key,
            path,
            supports,
            rule,
            from,
        } = source
        {
            let mut supports = supports.clone();
            supports.sort_unstable();
            supports.dedup();
            sources.push(SourceSpec {
                key: key.clone(),
                origin: origin(*from),
                at: Some(filled(path, context)),
                supports,
                rule: rule.clone(),
            });
        }
    }
    sources
}

const fn origin(from: ReadFrom) -> Origin {
    match from {
        ReadFrom::Tree => Origin::Tree,
        ReadFrom::Worktree => Origin::Worktree,
    }
}

fn filled(path: &str, context: &Context<'_>) -> String {
    path.replace("{review}", context.review.as_str())
        .replace("{branch}", &slug(context.branch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_built_in_first_then_that_of_the_policy() {
        let policy = EvidencePolicy {
            sources: vec![
                EvidenceSource::Own {
                    key: "load-report".to_owned(),
                    path: "perf/{review}/{branch}.txt".to_owned(),
                    supports: vec![NB, FC],
                    rule: DeliveryRule::Conclusion {
                        marker: "RESULT: ".to_owned(),
                    },
                    from: ReadFrom::Worktree,
                },
                EvidenceSource::BuiltIn {
                    key: "tech-doc".to_owned(),
                    path: Some("docs/{branch}.md".to_owned()),
                    from: ReadFrom::Tree,
                },
            ],
            ..EvidencePolicy::default()
        };
        let goal = Goal::default();
        let review = ReviewId("topic-x-3f2a91c0".to_owned());
        let list = list(&Context {
            policy: &policy,
            goal: &goal,
            review: &review,
            branch: "topic/x",
            baseline: None,
        });
        let keys: Vec<&str> = list.iter().map(|source| source.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "scope-contract",
                "pre-post-diff",
                "witnessed-runs",
                "open-findings",
                "test-report",
                "test-cases",
                "security-findings",
                "performance-findings",
                "code-review",
                "tech-doc",
                "bug-analysis",
                "load-report",
            ]
        );
        let at = |key: &str| list.iter().find(|source| source.key == key).unwrap().at.clone();
        assert_eq!(at("scope-contract"), None);
        assert_eq!(at("pre-post-diff"), None);
        assert_eq!(at("witnessed-runs").unwrap(), "evidence log");
        assert_eq!(
            at("test-report").unwrap(),
            "docs/superpowers/specs/reviews/topic-x-3f2a91c0/test-report.md"
        );
        assert_eq!(at("tech-doc").unwrap(), "docs/topic-x.md");
        assert_eq!(at("load-report").unwrap(), "perf/topic-x-3f2a91c0/topic-x.txt");
        assert_eq!(list[11].supports, [FC, NB]);
        assert_eq!(list[11].origin, Origin::Worktree);
    }
}
