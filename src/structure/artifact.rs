//! The text artifact of a baseline, line by line: the evidence that is stored, quoted and digested.
//!
//! Whatever cuts it from behind keeps verdict, range and losses; sections stand in one order, also when empty.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::model::baseline::{STATUS_MARKER, Unmeasured, UnmeasuredSide};
use crate::model::evidence::{self, cut, plural};
use crate::model::fact::{Fact, Tier};
use crate::model::ids::hex;
use crate::model::measured::{Baseline, Measured, Section};
use crate::model::range::{PassedOver, RangeMode, Unavailable};
use crate::model::text::sanitise;

const READ_ONLY: &str = "\
Two trees were compared: nothing was checked out, built or run, and nothing was fetched.
";

const WITH_PROBES: &str = "\
Two trees were compared; the probes of the base's policy were run in throw-away work trees of both commits.
";

const METHOD: &str = "\
Units are paired by name, then by signature and body; equal counts hide no removal.
Drift is a fact whose kind is in the drift set of the base's policy and that the goal does not authorise.
Tier E follows from names and tokens alone; tier H is a pattern, shown with its evidence.
Not seen: items made by macros other than test macros, `include!`, build scripts, `#[path]` for naming;
inferred types, layout and ABI; exports at run time; computed test names; tests generated in loops (counted once).
A renamed private type in a public signature counts as changed; an added optional parameter is a change.
Rules: git review-gate explain KIND
";

/// An artifact and its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The whole text, with its END line.
    pub text: String,
    /// `sha256:` over everything above the END line.
    pub digest: String,
}

/// Writes the artifact.
pub fn write(baseline: &Baseline) -> Artifact {
    let mut text = baseline.first_line();
    text.push('\n');
    match baseline {
        Baseline::Computed(measured) => computed(&mut text, measured),
        Baseline::Unavailable(reason) => unavailable(&mut text, reason),
    }
    let digest = format!("sha256:{}", hex(&Sha256::digest(text.as_bytes())));
    line(&mut text, format_args!("END {digest}"));
    Artifact { text, digest }
}

// Writing to a String cannot fail.
fn line(text: &mut String, args: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{args}");
}

fn unavailable(text: &mut String, reason: &Unavailable) {
    for PassedOver { candidate, why } in &reason.tried {
        line(text, format_args!("TRIED: {candidate} ({why})"));
    }
    for help in &reason.help {
        line(text, format_args!("HELP: {help}"));
    }
}

fn computed(text: &mut String, measured: &Measured) {
    header(text, measured);
    text.push('\n');
    for (title, section) in [("DRIFT", Section::Drift), ("AUTHORISED", Section::Authorised)] {
        facts(text, measured, title, section);
    }
    for unused in &measured.unused {
        let surface = match unused.surface {
            crate::model::fact::Surface::Tests => "tests",
            crate::model::fact::Surface::Api => "api",
            crate::model::fact::Surface::Behaviour => "golden",
        };
        line(
            text,
            format_args!(
                "unused: {} {surface} {}",
                sanitise(&unused.criterion),
                sanitise(&unused.glob)
            ),
        );
    }
    line(text, format_args!("UNMEASURED ({})", measured.unmeasured.len()));
    for entry in &measured.unmeasured {
        unmeasured(text, entry);
    }
    for (title, section) in [("NOTES", Section::Note), ("ADDED", Section::Added)] {
        facts(text, measured, title, section);
    }
    line(text, format_args!("EXCLUDED ({})", measured.files.excluded));
    for rule in &measured.excluded {
        line(
            text,
            format_args!(
                "{}: {} ({})",
                plural(rule.files, "file"),
                sanitise(&rule.rule),
                sanitise(&rule.source)
            ),
        );
    }
    line(text, format_args!("METHOD"));
    text.push_str(if measured.options.probes {
        WITH_PROBES
    } else {
        READ_ONLY
    });
    text.push_str(METHOD);
}

