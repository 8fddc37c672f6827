//! What the gate decided: for each ref every rule with its outcome, the reasons, and the command that helps.

use super::fact::Fact;
use super::finding::{Finding, State};
use super::ids::{CommitId, FindingId};
use super::severity::Severity;
use super::words::words;

words! {
    /// The rules of the gate, in the order in which they are shown.
    RuleId {
        /// An open finding that counts.
        FindingsOpen = "findings-open",
        /// A finding that is answered and not confirmed.
        FindingsUnverified = "findings-unverified",
        /// No final review.
        ReviewMissing = "review-missing",
        /// A final review of other content.
        ReviewStale = "review-stale",
        /// A packet or record that is not valid.
        ReviewIncomplete = "review-incomplete",
        /// A dimension that does not pass.
        ReviewNotPass = "review-not-pass",
        /// Unauthorised drift.
        BaselineDrift = "baseline-drift",
        /// A baseline that could not be decided.
        BaselineUndecided = "baseline-undecided",
        /// A spec review that is not closed.
        SpecOpen = "spec-open",
        /// A spec that is not the reviewed one.
        SpecEdited = "spec-edited",
        /// A spec review that contradicts itself.
        SpecInvalid = "spec-invalid",
        /// No passing quality record.
        QualityBlocked = "quality-blocked",
        /// A policy loosened where it matters.
        PolicyRelaxed = "policy-relaxed",
        /// Review state that cannot be read.
        StateUnreadable = "state-unreadable",
        /// History cut off inside the range.
        HistoryShallow = "history-shallow",
        /// A deletion that the policy denies.
        RefDeleted = "ref-deleted",
    }
}

words! {
    /// What one rule came to. Later is worse.
    Outcome {
        /// Not asked for, or nothing to look at.
        Skipped = "skipped",
        /// In order.
        Pass = "pass",
        /// Stops a push.
        Blocked = "blocked",
        /// Could not be decided; stops a push as surely.
        Undecided = "undecided",
    }
}

words! {
    /// What a ref, or a whole decision, came to. Later is worse.
    Overall {
        /// May pass.
        Pass = "pass",
        /// Must not.
        Blocked = "blocked",
        /// Not decided.
        Undecided = "undecided",
    }
}

impl From<Outcome> for Overall {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Skipped | Outcome::Pass => Self::Pass,
            Outcome::Blocked => Self::Blocked,
            Outcome::Undecided => Self::Undecided,
        }
    }
}

/// A finding as a rule names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFinding {
    /// Its identity.
    pub id: FindingId,
    /// What has become of it.
    pub state: State,
    /// How bad it is.
    pub severity: Severity,
    /// Where, if it says so.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<u64>,
    /// The one line that shows it, the same everywhere; safe to show.
    pub text: String,
}

impl From<&Finding> for NamedFinding {
    fn from(finding: &Finding) -> Self {
        Self {
            id: finding.id,
            state: finding.state,
            severity: finding.fields.severity,
            file: finding.fields.file.clone(),
            line: finding.fields.line,
            text: finding.line(),
        }
    }
}

/// What one rule came to, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleDecision {
    /// Which rule.
    pub id: RuleId,
    /// What it came to.
    pub outcome: Outcome,
    /// Why, one sentence each; safe to show.
    pub reasons: Vec<String>,
    /// The findings it names, in the order in which they are listed everywhere.
    pub findings: Vec<NamedFinding>,
    /// The structural facts it names.
    pub facts: Vec<Fact>,
    /// The command that helps.
    pub command: Option<String>,
}

/// The decision on one ref.
#[derive(Debug, Clone, PartialEq)]
pub struct RefDecision {
    /// Full name of the ref on the remote; safe to show.
    pub ref_name: String,
    /// What it was compared with; `None` where there is no base, or nothing was compared.
    pub base: Option<CommitId>,
    /// The commit that was judged; `None` for a deletion and for what is no commit.
    pub head: Option<CommitId>,
    /// What was said beside the rules: how the base was found, why nothing was judged; safe to show.
    pub notes: Vec<String>,
    /// In the order of [`RuleId`]; empty where no rule was asked.
    pub rules: Vec<RuleDecision>,
    /// Why the ref could not be judged at all; then it is undecided and has no rules.
    pub fault: Option<RefFault>,
}

/// Why a ref could not be judged: the parts of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefFault {
    /// A stable word for programs.
    pub kind: &'static str,
    /// One sentence for people.
    pub message: String,
    /// The chain of causes, nearest first.
    pub causes: Vec<String>,
    /// What to do next.
    pub hints: Vec<String>,
}

impl RefDecision {
    /// A ref that passes without being judged, and why.
    pub fn not_judged(ref_name: impl Into<String>, note: impl Into<String>) -> Self {
        Self {
            ref_name: ref_name.into(),
            base: None,
            head: None,
            notes: vec![note.into()],
            rules: Vec::new(),
            fault: None,
        }
    }

    /// A ref that could not be judged, and why.
    pub fn undecided(ref_name: impl Into<String>, fault: RefFault) -> Self {
        Self {
            ref_name: ref_name.into(),
            base: None,
            head: None,
            notes: Vec::new(),
            rules: Vec::new(),
            fault: Some(fault),
        }
    }

    /// The worst of its rules.
    pub fn outcome(&self) -> Overall {
        if self.fault.is_some() {
            return Overall::Undecided;
        }
        let worst = self.rules.iter().map(|rule| Overall::from(rule.outcome)).max();
        worst.unwrap_or(Overall::Pass)
    }
}

/// The decision on everything that was asked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decision {
    /// In the order in which they were asked.
    pub refs: Vec<RefDecision>,
}

impl Decision {
    /// The worst of its refs.
    pub fn outcome(&self) -> Overall {
        let worst = self.refs.iter().map(RefDecision::outcome).max();
        worst.unwrap_or(Overall::Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(outcome: Outcome) -> RuleDecision {
        RuleDecision {
            id: RuleId::FindingsOpen,
            outcome,
            reasons: Vec::new(),
            findings: Vec::new(),
            facts: Vec::new(),
            command: None,
        }
    }

    #[test]
    fn the_worst_wins() {
        let mut of = RefDecision::not_judged("refs/heads/a", "nothing to judge");
        assert_eq!(of.outcome(), Overall::Pass);
        for (outcome, expected) in [
            (Outcome::Skipped, Overall::Pass),
            (Outcome::Blocked, Overall::Blocked),
            (Outcome::Pass, Overall::Blocked),
            (Outcome::Undecided, Overall::Undecided),
            (Outcome::Blocked, Overall::Undecided),
        ] {
            of.rules.push(rule(outcome));
            assert_eq!(of.outcome(), expected);
        }
        let failed = RefDecision::undecided(
            "refs/heads/b",
            RefFault {
                kind: "io",
                message: String::new(),
                causes: Vec::new(),
                hints: Vec::new(),
            },
        );
        let passed = RefDecision::not_judged("refs/heads/c", "a tag that the remote has");
        let decision = Decision {
            refs: vec![failed, passed],
        };
        assert_eq!(decision.outcome(), Overall::Undecided);
        assert_eq!(Decision::default().outcome(), Overall::Pass);
    }
}
