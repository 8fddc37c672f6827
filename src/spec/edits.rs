//! Matches a fixer's pairs of old and new text against a spec: which land together, which fail and why.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use memchr::memmem;
use serde::Deserialize;

use crate::model::spec::{Edit, SrId};
use crate::model::words::words;

/// What is asked: the text before the batch, and its members.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The spec.
    pub text: String,
    /// The members.
    pub members: BTreeSet<SrId>,
    /// Those that this round's panel found.
    pub found: BTreeSet<SrId>,
    /// Decided pairs that are used as they stand.
    pub stored: BTreeMap<SrId, Edit>,
    /// The decided new text of members whose edit has failed before.
    pub rederive: BTreeMap<SrId, String>,
}

/// A fixer's answer.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Answer {
    /// What to replace.
    #[serde(default)]
    pub edits: Vec<Pair>,
    /// What is gone.
    #[serde(default)]
    pub obsolete: Vec<Gone>,
    /// Remarks; they close nothing.
    #[serde(default)]
    pub notes: String,
}

/// One replacement, for one entry or several.
#[derive(Debug, Clone, Deserialize)]
pub struct Pair {
    /// For one.
    #[serde(default)]
    pub sr_id: Option<SrId>,
    /// For several.
    #[serde(default)]
    pub sr_ids: Vec<SrId>,
    /// What stands there.
    pub old: String,
    /// What takes its place.
    pub new: String,
}

/// A defect that is gone.
#[derive(Debug, Clone, Deserialize)]
pub struct Gone {
    /// Which.
    pub sr_id: SrId,
    /// Text of the spec that shows it.
    pub evidence: String,
}

words! {
    /// Why a member fails; of several reasons the first counts.
    Reason {
        /// Nothing to look for.
        EmptyOld = "empty-old",
        /// Old and new are equal.
        NoChange = "no-change",
        /// Not in the text.
        NotFound = "not-found",
        /// In the text more than once.
        Ambiguous = "ambiguous",
        /// The text agreed on is not in the new one.
        DecidedTextChanged = "decided-text-changed",
        /// Both to be fixed and gone.
        PairAndObsolete = "pair-and-obsolete",
        /// Said to be gone, but found in this round.
        ObsoleteButFound = "obsolete-but-found",
        /// Said to be gone without text that shows it.
        NoEvidence = "no-evidence",
        /// Disturbs another pair.
        Overlap = "overlap",
        /// Another member of its group fails.
        Group = "group",
        /// The answer does not mention it.
        NoPair = "no-pair",
    }
}

words! {
    /// What may be wrong with a pair that is not found.
    Hint {
        /// It is, once entities are turned back.
        HtmlEscaped = "html-escaped",
        /// It is, with the line ends of the text.
        Crlf = "crlf",
    }
}

/// Pairs that land together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// `G1`, `G2`, … in the order of the text.
    pub name: String,
    /// The entries it closes.
    pub ids: Vec<SrId>,
    /// Its replacements in the order of the text.
    pub hunks: Vec<Hunk>,
}

/// One replacement in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Its bytes in the text before the batch.
    pub range: Range<usize>,
    /// What takes their place.
    pub new: String,
}

/// What becomes of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// What lands.
    pub groups: Vec<Group>,
    /// What does not.
    pub failed: BTreeMap<SrId, Reason>,
    /// What is gone, with the text that shows it.
    pub obsolete: BTreeMap<SrId, String>,
    /// What may be wrong.
    pub hints: BTreeMap<SrId, Hint>,
    /// The indexes of pairs from which ids were dropped.
    pub ignored: Vec<usize>,
}

/// All that speaks against each member.
type Reasons = BTreeMap<SrId, BTreeSet<Reason>>;

/// A pair with all its ids.
struct Placed<'a> {
    ids: BTreeSet<SrId>,
    old: &'a str,
    new: &'a str,
    /// Where it stands, if it is found exactly once.
    range: Option<Range<usize>>,
}

