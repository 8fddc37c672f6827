//! Facts on public symbols.

use git_review_gate::model::baseline::{SurfaceMode, UnmeasuredReason};

use super::support::{Files, difference};
use super::{facts, library};

/// A body long enough to be recognised anywhere.
const LONG: &str = "{ let a = x + 1; let b = a * 2; let c = b - 3; c * a * b }";

fn long(head: &str) -> String {
    format!("{head} {LONG}\n")
}

#[test]
fn a_name_a_place_or_both_change() {
    let old = long("pub fn a(x: u32) -> u32");
    assert_eq!(
        library(&old, &long("pub fn b(x: u32) -> u32")),
        ["api-renamed crate#fn a -> crate#fn b"]
    );
    // A partner that is not public.
    assert_eq!(
        library(&old, &long("fn b(x: u32) -> u32")),
        ["api-narrowed crate#fn a -> crate#fn b"]
    );
    // Short bodies do not identify anything elsewhere, not even nearby below three tokens.
    assert_eq!(
        library("pub fn a() -> u8 { 1 }", "pub fn b() -> u8 { 1 }"),
        ["api-removed crate#fn a", "api-added crate#fn b"]
    );
    assert_eq!(
        library(
            "pub fn a() -> u8 { 1 + 1 }",
            "pub mod m { pub fn a() -> u8 { 1 + 1 } }"
        ),
        ["api-moved crate#fn a -> crate::m#fn a", "api-added crate#mod m"]
    );
    assert_eq!(
        library(
            "pub fn a() -> u8 { 1 + 1 }",
            "pub mod m { pub fn b() -> u8 { 1 + 1 } }"
        ),
        ["api-removed crate#fn a", "api-added crate#mod m"]
    );
    // Two candidates are none.
    assert_eq!(
        library(
            &old,
            &format!(
                "{}{}",
                long("pub fn b(x: u32) -> u32"),
                long("pub fn c(x: u32) -> u32")
            )
        ),
        [
            "api-removed crate#fn a",
            "api-added crate#fn b",
            "api-added crate#fn c"
        ]
    );
    // Own names count as one placeholder.
    assert_eq!(
        library(
            "pub fn a(x: u8) { if x > 0 { a(x - 1) } }",
            "pub fn z(x: u8) { if x > 0 { z(x - 1) } }"
        ),
        ["api-renamed crate#fn a -> crate#fn z"]
    );
    // Another kind under the same name.
    assert_eq!(
        library("pub struct A;", "pub fn A() {}"),
        ["api-changed crate#struct A -> crate#fn A"]
    );
}

#[test]
fn containers_stand_for_their_members() {
    let cart = "pub struct Cart { pub a: u8, pub b: u8 }\nimpl Cart { pub fn sum(&self) -> u8 { self.a + self.b } }\n\
                impl Clone for Cart { fn clone(&self) -> Self { Cart { a: self.a, b: self.b } } }\n";
    let with = |surface: &str| {
        difference(
            &Files::new(&[("src/lib.rs", &format!("pub fn x() {{}}\n{cart}"))]),
            &Files::new(&[("src/lib.rs", &format!("pub fn x() {{}}\n{surface}"))]),
            SurfaceMode::Reachable,
        )
    };
    for (surface, kind) in [
        ("", "api-removed"),
        (&cart.replace("pub struct", "struct"), "api-narrowed"),
    ] {
        let found = with(surface);
        let [fact] = found.facts.as_slice() else {
            panic!("{:#?}", found.facts)
        };
        assert_eq!(
            (fact.kind.word(), fact.key.as_str()),
            (kind, "rust:crate#struct Cart")
        );
        assert_eq!(fact.detail.members, Some(4), "{surface}");
    }
    // The other way round.
    let found = difference(
        &Files::new(&[("src/lib.rs", "")]),
        &Files::new(&[("src/lib.rs", cart)]),
        SurfaceMode::Reachable,
    );
    assert_eq!(found.facts.len(), 1, "{:#?}", found.facts);
    assert_eq!(found.facts[0].detail.members, Some(4));
    // A renamed container takes its members along; only real differences are reported.
    let basket = cart
        .replace("Cart", "Basket")
        .replace("pub fn sum", "pub fn total");
    assert_eq!(
        library(cart, &basket),
        [
            "api-renamed crate#impl Cart > fn sum -> crate#impl Basket > fn total",
            "api-renamed crate#struct Cart -> crate#struct Basket",
        ]
    );
    // A module goes with all that it holds.
    assert_eq!(
        library(
            "pub mod m { pub fn a() {} pub mod n { pub struct S { pub f: u8 } } }",
            ""
        ),
        ["api-removed crate#mod m"]
    );
}

#[test]
fn overloads_are_told_apart_by_signature() {
    let both = "#[cfg(unix)] pub fn open(x: u8) {}\n#[cfg(windows)] pub fn open(x: u16) {}\n";
    let swapped = "#[cfg(windows)] pub fn open(x: u16) {}\n#[cfg(unix)] pub fn open(x: u8) {}\n";
    assert_eq!(library(both, swapped), [""; 0]);
    assert_eq!(
        library(both, "#[cfg(windows)] pub fn open(x: u16) {}\n"),
        ["api-removed crate#fn open@1"]
    );
}

