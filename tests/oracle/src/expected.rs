//! What `syn` says is defined in a file, by the same rules as the scanner.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, Item, UseTree, Visibility};

use crate::rules::{full, hidden, is_public, narrow, squeezed, test_only};
use crate::signature::{self, attributes, clause, flat, function, generics, text};

/// Last path segments that make a function a test.
const TESTS: [&str; 6] = [
    "test",
    "rstest",
    "test_case",
    "quickcheck",
    "wasm_bindgen_test",
    "bench",
];

/// One definition, without its signature.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// Module and containers.
    pub place: String,
    pub kind: String,
    pub name: String,
    pub public: bool,
    pub test: bool,
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let public = if self.public { "pub " } else { "" };
        write!(f, "{public}{} > {} {}", self.place, self.kind, self.name)
    }
}

/// All definitions of a file.
#[derive(Default)]
pub struct Expected {
    pub definitions: Vec<(Definition, String)>,
    /// Byte ranges of what is not compared.
    pub ranges: Vec<Range<usize>>,
    pub out_of_scope: BTreeMap<&'static str, usize>,
    library: bool,
    root: String,
    /// Impls, looked at again when all types are known: range of definitions, module, type, written bare, trait.
    pub(crate) impls: Vec<(Range<usize>, String, String, bool, Option<String>)>,
}

/// Where an item stands.
#[derive(Clone, Default)]
pub(crate) struct Around {
    pub(crate) module: String,
    pub(crate) chain: String,
    pub(crate) public: bool,
    pub(crate) test_only: bool,
    /// What members of the scope have in their signature too.
    pub(crate) signature: String,
}

impl Around {
    pub(crate) fn below(&self, kind: &str, name: &str) -> String {
        let step = format!("{kind} {}", squeezed(name));
        if self.chain.is_empty() {
            step
        } else {
            format!("{} > {step}", self.chain)
        }
    }
}

impl Expected {
    pub fn of(file: &syn::File, path: &str, module: &str, source: &str) -> Self {
        let parts: Vec<&str> = path.split('/').collect();
        let beside = parts[..parts.len() - 1]
            .iter()
            .take_while(|part| **part != "src")
            .any(|part| matches!(*part, "examples" | "example" | "docs") || part.starts_with("bench"));
        let first = module.split("::").next().unwrap_or_default();
        let library = first == "crate" && !beside;
        let mut expected = Self {
            library,
            root: "crate".to_owned(),
            ..Self::default()
        };
        let around = Around {
            module: module.to_owned(),
            public: library && !test_only(&file.attrs) && !hidden(&file.attrs),
            test_only: test_only(&file.attrs),
            ..Around::default()
        };
        for item in &file.items {
            expected.item(item, &around);
        }
        expected.narrow_impls();
        // syn counts without byte order mark and shebang.
        let cut = source.len() - source.trim_start_matches('\u{feff}').len()
            + file.shebang.as_ref().map_or(0, String::len);
        for range in &mut expected.ranges {
            *range = range.start + cut..range.end + cut;
        }
        expected
    }

    pub(crate) fn add(&mut self, around: &Around, kind: &str, name: String, public: bool, signature: String) {
        self.definitions.push((
            Definition {
                place: format!("{}#{}", around.module, around.chain),
                kind: kind.to_owned(),
                name: squeezed(&name),
                public,
                test: kind == "test",
            },
            signature,
        ));
    }

    pub(crate) fn leave_out(&mut self, what: &'static str, item: &impl Spanned) {
        *self.out_of_scope.entry(what).or_default() += 1;
        self.ranges.push(item.span().byte_range());
    }

    fn item(&mut self, item: &Item, around: &Around) {
        match item {
            Item::Fn(item) => {
                let public = is_public(&item.vis, &item.attrs, around);
                let name = item.sig.ident.to_string();
                self.function(around, &name, &item.attrs, public, function(&item.sig), true);
            }
            Item::Const(item) => {
                if item.ident != "_" {
                    let signature = format!("const : {}", text(item.ty.to_token_stream()));
                    self.plain(around, "const", &item.ident, &item.vis, &item.attrs, &signature);
                }
            }
            Item::Static(item) => {
                let mutable = text(item.mutability.to_token_stream());
                let signature = format!("static {mutable} : {}", text(item.ty.to_token_stream()));
                self.plain(around, "static", &item.ident, &item.vis, &item.attrs, &signature);
            }
            Item::Type(item) => {
                let signature = format!(
                    "type {} {} = {}",
                    generics(&item.generics),
                    clause(&item.generics),
                    text(item.ty.to_token_stream())
                );
                self.plain(around, "type", &item.ident, &item.vis, &item.attrs, &signature);
            }
            Item::Struct(item) => {
                let signature = format!("struct {} {}", generics(&item.generics), clause(&item.generics));
                self.data(
                    around,
                    "struct",
                    &item.ident,
                    &item.vis,
                    &item.attrs,
                    &signature,
                    Some(&item.fields),
                );
            }
            Item::Union(item) => {
                let signature = format!("union {} {}", generics(&item.generics), clause(&item.generics));
                let fields = Fields::Named(item.fields.clone());
                self.data(
                    around,
                    "union",
                    &item.ident,
                    &item.vis,
                    &item.attrs,
                    &signature,
                    Some(&fields),
                );
            }
            Item::Enum(item) => {
                let signature = format!("enum {} {}", generics(&item.generics), clause(&item.generics));
                self.data(
                    around,
                    "enum",
                    &item.ident,
                    &item.vis,
                    &item.attrs,
                    &signature,
                    None,
                );
                let public = is_public(&item.vis, &item.attrs, around);
                let inner = Around {
                    chain: around.below("enum", &item.ident.to_string()),
                    ..around.clone()
                };
                for variant in &item.variants {
                    let public = public && !hidden(&variant.attrs);
                    let signature = format!("{} {}", attributes(&variant.attrs), signature::variant(variant));
                    self.add(&inner, "variant", variant.ident.to_string(), public, signature);
                }
            }
            Item::Trait(item) => self.trait_(item, around),
            Item::TraitAlias(item) => self.leave_out("trait aliases", item),
            Item::Impl(item) => self.impl_(item, around),
            Item::Mod(item) => self.module(item, around),
            Item::Use(item) => {
                if is_public(&item.vis, &item.attrs, around) {
                    self.uses(&item.tree, &mut Vec::new(), around);
                }
            }
            Item::ExternCrate(item) => {
                if is_public(&item.vis, &item.attrs, around) {
                    let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                    if name != "_" {
                        self.add(around, "use", name.to_string(), true, String::new());
                    }
                }
            }
            Item::ForeignMod(item) => self.foreign(item, around),
            Item::Macro(item) => match &item.ident {
                Some(name) => self.macro_rules(item, name, around),
                None => self.leave_out("macro calls", item),
            },
            Item::Verbatim(tokens) => self.leave_out("items that syn does not know", tokens),
            _ => self.leave_out("items of another kind", item),
        }
    }

