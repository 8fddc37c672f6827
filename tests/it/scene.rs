//! A branch under review, and the questions that tests ask about it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::{Call, Ran, Repo, World};

/// The refs that hold review state.
pub const REFS: [&str; 4] = [
    "refs/notes/review-gate/findings",
    "refs/notes/review-gate/quality",
    "refs/notes/review-gate/reviews",
    "refs/notes/review-gate/specs",
];

/// A repository whose branch `topic` is one commit ahead of `main`.
#[derive(Debug)]
pub struct Scene {
    pub world: World,
    pub repo: Repo,
    /// The tip of `main`, where `topic` began.
    pub base: String,
    /// The tip of `topic`.
    pub tip: String,
}

impl Scene {
    pub fn new() -> Self {
        Self::with_policy(None)
    }

    /// With this policy file on the base.
    pub fn with_policy(policy: Option<&str>) -> Self {
        let world = World::new();
        let repo = world.repo("project");
        if let Some(policy) = policy {
            repo.write(".review-gate.toml", policy);
        }
        repo.write("api.txt", "one\ntwo\nthree\n");
        repo.write("gone.txt", "was\nhere\n");
        let base = repo.commit("Start");
        repo.git(["checkout", "-q", "-b", "topic"]);
        std::fs::remove_file(repo.dir.join("gone.txt")).unwrap();
        repo.write("work.txt", "first\n");
        let tip = repo.commit("Work");
        Self {
            world,
            repo,
            base,
            tip,
        }
    }
}

impl Repo {
    /// The built binary with a command line split at blanks, then these arguments.
    pub fn say<'a>(&self, line: &'a str, more: impl IntoIterator<Item = &'a str>) -> Call {
        self.gate(line.split_whitespace().chain(more))
    }

    /// Files a major finding for `qa`, known by what it says; returns its id as shown.
    #[track_caller]
    pub fn raise(&self, actual: &str) -> String {
        self.raise_as("qa", "major", actual)
    }

    /// Files a finding; returns its id as shown.
    #[track_caller]
    pub fn raise_as(&self, origin: &str, severity: &str, actual: &str) -> String {
        let line =
            format!("finding add --origin {origin} --severity {severity} --format json --expected good");
        let ran = self.say(&line, ["--actual", actual]).run().code(0);
        ran.json()["findings"][0]["id"].as_str().unwrap().to_owned()
    }

    /// Findings as `finding list` gives them with these options.
    #[track_caller]
    pub fn listed(&self, options: &str) -> Vec<Value> {
        let line = format!("finding list --format json {options}");
        let json = self.say(&line, []).run().code(0).json();
        json["findings"].as_array().unwrap().clone()
    }

    /// What is wrong → state, as `finding list` gives it with these options.
    #[track_caller]
    pub fn states(&self, options: &str) -> BTreeMap<String, String> {
        let pair = |finding: &Value| (text(finding, "actual"), text(finding, "state"));
        self.listed(options).iter().map(pair).collect()
    }

    /// Fails the test unless `check` with these options ends with this exit code.
    #[track_caller]
    pub fn judged(&self, options: &str, code: i32) -> Ran {
        self.say(&format!("check {options}"), []).run().code(code)
    }

    /// The outcome of one rule in the answer of `check` with these options.
    #[track_caller]
    pub fn rule(&self, options: &str, id: &str) -> String {
        let ran = self.say(&format!("check --format json {options}"), []).run();
        rule_of(&ran, id)
    }

    /// The tips of the four refs.
    pub fn tips(&self) -> Vec<Option<String>> {
        REFS.iter().map(|name| self.ref_id(name)).collect()
    }

    /// Every event of a ref, with its anchor, sorted as the lines of the notes are.
    pub fn events(&self, name: &str) -> Vec<(String, Value)> {
        let notes = format!("--ref={name}");
        let list = match self.ref_id(name) {
            Some(_) => self.git(["notes", &notes, "list"]),
            None => String::new(),
        };
        let mut found = Vec::new();
        for line in list.lines() {
            let (blob, anchor) = line.split_once(' ').unwrap();
            for event in self.git(["cat-file", "blob", blob]).lines() {
                found.push((anchor.to_owned(), serde_json::from_str(event).unwrap()));
            }
        }
        found
    }

    /// Writes a note byte for byte, as a hostile remote could.
    pub fn plant(&self, name: &str, anchor: &str, bytes: impl Into<Vec<u8>>) {
        let blob = self
            .git_call(["hash-object", "-w", "--stdin"])
            .stdin(bytes)
            .run()
            .code(0);
        let notes = format!("--ref={name}");
        self.git(["notes", &notes, "add", "-f", "-C", blob.stdout.trim(), anchor]);
    }

    /// The frame of an event about this commit, without id.
    pub fn frame(&self, kind: &str, commit: &str, body: &Value) -> Value {
        let tree = self.rev(&format!("{commit}^{{tree}}"));
        json!({
            "after": [], "at": "2026-11-30T20:14:00Z", "body": body,
            "by": {"email": "mallory@example.org", "name": "Mallory"}, "kind": kind,
            "subject": {"base": commit, "commit": commit, "tree": tree}, "v": 1,
        })
    }
}

/// The stored line of an event: its id filled in, keys sorted, ended by a line feed.
pub fn line(event: &Value) -> String {
    let mut event = event.clone();
    let id = sha256(&format!("review-gate/event/v1\n{event}"));
    event["id"] = id.into();
    format!("{event}\n")
}

/// Lower-case hexadecimal digits.
pub fn sha256(text: &str) -> String {
    git_review_gate::model::ids::Digest(Sha256::digest(text).into()).to_hex()
}

/// A text of an object.
#[track_caller]
pub fn text(value: &Value, key: &str) -> String {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key} in {value}"))
        .to_owned()
}

/// The outcome of one rule in the JSON of a decision about one ref.
#[track_caller]
pub fn rule_of(ran: &Ran, id: &str) -> String {
    let json = ran.json();
    let rules = json["refs"][0]["rules"]
        .as_array()
        .unwrap_or_else(|| panic!("{ran}"));
    let rule = rules.iter().find(|rule| rule["id"] == id);
    text(rule.unwrap_or_else(|| panic!("no rule {id}: {ran}")), "outcome")
}

/// Fails unless all of these are said, on standard output or standard error.
#[track_caller]
pub fn says(ran: &Ran, parts: &[&str]) {
    for part in parts {
        assert!(
            ran.stdout.contains(part) || ran.stderr.contains(part),
            "no {part:?} in {ran}"
        );
    }
}
