//! A decision for GitHub Actions: workflow commands that annotate files and lines, and a table for the summary.

use super::decision::place;
use super::markdown::escape;
use crate::model::decision::{Decision, Outcome, RefDecision, RuleDecision};
use crate::model::text::sanitise;

/// GitHub shows at most so many annotations of one step and level.
const ANNOTATIONS: usize = 10;

/// The annotations, a blank line, and the summary table.
pub fn github(decision: &Decision) -> String {
    format!("{}\n{}", annotations(decision), summary(decision))
}

/// One workflow command a finding or fact, or one a rule that names neither.
pub fn annotations(decision: &Decision) -> String {
    let mut text = String::new();
    for of in &decision.refs {
        if let Some(fault) = &of.fault {
            let whole: Vec<_> = std::iter::once(&fault.message)
                .chain(&fault.causes)
                .map(String::as_str)
                .collect();
            command(
                &mut text,
                ("error", fault.kind),
                None,
                &format!("{}: {}", of.ref_name, whole.join(": ")),
            );
        }
        for rule in &of.rules {
            annotate(&mut text, of, rule);
        }
    }
    text
}

fn annotate(text: &mut String, of: &RefDecision, rule: &RuleDecision) {
    let level = match rule.outcome {
        Outcome::Blocked | Outcome::Undecided => "error",
        Outcome::Pass if !rule.facts.is_empty() => "warning",
        Outcome::Pass | Outcome::Skipped => return,
    };
    let title = (level, rule.id.as_str());
    let mut left = ANNOTATIONS;
    for finding in &rule.findings {
        if left == 0 {
            break;
        }
        left -= 1;
        let place = finding.file.as_deref().map(|file| (file, finding.line));
        command(text, title, place, &finding.text);
    }
    for fact in rule.facts.iter().take(left) {
        // A place in the old version only would annotate a line that has nothing to do with it.
        let line = fact.after.as_ref().map(|span| u64::from(span.line));
        let path = fact.to_path.as_ref().unwrap_or(&fact.path);
        let message = format!("{} {} ({})", fact.kind.word(), fact.key, place(fact));
        command(text, title, Some((path, line)), &message);
    }
    if rule.findings.is_empty() && rule.facts.is_empty() {
        command(
            text,
            title,
            None,
            &format!("{}: {}", of.ref_name, rule.reasons.join("; ")),
        );
    }
}

/// `::error file=…,line=…,title=…::message`
fn command(
    text: &mut String,
    (level, title): (&str, &str),
    place: Option<(&str, Option<u64>)>,
    message: &str,
) {
    text.push_str("::");
    text.push_str(level);
    text.push(' ');
    if let Some((file, line)) = place {
        text.push_str(&format!("file={},", property(&sanitise(file))));
        if let Some(line) = line {
            text.push_str(&format!("line={line},"));
        }
    }
    text.push_str(&format!("title={}::{}\n", property(title), data(message)));
}

/// Escapes the message of a workflow command: it ends with the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command: it ends with a comma or colons.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A Markdown table with one row for each rule of each ref that was judged.
pub fn summary(decision: &Decision) -> String {
    let mut text = format!(
        "## git review-gate: {}\n\n| ref | rule | outcome | why |\n|---|---|---|---|\n",
        decision.outcome()
    );
    for of in &decision.refs {
        let name = escape(&of.ref_name);
        if of.rules.is_empty() {
            let why = match &of.fault {
                Some(fault) => escape(&fault.message),
                None => escape(&of.notes.join("; ")),
            };
            text.push_str(&format!("| {name} | | {} | {why} |\n", of.outcome()));
        }
        for rule in &of.rules {
            let mut why: Vec<String> = rule.reasons.iter().map(|reason| escape(reason)).collect();
            why.extend(
                rule.findings
                    .iter()
                    .take(ANNOTATIONS)
                    .map(|finding| escape(&finding.text)),
            );
            text.push_str(&format!(
                "| {name} | {} | {} | {} |\n",
                rule.id,
                rule.outcome,
                why.join("<br>")
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::testing::decision;
    use super::*;

    #[test]
    fn annotates_lines_and_escapes_what_would_end_a_command() {
        let mut decision = decision();
        decision.refs[0].rules[0].findings[0].file = Some("a,b:c%.rs".to_owned());
        decision.refs[0].rules[0].findings[0].text = "50%\n::set-env::x".to_owned();
        let text = annotations(&decision);
        assert!(
            text.starts_with(
                "::error file=a%2Cb%3Ac%25.rs,line=3,title=findings-open::50%25%0A::set-env::x\n"
            ),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| line.starts_with("::error ") || line.starts_with("::warning ")),
            "{text}"
        );
    }

    #[test]
    fn the_table_keeps_its_columns() {
        let mut decision = decision();
        decision.refs[0].rules[0].reasons[0] = "a|b <img src=x> `c`".to_owned();
        let text = summary(&decision);
        let row = text.lines().find(|line| line.contains("findings-open")).unwrap();
        assert!(row.contains(r"a\|b &lt;img src=x&gt; \`c\`"), "{row}");
    }
}
