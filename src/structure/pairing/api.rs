//! Facts on public symbols: at most one for each.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use foldhash::HashMap;

use super::matching::{Fate, Matching, Pair, Via};
use super::reach::{Asked, Reach};
use super::reexport::{Names, Reexports, same_target};
use super::{Input, similar};
use crate::model::baseline::{Unmeasured, UnmeasuredReason, UnmeasuredSide};
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{file_key, path_text};
use crate::structure::outline::Role;
use crate::structure::source::Side as Which;

/// What the facts on public symbols are made from.
pub(super) struct Api<'m, 'a> {
    /// Who became what.
    pub(super) matching: &'m Matching<'m, 'a>,
    /// Names that still work.
    pub(super) reexports: &'m Reexports,
    /// Names before and after.
    pub(super) names: (&'m Names<'m, 'a>, &'m Names<'m, 'a>),
    /// What is compared.
    pub(super) input: &'a Input<'a>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// Not sorted.
    pub(super) facts: Vec<Fact>,
    /// Names that may still work.
    pub(super) unmeasured: Vec<Unmeasured>,
}

/// Items that may have something to say.
pub(super) struct Candidates<'m, 'a> {
    pairs: Vec<Pair>,
    open_before: Vec<usize>,
    open_after: Vec<usize>,
    /// The items of each side whose reach has to be known.
    pub(super) asked: Asked<'m, 'a>,
}

/// One item with something to say.
struct Finding {
    kind: FactKind,
    before: Option<usize>,
    after: Option<usize>,
}

impl<'m, 'a> Api<'m, 'a> {
    /// Finds the items that may have something to say, and what has to be asked about them.
    pub(super) fn candidates(&self) -> Candidates<'m, 'a> {
        let matching = self.matching;
        let pairs: Vec<Pair> = matching
            .pairs
            .iter()
            .filter(|pair| self.differs(pair))
            .copied()
            .collect();
        let open_before: Vec<usize> = (0..matching.before.items.len())
            .filter(|at| {
                matching.fate_before[*at] != Fate::Spent || self.reexports.still_work.contains_key(at)
            })
            .filter(|at| matching.before.items[*at].is_public() && matching.partner_of_before(*at).is_none())
            .collect();
        let open_after: Vec<usize> = (0..matching.after.items.len())
            .filter(|at| matching.open_after(*at) && matching.after.items[*at].is_public())
            .collect();
        let in_removed = (0..matching.before.items.len())
            .filter(|at| self.input.files[matching.before.items[*at].pair].after.is_none());
        let ask_before = pairs
            .iter()
            .map(|pair| pair.before)
            .chain(open_before.iter().copied())
            .chain(in_removed);
        let ask_after = pairs
            .iter()
            .map(|pair| pair.after)
            .chain(open_after.iter().copied());
        let asked = [
            (matching.before, ask_before.collect()),
            (matching.after, ask_after.collect()),
        ];
        Candidates {
            pairs,
            open_before,
            open_after,
            asked,
        }
    }

