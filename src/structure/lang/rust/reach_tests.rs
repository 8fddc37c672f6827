//! What small packages in memory link in, and what their users can reach.

use std::collections::BTreeMap;

use crate::structure::outline::{Known, Package, Reachable, Wanted};
use crate::structure::source::{ReadFault, Tree};

use super::reach::reachable;

struct Files(BTreeMap<&'static str, &'static str>);

impl Tree for Files {
    fn read(&self, path: &[u8]) -> Result<Option<Vec<u8>>, ReadFault> {
        let path = std::str::from_utf8(path).unwrap();
        match self.0.get(path) {
            Some(&"damaged") => Err(ReadFault::Damaged("x".to_owned())),
            other => Ok(other.map(|text| text.as_bytes().to_vec())),
        }
    }

    fn files_below(&self, folder: &[u8], suffix: &[u8]) -> Result<Vec<Vec<u8>>, ReadFault> {
        let paths = self.0.keys().map(|path| path.as_bytes().to_vec());
        Ok(paths
            .filter(|path| path.starts_with(folder) && path.ends_with(suffix))
            .collect())
    }
}

/// The answer to `ask` (names `module::name`, or modules with a final `::`) as the words that came back.
fn ask(folder: &str, files: &[(&'static str, &'static str)], asked: &[&str]) -> (Vec<String>, Reachable) {
    let mut wanted = Wanted::default();
    for ask in asked {
        let (module, name) = ask.rsplit_once("::").unwrap();
        wanted.modules.insert(module.to_owned());
        if !name.is_empty() {
            wanted.names.insert((*ask).to_owned());
        }
    }
    let package = Package {
        folder: folder.as_bytes().to_vec(),
    };
    let answer = reachable(
        &Files(files.iter().copied().collect()),
        &package,
        &wanted,
        &Known::default(),
    );
    let found = asked
        .iter()
        .filter(|ask| {
            answer.names.contains(**ask) || answer.modules.contains(ask.rsplit_once("::").unwrap().0)
        })
        .map(|ask| (*ask).to_owned())
        .collect();
    (found, answer)
}

#[test]
fn users_reach_public_modules_and_re_exports() {
    let files = [
        (
            "src/lib.rs",
            "pub mod open; mod closed; pub use closed::{Named, inner::*}; mod other; pub mod far { pub mod near { pub fn x() {} } } cfg_if! { if #[cfg(x)] { mod mac; pub use mac::*; } }",
        ),
        (
            "src/open.rs",
            "pub mod deep; mod shut; pub use crate::other::chain::Thing as Renamed;",
        ),
        ("src/open/deep.rs", ""),
        ("src/open/shut.rs", ""),
        (
            "src/closed/mod.rs",
            "mod inner; mod hidden; pub use self::hidden::Passed; pub use hidden::Named;",
        ),
        ("src/closed/inner.rs", ""),
        ("src/closed/hidden.rs", "pub struct Named; pub struct Passed;"),
        (
            "src/other.rs",
            "pub mod chain { pub use super::end::Thing; } mod end;",
        ),
        ("src/other/end.rs", "pub struct Thing; pub struct Lost;"),
        ("src/mac.rs", ""),
    ];
    let asked = [
        "crate::a",
        "crate::open::a",
        "crate::open::deep::a",
        "crate::open::shut::a",
        "crate::closed::Named",
        "crate::closed::Other",
        "crate::closed::inner::a",
        "crate::closed::hidden::Named",
        "crate::closed::hidden::Passed",
        "crate::far::near::a",
        "crate::other::end::Thing",
        "crate::other::end::Lost",
        "crate::mac::a",
        "crate::gone::a",
    ];
    let (found, answer) = ask("", &files, &asked);
    let expected = [
        "crate::a",
        "crate::open::a",
        "crate::open::deep::a",
        "crate::closed::Named",
        "crate::closed::inner::a",
        "crate::closed::hidden::Named",
        "crate::far::near::a",
        "crate::other::end::Thing",
        "crate::mac::a",
    ];
    assert_eq!(found, expected);
    assert!(answer.has_entry && !answer.unreadable_entry);
    assert!(answer.linked.contains("crate::other::end") && !answer.linked.contains("crate::gone"));
}

#[test]
fn entries_may_be_missing_or_damaged() {
    assert!(!ask("p", &[("src/lib.rs", "")], &["p|crate::a"]).1.has_entry);
    for lib in ["damaged", "fn a() {"] {
        let (_, answer) = ask("p", &[("p/src/lib.rs", lib)], &["p|crate::m::a"]);
        assert!(
            answer.has_entry && answer.unreadable_entry && answer.linked.contains("p|crate::m"),
            "{lib}"
        );
    }
}

#[test]
fn tests_are_linked_by_mod_lines_and_targets() {
    let files = [
        (
            "Cargo.toml",
            "[[test]]\nname = \"off\"\ntest = false\n[[test]]\nname = \"odd\"\npath = \"odd/a.rs\"",
        ),
        (
            "src/main.rs",
            "mod side; #[path = \"x/y.rs\"] mod z; fn main() {}",
        ),
        ("src/side.rs", ""),
        ("src/x/y.rs", ""),
        ("tests/it/main.rs", "mod part;"),
        ("tests/it/part.rs", ""),
        ("tests/it/lost.rs", ""),
        ("tests/one.rs", "mod common; mod inline { fn x() {} }"),
        ("tests/common/mod.rs", ""),
        ("tests/off.rs", ""),
        ("odd/a.rs", ""),
    ];
    let asked = [
        "bin::",
        "crate::side::",
        "crate::x::y::",
        "crate::gone::",
        "tests::it::",
        "tests::it::part::",
        "tests::it::lost::",
        "tests::one::inline::",
        "tests::common::",
        "tests::off::",
        "crate::odd::a::",
    ];
    let answer = ask("", &files, &asked).1;
    let linked: Vec<&str> = answer.linked.iter().map(String::as_str).collect();
    assert_eq!(
        linked,
        [
            "bin",
            "crate::odd::a",
            "crate::side",
            "crate::x::y",
            "tests::common",
            "tests::it",
            "tests::it::part",
            "tests::one::inline"
        ]
    );
}
