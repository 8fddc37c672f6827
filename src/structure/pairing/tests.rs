//! Facts on tests: gone, unseen, switched off, moved, new; what their bodies say is in `weaker`.

use super::linkage::Linkage;
use super::marks;
use super::matching::{Matching, Pair};
use super::weaker::{Statement, Weaker};
use super::{ChangedFile, Input, similar};
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{file_key, path_text};
use crate::structure::outline::{Mark, Marks};

/// What the facts on tests are made from.
pub(super) struct Tests<'m, 'a> {
    /// Who became what.
    pub(super) matching: &'m Matching<'m, 'a>,
    /// Which files the runner sees.
    pub(super) linkage: &'m Linkage,
    /// What is compared.
    pub(super) input: &'a Input<'a>,
    /// Looks into bodies.
    pub(super) weaker: &'m Weaker<'m, 'a>,
}

impl Tests<'_, '_> {
    /// States the facts, not sorted.
    pub(super) fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let (before, after) = (self.matching.before, self.matching.after);
        let mut pairs: Vec<&Pair> = self.matching.pairs.iter().collect();
        // The order decides which test is credited first with an assertion that moved.
        pairs.sort_by_key(|pair| pair.before);
        for pair in pairs {
            match (
                before.items[pair.before].is_test(),
                after.items[pair.after].is_test(),
            ) {
                (true, true) => self.compare(pair, &mut facts),
                (true, false) => facts.push(self.of_pair(FactKind::TestUnlinked, pair)),
                (false, true) => self.added(pair.after, &mut facts),
                (false, false) => {}
            }
        }
        let lost: Vec<usize> = (0..before.items.len())
            .filter(|at| before.items[*at].is_test() && self.matching.open_before(*at))
            .collect();
        let mut new: Vec<usize> = Vec::new();
        for (at, item) in after
            .items
            .iter()
            .enumerate()
            .filter(|(at, _)| self.matching.open_after(*at))
        {
            if item.is_test() {
                self.added(at, &mut facts);
            }
            if item.unit.body.is_some() && !lost.is_empty() {
                new.push(at);
            }
        }
        facts.extend(self.input.files.iter().filter_map(newly_mocked));
        let candidates = similar::candidates(self.input, (before, &lost), (after, &new));
        for at in lost {
            let mut fact = Fact::new(FactKind::TestRemoved, before.key(at), before.path(at));
            fact.before = Some(before.span(at));
            fact.detail.candidate = candidates.get(&at).map(|at| after.key(*at));
            facts.push(fact);
        }
        facts
    }

    fn added(&self, at: usize, facts: &mut Vec<Fact>) {
        let side = self.matching.after;
        let mut fact = Fact::new(FactKind::TestAdded, side.key(at), side.path(at));
        fact.after = Some(side.span(at));
        facts.push(fact);
        if let Some(mark) = marks::of_test(side, at).focused.first() {
            let mut fact = Fact::new(FactKind::TestFocused, side.key(at), side.path(at));
            fact.after = Some(span_of(mark));
            fact.detail.inherited_from.clone_from(&mark.inherited_from);
            facts.push(fact);
        }
    }

    /// A fact on a pair, with both declarations as evidence.
    fn of_pair(&self, kind: FactKind, pair: &Pair) -> Fact {
        let (before, after) = (self.matching.before, self.matching.after);
        let mut fact = Fact::new(kind, before.key(pair.before), before.path(pair.before));
        fact.to_key = Some(after.key(pair.after)).filter(|key| *key != fact.key);
        fact.to_path = Some(after.path(pair.after)).filter(|path| *path != fact.path);
        fact.before = Some(before.span(pair.before));
        fact.after = Some(after.span(pair.after));
        fact
    }

    fn compare(&self, pair: &Pair, facts: &mut Vec<Fact>) {
        let (before, after) = (
            &self.matching.before.items[pair.before],
            &self.matching.after.items[pair.after],
        );
        let seen_before = !self.linkage.unlinked_before.contains(&before.pair);
        let seen_after = !self.linkage.unlinked_after.contains(&after.pair);
        if seen_before && !seen_after {
            let mut fact = self.of_pair(FactKind::TestUnlinked, pair);
            fact.after = after.file.outline.condition.as_ref().map(span_of).or(fact.after);
            facts.push(fact);
            return;
        }
        if !seen_before && seen_after {
            self.added(pair.after, facts);
            return;
        }
        if before.unit.segment.name != after.unit.segment.name && !before.is_numbered() {
            facts.push(self.of_pair(FactKind::TestRenamed, pair));
        } else if before.place != after.place {
            facts.push(self.of_pair(FactKind::TestMoved, pair));
        }
        let old = marks::of_test(self.matching.before, pair.before);
        let new = marks::of_test(self.matching.after, pair.after);
        let disabled = self.compare_marks(pair, &old, &new, facts);
        let mut state = |kind, statement: Statement| {
            let mut fact = self.of_pair(kind, pair);
            if let Some(number) = statement.inline {
                // Entries come and go, so their side's declaration is no evidence for the other.
                (fact.before, fact.after) = (None, None);
                fact.key = format!("{} > inline {number}", fact.key);
                fact.to_key = fact.to_key.map(|key| format!("{key} > inline {number}"));
            }
            fact.before = statement.before.or(fact.before);
            fact.after = statement.after.or(fact.after);
            fact.detail = statement.detail;
            facts.push(fact);
        };
        self.weaker.compare(pair, disabled, &mut state);
    }

    /// States what marks came and went; answers whether the test is newly disabled.
    fn compare_marks(&self, pair: &Pair, old: &Marks, new: &Marks, facts: &mut Vec<Fact>) -> bool {
        let change = marks::compare(old, new);
        let mut state = |kind, old: Option<&Mark>, new: Option<&Mark>, conditional: bool| {
            let mut fact = self.of_pair(kind, pair);
            fact.before = old.map(span_of).or(fact.before);
            fact.after = new.map(span_of).or(fact.after);
            let mark = new.or(old);
            fact.detail.inherited_from = mark.and_then(|mark| mark.inherited_from.clone());
            fact.detail.conditional = conditional.then_some(true);
            facts.push(fact);
        };
        let disabled = change.disabled.is_some() || change.conditional.is_some();
        if let Some((kind, mark, conditional)) = change.first_disabling() {
            let (old, new) = if kind == FactKind::TestEnabled {
                (Some(mark), None)
            } else {
                (None, Some(mark))
            };
            state(kind, old, new, conditional);
        }
        if let Some(mark) = change.expected_fail {
            state(FactKind::TestExpectedFail, None, Some(mark), false);
        }
        if let Some(mark) = change
            .not_expected_fail
            .filter(|_| change.first_disabling().is_none())
        {
            state(FactKind::TestEnabled, Some(mark), None, false);
        }
        // An emptied test says nothing else about what it checks.
        if let Some((old, new)) = change
            .unspecific
            .filter(|_| !disabled && !self.weaker.emptied(pair))
        {
            state(FactKind::MatcherLoosened, Some(old), Some(new), false);
        }
        if let Some(mark) = change.focused {
            state(FactKind::TestFocused, None, Some(mark), false);
        }
        if let Some(mark) = change.unfocused {
            state(FactKind::TestUnfocused, Some(mark), None, false);
        }
        disabled
    }
}

/// A test file that mocks what it is named after, and did not.
fn newly_mocked(file: &ChangedFile<'_>) -> Option<Fact> {
    let (after, marks) = file
        .after
        .as_ref()
        .map(|file| (file, &file.outline.mocked_subject))?;
    let before = file
        .before
        .as_ref()
        .map_or(0, |file| file.outline.mocked_subject.len());
    let mark = marks.get(before)?;
    let path = file.before.as_ref().map_or(after.path, |file| file.path);
    let mut fact = Fact::new(FactKind::SubjectMocked, file_key(path), path_text(path));
    if after.path != path {
        fact.to_key = Some(file_key(after.path));
        fact.to_path = Some(path_text(after.path));
    }
    fact.after = Some(span_of(mark));
    Some(fact)
}

fn span_of(mark: &Mark) -> Span {
    Span::new(mark.line, mark.line, &mark.text)
}
