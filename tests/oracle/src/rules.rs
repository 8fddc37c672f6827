//! The rules on attributes and names, written a second time.

use syn::{Attribute, Type, Visibility};

use crate::expected::Around;
use crate::signature::{Flat, attributes, flat, text};
use quote::ToTokens;

/// The whole signature: attributes of the item and of its scope in any order, then its own tokens.
pub fn full(around: &Around, attrs: &[Attribute], signature: &str) -> String {
    let own = attributes(attrs);
    let mut parts: Vec<&str> = around.signature.split(" + ").chain(own.split(" + ")).collect();
    parts.retain(|part| !part.is_empty());
    parts.sort_unstable();
    let words: Vec<&str> = signature.split_whitespace().collect();
    format!("[{}] {}", parts.join(" + "), words.join(" "))
}

pub fn is_public(vis: &Visibility, attrs: &[Attribute], around: &Around) -> bool {
    matches!(vis, Visibility::Public(_)) && around.public && !narrow(attrs)
}

pub fn narrow(attrs: &[Attribute]) -> bool {
    hidden(attrs) || test_only(attrs)
}

pub fn hidden(attrs: &[Attribute]) -> bool {
    flat(attrs).iter().any(|attribute| {
        attribute.last() == "doc"
            && !attribute.conditional
            && attribute
                .arguments()
                .into_iter()
                .any(|token| matches!(&token, proc_macro2::TokenTree::Ident(ident) if ident == "hidden"))
    })
}

pub fn test_only(attrs: &[Attribute]) -> bool {
    let needs = |attribute: &Flat| {
        attribute.last() == "cfg"
            && !attribute.conditional
            && needs_test(&attribute.arguments().to_string().replace(' ', ""))
    };
    flat(attrs).iter().any(needs)
}

/// Whether a predicate without blanks holds in test builds only.
pub fn needs_test(predicate: &str) -> bool {
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
pub fn type_name(ty: &Type) -> (String, String, bool) {
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

pub fn whole(ty: &Type) -> (String, String, bool) {
    let whole = text(ty.to_token_stream());
    (whole.clone(), whole, false)
}

pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
