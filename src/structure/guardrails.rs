//! Files that decide what is run, measured or excluded: whether a change loosened one.

mod commands;

use std::collections::BTreeMap;

use self::commands::{runs_tests, words};
use super::exclude::generated_mark;
use crate::model::baseline::SurfaceMode;
use crate::model::fact::{Fact, FactKind, Span, Tier};
use crate::model::key::{file_key, path_text};
use crate::model::policy::Policy;

/// A line, its number and its text without white space.
struct Line<'a> {
    number: u32,
    text: &'a str,
    squeezed: String,
}

/// An added line with one of these loosens; written without white space.
const LOOSENING: [&str; 14] = [
    "continue-on-error:true",
    "allow_failure:true",
    "||true",
    "passWithNoTests",
    "-k\"not",
    "-k'not",
    "--deselect",
    "--ignore=",
    "collect_ignore",
    "testPathIgnorePatterns",
    "skipTests",
    "maven.test.skip",
    "autotests=false",
    "test=false",
];

/// Words on lines that set a floor.
const FLOORS: [&str; 8] = [
    "fail_under",
    "cov-fail-under",
    "threshold",
    "minimum",
    "branches",
    "functions",
    "lines",
    "statements",
];

/// The fact for a CI, runner or coverage file, judged line by line. An absent side is an empty file.
pub fn runner(path: &[u8], before: &[u8], after: &[u8]) -> Fact {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let (removed, added) = differing_lines(&before, &after);
    let loosened = added_loosening(&added)
        .or_else(|| lost_run(&removed, &added))
        .or_else(|| lower_floor(&removed, &added));
    match loosened {
        None => touched(path),
        Some((rule, old, new)) => {
            let mut fact = changed(path, Tier::H, rule);
            fact.before = old.map(span);
            fact.after = new.map(span);
            fact
        }
    }
}

type Loosened<'a> = (String, Option<&'a Line<'a>>, Option<&'a Line<'a>>);

