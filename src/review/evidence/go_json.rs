//! `go test -json`: one event a line, with an `Action`.

use std::collections::HashSet;

use serde::Deserialize;

use super::ansi;
use super::tests::Tally;
use crate::model::witness::Unknown;

/// One event; what it printed and when is passed over.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Event {
    action: String,
    #[serde(default)]
    package: Option<String>,
    #[serde(default)]
    test: Option<String>,
    #[serde(default)]
    failed_build: Option<String>,
    #[serde(default)]
    output: Option<String>,
    #[serde(default)]
    import_path: Option<String>,
}

/// Each test, subtests and parents alike. A package that fails without a failed test of its own is one failure more.
pub fn read(text: &str) -> Option<Result<Tally, Unknown>> {
    let mut tally = Tally::default();
    let mut failed_packages: HashSet<String> = HashSet::new();
    let mut unbuilt_packages: HashSet<String> = HashSet::new();
    let mut refused_packages = 0;
    let mut recognised = false;
    for line in ansi::lines(text) {
        // Older versions print what the compiler says, and which package it refused, between the events.
        if !line.starts_with('{') {
            let refused = line.ends_with("[build failed]") || line.ends_with("[setup failed]");
            refused_packages += u64::from(line.starts_with("FAIL\t") && refused);
            continue;
        }
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            if recognised {
                return Some(Err(Unknown::Malformed));
            }
            // A document of another kind.
            return None;
        };
        if event.package.is_none() && event.import_path.is_none() {
            return recognised.then_some(Err(Unknown::Malformed));
        }
        recognised = true;
        let package = event.package.unwrap_or_default();
        let output = event.output.as_deref().unwrap_or_default();
        if output.contains("[build failed]") || output.contains("[setup failed]") {
            unbuilt_packages.insert(package.clone());
        }
        match (event.action.as_str(), event.test.is_some()) {
            ("pass", true) => tally.counts.passed += 1,
            ("skip", true) => tally.counts.skipped += 1,
            ("fail", true) => {
                tally.counts.failed += 1;
                failed_packages.insert(package);
            }
            ("fail", false) if !failed_packages.remove(&package) => {
                tally.counts.failed += 1;
                if event.failed_build.is_some() || unbuilt_packages.contains(&package) {
                    tally.unbuilt += 1;
                }
            }
            _ => {}
        }
    }
    tally.counts.failed += refused_packages;
    tally.unbuilt += refused_packages;
    recognised.then_some(Ok(tally))
}