    pub(crate) fn plain(
        &mut self,
        around: &Around,
        kind: &str,
        name: &syn::Ident,
        vis: &Visibility,
        attrs: &[Attribute],
        signature: &str,
    ) {
        let public = is_public(vis, attrs, around);
        let signature = full(around, attrs, signature);
        self.add(around, kind, name.to_string(), public, signature);
    }

    pub(crate) fn function(
        &mut self,
        around: &Around,
        name: &str,
        attrs: &[Attribute],
        public: bool,
        signature: String,
        has_body: bool,
    ) {
        let test = has_body
            && flat(attrs)
                .iter()
                .any(|attribute| TESTS.contains(&attribute.last().as_str()));
        let signature = full(around, attrs, &signature);
        if test {
            self.add(
                around,
                "test",
                name.to_owned(),
                false,
                format!("test {signature}"),
            );
        } else {
            self.add(around, "fn", name.to_owned(), public, signature);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn data(
        &mut self,
        around: &Around,
        kind: &'static str,
        name: &syn::Ident,
        vis: &Visibility,
        attrs: &[Attribute],
        signature: &str,
        fields: Option<&Fields>,
    ) {
        self.plain(around, kind, name, vis, attrs, signature);
        let public = is_public(vis, attrs, around);
        for attribute in flat(attrs)
            .iter()
            .filter(|attribute| attribute.last() == "derive")
        {
            for derived in signature::split(attribute.arguments()) {
                if let Ok(path) = syn::parse2::<syn::Path>(derived) {
                    let last = path
                        .segments
                        .last()
                        .map(|segment| segment.ident.to_string())
                        .unwrap_or_default();
                    self.add(
                        around,
                        "impl",
                        format!("{last} for {name}"),
                        public,
                        String::new(),
                    );
                }
            }
        }
        let inner = Around {
            chain: around.below(kind, &name.to_string()),
            ..around.clone()
        };
        for (number, field) in fields.into_iter().flatten().enumerate() {
            let name = field
                .ident
                .as_ref()
                .map_or_else(|| number.to_string(), ToString::to_string);
            let public = public && matches!(field.vis, Visibility::Public(_)) && !hidden(&field.attrs);
            let signature = format!(
                "{} {}",
                attributes(&field.attrs),
                text(field.ty.to_token_stream())
            );
            self.add(&inner, "field", name, public, signature);
        }
    }

    fn module(&mut self, item: &syn::ItemMod, around: &Around) {
        let public = is_public(&item.vis, &item.attrs, around);
        let name = item.ident.to_string();
        self.add(around, "mod", name.clone(), public, attributes(&item.attrs));
        let Some((_, items)) = &item.content else { return };
        let inner = Around {
            module: format!("{}::{name}", around.module),
            chain: String::new(),
            // The attributes of the item include those inside of its braces.
            public: public && !narrow(&item.attrs),
            test_only: around.test_only || test_only(&item.attrs),
            signature: String::new(),
        };
        for item in items {
            self.item(item, &inner);
        }
    }

    fn uses(&mut self, tree: &UseTree, path: &mut Vec<String>, around: &Around) {
        match tree {
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                self.uses(&step.tree, path, around);
                path.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.uses(tree, path, around);
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                let name = if name == "self" {
                    path.last().cloned().unwrap_or(name)
                } else {
                    name
                };
                self.add(around, "use", name, true, String::new());
            }
            UseTree::Rename(rename) => {
                if rename.rename != "_" {
                    self.add(around, "use", rename.rename.to_string(), true, String::new());
                }
            }
            UseTree::Glob(_) => {
                if !path.is_empty() {
                    self.add(
                        around,
                        "use",
                        format!("{}::*", path.join("::")),
                        true,
                        String::new(),
                    );
                }
            }
        }
    }

    fn macro_rules(&mut self, item: &syn::ItemMacro, name: &syn::Ident, around: &Around) {
        if !item.mac.path.is_ident("macro_rules") {
            self.leave_out("macro calls", item);
            return;
        }
        let exported = flat(&item.attrs)
            .iter()
            .any(|attribute| attribute.last() == "macro_export");
        let public = exported && self.library && !around.test_only && !narrow(&item.attrs);
        let mut place = around.clone();
        if exported && self.library {
            place.module.clone_from(&self.root);
            place.chain.clear();
        }
        let signature = full(around, &item.attrs, &signature::matchers(item.mac.tokens.clone()));
        self.add(&place, "macro", name.to_string(), public, signature);
    }
}
