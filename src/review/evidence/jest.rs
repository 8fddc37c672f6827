//! The JSON of jest and vitest: one document with `numTotalTests`.

use serde::Deserialize;
use serde_json::Value;

use super::tests::{Tally, add};
use crate::model::witness::{Counts, Unknown};

/// How many lines that begin with `{` are tried as the beginning of the document.
const MAX_TRIES: usize = 8;

/// The document; all but these numbers is passed over.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    num_total_tests: Value,
    #[serde(default)]
    num_passed_tests: Value,
    #[serde(default)]
    num_failed_tests: Value,
    #[serde(default)]
    num_pending_tests: Value,
    #[serde(default)]
    num_todo_tests: Value,
    #[serde(default)]
    num_failed_test_suites: Value,
    #[serde(default)]
    num_runtime_error_test_suites: Value,
    #[serde(default)]
    success: Value,
}

/// The counts; package managers may print lines before and after the document.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut offset = 0;
    let mut tries = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('{') {
            let document = serde_json::Deserializer::from_str(&text[offset..])
                .into_iter::<Document>()
                .next();
            if let Some(Ok(document)) = document {
                return Some(document.tally().ok_or(Unknown::Malformed));
            }
            tries += 1;
            if tries == MAX_TRIES {
                return None;
            }
        }
        offset += line.len();
    }
    None
}

impl Document {
    /// A suite that could not run counts as a failure, and a run that calls itself unsuccessful has at least one.
    fn tally(&self) -> Option<Tally> {
        self.num_total_tests.as_u64()?;
        // Vitest has no suites with runtime errors, and todo may be absent.
        let or_zero = |value: &Value| if value.is_null() { Some(0) } else { value.as_u64() };
        let mut failed = self.num_failed_tests.as_u64()?;
        let mut unbuilt = or_zero(&self.num_runtime_error_test_suites)?;
        add(&mut failed, unbuilt);
        if self.success == Value::Bool(false) && failed == 0 {
            failed = or_zero(&self.num_failed_test_suites)?.max(1);
            unbuilt = failed;
        }
        let mut skipped = or_zero(&self.num_pending_tests)?;
        add(&mut skipped, or_zero(&self.num_todo_tests)?);
        Some(Tally {
            counts: Counts {
                passed: self.num_passed_tests.as_u64()?,
                failed,
                skipped,
                ..Counts::default()
            },
            unbuilt,
        })
    }
}
