//! Facts about links, submodules and modes: nothing is looked into.

use super::measure::{Pair, Part};
use crate::model::change::EntryKind;
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::key::{file_key, path_text};

/// States what differs in the entries of a pair themselves.
pub(super) fn compare(pair: &Pair) -> Vec<Fact> {
    let kind = |part: &Option<Part>| part.as_ref().map(|part| part.entry.kind);
    let (before, after) = (kind(&pair.before), kind(&pair.after));
    let path = [&pair.before, &pair.after]
        .into_iter()
        .flatten()
        .next()
        .map_or(&[][..], |part| &part.entry.path);
    let mut facts = Vec::new();
    let mut state = |kind: FactKind| {
        let mut fact = Fact::new(kind, file_key(path), path_text(path));
        let span = |part: &Option<Part>| {
            let entry = &part.as_ref()?.entry;
            let text = match entry.kind {
                EntryKind::File => "100644".to_owned(),
                EntryKind::Executable => "100755".to_owned(),
                EntryKind::Link => format!("120000 {}", entry.id),
                EntryKind::Submodule => format!("160000 {}", entry.id),
            };
            Some(Span::new(1, 1, &text))
        };
        fact.before = span(&pair.before);
        fact.after = span(&pair.after);
        if let (Some(before), Some(after)) = (&pair.before, &pair.after)
            && before.entry.path != after.entry.path
        {
            fact.to_path = Some(path_text(&after.entry.path));
            fact.to_key = Some(file_key(&after.entry.path));
        }
        facts.push(fact);
    };
    for (opaque, kind) in [
        (EntryKind::Link, FactKind::SymlinkChanged),
        (EntryKind::Submodule, FactKind::SubmoduleChanged),
    ] {
        if before == Some(opaque) || after == Some(opaque) {
            state(kind);
        }
    }
    if let (Some(before), Some(after)) = (before, after)
        && before.is_file()
        && after.is_file()
        && before != after
    {
        state(FactKind::ModeChanged);
    }
    facts
}
