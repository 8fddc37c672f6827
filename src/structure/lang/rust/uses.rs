//! `use` declarations and `extern crate`: names that a file gets from elsewhere, and re-exports.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::baseline::UnmeasuredReason;
use crate::structure::lexer::lines::truncate;
use crate::structure::outline::Import;

use super::items::{Around, Draft, Head, Walk};

/// Longest chain of imports that is followed for the first segment of a path.
const MAX_HOPS: usize = 8;

/// One imported name before its path is resolved.
pub(super) struct RawImport {
    pub(super) module: String,
    /// The name here; `*` for a wildcard.
    pub(super) name: String,
    /// The segments of the path as written.
    pub(super) path: Vec<String>,
    /// Begins with `::`, so that its first segment is a crate.
    pub(super) global: bool,
    pub(super) exported: bool,
    pub(super) line: u32,
}

impl Walk<'_, '_> {
    /// `use path::{a, b as c, d::*};`
    pub(super) fn import(&mut self, head: &Head) -> usize {
        let view = self.view;
        let start = head.keyword + 1;
        let semicolon = view.find_flat(start, head.end, b";");
        // What a macro re-exports is no unit, yet it makes things reachable.
        let in_macro = self.scope().around == Around::Macro;
        let public = if in_macro {
            head.marked && self.scope().public
        } else {
            self.public(head.marked)
        };
        let global = view.path_sign(start);
        let mut path: Vec<String> = Vec::new();
        let mut stack: Vec<usize> = Vec::new();
        let mut alias: Option<String> = None;
        let mut wildcard = false;
        let mut pending = false;
        let mut at = start;
        while at < semicolon && self.fault.is_none() {
            let base = stack.last().copied().unwrap_or(0);
            if view.is(at, b"as") && pending {
                alias = Some(view.name(at + 1));
                at += 1;
            } else if view.word(at) {
                path.push(view.name(at));
                pending = true;
            } else if view.sign(at, b'*') {
                wildcard = true;
                pending = true;
            } else if view.sign(at, b'{') {
                stack.push(path.len());
                pending = false;
            } else if view.sign(at, b'}') || view.sign(at, b',') {
                if pending {
                    self.leaf(head, &path, alias.take(), wildcard, (global, public, at));
                }
                path.truncate(base);
                (pending, wildcard) = (false, false);
                if view.sign(at, b'}') {
                    stack.pop();
                    let base = stack.last().copied().unwrap_or(0);
                    path.truncate(base);
                }
            }
            at += 1;
        }
        if pending {
            self.leaf(head, &path, alias, wildcard, (global, public, semicolon));
        }
        semicolon + 1
    }

    /// One name of a `use` declaration.
    fn leaf(
        &mut self,
        head: &Head,
        path: &[String],
        alias: Option<String>,
        wildcard: bool,
        (global, exported, end): (bool, bool, usize),
    ) {
        let view = self.view;
        let mut path = path.to_vec();
        if !wildcard && path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let Some(last) = path.last().cloned() else { return };
        let name = match alias {
            // In scope without a name.
            Some(alias) if alias == "_" => return,
            Some(alias) => alias,
            None if wildcard => "*".to_owned(),
            None => last,
        };
        let joined = path.join("::");
        self.spend(joined.len() * 2 + self.scope().module.len());
        if exported && self.scope().around != Around::Macro {
            let name = if wildcard {
                format!("{joined}::*")
            } else {
                name.clone()
            };
            let mut draft = Draft::new(
                "use",
                name.clone(),
                view.bytes(&(head.first..end.max(head.first + 1))),
            );
            draft.public = true;
            draft.unit.text = match () {
                () if wildcard => format!("pub use {name}"),
                () if path.last() == Some(&name) => format!("pub use {joined}"),
                () => format!("pub use {joined} as {name}"),
            };
            truncate(&mut draft.unit.text);
            self.push(draft);
        }
        self.imports.push(RawImport {
            module: self.scope().module.clone(),
            name,
            path,
            global,
            exported,
            line: view.line(end.saturating_sub(1).max(head.first)),
        });
    }

