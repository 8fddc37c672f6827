//! What `syn` says is defined in a file, by the same rules as the scanner.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::Range;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, Fields, ForeignItem, ImplItem, Item, TraitItem, Type, UseTree, Visibility};

use crate::signature::{self, Flat, attributes, clause, flat, function, generics, text};

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
    impls: Vec<(Range<usize>, String, String, bool, Option<String>)>,
}

/// Where an item stands.
#[derive(Clone, Default)]
struct Around {
    module: String,
    chain: String,
    public: bool,
    test_only: bool,
    /// What members of the scope have in their signature too.
    signature: String,
}

impl Around {
    fn below(&self, kind: &str, name: &str) -> String {
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

    fn add(&mut self, around: &Around, kind: &str, name: String, public: bool, signature: String) {
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

    fn leave_out(&mut self, what: &'static str, item: &impl Spanned) {
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

    fn plain(
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

    fn function(
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

    fn trait_(&mut self, item: &syn::ItemTrait, around: &Around) {
        let colon = if item.colon_token.is_some() { ":" } else { "" };
        let signature = format!(
            "{} {} trait {} {colon} {} {}",
            text(item.unsafety.to_token_stream()),
            text(item.auto_token.to_token_stream()),
            generics(&item.generics),
            text(item.supertraits.to_token_stream()),
            clause(&item.generics)
        );
        self.plain(around, "trait", &item.ident, &item.vis, &item.attrs, &signature);
        let inner = Around {
            chain: around.below("trait", &item.ident.to_string()),
            public: is_public(&item.vis, &item.attrs, around),
            signature: String::new(),
            ..around.clone()
        };
        for member in &item.items {
            match member {
                TraitItem::Fn(member) => {
                    let public = inner.public && !narrow(&member.attrs);
                    let body = if member.default.is_some() {
                        "default body"
                    } else {
                        ""
                    };
                    let signature = format!("{} {body}", function(&member.sig));
                    let name = member.sig.ident.to_string();
                    self.function(
                        &inner,
                        &name,
                        &member.attrs,
                        public,
                        signature,
                        member.default.is_some(),
                    );
                }
                TraitItem::Const(member) => {
                    let public = inner.public && !narrow(&member.attrs);
                    let value = if member.default.is_some() {
                        "default value"
                    } else {
                        ""
                    };
                    let signature = format!("const : {} {value}", text(member.ty.to_token_stream()));
                    let signature = full(&inner, &member.attrs, &signature);
                    self.add(&inner, "const", member.ident.to_string(), public, signature);
                }
                TraitItem::Type(member) => {
                    let public = inner.public && !narrow(&member.attrs);
                    let value = member
                        .default
                        .as_ref()
                        .map(|(_, value)| format!("= {}", text(value.to_token_stream())))
                        .unwrap_or_default();
                    let signature = format!(
                        "type {} {} {} {value}",
                        generics(&member.generics),
                        signature::bounds(&member.bounds),
                        clause(&member.generics)
                    );
                    let signature = full(&inner, &member.attrs, &signature);
                    self.add(&inner, "type", member.ident.to_string(), public, signature);
                }
                other => self.leave_out(
                    "members that syn does not know, and macro calls among them",
                    other,
                ),
            }
        }
    }

    fn impl_(&mut self, item: &syn::ItemImpl, around: &Around) {
        let (type_name, key, bare) = type_name(&item.self_ty);
        let first = self.definitions.len();
        let public = around.public && !test_only(&item.attrs) && !hidden(&item.attrs);
        let mut name = key;
        let mut of_trait = None;
        if let Some((not, path, _)) = &item.trait_ {
            let last = path.segments.last().expect("a path has segments");
            let mark = if not.is_some() { "!" } else { "" };
            name = format!("{mark}{} for {name}", text(last.to_token_stream()));
            of_trait = Some(last.ident.to_string());
            let unsafety = text(item.unsafety.to_token_stream());
            let extra = attributes(&item.attrs);
            let signature = if unsafety.is_empty() && extra.is_empty() {
                String::new()
            } else {
                format!("{unsafety} {extra} !")
            };
            self.add(around, "impl", name.clone(), public, signature);
        }
        let inner = Around {
            chain: around.below("impl", &name),
            public,
            test_only: around.test_only || test_only(&item.attrs),
            signature: attributes(&item.attrs),
            ..around.clone()
        };
        let inherent = item.trait_.is_none();
        for member in &item.items {
            let default = |token: &Option<syn::Token![default]>| text(token.to_token_stream());
            match member {
                ImplItem::Fn(member) => {
                    let public = inherent && is_public(&member.vis, &member.attrs, &inner);
                    let signature = format!("{} {}", default(&member.defaultness), function(&member.sig));
                    let name = member.sig.ident.to_string();
                    self.function(
                        &inner,
                        &name,
                        &member.attrs,
                        public,
                        signature.trim_start().to_owned(),
                        true,
                    );
                }
                ImplItem::Const(member) => {
                    let public = inherent && is_public(&member.vis, &member.attrs, &inner);
                    let signature = format!(
                        "{} const : {}",
                        default(&member.defaultness),
                        text(member.ty.to_token_stream())
                    );
                    let signature = full(&inner, &member.attrs, signature.trim_start());
                    if member.ident != "_" {
                        self.add(&inner, "const", member.ident.to_string(), public, signature);
                    }
                }
                ImplItem::Type(member) => {
                    let public = inherent && is_public(&member.vis, &member.attrs, &inner);
                    // The clause may stand behind the type.
                    let signature = format!(
                        "{} type {} {} = {}",
                        default(&member.defaultness),
                        generics(&member.generics),
                        clause(&member.generics),
                        text(member.ty.to_token_stream())
                    );
                    let signature = full(&inner, &member.attrs, signature.trim_start());
                    self.add(&inner, "type", member.ident.to_string(), public, signature);
                }
                other => self.leave_out(
                    "members that syn does not know, and macro calls among them",
                    other,
                ),
            }
        }
        let range = first..self.definitions.len();
        self.impls
            .push((range, around.module.clone(), type_name, bare, of_trait));
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

    fn foreign(&mut self, item: &syn::ItemForeignMod, around: &Around) {
        let abi = format!(
            "{} {}",
            text(item.unsafety.to_token_stream()),
            text(item.abi.to_token_stream())
        );
        let inner = Around {
            public: around.public && !test_only(&item.attrs),
            signature: format!("{} + {abi}", attributes(&item.attrs)),
            ..around.clone()
        };
        for member in &item.items {
            match member {
                ForeignItem::Fn(member) => {
                    let public = is_public(&member.vis, &member.attrs, &inner);
                    let name = member.sig.ident.to_string();
                    self.function(&inner, &name, &member.attrs, public, function(&member.sig), false);
                }
                ForeignItem::Static(member) => {
                    let mutable = text(member.mutability.to_token_stream());
                    let signature = format!("static {mutable} : {}", text(member.ty.to_token_stream()));
                    self.plain(
                        &inner,
                        "static",
                        &member.ident,
                        &member.vis,
                        &member.attrs,
                        &signature,
                    );
                }
                ForeignItem::Type(member) => {
                    self.plain(
                        &inner,
                        "type",
                        &member.ident,
                        &member.vis,
                        &member.attrs,
                        &format!("type {} {}", generics(&member.generics), clause(&member.generics)),
                    );
                }
                other => self.leave_out(
                    "members that syn does not know, and macro calls among them",
                    other,
                ),
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

    /// Narrows impls for types, and of traits, that this file says are not public.
    fn narrow_impls(&mut self) {
        let mut types: HashMap<(String, bool), Vec<(String, bool)>> = HashMap::new();
        for (definition, _) in &self.definitions {
            let (module, chain) = definition.place.split_once('#').expect("places have a sign");
            if chain.is_empty()
                && matches!(
                    definition.kind.as_str(),
                    "struct" | "enum" | "union" | "type" | "trait"
                )
            {
                let key = (definition.name.clone(), definition.kind == "trait");
                types
                    .entry(key)
                    .or_default()
                    .push((module.to_owned(), definition.public));
            }
        }
        let public = |name: &str, is_trait: bool, module: &str, bare: bool| -> Option<bool> {
            let all = types.get(&(name.to_owned(), is_trait))?;
            let near: Vec<bool> = all
                .iter()
                .filter(|(place, _)| bare && place == module)
                .map(|(_, public)| *public)
                .collect();
            let any: Vec<bool> = if near.is_empty() {
                all.iter().map(|(_, public)| *public).collect()
            } else {
                near
            };
            Some(any.contains(&true))
        };
        for (range, module, type_name, bare, of_trait) in &self.impls {
            let of_type = public(type_name, false, module, *bare);
            let keep = match of_trait {
                None => of_type != Some(false),
                Some(name) => of_type == Some(true) && public(name, true, module, true) != Some(false),
            };
            if !keep {
                for (definition, _) in &mut self.definitions[range.clone()] {
                    definition.public = false;
                }
            }
        }
    }
}

/// The whole signature: attributes of the item and of its scope in any order, then its own tokens.
fn full(around: &Around, attrs: &[Attribute], signature: &str) -> String {
    let own = attributes(attrs);
    let mut parts: Vec<&str> = around.signature.split(" + ").chain(own.split(" + ")).collect();
    parts.retain(|part| !part.is_empty());
    parts.sort_unstable();
    let words: Vec<&str> = signature.split_whitespace().collect();
    format!("[{}] {}", parts.join(" + "), words.join(" "))
}

fn is_public(vis: &Visibility, attrs: &[Attribute], around: &Around) -> bool {
    matches!(vis, Visibility::Public(_)) && around.public && !narrow(attrs)
}

fn narrow(attrs: &[Attribute]) -> bool {
    hidden(attrs) || test_only(attrs)
}

fn hidden(attrs: &[Attribute]) -> bool {
    flat(attrs).iter().any(|attribute| {
        attribute.last() == "doc"
            && !attribute.conditional
            && attribute
                .arguments()
                .into_iter()
                .any(|token| matches!(&token, proc_macro2::TokenTree::Ident(ident) if ident == "hidden"))
    })
}

fn test_only(attrs: &[Attribute]) -> bool {
    let needs = |attribute: &Flat| {
        attribute.last() == "cfg"
            && !attribute.conditional
            && needs_test(&attribute.arguments().to_string().replace(' ', ""))
    };
    flat(attrs).iter().any(needs)
}

/// Whether a predicate without blanks holds in test builds only.
fn needs_test(predicate: &str) -> bool {
    if predicate == "test" {
        return true;
    }
    let Some(inside) = predicate
        .strip_prefix("all(")
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return false;
    };
    let mut depth = 0_i32;
    inside
        .split(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth == 0
        })
        .any(needs_test)
}

/// The name of a type, the same as it stands in a key, and whether it was written without path.
fn type_name(ty: &Type) -> (String, String, bool) {
    match ty {
        Type::Path(path) if path.qself.is_none() => {
            let last = path
                .path
                .segments
                .last()
                .expect("a path has segments")
                .ident
                .to_string();
            let bare = path.path.segments.len() == 1 && path.path.leading_colon.is_none();
            (last.clone(), last, bare)
        }
        Type::Reference(reference) => {
            let (name, key, bare) = type_name(&reference.elem);
            let mutable = if reference.mutability.is_some() {
                "mut "
            } else {
                ""
            };
            (name, format!("&{mutable}{key}"), bare)
        }
        Type::TraitObject(object) if object.dyn_token.is_some() => {
            let first = object.bounds.iter().find_map(|bound| match bound {
                syn::TypeParamBound::Trait(bound) => Some(bound.path.clone()),
                _ => None,
            });
            match first.and_then(|path| path.segments.last().map(|last| last.ident.to_string())) {
                Some(last) => (last.clone(), format!("dyn {last}"), true),
                None => whole(ty),
            }
        }
        _ => whole(ty),
    }
}

fn whole(ty: &Type) -> (String, String, bool) {
    let whole = text(ty.to_token_stream());
    (whole.clone(), whole, false)
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