/// Matches an answer. The result does not depend on the order of its pairs, the indexes of ignored ones aside.
pub fn matched(batch: &Batch, answer: &Answer) -> Matched {
    let (mut pairs, ignored) = gather(batch, answer);
    let mut reasons = Reasons::new();
    let mut hints = BTreeMap::new();
    look_up(batch, &mut pairs, &mut reasons, &mut hints);
    let paired: BTreeSet<SrId> = (pairs.iter().flat_map(|pair| &pair.ids)).copied().collect();
    let mut obsolete = gone(batch, answer, &paired, &mut reasons);
    pairs.sort_by_key(|pair| pair.range.as_ref().map(|range| (range.start, range.end)));
    let joined = intersections(&batch.text, &pairs);
    for (a, b) in joined
        .iter()
        .filter(|joined| !joined.2)
        .map(|joined| (joined.0, joined.1))
    {
        pairs[a].ids.iter().chain(&pairs[b].ids).for_each(|id| {
            reasons.entry(*id).or_default().insert(Reason::Overlap);
        });
    }
    let mut groups = Vec::new();
    for members in closures(&pairs, &joined) {
        let ids: BTreeSet<SrId> = members
            .iter()
            .flat_map(|at| pairs[*at].ids.iter().copied())
            .collect();
        if ids.iter().any(|id| reasons.contains_key(id)) {
            for id in ids {
                reasons.entry(id).or_default().insert(Reason::Group);
            }
            continue;
        }
        let hunks: Vec<Hunk> = members
            .iter()
            .filter_map(|at| {
                Some(Hunk {
                    range: pairs[*at].range.clone()?,
                    new: pairs[*at].new.to_owned(),
                })
            })
            .collect();
        groups.push(Group {
            name: String::new(),
            ids: ids.into_iter().collect(),
            hunks,
        });
    }
    groups.sort_by_key(|group| group.hunks.first().map(|hunk| hunk.range.start));
    for (at, group) in groups.iter_mut().enumerate() {
        group.name = format!("G{}", at + 1);
    }
    obsolete.retain(|id, _| !reasons.contains_key(id));
    for id in &batch.members {
        if !paired.contains(id) && !obsolete.contains_key(id) && !reasons.contains_key(id) {
            reasons.entry(*id).or_default().insert(Reason::NoPair);
        }
    }
    let failed = reasons
        .into_iter()
        .filter_map(|(id, reasons)| Some((id, reasons.into_iter().next()?)))
        .collect();
    Matched {
        groups,
        failed,
        obsolete,
        hints,
        ignored,
    }
}

/// The text with all hunks of some groups in their places; `None` if one would not stand there whole.
pub fn written<'a>(text: &str, groups: impl IntoIterator<Item = &'a Group>) -> Option<String> {
    let mut hunks: Vec<&Hunk> = groups.into_iter().flat_map(|group| &group.hunks).collect();
    hunks.sort_by_key(|hunk| hunk.range.start);
    let mut candidate = String::with_capacity(text.len());
    let mut starts = Vec::new();
    let mut done = 0;
    for (at, hunk) in hunks.iter().enumerate() {
        candidate.push_str(text.get(done..hunk.range.start.max(done))?);
        starts.push(candidate.len());
        // The next one begins with the text that both share, and writes it.
        let shared = (hunks.get(at + 1)).map_or(0, |next| hunk.range.end.saturating_sub(next.range.start));
        candidate.push_str(hunk.new.get(..hunk.new.len().checked_sub(shared)?)?);
        done = hunk.range.end;
    }
    candidate.push_str(text.get(done..)?);
    (hunks.iter().zip(starts))
        .all(|(hunk, start)| candidate[start..].starts_with(&hunk.new))
        .then_some(candidate)
}

/// Turns the entities of both texts of every pair back, for answers that were escaped on their way.
pub fn unescape(answer: &mut Answer) {
    for pair in &mut answer.edits {
        pair.old = unescaped(&pair.old);
        pair.new = unescaped(&pair.new);
    }
}

