//! The policy in force: read from the base, never loosened by the branch.

use std::os::unix::fs::symlink;

use crate::scene::{Scene, says};
use crate::support::{Repo, World};

const FILE: &str = ".review-gate.toml";

/// A policy with one gate for everything.
fn gate(keys: &str) -> String {
    format!("version = 1\n[[gate]]\nrefs = [\"*\"]\n{keys}\n")
}

/// A branch with an open finding, under this policy on the base and that on the branch.
fn under(base: Option<&str>, head: Option<&str>) -> Repo {
    let Scene { repo, .. } = Scene::with_policy(base);
    match head {
        Some(head) => repo.write(FILE, head),
        None => drop(std::fs::remove_file(repo.dir.join(FILE))),
    }
    repo.commit("Policy of the branch");
    // By hand, so that a policy that cannot be read is no hindrance.
    let body = serde_json::json!({
        "actual": "bad", "expected": "good", "origin": "qa", "severity": "minor",
        "finding": crate::scene::sha256("review-gate/finding/v1\n{\"actual\":\"bad\",\"expected\":\"good\"}"),
    });
    let head = repo.rev("HEAD");
    let line = crate::scene::line(&repo.frame("finding.raised", &head, &body));
    repo.plant("refs/notes/review-gate/findings", &head, line);
    repo
}

#[test]
fn the_stricter_of_base_and_head_decides_each_key() {
    let off = gate("findings = \"none\"");
    let on = gate("findings = \"addressed\"");
    let strict = gate("findings = \"verified\"");
    let majors = gate("findings = \"addressed\"\nseverities = [\"major\", \"blocker\"]");
    let elsewhere = "version = 1\n[[gate]]\nrefs = [\"refs/heads/main\"]\nfindings = \"none\"\n";
    let first = format!("{on}[[gate]]\nrefs = [\"refs/heads/topic\"]\nfindings = \"none\"\n");
    // base, head, exit code, findings-open, policy-relaxed
    for (base, head, code, open, relaxed) in [
        (None, None, 1, "blocked", "skipped"),
        (Some(&*off), Some(&*off), 0, "skipped", "skipped"),
        (Some(&*on), Some(&*on), 1, "blocked", "skipped"),
        (Some(&*off), Some(&*on), 1, "blocked", "skipped"),
        // Removing the file falls back to the built-in gate, which is stricter here.
        (Some(&*off), None, 1, "blocked", "skipped"),
        (Some(&*on), Some(&*off), 1, "blocked", "blocked"),
        (None, Some(&*off), 1, "blocked", "blocked"),
        (Some(&*strict), Some(&*majors), 1, "blocked", "blocked"),
        (Some(&*majors), Some(&*majors), 0, "pass", "skipped"),
        (Some(&*majors), Some(&*on), 1, "blocked", "skipped"),
        // The looser value changes nothing: said by nobody.
        (Some(&*strict), Some(&*on), 1, "blocked", "pass"),
        // Not matched by any gate: the built-in one.
        (Some(elsewhere), Some(elsewhere), 1, "blocked", "skipped"),
        // The first match wins.
        (Some(&*first), Some(&*first), 1, "blocked", "skipped"),
    ] {
        let repo = under(base, head);
        let case = format!("base {base:?}, head {head:?}");
        let ran = repo.say("check --json", []).run();
        assert_eq!(ran.code, code, "{case}: {ran}");
        assert_eq!(
            crate::scene::rule_of(&ran, "findings-open"),
            open,
            "{case}: {ran}"
        );
        let got = crate::scene::rule_of(&ran, "policy-relaxed");
        let fine = got == relaxed || (got != "blocked" && relaxed != "blocked");
        assert!(fine, "{case}: policy-relaxed is {got}: {ran}");
    }
}

#[test]
fn an_invalid_file_is_undecided_unless_the_branch_repairs_it() {
    let good = gate("findings = \"none\"");
    let typo = gate("findngs = \"none\"");
    for (base, head, code) in [
        (&*typo, &*typo, 2),
        (&*good, &*typo, 2),
        // Repaired: built in stands for the base's.
        (&*typo, &*good, 1),
        ("version = 1\n[", &*good, 1),
    ] {
        let repo = under(Some(base), Some(head));
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, code, "{base:?} {head:?}: {ran}");
    }
    let ran = under(None, Some(&typo)).judged("", 2);
    says(&ran, &[FILE]);
}

