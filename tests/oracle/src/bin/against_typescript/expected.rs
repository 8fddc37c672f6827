//! What should be found in a file, from its syntax tree in the form of ESTree.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::tree::{Target, bound, export_name, is, is_function, key, list, qualified, target, text};

/// One definition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// What it stands in: `namespace a > class B`.
    pub chain: String,
    pub kind: String,
    pub name: String,
    pub public: bool,
}

/// A declaration with its members.
#[derive(Clone)]
struct Item {
    kind: &'static str,
    name: String,
    public: bool,
    has_body: bool,
    members: Vec<Item>,
}

/// A name that is exported by a list or an assignment.
struct Listed {
    local: String,
    name: String,
}

/// The definitions of a file.
///
/// `declarations` tells a file that holds nothing else.
pub fn definitions(program: &Value, declarations: bool) -> Vec<Definition> {
    let mut scope = Scope {
        ambient: declarations,
        ..Scope::default()
    };
    scope.statements(&program["body"], false);
    let mut found = Vec::new();
    for item in scope.finish() {
        flatten(&item, "", true, &mut found);
    }
    found
}

fn flatten(item: &Item, chain: &str, public: bool, found: &mut Vec<Definition>) {
    let public = public && item.public;
    found.push(Definition {
        chain: chain.to_owned(),
        kind: item.kind.to_owned(),
        name: item.name.clone(),
        public,
    });
    let own = format!("{} {}", item.kind, item.name);
    let inner = if chain.is_empty() {
        own
    } else {
        format!("{chain} > {own}")
    };
    for member in &item.members {
        flatten(member, &inner, public, found);
    }
}

#[derive(Default)]
struct Scope {
    /// Namespaces in it export all that they declare.
    ambient: bool,
    items: Vec<Item>,
    listed: Vec<Listed>,
    imported: BTreeSet<String>,
    assigned: BTreeSet<String>,
}

impl Scope {
    fn statements(&mut self, body: &Value, ambient: bool) {
        for statement in list(body) {
            self.statement(statement, ambient);
        }
    }

    fn statement(&mut self, statement: &Value, ambient: bool) {
        match statement["type"].as_str().unwrap_or_default() {
            "ImportDeclaration" => {
                let names = list(&statement["specifiers"]).map(|one| text(&one["local"]["name"]));
                self.imported.extend(names);
            }
            "TSImportEqualsDeclaration" => {
                self.imported.insert(text(&statement["id"]["name"]));
            }
            "ExportAllDeclaration" => {
                let name = match &statement["exported"] {
                    Value::Null => format!("* from {}", text(&statement["source"]["value"])),
                    name => export_name(name),
                };
                self.add("reexport", name, true, Vec::new(), false);
            }
            "ExportNamedDeclaration" => self.export(statement),
            "ExportDefaultDeclaration" => self.export_default(&statement["declaration"]),
            "TSExportAssignment" => self.export_value("default", &statement["expression"]),
            "ExpressionStatement" => self.expression(&statement["expression"]),
            "BlockStatement" => self.blocks(&statement["body"]),
            "IfStatement" => {
                self.block(&statement["consequent"]);
                self.block(&statement["alternate"]);
            }
            "TryStatement" => {
                self.block(&statement["block"]);
                self.block(&statement["handler"]["body"]);
                self.block(&statement["finalizer"]);
            }
            "ForStatement" | "ForInStatement" | "ForOfStatement" | "WhileStatement" | "DoWhileStatement" => {
                self.block(&statement["body"]);
            }
            _ => self.declaration(statement, ambient),
        }
    }

    /// In blocks only assignments to `exports` count.
    fn block(&mut self, statement: &Value) {
        if is(statement, "BlockStatement") {
            self.blocks(&statement["body"]);
        } else if !statement.is_null() {
            self.inner(statement);
        }
    }

    fn blocks(&mut self, body: &Value) {
        for statement in list(body) {
            self.inner(statement);
        }
    }

    fn inner(&mut self, statement: &Value) {
        let kind = statement["type"].as_str().unwrap_or_default();
        if !(kind.contains("Declaration") || kind == "TSDeclareFunction" || kind == "TSExportAssignment") {
            self.statement(statement, false);
        }
    }

    fn add(&mut self, kind: &'static str, name: String, public: bool, members: Vec<Item>, has_body: bool) {
        self.items.push(Item {
            kind,
            name,
            public,
            has_body,
            members,
        });
    }

