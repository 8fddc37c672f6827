//! Traits and impls.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt as _};

use crate::structure::lexer::Kind;
use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::lines::{cut, push_bytes};
use crate::structure::outline::{Role, Segment, Visibility};

use super::items::{Around, Draft, Head, Walk};
use super::signature::{mark, push};
use super::view::View;

/// Longest rendered type or trait in a name.
const MAX_NAME: usize = 300;

/// An impl, remembered until all types of the file are known.
pub(super) struct Implementation {
    /// The indexes of its units: its own when it is one, then its members.
    pub(super) units: Range<usize>,
    module: String,
    /// The type's name without path, and whether it was written without path.
    type_name: String,
    plain: bool,
    /// The trait's name without path; `None` for an inherent impl.
    trait_name: Option<String>,
}

impl Walk<'_, '_> {
    /// `trait Name: Super { … }`
    pub(super) fn trait_(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        if !view.word(name_at) {
            return name_at;
        }
        let open = view.find(name_at + 1, head.end, b"{;");
        let name = view.name(name_at);
        let public = self.public(head.marked);
        let last = view.last_of(open);
        let mut sequence = Sequence::default();
        push(&mut sequence, view, head.modifiers..name_at);
        push(&mut sequence, view, name_at + 1..open);
        let mut draft = Draft::new("trait", name.clone(), view.start(head.first)..view.end(last));
        draft.unit.role = Role::Container;
        draft.unit.signature = self.signature(sequence.finish());
        draft.public = public;
        draft.unit.text = self.text(head, open);
        if !view.sign(open, b'{') {
            self.push(draft);
            return last + 1;
        }
        draft.unit.body = Some(self.body(open, Some(name_at)));
        self.push(draft);
        self.doctests(head, "trait", &name);
        self.enter(open, Around::Trait, |scope| {
            scope.public = public;
            scope.chain.push(Segment { kind: "trait", name });
        });
        open + 1
    }

    /// `impl Type { … }` and `impl Trait for Type { … }`
    pub(super) fn implementation(&mut self, head: &Head) -> usize {
        let view = self.view;
        let start = view.after_generics(head.keyword + 1, head.end);
        let start = start + usize::from(view.is(start, b"const"));
        let open = view.find(start, head.end, b"{;");
        if !view.sign(open, b'{') {
            return open + 1;
        }
        let clause = find_word(view, start..open, b"where");
        let split = find_word(view, start..clause, b"for");
        let test_only = self.attributes.test_only(view);
        let hidden = self.attributes.hidden(view);
        let public = self.scope().public && !test_only && !hidden;
        let conditions = self.attributes.signature(view);
        let self_type = if split < clause {
            split + 1..clause
        } else {
            start..clause
        };
        let (type_name, key_name, plain) = type_name(view, self_type);
        let close = view.mate(open);
        let mut implementation = Implementation {
            units: self.out.units.len()..usize::MAX,
            module: self.scope().module.clone(),
            type_name,
            plain,
            trait_name: None,
        };
        self.spend(implementation.module.len());
        let mut name = key_name;
        let mut around = Around::Inherent;
        if split < clause {
            around = Around::TraitImpl;
            let negative = view.sign(start, b'!');
            let (trait_name, shown) = trait_name(view, start + usize::from(negative)..split);
            name = format!("{}{shown} for {name}", if negative { "!" } else { "" });
            let mut sequence = Sequence::default();
            // Generics and bounds do not count: a derived impl has none, and is the same as a written one.
            if view.is(head.modifiers, b"unsafe") {
                mark(&mut sequence, "unsafe");
            }
            let mut draft = Draft::new("impl", name.clone(), view.bytes(&(head.first..close + 1)));
            let plain_signature = hash::join(&[]);
            draft.unit.signature = if sequence.count() == 0 && conditions == 0 {
                plain_signature
            } else {
                hash::join(&[sequence.finish(), conditions])
            };
            draft.public = public;
            draft.unit.text = self.text(head, open);
            draft.unit.body = Some(self.body(open, None));
            draft.unit.member_of = Some(implementation.type_name.clone());
            implementation.trait_name = Some(trait_name);
            self.push(draft);
        }
        let index = self.implementations.len();
        self.implementations.push(implementation);
        self.doctests(head, "impl", &name);
        self.enter(open, around, |scope| {
            scope.public = public;
            scope.test_only |= test_only;
            scope.signature = conditions;
            scope.implementation = Some(index);
            scope.chain.push(Segment { kind: "impl", name });
        });
        open + 1
    }

    /// Narrows what was implemented for types or by traits that are not public, now that all are known.
    pub(super) fn narrow_implementations(&mut self) {
        if self.implementations.is_empty() {
            return;
        }
        let known = KnownTypes::of(self);
        // Impls can be nested: counting where narrow ranges begin and end keeps this linear.
        let mut depth = vec![0_i32; self.out.units.len() + 1];
        for implementation in &self.implementations {
            let module = implementation.module.as_str();
            let of_type = known.public(&implementation.type_name, false, module, implementation.plain);
            let keep = match &implementation.trait_name {
                // A type of another file may be public: its inherent members speak for themselves.
                None => of_type != Some(false),
                Some(name) => of_type == Some(true) && known.public(name, true, module, true) != Some(false),
            };
            if !keep {
                let units = &implementation.units;
                depth[units.start.min(self.out.units.len())] += 1;
                depth[units.end.min(self.out.units.len())] -= 1;
            }
        }
        let mut narrow = 0;
        for (unit, change) in self.out.units.iter_mut().zip(depth) {
            narrow += change;
            if narrow > 0 {
                unit.visibility = Visibility::Narrow;
            }
        }
    }
}

