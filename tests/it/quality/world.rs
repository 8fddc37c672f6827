//! A repository to judge in, and documents made of the base example.

use serde_json::Value;

use crate::support::{Repo, World, json_fixture};

/// A repository with two commits on `main`, a branch `deadbeef` and an annotated tag `v0.0.1` at HEAD.
pub fn repository(world: &World, name: &str) -> Repo {
    let repo = world.repo(name);
    repo.write("a.txt", "one\n");
    repo.commit("One");
    repo.write("a.txt", "one\ntwo\n");
    repo.commit("Two");
    repo.git(["branch", "deadbeef"]);
    repo.git(["tag", "-a", "v0.0.1", "-m", "first"]);
    repo
}

/// The base example.
pub fn base() -> Value {
    json_fixture("cases/quality/base.json")
}

/// Applies a merge patch (RFC 7396).
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(members) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(serde_json::Map::new());
    }
    for (key, value) in members {
        if value.is_null() {
            target.as_object_mut().unwrap().remove(key);
        } else {
            merge(&mut target[key], value);
        }
    }
}

/// Sets a value at a dotted path.
pub fn set(target: &mut Value, path: &str, value: &Value) {
    let mut place = target;
    for step in path.split('.') {
        place = &mut place[step];
    }
    *place = value.clone();
}
