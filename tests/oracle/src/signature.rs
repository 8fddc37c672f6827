//! Signatures as text, built from what `syn` parsed.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, FnArg, Meta, ReturnType, Signature, Token};

/// Attributes that belong to a signature as they are.
const WHOLE: [&str; 9] = [
    "non_exhaustive",
    "repr",
    "target_feature",
    "no_mangle",
    "export_name",
    "cfg",
    "proc_macro",
    "proc_macro_derive",
    "proc_macro_attribute",
];

/// Attributes that belong to a signature by name only.
const NAME: [&str; 2] = ["must_use", "deprecated"];

/// Keywords in front of parentheses that call nothing.
const BEFORE_TUPLES: [&str; 14] = [
    "for", "in", "return", "match", "if", "while", "as", "mut", "dyn", "impl", "let", "else", "break",
    "const",
];

/// An attribute, those of `cfg_attr` one by one.
pub struct Flat {
    pub meta: Meta,
    pub conditional: bool,
}

impl Flat {
    pub fn last(&self) -> String {
        let path = self.meta.path();
        path.segments
            .last()
            .map(|segment| segment.ident.to_string())
            .unwrap_or_default()
    }

    /// The tokens inside of its parentheses.
    pub fn arguments(&self) -> TokenStream {
        match &self.meta {
            Meta::List(list) => list.tokens.clone(),
            _ => TokenStream::new(),
        }
    }
}

/// All attributes, those inside of `cfg_attr(…)` and `unsafe(…)` taken out.
pub fn flat(attributes: &[Attribute]) -> Vec<Flat> {
    let mut found = Vec::new();
    for attribute in attributes {
        add_flat(&attribute.meta, false, &mut found);
    }
    found
}

fn add_flat(meta: &Meta, conditional: bool, found: &mut Vec<Flat>) {
    let Meta::List(list) = meta else {
        found.push(Flat {
            meta: meta.clone(),
            conditional,
        });
        return;
    };
    let name = meta
        .path()
        .get_ident()
        .map(ToString::to_string)
        .unwrap_or_default();
    if name != "cfg_attr" && name != "unsafe" {
        found.push(Flat {
            meta: meta.clone(),
            conditional,
        });
        return;
    }
    let skip = usize::from(name == "cfg_attr");
    for part in split(list.tokens.clone()).into_iter().skip(skip) {
        if let Ok(inner) = syn::parse2::<Meta>(part) {
            add_flat(&inner, conditional || skip == 1, found);
        }
    }
}

/// Parts between commas outside of groups.
pub fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in tokens {
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
            parts.push(TokenStream::new());
        } else {
            parts.last_mut().expect("there is always one").extend([token]);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// What attributes add to a signature, in any order.
pub fn attributes(attributes: &[Attribute]) -> String {
    let mut found: Vec<String> = flat(attributes)
        .iter()
        .filter_map(|attribute| {
            let name = attribute.last();
            let mark = if attribute.conditional { "?" } else { "" };
            if WHOLE.contains(&name.as_str()) {
                let exact =
                    name == "cfg" && !attribute.conditional && attribute.arguments().to_string() == "test";
                (!exact).then(|| format!("{mark}{}", text(attribute.meta.to_token_stream())))
            } else {
                NAME.contains(&name.as_str()).then(|| format!("{mark}{name}"))
            }
        })
        .collect();
    found.sort();
    found.join(" + ")
}

/// Tokens with one blank between; commas that change nothing are left out.
pub fn text(tokens: TokenStream) -> String {
    let mut words = Vec::new();
    add_words(tokens, Commas::Idle, &mut words);
    words.join(" ")
}

/// What happens to commas in front of a closing delimiter.
#[derive(Clone, Copy, PartialEq)]
enum Commas {
    /// They change nothing, and are left out.
    Idle,
    /// They count, as in a matcher.
    Count,
}

fn add_words(tokens: TokenStream, keep: Commas, words: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let commas = tokens
        .iter()
        .filter(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','))
        .count();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => add_group(group, keep, words),
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                let closes = match tokens.get(at + 1) {
                    Some(TokenTree::Punct(next)) => next.as_char() == '>',
                    Some(_) => false,
                    None => true,
                };
                let tuple =
                    at + 1 == tokens.len() && commas == 1 && words.first().is_some_and(|_| in_tuple(words));
                if !closes || tuple || keep == Commas::Count {
                    words.push(",".to_owned());
                }
            }
            // A lifetime is two tokens here.
            TokenTree::Punct(punct) if punct.as_char() == '\'' => words.push("'".to_owned()),
            other => match words.last_mut() {
                Some(last) if last == "'" => last.push_str(&other.to_string()),
                _ => words.push(literal(other)),
            },
        }
    }
}