/// Equal pairs as one, for all ids that may have a pair; and the pairs from which an id was dropped.
fn gather<'a>(batch: &'a Batch, answer: &'a Answer) -> (Vec<Placed<'a>>, Vec<usize>) {
    let mut gathered: BTreeMap<(&str, &str), BTreeSet<SrId>> = BTreeMap::new();
    for (id, edit) in batch.stored.iter().filter(|(id, _)| batch.members.contains(id)) {
        gathered.entry((&edit.old, &edit.new)).or_default().insert(*id);
    }
    let mut ignored = Vec::new();
    for (at, pair) in answer.edits.iter().enumerate() {
        let named: BTreeSet<SrId> = pair.sr_ids.iter().copied().chain(pair.sr_id).collect();
        let ids: BTreeSet<SrId> = named
            .iter()
            .copied()
            .filter(|id| batch.members.contains(id) && !batch.stored.contains_key(id))
            .collect();
        if ids.len() < named.len() || named.is_empty() {
            ignored.push(at);
        }
        if !ids.is_empty() {
            gathered.entry((&pair.old, &pair.new)).or_default().extend(ids);
        }
    }
    let pairs = gathered
        .into_iter()
        .map(|((old, new), ids)| Placed {
            ids,
            old,
            new,
            range: None,
        })
        .collect();
    (pairs, ignored)
}

/// Finds the place of each pair, or why it has none.
fn look_up(batch: &Batch, pairs: &mut [Placed<'_>], reasons: &mut Reasons, hints: &mut BTreeMap<SrId, Hint>) {
    for pair in pairs {
        match place(&batch.text, pair.old, pair.new) {
            Ok(range) => pair.range = Some(range),
            Err(reason) => {
                for id in &pair.ids {
                    reasons.entry(*id).or_default().insert(reason);
                }
                let is_missing = reason == Reason::NotFound;
                if let Some(hint) = is_missing.then(|| diagnosis(&batch.text, pair.old)).flatten() {
                    for id in &pair.ids {
                        hints.entry(*id).or_insert(hint);
                    }
                }
            }
        }
        for id in &pair.ids {
            let decided = batch.rederive.get(id);
            if decided.is_some_and(|decided| !pair.new.contains(decided.as_str())) {
                reasons.entry(*id).or_default().insert(Reason::DecidedTextChanged);
            }
        }
    }
}

/// The members that are proved to be gone.
fn gone(
    batch: &Batch,
    answer: &Answer,
    paired: &BTreeSet<SrId>,
    reasons: &mut Reasons,
) -> BTreeMap<SrId, String> {
    let mut obsolete: BTreeMap<SrId, String> = BTreeMap::new();
    for gone in answer
        .obsolete
        .iter()
        .filter(|gone| batch.members.contains(&gone.sr_id))
    {
        if let Some(reason) = fault_of(batch, gone, paired) {
            reasons.entry(gone.sr_id).or_default().insert(reason);
            continue;
        }
        let best = obsolete
            .entry(gone.sr_id)
            .or_insert_with(|| gone.evidence.clone());
        // Of several proofs the same one is kept in whatever order they came.
        if gone.evidence < *best {
            best.clone_from(&gone.evidence);
        }
    }
    obsolete
}

/// Where a pair stands.
fn place(text: &str, old: &str, new: &str) -> Result<Range<usize>, Reason> {
    if old.is_empty() {
        return Err(Reason::EmptyOld);
    }
    if old == new {
        return Err(Reason::NoChange);
    }
    let finder = memmem::Finder::new(old);
    let start = finder.find(text.as_bytes()).ok_or(Reason::NotFound)?;
    // From the next byte, so that positions that overlap the first one count.
    if finder.find(&text.as_bytes()[start + 1..]).is_some() {
        return Err(Reason::Ambiguous);
    }
    Ok(start..start + old.len())
}

fn diagnosis(text: &str, old: &str) -> Option<Hint> {
    let is_once = |other: &str| other != old && place(text, other, "").is_ok();
    if is_once(&unescaped(old)) {
        return Some(Hint::HtmlEscaped);
    }
    is_once(&old.replace("\r\n", "\n").replace('\n', "\r\n")).then_some(Hint::Crlf)
}

/// Entities turned back once, from left to right.
fn unescaped(text: &str) -> String {
    const ENTITIES: [(&str, char); 5] = [
        ("&lt;", '<'),
        ("&gt;", '>'),
        ("&quot;", '"'),
        ("&#39;", '\''),
        ("&amp;", '&'),
    ];
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let (length, c) = (ENTITIES.iter())
            .find(|(entity, _)| rest.starts_with(entity))
            .map_or((1, '&'), |(entity, c)| (entity.len(), *c));
        plain.push(c);
        rest = &rest[length..];
    }
    plain.push_str(rest);
    plain
}

