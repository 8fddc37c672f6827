//! A baseline for people: wrapped to a terminal, and as Markdown.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

use super::markdown::escape;

use crate::model::baseline::Verdict;
use crate::model::evidence;
use crate::model::fact::{Fact, FactKind, Span};
use crate::model::measured::{Baseline, Measured, Section};
use crate::model::range::Unavailable;
use crate::model::text::sanitise;

/// Runs of equal moves longer than this are folded.
const FOLD: usize = 3;

const WIDTH: usize = 80;

const SECTIONS: [(Section, &str); 4] = [
    (Section::Drift, "Drift"),
    (Section::Authorised, "Authorised"),
    (Section::Note, "Notes"),
    (Section::Added, "Added"),
];

/// The answer for a terminal. With `colour`, verdict and kinds are coloured.
pub fn human(baseline: &Baseline, colour: bool) -> String {
    let mut text = String::new();
    match baseline {
        Baseline::Computed(measured) => computed(&mut text, baseline, measured, colour),
        Baseline::Unavailable(reason) => {
            let style = style(AnsiColor::Yellow, colour);
            wrap(&mut text, &paint(&sanitise(&baseline.first_line()), style), "  ");
            unavailable(&mut text, reason);
        }
    }
    text
}

fn unavailable(text: &mut String, reason: &Unavailable) {
    for tried in &reason.tried {
        push(text, format_args!("tried: {} ({})", tried.candidate, tried.why));
    }
    for help in &reason.help {
        push(text, format_args!("help: {}", sanitise(help)));
    }
}

fn computed(text: &mut String, baseline: &Baseline, measured: &Measured, colour: bool) {
    let verdict = style(verdict_colour(measured.verdict), colour).bold_if(colour);
    let first = baseline.first_line();
    let phrase = measured.verdict.phrase();
    let rest = first.split_once(phrase).map_or("", |(_, rest)| rest);
    wrap(text, &format!("{}{rest}", paint(phrase, verdict)), "  ");
    let range = &measured.range;
    push(
        text,
        format_args!(
            "{}..{}  base {} (found by {})",
            range.base.short(),
            range.head.short(),
            range.base_name,
            range.found_by
        ),
    );
    let files = &measured.files;
    push(
        text,
        format_args!(
            "{} of {} changed files measured, {} excluded, {} other, {} unmeasured",
            files.measured, files.changed, files.excluded, files.other, files.unmeasured
        ),
    );
    if range.merge_bases.len() > 1 {
        push(
            text,
            format_args!("{} merge bases, the first is used", range.merge_bases.len()),
        );
    }
    if measured.renames_over_limit {
        push(
            text,
            format_args!("too many renames: only those with equal content were found"),
        );
    }
    for (section, title) in SECTIONS {
        let facts: Vec<_> = measured.section(section).collect();
        if facts.is_empty() {
            continue;
        }
        push(text, format_args!("\n{title} ({})", facts.len()));
        let colour_of_kind = match section {
            Section::Drift => style(AnsiColor::Red, colour),
            Section::Authorised | Section::Note => style(AnsiColor::Yellow, colour),
            Section::Added => style(AnsiColor::Green, colour),
        };
        folded(text, &facts, colour_of_kind);
        if section == Section::Authorised {
            unused(text, measured);
        }
    }
    if measured.section(Section::Authorised).count() == 0 {
        unused(text, measured);
    }
    if !measured.unmeasured.is_empty() {
        push(text, format_args!("\nUnmeasured ({})", measured.unmeasured.len()));
        for entry in &measured.unmeasured {
            push(
                text,
                format_args!("  {} {}", entry.reason.word(), sanitise(&entry.path)),
            );
            if !entry.detail.is_empty() {
                wrap(text, &format!("      {}", sanitise(&entry.detail)), "      ");
            }
        }
    }
}

fn unused(text: &mut String, measured: &Measured) {
    for unused in &measured.unused {
        push(
            text,
            format_args!(
                "  authorised by {} and not found: {}",
                sanitise(&unused.criterion),
                sanitise(&unused.glob)
            ),
        );
    }
}

/// Facts one by one; runs of moves from one file to another as one line.
fn folded(text: &mut String, facts: &[&Fact], style: Style) {
    let folds = |fact: &Fact| {
        matches!(
            fact.kind,
            FactKind::TestMoved | FactKind::ApiMoved | FactKind::GoldenMoved
        )
        .then(|| (fact.kind, fact.path.clone(), fact.to_path.clone()))
    };
    let mut rest = facts;
    while let Some(first) = rest.first() {
        let group = folds(first);
        let run = rest
            .iter()
            .take_while(|fact| group.is_some() && folds(fact) == group)
            .count()
            .max(1);
        if run > FOLD {
            let to = first.to_path.as_deref().unwrap_or(&first.path);
            push(
                text,
                format_args!(
                    "  {} {run} from {} to {}",
                    paint(first.kind.word(), style),
                    sanitise(&first.path),
                    sanitise(to)
                ),
            );
        } else {
            rest[..run].iter().for_each(|fact| one(text, fact, style));
        }
        rest = &rest[run..];
    }
}

