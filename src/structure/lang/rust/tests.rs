//! What the scanner makes of small files: units, visibility, signatures, tests, marks and imports.

use super::*;
use crate::model::baseline::UnmeasuredReason;

fn outline(path: &str, source: &str) -> FileOutline {
    Rust.outline(source.as_bytes(), path.as_bytes(), &Options::default())
        .unwrap_or_else(|fault| panic!("{source}: {fault:?}"))
}

/// All units as `pub module#chain > kind name`, one a line; `pub` for public ones.
fn units(path: &str, source: &str) -> Vec<String> {
    outline(path, source)
        .units
        .iter()
        .map(|unit| {
            let mut text = String::new();
            if unit.visibility == Visibility::Public {
                text.push_str("pub ");
            }
            text.push_str(&key(unit));
            text
        })
        .collect()
}

fn key(unit: &Unit) -> String {
    let segments: Vec<String> = unit
        .chain
        .iter()
        .chain([&unit.segment])
        .map(|segment| format!("{} {}", segment.kind, segment.name))
        .collect();
    format!("{}#{}", unit.module, segments.join(" > "))
}

fn signature(source: &str) -> u64 {
    outline("src/lib.rs", source).units[0].signature
}

#[test]
fn units_of_all_kinds() {
    for (source, expected) in [
        (
            "pub fn a() {} fn b() {} pub(crate) fn c() {}",
            "pub crate#fn a|crate#fn b|crate#fn c",
        ),
        (
            "pub struct S<T: A<B>>(pub u8, T) where T: Fn(u8) -> u8; pub struct U;",
            "pub crate#struct S|pub crate#struct S > field 0|crate#struct S > field 1|pub crate#struct U",
        ),
        (
            "pub struct S { pub a: HashMap<u8, u8>, b: fn(a: u8) -> u8, pub(crate) c: u8 } struct P { pub x: u8 }",
            "pub crate#struct S|pub crate#struct S > field a|crate#struct S > field b|crate#struct S > field c|crate#struct P|crate#struct P > field x",
        ),
        (
            "pub enum E { A = 1 << 2, B { x: u8 }, #[doc(hidden)] C(u8) }",
            "pub crate#enum E|pub crate#enum E > variant A|pub crate#enum E > variant B|crate#enum E > variant C",
        ),
        (
            "pub unsafe auto trait T: Sized { const C: u8; type A; fn f(&self) where Self: Sized; fn g() {} }",
            "pub crate#trait T|pub crate#trait T > const C|pub crate#trait T > type A|pub crate#trait T > fn f|pub crate#trait T > fn g",
        ),
        (
            "pub union N { pub a: u8 } fn union() {}",
            "pub crate#union N|pub crate#union N > field a|crate#fn union",
        ),
        (
            "pub const A: [u8; { 1 < 2 } as usize] = x; const _: () = { fn no() {} }; pub static mut B: u8 = 0; pub type C<T> = D<T>;",
            "pub crate#const A|pub crate#static B|pub crate#type C",
        ),
        (
            "pub mod m { pub fn a() {} mod n { pub fn b() {} } pub mod o; } pub fn z() {}",
            "pub crate#mod m|pub crate::m#fn a|crate::m#mod n|crate::m::n#fn b|pub crate::m#mod o|pub crate#fn z",
        ),
        (
            "impl<T> a::S<T> { pub const unsafe fn f() {} fn g() {} } pub struct S<T>; impl Q { pub fn h() {} } struct Q;",
            "pub crate#impl S > fn f|crate#impl S > fn g|pub crate#struct S|crate#impl Q > fn h|crate#struct Q",
        ),
        (
            "#[derive(Clone, fmt::Debug)] pub struct S; impl<'a> From<&'a str> for S { fn from(s: &'a str) -> S { S } } \
             impl Iterator for &mut S {} impl Private for S {} trait Private {} impl X for Other {}",
            "pub crate#struct S|pub crate#impl Clone for S|pub crate#impl Debug for S|pub crate#impl From<&'a str> for S|\
             crate#impl From<&'a str> for S > fn from|pub crate#impl Iterator for &mut S|crate#impl Private for S|\
             crate#trait Private|crate#impl X for Other",
        ),
        (
            "extern \"C\" { pub fn f(a: u8, ...); static S: u8; } pub extern \"C\" fn g() {} pub extern crate alloc as a;",
            "pub crate#fn f|crate#static S|pub crate#fn g|pub crate#use a",
        ),
        (
            "mod m { #[macro_export] macro_rules! ex { ($x:expr) => { fn no() {} }; } macro_rules! local { () => {} } }",
            "crate#mod m|pub crate#macro ex|crate::m#macro local",
        ),
        (
            "pub use a::{b, c::{self, d as e}, f::*, g as _}; use h;",
            "pub crate#use b|pub crate#use c|pub crate#use e|pub crate#use a::f::*",
        ),
        (
            "#[cfg(test)] pub fn a() {} #[doc(hidden)] pub fn b() {} #[cfg(all(test, x))] pub mod m { pub fn c() {} }",
            "crate#fn a|crate#fn b|crate#mod m|crate::m#fn c",
        ),
        (
            "; a::b!(x); fn r#fn() {} { fn no() {} } let x = 1;",
            "crate#fn r#fn",
        ),
        (
            "#[proc_macro_derive(Thing)] pub fn thing(i: T) -> T { i }",
            "pub crate#fn thing",
        ),
    ] {
        assert_eq!(units("src/lib.rs", source).join("|"), expected, "{source}");
    }
    assert_eq!(units("src/main.rs", "pub fn a() {}"), ["bin#fn a"]);
    assert_eq!(units("benches/x.rs", "pub fn a() {}"), ["benches::x#fn a"]);
}