/// A multi-line text reads alike with either line ending.
fn literal(token: &TokenTree) -> String {
    token.to_string().replace("\r\n", "\n")
}

fn add_group(group: &proc_macro2::Group, keep: Commas, words: &mut Vec<String>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::None => {
            add_words(group.stream(), keep, words);
            return;
        }
    };
    words.push(open.to_owned());
    add_words(group.stream(), keep, words);
    words.push(close.to_owned());
}

/// Whether the group that is being written is a tuple and no call.
fn in_tuple(words: &[String]) -> bool {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().rev() {
        match word.as_str() {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            "(" => {
                let before = at.checked_sub(1).map(|at| words[at].as_str());
                let called = before.is_some_and(|word| {
                    let name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
                    matches!(word, ")" | "]" | "}" | ">" | "!") || (name && !BEFORE_TUPLES.contains(&word))
                });
                return !called;
            }
            "[" | "{" => return false,
            _ => {}
        }
    }
    false
}

/// A function: modifiers, generics, the types of its parameters, its result, its bounds.
pub fn function(signature: &Signature) -> String {
    let mut parts = vec![
        text(signature.constness.to_token_stream()),
        text(signature.asyncness.to_token_stream()),
        text(signature.unsafety.to_token_stream()),
        text(signature.abi.to_token_stream()),
        "fn".to_owned(),
        generics(&signature.generics),
    ];
    let mut inputs = Vec::new();
    for input in &signature.inputs {
        inputs.push(match input {
            FnArg::Typed(typed) => text(typed.ty.to_token_stream()),
            FnArg::Receiver(receiver) => {
                let mut receiver = receiver.clone();
                receiver.attrs.clear();
                if receiver.reference.is_none() {
                    receiver.mutability = None;
                }
                text(receiver.to_token_stream())
            }
        });
    }
    if signature.variadic.is_some() {
        inputs.push(". . .".to_owned());
    }
    parts.push(format!("({})", inputs.join(" | ")));
    if let ReturnType::Type(..) = signature.output {
        parts.push(text(signature.output.to_token_stream()));
    }
    parts.push(clause(&signature.generics));
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// Generics without the `where` clause.
pub fn generics(generics: &syn::Generics) -> String {
    text(generics.to_token_stream())
}

/// The `where` clause.
pub fn clause(generics: &syn::Generics) -> String {
    text(generics.where_clause.to_token_stream())
}

/// The payload and discriminant of a variant.
pub fn variant(variant: &syn::Variant) -> String {
    let field = |field: &syn::Field| {
        let name = field
            .ident
            .as_ref()
            .map(|name| format!("{name} : "))
            .unwrap_or_default();
        format!(
            "[{}] {name}{}",
            attributes(&field.attrs),
            text(field.ty.to_token_stream())
        )
    };
    let mut parts: Vec<String> = variant.fields.iter().map(field).collect();
    let payload = match &variant.fields {
        Fields::Named(_) => {
            parts.sort();
            format!("{{{}}}", parts.join(" | "))
        }
        Fields::Unnamed(_) => format!("({})", parts.join(" | ")),
        Fields::Unit => String::new(),
    };
    let value = variant
        .discriminant
        .as_ref()
        .map(|(_, value)| format!("= {}", text(value.to_token_stream())))
        .unwrap_or_default();
    format!("{payload} {value}")
}

/// The matchers of a macro, without the names of their variables.
pub fn matchers(tokens: TokenStream) -> String {
    let mut arms = Vec::new();
    let mut arm = TokenStream::new();
    let mut arrow = false;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                arms.push(std::mem::take(&mut arm));
                arrow = false;
            }
            TokenTree::Punct(punct) if punct.as_char() == '=' => arrow = true,
            _ if !arrow => arm.extend([token]),
            _ => {}
        }
    }
    if !arm.is_empty() {
        arms.push(arm);
    }
    let arms: Vec<String> = arms
        .into_iter()
        .map(|arm| {
            let mut words = Vec::new();
            add_words(arm, Commas::Count, &mut words);
            without_names(&words.join(" "))
        })
        .collect();
    arms.join(" ; ")
}

fn without_names(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut kept = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if words[at] == "$" && words.get(at + 1).is_some_and(is_name) && words.get(at + 2) == Some(&":") {
            kept.push("$_");
            at += 2;
        } else {
            kept.push(words[at]);
            at += 1;
        }
    }
    kept.join(" ")
}

/// Bounds behind a colon.
pub fn bounds(bounds: &Punctuated<syn::TypeParamBound, Token![+]>) -> String {
    if bounds.is_empty() {
        String::new()
    } else {
        format!(": {}", text(bounds.to_token_stream()))
    }
}