    /// States the facts, by what can be reached on each side.
    pub(super) fn facts(&self, candidates: Candidates<'m, 'a>, [before, after]: &[Reach<'a>; 2]) -> Found {
        let mut found = Found::default();
        let matching = self.matching;
        let Candidates {
            pairs,
            open_before,
            open_after,
            ..
        } = candidates;
        let mut findings: Vec<Finding> = Vec::new();
        for pair in pairs {
            findings.extend(self.judge(&pair, before, after));
        }
        for at in open_before
            .into_iter()
            .filter(|at| before.is_public(matching.before, *at))
        {
            let works = self.reexports.still_work.contains_key(&at);
            let kind = if works {
                FactKind::ApiReexported
            } else {
                FactKind::ApiRemoved
            };
            findings.push(Finding {
                kind,
                before: Some(at),
                after: None,
            });
        }
        for at in open_after
            .into_iter()
            .filter(|at| after.is_public(matching.after, *at))
        {
            findings.push(Finding {
                kind: FactKind::ApiAdded,
                before: None,
                after: Some(at),
            });
        }
        self.state(findings, &mut found);
        self.removed_sources(before, &mut found);
        found
    }

    /// Whether a pair has anything to say, before asking who can reach it.
    fn differs(&self, pair: &Pair) -> bool {
        let (before, after) = (
            &self.matching.before.items[pair.before],
            &self.matching.after.items[pair.after],
        );
        if before.is_test() || after.is_test() || !(before.is_public() || after.is_public()) {
            return false;
        }
        pair.via != Via::Key
            || before.unit.visibility != after.unit.visibility
            || before.unit.signature != after.unit.signature
            || before.unit.value != after.unit.value
    }

    /// The one fact of a pair: the first that applies.
    fn judge(&self, pair: &Pair, reach_before: &Reach<'_>, reach_after: &Reach<'_>) -> Option<Finding> {
        let (sides, at) = (
            (self.matching.before, self.matching.after),
            (pair.before, pair.after),
        );
        let (before, after) = (&sides.0.items[at.0], &sides.1.items[at.1]);
        let public = (
            reach_before.is_public(sides.0, at.0),
            reach_after.is_public(sides.1, at.1),
        );
        let found = |kind| {
            Some(Finding {
                kind,
                before: Some(at.0),
                after: Some(at.1),
            })
        };
        let renamed = before.member_name() != after.member_name() && !before.is_numbered();
        let changed = before.unit.signature != after.unit.signature
            && !(before.reexport.is_some() && same_target(self.matching, self.names, at));
        match public {
            (false, false) => return None,
            (false, true) => {
                return Some(Finding {
                    kind: FactKind::ApiAdded,
                    before: None,
                    after: Some(at.1),
                });
            }
            (true, false) if pair.via != Via::Reexport => return found(FactKind::ApiNarrowed),
            (true, _) => {}
        }
        let visibility = after.unit.visibility.cmp(&before.unit.visibility);
        if visibility == Ordering::Less && pair.via != Via::Reexport {
            return found(FactKind::ApiNarrowed);
        }
        if pair.via == Via::Reexport {
            return found(if changed {
                FactKind::ApiChanged
            } else {
                FactKind::ApiReexported
            });
        }
        if pair.via == Via::OtherKind {
            return found(FactKind::ApiChanged);
        }
        if renamed {
            return found(FactKind::ApiRenamed);
        }
        if self.moved(pair) {
            // Who used it through a re-export in another place still does.
            let by_name = reach_before.only_by_name(sides.0, at.0);
            return found(if by_name {
                FactKind::ApiReexported
            } else {
                FactKind::ApiMoved
            });
        }
        if changed {
            return found(FactKind::ApiChanged);
        }
        if visibility == Ordering::Greater {
            return found(FactKind::ApiWidened);
        }
        (before.unit.value != after.unit.value)
            .then(|| found(FactKind::ApiValueChanged))
            .flatten()
    }

    /// Whether it stands in another place of its own, rather than in a container that has another name.
    fn moved(&self, pair: &Pair) -> bool {
        let (before, after) = (
            &self.matching.before.items[pair.before],
            &self.matching.after.items[pair.after],
        );
        if before.place == after.place {
            return false;
        }
        let taken_along = before.parent.zip(after.parent).is_some_and(|(from, to)| {
            let together = self
                .matching
                .partner_of_before(from)
                .is_some_and(|pair| pair.after == to);
            // A renamed source file is reported by its symbols.
            together && !self.matching.before.items[from].is_file_module()
        });
        !taken_along
    }

    /// Writes findings as facts; containers that went or came stand for their members.
    fn state(&self, findings: Vec<Finding>, found: &mut Found) {
        let (before, after) = (self.matching.before, self.matching.after);
        let stands_before: BTreeSet<usize> = findings
            .iter()
            .filter(|finding| {
                // What is narrowed and still public keeps its members public.
                match finding.kind {
                    FactKind::ApiRemoved => true,
                    FactKind::ApiNarrowed => finding.after.is_none_or(|at| !after.items[at].is_public()),
                    FactKind::ApiReexported => finding.after.is_none(),
                    _ => false,
                }
            })
            .filter_map(|finding| finding.before)
            .collect();
        let stands_after: BTreeSet<usize> = findings
            .iter()
            .filter(|finding| finding.kind == FactKind::ApiAdded)
            .filter_map(|finding| finding.after)
            .collect();
        // The outermost container speaks.
        let for_before = |at: usize| {
            before
                .ancestors(at)
                .filter(|around| stands_before.contains(around))
                .last()
        };
        let for_after = |at: usize| {
            after
                .ancestors(at)
                .filter(|around| stands_after.contains(around))
                .last()
        };
        let mut members_before: BTreeMap<usize, usize> = BTreeMap::new();
        let mut members_after: BTreeMap<usize, usize> = BTreeMap::new();
        let mut left = Vec::new();
        for finding in findings {
            let (covered, count) = match (finding.before, finding.after) {
                (Some(at), _) => (for_before(at), &mut members_before),
                (None, Some(at)) => (for_after(at), &mut members_after),
                (None, None) => (None, &mut members_before),
            };
            match covered {
                Some(container) => *count.entry(container).or_default() += 1,
                None => left.push(finding),
            }
        }
        let lost: Vec<usize> = left
            .iter()
            .filter(|finding| finding.kind == FactKind::ApiRemoved)
            .filter_map(|finding| finding.before)
            .collect();
        let new: Vec<usize> = (0..after.items.len())
            .filter(|at| self.matching.open_after(*at) && !after.items[*at].is_test() && !lost.is_empty())
            .collect();
        let candidates = similar::candidates(self.input, (before, &lost), (after, &new));
        for finding in left {
            let Some(mut fact) = self.fact(&finding, &candidates, found) else {
                continue;
            };
            let container = finding
                .before
                .map(|at| &before.items[at])
                .or(finding.after.map(|at| &after.items[at]));
            let stands = matches!(
                finding.kind,
                FactKind::ApiRemoved | FactKind::ApiNarrowed | FactKind::ApiAdded
            );
            if container.is_some_and(|item| item.unit.role == Role::Container) && stands {
                let members = match (finding.before, finding.after) {
                    (Some(at), _) => members_before.get(&at),
                    (None, Some(at)) => members_after.get(&at),
                    (None, None) => None,
                };
                fact.detail.members = Some(members.copied().unwrap_or_default());
            }
            found.facts.push(fact);
        }
    }

    fn fact(&self, finding: &Finding, candidates: &HashMap<usize, usize>, found: &mut Found) -> Option<Fact> {
        let (before, after) = (self.matching.before, self.matching.after);
        let mut fact = match (finding.before, finding.after) {
            (Some(at), _) => Fact::new(finding.kind, before.key(at), before.path(at)),
            (None, Some(at)) => Fact::new(finding.kind, after.key(at), after.path(at)),
            (None, None) => return None,
        };
        fact.before = finding.before.map(|at| before.span(at));
        fact.after = finding.after.map(|at| after.span(at));
        if let (Some(_), Some(at)) = (finding.before, finding.after) {
            fact.to_key = Some(after.key(at)).filter(|key| *key != fact.key);
            fact.to_path = Some(after.path(at)).filter(|path| *path != fact.path);
        }
        match (finding.kind, finding.before, finding.after) {
            (FactKind::ApiRemoved, Some(at), _) => {
                if let Some(why) = self.reexports.unresolved.get(&at) {
                    found.unmeasured.push(Unmeasured {
                        path: fact.path,
                        side: UnmeasuredSide::After,
                        reason: UnmeasuredReason::UnresolvedExport,
                        detail: why.clone(),
                        seen: vec![fact.key],
                    });
                    return None;
                }
                fact.detail.candidate = candidates.get(&at).map(|at| after.key(*at));
            }
            (FactKind::ApiReexported, Some(at), None) => {
                if let Some(evidence) = self.reexports.still_work.get(&at) {
                    fact.to_path = Some(path_text(&evidence.path)).filter(|path| *path != fact.path);
                    fact.after = Some(Span::new(evidence.line, evidence.line, &evidence.text));
                }
            }
            (FactKind::ApiAdded, _, Some(at)) => {
                let item = &after.items[at];
                // Implementers exist only where the container was public before.
                let known = item
                    .parent
                    .is_some_and(|parent| self.matching.partner_of_after(parent).is_some());
                fact.detail.required = (item.unit.required && known).then_some(true);
            }
            _ => {}
        }
        Some(fact)
    }

    /// Files that are gone and had nothing to lose.
    fn removed_sources(&self, reach: &Reach<'_>, found: &mut Found) {
        let side = self.matching.before;
        debug_assert_eq!(side.which, Which::Before);
        let speaking: BTreeSet<usize> = (0..side.items.len())
            .filter(|at| side.items[*at].is_test() || reach.is_public(side, *at))
            .map(|at| side.items[at].pair)
            .collect();
        for (number, pair) in self.input.files.iter().enumerate() {
            if let (Some(file), None) = (&pair.before, &pair.after)
                && !speaking.contains(&number)
            {
                let mut fact = Fact::new(FactKind::SourceRemoved, file_key(file.path), path_text(file.path));
                let lines = memchr::memchr_iter(b'\n', file.bytes).count().max(1);
                fact.before = Some(Span::new(1, u32::try_from(lines).unwrap_or(u32::MAX), ""));
                found.facts.push(fact);
            }
        }
    }
}
