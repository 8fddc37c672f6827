//! The cases: two trees, and the facts that must and must not come out.

use std::collections::BTreeSet;

use git_review_gate::structure::lang::scanner;
use git_review_gate::structure::language::Language;
use serde_json::Value;

use super::history::{commit_trees, from_json};
use crate::support::{Repo, World, json_fixture};

const POLICY: &str = ".review-gate.toml";

#[test]
fn rust() {
    let run = run_file("cases/baseline/rust.json") + run_file("cases/baseline/rust-more.json");
    assert!(run >= 37, "only {run} cases ran");
}

#[test]
fn python() {
    let run = run_file("cases/baseline/python.json") + run_file("cases/baseline/python-more.json");
    assert!(run >= 40, "only {run} cases ran");
}

#[test]
fn typescript() {
    let run = run_file("cases/baseline/typescript.json") + run_file("cases/baseline/typescript-more.json");
    assert!(run >= 36, "only {run} cases ran");
}

#[test]
fn go() {
    let run = run_file("cases/baseline/go.json") + run_file("cases/baseline/go-more.json");
    assert!(run >= 35, "only {run} cases ran");
}

#[test]
fn general() {
    let run = run_file("cases/baseline/general.json");
    // Two of 51 are of C#, which no scanner reads yet.
    assert!(run >= 49, "only {run} cases ran");
}

/// Runs the cases whose files are all of languages that this version scans, or of none.
fn run_file(path: &str) -> usize {
    let file = json_fixture(path);
    let cases = file["cases"].as_array().expect("cases");
    let world = World::new();
    let mut run = 0;
    let mut failures = Vec::new();
    for (number, case) in cases.iter().enumerate().filter(|(_, case)| is_scannable(case)) {
        run += 1;
        if let Err(failure) = check(&world, number, case) {
            failures.push(format!("{}:\n{failure}", case["name"]));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {run} failed\n{}",
        failures.len(),
        failures.join("\n")
    );
    run
}

fn is_scannable(case: &Value) -> bool {
    let trees = [&case["before"], &case["after"]];
    let mut paths = trees
        .into_iter()
        .filter_map(Value::as_object)
        .flat_map(|tree| tree.keys());
    paths.all(|path| Language::of_path(path.as_bytes()).is_none_or(|language| scanner(language).is_some()))
}

fn check(world: &World, number: usize, case: &Value) -> Result<(), String> {
    let repo = world.repo(&format!("case-{number}"));
    let text = |key: &str| case.get(key).and_then(Value::as_str).map(str::to_owned);
    let tree = |key: &str, policy: Option<String>| {
        let mut files = from_json(&case[key]);
        files.extend(policy.map(|text| (POLICY.to_owned(), text.into())));
        files
    };
    let before = tree("before", text("policy"));
    let after = tree("after", text("policy_after").or(text("policy")));
    let single = case.get("single_commit") == Some(&Value::Bool(true));
    let trees = if single {
        vec![&after]
    } else {
        vec![&before, &after]
    };
    let commits = commit_trees(&repo, &trees);
    let head = commits.last().expect("a commit");
    if let Some(entries) = case.get("authorize") {
        open_review(&repo, &commits[0], entries.as_array().expect("entries"));
    }
    let mut args = vec!["baseline".to_owned()];
    args.extend(match case.get("base") {
        None => Some(commits[0].clone()),
        Some(Value::Null) => None,
        Some(base) => Some(base.as_str().expect("a base").replace("{head}", head)),
    });
    args.extend(["--format", "json"].map(str::to_owned));
    let more = case.get("args").and_then(Value::as_array);
    args.extend(
        more.into_iter()
            .flatten()
            .map(|arg| arg.as_str().expect("an argument").to_owned()),
    );
    let expect = &case["expect"];
    if expect.get("exit").is_some() {
        args.push("--exit-code".to_owned());
    }
    let ran = repo.gate(&args).run();
    if let Some(code) = expect.get("exit").and_then(Value::as_i64)
        && i64::from(ran.code) != code
    {
        return Err(format!("exit code {} instead of {code}\n{ran}", ran.code));
    }
    let answer = ran.json();
    compare(expect, &answer).map_err(|failure| format!("{failure}\n{}", ran.stdout))
}

/// Opens a review whose goal authorises these entries.
fn open_review(repo: &Repo, base: &str, entries: &[Value]) {
    repo.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let mut start = ["review", "start", "--base", base, "--problem", "x"]
        .map(str::to_owned)
        .to_vec();
    let mut amend = ["review", "amend"].map(str::to_owned).to_vec();
    for entry in entries {
        let criterion = text(&entry["criterion"]);
        start.extend(["--criterion".to_owned(), format!("{criterion}: x")]);
        for kind in ["api", "tests", "golden"] {
            for glob in entry[kind].as_array().expect("globs").iter().map(text) {
                amend.extend(["--authorize".to_owned(), format!("{criterion} {kind} {glob}")]);
            }
        }
    }
    repo.gate(&start).run().code(0);
    repo.gate(&amend).run().code(0);
}

type Named = (String, String, String, String);

fn named(fact: &Value) -> Named {
    let field = |name: &str| fact[name].as_str().expect("text").replace("{policy}", POLICY);
    (field("kind"), field("surface"), field("key"), field("path"))
}

fn compare(expect: &Value, answer: &Value) -> Result<(), String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    if expect["verdict"] == "UNAVAILABLE" {
        let code = &answer["reason"]["code"];
        return if answer["status"] == "UNAVAILABLE" && *code == expect["reason"] {
            Ok(())
        } else {
            Err(format!("status {}, code {code}", answer["status"]))
        };
    }
    if answer["verdict"] != expect["verdict"] {
        return Err(format!(
            "verdict {} instead of {}",
            answer["verdict"], expect["verdict"]
        ));
    }
    let is_authorised = |fact: &&Value| !list(&fact["authorised_by"]).is_empty();
    let facts = list(&answer["facts"]);
    let (authorised, plain): (Vec<&Value>, Vec<&Value>) = facts.iter().partition(is_authorised);
    let (authorised, plain): (BTreeSet<_>, BTreeSet<_>) = (
        authorised.into_iter().map(named).collect(),
        plain.into_iter().map(named).collect(),
    );
    let wanted: BTreeSet<_> = list(&expect["facts"]).iter().map(named).collect();
    let wanted_authorised: BTreeSet<_> = list(&expect["authorised"]).iter().map(named).collect();
    if let Some(missing) = wanted
        .difference(&plain)
        .chain(wanted_authorised.difference(&authorised))
        .next()
    {
        return Err(format!("missing {missing:?}"));
    }
    let absent = list(&expect["absent"]);
    let unwanted = plain
        .difference(&wanted)
        .chain(authorised.difference(&wanted_authorised));
    for fact in unwanted {
        if absent
            .iter()
            .any(|kind| kind == "*" || kind.as_str() == Some(&fact.0))
        {
            return Err(format!("unwanted {fact:?}"));
        }
    }
    let unmeasured = list(&answer["unmeasured"]);
    for entry in list(&expect["unmeasured"]) {
        let found = unmeasured
            .iter()
            .any(|one| one["path"] == entry["path"] && one["reason"] == entry["reason"]);
        if !found {
            return Err(format!("not unmeasured: {entry}"));
        }
    }
    Ok(())
}
