//! Unchanged files that are looked at another way since a file beside them came or went.

use std::collections::BTreeSet;

use super::lang::scanner;
use super::measure::{Content, Context, Pair, Part};
use super::paths::Class;
use super::source::{ReadFault, Tree};
use crate::model::change::{Entry, EntryKind};

/// The files that the changed ones speak for, or spoke for, and that did not change themselves.
///
/// A changed file that no pair holds was left out by a rule or a filter, which decides here too.
pub(super) fn of(pairs: &[Pair], context: &Context<'_>) -> Vec<Pair> {
    let sides = |pair| -> [Option<&Part>; 2] { sides(pair) };
    let changed: BTreeSet<&[u8]> = pairs.iter().flat_map(sides).flatten().map(path).collect();
    let mut found: Vec<Pair> = Vec::new();
    for pair in pairs {
        let Class::Code(language) = pair.class else {
            continue;
        };
        let [before, after] = sides(pair);
        let came_or_went = before.map(path) != after.map(path);
        let Some(scanner) = scanner(language).filter(|_| came_or_went) else {
            continue;
        };
        for part in [before, after].into_iter().flatten() {
            let spoken_for = scanner.speaks_for(path(part));
            if let Some(neighbour) = spoken_for.filter(|path| !changed.contains(&path[..])) {
                found.extend(unchanged(&neighbour, part, pair.class, context));
            }
        }
    }
    found.sort_by(|a, b| a.before.as_ref().map(path).cmp(&b.before.as_ref().map(path)));
    found.dedup_by(|a, b| a.before.as_ref().map(path) == b.before.as_ref().map(path));
    found
}

/// The sides of a pair on which it is a file: a link beside a file speaks for nothing.
fn sides(pair: &Pair) -> [Option<&Part>; 2] {
    [&pair.before, &pair.after].map(|part| part.as_ref().filter(|part| part.entry.kind.is_file()))
}

fn path(part: &Part) -> &[u8] {
    &part.entry.path
}

/// The file at `path`, where both trees have it and it is the same; what cannot be read is undecided later.
fn unchanged(path: &[u8], beside: &Part, class: Class, context: &Context<'_>) -> Option<Pair> {
    let part = |content| Part {
        entry: Entry {
            path: path.to_vec(),
            kind: EntryKind::File,
            id: beside.entry.id,
        },
        content,
        package: beside.package.clone(),
    };
    let part = match both(path, context) {
        Ok(bytes) => part(Content::Bytes(bytes?)),
        Err(fault) => part(Content::Fault(fault)),
    };
    Some(Pair {
        class,
        before: Some(part.clone()),
        after: Some(part),
        unchanged: true,
    })
}

/// The bytes that a path has in both trees; `None` where it is not the same file in both.
fn both(path: &[u8], context: &Context<'_>) -> Result<Option<Vec<u8>>, ReadFault> {
    let (before, after): (&dyn Tree, &dyn Tree) = (context.before, context.after);
    let (old, new) = (before.id(path)?, after.id(path)?);
    if old.is_none() || old != new {
        return Ok(None);
    }
    after.read(path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::ids::Oid;
    use crate::model::policy::Policy;
    use crate::structure::language::Language;
    use crate::structure::pairing::Settings;

    /// Files by path; one with the text `damaged` cannot be read.
    struct Files(BTreeMap<&'static [u8], &'static str>);

    impl Tree for Files {
        fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
            match self.0.get(path) {
                Some(&"damaged") => Err(ReadFault::Damaged("zlib".to_owned())),
                other => Ok(other.map(|text| text.as_bytes().to_vec())),
            }
        }

        fn files_below(&self, _folder: &[u8], _suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
            Ok(Vec::new())
        }
    }

    /// The neighbours of a stub that came, with a module of these texts beside it.
    fn beside_a_new_stub(before: Option<&'static str>, after: Option<&'static str>) -> Vec<Pair> {
        let tree =
            |text: Option<&'static str>| Files(text.map(|text| (&b"a.py"[..], text)).into_iter().collect());
        let stub = Part {
            entry: Entry {
                path: b"a.pyi".to_vec(),
                kind: EntryKind::File,
                id: Oid::from_bytes(&[1; 20]).unwrap(),
            },
            content: Content::Bytes(Vec::new()),
            package: None,
        };
        let pair = Pair {
            class: Class::Code(Language::of_path(b"a.pyi").unwrap()),
            before: None,
            after: Some(stub),
            unchanged: false,
        };
        let context = Context {
            before: &tree(before),
            after: &tree(after),
            policy: &Policy::default(),
            head_policy: None,
            settings: Settings::default(),
        };
        of(&[pair], &context)
    }

    #[test]
    fn the_same_file_in_both_trees_is_a_neighbour() {
        let found = beside_a_new_stub(Some("def a(): ..."), Some("def a(): ..."));
        let [pair] = &found[..] else { panic!("{found:?}") };
        assert!(pair.unchanged);
        for part in [&pair.before, &pair.after] {
            assert!(
                matches!(&part.as_ref().unwrap().content, Content::Bytes(bytes) if bytes == b"def a(): ...")
            );
        }
    }

    #[test]
    fn one_that_cannot_be_read_on_either_side_is_undecided() {
        for (before, after) in [("damaged", "x = 1"), ("x = 1", "damaged"), ("damaged", "damaged")] {
            let found = beside_a_new_stub(Some(before), Some(after));
            let [pair] = &found[..] else { panic!("{found:?}") };
            assert!(matches!(pair.after.as_ref().unwrap().content, Content::Fault(_)));
        }
    }

    #[test]
    fn one_that_differs_or_is_on_one_side_only_was_left_out_before() {
        for (before, after) in [
            (Some("x = 1"), Some("x = 2")),
            (Some("x = 1"), None),
            (None, Some("x = 1")),
            (None, None),
        ] {
            assert!(beside_a_new_stub(before, after).is_empty());
        }
    }
}
