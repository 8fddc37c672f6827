//! What holds between any two trees: nothing from nothing, mirrored roles, no panic.

use std::collections::BTreeSet;

use git_review_gate::model::baseline::SurfaceMode;
use git_review_gate::model::fact::{Fact, FactKind};
use proptest::prelude::*;
use proptest::sample::select;

use super::support::{Files, difference};

/// An item with one of a few names and bodies, so that two random files have much in common.
fn item() -> impl Strategy<Value = String> {
    let name = select(vec!["f", "g", "h", "k"]);
    let file = select(vec!["a", "b"]);
    let type_name = select(vec!["A", "B", "C"]);
    let body = select(vec![
        "{ 1 }",
        "{ x() + y(2) - z }",
        "{ let q = f(1); let r = q + g(2) * 3; assert!(r > 4); r }",
        "{ assert_eq!(f(1), 2); assert!(g(3)); return; }",
    ]);
    let public = select(vec!["pub ", "", "pub(crate) "]);
    let mark = select(vec!["", "#[ignore]", "#[cfg(unix)]", "#[should_panic]"]);
    prop_oneof![
        4 => (public.clone(), name.clone(), body.clone()).prop_map(|(p, n, b)| format!("{p}fn {n}() {b}\n")),
        4 => (mark, name.clone(), body.clone()).prop_map(|(m, n, b)| format!("{m} #[test] fn {n}() {b}\n")),
        2 => (public.clone(), type_name, name.clone(), body.clone())
            .prop_map(|(p, t, n, b)| format!("{p}struct {t} {{ pub f: u8 }}\nimpl {t} {{ pub fn {n}() {b} }}\n")),
        1 => (public.clone(), select(vec!["T", "U"]), name.clone())
            .prop_map(|(p, t, n)| format!("{p}trait {t} {{ fn {n}(&self); fn z(&self) {{}} }}\n")),
        1 => (public.clone(), select(vec!["m", "n"]), name.clone(), body)
            .prop_map(|(p, m, n, b)| format!("{p}mod {m} {{ pub fn {n}() {b} #[test] fn t() {b} }}\n")),
        1 => (public.clone(), file).prop_map(|(p, n)| format!("{p}mod {n};\n")),
        1 => (public, select(vec!["a", "b", "m", "n"]), name)
            .prop_map(|(p, m, n)| format!("{p}use crate::{m}::{n};\n")),
    ]
}

fn tree() -> impl Strategy<Value = Files> {
    let text = || {
        prop::collection::vec(item(), 0..7).prop_map(|items| {
            // Types and modules of one name do not compile; functions may stand under conditions.
            let mut seen = BTreeSet::new();
            let mut once = |item: &String| {
                let words: Vec<&str> = item
                    .split(['{', ';'])
                    .next()
                    .unwrap()
                    .split_whitespace()
                    .collect();
                let name = words
                    .iter()
                    .skip_while(|word| !["struct", "trait", "mod"].contains(word))
                    .nth(1);
                name.is_none_or(|name| seen.insert((*name).to_owned()))
            };
            items.into_iter().filter(|item| once(item)).collect::<String>()
        })
    };
    (text(), prop::option::of(text()), prop::option::of(text())).prop_map(|(library, a, b)| {
        let mut files = vec![("src/lib.rs", library)];
        files.extend(a.map(|text| ("src/a.rs", text)));
        files.extend(b.map(|text| ("src/b.rs", text)));
        Files::new(&files)
    })
}

fn keys(facts: &[Fact], kinds: &[FactKind]) -> BTreeSet<String> {
    facts
        .iter()
        .filter(|fact| kinds.contains(&fact.kind))
        .map(|fact| fact.key.clone())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// What is removed one way is added the other way; and nothing differs from itself.
    #[test]
    fn swapped_roles_mirror(before in tree(), after in tree()) {
        prop_assert_eq!(difference(&before, &before, SurfaceMode::Declared).facts, vec![]);
        let there = difference(&before, &after, SurfaceMode::Declared).facts;
        let back = difference(&after, &before, SurfaceMode::Declared).facts;
        // What was narrowed, unlinked or re-exported comes back as new, though its code was always there.
        let gone = [FactKind::TestRemoved, FactKind::ApiRemoved];
        let came = [FactKind::TestAdded, FactKind::ApiAdded];
        let weaker = [FactKind::TestUnlinked, FactKind::ApiNarrowed, FactKind::ApiReexported];
        for (one, other) in [(&there, &back), (&back, &there)] {
            let removed = keys(one, &gone);
            let added = keys(other, &came);
            prop_assert!(removed.is_subset(&added), "{:?} not in {:?}", removed, added);
            let mut explained = removed;
            for fact in one.iter().filter(|fact| weaker.contains(&fact.kind)) {
                explained.insert(fact.key.clone());
            }
            prop_assert!(added.is_subset(&explained), "{:?} not in {:?}", added, explained);
        }
        let moved = [FactKind::TestMoved, FactKind::TestRenamed];
        let names = |facts: &[Fact], back: bool| -> BTreeSet<(FactKind, String, String)> {
            let moves = facts.iter().filter(|fact| moved.contains(&fact.kind));
            moves
                .map(|fact| {
                    let (from, to) = (fact.key.clone(), fact.to_key.clone().unwrap_or_default());
                    if back { (fact.kind, to, from) } else { (fact.kind, from, to) }
                })
                .collect()
        };
        prop_assert_eq!(names(&there, false), names(&back, true));
    }
}
