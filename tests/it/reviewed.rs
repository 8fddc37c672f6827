//! A change under a final review, with all that an honest one needs.

use serde_json::{Value, json};

use crate::scene::text;
use crate::support::{Ran, Repo, World};

pub const REVIEWS: &str = "refs/notes/review-gate/reviews";

/// The protected branch takes only what a final review passed.
pub const POLICY: &str = "\
version = 1
[[gate]]
refs = [\"refs/heads/main\"]
findings = \"none\"
review = \"required\"
baseline = \"report\"
[[gate]]
refs = [\"refs/heads/*\"]
findings = \"none\"
[[evidence.source]]
key = \"test-report\"
path = \"ev/{branch}.md\"
";

const LIB: &str = "pub fn one() -> u32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_one() {\n        assert_eq!(super::one(), 1);\n    }\n}\n";

/// The four questions.
pub const FC: &str = "functional-completeness";
pub const PR: &str = "problem-resolution";
pub const NB: &str = "no-new-bugs";
pub const EFI: &str = "existing-functionality-intact";

/// A repository with a remote, whose branch `topic` adds a function, a spec and a test report, and has an open review.
#[derive(Debug)]
pub struct Reviewed {
    pub world: World,
    pub repo: Repo,
    pub remote: Repo,
    /// The id of the review.
    pub review: String,
}

impl Reviewed {
    pub fn new() -> Self {
        Self::with_policy(POLICY)
    }

    /// With this policy on the base.
    pub fn with_policy(policy: &str) -> Self {
        let world = World::new();
        let remote = world.bare("remote");
        let repo = world.repo("project");
        repo.write(".review-gate.toml", policy);
        repo.write(
            "Cargo.toml",
            "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
        );
        repo.write("src/lib.rs", LIB);
        repo.write("other.txt", "other\n");
        repo.commit("Start");
        repo.git(["remote", "add", "origin", remote.dir.to_str().unwrap()]);
        repo.git(["push", "-q", "origin", "main"]);
        repo.git(["checkout", "-q", "-b", "topic"]);
        repo.write("src/two.rs", "pub fn two() -> u32 {\n    2\n}\n");
        repo.write("src/lib.rs", format!("pub mod two;\n{LIB}"));
        repo.write("docs/spec.md", "# Two\n\nThere is a two.\n");
        repo.write("ev/topic.md", "2 passed, 0 failed\n");
        repo.commit("Add two");
        let started = repo
            .say(
                "review start --format json --contract docs/spec.md --problem",
                ["there is no two"],
            )
            .args(["--criterion", "AC-1: two is 2"])
            .run()
            .code(0);
        let review = text(&started.json(), "review");
        Self {
            world,
            repo,
            remote,
            review,
        }
    }

    /// Four passes, each with what its question asks for.
    pub fn reply(&self) -> Value {
        let item = |kind: &str, description: &str| json!({"kind": kind, "description": description});
        let cited = |kind: &str, description: &str, artifact: &str| json!({"kind": kind, "description": description, "artifact": artifact});
        let pass = |dimension: &str, evidence: Value| {
            json!({
                "dimension": dimension, "verdict": "pass", "summary": "Looked at, holds.",
                "evidence": evidence, "confidence": "high",
            })
        };
        json!({
            "rid": self.review,
            "generatedAt": "2026-12-01T03:00:00Z",
            "dimensions": [
                pass(FC, json!([
                    cited("ac-mapping", "AC-1: two() returns 2", "src/two.rs:1"),
                    item("test-result", "2 passed"),
                ])),
                pass(PR, json!([
                    item("test-result", "2 passed"),
                    item("ac-mapping", "two() is the two that was missing"),
                ])),
                pass(NB, json!([
                    item("regression-suite", "cargo test: 2 passed, 0 failed"),
                    cited("test-result", "2 passed", "ev/topic.md"),
                ])),
                pass(EFI, json!([])),
            ],
            "overallSummary": "All four hold.",
        })
    }

    /// The same with one answer changed.
    pub fn reply_with(&self, dimension: &str, change: impl FnOnce(&mut Value)) -> Value {
        let mut reply = self.reply();
        let entries = reply["dimensions"].as_array_mut().unwrap();
        let entry = entries.iter_mut().find(|entry| entry["dimension"] == dimension);
        change(entry.unwrap());
        reply
    }

    /// With one verdict changed, and medium confidence.
    pub fn reply_saying(&self, dimension: &str, verdict: &str) -> Value {
        self.reply_with(dimension, |entry| {
            entry["verdict"] = verdict.into();
            entry["confidence"] = "medium".into();
        })
    }

    /// Assembles the packet of HEAD.
    pub fn packet(&self) -> Ran {
        self.repo.say("review packet", []).run().code(0)
    }

    /// Records a reply to the newest packet of HEAD, in JSON.
    pub fn record(&self, reply: &Value) -> Ran {
        self.repo
            .say("review record --format json -", [])
            .stdin(reply.to_string())
            .run()
    }

    /// Packet and record in one go.
    pub fn review(&self, reply: &Value) -> Ran {
        self.packet();
        self.record(reply)
    }

    /// `review show` in JSON.
    pub fn show(&self) -> Ran {
        self.repo.say("review show --format json", []).run()
    }

    /// What the gate of `main` says about HEAD.
    pub fn check(&self, code: i32) -> Ran {
        self.repo
            .say("check --format json --ref refs/heads/main --branch topic", [])
            .run()
            .code(code)
    }

    /// Moves `main` on by one commit, here and on the remote.
    pub fn move_main(&self, file: &str, text: &str) {
        self.repo.git(["checkout", "-q", "main"]);
        self.repo.write(file, text);
        self.repo.commit("Move on");
        self.repo.git(["push", "-q", "--no-verify", "origin", "main"]);
        self.repo.git(["checkout", "-q", "topic"]);
    }

    /// Writes what a witnessed run would leave: a test command that ended with this exit code for the tree of HEAD.
    pub fn plant_run(&self, exit: i32) -> String {
        let head = self.repo.rev("HEAD");
        let digest = crate::scene::sha256("");
        let body = json!({
            "argv": ["cargo", "test"], "dimensions": [FC, PR, NB], "dirty": false, "duration_ms": 5,
            "exit": exit, "kind": "test-result", "reports": [], "review": self.review,
            "stderr": digest, "stdout": digest,
        });
        self.plant("evidence.run", &head, &body)
    }

    /// Adds an event to the note of a commit, written after everything that is there; returns its id.
    pub fn plant(&self, kind: &str, commit: &str, body: &Value) -> String {
        let events = self.repo.events(REVIEWS);
        let named: Vec<&Value> = events
            .iter()
            .flat_map(|(_, event)| event["after"].as_array().unwrap())
            .collect();
        let heads: Vec<&Value> = events
            .iter()
            .map(|(_, event)| &event["id"])
            .filter(|id| !named.contains(id))
            .collect();
        let mut event = self.repo.frame(kind, commit, body);
        event["after"] = json!(heads);
        event["subject"]["base"] = self.repo.git(["merge-base", "main", commit]).into();
        let line = crate::scene::line(&event);
        let mut lines: Vec<String> = events
            .iter()
            .filter(|(anchor, _)| anchor == commit)
            .map(|(_, event)| format!("{event}\n"))
            .collect();
        lines.push(line.clone());
        lines.sort();
        self.repo.plant(REVIEWS, commit, lines.concat());
        let planted: Value = serde_json::from_str(&line).unwrap();
        text(&planted, "id")
    }
}

/// What stands for a dimension in the JSON of `review show`.
#[track_caller]
pub fn stands<'a>(json: &'a Value, dimension: &str) -> &'a Value {
    let dimensions = json["dimensions"].as_array().unwrap();
    let found = dimensions.iter().find(|one| one["dimension"] == dimension);
    found.unwrap_or_else(|| panic!("no {dimension} in {json}"))
}

/// The gates that set a marker on a dimension.
#[track_caller]
pub fn markers(json: &Value, dimension: &str) -> Vec<String> {
    let markers = stands(json, dimension)["markers"].as_array().unwrap();
    markers.iter().map(|marker| text(marker, "marker")).collect()
}

/// Why each record counts, or why not, the earliest first.
pub fn whys(json: &Value) -> Vec<String> {
    let records = json["records"].as_array().unwrap();
    records.iter().map(|record| text(record, "why")).collect()
}