#[test]
fn tests_are_found_wherever_they_are_written() {
    for (source, expected) in [
        (
            "#[test] fn a() {} #[tokio::test] async fn b() {} #[rstest] fn c() {}",
            "test a|test b|test c",
        ),
        (
            "#[cfg(test)] fn a() {} #[test_log::test(x)] fn b() {} #[cfg_attr(x, test)] fn c() {}",
            "fn a|test b|test c",
        ),
        (
            "proptest! { #![proptest_config(X)] fn helper() {} #[test] fn a(x in 0..3, y: u8) { fn no() {} } mod m { #[test] fn b() {} } #[test] fn c() {} }",
            "fn helper|test a|mod m|test b|test c",
        ),
        (
            "macro_rules! t { ($n:ident, $e:expr) => { #[test] fn $n() { $e } } } t!(a, 1); t! { b, 2 } other!(c); mod m { t![d]; }",
            "macro t|test a|test b|mod m|test d",
        ),
        (
            "macro_rules! f { ($n:ident) => { fn $n() { #[test] fn x() {} } } } f!(a);",
            "macro f",
        ),
    ] {
        let found: Vec<String> = outline("tests/x.rs", source)
            .units
            .iter()
            .map(|unit| format!("{} {}", unit.segment.kind, unit.segment.name))
            .collect();
        assert_eq!(found.join("|"), expected, "{source}");
    }
}

#[test]
fn marks_are_read_and_inherited() {
    let source = "#![cfg(unix)]\n#[cfg(test)]\n#[cfg(slow)]\nmod m {\n#[test]\n#[ignore = \"x\"]\n#[should_panic(expected = \"y\")]\n#[case(1)]\n#[case(2,)]\nfn a() {}\n#[cfg_attr(miri, ignore)] #[should_panic] #[test] fn b() {} }";
    let outline = outline("src/a.rs", source);
    let [_, a, b] = &outline.units[..] else {
        panic!("{outline:?}")
    };
    let conditions: Vec<_> = a
        .marks
        .conditional
        .iter()
        .map(|mark| (mark.line, mark.text.as_str(), mark.inherited_from.as_deref()))
        .collect();
    assert_eq!(
        conditions,
        [
            (1, "#![cfg(unix)]", Some("mod a")),
            (3, "#[cfg(slow)]", Some("mod m"))
        ]
    );
    assert_eq!(a.marks.disabled[0].text, "#[ignore = \"x\"]");
    assert_eq!((a.lines, a.marks.disabled[0].line), ((5, 10), 6));
    assert!(a.marks.expected_fail[0].specific && !b.marks.expected_fail[0].specific);
    assert_eq!(
        (a.marks.rows.as_ref().map(Vec::len), &b.marks.rows),
        (Some(2), &None)
    );
    assert_eq!(b.marks.disabled.len(), 1);
}

#[test]
fn doc_examples_are_tests_of_their_item() {
    let source = "//! ```\n//! a\n//! ```\n/// Text\n/// ```text\n/// no\n/// ```\n/// ```no_run\n/// # use b;\n/// b();\n/// ```\n/// ~~~should_panic,E0123\n/// c\n/// ~~~\npub fn f() {}\npub enum E {\n/** ```rust\n * d\n * ``` */\nA }\n#[cfg(test)] mod m { /// ```\n/// ```\nfn no() {} }\npub mod n { //! ```\n//! ```\n}";
    let outline = outline("src/a.rs", source);
    let found: Vec<_> = outline
        .units
        .iter()
        .filter(|unit| unit.segment.kind == "doctest")
        .map(|unit| {
            let marks = (unit.marks.disabled.len(), unit.marks.expected_fail.len());
            (key(unit), marks, unit.body.as_ref().map_or(0, |body| body.tokens))
        })
        .collect();
    let expected = [
        ("crate::a#doctest 1", (0, 0), 1),
        ("crate::a#fn f > doctest 1", (1, 0), 7),
        ("crate::a#fn f > doctest 2", (0, 1), 1),
        ("crate::a#enum E > variant A > doctest 1", (0, 0), 1),
        ("crate::a#mod n > doctest 1", (0, 0), 0),
    ];
    assert_eq!(
        found,
        expected.map(|(key, marks, tokens)| (key.to_owned(), marks, tokens))
    );
}

