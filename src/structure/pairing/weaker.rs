//! Facts on the bodies of paired tests: what is checked less, looser or not at all any more.

use foldhash::{HashMap, HashMapExt as _};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::assertions::Bodies;
use super::matching::Pair;
use super::side::Item;
use crate::model::fact::{Detail, FactKind, Span};
use crate::structure::outline::{Assertion, InlineSnapshot, Looser, Mark, TestBody, Tolerances};
use crate::structure::source::Side as Which;

/// One fact on a paired test.
#[derive(Default)]
pub(super) struct Statement {
    /// Evidence before; the declaration when there is none.
    pub(super) before: Option<Span>,
    /// Evidence after; the declaration when there is none.
    pub(super) after: Option<Span>,
    /// What else there is to say.
    pub(super) detail: Detail,
    /// For inline snapshots, their number in the test from 1.
    pub(super) inline: Option<usize>,
}

impl Statement {
    fn nothing_more() -> Self {
        Self::default()
    }

    fn evidence(before: Option<Span>, after: Option<Span>) -> Self {
        Self {
            before,
            after,
            ..Self::default()
        }
    }
}

/// Takes what is stated.
pub(super) type State<'s> = dyn FnMut(FactKind, Statement) + 's;

/// Compares bodies.
pub(super) struct Weaker<'m, 'a> {
    /// Access to them.
    pub(super) bodies: &'m Bodies<'m, 'a>,
    /// The items before.
    pub(super) before: &'m [Item<'a>],
    /// The items after.
    pub(super) after: &'m [Item<'a>],
}

impl Weaker<'_, '_> {
    /// States what a paired test checks less; nothing heuristic when it is newly disabled.
    pub(super) fn compare(&self, pair: &Pair, disabled: bool, state: &mut State<'_>) {
        let emptied = !disabled && self.emptied(pair);
        let (old, new) = (self.before[pair.before].unit, self.after[pair.after].unit);
        if !disabled && !emptied {
            rows(old.marks.rows.as_deref(), new.marks.rows.as_deref(), state);
        }
        let same_body = self.same_body(pair);
        if same_body && (disabled || !self.bodies.helper_weakened(pair.before)) {
            return;
        }
        let before = self.bodies.body(Which::Before, pair.before);
        let after = self.bodies.body(Which::After, pair.after);
        let mut disabled = disabled;
        match (&before.skip, &after.skip) {
            (None, Some(mark)) => {
                if !disabled {
                    state(
                        FactKind::TestDisabled,
                        Statement::evidence(None, Some(span_of(mark))),
                    );
                }
                disabled = true;
            }
            (Some(mark), None) if !disabled => {
                state(
                    FactKind::TestEnabled,
                    Statement::evidence(Some(span_of(mark)), None),
                );
            }
            _ => {}
        }
        snapshots(&before.snapshots, &after.snapshots, state);
        if disabled {
            return;
        }
        if emptied {
            state(FactKind::TestEmptied, Statement::nothing_more());
            return;
        }
        self.count(pair, state);
        if !same_body {
            statements(&before, &after, state);
        }
    }

    fn same_body(&self, pair: &Pair) -> bool {
        // What an example prints stands in a comment of its body.
        let hash = |item: &Item<'_>| (item.unit.body.as_ref().map(|body| body.hash), item.unit.value);
        hash(&self.before[pair.before]) == hash(&self.after[pair.after])
    }

    /// Whether the body of a test had statements and has none any more that do anything.
    pub(super) fn emptied(&self, pair: &Pair) -> bool {
        !self.same_body(pair)
            && self.bodies.body(Which::After, pair.after).empty
            && !self.bodies.body(Which::Before, pair.before).empty
    }

    /// Counts assertions, helpers included.
    fn count(&self, pair: &Pair, state: &mut State<'_>) {
        let before = self.bodies.asserted(Which::Before, pair.before);
        let after = self.bodies.asserted(Which::After, pair.after);
        let (old, new) = (before.assertions.len(), after.assertions.len());
        if new >= old {
            return;
        }
        let missing = before.without(&after);
        let credited = self.bodies.credit(&missing, &after);
        let credits = credited.iter().filter(|credited| **credited).count();
        if new + credits >= old {
            return;
        }
        let first = missing.iter().zip(&credited).find(|(_, credited)| !**credited);
        let evidence = first.map(|(assertion, _)| Span::new(assertion.line, assertion.line, &assertion.text));
        let detail = Detail {
            before: Some(old),
            after: Some(new),
            ..Detail::default()
        };
        state(
            FactKind::AssertionsFewer,
            Statement {
                before: evidence,
                detail,
                ..Statement::default()
            },
        );
    }
}

