//! What a probe printed and how it ended, compared between both sides.

use regex::bytes::Regex;
use similar::{Algorithm, ChangeTag, TextDiff};

use crate::model::fact::{Fact, FactKind, Span};
use crate::structure::lexer::lines::text_of;

/// Up to so many lines a side are aligned; of more, where the two begin to differ is told without counts.
const MAX_ALIGNED: usize = 20_000;

/// What one run of a probe came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// `exit 0`, `signal 11`.
    pub ended: String,
}

impl Output {
    /// All of it as one text, with what `normalize` matches taken out.
    fn transcript(&self, normalize: &[Regex]) -> String {
        let plain = |bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            for expression in normalize {
                if expression.is_match(&bytes) {
                    bytes = expression.replace_all(&bytes, &b""[..]).into_owned();
                }
            }
            let mut text = text_of(&bytes).replace("\r\n", "\n");
            if !text.is_empty() && !text.ends_with('\n') {
                text.push_str("\n\\ no line feed at the end\n");
            }
            text
        };
        format!(
            "{}\nstandard output:\n{}standard error:\n{}",
            self.ended,
            plain(&self.stdout),
            plain(&self.stderr)
        )
    }
}

/// The key of a probe's fact, which has no file.
pub fn key(name: &str) -> String {
    format!("probe:{name}")
}

/// States that a probe answers differently, if it does: the first lines that differ, and how many do.
pub fn compare(name: &str, before: &Output, after: &Output, normalize: &[Regex]) -> Option<Fact> {
    let (old, new) = (before.transcript(normalize), after.transcript(normalize));
    if old == new {
        return None;
    }
    let mut fact = Fact::new(FactKind::ProbeChanged, key(name), key(name));
    let (old_lines, new_lines): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let first = old_lines
        .iter()
        .zip(&new_lines)
        .take_while(|(a, b)| a == b)
        .count();
    let span = |lines: &[&str], at: usize| {
        let line = u32::try_from(at + 1).unwrap_or(u32::MAX);
        lines.get(at).map(|text| Span::new(line, line, text.trim()))
    };
    (fact.before, fact.after) = (span(&old_lines, first), span(&new_lines, first));
    if old_lines.len().max(new_lines.len()) <= MAX_ALIGNED {
        let diff = TextDiff::configure()
            .algorithm(Algorithm::Patience)
            .diff_slices(&old_lines, &new_lines);
        let changes: Vec<_> = diff.iter_all_changes().collect();
        let count = |tag| changes.iter().filter(|change| change.tag() == tag).count();
        fact.detail.before = Some(count(ChangeTag::Delete));
        fact.detail.after = Some(count(ChangeTag::Insert));
        let first = |tag| changes.iter().find(|change| change.tag() == tag);
        let old_at = first(ChangeTag::Delete).and_then(similar::Change::old_index);
        let new_at = first(ChangeTag::Insert).and_then(similar::Change::new_index);
        fact.before = old_at.and_then(|at| span(&old_lines, at));
        fact.after = new_at.and_then(|at| span(&new_lines, at));
    }
    Some(fact)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(stdout: &str, ended: &str) -> Output {
        Output {
            stdout: stdout.as_bytes().to_vec(),
            stderr: Vec::new(),
            ended: ended.to_owned(),
        }
    }

    #[test]
    fn what_differs_is_told_by_lines() {
        let old = output("usage\n  --a\n  --b\ntook 12 ms\n", "exit 0");
        let new = output("usage\n  --b\n  --c\ntook 7 ms\n", "exit 0");
        let times = [Regex::new(r"took \d+ ms").unwrap()];
        let fact = compare("help", &old, &new, &times).unwrap();
        assert_eq!(
            (fact.key.as_str(), fact.path.as_str()),
            ("probe:help", "probe:help")
        );
        let text = |span: Option<Span>| span.map(|span| (span.line, span.text));
        assert_eq!(text(fact.before), Some((4, "--a".to_owned())));
        assert_eq!(text(fact.after), Some((5, "--c".to_owned())));
        assert_eq!((fact.detail.before, fact.detail.after), (Some(1), Some(1)));
    }

    #[test]
    fn what_is_taken_out_makes_no_difference_and_the_end_does() {
        let (old, new) = (output("took 12 ms\n", "exit 0"), output("took 7 ms\n", "exit 0"));
        let times = [Regex::new(r"\d+").unwrap()];
        assert_eq!(compare("a", &old, &new, &times), None);
        assert!(compare("a", &old, &output("took 12 ms\n", "exit 1"), &[]).is_some());
        assert!(compare("a", &old, &output("took 12 ms", "exit 0"), &[]).is_some());
    }
}