    /// `extern crate name as other;`, and the head of an `extern` block.
    pub(super) fn external(&mut self, head: &Head) -> usize {
        let view = self.view;
        let at = head.keyword + 1;
        if view.is(at, b"crate") {
            let semicolon = view.find_flat(at, head.end, b";");
            let path = [view.name(at + 1)];
            let alias = view.is(at + 2, b"as").then(|| view.name(at + 3));
            let public = self.public(head.marked);
            self.leaf(head, &path, alias, false, (true, public, semicolon));
            return semicolon + 1;
        }
        let open = view.find(at, head.end, b"{;");
        if !view.sign(open, b'{') {
            return at;
        }
        // Members of the block have its ABI and its conditions.
        let abi = view.hash_range(head.modifiers..open, None).plain;
        let signature = self.attributes.signature(view).wrapping_add(abi);
        let test_only = self.attributes.test_only(view);
        self.enter(open, Around::Extern, |scope| {
            scope.signature = signature;
            scope.test_only |= test_only;
            scope.public &= !test_only;
        });
        open + 1
    }

    /// Resolves all imports as far as this file alone allows.
    pub(super) fn resolve_imports(&mut self) {
        let firsts: BTreeSet<&str> = self
            .imports
            .iter()
            .filter_map(|import| import.path.first().map(String::as_str))
            .collect();
        let mut modules: BTreeSet<(&str, &str)> = BTreeSet::new();
        for unit in &self.out.units {
            if firsts.contains(unit.segment.name.as_str())
                && unit.chain.is_empty()
                && matches!(
                    unit.segment.kind,
                    "mod" | "enum" | "struct" | "trait" | "fn" | "type"
                )
            {
                modules.insert((&unit.module, &unit.segment.name));
            }
        }
        let mut aliases: BTreeMap<(&str, &str), &RawImport> = BTreeMap::new();
        for import in &self.imports {
            if import.name != "*" && import.path.first() != Some(&import.name) {
                aliases.entry((&import.module, &import.name)).or_insert(import);
            }
        }
        let root = self.place.root.as_str();
        let mut resolved = Vec::with_capacity(self.imports.len());
        let mut spent = 0;
        for import in &self.imports {
            let mut target = absolute(import, root, &modules);
            let mut hops = 0;
            // The first segment may itself be an imported name.
            while let Target::Open { first, rest } = &target {
                let Some(via) = aliases.get(&(import.module.as_str(), first.as_str())) else {
                    break;
                };
                hops += 1;
                if hops > MAX_HOPS {
                    break;
                }
                target = absolute(via, root, &modules).join(rest);
            }
            let target = target.text();
            spent += target.len() + import.module.len();
            resolved.push(Import {
                module: import.module.clone(),
                name: import.name.clone(),
                target,
                exported: import.exported,
                line: import.line,
            });
            if spent > self.view.source.len() * 64 + (1 << 20) {
                self.fault = Some(UnmeasuredReason::TooDeep);
                break;
            }
        }
        self.spend(spent);
        self.out.imports = resolved;
    }
}

/// A path, resolved or beginning with a name that is not declared here.
enum Target {
    Known(String),
    Open { first: String, rest: String },
}

impl Target {
    fn join(self, more: &str) -> Self {
        match self {
            Self::Known(path) => Self::Known(format!("{path}{more}")),
            Self::Open { first, rest } => Self::Open {
                first,
                rest: format!("{rest}{more}"),
            },
        }
    }

    fn text(self) -> String {
        match self {
            Self::Known(path) => path,
            Self::Open { first, rest } => format!("{first}{rest}"),
        }
    }
}

/// Makes a path absolute; what begins with an unknown name stays open.
fn absolute(import: &RawImport, root: &str, modules: &BTreeSet<(&str, &str)>) -> Target {
    let mut path = import.path.iter();
    let Some(first) = path.next() else {
        return Target::Known(String::new());
    };
    let mut base = match first.as_str() {
        _ if import.global => first.clone(),
        "crate" | "$crate" => root.to_owned(),
        "self" => import.module.clone(),
        "super" => parent(&import.module, root),
        name if modules.contains(&(import.module.as_str(), name)) => format!("{}::{name}", import.module),
        _ => {
            let mut rest = String::new();
            for segment in path {
                rest.push_str("::");
                rest.push_str(segment);
            }
            return Target::Open {
                first: first.clone(),
                rest,
            };
        }
    };
    for segment in path {
        if segment == "super" && !import.global {
            base = parent(&base, root);
        } else {
            base.push_str("::");
            base.push_str(segment);
        }
    }
    Target::Known(base)
}

/// The module around a module; a crate has none.
fn parent(module: &str, root: &str) -> String {
    match module.rsplit_once("::") {
        Some((parent, _)) if module != root => parent.to_owned(),
        _ => module.to_owned(),
    }
}
