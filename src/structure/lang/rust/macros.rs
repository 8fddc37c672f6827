//! Macros: exported definitions, calls that make tests, and tests inside of a call's braces.

use std::collections::BTreeSet;

use crate::structure::lexer::hash::{PLACEHOLDER, Sequence};
use crate::structure::outline::Role;

use super::attribute::{Attributes, is_test};
use super::items::{Around, Draft, Head, Walk, visibility};
use super::signature::push;

impl<'a> Walk<'_, 'a> {
    /// Finds the macros of this file that put a test attribute on `fn $name`.
    pub(super) fn find_makers(&mut self) {
        let view = self.view;
        if memchr::memmem::find(view.source, b"macro_rules").is_none() {
            return;
        }
        let mut makers: BTreeSet<&'a [u8]> = BTreeSet::new();
        let mut at = 0;
        while at < view.len() {
            let open = at + 3;
            if view.is(at, b"macro_rules")
                && view.sign(at + 1, b'!')
                && view.word(at + 2)
                && view.is_open(open)
            {
                let close = view.mate(open);
                if self.makes_tests(open + 1, close) {
                    makers.insert(view.text(at + 2));
                }
                at = close;
            }
            at += 1;
        }
        self.makers = makers;
    }

    /// Whether a test attribute stands on a function whose name is a macro variable.
    fn makes_tests(&self, mut at: usize, close: usize) -> bool {
        let view = self.view;
        let mut attributes = Attributes::default();
        let mut test = false;
        while at < close {
            if view.sign(at, b'#') && view.sign(at + 1, b'[') {
                attributes.clear();
                let next = attributes.read(view, at, at + 1);
                test |= attributes.iter().any(|attribute| is_test(view, attribute));
                at = next.max(at + 1);
                continue;
            }
            if view.is(at, b"fn") {
                if test && view.sign(at + 1, b'$') {
                    return true;
                }
                test = false;
            }
            at += 1;
        }
        false
    }

    /// `macro_rules! name { … }`
    pub(super) fn macro_rules(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 2;
        let open = name_at + 1;
        if !view.word(name_at) || !view.is_open(open) {
            return name_at;
        }
        let close = view.mate(open);
        let exported = self.attributes.has(view, b"macro_export");
        let mut sequence = Sequence::default();
        let mut at = open + 1;
        while at < close {
            let arrow = view.find_flat(at, close, b"=");
            self.push_matcher(&mut sequence, at, arrow);
            at = view.find_flat(arrow, close, b";") + 1;
        }
        let name = view.name(name_at);
        let mut draft = Draft::new("macro", name.clone(), view.bytes(&(head.first..close + 1)));
        draft.unit.signature = self.signature(sequence.finish());
        draft.unit.text = self.text(head, open);
        draft.unit.body = Some(self.body(open, Some(name_at)));
        let scope = self.scope();
        draft.public = exported
            && self.place.library
            && !scope.test_only
            && !self.attributes.hidden(view)
            && !self.attributes.test_only(view);
        if exported && self.place.library {
            // An exported macro stands at the top of its crate, wherever it is written.
            draft.module = Some(self.place.root.clone());
        }
        let module = draft.module.clone();
        self.push(draft);
        self.doctests_in(head, module.as_deref(), "macro", &name);
        close + 1
    }

    /// A matcher, without the names of its variables: a caller cannot use them.
    fn push_matcher(&self, sequence: &mut Sequence, start: usize, end: usize) {
        let view = self.view;
        let mut at = start;
        while at < end {
            let variable = view.sign(at, b'$') && view.word(at + 1) && view.sign(at + 2, b':');
            if variable {
                sequence.push(PLACEHOLDER);
                at += 2;
            } else {
                // Each comma of a matcher has to be written by its callers.
                sequence.push(view.hash(at));
                at += 1;
            }
        }
    }

    /// `macro name(…) { … }`
    pub(super) fn macro_item(&mut self, head: &Head) -> usize {
        let view = self.view;
        let name_at = head.keyword + 1;
        let open = view.find(name_at + 1, head.end, b"{;");
        if !view.sign(open, b'{') {
            return name_at;
        }
        let close = view.mate(open);
        let name = view.name(name_at);
        let mut sequence = Sequence::default();
        push(&mut sequence, view, name_at + 1..open);
        let mut draft = Draft::new("macro", name.clone(), view.bytes(&(head.first..close + 1)));
        draft.unit.signature = self.signature(sequence.finish());
        draft.unit.text = self.text(head, open);
        draft.unit.body = Some(self.body(open, Some(name_at)));
        draft.public = self.public(head.marked);
        self.push(draft);
        close + 1
    }

    /// `path::name! { … }` in the place of an item.
    pub(super) fn macro_call(&mut self, head: &Head) -> usize {
        let view = self.view;
        let mut last = head.keyword;
        while view.path_sign(last + 1) && view.word(last + 3) {
            last += 3;
        }
        let open = last + 2;
        if !view.sign(last + 1, b'!') || !view.is_open(open) {
            return view.next(head.keyword);
        }
        let close = view.mate(open);
        let before = self.out.units.len();
        let makes = self.makers.contains(view.text(last));
        let end = if view.sign(close + 1, b';') {
            close + 2
        } else {
            close + 1
        };
        self.enter(open, Around::Macro, |_| {});
        let tests = self.macro_braces(open + 1, close);
        self.scopes.pop();
        if !tests && makes {
            self.out.units.truncate(before);
            self.made_test(head, open);
        }
        end
    }

    /// A test that a macro of this file makes, named by the first identifier of the call.
    fn made_test(&mut self, head: &Head, open: usize) {
        let view = self.view;
        let close = view.mate(open);
        // Attributes may be passed along in front of the name.
        let mut name_at = open + 1;
        let mut attributes = Attributes::default();
        name_at = attributes.read(view, name_at, close);
        while name_at < close && !view.word(name_at) {
            name_at += 1;
        }
        if name_at >= close {
            return;
        }
        let name = view.name(name_at);
        let mut draft = Draft::new("test", name, view.bytes(&(head.first..close + 1)));
        draft.unit.role = Role::Test;
        draft.unit.text = self.text(head, close + 1);
        draft.unit.body = Some(self.body(open, Some(name_at)));
        draft.unit.marks = self.attributes.marks(view);
        let passed = attributes.marks(view);
        draft.unit.marks.disabled.extend(passed.disabled);
        draft.unit.marks.expected_fail.extend(passed.expected_fail);
        draft.unit.marks.conditional.extend(passed.conditional);
        let inherited = self.scope().conditions.clone();
        draft.unit.marks.conditional.extend(inherited);
        self.push(draft);
    }

    /// Takes the functions inside of a macro call, and says whether a test was among them.
    fn macro_braces(&mut self, start: usize, end: usize) -> bool {
        let view = self.view;
        let mut tests = false;
        // Ends of the inline modules that are open, with the scopes that were entered for them.
        let mut ends = vec![end];
        let mut first = start;
        let mut at = start;
        self.attributes.clear();
        while at < end && self.fault.is_none() {
            if ends.last() == Some(&at) {
                ends.pop();
                self.scopes.pop();
            }
            if view.sign(at, b'#') && view.sign(at + 1, b'[') {
                if self.attributes.is_empty() {
                    first = at;
                }
                at = self.attributes.read(view, at, end);
                continue;
            }
            if self.attributes.is_empty() {
                first = at;
            }
            let (marked, keyword) = visibility(view, at);
            let head = Head {
                first,
                begin: at,
                modifiers: keyword,
                keyword,
                marked,
                end: ends.last().copied().unwrap_or(end),
            };
            if view.is(keyword, b"fn") && view.word(keyword + 1) {
                let before = self.out.units.len();
                let next = self.function(&head);
                tests |= self.out.units[before..]
                    .iter()
                    .any(|unit| unit.role == Role::Test);
                at = next.max(at + 1);
                self.attributes.clear();
            } else if view.is(keyword, b"mod") && view.word(keyword + 1) {
                let depth = self.scopes.len();
                at = self.module(&head).max(at + 1);
                if self.scopes.len() > depth {
                    let scope = self.scopes.last_mut().expect("a module was just entered");
                    scope.around = Around::Macro;
                    ends.push(scope.end);
                } else {
                    // What a macro links in may well be public; reach must not end here.
                    self.widen_last_submodule(marked);
                }
                self.attributes.clear();
            } else if view.is(keyword, b"use") && view.word(keyword + 1) {
                at = self.import(&head).max(at + 1);
                self.attributes.clear();
            } else {
                let modifier = matches!(view.text(keyword), b"async" | b"unsafe" | b"const" | b"extern");
                if !modifier && keyword == at {
                    self.attributes.clear();
                }
                at = keyword.max(at + 1);
            }
        }
        while ends.len() > 1 {
            ends.pop();
            self.scopes.pop();
        }
        tests
    }

    fn widen_last_submodule(&mut self, marked: bool) {
        let public = marked && self.scope().public;
        if let Some(last) = self.out.submodules.last_mut().filter(|_| public) {
            last.visibility = crate::structure::outline::Visibility::Public;
        }
    }
}