#[test]
fn what_is_wrong_is_named_by_line_column_and_nearest_key() {
    for (text, parts) in [
        (gate("findngs = \"none\""), &["4:1", "findngs", "findings"][..]),
        (gate("findings = \"all\""), &["4:12", "all", "addressed"]),
        (gate("findings = 1"), &["4:12"]),
        ("version = 2\n".to_owned(), &["1:11", "version"]),
        ("versoin = 1\n".to_owned(), &["1:1", "version"]),
        ("version = 1\n[wave]\nmajor = []\n".to_owned(), &["2:", "waive"]),
        (
            "version = 1\n[sync]\nnotes_prefix = \"refs/heads/x\"\n".to_owned(),
            &["3:", "refs/notes/"],
        ),
        ("version = 1\nversion = 1\n".to_owned(), &["2:"]),
        ("version = 1\n\u{0}".to_owned(), &[]),
    ] {
        let repo = under(Some(&text), Some(&text));
        for command in ["check", "explain policy", "finding list", "status"] {
            let ran = repo.say(command, []).run().code(2);
            // Either form of a place: `4:1`, or in words.
            for part in parts {
                let words = part
                    .split_once(':')
                    .map(|(line, column)| (format!("line {line}"), format!("column {column}")));
                let said = ran.stderr.contains(part) || ran.stdout.contains(part);
                let in_words = words.is_some_and(|(line, column)| {
                    let all = format!("{}{}", ran.stdout, ran.stderr);
                    all.contains(&line) && all.contains(&column)
                });
                assert!(said || in_words, "no {part} for {text:?}: {ran}");
            }
        }
    }
}

#[test]
fn the_file_is_a_regular_one() {
    type Make = fn(&Repo);
    let kinds: [(&str, Make); 3] = [
        ("link", |repo| {
            repo.write("real.toml", gate("findings = \"none\""));
            symlink("real.toml", repo.dir.join(FILE)).unwrap();
            repo.git(["add", "--all"]);
        }),
        ("folder", |repo| {
            repo.write(".review-gate.toml/inside", "text\n");
            repo.git(["add", "--all"]);
        }),
        ("submodule", |repo| {
            let head = repo.rev("HEAD");
            repo.git([
                "update-index",
                "--add",
                "--cacheinfo",
                &format!("160000,{head},{FILE}"),
            ]);
        }),
    ];
    for (name, make) in kinds {
        // On the branch.
        let Scene { repo, .. } = Scene::new();
        make(&repo);
        repo.git(["commit", "-q", "-m", "Odd"]);
        let ran = repo.judged("", 2);
        says(&ran, &[FILE]);
        // On the base as well.
        repo.git(["branch", "-f", "main", "topic"]);
        repo.commit_index("More");
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, 2, "{name}: {ran}");
    }
}

impl Repo {
    /// Commits what the index holds, and nothing of the work tree.
    fn commit_index(&self, message: &str) {
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
    }
}

#[test]
fn the_base_is_a_branch_by_name() {
    let with_base = |base: &str| {
        format!("version = 1\nbase = \"{base}\"\n[[gate]]\nrefs = [\"*\"]\nfindings = \"none\"\n")
    };
    let base_of = |repo: &Repo| repo.say("check --json", []).run().json()["refs"][0]["base"].clone();
    // main names `dev`: that is what is compared with.
    let Scene { repo, base, .. } = Scene::with_policy(Some(&with_base("dev")));
    assert_eq!(base_of(&repo), *base, "there is no such branch yet: passed over");
    let dev = repo.rev("HEAD");
    repo.git(["branch", "dev"]);
    repo.commit("After dev");
    assert_eq!(base_of(&repo), *dev);
    // A branch cannot choose its own base.
    repo.write(FILE, with_base("topic"));
    repo.commit("Choose");
    assert_eq!(base_of(&repo), *dev);
    for bad in ["HEAD~1", "main..topic", ""] {
        let Scene { repo, .. } = Scene::with_policy(Some(&with_base(bad)));
        let ran = repo.say("check", []).run();
        assert_eq!(ran.code, 2, "{bad}: {ran}");
    }
    // origin/main is a remote-tracking branch.
    let Scene { world, repo, .. } = Scene::with_policy(Some(&with_base("origin/next")));
    repo.git(["branch", "next"]);
    let next = repo.rev("next");
    let clone = world.clone_of(&repo, "clone", &[]);
    clone.git(["remote", "set-head", "origin", "main"]);
    clone.write("more.txt", "more\n");
    clone.commit("More");
    let ran = clone.say("check --json main..HEAD", []).run();
    drop(ran);
    clone.plant("refs/notes/review-gate/findings", "HEAD", "");
    assert_eq!(base_of(&clone), *next);
}

#[test]
fn an_old_fork_point_loosens_nothing() {
    let repo = under(
        Some(&gate("findings = \"none\"")),
        Some(&gate("findings = \"none\"")),
    );
    repo.judged("", 0);
    repo.git(["checkout", "-q", "main"]);
    repo.write(FILE, gate("findings = \"addressed\""));
    repo.commit("Stricter");
    repo.git(["checkout", "-q", "topic"]);
    repo.judged("", 1);
}

