//! What `explain` says of a kind of fact is what the engine finds.

use git_review_gate::gate::explain::{EXAMPLES, Entry, Tree};
use git_review_gate::model::fact::FactKind;

use super::history::{Content, Files, commit_trees};
use crate::support::{Call, World};

fn tree(of: Tree) -> Files {
    let content = |entry: Entry| match entry {
        Entry::File(text) => Content::from(text),
        Entry::Executable(text) => Content::Executable(text.into()),
        Entry::Link(target) => Content::Link(target.to_owned()),
        Entry::Submodule(commit) => Content::Submodule(commit.to_owned()),
    };
    of.iter()
        .map(|(path, entry)| ((*path).to_owned(), content(*entry)))
        .collect()
}

#[test]
fn the_examples_of_explain_hit_and_miss() {
    let world = World::new();
    let mut failures = Vec::new();
    for example in EXAMPLES {
        let word = example.kind.word();
        for (change, is_hit) in [(example.hit, true), (example.miss, false)] {
            let repo = world.repo(&format!("{word}-{is_hit}"));
            let commits = commit_trees(&repo, &[&tree(example.before), &tree(change.after)]);
            let probes = (example.kind == FactKind::ProbeChanged).then_some("--probes");
            let call: Call = repo.gate(["baseline", &commits[0], "--json"]);
            let answer = call.args(probes).run().json();
            let facts = answer["facts"].as_array().expect("facts").clone();
            if facts.iter().any(|fact| fact["kind"] == word) != is_hit
                || answer["unmeasured"] != serde_json::json!([])
            {
                failures.push(format!("{word}, {}: {:#}", change.what, answer["facts"]));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn explain_shows_them_within_a_terminal() {
    let world = World::new();
    let repo = world.repo("any");
    for example in EXAMPLES {
        let ran = repo.gate(["explain", example.kind.word()]).run().code(0);
        for what in [example.hit.what, example.miss.what] {
            let words: Vec<_> = ran.stdout.split_whitespace().collect();
            assert!(words.join(" ").contains(what), "{what} in\n{ran}");
        }
        let too_long = ran.stdout.lines().find(|line| line.chars().count() > 80);
        assert_eq!(too_long, None);
    }
}