/// Which types and traits a file declares, and whether they are public there.
struct KnownTypes<'u> {
    in_module: HashMap<(&'u str, bool, &'u str), bool>,
    anywhere: HashMap<(&'u str, bool), bool>,
}

impl<'u> KnownTypes<'u> {
    fn of(walk: &'u Walk<'_, '_>) -> Self {
        let mut known = Self {
            in_module: HashMap::new(),
            anywhere: HashMap::new(),
        };
        for unit in &walk.out.units {
            let is_trait = unit.segment.kind == "trait";
            if unit.chain.is_empty()
                && (is_trait || matches!(unit.segment.kind, "struct" | "enum" | "union" | "type"))
            {
                let public = unit.visibility == Visibility::Public;
                let name = unit.segment.name.as_str();
                *known
                    .in_module
                    .entry((name, is_trait, unit.module.as_str()))
                    .or_default() |= public;
                *known.anywhere.entry((name, is_trait)).or_default() |= public;
            }
        }
        known
    }

    /// Whether a name is public: of the same module if it stands there, else of any module of the file.
    fn public(&self, name: &'u str, is_trait: bool, module: &'u str, plain: bool) -> Option<bool> {
        let near = plain
            .then(|| self.in_module.get(&(name, is_trait, module)))
            .flatten();
        near.or_else(|| self.anywhere.get(&(name, is_trait))).copied()
    }
}

/// The first such word outside of groups and angle brackets; the end of the range when there is none.
fn find_word(view: &View<'_>, range: Range<usize>, word: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = range.start;
    while at < range.end {
        if view.sign(at, b'<') {
            depth += 1;
        } else if view.sign(at, b'>') && !view.arrow_ends(at) {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && view.is(at, word) {
            // `for<'a>` belongs to a bound or a function type.
            if !(word == b"for" && view.sign(at + 1, b'<') && !follows_path(view, at)) {
                return at;
            }
        }
        at = view.next(at);
    }
    range.end
}

/// Whether a trait may end in front of this token, as in `impl From<A> for <B as C>::D`.
fn follows_path(view: &View<'_>, at: usize) -> bool {
    at > 0
        && (view.word(at - 1) || view.closes(at - 1) || (view.sign(at - 1, b'>') && !view.arrow_ends(at - 1)))
        && !view.is(at - 1, b"impl")
        && !view.is(at - 1, b"dyn")
}

/// The name of a trait without its path, and the same with its arguments.
fn trait_name(view: &View<'_>, range: Range<usize>) -> (String, String) {
    let mut last = range.start;
    let mut at = range.start;
    while at < range.end {
        if view.word(at) {
            last = at;
        } else if view.sign(at, b'<') {
            let after = view.after_generics(at, range.end);
            if !view.path_sign(after) {
                break;
            }
            at = after;
            continue;
        } else if view.is_open(at) {
            break;
        }
        at += 1;
    }
    (view.name(last), rendered(view, last..range.end))
}

/// The name of a type without path, the same as it stands in a key, and whether it was written without path.
fn type_name(view: &View<'_>, range: Range<usize>) -> (String, String, bool) {
    let mut at = range.start;
    let mut references = String::new();
    loop {
        if view.sign(at, b'&') {
            references.push('&');
        } else if view.is(at, b"mut") && !references.is_empty() {
            references.push_str("mut ");
        } else if view.is(at, b"dyn") {
            references.push_str("dyn ");
        } else if view.kind(at) != Some(Kind::Lifetime) {
            break;
        }
        at += 1;
    }
    let start = at;
    if view.path_sign(at) {
        at += 2;
    }
    let mut last = None;
    while at < range.end && view.word(at) {
        last = Some(at);
        at += 1;
        let generics = view.after_generics(at, range.end);
        at = if view.path_sign(generics) {
            generics + 2
        } else {
            generics
        };
    }
    match last {
        // More behind it: a sum of traits, a macro call.
        Some(last) if at >= range.end || references.ends_with("dyn ") => {
            let name = view.name(last);
            let key = format!("{references}{name}");
            (name, key, last == start)
        }
        _ => {
            let text = rendered(view, start..range.end);
            (text.clone(), format!("{references}{text}"), false)
        }
    }
}

/// Tokens as a type is usually written.
fn rendered(view: &View<'_>, range: Range<usize>) -> String {
    let mut text = String::new();
    let mut glued = true;
    for at in range.clone() {
        if view.idle_comma(at, range.end) {
            continue;
        }
        let wordy = !matches!(view.kind(at), Some(Kind::Punct | Kind::Open | Kind::Close));
        let arrow = view.sign(at, b'-') || view.sign(at, b'+') || view.sign(at, b'=');
        let before = at > range.start && !matches!(view.kind(at - 1), Some(Kind::Punct | Kind::Open));
        if !glued && ((wordy && before) || arrow) && !text.ends_with(' ') {
            text.push(' ');
        }
        push_bytes(&mut text, view.text(at));
        glued = false;
        let sign = view.sign(at, b',')
            || view.sign(at, b'+')
            || view.sign(at, b'=')
            || view.sign(at, b';')
            || (view.sign(at, b'>') && view.arrow_ends(at));
        if sign && !(view.sign(at, b'=') && view.sign(at + 1, b'>')) {
            text.push(' ');
            glued = true;
        }
        if text.len() > MAX_NAME {
            cut(&mut text, MAX_NAME);
            break;
        }
    }
    text.truncate(text.trim_end().len());
    text
}
