//! The lines of a push, read and disposed of in real repositories.

use std::collections::BTreeMap;

use git_review_gate::gate::disposition::{Disposition, dispose};
use git_review_gate::git::{Repo as GitRepo, push_lines};
use git_review_gate::model::policy::effective::Policies;
use git_review_gate::model::policy::levels::QualityLevel;
use git_review_gate::model::policy::{GateName, Policy};
use git_review_gate::model::push::PushKind;
use git_review_gate::ops::pushed::Pushed;
use git_review_gate::policy;
use serde_json::{Value, json};

use crate::support::{Repo, World, json_fixture};

/// A repository made of the description in a case, with its made-up ids and the real ones.
struct Built {
    repo: Repo,
    real: Vec<(String, String)>,
}

impl Built {
    /// Makes every object, those first that others name.
    fn new(world: &World, name: &str, description: &Value) -> Self {
        let format = description["object_format"].as_str().unwrap();
        let repo = world.init(name, &[&format!("--object-format={format}")]);
        let tree = repo.git(["write-tree"]);
        let objects = description["objects"].as_object().unwrap();
        let mut real: BTreeMap<&str, String> = BTreeMap::new();
        while real.len() < objects.len() {
            let before = real.len();
            for (id, object) in objects {
                if !real.contains_key(id.as_str())
                    && let Some(made) = make(&repo, (id, object), &tree, &real)
                {
                    real.insert(id, made);
                }
            }
            assert!(
                real.len() > before,
                "objects name others that are not there: {description}"
            );
        }
        for (name, id) in description["tracking"].as_object().unwrap() {
            repo.git(["update-ref", name, &real[id.as_str().unwrap()]]);
        }
        let real = real.into_iter().map(|(id, made)| (id.to_owned(), made)).collect();
        Self { repo, real }
    }

    /// Puts the real ids in place of the made-up ones.
    fn real(&self, text: &str) -> String {
        self.real
            .iter()
            .fold(text.to_owned(), |text, (id, made)| text.replace(id, made))
    }
}

/// Makes one object; `None` while one that it names is not there yet.
fn make(
    repo: &Repo,
    (id, object): (&str, &Value),
    tree: &str,
    real: &BTreeMap<&str, String>,
) -> Option<String> {
    let write = |kind: &str, content: String| {
        let ran = repo
            .git_call(["hash-object", "-t", kind, "-w", "--stdin", "--literally"])
            .stdin(content)
            .run()
            .code(0);
        ran.stdout.trim().to_owned()
    };
    // The made-up id in the message keeps objects of one shape apart.
    Some(match object["type"].as_str().unwrap() {
        "commit" => {
            let mut parents = String::new();
            for parent in object["parents"].as_array().unwrap() {
                parents += &format!("parent {}\n", real.get(parent.as_str().unwrap())?);
            }
            write(
                "commit",
                format!(
                    "tree {tree}\n{parents}author A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> 1700000000 +0000\n\n{id}\n"
                ),
            )
        }
        "tag" => {
            let target = real.get(object["target"].as_str().unwrap())?;
            let kind = repo.git(["cat-file", "-t", target]);
            write(
                "tag",
                format!(
                    "object {target}\ntype {kind}\ntag t\ntagger A <a@example.org> 1700000000 +0000\n\n{id}\n"
                ),
            )
        }
        "blob" => write("blob", format!("{id}\n")),
        "tree" => repo.git(["hash-object", "-t", "tree", "-w", "--stdin"]),
        other => panic!("type {other}"),
    })
}

fn gate_json(name: GateName) -> Value {
    match name {
        GateName::Number(number) => json!(number),
        GateName::BuiltIn => json!("built-in"),
    }
}

