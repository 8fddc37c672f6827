//! Reads and checks goals: from a TOML or JSON file, and from the command line.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::path;
use crate::error::{Error, Result};
use crate::model::canonical;
use crate::model::goal::{Authorization, Criterion, Goal};
use crate::model::ids::Digest;
use crate::model::review::ReviewId;
use crate::model::text::sanitise;

/// The most bytes that the canonical JSON of a goal may have.
pub const MAX_GOAL_BYTES: usize = 48 * 1024;
const MAX_SUMMARY: usize = 1000;
const MAX_PROBLEM: usize = 4000;
const MAX_CRITERIA: usize = 64;
const MAX_CRITERION: usize = 1000;
const MAX_AUTHORIZATIONS: usize = 64;
const MAX_GLOBS: usize = 200;
const MAX_GLOB: usize = 300;

/// How a goal file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

impl Syntax {
    /// By the suffix of the file's name, else by its first character.
    pub fn of(name: &str, text: &str) -> Self {
        let suffix = name
            .rsplit_once('.')
            .map(|(_, suffix)| suffix.to_ascii_lowercase());
        match suffix.as_deref() {
            Some("json") => Self::Json,
            Some("toml") => Self::Toml,
            _ if text.trim_start().starts_with('{') => Self::Json,
            _ => Self::Toml,
        }
    }
}

