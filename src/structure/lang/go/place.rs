//! What the path and the head of a Go file say: its package, whether others can import it, when it is built.

use crate::structure::lexer::hash;
use crate::structure::lexer::lines::{Lines, folded, text_of};
use crate::structure::outline::Mark;
use crate::structure::paths::{file_name, folders};

/// The place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Its folder; `.` for the top.
    pub(super) module: String,
    /// The runner looks for tests in it.
    pub(super) test_file: bool,
    /// Code outside of its own module can import it, as far as its path tells.
    pub(super) importable: bool,
}

impl Place {
    /// The place of the file at `path`; a file that is `named` by the policy holds tests whatever it is called.
    pub(super) fn of(path: &[u8], named: bool) -> Self {
        let folder = &path[..path.iter().rposition(|byte| *byte == b'/').unwrap_or(0)];
        let test_file = named || path.ends_with(b"_test.go");
        Self {
            module: if folder.is_empty() {
                ".".to_owned()
            } else {
                text_of(folder)
            },
            test_file,
            importable: !test_file && !folders(path).any(is_beside),
        }
    }
}

/// Whether what is in a folder of this name is for its own module only, for show, or left out by the go command.
fn is_beside(folder: &[u8]) -> bool {
    matches!(folder, b"internal" | b"examples" | b"example" | b"docs")
        || folder.starts_with(b"bench")
        || folder.starts_with(b"_")
        || folder.starts_with(b".")
}

/// The condition under which a file is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    /// The line that says so.
    pub(super) mark: Mark,
    /// Part of the signature of what the file declares; 0 when only its name says so.
    pub(super) signature: u64,
}

/// The `//go:build` line in front of the package clause, else what the name of the file says.
///
/// `head` are the bytes in front of the package clause.
pub(super) fn constraint(head: &[u8], path: &[u8], lines: &Lines) -> Option<Constraint> {
    let mut at = 0;
    let mut in_comment = false;
    for line in head.split(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        if in_comment {
            in_comment = memchr::memmem::find(text, b"*/").is_none();
        } else if let Some(condition) = text.strip_prefix(b"//go:build")
            && condition.first().is_some_and(u8::is_ascii_whitespace)
        {
            let shown: Vec<&[u8]> = condition
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
                .collect();
            return Some(Constraint {
                mark: Mark {
                    line: lines.line(at),
                    text: folded(text),
                    specific: false,
                    inherited_from: None,
                },
                signature: hash::token(&shown.concat()),
            });
        } else if let Some(start) = memchr::memmem::find(text, b"/*")
            && !text.starts_with(b"//")
        {
            in_comment = memchr::memmem::find(&text[start + 2..], b"*/").is_none();
        }
        at += line.len() + 1;
    }
    let system = named_system(file_name(path))?;
    Some(Constraint {
        mark: Mark {
            line: 1,
            text: format!("only built for {system}, by the name of the file"),
            specific: false,
            inherited_from: None,
        },
        signature: 0,
    })
}

/// Operating systems and architectures that a file name may end in.
const SYSTEMS: [&str; 18] = [
    "aix",
    "android",
    "darwin",
    "dragonfly",
    "freebsd",
    "hurd",
    "illumos",
    "ios",
    "js",
    "linux",
    "nacl",
    "netbsd",
    "openbsd",
    "plan9",
    "solaris",
    "wasip1",
    "windows",
    "zos",
];
const ARCHITECTURES: [&str; 17] = [
    "386", "amd64", "arm", "arm64", "loong64", "mips", "mips64", "mips64le", "mipsle", "ppc64", "ppc64le",
    "riscv", "riscv64", "s390x", "sparc", "sparc64", "wasm",
];

/// `linux/amd64` of `a_linux_amd64_test.go`
fn named_system(name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?.strip_suffix(".go")?;
    let name = name.strip_suffix("_test").unwrap_or(name);
    // What stands in front of the first underscore is never a system.
    let (_, rest) = name.split_once('_')?;
    let mut words = rest.rsplit('_');
    let last = words.next()?;
    if SYSTEMS.contains(&last) {
        return Some(last.to_owned());
    }
    if !ARCHITECTURES.contains(&last) {
        return None;
    }
    Some(match words.next() {
        Some(system) if SYSTEMS.contains(&system) => format!("{system}/{last}"),
        _ => last.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_packages() {
        for (path, module, test_file, importable) in [
            ("a.go", ".", false, true),
            ("shop/cart/a.go", "shop/cart", false, true),
            ("shop/a_test.go", "shop", true, false),
            ("internal/a.go", "internal", false, false),
            ("x/internal/y/a.go", "x/internal/y", false, false),
            ("test/a.go", "test", false, true),
            ("benchmarks/a.go", "benchmarks", false, false),
            ("_old/a.go", "_old", false, false),
        ] {
            let place = Place::of(path.as_bytes(), false);
            assert_eq!(
                (place.module.as_str(), place.test_file, place.importable),
                (module, test_file, importable),
                "{path}"
            );
        }
    }

    #[test]
    fn conditions_stand_in_front_of_the_package_clause_or_in_the_name() {
        for (head, path, line, text) in [
            ("", "a.go", 0, ""),
            (
                "// Copyright\n\n//go:build  linux\n\n",
                "a.go",
                3,
                "//go:build linux",
            ),
            ("/*\n//go:build linux\n*/ ", "a.go", 0, ""),
            ("//go:building\n", "a.go", 0, ""),
            ("", "linux.go", 0, ""),
            (
                "",
                "a_linux_test.go",
                1,
                "only built for linux, by the name of the file",
            ),
            (
                "",
                "x/a_linux_arm64.go",
                1,
                "only built for linux/arm64, by the name of the file",
            ),
            ("", "a_unix.go", 0, ""),
        ] {
            let lines = Lines::new(head.as_bytes());
            let found = constraint(head.as_bytes(), path.as_bytes(), &lines);
            let (found_line, found_text) =
                found.map_or((0, String::new()), |found| (found.mark.line, found.mark.text));
            assert_eq!((found_line, found_text.as_str()), (line, text), "{head:?} {path}");
        }
    }
}
