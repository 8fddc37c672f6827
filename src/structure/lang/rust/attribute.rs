//! Attributes of an item: what they say about tests, visibility and the signature.

use std::ops::Range;

use crate::structure::lexer::hash;
use crate::structure::outline::{Mark, Marks};

use super::view::View;

/// Last path segments that make a function a test.
const TESTS: [&[u8]; 6] = [
    b"test",
    b"rstest",
    b"test_case",
    b"quickcheck",
    b"wasm_bindgen_test",
    b"bench",
];

/// Attributes whose whole text belongs to a signature.
const SIGNATURE: [&[u8]; 9] = [
    b"non_exhaustive",
    b"repr",
    b"target_feature",
    b"no_mangle",
    b"export_name",
    b"cfg",
    b"proc_macro",
    b"proc_macro_derive",
    b"proc_macro_attribute",
];

/// Attributes that belong to a signature by their presence alone: their arguments are messages.
const SIGNATURE_NAME: [&[u8]; 2] = [b"must_use", b"deprecated"];

/// One attribute, or one that a `cfg_attr` adds.
#[derive(Debug, Clone)]
pub(super) struct Attribute {
    /// The whole attribute, from `#` to `]`.
    pub(super) whole: Range<usize>,
    /// From the first segment of its path to its last argument.
    pub(super) inside: Range<usize>,
    /// The first segment of its path.
    pub(super) first: usize,
    /// The last segment of its path.
    pub(super) name: usize,
    /// Added by a `cfg_attr`.
    pub(super) conditional: bool,
}

/// The outer attributes of one item.
#[derive(Debug, Clone, Default)]
pub(super) struct Attributes {
    list: Vec<Attribute>,
}

impl Attributes {
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Reads all attributes that stand here, and returns where they end.
    pub(super) fn read(&mut self, view: &View<'_>, mut at: usize, end: usize) -> usize {
        while at < end && view.sign(at, b'#') {
            let open = if view.sign(at + 1, b'!') { at + 2 } else { at + 1 };
            if !view.sign(open, b'[') {
                break;
            }
            let close = view.mate(open);
            self.add(view, at..close + 1, open + 1..close, false);
            at = close + 1;
        }
        at
    }