/// A goal as people write it; unknown fields are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalFile {
    summary: Option<String>,
    problem: Option<String>,
    #[serde(default)]
    criteria: Vec<CriterionInFile>,
    contract: Option<String>,
    #[serde(default)]
    authorize: Vec<AuthorizationInFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CriterionInFile {
    id: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthorizationInFile {
    criterion: String,
    #[serde(default)]
    api: Vec<String>,
    #[serde(default)]
    tests: Vec<String>,
    #[serde(default)]
    golden: Vec<String>,
}

/// Reads a goal file. Errors are of kind `goal-invalid` and name the field and the limit.
pub fn parse(name: &str, bytes: &[u8]) -> Result<Goal> {
    let shown = if name == "-" {
        "standard input".to_owned()
    } else {
        sanitise(name)
    };
    let invalid = || Error::new("goal-invalid", format!("{shown} is not a goal"));
    let text = std::str::from_utf8(bytes).map_err(|cause| invalid().caused_by(&cause))?;
    let file: GoalFile = match Syntax::of(name, text) {
        Syntax::Json => serde_json::from_str(text).map_err(|cause| {
            let field = serde_json::from_str(text)
                .ok()
                .and_then(|value| field_at_fault(&value));
            named(invalid(), field).because(sanitise(&cause.to_string()))
        })?,
        Syntax::Toml => toml::from_str(text).map_err(|cause| {
            let line = cause
                .span()
                .map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            let field = toml::from_str(text).ok().and_then(|value| field_at_fault(&value));
            named(invalid(), field).because(format!("line {line}: {}", sanitise(cause.message())))
        })?,
    };
    let goal = Goal {
        summary: file.summary,
        problem: file.problem,
        criteria: file
            .criteria
            .into_iter()
            .map(|criterion| Criterion {
                id: criterion.id,
                text: criterion.text,
            })
            .collect(),
        contract: file.contract,
        authorize: file
            .authorize
            .into_iter()
            .map(|entry| Authorization {
                criterion: entry.criterion,
                api: entry.api,
                tests: entry.tests,
                golden: entry.golden,
            })
            .collect(),
    };
    check(&goal)?;
    Ok(goal)
}

fn named(error: Error, field: Option<String>) -> Error {
    match field {
        Some(field) => error.because(format!("field {field}")),
        None => error,
    }
}

type Fits = fn(serde_json::Value) -> bool;

/// The first field of a wrong type, as `criteria[1]`.
fn field_at_fault(goal: &serde_json::Value) -> Option<String> {
    let is_text = |value: &serde_json::Value| value.is_string() || value.is_null();
    for field in ["summary", "problem", "contract"] {
        if goal.get(field).is_some_and(|value| !is_text(value)) {
            return Some(field.to_owned());
        }
    }
    let criterion: Fits = |entry| serde_json::from_value::<CriterionInFile>(entry).is_ok();
    let authorization: Fits = |entry| serde_json::from_value::<AuthorizationInFile>(entry).is_ok();
    for (field, fits) in [("criteria", criterion), ("authorize", authorization)] {
        match goal.get(field) {
            None => {}
            Some(serde_json::Value::Array(entries)) => {
                if let Some(index) = entries.iter().position(|entry| !fits(entry.clone())) {
                    return Some(format!("{field}[{index}]"));
                }
            }
            Some(_) => return Some(field.to_owned()),
        }
    }
    None
}

/// Reads `AC-1: text`, as given with `--criterion`.
pub fn parse_criterion(text: &str) -> Result<Criterion> {
    let (id, text) = text.split_once(':').ok_or_else(|| {
        Error::new(
            "goal-invalid",
            format!("criterion {:?} has no id", sanitise(text)),
        )
        .hint("write it as \"AC-1: what must hold\"")
    })?;
    Ok(Criterion {
        id: id.trim().to_owned(),
        text: text.trim().to_owned(),
    })
}

/// Reads `AC-2 api|tests|golden GLOB`, as given with `--authorize`.
pub fn parse_authorization(text: &str) -> Result<Authorization> {
    let malformed = || {
        Error::new(
            "goal-invalid",
            format!("authorisation {:?} is not understood", sanitise(text)),
        )
        .hint("write it as \"AC-2 api src/old.rs\", with api, tests or golden")
    };
    let (criterion, rest) = text.trim().split_once(' ').ok_or_else(malformed)?;
    let (surface, glob) = rest.trim().split_once(' ').ok_or_else(malformed)?;
    let mut entry = Authorization {
        criterion: criterion.to_owned(),
        ..Authorization::default()
    };
    let globs = match surface {
        "api" => &mut entry.api,
        "tests" => &mut entry.tests,
        "golden" => &mut entry.golden,
        _ => return Err(malformed()),
    };
    globs.push(glob.trim().to_owned());
    Ok(entry)
}

/// Checks every limit of a goal; the goal of an amended review is checked whole.
pub fn check(goal: &Goal) -> Result<()> {
    text_limit("summary", goal.summary.as_deref(), MAX_SUMMARY)?;
    text_limit("problem", goal.problem.as_deref(), MAX_PROBLEM)?;
    count_limit("criteria", goal.criteria.len(), MAX_CRITERIA)?;
    let mut ids = BTreeSet::new();
    for (index, criterion) in goal.criteria.iter().enumerate() {
        let field = format!("criteria[{index}]");
        if !is_criterion_id(&criterion.id) {
            return Err(field_error(
                &format!("{field}.id"),
                "must match [A-Za-z][A-Za-z0-9_-]{0,31}",
            ));
        }
        if !ids.insert(criterion.id.as_str()) {
            return Err(field_error(
                &format!("{field}.id"),
                &format!("{} stands there twice", criterion.id),
            ));
        }
        if criterion.text.trim().is_empty() {
            return Err(field_error(&format!("{field}.text"), "is empty"));
        }
        text_limit(&format!("{field}.text"), Some(&criterion.text), MAX_CRITERION)?;
    }
    if let Some(contract) = &goal.contract
        && let Some(fault) = path::fault(contract)
    {
        return Err(field_error("contract", fault));
    }
    count_limit("authorize", goal.authorize.len(), MAX_AUTHORIZATIONS)?;
    for (index, entry) in goal.authorize.iter().enumerate() {
        check_authorization(&format!("authorize[{index}]"), entry, &ids)?;
    }
    let bytes = canonical::to_text(goal)
        .expect("a goal of texts serialises")
        .len();
    if bytes > MAX_GOAL_BYTES {
        return Err(Error::new(
            "goal-invalid",
            format!("the goal has {bytes} bytes as canonical JSON, at most {MAX_GOAL_BYTES} are allowed"),
        ));
    }
    Ok(())
}

fn check_authorization(field: &str, entry: &Authorization, ids: &BTreeSet<&str>) -> Result<()> {
    if !ids.contains(entry.criterion.as_str()) {
        let known: Vec<_> = ids.iter().copied().collect();
        let known = if known.is_empty() {
            "none".to_owned()
        } else {
            known.join(", ")
        };
        return Err(field_error(
            &format!("{field}.criterion"),
            &format!(
                "{:?} is no criterion of the goal; known: {known}",
                sanitise(&entry.criterion)
            ),
        ));
    }
    if entry.api.is_empty() && entry.tests.is_empty() && entry.golden.is_empty() {
        return Err(field_error(field, "has neither api, tests nor golden"));
    }
    for (name, globs) in [
        ("api", &entry.api),
        ("tests", &entry.tests),
        ("golden", &entry.golden),
    ] {
        count_limit(&format!("{field}.{name}"), globs.len(), MAX_GLOBS)?;
        for glob in globs {
            if glob.is_empty() {
                return Err(field_error(&format!("{field}.{name}"), "has an empty glob"));
            }
            text_limit(&format!("{field}.{name}"), Some(glob), MAX_GLOB)?;
        }
    }
    Ok(())
}

/// The digest of a review's goal after all amendments.
pub fn digest(review: &ReviewId, goal: &Goal) -> Digest {
    let of = serde_json::json!({
        "rid": review,
        "summary": goal.summary,
        "problem": goal.problem,
        "criteria": goal.criteria,
        "contract": goal.contract,
        "authorize": goal.authorize,
    });
    let text = canonical::to_text(&of).expect("a goal of texts serialises");
    canonical::digest_of(&[text.as_bytes()])
}

fn is_criterion_id(id: &str) -> bool {
    id.len() <= 32
        && id.starts_with(|c: char| c.is_ascii_alphabetic())
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn text_limit(field: &str, text: Option<&str>, limit: usize) -> Result<()> {
    let length = text.map_or(0, |text| text.chars().count());
    if length > limit {
        return Err(field_error(
            field,
            &format!("has {length} characters, at most {limit} are allowed"),
        ));
    }
    Ok(())
}

fn count_limit(field: &str, count: usize, limit: usize) -> Result<()> {
    if count > limit {
        return Err(field_error(
            field,
            &format!("has {count} entries, at most {limit} are allowed"),
        ));
    }
    Ok(())
}

fn field_error(field: &str, fault: &str) -> Error {
    Error::new("goal-invalid", format!("goal: {field} {fault}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toml_and_json_give_the_same_goal() {
        let toml = "summary = \"s\"\ncontract = \"docs/a.md\"\n[[criteria]]\nid = \"AC-1\"\ntext = \"t\"\n\
                    [[authorize]]\ncriterion = \"AC-1\"\napi = [\"src/*\"]\n";
        let json = r#"{"summary":"s","contract":"docs/a.md","criteria":[{"id":"AC-1","text":"t"}],
                       "authorize":[{"criterion":"AC-1","api":["src/*"]}]}"#;
        let goal = parse("goal.toml", toml.as_bytes()).unwrap();
        assert_eq!(goal, parse("goal.json", json.as_bytes()).unwrap());
        assert_eq!(goal, parse("goal", json.as_bytes()).unwrap());
        assert_eq!(goal.criteria[0].id, "AC-1");
    }

    #[test]
    fn faults_name_the_field() {
        let long = "x".repeat(1001);
        for (text, expected) in [
            ("sumary = \"s\"", "sumary"),
            ("summary = 3", "line 1"),
            (&format!("summary = \"{long}\""), "summary has 1001 characters"),
            ("contract = \"../x\"", "contract has a . or .. component"),
            (
                "[[criteria]]\nid = \"1\"\ntext = \"t\"",
                "criteria[0].id must match",
            ),
            (
                "[[criteria]]\nid = \"a\"\ntext = \" \"",
                "criteria[0].text is empty",
            ),
            (
                "[[authorize]]\ncriterion = \"AC-1\"\napi = [\"x\"]",
                "is no criterion of the goal; known: none",
            ),
            (
                "[[criteria]]\nid = \"a\"\ntext = \"t\"\n[[authorize]]\ncriterion = \"a\"",
                "authorize[0] has neither",
            ),
        ] {
            let error = parse("goal.toml", text.as_bytes()).unwrap_err();
            assert_eq!(error.kind, "goal-invalid");
            assert!(error.to_string().contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn the_short_forms_of_the_command_line_are_read() {
        let criterion = parse_criterion("AC-1: a: b").unwrap();
        assert_eq!((criterion.id.as_str(), criterion.text.as_str()), ("AC-1", "a: b"));
        assert!(parse_criterion("no id").is_err());
        let entry = parse_authorization("AC-2 tests tests/old file.rs").unwrap();
        assert_eq!(entry.tests, ["tests/old file.rs"]);
        assert!(parse_authorization("AC-2 docs x").is_err());
    }
}