fn disposition_json(number: usize, disposition: &Disposition) -> Value {
    let (word, gate) = match disposition {
        Disposition::Gated { gate, .. } => ("gated", Some(gate.name())),
        Disposition::TagKnown { .. } => ("tag-known", None),
        Disposition::NotACommit => ("not-a-commit", None),
        Disposition::NotGated | Disposition::OwnNotes => ("not-gated", None),
        Disposition::DeletionAllowed(gate) => ("deletion-allowed", Some(*gate)),
        Disposition::DeletionDenied(gate) => ("deletion-denied", *gate),
    };
    let mut object = json!({"line": number, "disposition": word});
    if let Some(gate) = gate {
        object["gate"] = gate_json(gate);
    }
    object
}

fn check(case: &Value, policies: &BTreeMap<String, Policy>, built: &Built) {
    let name = case["name"].as_str().unwrap();
    let expect: Value = serde_json::from_str(&built.real(&case["expect"].to_string())).unwrap();
    let lines = push_lines::parse(built.real(case["stdin"].as_str().unwrap()).as_bytes());
    let updates: Vec<Value> = lines
        .iter()
        .map(|line| match &line.update {
            Err(_) => json!({"line": line.number, "malformed": true}),
            Ok(update) => json!({
                "line": line.number,
                "local_ref": String::from_utf8_lossy(&update.local_ref),
                "local_oid": update.local_id.to_string(),
                "remote_ref": String::from_utf8_lossy(&update.remote_ref),
                "remote_oid": update.remote_id.to_string(),
                "kind": match update.kind() {
                    PushKind::Update => "update",
                    PushKind::Create => "create",
                    PushKind::Delete => "delete",
                },
            }),
        })
        .collect();
    if let Some(expected) = expect.get("updates") {
        assert_eq!(&Value::from(updates), expected, "{name}");
    }
    let args: Vec<_> = case["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arg| arg.as_str().unwrap())
        .collect();
    let remote = (args[0] != args[1]).then_some(args[0]);
    assert_eq!(json!(remote), expect["remote"], "{name}");
    assert_eq!(
        lines.is_empty(),
        expect.get("nothing_to_judge").is_some(),
        "{name}"
    );

    let policy = &policies[case["policy"].as_str().unwrap()];
    let sides = Policies {
        base: policy,
        base_tip: None,
        head: Some(policy),
    };
    let git = GitRepo::open_at(&built.repo.dir).unwrap();
    let objects = Pushed::new(&git, remote, &lines).unwrap();
    let mut code = Some(0);
    let mut found = Vec::new();
    for line in &lines {
        let Ok(update) = &line.update else {
            found.push(json!({"line": line.number, "disposition": "malformed"}));
            code = Some(2);
            continue;
        };
        let disposition = dispose(update, &sides, &objects).unwrap();
        found.push(disposition_json(line.number, &disposition));
        code = match (code, &disposition) {
            (Some(0 | 1), Disposition::DeletionDenied(_)) => Some(1),
            // What a judgement would say is not known here; only an undecided line is worse than any.
            (Some(0 | 1), Disposition::Gated { .. }) => None,
            (code, _) => code,
        };
    }
    assert_eq!(Value::from(found), expect["dispositions"], "{name}");
    if let Some(expected) = expect.get("exit") {
        assert_eq!(*expected, json!(code), "{name}");
    }
}

#[test]
fn disposes_of_every_line() {
    let file = json_fixture("cases/gate/push-lines.json");
    let policies: BTreeMap<String, Policy> = file["policies"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, text)| match text.as_str().unwrap() {
            "default" => (name.clone(), Policy::default()),
            text => (name.clone(), policy::parse(text.as_bytes()).unwrap()),
        })
        .collect();
    assert!(
        policies
            .values()
            .flat_map(|policy| &policy.gates)
            .all(|gate| gate.levels.quality == QualityLevel::Off)
    );
    let cases = file["cases"].as_array().unwrap();
    assert!(cases.len() > 80);
    let world = World::new();
    let mut built: BTreeMap<String, Built> = BTreeMap::new();
    for case in cases {
        let description = &case["repo"];
        let number = built.len();
        let built = built
            .entry(description.to_string())
            .or_insert_with(|| Built::new(&world, &format!("r{number}"), description));
        check(case, &policies, built);
    }
}
