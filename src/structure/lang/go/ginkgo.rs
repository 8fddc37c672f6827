//! Specs of ginkgo: `Describe`, `Context` and `When` around `It`, `Specify` and `Entry`.

use std::ops::Range;

use crate::structure::outline::{Mark, Role, Segment};

use super::items::{Walk, new_unit};
use super::subtests::function_literal;
use super::titles;
use super::view::View;

/// Containers of specs.
const SUITES: [&[u8]; 5] = [
    b"Describe",
    b"Context",
    b"When",
    b"DescribeTable",
    b"DescribeTableSubtree",
];

/// Specs.
const TESTS: [&[u8]; 3] = [b"It", b"Specify", b"Entry"];

/// How a node is marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prefix {
    Plain,
    Pending,
    Focused,
}

/// One call that declares a container or a spec.
struct Node {
    suite: bool,
    prefix: Prefix,
    open: usize,
}

impl Node {
    fn at(view: &View<'_>, at: usize) -> Option<Self> {
        if !view.sign(at + 1, b'(') || (at > 0 && view.is(at - 1, b"func")) {
            return None;
        }
        // A method of something else has such a name by chance.
        if at > 0 && view.sign(at - 1, b'.') && !(at > 1 && view.is(at - 2, b"ginkgo")) {
            return None;
        }
        let word = view.text(at);
        let named = |word: &[u8], prefix| {
            let suite = SUITES.contains(&word);
            (suite || TESTS.contains(&word)).then_some(Self {
                suite,
                prefix,
                open: at + 1,
            })
        };
        named(word, Prefix::Plain).or_else(|| {
            let (first, rest) = word.split_first()?;
            match first {
                b'P' | b'X' => named(rest, Prefix::Pending),
                b'F' => named(rest, Prefix::Focused),
                _ => None,
            }
        })
    }
}

/// A container that is open.
struct Around {
    end: usize,
    /// How many marks of each kind it brought.
    disabled: usize,
    focused: usize,
}

impl Walk<'_, '_> {
    /// Takes the specs in a range of tokens.
    pub(super) fn specs(&mut self, range: Range<usize>) {
        let view = self.view;
        let mut chain: Vec<Segment> = Vec::new();
        let mut around: Vec<Around> = Vec::new();
        let (mut disabled, mut focused): (Vec<Mark>, Vec<Mark>) = (Vec::new(), Vec::new());
        for at in range {
            while let Some(left) = around.pop_if(|around| around.end <= at) {
                chain.pop();
                disabled.truncate(disabled.len() - left.disabled);
                focused.truncate(focused.len() - left.focused);
            }
            let Some(node) = view.word(at).then(|| Node::at(view, at)).flatten() else {
                continue;
            };
            if self.exhausted() {
                return;
            }
            let close = view.mate(node.open);
            let arguments = view.parts(node.open + 1..close);
            let Some(title) = arguments.first().cloned() else {
                continue;
            };
            let (kind, role) = if node.suite {
                ("suite", Role::Suite)
            } else {
                ("test", Role::Test)
            };
            let mut unit = new_unit(kind, titles::of(view, title), view.bytes(&(at..close + 1)));
            unit.role = role;
            unit.chain.clone_from(&chain);
            let literal = arguments
                .iter()
                .rev()
                .find_map(|argument| function_literal(view, argument.start));
            let text_end = literal.map_or(close + 1, |(_, body)| body);
            unit.text = view.shown(at..text_end);
            let is_entry = view.text(at).ends_with(b"Entry");
            unit.body = match literal {
                Some((_, body)) if !is_entry => Some(view.body(body, None)),
                _ => arguments.get(1).map(|first| self.loose_body(first.start..close)),
            };
            let says = |word: &[u8]| {
                let mut arguments = arguments.iter();
                arguments.any(|argument| view.is(argument.end - 1, word) && argument.len() <= 3)
            };
            let mark = Mark {
                line: view.line(at),
                text: unit.text.clone(),
                specific: false,
                inherited_from: None,
            };
            let nothing_to_run = !node.suite && !is_entry && arguments.len() < 2;
            let own_disabled = node.prefix == Prefix::Pending || says(b"Pending") || nothing_to_run;
            let own_focused = node.prefix == Prefix::Focused || says(b"Focus");
            unit.marks.disabled.clone_from(&disabled);
            unit.marks.focused.clone_from(&focused);
            if own_disabled {
                unit.marks.disabled.insert(0, mark.clone());
            }
            if own_focused {
                unit.marks.focused.insert(0, mark.clone());
            }
            let segment = unit.segment.clone();
            self.push(unit, false);
            if !node.suite {
                continue;
            }
            let inherited = Mark {
                inherited_from: Some(format!("suite {}", segment.name)),
                ..mark
            };
            disabled.extend(own_disabled.then(|| inherited.clone()));
            focused.extend(own_focused.then_some(inherited));
            chain.push(segment);
            around.push(Around {
                end: close,
                disabled: usize::from(own_disabled),
                focused: usize::from(own_focused),
            });
        }
    }
}