#[test]
fn old_names_may_still_work() {
    let body = long("pub fn cents(x: u64) -> u64");
    let shorter = |text: &str| text.to_owned();
    let new_place = [
        ("src/lib.rs", shorter("pub mod money;\npub use money::*;")),
        ("src/money.rs", body.clone()),
    ];
    let as_tree = |files: &[(&str, String)]| {
        Files(
            files
                .iter()
                .map(|(path, text)| (path.as_bytes().to_vec(), text.clone().into_bytes()))
                .collect(),
        )
    };
    let old = [
        ("src/lib.rs", format!("pub mod money;\n{body}")),
        ("src/money.rs", shorter("")),
    ];
    let words = |before: &Files, after: &Files| {
        let found = difference(before, after, SurfaceMode::Reachable);
        let facts = found
            .facts
            .iter()
            .map(|fact| format!("{} {}", fact.kind.word(), fact.key));
        (
            facts.collect::<Vec<_>>(),
            found.unmeasured.iter().map(|it| it.reason).collect::<Vec<_>>(),
        )
    };
    // A wildcard, and a name that changed on the way.
    assert_eq!(
        words(&as_tree(&old), &as_tree(&new_place)).0,
        ["api-reexported rust:crate#fn cents"]
    );
    let mut changed = new_place.clone();
    changed[1].1 = changed[1].1.replace("x: u64", "x: u32");
    assert_eq!(
        words(&as_tree(&old), &as_tree(&changed)).0,
        ["api-changed rust:crate#fn cents"]
    );
    // The other way round nothing is removed.
    let back = words(&as_tree(&new_place), &as_tree(&old)).0;
    assert!(
        !back
            .iter()
            .any(|fact| fact.starts_with("api-removed rust:crate#fn")),
        "{back:?}"
    );
    // A wildcard into an unchanged file, and into something that is not there.
    let old = [
        ("src/lib.rs", "mod kept;\npub fn gone() {}\npub fn lost() {}"),
        ("src/kept.rs", "pub fn gone() {}"),
    ];
    let new = [
        ("src/lib.rs", "mod kept;\npub use kept::*;"),
        ("src/kept.rs", "pub fn gone() {}"),
    ];
    assert_eq!(
        facts(&old, &new),
        ["api-removed crate#fn lost", "api-reexported crate#fn gone"]
    );
    let unknown = [("src/lib.rs", "pub use other_crate::*;")];
    let (found, unmeasured) = words(
        &Files::new(&[("src/lib.rs", "pub fn gone() {}")]),
        &Files::new(&unknown),
    );
    assert!(!found.iter().any(|fact| fact.contains("removed")), "{found:?}");
    assert_eq!(unmeasured, [UnmeasuredReason::UnresolvedExport]);
}

#[test]
fn renamed_files_move_what_they_hold() {
    let money = "pub struct Coin { pub cents: u64 }\nimpl Coin { pub fn new() -> Self { Coin { cents: 0 } } }\n\
                 pub const ZERO: u8 = 0;\n";
    assert_eq!(
        facts(
            &[("src/lib.rs", "pub mod money;"), ("src/money.rs", money)],
            &[("src/lib.rs", "pub mod cash;"), ("src/cash.rs", money)],
        ),
        [
            "api-moved crate::money#const ZERO -> crate::cash#const ZERO",
            "api-moved crate::money#struct Coin -> crate::cash#struct Coin",
            "api-renamed crate#mod money -> crate#mod cash",
        ]
    );
    assert_eq!(
        facts(
            &[("src/lib.rs", "pub mod money;"), ("src/money.rs", money)],
            &[("src/lib.rs", "pub mod money;"), ("src/money/mod.rs", money)],
        ),
        [""; 0]
    );
    // Gone without anything to lose.
    assert_eq!(
        facts(
            &[("src/lib.rs", "mod a;"), ("src/a.rs", "fn private() {}")],
            &[("src/lib.rs", "")]
        ),
        ["source-removed file:src/a.rs"]
    );
}

#[test]
fn a_new_trait_method_is_required_and_similar_code_is_named() {
    let found = difference(
        &Files::new(&[("src/lib.rs", "pub trait T { fn a(&self); }")]),
        &Files::new(&[(
            "src/lib.rs",
            "pub trait T { fn a(&self); fn b(&self); fn c(&self) {} }",
        )]),
        SurfaceMode::Reachable,
    );
    let required: Vec<_> = found
        .facts
        .iter()
        .map(|fact| (fact.key.as_str(), fact.detail.required))
        .collect();
    assert_eq!(
        required,
        [
            ("rust:crate#trait T > fn b", Some(true)),
            ("rust:crate#trait T > fn c", None)
        ]
    );
    let found = difference(
        &Files::new(&[("src/lib.rs", &long("pub fn a(x: u32) -> u32"))]),
        &Files::new(&[("src/lib.rs", &long("pub fn b(x: u64) -> u64"))]),
        SurfaceMode::Reachable,
    );
    assert_eq!(
        found.facts[0].detail.candidate.as_deref(),
        Some("rust:crate#fn b")
    );
}
