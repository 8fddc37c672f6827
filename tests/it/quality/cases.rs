//! Every case: its input, its options, and what must come of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::world::{base, merge, repository, set};
use crate::support::{Ran, Repo, World, json_fixture};

#[test]
fn every_case_comes_out_as_it_must() {
    let cases = json_fixture("cases/quality/cases.json");
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 347);
    let world = World::new();
    // Most cases write nothing into the repository and can share one.
    let shared = repository(&world, "shared");
    let mut faults = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let is_recording = case["baseline"].get("recordOn").is_some();
        let repo = if is_recording {
            repository(&world, &format!("case-{number}"))
        } else {
            shared.clone()
        };
        let before = faults.len();
        Case {
            said: case,
            repo: &repo,
            number,
        }
        .judge(&mut faults);
        if faults.len() > before {
            let name = case["name"].as_str().unwrap();
            faults[before] = format!("== {name}\n{}", faults[before]);
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults.join("\n")
    );
}

struct Case<'a> {
    said: &'a Value,
    repo: &'a Repo,
    number: usize,
}

impl Case<'_> {
    fn judge(&self, faults: &mut Vec<String>) {
        let ran = self.run();
        let expect = self.said["expect"].as_object().unwrap();
        let json = ran.json();
        for (what, wanted) in expect {
            let found = found(what, &ran, &json, wanted);
            if found != *wanted {
                faults.push(format!("{what}: wanted {wanted}, found {found}"));
            }
        }
    }

    fn run(&self) -> Ran {
        let case = self.said;
        let command = case["command"].as_str().unwrap_or("evaluate");
        let mut args: Vec<String> = vec!["quality".to_owned()];
        match command {
            "baseline-check" => args.extend(["baseline", "check"].map(str::to_owned)),
            _ => args.push(command.to_owned()),
        }
        args.push("--json".to_owned());
        for (key, option) in [
            ("corpus", "--corpus"),
            ("findings", "--findings"),
            ("off", "--off"),
            ("on", "--on"),
        ] {
            if let Some(document) = case.get(key) {
                let file = self.file(key, &json!({"full": document}));
                args.extend([option.to_owned(), file]);
            }
        }
        if let Some(baseline) = case.get("baseline") {
            let named = match baseline.get("recordOn") {
                Some(commit) => self.record(&self.filled(commit.as_str().unwrap()), &baseline["input"]),
                None => self.file("baseline", baseline),
            };
            match command {
                "compare" => args.push(named),
                _ => args.extend(["--baseline".to_owned(), named]),
            }
        }
        if let Some(input) = case.get("input").filter(|input| !input.is_null()) {
            let file = self.file("input", input);
            match command {
                "compare" | "baseline-check" => args.push(file),
                _ => args.extend(["--input".to_owned(), file]),
            }
        }
        if let Some(more) = case.get("args").and_then(Value::as_array) {
            args.extend(more.iter().map(|arg| self.filled(arg.as_str().unwrap())));
        }
        self.repo.gate(&args).run()
    }

    fn record(&self, commit: &str, input: &Value) -> String {
        let file = self.file("recorded", input);
        let args = [
            "quality", "evaluate", "--record", "--commit", commit, "--input", &file,
        ];
        self.repo.gate(args).run();
        commit.to_owned()
    }

    /// Writes a document and returns its path.
    fn file(&self, name: &str, document: &Value) -> String {
        if let Some(missing) = document["missing"].as_str() {
            return missing.to_owned();
        }
        let bytes = if let Some(raw) = document["raw"].as_str() {
            self.filled(raw).into_bytes()
        } else if let Some(hex) = document["rawHex"].as_str() {
            let digits = hex.as_bytes().chunks(2);
            digits
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
                .collect()
        } else {
            let mut value = match document.get("full") {
                Some(full) => full.clone(),
                None => base(),
            };
            if let Some(patch) = document.get("patch") {
                merge(&mut value, patch);
            }
            for pair in document["set"].as_array().into_iter().flatten() {
                set(&mut value, pair[0].as_str().unwrap(), &pair[1]);
            }
            self.filled(&value.to_string()).into_bytes()
        };
        let path = format!("documents/{}-{name}.json", self.number);
        self.repo.write(&path, bytes);
        path
    }

    /// The text with ids in the place of their names.
    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, revision) in [
            ("@HEAD@", "HEAD"),
            ("@PARENT@", "HEAD~1"),
            ("@TREE@", "HEAD^{tree}"),
            ("@TAG@", "v0.0.1"),
        ] {
            if text.contains(name) {
                text = text.replace(name, &self.repo.rev(revision));
            }
        }
        if text.contains("@HEAD12@") {
            text = text.replace("@HEAD12@", &self.repo.rev("HEAD")[..12]);
        }
        text
    }
}

