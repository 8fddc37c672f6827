//! What a file is for, by its path alone: source, golden file, guardrail, or nothing that is measured.

use super::language::Language;
use crate::model::glob::{Glob, selects};

/// The part of a path behind the last `/`.
pub fn file_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// What stands behind the last dot of a name that does not begin with it.
pub fn extension(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|byte| *byte == b'.')?;
    (dot > 0).then(|| &name[dot + 1..])
}

/// The folders of a path, from the top.
pub fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    path[..end]
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty())
}

/// Whether a folder of this name holds tests.
fn is_test_folder(folder: &[u8]) -> bool {
    [&b"test"[..], b"tests", b"__tests__", b"spec", b"specs", b"e2e"]
        .iter()
        .any(|name| folder.eq_ignore_ascii_case(name))
        || folder.ends_with(b"Test")
        || folder.ends_with(b"Tests")
}

/// Whether a file stands below a folder that holds tests.
pub fn is_below_tests(path: &[u8]) -> bool {
    folders(path).any(is_test_folder)
}

/// Whether nothing in a file is API because of the folders it stands in: tests, examples, benchmarks, documentation.
pub fn is_beside_the_product(path: &[u8]) -> bool {
    folders(path).any(|folder| {
        is_test_folder(folder)
            || matches!(folder, b"examples" | b"example" | b"docs")
            || folder.starts_with(b"bench")
    })
}

/// Whether a file belongs to tests alone, by its path: below a folder that holds tests, or named as a test of its
/// language.
pub fn is_test_file(path: &[u8]) -> bool {
    is_below_tests(path)
        || Language::of_path(path).is_some_and(|language| language.is_test_name(file_name(path)))
}

/// What a file is measured as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Recorded behaviour.
    Golden,
    /// Source of a known language.
    Code(Language),
    /// Neither.
    Other,
}

/// The golden patterns of the policy.
#[derive(Debug, Clone, Default)]
pub struct GoldenGlobs {
    /// Golden besides the built-in ones.
    pub golden: Vec<Glob>,
    /// Not golden in spite of them.
    pub not_golden: Vec<Glob>,
}

/// What a file is measured as.
pub fn classify(path: &[u8], globs: &GoldenGlobs) -> Class {
    let listed = |globs: &[Glob]| !globs.is_empty() && selects(globs, path);
    let golden = (is_golden(path) || listed(&globs.golden)) && !listed(&globs.not_golden);
    if golden {
        return Class::Golden;
    }
    Language::of_path(path).map_or(Class::Other, Class::Code)
}

/// Whether a path matches one of the built-in golden patterns.
fn is_golden(path: &[u8]) -> bool {
    let name = file_name(path);
    if is_recorded_name(name)
        || is_contract(path, name)
        || is_api_listing(path)
        || is_help_capture(path, name)
    {
        return true;
    }
    let mut below_tests = false;
    let mut recorded = false;
    for folder in folders(path) {
        recorded |= matches!(
            folder,
            b"__snapshots__" | b"__image_snapshots__" | b"testdata" | b"golden" | b"goldens" | b"cassettes"
        );
        recorded |= below_tests && matches!(folder, b"fixtures" | b"expected" | b"snapshots");
        below_tests |= is_test_folder(folder);
    }
    if recorded {
        return !stays_code(name);
    }
    below_tests && (name.ends_with(b".stdout") || name.ends_with(b".stderr"))
}

/// Files in folders of recorded behaviour that are code all the same.
fn stays_code(name: &[u8]) -> bool {
    matches!(name, b"conftest.py" | b"__init__.py" | b"mod.rs")
        || Language::of_path(name).is_some_and(|language| language.is_test_name(name))
}

/// A name with this ending and something in front of it.
fn ends(name: &[u8], ending: &str) -> bool {
    name.len() > ending.len() && name.ends_with(ending.as_bytes())
}

fn starts_and_ends(name: &[u8], start: &str, endings: &[&str]) -> bool {
    name.starts_with(start.as_bytes()) && endings.iter().any(|ending| name.ends_with(ending.as_bytes()))
}

fn is_recorded_name(name: &[u8]) -> bool {
    let infix = |infix: &str| {
        memchr::memmem::find(name, infix.as_bytes()).is_some_and(|at| at > 0 && at + infix.len() < name.len())
    };
    [
        ".snap",
        ".snap.new",
        ".ambr",
        ".golden",
        ".expected",
        ".trycmd",
        ".txtar",
    ]
    .iter()
    .any(|ending| ends(name, ending))
        || infix(".approved.")
        || infix(".verified.")
}

fn is_contract(path: &[u8], name: &[u8]) -> bool {
    let described = [".json", ".yml", ".yaml"];
    starts_and_ends(name, "openapi", &described)
        || starts_and_ends(name, "swagger", &described)
        || [".proto", ".graphql", ".avsc"]
            .iter()
            .any(|ending| ends(name, ending))
        || name == b"schema.sql"
        || (ends(name, ".sql") && folders(path).last() == Some(b"migrations"))
}

