//! The state in work, and what can be asked of an entry or row.

use super::Refusal;
use crate::model::spec::sidecar::Entry;
use crate::model::spec::work::{OpenRound, Row};
use crate::model::spec::{Decision, Mode, Outcome, Phase, ReviewGate, Sidecar, SrId};

/// The two halves of a sidecar.
pub struct Run {
    /// Format v1.
    pub file: Sidecar,
    /// What it has no place for.
    pub x: Box<ReviewGate>,
}

impl Run {
    /// Takes a state apart. One that another tool wrote has no phase and must be imported first.
    pub fn of(state: &Sidecar) -> Result<Self, Refusal> {
        let mut file = state.clone();
        let x = file.x_review_gate.take().ok_or(Refusal::WrongPhase)?;
        Ok(Self { file, x })
    }

    /// Puts it together again.
    pub fn into_sidecar(mut self) -> Sidecar {
        self.file.x_review_gate = Some(self.x);
        self.file
    }

    /// Refuses an event outside of its phases.
    pub fn within(&self, phases: &[Phase]) -> Result<(), Refusal> {
        phases
            .contains(&self.x.phase)
            .then_some(())
            .ok_or(Refusal::WrongPhase)
    }

    /// The round in work.
    pub fn open(&mut self) -> Result<&mut OpenRound, Refusal> {
        self.x.open_round.as_mut().ok_or(Refusal::WrongPhase)
    }

    /// The rows of the round in work; none before it is sealed.
    pub fn rows(&self) -> &[Row] {
        (self.x.open_round.as_ref())
            .and_then(|open| open.rows.as_deref())
            .unwrap_or_default()
    }

    /// The row of an entry.
    pub fn row_mut(&mut self, id: SrId) -> Option<&mut Row> {
        let rows = self.x.open_round.as_mut()?.rows.as_mut()?;
        rows.iter_mut().find(|row| row.sr_id == id)
    }

    /// Gives a row its outcome.
    pub fn set_outcome(&mut self, id: SrId, outcome: Outcome) {
        if let Some(row) = self.row_mut(id) {
            row.outcome = Some(outcome);
        }
    }

    /// The entry of an id.
    pub fn entry_mut(&mut self, id: SrId) -> Option<&mut Entry> {
        self.file.registry.iter_mut().find(|entry| entry.sr_id == id)
    }

    /// Whether an entry of the registry fits.
    pub fn is(&self, id: SrId, fits: impl Fn(&Entry) -> bool) -> bool {
        self.file.entry(id).is_some_and(fits)
    }

    /// Entries whose section is still there.
    pub fn live(&self) -> impl Iterator<Item = &Entry> {
        self.file
            .registry
            .iter()
            .filter(|entry| !self.is_stale(entry.sr_id))
    }

    /// Whether its section is gone.
    pub fn is_stale(&self, id: SrId) -> bool {
        self.x.stale.iter().any(|stale| stale.sr_id == id)
    }

    /// Whether a person settled that it is left; what is not in the text as agreed is never waived.
    pub fn waiver(&self, id: SrId) -> Option<Outcome> {
        if self.is(id, |entry| entry.unlanded) {
            return None;
        }
        match self.file.decisions.get(&id)?.decision {
            Decision::KeepAsIs => Some(Outcome::AcceptedRisk),
            Decision::Declined => Some(Outcome::Declined),
            // It settles which fix, not whether the defect is there.
            Decision::Accepted => None,
        }
    }

    /// Whether a person must still say how it is fixed.
    pub fn is_open_question(&self, id: SrId) -> bool {
        !self.file.decisions.contains_key(&id) && self.is(id, |entry| entry.needs_decision && !entry.unlanded)
    }

    /// Whether nobody is there to ask.
    pub fn is_auto(&self) -> bool {
        self.x.mode == Mode::Auto
    }

    /// Whether its question was skipped.
    pub fn is_pending(&self, id: SrId) -> bool {
        self.x.pending.contains(&id)
    }

    /// Whether its accepted edit can be used as it stands.
    pub fn has_stored_pair(&self, id: SrId) -> bool {
        self.x.owed.contains(&id) && self.is(id, |entry| !entry.unlanded)
    }

    /// Skips the question of an entry.
    pub fn skip_question(&mut self, id: SrId) {
        if !self.is_pending(id) {
            self.x.pending.push(id);
            self.x.pending.sort_unstable();
        }
    }

    /// Ends what a person owes an entry.
    pub fn forget_owed(&mut self, id: SrId) {
        self.x.pending.retain(|other| *other != id);
        self.x.owed.retain(|other| *other != id);
    }

    /// Marks a batched fix that did not get into the text.
    pub fn fail_fix(&mut self, id: SrId) {
        if let Some(entry) = self.entry_mut(id) {
            entry.unlanded = true;
            entry.fix_failures = entry.fix_failures.saturating_add(1);
        }
        self.set_outcome(id, Outcome::FixFailed);
    }

    /// Clears the mark.
    pub fn clear_unlanded(&mut self, id: SrId) {
        if let Some(entry) = self.entry_mut(id) {
            entry.unlanded = false;
            entry.fix_failures = 0;
        }
    }

    /// The slug that a section has now, renamed ones followed.
    pub fn current_slug<'a>(&'a self, slug: &'a str) -> &'a str {
        let mut slug = slug;
        // A chain of renames is no longer than their number, even if a file says it is a ring.
        for _ in 0..self.x.aliases.len() {
            match self.x.aliases.get(slug) {
                Some(new) => slug = new,
                None => break,
            }
        }
        slug
    }
}
