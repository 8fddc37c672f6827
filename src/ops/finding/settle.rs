//! `finding reopen` and `finding waive`.

use serde_json::Value;

use super::board;
use super::confirm::refuse_other_speakers;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::ledger;
use crate::ledger::finding::{Checked, Context, Entry, Files, Input, MissingFile, Side};
use crate::model::day::Day;
use crate::model::event::{Reopened, Waived};
use crate::model::finding::{Finding, Origin};
use crate::model::ids::EventId;
use crate::model::outcome::Said;
use crate::model::text::sanitise;
use crate::ops::clock;
use crate::ops::desk::Desk;
use crate::ops::gate_view::may_waive;

/// What to reopen, and why.
#[derive(Debug, Clone)]
pub struct Reopen {
    /// The finding.
    pub id: String,
    /// What is.
    pub actual: String,
    /// A verbatim excerpt.
    pub evidence: Option<String>,
    /// In whose name.
    pub origin: Option<String>,
}

/// What to waive, and why.
#[derive(Debug, Clone)]
pub struct Waive {
    /// The finding.
    pub id: String,
    /// Why it may stay.
    pub reason: String,
    /// The last day.
    pub until: Option<String>,
}

/// Reopens a finding; returns it as it is then.
pub fn reopen(request: &Reopen) -> Result<Said<Finding>> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    let known = desk.finding(&request.id)?;
    let origin = match &request.origin {
        Some(named) if desk.base.policy.origins.knows(named) => Origin(named.clone()),
        Some(named) => return Err(super::add::unknown_origin(named, &desk.base.policy)),
        None => match known.finding.origins.as_slice() {
            [one] => one.clone(),
            several => {
                let names: Vec<_> = several.iter().map(Origin::as_str).collect();
                return Err(Error::new(
                    "usage",
                    format!("{} was raised by several origins", known.finding.id.short()),
                )
                .because(names.join(", "))
                .hint(format!("name one: --origin {}", names.first().unwrap_or(&"qa"))));
            }
        },
    };
    refuse_other_speakers(&desk, &origin)?;
    let (actual, evidence) = checked(&known.finding, request)?;
    let body = Reopened {
        actual,
        evidence,
        finding: known.finding.id,
        origin,
        review: known.finding.review.clone(),
    };
    let draft = desk.draft(board::heads(&desk, &known)?, desk.subject(desk.head)?, body)?;
    desk.write(vec![(desk.head, draft)])?;
    Ok(Said {
        outcome: desk.renewed()?.finding(&known.finding.id.to_hex())?.finding,
        warnings,
    })
}

/// What is and the excerpt, by the rules of a finding's fields.
fn checked(finding: &Finding, request: &Reopen) -> Result<(String, Option<String>)> {
    let mut members = vec![
        ("severity", Value::from("major")),
        ("expected", Value::from(finding.fields.expected.clone())),
        ("actual", Value::from(request.actual.clone())),
    ];
    members.extend(
        request
            .evidence
            .clone()
            .map(|text| ("evidence", Value::from(text))),
    );
    let context = Context {
        origin: "qa",
        knows_origin: &|_| true,
        criteria: &[],
        files: &NoFiles,
        missing_file: MissingFile::Allow,
    };
    match ledger::finding::check(&Input::one(members), &context)? {
        Checked::Accepted(mut fields) => {
            let fields = fields.pop().expect("one entry gives one finding");
            Ok((fields.actual, fields.evidence))
        }
        Checked::Refused(refusals) => Err(ledger::finding::refused(&refusals)),
    }
}

/// A reopening names no file.
struct NoFiles;

impl Files for NoFiles {
    fn entry(&self, _: Side, _: &str) -> Result<Entry> {
        Ok(Entry::Absent)
    }

    fn lines(&self, _: Side, _: &str) -> Result<u64> {
        Ok(0)
    }
}

/// The most characters of a reason.
const MAX_REASON: usize = 2000;

/// Waives a finding; returns it as it is then.
pub fn waive(request: &Waive) -> Result<Said<Finding>> {
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let warnings = desk.put_back.clone();
    let known = desk.finding(&request.id)?;
    let id = known.finding.id.short();
    let reason = request.reason.trim();
    if reason.is_empty() || reason.chars().count() > MAX_REASON {
        return Err(Error::new(
            "usage",
            format!("a waiver needs a reason of 1 to {MAX_REASON} characters"),
        ));
    }
    let until = request.until.as_deref().map(day).transpose()?;
    let by = desk.by()?;
    let severity = known.finding.fields.severity;
    if !may_waive(&desk.base.policy, severity, &by.email) {
        return Err(Error::new(
            "not-allowed",
            format!("{} may not waive a {severity} finding", sanitise(&by.email)),
        )
        .because(format!(
            "the policy of the base names who may, under [waive] {severity}"
        ))
        .hint(format!("git review-gate finding resolve {id}")));
    }
    let mut closes: Vec<EventId> = board::unsettled(&known.finding)
        .map(|opening| opening.event)
        .collect();
    closes.sort_unstable();
    if closes.is_empty() {
        return Err(Error::new(
            "nothing-to-answer",
            format!("{id} is {} already", known.finding.state),
        )
        .hint(format!("git review-gate finding show {id}")));
    }
    let body = Waived {
        closes,
        reason: reason.to_owned(),
        until,
    };
    let draft = desk.draft(board::heads(&desk, &known)?, desk.subject(desk.head)?, body)?;
    desk.write(vec![(desk.head, draft)])?;
    Ok(Said {
        outcome: desk.renewed()?.finding(&known.finding.id.to_hex())?.finding,
        warnings,
    })
}

fn day(text: &str) -> Result<Day> {
    let day: Day = text
        .parse()
        .map_err(|cause| Error::new("usage", format!("--until {}", sanitise(text))).caused_by(&cause))?;
    if day < clock::today() {
        return Err(Error::new(
            "usage",
            format!("--until {day} is past, such a waiver never holds"),
        ));
    }
    Ok(day)
}
