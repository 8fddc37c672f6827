//! What is made from the definition of the command line and checked in: manual pages, JSON Schemas.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::hooks::one_commit;
use crate::support::{Ran, World};

/// The files of a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| {
            let entry = entry.expect("entry");
            let text = fs::read_to_string(entry.path()).expect("UTF-8");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect()
}

/// The names of all schemas.
fn schema_names(world: &World) -> Vec<String> {
    let listed = world.at(".").gate(["schema"]).run().code(0);
    listed
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// Fails the test unless the standard output of `ran` is what the schema of its form says.
#[track_caller]
pub fn assert_valid(world: &World, ran: &Ran) {
    let value = ran.json();
    let name = match value.get("schema").and_then(Value::as_str) {
        Some(name) => name.to_owned(),
        None if value.get("error").is_some() => "error".to_owned(),
        None => panic!("an object without `schema`: {ran}"),
    };
    let schema = world.at(".").gate(["schema", &name]).run().code(0).json();
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{name}: {}\n{ran}", faults.join("\n"));
}

#[test]
fn manual_pages_are_current() {
    let world = World::new();
    world
        .at(".")
        .gate(["man".as_ref(), world.path("man").as_os_str()])
        .run()
        .code(0);
    let checked_in = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("man"));
    let made = files(&world.path("man"));
    assert!(
        checked_in == made,
        "man/ is not current: rm -r man; cargo run -- man man"
    );
    let main = world.at(".").gate(["man"]).run().code(0).stdout;
    assert_eq!(Some(&main), made.get("git-review-gate.1"));
}

#[test]
fn every_command_has_examples() {
    let world = World::new();
    world
        .at(".")
        .gate(["man".as_ref(), world.path("man").as_os_str()])
        .run()
        .code(0);
    for (file, text) in files(&world.path("man")) {
        // A page that only lists subcommands has their pages for that.
        let lists = text.contains("\n.SH SUBCOMMANDS\n");
        let shows = text.contains("\n.SH EXAMPLES\n.nf\n  git review\\-gate ");
        assert!(lists || shows, "{file}: no examples; add `after_help`");
    }
}

#[test]
fn schemas_are_current() {
    let world = World::new();
    let checked_in = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/schemas"));
    let made: BTreeMap<String, String> = schema_names(&world)
        .into_iter()
        .map(|name| {
            let schema = world.at(".").gate(["schema", &name]).run().code(0);
            assert!(
                jsonschema::validator_for(&schema.json()).is_ok(),
                "{name} is no JSON Schema"
            );
            (format!("{name}.json"), schema.stdout)
        })
        .collect();
    assert!(
        checked_in == made,
        "tests/golden/schemas is not current: \
         for n in $(cargo run -q -- schema | cut -d' ' -f1); do cargo run -q -- schema $n > tests/golden/schemas/$n.json; done"
    );
    let ran = world.at(".").gate(["schema", "no-such"]).run().code(2);
    assert!(ran.stderr.contains("hint: git review-gate schema"), "{ran}");
}

#[test]
fn json_output_is_what_its_schema_says() {
    let world = World::new();
    let repo = one_commit(&world, "repo");
    repo.write(
        "Cargo.toml",
        "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition = \"2021\"\n",
    );
    repo.write("src/lib.rs", "#[test]\nfn one() { assert_eq!(1, 1); }\n");
    repo.commit("Add a test");
    repo.git(["switch", "-q", "-c", "topic"]);
    repo.write("src/lib.rs", "pub fn f() {}\n");
    repo.commit("Remove it");
    let add = [
        "finding",
        "add",
        "--origin",
        "qa",
        "--severity",
        "major",
        "--expected",
        "A",
        "--format",
        "json",
        "--actual",
    ];
    let added = repo.gate(add).args(["B is not so"]).run().code(0);
    assert_valid(&world, &added);
    let id = added.json()["findings"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    for (args, code) in [
        (&["finding", "list", "--format", "json"][..], 0),
        (&["finding", "show", &id, "--format", "json"], 0),
        (&["finding", "resolve", &id, "--format", "json"], 0),
        (&["finding", "verify", &id, "--format", "json"], 0),
        (&["finding", "export", "--format", "json"], 0),
        (&["finding", "show", "F-ffff", "--format", "json"], 2),
        (&["review", "start", "--format", "json"], 0),
        (&["explain", "policy", "--format", "json"], 0),
        (&["check", "--format", "json"], 0),
        (&["status", "--format", "json"], 0),
    ] {
        assert_valid(&world, &repo.gate(args).run().code(code));
    }
    for (args, code) in [
        (&["hooks", "install", "--json"][..], 0),
        (&["hooks", "status", "--probe", "--format", "json"], 0),
        (&["hooks", "uninstall", "--dry-run", "--json"], 0),
        (&["init", "--json"], 0),
        (&["hooks", "uninstall", "--json"], 0),
        (&["hooks", "status", "--json"], 1),
        (&["hooks", "status", "--json", "--no-such-option"], 2),
        (&["hooks", "install", "--global", "--json"], 2),
    ] {
        let ran = repo.gate(args).run().code(code);
        assert_valid(&world, &ran);
        // Sorted, and the same again.
        let text = format!("{:#}\n", ran.json());
        assert!(
            ran.stdout == text || ran.stdout == format!("{}\n", ran.json()),
            "{ran}"
        );
    }
}

#[test]
fn completions_know_the_subcommands() {
    let world = World::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = world.at(".").gate(["completions", shell]).run().code(0).stdout;
        assert!(
            script.contains("uninstall") && script.contains("git-review-gate"),
            "{shell}"
        );
    }
}

#[test]
fn bash_completes_both_spellings_at_every_level() {
    let world = World::new();
    let script = world.at(".").gate(["completions", "bash"]).run().code(0).stdout;
    for (setup, expected) in [
        (
            "COMP_WORDS=(git-review-gate fin); COMP_CWORD=1; _git__review__gate git-review-gate fin git-review-gate",
            "finding",
        ),
        (
            "COMP_WORDS=(git-review-gate finding res); COMP_CWORD=2; _git__review__gate git-review-gate res finding",
            "resolve",
        ),
        (
            "words=(git review-gate finding res); cword=3; cur=res; prev=finding; _git_review_gate",
            "resolve",
        ),
    ] {
        let asked = format!("{script}\n{setup}\necho \"${{COMPREPLY[@]}}\"");
        let ran = world.at(".").command("bash").args(["-c", &asked]).run().code(0);
        assert_eq!(ran.stdout.trim(), expected, "{setup}: {ran}");
    }
}