fn added_loosening<'a>(added: &'a [Line<'a>]) -> Option<Loosened<'a>> {
    added.iter().find_map(|line| {
        let token = LOOSENING.iter().find(|token| has_token(&line.squeezed, token))?;
        Some((format!("added {token}"), None, Some(line)))
    })
}

/// A line that ran tests is gone, and no other such line came.
fn lost_run<'a>(removed: &'a [Line<'a>], added: &'a [Line<'a>]) -> Option<Loosened<'a>> {
    let mut replaced = added.iter().filter(|line| runs_tests(line.text)).count();
    let mut runs = removed.iter().filter(|line| runs_tests(line.text));
    runs.find(|_| {
        let lost = replaced == 0;
        replaced = replaced.saturating_sub(1);
        lost
    })
    .map(|line| ("a line that ran tests is gone".to_owned(), Some(line), None))
}

fn lower_floor<'a>(removed: &'a [Line<'a>], added: &'a [Line<'a>]) -> Option<Loosened<'a>> {
    let mut by_mask: BTreeMap<String, Vec<(&Line<'a>, Vec<f64>)>> = BTreeMap::new();
    for line in removed.iter().filter(|line| has_floor(line.text)) {
        let (mask, numbers) = mask_numbers(&line.squeezed);
        by_mask.entry(mask).or_default().push((line, numbers));
    }
    added.iter().filter(|line| has_floor(line.text)).find_map(|line| {
        let (mask, numbers) = mask_numbers(&line.squeezed);
        let (old, floors) = by_mask.get_mut(&mask).filter(|olds| !olds.is_empty())?.remove(0);
        let lower = floors.iter().zip(&numbers).any(|(old, new)| new < old);
        lower.then(|| ("a lower floor".to_owned(), Some(old), Some(line)))
    })
}

fn span(line: &Line<'_>) -> Span {
    Span::new(line.number, line.number, line.text.trim())
}

fn changed(path: &[u8], tier: Tier, rule: String) -> Fact {
    let mut fact = Fact::new(FactKind::GuardrailChanged, file_key(path), path_text(path));
    fact.tier = tier;
    fact.detail.rule = Some(rule);
    fact
}

fn touched(path: &[u8]) -> Fact {
    Fact::new(FactKind::GuardrailTouched, file_key(path), path_text(path))
}

/// Lines that only one side has, comments and blank lines left out: a line that was commented out is gone.
fn differing_lines<'a>(before: &'a str, after: &'a str) -> (Vec<Line<'a>>, Vec<Line<'a>>) {
    fn lines(text: &str) -> Vec<Line<'_>> {
        let comment = |text: &str| text.is_empty() || text.starts_with('#') || text.starts_with("//");
        (1..)
            .zip(text.lines())
            .filter(|(_, text)| !comment(text.trim_start()))
            .map(|(number, text)| Line {
                number,
                text,
                squeezed: text.split_whitespace().collect(),
            })
            .collect()
    }
    let (old, new) = (lines(before), lines(after));
    let mut balance: BTreeMap<&str, isize> = BTreeMap::new();
    for line in &old {
        *balance.entry(line.text.trim()).or_default() -= 1;
    }
    for line in &new {
        *balance.entry(line.text.trim()).or_default() += 1;
    }
    let only = |lines: Vec<Line<'a>>, sign: isize| {
        let mut left = balance.clone();
        lines
            .into_iter()
            .filter(|line| {
                let count = left.entry(line.text.trim()).or_default();
                let only = *count * sign > 0;
                *count -= sign * isize::from(only);
                only
            })
            .collect()
    };
    (only(old, -1), only(new, 1))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Whether a token stands in a line and does not continue a word in front of it.
fn has_token(line: &str, token: &str) -> bool {
    let bytes = line.as_bytes();
    let word = token.as_bytes()[0].is_ascii_alphanumeric();
    line.match_indices(token)
        .any(|(at, _)| !word || at == 0 || !is_word(bytes[at - 1]))
}

fn has_floor(line: &str) -> bool {
    words(line).any(|word| FLOORS.contains(&word.trim_start_matches('-')))
}

/// A line with `0` for each number, and the numbers.
fn mask_numbers(line: &str) -> (String, Vec<f64>) {
    let mut mask = String::new();
    let mut numbers = Vec::new();
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let mut length = digits(rest);
        if length == 0 {
            mask.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        if rest[length..].starts_with('.') {
            let fraction = digits(&rest[length + 1..]);
            length += if fraction > 0 { fraction + 1 } else { 0 };
        }
        mask.push('0');
        // Digits with at most one point are a number; one that is too large is infinite, which orders rightly.
        numbers.push(rest[..length].parse().unwrap_or(f64::INFINITY));
        rest = &rest[length..];
    }
    (mask, numbers)
}

/// The fact for an attributes file. An absent side is an empty file.
pub fn attributes(path: &[u8], before: &[u8], after: &[u8]) -> Fact {
    let (before, after) = (String::from_utf8_lossy(before), String::from_utf8_lossy(after));
    let (old, new) = (Excluding::of(&before), Excluding::of(&after));
    let added = new.excludes.iter().find(|entry| !old.excludes.contains(entry));
    let lost = old.keeps.iter().find(|entry| !new.keeps.contains(entry));
    // Losing a line that keeps files in matters where something may leave them out: here, or in a folder above.
    let lost = lost.filter(|_| !new.excludes.is_empty() || path.contains(&b'/'));
    match added.or(lost) {
        None => touched(path),
        Some((pattern, attribute)) => changed(path, Tier::E, format!("{attribute} for {pattern}")),
    }
}

/// What an attributes file leaves out and keeps in, as pairs of pattern and attribute.
#[derive(Default)]
struct Excluding {
    excludes: Vec<(String, String)>,
    keeps: Vec<(String, String)>,
}

impl Excluding {
    fn of(text: &str) -> Self {
        let mut macros = Vec::new();
        let mut this = Self::default();
        for line in text.lines() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (pattern, attributes) = split_pattern(line);
            for attribute in attributes.split_ascii_whitespace() {
                let list = match effect(attribute, &macros) {
                    Some(Effect::Excludes) => &mut this.excludes,
                    Some(Effect::Keeps) => &mut this.keeps,
                    None => continue,
                };
                list.push((pattern.to_owned(), attribute.to_owned()));
                if let Some(name) = pattern.strip_prefix("[attr]") {
                    macros.push(name.to_owned());
                }
            }
        }
        this
    }
}

enum Effect {
    Excludes,
    Keeps,
}

fn effect(attribute: &str, macros: &[String]) -> Option<Effect> {
    let (state, name) = match attribute.as_bytes().first() {
        Some(b'-' | b'!') => (&attribute[..1], &attribute[1..]),
        _ => ("", attribute),
    };
    let (name, value) = name.split_once('=').unwrap_or((name, "true"));
    let set = state.is_empty() && value != "false";
    match name {
        "diff" if state == "-" => Some(Effect::Excludes),
        "linguist-generated" | "linguist-vendored" | "binary" if set => Some(Effect::Excludes),
        "diff" | "linguist-generated" | "linguist-vendored" | "binary" => Some(Effect::Keeps),
        _ if macros.iter().any(|own| own == name) => Some(if set { Effect::Excludes } else { Effect::Keeps }),
        _ => None,
    }
}

/// The pattern, which may be quoted, and the rest of the line.
fn split_pattern(line: &str) -> (&str, &str) {
    if let Some(rest) = line.strip_prefix('"') {
        let mut escaped = false;
        let end = rest.find(|c| {
            let found = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            found
        });
        if let Some(end) = end {
            return (&line[..end + 2], &rest[end + 1..]);
        }
    }
    line.split_once(|c: char| c.is_ascii_whitespace())
        .unwrap_or((line, ""))
}

/// The fact for the policy file; `None` after stands for one that cannot be read.
pub fn policy(path: &[u8], before: &Policy, after: Option<&Policy>) -> Fact {
    match after.map_or_else(
        || Some("it cannot be read".to_owned()),
        |after| measures_less(before, after),
    ) {
        Some(rule) => changed(path, Tier::E, rule),
        None => touched(path),
    }
}

/// What the second policy measures less than the first, or measures against something else.
fn measures_less(before: &Policy, after: &Policy) -> Option<String> {
    let (old, new) = (&before.baseline, &after.baseline);
    let gained = |old: &[String], new: &[String]| new.iter().find(|one| !old.contains(one)).cloned();
    let kinds = |policy: &Policy| -> Vec<FactKind> {
        let all = FactKind::ALL.iter().copied();
        all.filter(|kind| super::drift::in_set(*kind, &policy.baseline.drift))
            .collect()
    };
    if before.base != after.base {
        return Some("base changed".to_owned());
    }
    let new_kinds = kinds(after);
    if let Some(kind) = kinds(before).into_iter().find(|kind| !new_kinds.contains(kind)) {
        return Some(format!("drift without {}", kind.word()));
    }
    let lists = [
        ("exclude", gained(&old.exclude, &new.exclude)),
        ("not_golden", gained(&old.not_golden, &new.not_golden)),
        ("include without", gained(&new.include, &old.include)),
        ("golden without", gained(&new.golden, &old.golden)),
        ("helpers without", gained(&new.helpers, &old.helpers)),
    ];
    for (what, entry) in lists {
        if let Some(entry) = entry {
            return Some(format!("{what} {entry}"));
        }
    }
    if old.surface != new.surface && new.surface == SurfaceMode::Reachable {
        return Some("surface reachable".to_owned());
    }
    let lost_names = old.test_files.iter().find_map(|(language, globs)| {
        let kept = new.test_files.get(language).map_or(&[][..], Vec::as_slice);
        gained(kept, globs).map(|glob| format!("test_files without {language} {glob}"))
    });
    let lost_probe = old.probes.iter().find(|probe| !new.probes.contains(probe));
    lost_names.or_else(|| lost_probe.map(|probe| format!("probe {} changed", probe.name)))
}

/// The fact for a mark of generated code that a measured file did not have before.
pub fn generated(path: &[u8], before: &[u8], after: &[u8]) -> Option<Fact> {
    let mark = generated_mark(after).filter(|_| generated_mark(before).is_none())?;
    Some(changed(path, Tier::E, format!("header {mark}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(fact: Fact) -> Option<String> {
        assert_eq!(
            fact.kind == FactKind::GuardrailChanged,
            fact.detail.rule.is_some()
        );
        fact.detail.rule
    }

    #[test]
    fn runner_files() {
        for (before, after, expected) in [
            ("a: 1\n", "a: 2\n", None),
            (
                "",
                "continue-on-error:  true\n",
                Some("added continue-on-error:true"),
            ),
            ("", "# continue-on-error: true\n", None),
            (
                "x\n  continue-on-error: true\n",
                "continue-on-error: true\nx\n",
                None,
            ),
            (
                "run: cargo test --all\n",
                "# run: cargo test\n",
                Some("a line that ran tests is gone"),
            ),
            ("run: cargo test\n", "run: cargo nextest run\n", None),
            (
                "run: cargo test\nrun: go test\n",
                "run: pytest\n",
                Some("a line that ran tests is gone"),
            ),
            (
                "run: ./gradlew :app:check\n",
                "",
                Some("a line that ran tests is gone"),
            ),
            ("run: latest\n", "", None),
            ("fail_under = 90\n", "fail_under = 80.5\n", Some("a lower floor")),
            ("fail_under = 80\n", "fail_under=90\n", None),
            ("guidelines: 9\n", "guidelines: 1\n", None),
            ("[lib]\n", "[lib]\ntest = false\n", Some("added test=false")),
            ("[lib]\n", "[lib]\nlatest = false\n", None),
        ] {
            let fact = runner(b"ci.yml", before.as_bytes(), after.as_bytes());
            assert_eq!(rule(fact).as_deref(), expected, "{before:?} -> {after:?}");
        }
    }

    #[test]
    fn attributes_files() {
        for (before, after, expected) in [
            (
                "",
                "*.py linguist-generated\n",
                Some("linguist-generated for *.py"),
            ),
            ("", "*.py linguist-generated=false text\n", None),
            ("*.py -diff\n", "# nothing\n", None),
            ("", "\"a b\" binary\n", Some("binary for \"a b\"")),
            ("", "[attr]gen -diff\n*.py gen\n", Some("-diff for [attr]gen")),
            ("* -diff\na diff\n", "* -diff\n", Some("diff for a")),
        ] {
            let fact = attributes(b".gitattributes", before.as_bytes(), after.as_bytes());
            assert_eq!(rule(fact).as_deref(), expected, "{before:?} -> {after:?}");
        }
    }

    #[test]
    fn policies() {
        let strict = Policy::default();
        let mut loose = Policy::default();
        loose.baseline.exclude.push("shop/**".to_owned());
        assert_eq!(
            rule(policy(b"p", &strict, Some(&loose))).as_deref(),
            Some("exclude shop/**")
        );
        assert_eq!(rule(policy(b"p", &loose, Some(&strict))), None);
        assert_eq!(
            rule(policy(b"p", &strict, None)).as_deref(),
            Some("it cannot be read")
        );
        let mut fewer = Policy::default();
        fewer.baseline.drift.default = false;
        assert_eq!(
            rule(policy(b"p", &strict, Some(&fewer))).as_deref(),
            Some("drift without test-removed")
        );
    }
}