/// Compares what stands in two bodies, assertion by assertion.
fn statements(before: &TestBody, after: &TestBody, state: &mut State<'_>) {
    let mut gone = difference(&before.assertions, &after.assertions);
    let mut new = difference(&after.assertions, &before.assertions);
    let mut tolerance = None;
    take_pairs(&mut gone, &mut new, |old, new| {
        let same = !old.tolerances.numbers.is_empty()
            && old.tolerances.hash_without_numbers == new.tolerances.hash_without_numbers
            && old.tolerances.numbers.len() == new.tolerances.numbers.len();
        if same && looser(&old.tolerances, &new.tolerances) {
            tolerance.get_or_insert((span_at(old), span_at(new)));
        }
        same
    });
    let mut loosened = None;
    let mut expected = None;
    take_pairs(&mut gone, &mut new, |old, new| {
        let same = old.hash_without_expected == new.hash_without_expected && !new.vacuous;
        if same {
            expected.get_or_insert((span_at(old), span_at(new)));
        }
        same
    });
    // A check that is as strict as before is preferred over a weaker one on the same subject.
    for weaker in [false, true] {
        take_pairs(&mut gone, &mut new, |old, new| {
            let same_subject = old.subject.is_some() && old.subject == new.subject && !new.vacuous;
            let ranked = old.rank > 0 && new.rank > 0;
            if !same_subject || !ranked || (new.rank < old.rank) != weaker {
                return false;
            }
            if weaker || generalised(old, new) {
                loosened.get_or_insert((span_at(old), span_at(new)));
            }
            true
        });
    }
    take_pairs(&mut gone, &mut new, |old, new| {
        let loose = generalised(old, new);
        if loose {
            loosened.get_or_insert((span_at(old), span_at(new)));
        }
        loose
    });
    let statement = looser_statement(&before.tolerances, &after.tolerances);
    for (kind, evidence) in [
        (FactKind::MatcherLoosened, loosened),
        (FactKind::ToleranceLoosened, tolerance.or(statement)),
        (FactKind::ExpectedChanged, expected),
    ] {
        if let Some((old, new)) = evidence {
            state(kind, Statement::evidence(Some(old), Some(new)));
        }
    }
    if let Some(assertion) = new.iter().find(|assertion| assertion.vacuous) {
        let old = gone.first().map(|old| span_at(old));
        state(
            FactKind::AssertionVacuous,
            Statement::evidence(old, Some(span_at(assertion))),
        );
    }
    rows(before.rows.as_deref(), after.rows.as_deref(), state);
    if let (None, Some(mark)) = (&before.early_return, &after.early_return) {
        state(
            FactKind::EarlyReturn,
            Statement::evidence(None, Some(span_of(mark))),
        );
    }
    swallowed(before, after, state);
}

/// The assertions of one body that the other does not have, counted with repetition.
fn difference<'b>(these: &'b [Assertion], others: &[Assertion]) -> Vec<&'b Assertion> {
    let mut left_there: HashMap<u64, usize> = HashMap::new();
    for assertion in others {
        *left_there.entry(assertion.hash).or_default() += 1;
    }
    let mut left = Vec::new();
    for assertion in these {
        match left_there.get_mut(&assertion.hash) {
            Some(count) if *count > 0 => *count -= 1,
            _ => left.push(assertion),
        }
    }
    left
}

/// The most assertions of one test that are compared each with each.
const MAX_PAIRS: usize = 400;

/// Takes out pairs that match, the first of each.
fn take_pairs(
    gone: &mut Vec<&Assertion>,
    new: &mut Vec<&Assertion>,
    mut matches: impl FnMut(&Assertion, &Assertion) -> bool,
) {
    gone.retain(|old| {
        let found = new.iter().take(MAX_PAIRS).position(|new| matches(old, new));
        if let Some(found) = found {
            new.remove(found);
        }
        found.is_none()
    });
}

fn generalised(old: &Assertion, new: &Assertion) -> bool {
    match (old.expects_error, new.expects_error) {
        (Some(old), Some(new)) => (!old.general && new.general) || (old.matched && !new.matched),
        _ => false,
    }
}

fn looser(old: &Tolerances, new: &Tolerances) -> bool {
    old.numbers
        .iter()
        .zip(&new.numbers)
        .any(|((old, way), (new, _))| match way {
            Looser::Greater => new > old,
            Looser::Smaller => new < old,
        })
}

