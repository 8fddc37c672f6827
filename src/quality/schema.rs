//! The JSON Schemas of the documents that are read, made from the tables by which they are read.

use serde_json::{Value, json};

use super::table::{Member, Shape};
use super::{campaign, corpus, input, protocol};
use crate::model::words::words;

words! {
    /// A document that is read; the report has the schema of its own form.
    DocumentName {
        /// The measurements of one run.
        Input = "input",
        /// The input of a campaign.
        Campaign = "campaign",
        /// A labelled corpus.
        Corpus = "corpus",
        /// What a reviewer found in a corpus.
        Findings = "findings",
        /// The protocol file of a baseline.
        Protocol = "protocol",
    }
}

/// The schema of a document that is read.
pub fn schema(name: DocumentName) -> Value {
    let (members, is_strict): (&'static [Member], _) = match name {
        DocumentName::Input => (input::members::INPUT, false),
        DocumentName::Campaign => (campaign::MEMBERS, false),
        DocumentName::Corpus => (corpus::CORPUS, false),
        DocumentName::Findings => (corpus::FINDINGS, false),
        DocumentName::Protocol => (protocol::PROTOCOL, true),
    };
    let mut schema = Shape::Object(members).schema();
    if is_strict {
        close(&mut schema);
    }
    if name == DocumentName::Input {
        // Evidence of a campaign comes with the counters of the campaign.
        let kind = json!({"properties": {"kind": {"const": "real-campaign"}}, "required": ["kind"]});
        schema["if"] = json!({"properties": {"evidence": kind}, "required": ["evidence"]});
        schema["then"] = json!({"required": ["campaign"]});
    }
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(format!("quality {name}"));
    schema
}

/// Forbids members that the schema does not name, at every level.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(close);
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