#[test]
fn the_first_push_of_a_repository_has_no_base() {
    let world = World::new();
    let repo = world.repo("first");
    repo.write(
        FILE,
        gate("findings = \"none\"\nreview = \"required\"\nbaseline = \"required\""),
    );
    repo.commit("One");
    repo.commit("Two");
    let ran = repo.judged("--json", 0);
    for rule in [
        "review-missing",
        "review-stale",
        "baseline-drift",
        "baseline-undecided",
    ] {
        assert_eq!(crate::scene::rule_of(&ran, rule), "skipped", "{rule}");
    }
    assert_eq!(ran.json()["refs"][0]["base"], serde_json::Value::Null);
    // Every commit is in the range, and built in stands for the base's policy.
    let line = "finding add --origin qa --severity nit --expected good --actual bad --commit HEAD~1";
    repo.say(line, []).run().code(0);
    let human = repo.judged("", 1);
    assert_eq!(repo.rule("", "policy-relaxed"), "blocked");
    says(&human, &["base"]);
}

#[test]
fn unrelated_history_is_judged_whole_by_the_policy_of_the_candidate() {
    for (baseline, code) in [("required", 2), ("report", 0)] {
        let policy = gate(&format!("findings = \"addressed\"\nbaseline = \"{baseline}\""));
        let Scene { repo, .. } = Scene::with_policy(Some(&policy));
        repo.git(["checkout", "-q", "--orphan", "unrelated"]);
        repo.commit("One");
        repo.commit("Two");
        let ran = repo.judged("--json", code);
        let expected = if code == 2 { "undecided" } else { "pass" };
        assert_eq!(
            crate::scene::rule_of(&ran, "baseline-undecided"),
            expected,
            "{ran}"
        );
        let line = "finding add --origin qa --severity nit --expected good --actual bad --commit HEAD~1";
        repo.say(line, []).run().code(0);
        assert_eq!(repo.rule("", "findings-open"), "blocked");
    }
}

#[test]
fn an_empty_range_has_nothing_to_review() {
    let policy = gate("findings = \"addressed\"\nreview = \"required\"\nbaseline = \"required\"");
    let Scene { repo, .. } = Scene::with_policy(Some(&policy));
    repo.git(["checkout", "-q", "-b", "empty", "main"]);
    let ran = repo.judged("--json", 0);
    for rule in [
        "review-missing",
        "review-stale",
        "review-not-pass",
        "baseline-drift",
        "baseline-undecided",
    ] {
        assert_eq!(crate::scene::rule_of(&ran, rule), "skipped", "{rule}: {ran}");
    }
    assert_eq!(crate::scene::rule_of(&ran, "findings-open"), "pass");
}

#[test]
fn refs_are_matched_as_patterns() {
    let policy = "version = 1\n\
        [[gate]]\nrefs = [\"refs/heads/release/*\"]\nfindings = \"verified\"\n\
        [[gate]]\nrefs = [\"refs/tags/*\"]\nfindings = \"none\"\n\
        [[gate]]\nrefs = [\"refs/heads/*\"]\nfindings = \"addressed\"\n";
    let Scene { repo, .. } = Scene::with_policy(Some(policy));
    let id = repo.raise("one");
    repo.judged("", 1);
    repo.judged("--branch topic --ref refs/tags/v1", 0);
    repo.say("finding resolve", [&*id]).run().code(0);
    repo.judged("", 0);
    repo.judged("--branch topic --ref refs/heads/release/1/x", 1);
    repo.say("finding verify", [&*id]).run().code(0);
    repo.judged("--branch topic --ref refs/heads/release/1/x", 0);
    for bad in ["--ref main..topic", "nowhere", "nowhere..HEAD"] {
        repo.judged(bad, 2);
    }
    // Without a work tree and without a checked-out branch.
    repo.git(["checkout", "-q", "--detach"]);
    says(&repo.judged("", 2), &["--ref"]);
    repo.judged("--ref refs/heads/topic", 0);
}

#[test]
fn explain_policy_tells_where_each_value_comes_from() {
    let base = gate("findings = \"none\"\ndeletions = \"deny\"");
    let head = format!(
        "{}[waive]\nmajor = [\"a@example.org\"]\n",
        gate("findings = \"verified\"")
    );
    let repo = under(Some(&base), Some(&head));
    let json = repo.say("explain policy --json", []).run().code(0).json();
    assert_eq!(json["ref"], "refs/heads/topic");
    let key = |name: &str| {
        let keys = json["gate"]["keys"].as_array().unwrap();
        let key = keys
            .iter()
            .find(|key| key["key"] == name)
            .unwrap_or_else(|| panic!("{name}"));
        (key["value"].as_str().unwrap().to_owned(), key["from"].to_string())
    };
    assert_eq!(key("findings"), ("verified".into(), "[\"head\"]".into()));
    assert_eq!(key("deletions"), ("deny".into(), "[\"base\"]".into()));
    assert_eq!(key("quality").0, "off");
    let waive = json["entries"].as_array().unwrap();
    let waive = waive
        .iter()
        .find(|e| e["section"] == "[waive]" && e["key"] == "major")
        .unwrap();
    assert_eq!(
        waive["value"], "[]",
        "a grant that the branch gives itself is none"
    );
    let human = repo.say("explain policy", []).run().code(0);
    says(&human, &["findings", "\"verified\"", "head", "base"]);
    assert!(human.stdout.contains(&repo.rev("main")[..12]), "{human}");
    // check shows the difference.
    says(&repo.judged("", 1), &["policy"]);
}
