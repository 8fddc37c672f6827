//! What a removed unit may have become: the most similar of the new ones, as a remark only.

use std::cell::OnceCell;

use foldhash::{HashMap, HashMapExt as _};

use super::Input;
use super::side::{Item, Side};

/// More comparisons than this are not made; the remark is left out then.
const MAX_COMPARISONS: usize = 250_000;

/// Units of fewer tokens look alike without meaning it.
const MIN_TOKENS: usize = 8;

/// For each of the items before: the item after that shares at least 80 % of the tokens, the most similar first found.
pub(super) fn candidates(
    input: &Input<'_>,
    (before, lost): (&Side<'_>, &[usize]),
    (after, new): (&Side<'_>, &[usize]),
) -> HashMap<usize, usize> {
    if lost.len().saturating_mul(new.len()) > MAX_COMPARISONS || new.is_empty() {
        return HashMap::new();
    }
    let new: Vec<(&Item<'_>, usize, OnceCell<Vec<u64>>)> = new
        .iter()
        .map(|at| (&after.items[*at], *at, OnceCell::new()))
        .collect();
    let mut found = HashMap::new();
    for at in lost {
        let item = &before.items[*at];
        let own: OnceCell<Vec<u64>> = OnceCell::new();
        let mut best: Option<(usize, usize)> = None;
        for (other, number, tokens_of) in new.iter().filter(|(other, ..)| comparable(item, other)) {
            let own = own.get_or_init(|| tokens(input, item));
            let tokens = tokens_of.get_or_init(|| tokens(input, other));
            let longer = own.len().max(tokens.len());
            if own.len().min(tokens.len()) * 5 < longer * 4 || longer < MIN_TOKENS {
                continue;
            }
            let share = shared(own, tokens) * 1000 / longer;
            if share >= 800 && best.is_none_or(|(most, _)| share > most) {
                best = Some((share, *number));
            }
        }
        if let Some((_, other)) = best {
            found.insert(*at, other);
        }
    }
    found
}

/// Whether a closer look at two units may find them similar.
fn comparable(old: &Item<'_>, new: &Item<'_>) -> bool {
    // A test may have become a function that nobody runs; other kinds do not turn into each other.
    let same_kind = new.unit.segment.kind == old.unit.segment.kind;
    if !same_kind && (new.is_public() || !old.is_test()) {
        return false;
    }
    // Bodies are most of a unit: what differs much in length there will not share its tokens.
    match (&old.unit.body, &new.unit.body) {
        (Some(old), Some(new)) => {
            let (shorter, longer) = (old.tokens.min(new.tokens), old.tokens.max(new.tokens));
            u64::from(shorter) * 2 + 16 >= u64::from(longer)
        }
        _ => true,
    }
}

/// The tokens of a unit, sorted.
fn tokens(input: &Input<'_>, item: &Item<'_>) -> Vec<u64> {
    let mut tokens = input.scanner.tokens(item.file.bytes, item.unit.bytes.clone());
    tokens.sort_unstable();
    tokens
}

/// How many elements two sorted lists share, counted with repetition.
pub(super) fn shared(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                i += 1;
                j += 1;
            }
        }
    }
    count
}
