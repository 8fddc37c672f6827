//! Which findings are the same defect: judgements, what follows from them, and the rows that come of it.

use std::collections::{BTreeMap, BTreeSet};

use super::run::Run;
use super::{Refusal, stops, tests};
use crate::model::spec::event::{Equate, Seal};
use crate::model::spec::sidecar::{Entry, Judgement};
use crate::model::spec::work::{Check, Row};
use crate::model::spec::{Extra, Lens, Severity, Sidecar, SrId};
use crate::spec::phrase;

/// A pair that must be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outstanding {
    /// A finding's reference.
    pub a: String,
    /// Another's, or an entry's id.
    pub b: String,
    /// The section of both.
    pub slug: String,
}

/// The pairs of a state that must still be judged, one for each two sets that are not yet told apart.
pub fn pairs_outstanding(state: &Sidecar) -> Vec<Outstanding> {
    Run::of(state)
        .map(|run| Sets::of(&run).outstanding())
        .unwrap_or_default()
}

/// The findings of a round and the live entries, in the sets that follow from the judgements.
struct Sets {
    /// The findings in order of discovery, then the entries.
    nodes: Vec<Node>,
    index: BTreeMap<String, usize>,
    /// The first member of each node's set.
    first: Vec<usize>,
    /// Judged to be different.
    apart: Vec<(usize, usize)>,
}

struct Node {
    name: String,
    slug: String,
    entry: Option<SrId>,
}

impl Sets {
    fn of(run: &Run) -> Self {
        let open = run.x.open_round.as_ref();
        let findings = open.into_iter().flat_map(|open| &open.raw).map(|raw| Node {
            name: raw.reference.clone(),
            slug: run.current_slug(&raw.slug).to_owned(),
            entry: None,
        });
        let entries = run.live().map(|entry| Node {
            name: entry.sr_id.to_string(),
            slug: run.current_slug(&entry.slug).to_owned(),
            entry: Some(entry.sr_id),
        });
        let nodes: Vec<Node> = findings.chain(entries).collect();
        let index = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.name.clone(), at))
            .collect();
        let mut sets = Self {
            first: (0..nodes.len()).collect(),
            nodes,
            index,
            apart: Vec::new(),
        };
        for judged in open.into_iter().flat_map(|open| &open.equivalence_log) {
            if let (Some(a), Some(b)) = (sets.index.get(&judged.a), sets.index.get(&judged.b)) {
                sets.note(*a, *b, judged.is_match);
            }
        }
        sets
    }

    fn note(&mut self, a: usize, b: usize, is_match: bool) {
        if !is_match {
            self.apart.push((a, b));
            return;
        }
        let (a, b) = (self.first[a], self.first[b]);
        for first in &mut self.first {
            if *first == a.max(b) {
                *first = a.min(b);
            }
        }
    }

    /// The entry that a set has.
    fn entry(&self, set: usize) -> Option<SrId> {
        (0..self.nodes.len())
            .filter(|at| self.first[*at] == set)
            .find_map(|at| self.nodes[at].entry)
    }

    /// Whether two sets are known to be different by an answer.
    fn are_apart(&self, a: usize, b: usize) -> bool {
        self.apart.iter().any(|(c, d)| {
            let (c, d) = (self.first[*c], self.first[*d]);
            (c, d) == (a, b) || (d, c) == (a, b)
        })
    }

    fn outstanding(&self) -> Vec<Outstanding> {
        // Sets by section: only equal ones are compared.
        let mut sections: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            if self.first[at] == at {
                sections.entry(&node.slug).or_default().push(at);
            }
        }
        let mut left = Vec::new();
        for (slug, sets) in sections {
            let entries: Vec<bool> = sets.iter().map(|set| self.entry(*set).is_some()).collect();
            for (nth, a) in sets.iter().enumerate() {
                for (other, b) in sets.iter().enumerate().skip(nth + 1) {
                    if (!entries[nth] || !entries[other]) && !self.are_apart(*a, *b) {
                        left.push((*a, *b, slug));
                    }
                }
            }
        }
        left.sort_unstable();
        left.into_iter()
            .map(|(a, b, slug)| Outstanding {
                a: self.nodes[a].name.clone(),
                b: self.nodes[b].name.clone(),
                slug: slug.to_owned(),
            })
            .collect()
    }
}

/// Takes in a judgement.
pub fn equate(run: &mut Run, said: &Equate) -> Result<(), Refusal> {
    let sets = Sets::of(run);
    let node = |name: &str| sets.index.get(name).copied().ok_or(Refusal::UnknownRef);
    let (a, b) = (node(&said.a)?, node(&said.b)?);
    if a == b {
        return Err(Refusal::SameRef);
    }
    if sets.nodes[a].entry.is_some() && sets.nodes[b].entry.is_some() {
        return Err(Refusal::TwoEntries);
    }
    if sets.nodes[a].slug != sets.nodes[b].slug {
        return Err(Refusal::DifferentSlugs);
    }
    let (one, other) = (sets.first[a], sets.first[b]);
    if said.is_match && one != other {
        if sets.entry(one).is_some() && sets.entry(other).is_some() {
            return Err(Refusal::JoinsTwoEntries);
        }
        if sets.are_apart(one, other) {
            return Err(Refusal::Contradiction);
        }
    }
    if !said.is_match && one == other {
        return Err(Refusal::Contradiction);
    }
    run.open()?.equivalence_log.push(Judgement {
        a: said.a.clone(),
        b: said.b.clone(),
        is_match: said.is_match,
        extra: Extra::default(),
    });
    Ok(())
}

/// What was found of one defect.
struct Found {
    /// Places in the raw findings, in order of discovery.
    members: Vec<usize>,
    entry: Option<SrId>,
    phrase: Option<String>,
}