#[test]
fn signatures_tell_apart_what_callers_notice() {
    let base = "pub fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Y {}";
    for same in [
        "fn a<T: X>(other: u8, mut q: (A<B, C>, D)) -> E where T: Y { body() }",
        "/// doc\n#[inline] pub(crate) fn b<T: X,>(\n x: u8, // c\n (y, z,): (A<B, C,>, D,),) -> E where T: Y, {}",
    ] {
        assert_eq!(signature(base), signature(same), "{same}");
    }
    for other in [
        "fn a<T: X>(x: u16, (y, z): (A<B, C>, D)) -> E where T: Y {}",
        "fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Z {}",
        "fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) where T: Y {}",
        "async fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Y {}",
        "#[must_use] fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Y {}",
        "#[cfg(x)] fn a<T: X>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Y {}",
        "fn a<T>(x: u8, (y, z): (A<B, C>, D)) -> E where T: Y {}",
    ] {
        assert_ne!(signature(base), signature(other), "{other}");
    }
    for (a, b, equal) in [
        ("fn a(mut self) {}", "fn a(self) {}", true),
        ("fn a(&mut self) {}", "fn a(&self) {}", false),
        ("fn a(self: Box<Self>) {}", "fn a(self) {}", false),
        ("fn a(x: (T,)) {}", "fn a(x: (T)) {}", false),
        ("#[must_use = \"a\"] fn a() {}", "#[must_use] fn a() {}", true),
        (
            "#[repr(C)] #[non_exhaustive] struct A;",
            "#[non_exhaustive] #[repr(C)] struct B;",
            true,
        ),
        ("const A: u8 = 1;", "const B: u8 = 2;", true),
        ("const A: u8 = 1;", "const A: u16 = 1;", false),
        ("type A = B;", "type A = C;", false),
        (
            "macro_rules! a { ($x:expr) => { 1 }; }",
            "macro_rules! a { ($y:expr) => { 2 } }",
            true,
        ),
        (
            "macro_rules! a { ($x:expr) => { 1 } }",
            "macro_rules! a { ($x:ty) => { 1 } }",
            false,
        ),
        ("struct A { x: u8 }", "struct A { y: u16 }", true),
        ("trait A: B {}", "trait A: C {}", false),
        (
            "#[proc_macro_derive(A)] fn a() {}",
            "#[proc_macro_derive(B)] fn a() {}",
            false,
        ),
    ] {
        assert_eq!(signature(a) == signature(b), equal, "{a} / {b}");
    }
    let of = |source: &str, at: usize| outline("src/lib.rs", source).units[at].signature;
    assert_eq!(
        of("enum A { B { x: u8, y: u8 } }", 1),
        of("enum A { B { y: u8, x: u8, } }", 1)
    );
    assert_ne!(of("enum A { B { x: u8 } }", 1), of("enum A { B { y: u8 } }", 1));
    assert_ne!(of("enum A { B = 1 }", 1), of("enum A { B = 2 }", 1));
    assert_ne!(of("trait A { fn a(); }", 1), of("trait A { fn a() {} }", 1));
    assert_eq!(
        of("#[derive(Debug)] struct A;", 1),
        of("struct A; impl<T> fmt::Debug for A<T> {}", 1)
    );
}

#[test]
fn imports_are_resolved_as_far_as_the_file_tells() {
    let source = "mod money; use self::money as m; pub use m::cents; pub use money::{self, euro as e}; use super::x; use std::fmt; mod inner { use super::*; use crate::q::{r}; }";
    let outline = outline("src/a.rs", source);
    let found: Vec<String> = outline
        .imports
        .iter()
        .map(|import| {
            let mark = if import.exported { "pub " } else { "" };
            format!("{mark}{}#{}={}", import.module, import.name, import.target)
        })
        .collect();
    assert_eq!(
        found,
        [
            "crate::a#m=crate::a::money",
            "pub crate::a#cents=crate::a::money::cents",
            "pub crate::a#money=crate::a::money",
            "pub crate::a#e=crate::a::money::euro",
            "crate::a#x=crate::x",
            "crate::a#fmt=std::fmt",
            "crate::a::inner#*=crate::a",
            "crate::a::inner#r=crate::q::r",
        ]
    );
    let submodule = &outline.submodules[0];
    assert_eq!(
        (submodule.module.as_str(), submodule.files.len()),
        ("crate::a::money", 2)
    );
    assert_eq!(submodule.files[0], b"src/a/money.rs");
}

#[test]
fn what_cannot_be_split_into_tokens_is_not_measured() {
    for (source, reason) in [
        ("fn a() { (", UnmeasuredReason::Unbalanced),
        ("fn a() { \" }", UnmeasuredReason::Unterminated),
    ] {
        let fault = Rust
            .outline(source.as_bytes(), b"src/lib.rs", &Options::default())
            .unwrap_err();
        assert_eq!(
            (fault.reason, fault.seen),
            (reason, vec!["a".to_owned()]),
            "{source}"
        );
    }
}