/// What the command says about one expectation, in the form of the expectation.
fn found(what: &str, ran: &Ran, json: &Value, wanted: &Value) -> Value {
    if let Some(member) = what.strip_suffix("_contains") {
        let text = match member {
            "error" => json["error"]["message"].as_str().unwrap_or_default(),
            _ => json[member].as_str().unwrap_or_default(),
        };
        let parts = match wanted {
            Value::Array(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let all = parts.iter().all(|part| text.contains(part.as_str().unwrap()));
        return if all { wanted.clone() } else { json!(text) };
    }
    let areas = || json["areas"].as_array().cloned().unwrap_or_default();
    match what {
        "exit" => json!(ran.code),
        "areas" => areas()
            .into_iter()
            .map(|area| (area["area"].as_str().unwrap().to_owned(), area["score"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        "not_applicable" => areas()
            .into_iter()
            .filter(|area| area["status"] == "not-applicable")
            .map(|area| area["area"].clone())
            .collect(),
        "gates_failed" => json["absoluteGates"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|gate| gate["passed"] == false)
            .map(|gate| gate["name"].clone())
            .collect(),
        "metrics" => {
            let metrics: BTreeMap<String, Value> = wanted
                .as_object()
                .unwrap()
                .iter()
                .map(|(path, wanted)| {
                    let (area, metric) = path.split_once('/').unwrap();
                    let area = areas().into_iter().find(|one| one["area"] == area).unwrap();
                    let found = &area["metrics"][metric];
                    // 45 and 45.0 are one number.
                    let is_same = found.is_number() && found.as_f64() == wanted.as_f64();
                    (path.clone(), if is_same { wanted.clone() } else { found.clone() })
                })
                .collect();
            json!(metrics)
        }
        "comparison" => {
            let of = &json["comparison"];
            let changes = |key: &str| {
                let list = of[key].as_array().cloned().unwrap_or_default();
                let changes = list
                    .iter()
                    .map(|change| json!([change["area"], change["from"], change["to"]]));
                changes.collect::<Value>()
            };
            json!({
                "regressions": changes("regressions"), "material": changes("materialRegressions"),
                "improved": of["improved"],
            })
        }
        "flags" => wanted
            .as_object()
            .unwrap()
            .keys()
            .map(|key| (key.clone(), json[key].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        _ => json[what].clone(),
    }
}

#[test]
fn a_reviewer_is_counted_in_the_corpus() {
    let world = World::new();
    let repo = world.repo("corpus");
    repo.write(
        "corpus.json",
        crate::support::fixture("cases/quality/corpus.json"),
    );
    let cases = json_fixture("cases/quality/corpus-findings.json");
    let mut faults = Vec::new();
    for case in cases.as_array().unwrap() {
        repo.write("findings.json", case["findings"].to_string());
        let line = "quality score --json --corpus corpus.json --findings findings.json --output score.json";
        let ran = repo.say(line, []).run();
        let json = ran.json();
        if ran.code == 0 {
            assert_eq!(repo.read("score.json"), ran.stdout, "{}", case["name"]);
        }
        for (what, wanted) in case["expect"].as_object().unwrap() {
            let found = match what.as_str() {
                "cases" => wanted
                    .as_object()
                    .unwrap()
                    .keys()
                    .map(|id| {
                        let all = json["cases"].as_array().unwrap();
                        let mut one = all.iter().find(|one| one["id"] == *id).unwrap().clone();
                        one.as_object_mut().unwrap().remove("id");
                        (id.clone(), one)
                    })
                    .collect::<serde_json::Map<_, _>>()
                    .into(),
                _ => found(what, &ran, &json, wanted),
            };
            if found != *wanted {
                faults.push(format!(
                    "{}: {what}: wanted {wanted}, found {found}",
                    case["name"]
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Counted by hand: one finding is right, one of another severity, one a second for the same, two are of no use.
#[test]
fn a_small_corpus_is_counted_as_by_hand() {
    let world = World::new();
    let repo = world.repo("small");
    for name in ["corpus.json", "findings.json"] {
        repo.write(
            name,
            crate::support::fixture(&format!("cases/quality-own/{name}")),
        );
    }
    let line = "quality score --json --corpus corpus.json --findings findings.json";
    let json = repo.say(line, []).run().code(0).json();
    let findings = json!({
        "expected": 4, "detectedExpected": 2, "severityTotal": 2, "severityMatches": 1, "severityWithinOne": 2,
        "detected": 5, "duplicates": 1, "falsePositives": 2, "actionable": 2,
    });
    assert_eq!(json["findings"], findings);
    let comments = json!({"total": 5, "inlineExpected": 5, "inlineValid": 4, "actionable": 2});
    assert_eq!(json["comments"], comments);
    let protected = json!({"concurrency": {"expected": 1, "detectedExpected": 0}});
    assert_eq!(json["protected"], protected);
}
