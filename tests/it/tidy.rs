//! Reads the sources and fails on what the map in `src/lib.rs` does not allow.
//!
//! Checked: which layer uses which, what pure layers may touch, the length of files, their first line,
//! and words that must not be in the tree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use self::rust_paths::{Named, paths_in};

mod rust_paths;

/// The longest file, in lines.
const MAX_LINES: usize = 500;

/// A file with this comment is a table of data and may be longer.
const DATA_MARK: &str = "// tidy: a table of data";

/// Layer → the layers it may use besides itself. `error` and `exit` are open to every layer but `model`.
const LAYERS: &[(&str, &[&str])] = &[
    ("cli", &["ops", "report", "ui", "model", "policy"]),
    ("error", &[]),
    ("exit", &["error"]),
    ("gate", &["model"]),
    ("git", &["model"]),
    ("hook", &["model", "git", "ledger", "ledger::store"]),
    ("ledger", &["model"]),
    ("ledger::store", &["model", "git", "ledger"]),
    ("model", &[]),
    (
        "ops",
        &[
            "model",
            "policy",
            "git",
            "structure",
            "ledger",
            "ledger::store",
            "review",
            "quality",
            "spec",
            "gate",
            "hook",
        ],
    ),
    ("policy", &["model"]),
    ("quality", &["model"]),
    ("report", &["model"]),
    ("review", &["model"]),
    ("spec", &["model"]),
    ("structure", &["model"]),
    ("ui", &["model"]),
];

/// Layers that read no clock, environment, file or process.
const PURE: &[&str] = &[
    "error",
    "exit",
    "gate",
    "ledger",
    "model",
    "policy",
    "quality",
    "report",
    "review",
    "spec",
    "structure",
];

/// Paths of other crates → the layers that may name them.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("gix", &["git"]),
    ("indicatif", &["ui"]),
    ("std::process::Command", &["git", "hook", "ops", "ui"]),
    ("rustix", &["ops"]),
    ("signal_hook", &["ops"]),
    ("std::fs", &["cli", "git", "hook", "ledger::store", "ops", "ui"]),
    ("std::env", &["cli", "git", "hook", "ops", "ui"]),
    (
        "std::time::Instant",
        &["git", "hook", "ledger::store", "ops", "ui"],
    ),
    ("std::time::SystemTime", &["ops"]),
    ("std::io::stdout", &["ui"]),
    ("std::io::stderr", &["ui"]),
    ("tempfile", &["git", "hook", "ledger::store", "ops"]),
];

/// What no file of the tree may say, in two halves so that this file does not say it either.
const FORBIDDEN: &[(&str, &str)] = &[
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("shared/", "cases"),
    ("shared/", "design"),
    (".md ", "section"),
    ("Co-Authored", "-By"),
    ("artifac", "tory"),
];

/// Files and folders of the repository that people read; everything below is searched for words.
const READ_BY_PEOPLE: &[&str] = &[
    ".ci",
    ".github",
    "Cargo.toml",
    "README.md",
    "benches",
    ".clippy.toml",
    "docs",
    "hooks",
    "man",
    "src",
    "templates",
    "tests",
];