fn header(text: &mut String, measured: &Measured) {
    let range = &measured.range;
    line(text, format_args!("{STATUS_MARKER}COMPUTED"));
    let what = match range.mode {
        RangeMode::MergeBase => format!("merge base of {} and {}", range.base_name, range.head_asked),
        RangeMode::Tip => format!("{}, --tip", range.base_name),
    };
    line(
        text,
        format_args!("BASE: {} ({what}; found by: {})", range.base, range.found_by),
    );
    line(text, format_args!("HEAD: {} ({})", range.head, range.head_asked));
    if range.merge_bases.len() > 1 {
        let all: Vec<_> = range.merge_bases.iter().map(ToString::to_string).collect();
        line(
            text,
            format_args!("MERGE BASES: {}, first used: {}", all.len(), all.join(" ")),
        );
    }
    if !range.passed_over.is_empty() {
        let all = range.passed_over.iter();
        let all: Vec<_> = all
            .map(|one| format!("{} ({})", one.candidate, one.why))
            .collect();
        line(text, format_args!("PASSED OVER: {}", all.join(", ")));
    }
    let files = &measured.files;
    let languages: Vec<_> = files
        .by_language
        .iter()
        .map(|(id, n)| format!("{id} {n}"))
        .collect();
    let languages = if languages.is_empty() {
        String::new()
    } else {
        format!(" ({})", languages.join(", "))
    };
    line(
        text,
        format_args!(
            "MEASURED: {} of {} changed {}{languages}; {} excluded, {} other, {} unmeasured",
            files.measured,
            files.changed,
            if files.changed == 1 { "file" } else { "files" },
            files.excluded,
            files.other,
            files.unmeasured
        ),
    );
    if measured.renames_over_limit {
        line(
            text,
            format_args!("RENAMES: too many candidates, only those with equal content were found"),
        );
    }
    let surface = match measured.options.surface {
        crate::model::baseline::SurfaceMode::Reachable => "reachable",
        crate::model::baseline::SurfaceMode::Declared => "declared",
    };
    let declared: Vec<_> = files
        .declared_only
        .iter()
        .map(|package| {
            let name = if package.is_empty() {
                "the top package".to_owned()
            } else {
                sanitise(package)
            };
            format!("; declared for {name} (no entry found)")
        })
        .collect();
    line(text, format_args!("SURFACE: {surface}{}", declared.concat()));
    let policy = measured.options.policy.map(|blob| blob.to_string());
    line(
        text,
        format_args!("POLICY: {}", policy.as_deref().unwrap_or("built in")),
    );
    line(
        text,
        format_args!("GOAL: {}", measured.options.goal.as_deref().unwrap_or("none")),
    );
}

fn facts(text: &mut String, measured: &Measured, title: &str, section: Section) {
    line(
        text,
        format_args!("{title} ({})", measured.section(section).count()),
    );
    for fact in measured.section(section) {
        fact_line(text, fact);
    }
}

fn fact_line(text: &mut String, fact: &Fact) {
    let surface = match fact.kind.surface() {
        crate::model::fact::Surface::Tests => "tests",
        crate::model::fact::Surface::Api => "api",
        crate::model::fact::Surface::Behaviour => "behaviour",
    };
    let tier = match fact.tier {
        Tier::E => "E",
        Tier::H => "H",
    };
    let criteria = if fact.authorised_by.is_empty() {
        String::new()
    } else {
        format!("  [{}]", sanitise(&fact.authorised_by.join(", ")))
    };
    let key = sanitise(&fact.key);
    line(
        text,
        format_args!("{surface} {} {tier} {key}{criteria}", fact.kind.word()),
    );
    for evidence in evidence::lines(fact) {
        line(text, format_args!("    {evidence}"));
    }
}

fn unmeasured(text: &mut String, entry: &Unmeasured) {
    let side = match entry.side {
        UnmeasuredSide::Before => "before",
        UnmeasuredSide::After => "after",
        UnmeasuredSide::Both => "both",
    };
    let path = sanitise(&entry.path);
    line(text, format_args!("{} {side} {path}", entry.reason.word()));
    if !entry.detail.is_empty() {
        line(text, format_args!("    {}", cut(&sanitise(&entry.detail))));
    }
    if !entry.seen.is_empty() {
        line(
            text,
            format_args!("    seen: {}", cut(&sanitise(&entry.seen.join(", ")))),
        );
    }
}
