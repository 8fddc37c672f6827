//! Readings of single nodes of a syntax tree in the form of ESTree.

use serde_json::Value;

/// A text; empty where there is none.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// The members of a list; none where there is none.
pub fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Whether the node is of this kind.
pub fn is(value: &Value, kind: &str) -> bool {
    value["type"] == kind
}

/// Whether the node is a function that is a value.
pub fn is_function(value: &Value) -> bool {
    is(value, "FunctionExpression") || is(value, "ArrowFunctionExpression")
}

/// The name of an exported thing: an identifier or a string.
pub fn export_name(value: &Value) -> String {
    if is(value, "Literal") {
        text(&value["value"])
    } else {
        text(&value["name"])
    }
}

/// What an assignment in a CommonJS module exports to.
pub enum Target {
    /// `exports.name`
    Name(String),
    /// `module.exports`
    Module,
    /// `exports`
    Alias,
}

/// What the left side of an assignment exports to, if to anything.
pub fn target(left: &Value) -> Option<Target> {
    if left["name"] == "exports" && is(left, "Identifier") {
        return Some(Target::Alias);
    }
    if !is(left, "MemberExpression") {
        return None;
    }
    let (object, property) = (&left["object"], &left["property"]);
    if object["name"] == "module" && property["name"] == "exports" && left["computed"] == false {
        return Some(Target::Module);
    }
    let on_exports = object["name"] == "exports" || matches!(target(object), Some(Target::Module));
    let named = left["computed"] == false || property["value"].is_string();
    (on_exports && named).then(|| Target::Name(key(property, false)))
}

/// The names of a dotted name, in order.
pub fn qualified(id: &Value, names: &mut Vec<String>) {
    if is(id, "TSQualifiedName") {
        qualified(&id["left"], names);
        names.push(text(&id["right"]["name"]));
    } else {
        names.push(export_name(id));
    }
}

/// The names that a pattern binds.
pub fn bound(pattern: &Value, names: &mut Vec<String>) {
    match pattern["type"].as_str().unwrap_or_default() {
        "Identifier" => names.push(text(&pattern["name"])),
        "ObjectPattern" => {
            for property in list(&pattern["properties"]) {
                let value = if is(property, "RestElement") {
                    &property["argument"]
                } else {
                    &property["value"]
                };
                bound(value, names);
            }
        }
        "ArrayPattern" => list(&pattern["elements"]).for_each(|one| bound(one, names)),
        "AssignmentPattern" => bound(&pattern["left"], names),
        "RestElement" => bound(&pattern["argument"], names),
        _ => {}
    }
}

/// The name of a member; what is computed is told by its place only.
pub fn key(key: &Value, computed: bool) -> String {
    if computed {
        return "[computed]".to_owned();
    }
    match key["type"].as_str().unwrap_or_default() {
        "PrivateIdentifier" => format!("#{}", text(&key["name"])),
        "Literal" if key["value"].is_string() => text(&key["value"]),
        "Literal" => text(&key["raw"]),
        _ => text(&key["name"]),
    }
}
