//! Unchanged files that are looked at another way since a file beside them came or went.

use std::collections::BTreeSet;

use super::lang::scanner;
use super::measure::{Content, Context, Pair, Part};
use super::paths::Class;
use crate::model::change::{Entry, EntryKind};

/// The files that the changed ones speak for, or spoke for, and that did not change themselves.
pub(super) fn of(pairs: &[Pair], context: &Context<'_>) -> Vec<Pair> {
    let changed: BTreeSet<&[u8]> = pairs.iter().flat_map(sides).map(path).collect();
    let mut found: Vec<Pair> = Vec::new();
    for pair in pairs {
        let Class::Code(language) = pair.class else {
            continue;
        };
        let same_path = pair.before.as_ref().map(path) == pair.after.as_ref().map(path);
        let Some(scanner) = scanner(language).filter(|_| !same_path) else {
            continue;
        };
        for part in sides(pair) {
            let spoken_for = scanner.speaks_for(path(part));
            if let Some(neighbour) = spoken_for.filter(|path| !changed.contains(&path[..])) {
                found.extend(unchanged(neighbour, part, pair.class, context));
            }
        }
    }
    found.sort_by(|a, b| a.before.as_ref().map(path).cmp(&b.before.as_ref().map(path)));
    found.dedup_by(|a, b| a.before.as_ref().map(path) == b.before.as_ref().map(path));
    found
}

fn sides(pair: &Pair) -> impl Iterator<Item = &Part> {
    [&pair.before, &pair.after].into_iter().flatten()
}

fn path(part: &Part) -> &[u8] {
    &part.entry.path
}

/// The file at `path` on both sides, where it is one; what cannot be read is undecided later.
fn unchanged(path: Vec<u8>, beside: &Part, class: Class, context: &Context<'_>) -> Option<Pair> {
    let id = context.after.id(&path).ok().flatten()?;
    let content = match context.after.read(&path) {
        Ok(bytes) => Content::Bytes(bytes?),
        Err(fault) => Content::Fault(fault),
    };
    let part = Part {
        entry: Entry {
            path,
            kind: EntryKind::File,
            id,
        },
        content,
        package: beside.package.clone(),
    };
    Some(Pair {
        class,
        before: Some(part.clone()),
        after: Some(part),
        unchanged: true,
    })
}
