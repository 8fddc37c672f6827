//! `Cargo.toml`: the names of features, and which files cargo builds as tests.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::hash;
use crate::structure::lexer::lines::{Lines, folded};
use crate::structure::outline::{Degraded, FileOutline, Marks, Role, Segment, Unit, Visibility};

use super::module::Place;

/// What a manifest says about the files that hold tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// `[lib] test = false` turns the tests of the library off.
    pub(super) library_tests: bool,
    /// Folders whose files are targets by themselves: `tests`, `benches`, `examples`, `bin`.
    pub(super) automatic: Vec<&'static str>,
    /// The targets it lists, by folder.
    pub(super) targets: Vec<Target>,
}

/// A target that a manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) folder: &'static str,
    pub(super) name: String,
    /// Relative to the package.
    pub(super) path: Option<String>,
    pub(super) test: bool,
}

/// Folder, key of the list of targets, key that turns the search off.
const TARGETS: [(&str, &str, &str); 4] = [
    ("tests", "test", "autotests"),
    ("benches", "bench", "autobenches"),
    ("examples", "example", "autoexamples"),
    ("bin", "bin", "autobins"),
];

impl Default for Manifest {
    fn default() -> Self {
        Self {
            library_tests: true,
            automatic: TARGETS.iter().map(|(folder, ..)| *folder).collect(),
            targets: Vec::new(),
        }
    }
}

impl Manifest {
    /// Reads a manifest; `None`: it is none that cargo could read.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let table = DeTable::parse(text).ok()?.into_inner();
        let package = table_of(&table, "package");
        let mut manifest = Self {
            library_tests: table_of(&table, "lib")
                .is_none_or(|lib| flag(lib, "test") != Some(false) && flag(lib, "harness") != Some(false)),
            automatic: Vec::new(),
            targets: Vec::new(),
        };
        for (folder, list, automatic) in TARGETS {
            if package.and_then(|package| flag(package, automatic)) != Some(false) {
                manifest.automatic.push(folder);
            }
            let Some(DeValue::Array(entries)) = value(&table, list) else {
                continue;
            };
            for entry in entries {
                let DeValue::Table(entry) = entry.get_ref() else {
                    continue;
                };
                manifest.targets.push(Target {
                    folder,
                    name: string(entry, "name").unwrap_or_default(),
                    path: string(entry, "path"),
                    // Without the harness nothing collects functions marked as tests.
                    test: flag(entry, "test") != Some(false) && flag(entry, "harness") != Some(false),
                });
            }
        }
        Some(manifest)
    }

    /// Whether cargo runs the tests of a file of one of these folders, with this name of its target.
    pub(super) fn runs(&self, folder: &str, name: &str, path: &str) -> bool {
        let listed = self.targets.iter().find(|target| {
            target.folder == folder
                && target
                    .path
                    .as_ref()
                    .map_or(target.name == name, |own| own.trim_start_matches("./") == path)
        });
        match listed {
            Some(target) => target.test,
            None => self.automatic.contains(&folder),
        }
    }
}

/// The features of a manifest as units.
pub(super) fn outline(bytes: &[u8], path: &[u8]) -> Result<FileOutline, Degraded> {
    let text = std::str::from_utf8(bytes).map_err(|fault| Degraded {
        reason: UnmeasuredReason::BadEncoding,
        detail: fault.to_string(),
        seen: Vec::new(),
    })?;
    let table = DeTable::parse(text).map_err(|fault| Degraded {
        reason: UnmeasuredReason::Unbalanced,
        detail: fault.message().to_owned(),
        seen: Vec::new(),
    })?;
    let folder = &path[..path.iter().rposition(|byte| *byte == b'/').unwrap_or(0)];
    let library = [folder, b"/src/lib.rs"].concat();
    let place = Place::of(library.strip_prefix(b"/").unwrap_or(&library), Some(folder));
    let mut outline = FileOutline {
        module: place.module.clone(),
        ..FileOutline::default()
    };
    let lines = Lines::new(bytes);
    let Some(features) = table_of(table.get_ref(), "features") else {
        return Ok(outline);
    };
    for (name, value) in features {
        let start = name.span().start;
        let end = value.span().end.max(start + 1).min(bytes.len());
        outline.units.push(Unit {
            module: place.module.clone(),
            chain: Vec::new(),
            segment: Segment {
                kind: "feature",
                name: name.get_ref().to_string(),
            },
            role: Role::Symbol,
            visibility: if place.library {
                Visibility::Public
            } else {
                Visibility::Narrow
            },
            lines: (lines.line(start), lines.line(end - 1)),
            bytes: start..end,
            text: folded(&bytes[start..end]),
            signature: 0,
            value: list_hash(value),
            body: None,
            member_of: None,
            required: false,
            marks: Marks::default(),
        });
    }
    outline.units.sort_by_key(|unit| unit.bytes.start);
    Ok(outline)
}

/// The hash of what a feature turns on; its order and layout do not count.
fn list_hash(value: &Spanned<DeValue<'_>>) -> u64 {
    match value.get_ref() {
        DeValue::Array(parts) => parts.iter().fold(0, |sum, part| match part.get_ref() {
            DeValue::String(part) => hash::token(part.as_bytes()).wrapping_add(sum),
            _ => sum.wrapping_add(1),
        }),
        _ => 1,
    }
}

fn value<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t DeValue<'t>> {
    table
        .iter()
        .find(|(own, _)| own.get_ref() == key)
        .map(|(_, value)| value.get_ref())
}

fn table_of<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t DeTable<'t>> {
    match value(table, key) {
        Some(DeValue::Table(table)) => Some(table),
        _ => None,
    }
}

fn flag(table: &DeTable<'_>, key: &str) -> Option<bool> {
    match value(table, key) {
        Some(DeValue::Boolean(flag)) => Some(*flag),
        _ => None,
    }
}

fn string(table: &DeTable<'_>, key: &str) -> Option<String> {
    match value(table, key) {
        Some(DeValue::String(text)) => Some(text.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_features_and_turn_tests_off() {
        let text = b"[package]\nname = \"a\"\nautotests = false\n[features]\ndefault = [\"b\"]\nb = []\n\
            [[test]]\nname = \"x\"\n[[test]]\nname = \"y\"\npath = \"tests/z.rs\"\ntest = false\n[lib]\ntest = false\n";
        let units = outline(text, b"p/Cargo.toml").unwrap().units;
        let found: Vec<_> = units
            .iter()
            .map(|unit| (unit.module.as_str(), unit.segment.name.as_str(), unit.lines.0))
            .collect();
        assert_eq!(found, [("p|crate", "default", 5), ("p|crate", "b", 6)]);
        let manifest = Manifest::parse(text).unwrap();
        assert!(!manifest.library_tests);
        for (name, path, runs) in [
            ("x", "tests/x.rs", true),
            ("z", "tests/z.rs", false),
            ("w", "tests/w.rs", false),
        ] {
            assert_eq!(manifest.runs("tests", name, path), runs, "{name}");
        }
        assert!(manifest.runs("benches", "w", "benches/w.rs"));
        assert_eq!(Manifest::parse(b"[[x"), None);
        assert!(outline(b"[[x", b"Cargo.toml").is_err());
    }
}