    fn declaration(&mut self, value: &Value, public: bool) {
        let name = text(&value["id"]["name"]);
        match value["type"].as_str().unwrap_or_default() {
            "FunctionDeclaration" | "TSDeclareFunction" => {
                self.add("function", name, public, Vec::new(), !value["body"].is_null());
            }
            "ClassDeclaration" => self.add("class", name, public, class_members(value), true),
            "TSInterfaceDeclaration" => {
                let members = list(&value["body"]["body"]).filter_map(signature).collect();
                self.add("interface", name, public, members, true);
            }
            "TSTypeAliasDeclaration" => self.add("type", name, public, Vec::new(), true),
            "TSEnumDeclaration" => {
                let members = list(&value["body"]["members"]).map(|member| Item {
                    kind: "member",
                    name: key(&member["id"], false),
                    public: true,
                    has_body: false,
                    members: Vec::new(),
                });
                self.add("enum", name, public, members.collect(), true);
            }
            "TSModuleDeclaration" => self.namespace(value, public),
            "VariableDeclaration" => {
                for one in list(&value["declarations"]) {
                    self.expression(&one["init"]);
                    let simple = is(&one["id"], "Identifier");
                    let kind = if simple && is_function(&one["init"]) {
                        "function"
                    } else {
                        "value"
                    };
                    let mut names = Vec::new();
                    bound(&one["id"], &mut names);
                    for name in names {
                        self.add(kind, name, public, Vec::new(), true);
                    }
                }
            }
            _ => {}
        }
    }

    fn namespace(&mut self, value: &Value, public: bool) {
        let id = &value["id"];
        let is_module = is(id, "Literal");
        let is_global = value["kind"] == "global";
        let mut names = Vec::new();
        qualified(id, &mut names);
        let ambient = value["declare"] == true || self.ambient || is_module || is_global;
        let mut scope = Scope {
            ambient,
            ..Scope::default()
        };
        scope.statements(&value["body"]["body"], ambient);
        let mut items = scope.finish();
        for (number, name) in names.iter().enumerate().rev() {
            items = vec![Item {
                kind: "namespace",
                name: name.clone(),
                public: number > 0 || public || is_module || is_global,
                has_body: true,
                members: items,
            }];
        }
        self.items.append(&mut items);
    }

    fn export(&mut self, statement: &Value) {
        let declaration = &statement["declaration"];
        if is(declaration, "TSImportEqualsDeclaration") {
            let name = text(&declaration["id"]["name"]);
            self.imported.insert(name.clone());
            self.listed.push(Listed {
                local: name.clone(),
                name,
            });
            return;
        }
        if !declaration.is_null() {
            self.declaration(declaration, true);
            return;
        }
        let from = !statement["source"].is_null();
        for specifier in list(&statement["specifiers"]) {
            let name = export_name(&specifier["exported"]);
            if from {
                self.add("reexport", name, true, Vec::new(), false);
            } else {
                self.listed.push(Listed {
                    local: export_name(&specifier["local"]),
                    name,
                });
            }
        }
    }

    fn export_default(&mut self, value: &Value) {
        match value["type"].as_str().unwrap_or_default() {
            "FunctionDeclaration" | "TSDeclareFunction" => {
                self.add(
                    "function",
                    "default".to_owned(),
                    true,
                    Vec::new(),
                    !value["body"].is_null(),
                );
            }
            "ClassDeclaration" => self.add("class", "default".to_owned(), true, class_members(value), true),
            "TSInterfaceDeclaration" => {
                let members = list(&value["body"]["body"]).filter_map(signature).collect();
                self.add("interface", "default".to_owned(), true, members, true);
            }
            _ => self.export_value("default", value),
        }
    }

    fn export_value(&mut self, name: &str, value: &Value) {
        let word = text(&value["name"]);
        let plain = ["undefined", "NaN", "Infinity"];
        if is(value, "Identifier") && !plain.contains(&word.as_str()) {
            self.listed.push(Listed {
                local: word,
                name: name.to_owned(),
            });
        } else if is(value, "ClassExpression") {
            self.add("class", name.to_owned(), true, class_members(value), true);
        } else {
            let kind = if is_function(value) { "function" } else { "value" };
            self.add(kind, name.to_owned(), true, Vec::new(), true);
        }
    }

    /// Assignments to `exports`.
    fn expression(&mut self, expression: &Value) {
        if is(expression, "SequenceExpression") {
            for one in list(&expression["expressions"]) {
                self.expression(one);
            }
            return;
        }
        let mut targets = Vec::new();
        let mut value = expression;
        while is(value, "AssignmentExpression") && value["operator"] == "=" {
            match target(&value["left"]) {
                Some(target) => targets.push(target),
                None => break,
            }
            value = &value["right"];
        }
        for target in targets {
            match target {
                Target::Name(name) => self.assign(name, value),
                Target::Module if is(value, "ObjectExpression") => {
                    for property in list(&value["properties"]) {
                        self.property(property);
                    }
                }
                Target::Module => self.assign("default".to_owned(), value),
                Target::Alias => {}
            }
        }
    }

