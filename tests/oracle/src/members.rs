//! Items with members of their own: traits, impls and `extern` blocks.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{ForeignItem, ImplItem, TraitItem};

use crate::expected::{Around, Expected};
use crate::rules::{full, hidden, is_public, narrow, test_only, type_name};
use crate::signature::{self, attributes, clause, function, generics, text};

impl Expected {
    pub(crate) fn trait_(&mut self, item: &syn::ItemTrait, around: &Around) {
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

    pub(crate) fn impl_(&mut self, item: &syn::ItemImpl, around: &Around) {
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

    pub(crate) fn foreign(&mut self, item: &syn::ItemForeignMod, around: &Around) {
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

    /// Narrows impls for types, and of traits, that this file says are not public.
    pub(crate) fn narrow_impls(&mut self) {
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
