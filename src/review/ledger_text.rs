//! The findings ledger: what a reviewer reads of the findings that the branch still has to answer for.

use std::fmt::Write as _;

use crate::model::finding::{Finding, State};

/// The text, or `None` where no finding was ever filed: totals, then one line for each finding that is open or only
/// addressed, the worst first.
pub fn text(findings: &[Finding]) -> Option<String> {
    if findings.is_empty() {
        return None;
    }
    let totals: Vec<String> = State::ALL
        .iter()
        .map(|state| {
            let count = findings.iter().filter(|finding| finding.state == *state).count();
            format!("{count} {state}")
        })
        .collect();
    let mut text = format!("{}\n", totals.join(", "));
    let mut listed: Vec<&Finding> = findings
        .iter()
        .filter(|finding| matches!(finding.state, State::Open | State::Addressed))
        .collect();
    listed.sort_by(|a, b| a.list_key().cmp(&b.list_key()));
    for finding in listed {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}: {}", finding.state, finding.line());
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::{FindingFields, Origin};
    use crate::model::ids::{CommitId, Oid};
    use crate::model::severity::Severity;

    fn finding(actual: &str, severity: Severity, state: State) -> Finding {
        let fields = FindingFields {
            severity,
            expected: "good".to_owned(),
            actual: actual.to_owned(),
            file: None,
            line: None,
            criterion: None,
            fix: None,
            evidence: None,
        };
        Finding {
            id: fields.identity(),
            state,
            fields,
            round: 1,
            origins: vec![Origin("qa".to_owned())],
            review: None,
            commit: CommitId(Oid::from_bytes(&[1; 20]).unwrap()),
            openings: Vec::new(),
        }
    }

    #[test]
    fn open_and_addressed_ones_have_a_line_each() {
        assert_eq!(text(&[]), None);
        let all = [
            finding("a", Severity::Nit, State::Open),
            finding("b\u{1b}", Severity::Blocker, State::Open),
            finding("c", Severity::Major, State::Addressed),
            finding("d", Severity::Major, State::Verified),
        ];
        let text = text(&all).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "2 open, 1 addressed, 0 waived, 1 verified");
        assert!(lines[1].starts_with("open: [F-") && lines[1].ends_with("(blocker) — good → b\\u{1B}"));
        assert!(lines[2].ends_with("(nit) — good → a"));
        assert!(lines[3].starts_with("addressed: ") && lines[3].ends_with("good → c"));
        assert_eq!(lines.len(), 4);
    }
}
