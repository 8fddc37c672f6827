//! Lines that run tests, in the files of CI and of runners.

/// Words that stand, in this order, on a line that runs tests.
const RUNS_TESTS: [(&[&str], &[&str]); 15] = [
    (&["cargo"], &["test", "nextest"]),
    (&["pytest"], &[]),
    (&["npm", "pnpm", "yarn"], &["test"]),
    (&["vitest", "jest"], &[]),
    (&["go"], &["test"]),
    (&["mvn", "mvnw"], &["test", "verify"]),
    (&["gradle", "gradlew"], &["test", "check"]),
    (&["dotnet"], &["test"]),
    (&["rspec", "phpunit", "pest"], &[]),
    (&["ctest"], &[]),
    (&["swift"], &["test"]),
    (&["sbt"], &["test"]),
    (&["mix"], &["test"]),
    (&["bats"], &[]),
    (&["nextest"], &["run"]),
];

/// The words of a line: what stands between quotes, blanks, slashes and other punctuation.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
        .filter(|word| !word.is_empty())
}

/// Whether a line runs tests.
pub(super) fn runs_tests(line: &str) -> bool {
    let place = |word: &str| word.as_ptr() as usize - line.as_ptr() as usize;
    RUNS_TESTS.iter().any(|(first, second)| {
        let mut words = words(line);
        let found = words.any(|word| first.contains(&word) && is_called(line, place(word), word));
        found && (second.is_empty() || words.any(|word| second.contains(&word)))
    })
}

/// Whether a word may name a program that is run: it is not imported, has no part taken of it, is no key, and no
/// version is asked of it.
fn is_called(line: &str, at: usize, word: &str) -> bool {
    let (before, after) = (&line[..at], &line[at + word.len()..]);
    let last_word = before
        .trim_end()
        .rsplit(|c: char| !c.is_ascii_alphabetic())
        .next();
    let is_part = before.ends_with(['@', '.']) || after.strip_prefix('.').is_some_and(starts_a_name);
    let is_imported = before.ends_with(' ') && matches!(last_word, Some("import" | "from"));
    let is_key = after
        .strip_prefix(['"', '\''])
        .is_some_and(|after| after.trim_start().starts_with(':'));
    let constraint = ["==", ">=", "<=", "~=", "!=", "= \"", "={"];
    let is_required = after.starts_with(['=', '<', '[', '~'])
        || constraint.iter().any(|sign| after.trim_start().starts_with(sign));
    !(is_part || is_imported || is_key || is_required)
}

fn starts_a_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_run_is_told_from_one_that_is_named() {
        for line in [
            "commands = python -m pytest -v",
            "run: pytest",
            "\"jest\": \"jest --ci\",",
            "\"test\": \"node_modules/.bin/vitest\"",
            "npx jest --config jest.config.js",
            "run: cargo nextest run",
            "make && go test ./...",
        ] {
            assert!(runs_tests(line), "{line}");
        }
        for line in [
            "@pytest.fixture()",
            "import pytest",
            "from pytest import raises",
            "deps = pytest>=7",
            "    pytest >= 7",
            "pytest[testing]",
            "pytest = \"^7\"",
            "\"jest\": \"^29\",",
            "[tool.pytest.ini_options]",
            "run: latest",
            "cargo build",
        ] {
            assert!(!runs_tests(line), "{line}");
        }
    }
}