/// Gives the new defects their ids and makes the rows of the round.
pub fn seal(run: &mut Run, seal: &Seal) -> Result<(), Refusal> {
    let sets = Sets::of(run);
    if !sets.outstanding().is_empty() {
        return Err(Refusal::PairsOutstanding);
    }
    let mut found = with_phrases(run, &sets, seal)?;
    let mut rows = Vec::new();
    for set in &mut found {
        rows.push(row_of(run, set)?);
    }
    let ids: BTreeSet<SrId> = rows.iter().map(|row| row.sr_id).collect();
    let mut carried: Vec<&Entry> = run
        .live()
        .filter(|entry| !ids.contains(&entry.sr_id) && is_outstanding(run, entry))
        .collect();
    carried.sort_by_key(|entry| entry.sr_id);
    rows.extend(carried.into_iter().map(|entry| Row {
        sr_id: entry.sr_id,
        severity: entry.severity,
        lenses: entry.lenses.clone(),
        found: false,
        wanted: 0,
        outcome: None,
    }));
    for row in &mut rows {
        row.outcome = run.waiver(row.sr_id);
        row.wanted = wanted(run, row);
    }
    let planned: u32 = rows.iter().map(|row| row.wanted).sum();
    run.open()?.rows = Some(rows);
    if planned == 0 {
        return tests::all(run);
    }
    stops::pass(run, Check::Challengers(planned));
    Ok(())
}

/// Whether an entry has a row in each round, found or not.
fn is_outstanding(run: &Run, entry: &Entry) -> bool {
    entry.unlanded || entry.unconfirmed || run.is_pending(entry.sr_id) || run.x.owed.contains(&entry.sr_id)
}

/// How many challengers a row gets.
fn wanted(run: &Run, row: &Row) -> u32 {
    let is_asked = run.is(row.sr_id, |entry| {
        !entry.unlanded && (row.found || entry.unconfirmed)
    });
    match row.severity {
        _ if !is_asked || run.waiver(row.sr_id).is_some() => 0,
        Severity::Critical => 2,
        Severity::Major => 1,
        Severity::Minor | Severity::Nit => 0,
    }
}

/// The sets of findings in order of discovery, each new one with its phrase.
fn with_phrases(run: &Run, sets: &Sets, seal: &Seal) -> Result<Vec<Found>, Refusal> {
    let raw = run.x.open_round.as_ref().map_or(&[][..], |open| &open.raw);
    let mut found: Vec<Found> = Vec::new();
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    for at in 0..raw.len() {
        let set = sets.first[at];
        let nth = *place.entry(set).or_insert_with(|| {
            found.push(Found {
                members: Vec::new(),
                entry: sets.entry(set),
                phrase: None,
            });
            found.len() - 1
        });
        found[nth].members.push(at);
    }
    for (name, text) in &seal.phrases {
        let at = (sets.index.get(name).copied())
            .filter(|at| *at < raw.len())
            .ok_or(Refusal::UnknownRef)?;
        let set = &mut found[place[&sets.first[at]]];
        if set.entry.is_some() {
            return Err(Refusal::PhraseForKnownEntry);
        }
        let text = phrase::phrase(text).map_err(|_| Refusal::BadPhrase)?;
        if set.phrase.replace(text).is_some() {
            return Err(Refusal::BadPhrase);
        }
    }
    let mut keys: BTreeSet<(&str, &str)> = run
        .live()
        .map(|entry| (entry.slug.as_str(), entry.phrase.as_str()))
        .collect();
    for set in found.iter().filter(|set| set.entry.is_none()) {
        let phrase = set.phrase.as_deref().ok_or(Refusal::PhraseMissing)?;
        if !keys.insert((&raw[set.members[0]].slug, phrase)) {
            return Err(Refusal::SameKey);
        }
    }
    Ok(found)
}

/// The row of a set; its entry is made, or learns what was found.
fn row_of(run: &mut Run, set: &mut Found) -> Result<Row, Refusal> {
    let next = SrId(run.x.next_id);
    let id = set.entry.unwrap_or(next);
    let open = run.open()?;
    let mut severity = Severity::Nit;
    let mut lenses: Vec<Lens> = Vec::new();
    let mut needs_decision = false;
    for at in &set.members {
        let raw = &mut open.raw[*at];
        raw.sr_id = Some(id);
        severity = severity.worst(raw.severity);
        needs_decision |= raw.needs_decision;
        if !lenses.contains(&raw.lens) {
            lenses.push(raw.lens);
        }
    }
    let slug = open.raw[set.members[0]].slug.clone();
    if let Some(phrase) = set.phrase.take() {
        run.x.next_id += 1;
        run.file.registry.push(Entry {
            sr_id: id,
            key: phrase::key(&slug, &phrase),
            slug,
            phrase,
            severity,
            lenses: lenses.clone(),
            needs_decision,
            unlanded: false,
            unconfirmed: false,
            fix_failures: 0,
            extra: Extra::default(),
        });
    } else {
        let is_carried = run.is(id, |entry| is_outstanding(run, entry));
        let entry = run.entry_mut(id).ok_or(Refusal::UnknownRef)?;
        if is_carried {
            severity = severity.worst(entry.severity);
        }
        entry.severity = entry.severity.worst(severity);
        // What was decided about an edit stands until the edit is in the text.
        entry.needs_decision |= needs_decision && !entry.unlanded;
        for lens in &lenses {
            if !entry.lenses.contains(lens) {
                entry.lenses.push(*lens);
            }
        }
    }
    Ok(Row {
        sr_id: id,
        severity,
        lenses,
        found: true,
        wanted: 0,
        outcome: None,
    })
}