#[test]
fn layers_use_only_what_the_map_allows() {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut faults = Vec::new();
    for file in rust_files("src") {
        let Some(layer) = layer_of_file(&file) else {
            continue;
        };
        let Some(allowed) = allowed.get(layer.as_str()) else {
            faults.push(format!("{}: layer `{layer}` is not in the table", file.display()));
            continue;
        };
        for Named {
            line,
            path: used,
            in_tests,
        } in paths_in(&read(&file), &module_of(&file))
        {
            let place = || format!("{}:{line}", file.display());
            if let Some(path) = used.strip_prefix("crate::") {
                let other = layer_of_path(path);
                let open = other == layer
                    || allowed.contains(&other.as_str())
                    || (layer != "model" && ["error", "exit"].contains(&other.as_str()));
                if !open {
                    faults.push(format!("{}: `{layer}` must not use `{other}` ({used})", place()));
                }
            } else if !in_tests {
                // What the product may not touch, its unit tests may.
                let outside = OUTSIDE
                    .iter()
                    .find(|(outside, _)| starts_with_path(&used, outside));
                if let Some((outside, _)) = outside.filter(|(_, homes)| !homes.contains(&layer.as_str())) {
                    faults.push(format!("{}: `{outside}` has no place in `{layer}`", place()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    for (outside, homes) in OUTSIDE {
        for home in *homes {
            assert!(
                !PURE.contains(home),
                "{home} is pure and cannot be a home of {outside}"
            );
        }
    }
}

#[test]
fn files_are_short_and_say_what_they_are() {
    let mut faults = Vec::new();
    for file in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        let text = read(&file);
        let lines = text.lines().count();
        if lines > MAX_LINES && !text.contains(DATA_MARK) {
            faults.push(format!(
                "{}: {lines} lines, more than {MAX_LINES}",
                file.display()
            ));
        }
        if !text
            .lines()
            .next()
            .is_some_and(|line| line.len() > 10 && line.starts_with("//! "))
        {
            faults.push(format!(
                "{}: the first line does not say what the file is (`//! …`)",
                file.display()
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_tree_names_no_machine() {
    let mut faults = Vec::new();
    let mut files = Vec::new();
    for root in READ_BY_PEOPLE {
        walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(root), &mut files);
    }
    assert!(files.len() > 20, "the sources were not found");
    for file in files {
        let Ok(text) = String::from_utf8(std::fs::read(&file).expect("readable")) else {
            continue;
        };
        for (number, line) in text.lines().enumerate() {
            for (first, second) in FORBIDDEN {
                let word = format!("{first}{second}");
                // A folder called so inside of a relative path is fine; the absolute one names a machine.
                let hit = line.match_indices(&word).any(|(at, _)| {
                    !word.starts_with('/')
                        || !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-".contains(c))
                });
                if hit {
                    faults.push(format!("{}:{}: {word}", file.display(), number + 1));
                }
            }
        }
    }
    let lock = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"));
    let official = r#"source = "registry+https://github.com/rust-lang/crates.io-index""#;
    faults.extend(
        lock.lines()
            .filter(|line| line.starts_with("source = ") && *line != official)
            .map(|line| format!("Cargo.lock: {line}")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The layer a source file belongs to; `None` for the two roots, which join everything.
fn layer_of_file(file: &Path) -> Option<String> {
    let module = module_of(file);
    match module.first().map(String::as_str) {
        None | Some("main") => None,
        Some(_) => Some(layer_of_path(&module.join("::"))),
    }
}

/// The layer of a path below `crate::`. The impure half of the ledger is a layer of its own.
fn layer_of_path(path: &str) -> String {
    let mut parts = path.split("::");
    let first = parts.next().unwrap_or_default();
    match (first, parts.next()) {
        ("ledger", Some("store" | "index")) => "ledger::store".to_owned(),
        _ => first.to_owned(),
    }
}

/// `src/ledger/union.rs` → `[ledger, union]`; `mod.rs` and `lib.rs` stand for their folder.
fn module_of(file: &Path) -> Vec<String> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let relative = file.strip_prefix(&src).expect("below src").with_extension("");
    let mut parts: Vec<String> = relative
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    if parts
        .last()
        .is_some_and(|last| ["mod", "lib"].contains(&last.as_str()))
    {
        parts.pop();
    }
    parts
}

/// Whether `path` is `prefix` or lies below it.
fn starts_with_path(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// All Rust files below a folder of the package, sorted; none where the folder does not exist.
fn rust_files(folder: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut files);
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rs"));
    files
}

/// Adds the file, or all files below the folder, sorted; nothing where neither exists.
fn walk(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    } else if path.is_dir() && !path.ends_with("target") {
        let mut entries: Vec<PathBuf> = path
            .read_dir()
            .expect("folder")
            .map(|entry| entry.expect("entry").path())
            .collect();
        entries.sort();
        for entry in &entries {
            walk(entry, files);
        }
    }
}

/// The text of a source file.
fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}
