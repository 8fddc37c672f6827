//! The registry of JSON forms: every object that a command prints has its schema here.

use schemars::JsonSchema;
use serde_json::Value;

use super::adopt::AdoptJson;
use super::baseline_schema::BaselineForm;
use super::decision_json;
use super::evidence;
use super::finding::json as finding;
use super::review::ReviewJson;
use super::review::packet::PacketJson;
use super::review::show::StateJson;
use super::status::StatusJson;
use crate::model::fsck::FsckReport;
use crate::model::hooks::{HooksChange, HooksStatus};
use crate::model::init::InitReport;
use crate::model::quality::corpus::{Canary, CorpusScore};
use crate::model::quality::{Compared, Document};
use crate::model::sync::SyncReport;

mod by_hand;

/// One JSON form.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// The part behind `review-gate/` in the key `schema`.
    pub name: &'static str,
    /// Which commands print it.
    pub printed_by: &'static str,
    /// Makes its JSON Schema.
    make: fn() -> Value,
}

/// All forms, by name.
pub const FORMS: &[Form] = &[
    Form {
        name: "adopt",
        printed_by: "adopt",
        make: of::<AdoptJson>,
    },
    Form {
        name: "baseline",
        printed_by: "baseline",
        make: of::<BaselineForm>,
    },
    Form {
        name: "decision",
        printed_by: "check",
        make: decision_json::schema,
    },
    Form {
        name: "error",
        printed_by: "any command with --format json",
        make: of::<ErrorForm>,
    },
    Form {
        name: "evidence-add",
        printed_by: "evidence add",
        make: of::<evidence::AddedJson<'static>>,
    },
    Form {
        name: "evidence-prove",
        printed_by: "evidence prove",
        make: of::<evidence::ProvedJson<'static>>,
    },
    Form {
        name: "evidence-run",
        printed_by: "evidence run",
        make: of::<evidence::RanJson<'static>>,
    },
    Form {
        name: "finding",
        printed_by: "finding show",
        make: of::<finding::Show<'static>>,
    },
    Form {
        name: "finding-change",
        printed_by: "finding add, reject, resolve, verify, pass, reopen, waive",
        make: of::<finding::Change<'static>>,
    },
    Form {
        name: "findings",
        printed_by: "finding list",
        make: of::<finding::List<'static>>,
    },
    Form {
        name: "fsck",
        printed_by: "fsck",
        make: of::<FsckReport>,
    },
    Form {
        name: "hooks",
        printed_by: "hooks install, hooks uninstall",
        make: of::<HooksChange>,
    },
    Form {
        name: "hooks-status",
        printed_by: "hooks status",
        make: of::<HooksStatus>,
    },
    Form {
        name: "init",
        printed_by: "init",
        make: of::<InitReport>,
    },
    Form {
        name: "log",
        printed_by: "log, one object a line",
        make: of::<LogLine>,
    },
    Form {
        name: "mirror-change",
        printed_by: "finding export, finding import",
        make: of::<finding::Mirror<'static>>,
    },
    Form {
        name: "policy",
        printed_by: "explain policy",
        make: by_hand::policy,
    },
    Form {
        name: "quality-canary",
        printed_by: "quality canary",
        make: of::<Canary>,
    },
    Form {
        name: "quality-comparison",
        printed_by: "quality compare",
        make: of::<Compared>,
    },
    Form {
        name: "quality-records",
        printed_by: "quality show --all",
        make: by_hand::quality_records,
    },
    Form {
        name: "quality-report",
        printed_by: "quality evaluate, campaign, block, show",
        make: of::<Document>,
    },
    Form {
        name: "quality-score",
        printed_by: "quality score",
        make: of::<CorpusScore>,
    },
    Form {
        name: "review",
        printed_by: "review start, review amend",
        make: of::<ReviewJson<'static>>,
    },
    Form {
        name: "review-packet",
        printed_by: "review packet",
        make: of::<PacketJson<'static>>,
    },
    Form {
        name: "review-state",
        printed_by: "review show, review record, review run, review rule",
        make: of::<StateJson<'static>>,
    },
    Form {
        name: "status",
        printed_by: "status",
        make: of::<StatusJson<'static>>,
    },
    Form {
        name: "sync",
        printed_by: "sync",
        make: of::<SyncReport>,
    },
];

/// One line of the audit trail.
#[derive(Debug, JsonSchema)]
#[expect(
    dead_code,
    reason = "only its schema is used; the line of the event is printed as it is stored"
)]
struct LogLine {
    schema: String,
    version: u32,
    /// The object whose note holds the event.
    anchor: String,
    /// The event as stored.
    event: Value,
}

/// What a command prints when nothing was decided.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used; `ui` writes the object")]
struct ErrorForm {
    /// Why nothing was decided.
    error: ErrorBody,
}

/// Why nothing was decided.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "only its schema is used; `ui` writes the object")]
struct ErrorBody {
    /// A stable word for programs.
    kind: String,
    /// The message and its causes, for people.
    message: String,
    /// What to do next.
    hints: Vec<String>,
}

impl Form {
    /// The form of this name, with or without `review-gate/`.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = name.strip_prefix("review-gate/").unwrap_or(name);
        FORMS.iter().find(|form| form.name == name)
    }

    /// Its JSON Schema, with sorted keys.
    pub fn schema(&self) -> String {
        let mut schema = (self.make)();
        if let Value::Object(object) = &mut schema {
            object.insert(
                "title".to_owned(),
                Value::String(format!("review-gate/{}", self.name)),
            );
        }
        format!("{schema:#}\n")
    }
}

/// The names for people, with the commands that print them.
pub fn list() -> String {
    let lines: Vec<String> = FORMS
        .iter()
        .map(|form| format!("{:<18} {}\n", form.name, form.printed_by))
        .collect();
    lines.concat()
}

fn of<T: JsonSchema>() -> Value {
    schemars::schema_for!(T).to_value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_unique() {
        assert!(FORMS.is_sorted_by(|a, b| a.name < b.name));
        assert!(Form::named("review-gate/init").is_some() && Form::named("x").is_none());
    }
}