fn one(text: &mut String, fact: &Fact, style: Style) {
    let criteria = if fact.authorised_by.is_empty() {
        String::new()
    } else {
        format!("  [{}]", sanitise(&fact.authorised_by.join(", ")))
    };
    push(
        text,
        format_args!(
            "  {} {}{criteria}",
            paint(fact.kind.word(), style),
            sanitise(&fact.key)
        ),
    );
    for line in evidence::lines(fact) {
        push(text, format_args!("      {line}"));
    }
}

/// The answer as Markdown: a heading, the range, and one table for each section.
pub fn markdown(baseline: &Baseline) -> String {
    let mut text = String::new();
    push(&mut text, format_args!("## Structural baseline\n"));
    match baseline {
        Baseline::Unavailable(reason) => {
            push(
                &mut text,
                format_args!("**UNAVAILABLE** ({})\n", escape(&reason.sentence())),
            );
            for tried in &reason.tried {
                push(
                    &mut text,
                    format_args!("- tried {} ({})", escape(&tried.candidate), escape(&tried.why)),
                );
            }
            for help in &reason.help {
                push(&mut text, format_args!("- help: {}", escape(help)));
            }
        }
        Baseline::Computed(measured) => {
            push(
                &mut text,
                format_args!(
                    "**{}**{}\n",
                    measured.verdict.phrase(),
                    escape(&measured.verdict_rest())
                ),
            );
            let range = &measured.range;
            push(
                &mut text,
                format_args!(
                    "{}..{}, base {} (found by {})\n",
                    range.base.short(),
                    range.head.short(),
                    escape(&range.base_name),
                    escape(&range.found_by)
                ),
            );
            for (section, title) in SECTIONS {
                markdown_section(&mut text, measured, section, title);
            }
            if !measured.unmeasured.is_empty() {
                push(
                    &mut text,
                    format_args!(
                        "### Unmeasured ({})\n\n| reason | path | detail |\n|---|---|---|",
                        measured.unmeasured.len()
                    ),
                );
                for entry in &measured.unmeasured {
                    push(
                        &mut text,
                        format_args!(
                            "| {} | {} | {} |",
                            entry.reason.word(),
                            escape(&entry.path),
                            escape(&entry.detail)
                        ),
                    );
                }
            }
        }
    }
    text
}

fn markdown_section(text: &mut String, measured: &Measured, section: Section, title: &str) {
    let facts: Vec<_> = measured.section(section).collect();
    if facts.is_empty() {
        return;
    }
    push(
        text,
        format_args!(
            "### {title} ({})\n\n| kind | key | where |\n|---|---|---|",
            facts.len()
        ),
    );
    for fact in facts {
        let line = |span: &Option<Span>| span.as_ref().map(|span| span.line);
        let line = line(&fact.before).or(line(&fact.after));
        let place = line.map_or_else(|| fact.path.clone(), |line| format!("{}:{line}", fact.path));
        let criteria = if fact.authorised_by.is_empty() {
            String::new()
        } else {
            format!(" \\[{}\\]", escape(&fact.authorised_by.join(", ")))
        };
        push(
            text,
            format_args!(
                "| {}{criteria} | {} | {} |",
                fact.kind.word(),
                escape(&fact.key),
                escape(&place)
            ),
        );
    }
    text.push('\n');
}

fn push(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{args}");
}

/// Breaks a line at blanks; later lines begin with `indent`.
fn wrap(text: &mut String, line: &str, indent: &str) {
    let mut width = 0;
    for (number, word) in line.split(' ').enumerate() {
        let visible = anstream::adapter::strip_str(word).to_string().chars().count();
        if number > 0 && width + 1 + visible > WIDTH {
            text.push('\n');
            text.push_str(indent);
            width = indent.len();
        } else if number > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += visible;
    }
    text.push('\n');
}

fn style(colour: AnsiColor, wanted: bool) -> Style {
    if wanted { colour.on_default() } else { Style::new() }
}

trait BoldIf {
    fn bold_if(self, wanted: bool) -> Self;
}

impl BoldIf for Style {
    fn bold_if(self, wanted: bool) -> Self {
        if wanted { self.bold() } else { self }
    }
}

fn paint(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

fn verdict_colour(verdict: Verdict) -> AnsiColor {
    match verdict {
        Verdict::Drift => AnsiColor::Red,
        Verdict::Indeterminate | Verdict::NothingMeasured => AnsiColor::Yellow,
        Verdict::AdditionsOnly | Verdict::NoDrift => AnsiColor::Green,
    }
}