/// The first statement outside of assertions that differs only in its numbers, and is looser.
fn looser_statement(before: &[Tolerances], after: &[Tolerances]) -> Option<(Span, Span)> {
    let mut waiting: HashMap<(u64, usize), std::collections::VecDeque<&Tolerances>> = HashMap::new();
    for new in after {
        waiting
            .entry((new.hash_without_numbers, new.numbers.len()))
            .or_default()
            .push_back(new);
    }
    before.iter().find_map(|old| {
        let new = waiting
            .get_mut(&(old.hash_without_numbers, old.numbers.len()))?
            .pop_front()?;
        let span = |of: &Tolerances| Span::new(of.line, of.line, &of.text);
        looser(old, new).then(|| (span(old), span(new)))
    })
}

fn rows(before: Option<&[u64]>, after: Option<&[u64]>, state: &mut State<'_>) {
    let (Some(before), Some(after)) = (before, after) else {
        return;
    };
    let sorted = |rows: &[u64]| {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        rows
    };
    let kept = super::similar::shared(&sorted(before), &sorted(after));
    let kind = if after.len() < before.len() {
        FactKind::RowsRemoved
    } else if kept < before.len() {
        FactKind::RowsChanged
    } else {
        return;
    };
    let detail = Detail {
        before: Some(before.len()),
        after: Some(after.len()),
        ..Detail::default()
    };
    state(
        kind,
        Statement {
            detail,
            ..Statement::default()
        },
    );
}

/// Assertions that stood free and now stand where their failure is dropped.
fn swallowed(before: &TestBody, after: &TestBody, state: &mut State<'_>) {
    let count = |body: &TestBody| {
        body.assertions
            .iter()
            .filter(|assertion| assertion.swallowed)
            .count()
    };
    let (old, new) = (count(before), count(after));
    let free_before = before.assertions.len() - old;
    let free_after = after.assertions.len() - new;
    if new > old && free_after < free_before {
        let evidence = after.assertions.iter().find(|assertion| assertion.swallowed);
        let origin = evidence.and_then(|now| before.assertions.iter().find(|old| old.hash == now.hash));
        state(
            FactKind::FailureSwallowed,
            Statement::evidence(origin.map(span_at), evidence.map(span_at)),
        );
    }
}

/// Beyond this the inline snapshots of one test are not aligned.
const MAX_SNAPSHOT_PAIRS: usize = 1_000_000;

/// Inline snapshots are golden entries of their test.
fn snapshots(before: &[InlineSnapshot], after: &[InlineSnapshot], state: &mut State<'_>) {
    fn texts(snapshots: &[InlineSnapshot]) -> Vec<&str> {
        snapshots.iter().map(|snapshot| snapshot.text.as_str()).collect()
    }
    let span = |of: &InlineSnapshot| Span::new(of.line, of.line, &of.text);
    let mut entry = |kind, old: Option<usize>, new: Option<usize>| {
        let inline = old.or(new).map(|at| at + 1);
        let evidence = Statement::evidence(old.map(|at| span(&before[at])), new.map(|at| span(&after[at])));
        state(kind, Statement { inline, ..evidence });
    };
    if before.len().saturating_mul(after.len()) > MAX_SNAPSHOT_PAIRS {
        // Too many to align: compared one by one.
        for at in 0..before.len().max(after.len()) {
            match (before.get(at), after.get(at)) {
                (Some(old), Some(new)) if old.text == new.text => {}
                (Some(_), Some(_)) => entry(FactKind::GoldenChanged, Some(at), Some(at)),
                (Some(_), None) => entry(FactKind::GoldenRemoved, Some(at), None),
                (None, _) => entry(FactKind::GoldenAdded, None, Some(at)),
            }
        }
        return;
    }
    for change in capture_diff_slices(Algorithm::Myers, &texts(before), &texts(after)) {
        let (_, old, new) = change.as_tag_tuple();
        if matches!(change, DiffOp::Equal { .. }) {
            continue;
        }
        let changed = old.len().min(new.len());
        for step in 0..changed {
            entry(
                FactKind::GoldenChanged,
                Some(old.start + step),
                Some(new.start + step),
            );
        }
        for at in old.start + changed..old.end {
            entry(FactKind::GoldenRemoved, Some(at), None);
        }
        for at in new.start + changed..new.end {
            entry(FactKind::GoldenAdded, None, Some(at));
        }
    }
}

fn span_at(assertion: &Assertion) -> Span {
    Span::new(assertion.line, assertion.line, &assertion.text)
}

fn span_of(mark: &Mark) -> Span {
    Span::new(mark.line, mark.line, &mark.text)
}
