//! A decision for people: one line a rule, what is in the way, and the next command.

use anstyle::{AnsiColor, Style};

use super::wrap::{WIDTH, wrapped};
use crate::model::decision::{Decision, Outcome, Overall, RefDecision, RefFault, RuleDecision};
use crate::model::fact::Fact;
use crate::model::text::sanitise;

/// The longest rule id.
const RULE_WIDTH: usize = "findings-unverified".len();

/// The longest outcome.
const OUTCOME_WIDTH: usize = "undecided".len();

/// Findings and facts of one rule that are listed; the command shows all.
const LISTED: usize = 50;

/// The whole decision. Colours are in it; the stream takes them out where they are not wanted.
///
/// With several refs, those that pass have one line each.
pub fn human(decision: &Decision) -> String {
    let mut text = String::new();
    let several = decision.refs.len() > 1;
    for of in &decision.refs {
        let outcome = of.outcome();
        heading(&mut text, of, outcome);
        for note in &of.notes {
            wrapped(&mut text, "  ", note);
        }
        if let Some(fault) = &of.fault {
            faulted(&mut text, fault);
        }
        if several && outcome == Overall::Pass {
            continue;
        }
        for rule in &of.rules {
            rule_line(&mut text, rule);
        }
        for rule in of
            .rules
            .iter()
            .filter(|rule| is_in_the_way(rule) || !rule.facts.is_empty())
        {
            details(&mut text, rule, Line::Shown);
        }
    }
    if let Some(command) = next_command(decision) {
        text.push_str(&format!("\nnext: {command}\n"));
    }
    text
}

/// The decision as a hook shows it: what is in the way, what is to be said; refs that simply pass are only counted.
pub fn brief(decision: &Decision) -> String {
    let mut text = String::new();
    let mut passed = 0_usize;
    for of in &decision.refs {
        let outcome = of.outcome();
        let shown: Vec<_> = of
            .rules
            .iter()
            .filter(|rule| is_in_the_way(rule) || !rule.facts.is_empty())
            .collect();
        if outcome == Overall::Pass && of.notes.is_empty() && shown.is_empty() {
            passed += 1;
            continue;
        }
        heading(&mut text, of, outcome);
        for note in &of.notes {
            wrapped(&mut text, "  ", note);
        }
        if let Some(fault) = &of.fault {
            faulted(&mut text, fault);
        }
        for rule in shown {
            details(&mut text, rule, Line::Absent);
        }
    }
    if passed > 0 && decision.outcome() != Overall::Pass {
        let (refs, word) = (passed, if passed == 1 { "ref" } else { "refs" });
        text.push_str(&format!("{refs} more {word} would pass\n"));
    }
    if let Some(command) = next_command(decision) {
        text.push_str(&format!("\nnext: {command}\n"));
    }
    text
}

/// The command that helps most: of an undecided rule first, then of the first that blocks.
pub fn next_command(decision: &Decision) -> Option<&str> {
    let rules = || decision.refs.iter().flat_map(|of| &of.rules);
    let hints = decision
        .refs
        .iter()
        .filter_map(|of| of.fault.as_ref())
        .flat_map(|fault| &fault.hints);
    let undecided = rules().filter(|rule| rule.outcome == Outcome::Undecided);
    let blocked = rules().filter(|rule| rule.outcome == Outcome::Blocked);
    hints
        .map(String::as_str)
        .find(|hint| hint.starts_with("git "))
        .or_else(|| undecided.chain(blocked).find_map(|rule| rule.command.as_deref()))
}

fn is_in_the_way(rule: &RuleDecision) -> bool {
    matches!(rule.outcome, Outcome::Blocked | Outcome::Undecided)
}

fn heading(text: &mut String, of: &RefDecision, outcome: Overall) {
    let style = style_of(match outcome {
        Overall::Pass => Outcome::Pass,
        Overall::Blocked => Outcome::Blocked,
        Overall::Undecided => Outcome::Undecided,
    });
    text.push_str(&format!("{}: {style}{outcome}{style:#}", sanitise(&of.ref_name)));
    match (of.base, of.head) {
        (Some(base), Some(head)) => text.push_str(&format!(" ({}..{})", base.short(), head.short())),
        (None, Some(head)) => text.push_str(&format!(" ({})", head.short())),
        (_, None) => {}
    }
    text.push('\n');
}

fn faulted(text: &mut String, fault: &RefFault) {
    wrapped(text, "  ", &fault.message);
    for cause in &fault.causes {
        wrapped(text, "    ", &format!("caused by: {cause}"));
    }
    for hint in &fault.hints {
        wrapped(text, "    ", &format!("hint: {hint}"));
    }
}

fn rule_line(text: &mut String, rule: &RuleDecision) {
    let style = style_of(rule.outcome);
    let reason = match rule.reasons.as_slice() {
        [] => String::new(),
        [one] => sanitise(one),
        [first, rest @ ..] => format!("{} (and {} more)", sanitise(first), rest.len()),
    };
    let (id, outcome, reason) = (rule.id, rule.outcome, cut(&reason, reason_room()));
    let line = format!("  {id:<RULE_WIDTH$}  {style}{outcome:<OUTCOME_WIDTH$}{style:#}  {reason}");
    text.push_str(line.trim_end());
    text.push('\n');
}