    /// Adds one attribute; those inside `cfg_attr(…)` and `unsafe(…)` one by one.
    fn add(&mut self, view: &View<'_>, whole: Range<usize>, inside: Range<usize>, conditional: bool) {
        // Wrappers can be nested as deep as delimiters; a list of work keeps that off the stack.
        let mut work = vec![(inside, conditional)];
        while let Some((inside, conditional)) = work.pop() {
            let mut name = inside.start;
            while view.path_sign(name + 1) && view.word(name + 3) && name + 3 < inside.end {
                name += 3;
            }
            let group = name + 1;
            if inside.start >= inside.end {
                continue;
            }
            if view.is(name, b"unsafe") && view.sign(group, b'(') {
                work.push((group + 1..view.mate(group), conditional));
            } else if view.is(name, b"cfg_attr") && view.sign(group, b'(') {
                let close = view.mate(group);
                let mut at = view.find_flat(group + 1, close, b",") + 1;
                while at < close {
                    let comma = view.find_flat(at, close, b",");
                    work.push((at..comma, true));
                    at = comma + 1;
                }
            } else {
                self.list.push(Attribute {
                    whole: whole.clone(),
                    first: inside.start,
                    name,
                    inside,
                    conditional,
                });
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Attribute> {
        self.list.iter()
    }

    /// The attributes of one name.
    pub(super) fn named<'s>(
        &'s self,
        view: &'s View<'_>,
        name: &'s [u8],
    ) -> impl Iterator<Item = &'s Attribute> {
        self.list
            .iter()
            .filter(move |attribute| view.is(attribute.name, name))
    }

    pub(super) fn has(&self, view: &View<'_>, name: &[u8]) -> bool {
        self.named(view, name).next().is_some()
    }

    /// Makes the function below a test.
    pub(super) fn is_test(&self, view: &View<'_>) -> bool {
        self.list.iter().any(|attribute| is_test(view, attribute))
    }

    /// Compiled for tests only.
    pub(super) fn test_only(&self, view: &View<'_>) -> bool {
        self.named(view, b"cfg")
            .any(|attribute| !attribute.conditional && needs_test(view, attribute.arguments(view)))
    }

    /// Hidden from the documentation.
    pub(super) fn hidden(&self, view: &View<'_>) -> bool {
        self.named(view, b"doc").any(|attribute| {
            !attribute.conditional && attribute.arguments(view).any(|at| view.is(at, b"hidden"))
        })
    }

    /// What the attributes add to a signature, in any order.
    pub(super) fn signature(&self, view: &View<'_>) -> u64 {
        let mut sum = 0_u64;
        for attribute in &self.list {
            let name = view.text(attribute.name);
            let hash = if SIGNATURE.contains(&name) {
                if name == b"cfg" && is_cfg_test(view, attribute) {
                    continue;
                }
                view.hash_range(attribute.inside.clone(), None).plain
            } else if SIGNATURE_NAME.contains(&name) {
                view.hash(attribute.name)
            } else {
                continue;
            };
            let conditional = u64::from(attribute.conditional);
            sum = sum.wrapping_add(hash::join(&[hash, conditional]));
        }
        sum
    }

    /// The attributes that belong to a signature, as text in front of a declaration.
    pub(super) fn shown(&self, view: &View<'_>) -> String {
        let mut text = String::new();
        let mut last = usize::MAX;
        for attribute in &self.list {
            let name = view.text(attribute.name);
            let counts = (SIGNATURE.contains(&name) && !(name == b"cfg" && is_cfg_test(view, attribute)))
                || SIGNATURE_NAME.contains(&name);
            if counts && attribute.whole.start != last {
                last = attribute.whole.start;
                text.push_str(&view.shown(attribute.whole.clone()));
                text.push(' ');
            }
        }
        text
    }

    /// Conditions other than being a test build.
    pub(super) fn conditions(&self, view: &View<'_>) -> Vec<Mark> {
        self.named(view, b"cfg")
            .filter(|attribute| !is_cfg_test(view, attribute))
            .map(|attribute| attribute.mark(view))
            .collect()
    }

    /// All marks of a test.
    pub(super) fn marks(&self, view: &View<'_>) -> Marks {
        let mut marks = Marks {
            conditional: self.conditions(view),
            ..Marks::default()
        };
        for attribute in &self.list {
            match view.text(attribute.name) {
                b"ignore" => marks.disabled.push(attribute.mark(view)),
                b"should_panic" => {
                    let mut mark = attribute.mark(view);
                    mark.specific = attribute.inside.len() > 1;
                    marks.expected_fail.push(mark);
                }
                _ => {}
            }
        }
        marks.rows = self.rows(view);
        marks
    }

    /// One hash for each `#[case(…)]` and `#[test_case(…)]`.
    fn rows(&self, view: &View<'_>) -> Option<Vec<u64>> {
        let mut rows = Vec::new();
        let mut table = false;
        for attribute in &self.list {
            let row = view.is(attribute.first, b"case") || view.is(attribute.name, b"test_case");
            table |= row || view.is(attribute.name, b"rstest");
            if row && !attribute.arguments(view).is_empty() {
                rows.push(view.hash_range(attribute.arguments(view), None).plain);
            }
        }
        table.then_some(rows)
    }
}

impl Attribute {
    /// The tokens inside its parentheses, or behind its `=`.
    pub(super) fn arguments(&self, view: &View<'_>) -> Range<usize> {
        let at = self.name + 1;
        if at < self.inside.end && view.is_open(at) {
            at + 1..view.mate(at)
        } else if at < self.inside.end && view.sign(at, b'=') {
            at + 1..self.inside.end
        } else {
            self.inside.end..self.inside.end
        }
    }

    fn mark(&self, view: &View<'_>) -> Mark {
        Mark {
            line: view.line(self.whole.start),
            text: view.shown(self.whole.clone()),
            specific: false,
            inherited_from: None,
        }
    }
}

/// Whether an attribute makes a function a test.
pub(super) fn is_test(view: &View<'_>, attribute: &Attribute) -> bool {
    TESTS.contains(&view.text(attribute.name))
}

/// Whether an attribute is exactly `cfg(test)`.
fn is_cfg_test(view: &View<'_>, attribute: &Attribute) -> bool {
    let arguments = attribute.arguments(view);
    !attribute.conditional && arguments.len() == 1 && view.is(arguments.start, b"test")
}

/// Whether a `cfg` predicate holds in test builds only.
fn needs_test(view: &View<'_>, predicate: Range<usize>) -> bool {
    // Looks into `all(…)` only: that is how test modules are written.
    let mut work = vec![predicate];
    while let Some(range) = work.pop() {
        if range.len() == 1 && view.is(range.start, b"test") {
            return true;
        }
        if view.is(range.start, b"all") && view.sign(range.start + 1, b'(') {
            let close = view.mate(range.start + 1);
            let mut at = range.start + 2;
            while at < close {
                let comma = view.find_flat(at, close, b",");
                work.push(at..comma);
                at = comma + 1;
            }
        }
    }
    false
}
