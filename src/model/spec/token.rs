//! The closed sets of words of a spec review, as they are written in its files.

use crate::model::words::words;

words! {
    /// How bad a defect of a spec is; the first is the worst.
    Severity {
        /// The design cannot work.
        Critical = "critical",
        /// A builder would build the wrong thing.
        Major = "major",
        /// Wrong in a small way.
        Minor = "minor",
        /// A matter of taste.
        Nit = "nit",
    }
}

impl Severity {
    /// Whether findings of this severity are challenged and hold up the run.
    pub fn is_serious(self) -> bool {
        self <= Self::Major
    }

    /// The worse of two.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        self.min(other)
    }
}

words! {
    /// A reviewer's mandate, in the order of the roster.
    Lens {
        /// Sections contradict each other.
        InternalConsistency = "internal-consistency",
        /// Can be read two ways, or cannot be checked.
        AmbiguityTestability = "ambiguity-testability",
        /// A decision that the builder needs is missing.
        Completeness = "completeness",
        /// Wrong about the code or platform, or cannot be built.
        Feasibility = "feasibility",
        /// Breaks the project's own rules.
        DoctrineCompliance = "doctrine-compliance",
        /// What a user meets.
        Ux = "ux",
        /// Formats, schemas, interfaces.
        Contracts = "contracts",
    }
}

impl Lens {
    /// The two lenses that every panel has.
    pub const CORE: [Self; 2] = [Self::InternalConsistency, Self::AmbiguityTestability];
}

words! {
    /// Where a run stands.
    Status {
        /// Not ended.
        InProgress = "in-progress",
        /// Nothing serious is left.
        Converged = "CONVERGED",
        /// The same, but a lens of the run did not return.
        ConvergedLowConfidence = "CONVERGED (low-confidence)",
        /// Launches, seconds or rounds are used up.
        StoppedBudget = "STOPPED(budget)",
        /// Two rounds in a row have the same significant defects.
        StoppedNoProgress = "STOPPED(no-progress)",
        /// A defect that was fixed came back.
        StoppedOscillation = "STOPPED(oscillation)",
        /// Only questions are left, and there is nobody to ask.
        StoppedPendingDecisions = "STOPPED(pending-decisions)",
        /// A person declined the batch.
        StoppedUserDeclined = "STOPPED(user-declined)",
        /// A question or the gate could not be shown.
        StoppedInteractionUnavailable = "STOPPED(interaction-unavailable)",
        /// The spec was changed by something else.
        StoppedExternalEdit = "STOPPED(external-edit)",
    }
}

impl Status {
    /// Whether the run has ended without converging.
    pub fn is_stopped(self) -> bool {
        self >= Self::StoppedBudget
    }

    /// Whether the run has converged.
    pub fn is_converged(self) -> bool {
        matches!(self, Self::Converged | Self::ConvergedLowConfidence)
    }
}

words! {
    /// What became of a row.
    Outcome {
        /// Its fix was written in this round.
        Applied = "applied",
        /// The same, but no later panel read it.
        AppliedNotReReviewed = "applied (not re-reviewed)",
        /// Batched, but nothing that lands came back.
        FixFailed = "fix-failed",
        /// Proved to be gone by quoted text.
        Obsolete = "obsolete",
        /// All challengers refuted it.
        Refuted = "refuted",
        /// Without a full set of verdicts.
        Unconfirmed = "unconfirmed",
        /// Real, and the run stopped before it was fixed.
        ConfirmedNotFixed = "confirmed (not fixed — stopped)",
        /// Minor, named and left.
        ReportedOnly = "reported-only",
        /// A person keeps it as it is.
        AcceptedRisk = "accepted-risk",
        /// A person left its fix out.
        Declined = "declined",
        /// Waits for a person.
        PendingDecision = "pending-decision",
    }
}

words! {
    /// What a person said of an entry.
    Decision {
        /// Fix it by this edit.
        Accepted = "accepted",
        /// Leave it.
        KeepAsIs = "keep-as-is",
        /// The fix was left out at the gate.
        Declined = "declined",
    }
}

words! {
    /// What a challenger came to.
    Verdict {
        /// The defect is there.
        Uphold = "uphold",
        /// It is not.
        Refute = "refute",
        /// The challenger failed twice.
        Missing = "missing",
    }
}

words! {
    /// Who approves what is written.
    Mode {
        /// A person answers questions and approves edits.
        Approve = "approve",
        /// A person answers questions.
        NoApprove = "no-approve",
        /// Nobody is there.
        Auto = "auto",
    }
}

words! {
    /// What a run waits for.
    Phase {
        /// The next panel.
        Idle = "idle",
        /// Reviewers.
        Panel = "panel",
        /// Judgements and phrases.
        Match = "match",
        /// Verdicts.
        Challenge = "challenge",
        /// A person's answers.
        Decide = "decide",
        /// The fixer.
        Fix = "fix",
        /// Approval.
        Gate = "gate",
        /// The write.
        Write = "write",
        /// Nothing: it has ended.
        Done = "done",
        /// A word on a change from outside.
        Tamper = "tamper",
    }
}

words! {
    /// The answer at the gate.
    Choice {
        /// All groups.
        Approve = "approve",
        /// Some groups.
        Subset = "subset",
        /// None.
        Decline = "decline",
        /// It could not be shown.
        Unavailable = "unavailable",
    }
}