/// What is left of a rule's line for its reason.
const fn reason_room() -> usize {
    WIDTH - 2 - RULE_WIDTH - 2 - OUTCOME_WIDTH - 2
}

/// Whether a rule had a line of its own before its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Shown,
    Absent,
}

/// Everything that a rule has to say: reasons whole, findings, facts with their places, the command.
fn details(text: &mut String, rule: &RuleDecision, line: Line) {
    text.push_str(&format!("\n  {}\n", rule.id));
    // A single reason that fitted on the rule's own line is not said twice.
    let fitted = line == Line::Shown
        && matches!(rule.reasons.as_slice(), [one] if sanitise(one).chars().count() <= reason_room());
    for reason in rule.reasons.iter().filter(|_| !fitted) {
        wrapped(text, "    ", reason);
    }
    for finding in rule.findings.iter().take(LISTED) {
        text.push_str(&format!("    {}\n", sanitise(&finding.text)));
    }
    for fact in rule.facts.iter().take(LISTED) {
        text.push_str(&fact_lines(fact));
    }
    let more = rule.findings.len().max(rule.facts.len()).saturating_sub(LISTED);
    if more > 0 {
        text.push_str(&format!("    … and {more} more\n"));
    }
    if let Some(command) = rule.command.as_ref().filter(|_| is_in_the_way(rule)) {
        text.push_str(&format!("    → {}\n", sanitise(command)));
    }
}

fn fact_lines(fact: &Fact) -> String {
    format!(
        "    {} {}\n        {}\n",
        fact.kind.word(),
        sanitise(&fact.key),
        place(fact)
    )
}

/// Path and line of a fact, after the change where it still stands.
pub(super) fn place(fact: &Fact) -> String {
    let path = sanitise(
        fact.to_path
            .as_ref()
            .filter(|_| fact.after.is_some())
            .unwrap_or(&fact.path),
    );
    match fact.after.as_ref().or(fact.before.as_ref()) {
        Some(span) => format!("{path}:{}", span.line),
        None => path,
    }
}

fn style_of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Skipped => Style::new().dimmed(),
        Outcome::Pass => AnsiColor::Green.on_default(),
        Outcome::Blocked => AnsiColor::Red.on_default().bold(),
        Outcome::Undecided => AnsiColor::Yellow.on_default().bold(),
    }
}

/// At most `room` characters, the last an ellipsis where something was cut.
fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(room.saturating_sub(1)).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::super::testing::decision;
    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn shows_rules_then_what_is_in_the_way_then_the_command() {
        insta::assert_snapshot!(plain(&human(&decision())), @r"
        refs/heads/main: blocked (010101010101..020202020202)
          findings-open        blocked    1 open finding
          review-missing       pass       there is none, and none is required
          baseline-drift       blocked    1 fact is unauthorised drift
          quality-blocked      skipped    the gate does not ask for a quality record

          findings-open
            [F-01010101] src/cart.rs:3 (major) — sums → does not
            → git review-gate finding resolve F-01010101

          baseline-drift
            test-removed rust:crate::cart#test adds
                src/cart.rs:88
            → git review-gate baseline

        next: git review-gate finding resolve F-01010101
        ");
    }

    #[test]
    fn a_hook_says_nothing_of_what_simply_passes() {
        let mut decision = decision();
        let mut passing = decision.refs[0].clone();
        passing.ref_name = "refs/heads/topic".to_owned();
        passing.rules.retain(|rule| rule.outcome == Outcome::Pass);
        decision.refs.push(passing.clone());
        let text = plain(&brief(&decision));
        assert!(
            !text.contains("refs/heads/topic") && !text.contains("quality-blocked"),
            "{text}"
        );
        assert!(
            text.contains("[F-01010101]") && text.contains("1 more ref would pass"),
            "{text}"
        );
        assert_eq!(
            brief(&Decision {
                refs: vec![passing.clone()]
            }),
            ""
        );
        passing.notes.push("a tag of a tree".to_owned());
        assert!(brief(&Decision { refs: vec![passing] }).contains("a tag of a tree"));
    }

    #[test]
    fn fits_eighty_columns_and_shows_no_control_character() {
        let mut decision = decision();
        for rule in &mut decision.refs[0].rules {
            rule.reasons.push("word ".repeat(60) + "\u{1b}[2J\u{202e}");
        }
        for line in plain(&human(&decision))
            .lines()
            .filter(|line| !line.contains("[F-"))
        {
            assert!(line.chars().count() <= WIDTH, "{line}");
            assert!(!line.contains(['\u{1b}', '\u{202e}']), "{line:?}");
        }
    }

    #[test]
    fn many_findings_are_cut_and_counted() {
        let mut decision = decision();
        let finding = decision.refs[0].rules[0].findings[0].clone();
        decision.refs[0].rules[0].findings = vec![finding; 60];
        let text = human(&decision);
        assert_eq!(text.matches("[F-").count(), LISTED);
        assert!(text.contains("… and 10 more"), "{text}");
    }
}