/// Whether a file is a listing of public API, compared as a set of lines.
pub fn is_api_listing(path: &[u8]) -> bool {
    let name = file_name(path);
    let in_api = folders(path).last() == Some(b"api");
    ends(name, ".api.md")
        || name == b"public-api.txt"
        || (name.len() > "PublicAPI..txt".len() && starts_and_ends(name, "PublicAPI.", &[".txt"]))
        || (in_api && (ends(name, ".api") || starts_and_ends(name, "go", &[".txt"])))
}

fn is_help_capture(path: &[u8], name: &[u8]) -> bool {
    let mut above = folders(path).collect::<Vec<_>>().into_iter().rev();
    [".help", ".help.txt", ".help.md", "-help.txt"]
        .iter()
        .any(|ending| ends(name, ending))
        || starts_and_ends(name, "help-", &[".txt"])
        || (above.next() == Some(b"help") && above.next() == Some(b"cli"))
}

/// What a file decides about what is run, measured or excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guardrail {
    /// `.gitattributes`, at any level.
    Attributes,
    /// The policy file at the top.
    Policy,
    /// CI, runner and coverage configuration, judged line by line.
    Runner,
}

/// The guardrail that a file is, if it is one.
pub fn guardrail(path: &[u8]) -> Option<Guardrail> {
    if path == crate::model::policy::POLICY_FILE.as_bytes() {
        return Some(Guardrail::Policy);
    }
    let name = file_name(path);
    if name == b".gitattributes" {
        return Some(Guardrail::Attributes);
    }
    let runner = match name {
        b".gitlab-ci.yml"
        | b"azure-pipelines.yml"
        | b"Jenkinsfile"
        | b"package.json"
        | b"pytest.ini"
        | b"pyproject.toml"
        | b"setup.cfg"
        | b"tox.ini"
        | b"conftest.py"
        | b".coveragerc"
        | b"codecov.yml"
        | b"Cargo.toml"
        | b"pom.xml"
        | b".rspec"
        | b"CMakeLists.txt"
        | b"Package.swift"
        | b"mix.exs"
        | b"build.sbt"
        | b"Makefile"
        | b"justfile" => true,
        b"config.yml" => path.ends_with(b".circleci/config.yml"),
        b"nextest.toml" => path.ends_with(b".config/nextest.toml"),
        _ => {
            let config = [
                "jest.config.",
                "vitest.config.",
                "playwright.config.",
                "cypress.config.",
            ]
            .iter()
            .any(|start| name.starts_with(start.as_bytes()));
            config
                || name.starts_with(b"build.gradle")
                || name.starts_with(b"phpunit.xml")
                || ends(name, ".csproj")
                || path.starts_with(b".github/workflows/")
        }
    };
    runner.then_some(Guardrail::Runner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_patterns() {
        for path in [
            "a/b.snap",
            "a/b.snap.new",
            "x.approved.txt",
            "testdata/a.rs",
            "tests/fixtures/input.py",
            "tests/a.stdout",
            "AndroidTest/expected/x",
            "openapi.v1.yaml",
            "db/migrations/1.sql",
            "api/shop.api",
            "public-api.txt",
            "api/go1.21.txt",
            "cli/help/add",
            "PublicAPI.Shipped.txt",
        ] {
            assert_eq!(
                classify(path.as_bytes(), &GoldenGlobs::default()),
                Class::Golden,
                "{path}"
            );
        }
        for path in [
            "src/fixtures/a.txt",
            "a.stdout",
            ".snap",
            "testdata/mod.rs",
            "testdata/a_test.go",
            "golden.rs",
            "PublicAPI.txt",
            "sql/1.sql",
        ] {
            assert_ne!(
                classify(path.as_bytes(), &GoldenGlobs::default()),
                Class::Golden,
                "{path}"
            );
        }
        let globs = GoldenGlobs {
            golden: vec![Glob::path("docs/*.out").unwrap()],
            not_golden: vec![Glob::path("a.snap").unwrap()],
        };
        assert_eq!(classify(b"docs/x.out", &globs), Class::Golden);
        assert_eq!(classify(b"a.snap", &globs), Class::Other);
    }

    #[test]
    fn guardrails() {
        for (path, expected) in [
            (".github/workflows/ci.yml", Some(Guardrail::Runner)),
            ("a/Cargo.toml", Some(Guardrail::Runner)),
            ("a/.gitattributes", Some(Guardrail::Attributes)),
            (".review-gate.toml", Some(Guardrail::Policy)),
            ("a/.review-gate.toml", None),
            (".circleci/config.yml", Some(Guardrail::Runner)),
            ("config.yml", None),
        ] {
            assert_eq!(guardrail(path.as_bytes()), expected, "{path}");
        }
    }
}