fn fault_of(batch: &Batch, gone: &Gone, paired: &BTreeSet<SrId>) -> Option<Reason> {
    if paired.contains(&gone.sr_id) {
        Some(Reason::PairAndObsolete)
    } else if batch.found.contains(&gone.sr_id) {
        Some(Reason::ObsoleteButFound)
    } else if gone.evidence.trim().is_empty()
        || memmem::find(batch.text.as_bytes(), gone.evidence.as_bytes()).is_none()
    {
        Some(Reason::NoEvidence)
    } else {
        None
    }
}

/// The pairs whose ranges share a byte, and whether both may land. `pairs` are in the order of the text.
fn intersections(text: &str, pairs: &[Placed<'_>]) -> Vec<(usize, usize, bool)> {
    let placed: Vec<(usize, Range<usize>)> = (pairs.iter().enumerate())
        .filter_map(|(at, pair)| Some((at, pair.range.clone()?)))
        .collect();
    let mut joined = Vec::new();
    for (nth, (a, left)) in placed.iter().enumerate() {
        for (b, right) in placed[nth + 1..]
            .iter()
            .take_while(|(_, right)| right.start < left.end)
        {
            let is_partial = left.start < right.start && left.end < right.end;
            let shared = &text.as_bytes()[right.start..left.end.min(right.end)];
            let is_kept =
                pairs[*a].new.as_bytes().ends_with(shared) && pairs[*b].new.as_bytes().starts_with(shared);
            joined.push((*a, *b, is_partial && is_kept));
        }
    }
    let range = |at: usize| pairs[at].range.clone().unwrap_or_default();
    let shared = |a: usize, b: usize| range(b).start..range(a).end.min(range(b).end);
    let agreed = joined.clone();
    for (a, b, may_land) in &mut joined {
        let both = shared(*a, *b);
        let is_third = |at: usize| {
            let third = range(at);
            at != *a && at != *b && third.start < both.end && both.start < third.end
        };
        // Whoever covers shared text intersects both pairs, so it is among the intersections of either.
        let is_crowded = (agreed.iter())
            .filter(|(c, d, _)| [*c, *d].iter().any(|at| at == a || at == b))
            .any(|(c, d, _)| is_third(*c) || is_third(*d));
        let has_room = [*a, *b].into_iter().all(|at| {
            let sides: usize = (agreed.iter())
                .filter(|(c, d, _)| *c == at || *d == at)
                .map(|(c, d, _)| shared(*c, *d).len())
                .sum();
            sides <= pairs[at].new.len()
        });
        *may_land = *may_land && !is_crowded && has_room;
    }
    joined
}

/// The pairs that stand or fall together: through an id of both, or through a byte of both.
fn closures(pairs: &[Placed<'_>], joined: &[(usize, usize, bool)]) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..pairs.len()).collect();
    let mut links: Vec<(usize, usize)> = joined.iter().map(|(a, b, _)| (*a, *b)).collect();
    let mut first: BTreeMap<SrId, usize> = BTreeMap::new();
    for (at, pair) in pairs.iter().enumerate() {
        for id in &pair.ids {
            links.push((*first.entry(*id).or_insert(at), at));
        }
    }
    for (a, b) in links {
        let (a, b) = (top(&mut root, a), top(&mut root, b));
        root[a.max(b)] = a.min(b);
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..pairs.len() {
        let key = top(&mut root, at);
        groups.entry(key).or_default().push(at);
    }
    groups.into_values().collect()
}

/// The first of a set, paths to it shortened on the way.
fn top(root: &mut [usize], mut at: usize) -> usize {
    while root[at] != at {
        root[at] = root[root[at]];
        at = root[at];
    }
    at
}