    fn assign(&mut self, name: String, value: &Value) {
        let void = is(value, "UnaryExpression") && value["operator"] == "void";
        if void || value["name"] == "undefined" || !self.assigned.insert(name.clone()) {
            return;
        }
        self.export_value(&name, value);
    }

    fn property(&mut self, property: &Value) {
        let key = &property["key"];
        let named = is(key, "Identifier") || is(key, "Literal");
        if !is(property, "Property") || property["computed"] == true || !named {
            return;
        }
        let name = self::key(key, false);
        if property["kind"] != "init" {
            if self.assigned.insert(name.clone()) {
                self.add("function", name, true, Vec::new(), true);
            }
            return;
        }
        self.assign(name, &property["value"]);
    }

    /// Overloads without their implementations, under the names that users know.
    fn finish(self) -> Vec<Item> {
        let mut items = without_implementations(self.items);
        let mut renamed = BTreeMap::new();
        for Listed { local, name } in self.listed {
            let found: Vec<usize> = (0..items.len())
                .filter(|at| {
                    let known = renamed.get(at).unwrap_or(&items[*at].name);
                    *known == local && items[*at].kind != "reexport"
                })
                .collect();
            for at in &found {
                if items[*at].public {
                    let copy = Item {
                        name: name.clone(),
                        ..items[*at].clone()
                    };
                    items.push(copy);
                    // A copy is no declaration that a list could name.
                    renamed.insert(items.len() - 1, String::new());
                } else {
                    renamed.insert(*at, items[*at].name.clone());
                    items[*at].public = true;
                    items[*at].name.clone_from(&name);
                }
            }
            if found.is_empty() {
                let kind = if self.imported.contains(&local) {
                    "reexport"
                } else {
                    "value"
                };
                items.push(Item {
                    kind,
                    name,
                    public: true,
                    has_body: false,
                    members: Vec::new(),
                });
                renamed.insert(items.len() - 1, String::new());
            }
        }
        items
    }
}

fn without_implementations(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::new();
    for item in items {
        let behind = kept.last().is_some_and(|last| {
            last.kind == item.kind && last.name == item.name && !last.has_body && item.has_body
        });
        if !(behind && matches!(item.kind, "function" | "method")) {
            kept.push(item);
        }
    }
    kept
}

fn class_members(class: &Value) -> Vec<Item> {
    let mut members = Vec::new();
    for member in list(&class["body"]["body"]) {
        let name = key(&member["key"], member["computed"] == true);
        let public = member["accessibility"] != "private" && !name.starts_with('#');
        let mut add = |kind, name, public, has_body| {
            members.push(Item {
                kind,
                name,
                public,
                has_body,
                members: Vec::new(),
            });
        };
        match member["type"].as_str().unwrap_or_default() {
            "MethodDefinition" | "TSAbstractMethodDefinition" => {
                let kind = if member["kind"] == "get" || member["kind"] == "set" {
                    "accessor"
                } else {
                    "method"
                };
                add(kind, name, public, !member["value"]["body"].is_null());
                if member["kind"] == "constructor" {
                    for parameter in list(&member["value"]["params"]) {
                        if is(parameter, "TSParameterProperty") {
                            let mut names = Vec::new();
                            bound(&parameter["parameter"], &mut names);
                            let public = parameter["accessibility"] != "private";
                            names
                                .into_iter()
                                .for_each(|name| add("property", name, public, false));
                        }
                    }
                }
            }
            "PropertyDefinition"
            | "TSAbstractPropertyDefinition"
            | "AccessorProperty"
            | "TSAbstractAccessorProperty" => add("property", name, public, false),
            "TSIndexSignature" => add("property", "[index]".to_owned(), true, false),
            _ => {}
        }
    }
    without_implementations(members)
}

fn signature(member: &Value) -> Option<Item> {
    let (kind, name) = match member["type"].as_str().unwrap_or_default() {
        "TSPropertySignature" => ("property", key(&member["key"], member["computed"] == true)),
        "TSMethodSignature" => {
            let kind = if member["kind"] == "method" {
                "method"
            } else {
                "accessor"
            };
            (kind, key(&member["key"], member["computed"] == true))
        }
        "TSCallSignatureDeclaration" => ("method", "()".to_owned()),
        "TSConstructSignatureDeclaration" => ("method", "new".to_owned()),
        "TSIndexSignature" => ("property", "[index]".to_owned()),
        _ => return None,
    };
    Some(Item {
        kind,
        name,
        public: true,
        has_body: false,
        members: Vec::new(),
    })
}
