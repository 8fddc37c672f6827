//! Where a file stands: its module, the modules that it names, and whether it is a test file.

use crate::structure::lexer::lines::text_of;
use crate::structure::paths::{file_name, is_below_tests};

/// Extensions of source, declarations first: the longer ones before those that they end with.
pub(super) const EXTENSIONS: [&str; 11] = [
    ".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs",
];

/// Stands in front of the name of a package that is not a file of this repository.
pub(super) const FOREIGN: &str = "package ";

/// A path without the extension of source.
pub(super) fn without_extension(path: &[u8]) -> &[u8] {
    EXTENSIONS
        .iter()
        .find_map(|extension| path.strip_suffix(extension.as_bytes()))
        .unwrap_or(path)
}

/// Whether a file holds declarations only.
pub(super) fn is_declarations(path: &[u8]) -> bool {
    [&b".d.ts"[..], b".d.mts", b".d.cts"]
        .iter()
        .any(|end| path.ends_with(end))
}

/// The module of a file: its path without extension and without `/index`.
pub(super) fn module_of(path: &[u8]) -> String {
    let stem = without_extension(path);
    text_of(stem.strip_suffix(b"/index").unwrap_or(stem))
}

/// The module that a specifier names in a file at `path`.
pub(super) fn target_of(path: &[u8], specifier: &[u8]) -> String {
    if !(specifier.starts_with(b".") || specifier.starts_with(b"/")) {
        return format!("{FOREIGN}{}", text_of(specifier));
    }
    let folder = &path[..memchr::memrchr(b'/', path).unwrap_or(0)];
    match joined(folder, specifier) {
        Some(file) => module_of(&file),
        None => format!("{FOREIGN}{}", text_of(specifier)),
    }
}

/// A relative path from a folder, without `.` and `..`; `None` if it leaves the repository.
pub(super) fn joined(folder: &[u8], relative: &[u8]) -> Option<Vec<u8>> {
    let mut parts: Vec<&[u8]> = folder
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty())
        .collect();
    for part in relative.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    // The top itself stands for its index file.
    if parts.is_empty() {
        return Some(b"index".to_vec());
    }
    Some(parts.join(&b'/'))
}

/// Where the file of a module may stand.
pub(super) fn module_files(module: &str) -> Vec<Vec<u8>> {
    if module.starts_with(FOREIGN) {
        return Vec::new();
    }
    let inside = format!("{module}/index");
    [module, inside.as_str()]
        .into_iter()
        .flat_map(|stem| EXTENSIONS.map(|extension| format!("{stem}{extension}").into_bytes()))
        .collect()
}

/// Whether a path alone makes a file a test file.
pub(super) fn is_test_path(path: &[u8]) -> bool {
    is_below_tests(path) || is_test_name(file_name(path))
}

/// Whether a name makes a file a test file: `*.test.*`, `*.spec.*`, `*.cy.*`, `*-test.*`, `*_test.*`, `test.*`.
pub fn is_test_name(name: &[u8]) -> bool {
    let inside = |mark: &str| memchr::memmem::find(name, mark.as_bytes()).is_some_and(|at| at > 0);
    [".test.", ".spec.", ".cy.", "-test.", "_test."]
        .into_iter()
        .any(inside)
        || name.starts_with(b"test.")
}

/// The module that a test file is named after, whatever folder it stands in: the last part of its path.
pub(super) fn subject_of(path: &[u8]) -> Option<&[u8]> {
    let stem = without_extension(file_name(path));
    [&b".test"[..], b".spec", b".cy", b"-test", b"_test"]
        .into_iter()
        .find_map(|mark| stem.strip_suffix(mark))
        .filter(|stem| !stem.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_targets_follow_the_path() {
        for (path, module) in [
            ("src/index.ts", "src"),
            ("index.js", "index"),
            ("types/lib.d.ts", "types/lib"),
            ("a/b.test.tsx", "a/b.test"),
        ] {
            assert_eq!(module_of(path.as_bytes()), module);
        }
        for (path, specifier, target) in [
            ("src/index.ts", "./slug", "src/slug"),
            ("src/a/b.ts", "../c.js", "src/c"),
            ("src/a.ts", ".", "src"),
            ("src/a.ts", "..", "index"),
            ("src/a.ts", "react", "package react"),
            ("a.ts", "../../x", "package ../../x"),
        ] {
            assert_eq!(
                target_of(path.as_bytes(), specifier.as_bytes()),
                target,
                "{path} {specifier}"
            );
        }
        assert!(module_files("src/a").contains(&b"src/a/index.tsx".to_vec()));
        assert!(module_files("package react").is_empty());
    }

    #[test]
    fn names_and_folders_make_test_files() {
        for (path, is_test) in [
            ("src/a.test.ts", true),
            ("src/a.spec.unit.js", true),
            ("a-test.mjs", true),
            ("test.js", true),
            ("latest.js", false),
            ("test/flow.mjs", true),
            ("src/contest.ts", false),
            ("src/__tests__/a.ts", true),
        ] {
            assert_eq!(is_test_path(path.as_bytes()), is_test, "{path}");
        }
        assert_eq!(subject_of(b"src/pay.test.ts"), Some(&b"pay"[..]));
    }
}
