//! Examples in doc comments: each Rust code fence is a test.

use std::ops::Range;

use crate::structure::lexer::hash::{self, Sequence};
use crate::structure::lexer::lines::folded;
use crate::structure::outline::{Body, Mark, Marks, Role, Segment};

use super::items::{Draft, Head, Walk};
use super::view::View;

/// One line of documentation.
struct DocLine {
    /// Its bytes without the comment signs.
    bytes: Range<usize>,
}

/// A code fence that opens.
struct Fence {
    sign: u8,
    length: usize,
    info: Range<usize>,
}

/// What the words behind a fence say.
#[derive(Default)]
struct Info {
    rust: bool,
    disabled: bool,
    expected_fail: bool,
}

impl Walk<'_, '_> {
    /// The examples of an item.
    pub(super) fn doctests(&mut self, head: &Head, kind: &'static str, name: &str) {
        self.doctests_in(head, None, kind, name);
    }

    /// The examples of an item that stands in another module than its scope.
    pub(super) fn doctests_in(&mut self, head: &Head, module: Option<&str>, kind: &'static str, name: &str) {
        let lines = self.doc_lines(head.first, head.begin, false);
        if !lines.is_empty() {
            let owner = Segment {
                kind,
                name: name.to_owned(),
            };
            self.examples(&lines, &[owner], module);
        }
    }

    /// The examples of a field or variant.
    pub(super) fn doctests_below(&mut self, head: &Head, owners: &[Segment], kind: &'static str, name: &str) {
        let lines = self.doc_lines(head.first, head.begin, false);
        if !lines.is_empty() {
            let mut below = owners.to_vec();
            below.push(Segment {
                kind,
                name: name.to_owned(),
            });
            self.examples(&lines, &below, None);
        }
    }

    /// The examples in the inner documentation of the module whose first tokens these are.
    pub(super) fn module_doctests(&mut self, first: usize, last: usize) {
        let lines = self.doc_lines(first, last, true);
        if lines.is_empty() {
            return;
        }
        // The documentation of an inline module belongs to its item, which stands one level up.
        let inline = self.scopes.len() > 1;
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        if !inline {
            self.examples(&lines, &[], None);
            return;
        }
        let full = scope.module.clone();
        let (parent, name) = full.rsplit_once("::").unwrap_or(("", &full));
        let owner = Segment {
            kind: "mod",
            name: name.to_owned(),
        };
        self.examples(&lines, &[owner], Some(parent));
    }

    /// The documentation lines in front of some tokens, when they hold a fence at all.
    fn doc_lines(&self, first: usize, last: usize, inner: bool) -> Vec<DocLine> {
        let view = self.view;
        let scope = self.scope();
        if self.names_only || scope.test_only || !(self.place.library || self.place.module.contains("crate"))
        {
            return Vec::new();
        }
        let mut fenced = false;
        let mut lines = Vec::new();
        for doc in view.docs(first, last, inner) {
            let (start, end) = (doc.start as usize, doc.end as usize);
            let text = &view.source[start..end];
            fenced = fenced || may_fence(text);
            if text.starts_with(b"//") {
                lines.push(DocLine {
                    bytes: start + 3..end,
                });
            } else {
                block_lines(view.source, start + 3..end - 2, &mut lines);
            }
        }
        if fenced && !self.attributes.test_only(view) {
            lines
        } else {
            Vec::new()
        }
    }

    /// Adds a test for each Rust fence.
    fn examples(&mut self, lines: &[DocLine], owners: &[Segment], module: Option<&str>) {
        let view = self.view;
        let mut number = 0_usize;
        let mut at = 0;
        while at < lines.len() && self.fault.is_none() {
            let Some(fence) = opening(view.source, &lines[at]) else {
                at += 1;
                continue;
            };
            let start = at + 1;
            let mut end = start;
            while end < lines.len() && !closing(view.source, &lines[end], &fence) {
                end += 1;
            }
            let info = info(&view.source[fence.info.clone()]);
            if info.rust {
                number += 1;
                self.example(&lines[at..end], &info, number, (owners, module));
            }
            at = end + 1;
        }
    }

    fn example(
        &mut self,
        lines: &[DocLine],
        info: &Info,
        number: usize,
        (owners, module): (&[Segment], Option<&str>),
    ) {
        let view = self.view;
        let first = &lines[0].bytes;
        let last = lines.last().map_or(first.end, |line| line.bytes.end);
        let code = first.end..last.max(first.end);
        let mut draft = Draft::new(
            "doctest",
            number.to_string(),
            first.start..code.end.max(first.start + 1),
        );
        draft.unit.role = Role::Test;
        draft.unit.text = folded(&view.source[first.clone()]);
        draft.unit.body = Some(example_body(view.source, &lines[1..], code));
        let mark = Mark {
            line: view.lines().line(first.start),
            text: draft.unit.text.clone(),
            specific: false,
            inherited_from: None,
        };
        draft.unit.marks = Marks {
            disabled: if info.disabled {
                vec![mark.clone()]
            } else {
                Vec::new()
            },
            expected_fail: if info.expected_fail {
                vec![mark]
            } else {
                Vec::new()
            },
            conditional: Vec::new(),
            focused: Vec::new(),
            rows: None,
        };
        draft.module = module.map(str::to_owned);
        draft.below = owners.to_vec();
        self.push(draft);
    }
}

/// Whether a text holds three backquotes or tildes in a row.
fn may_fence(text: &[u8]) -> bool {
    memchr::memchr2_iter(b'`', b'~', text).any(|at| {
        let sign = text[at];
        text.get(at + 1..at + 3) == Some(&[sign, sign])
    })
}

/// The lines of a block comment, without the stars that usually begin them.
fn block_lines(source: &[u8], range: Range<usize>, lines: &mut Vec<DocLine>) {
    let mut start = range.start;
    while start < range.end {
        let end = memchr::memchr(b'\n', &source[start..range.end]).map_or(range.end, |found| start + found);
        let blank = source[start..end]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let text = if source.get(start + blank) == Some(&b'*') && start + blank < end {
            start + blank + 1
        } else {
            start
        };
        lines.push(DocLine { bytes: text..end });
        start = end + 1;
    }
}

/// Whether a fence opens in this line.
fn opening(source: &[u8], line: &DocLine) -> Option<Fence> {
    let text = &source[line.bytes.clone()];
    let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let sign = *text.get(blank)?;
    if sign != b'`' && sign != b'~' {
        return None;
    }
    let length = text[blank..].iter().take_while(|byte| **byte == sign).count();
    let info = line.bytes.start + blank + length..line.bytes.end;
    let inline = sign == b'`' && source[info.clone()].contains(&b'`');
    (length >= 3 && !inline).then_some(Fence { sign, length, info })
}

fn closing(source: &[u8], line: &DocLine, fence: &Fence) -> bool {
    let text = source[line.bytes.clone()].trim_ascii();
    text.len() >= fence.length && text.iter().all(|byte| *byte == fence.sign)
}

/// Reads the words behind a fence as rustdoc does: an unknown word makes it no Rust.
fn info(words: &[u8]) -> Info {
    let mut info = Info::default();
    let (mut rust, mut other) = (false, false);
    let words = words
        .split(|byte| byte.is_ascii_whitespace() || *byte == b',')
        .filter(|word| !word.is_empty());
    for word in words {
        match word {
            b"rust" => rust = true,
            b"ignore" | b"no_run" => {
                info.disabled = true;
                rust |= !other;
            }
            b"should_panic" | b"compile_fail" => {
                info.expected_fail = true;
                rust |= !other;
            }
            b"test_harness" | b"standalone" | b"standalone_crate" => rust |= !other,
            _ if word.starts_with(b"ignore-") => {
                info.disabled = true;
                rust |= !other;
            }
            _ if word.starts_with(b"edition") || is_error_code(word) => rust |= !other,
            _ => other = true,
        }
    }
    info.rust = rust || !other;
    info
}

fn is_error_code(word: &[u8]) -> bool {
    matches!(word, [b'E', digits @ ..] if digits.len() == 4 && digits.iter().all(u8::is_ascii_digit))
}

/// The code of an example with everything that is no code as blanks, so that offsets stay true.
pub(super) fn example_code(source: &[u8], code: Range<usize>) -> Vec<u8> {
    let mut text = source[code.clone()].to_vec();
    let mut start = 0;
    while start < text.len() {
        let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |found| start + found);
        let line = &mut text[start..end];
        let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let signs = match &line[blank..] {
            [b'/', b'/', b'/' | b'!', ..] => 3,
            [b'*', ..] => 1,
            _ => 0,
        };
        line[..blank + signs].fill(b' ');
        hide_sign(&mut line[blank + signs..]);
        start = end + 1;
    }
    text
}

/// Takes the sign of a hidden line away: `# use a;` runs like any other.
fn hide_sign(line: &mut [u8]) {
    let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    if let [b'#', rest @ ..] = &mut line[blank..] {
        match rest.first() {
            // The last is an escaped `#`.
            None | Some(b' ' | b'\r' | b'#') => line[blank] = b' ',
            _ => {}
        }
    }
}

/// Hashes the code of an example; code that cannot be split into tokens is hashed line by line.
fn example_body(source: &[u8], lines: &[DocLine], code: Range<usize>) -> Body {
    let mut text = Vec::with_capacity(code.len());
    for line in lines {
        let start = text.len();
        text.extend_from_slice(&source[line.bytes.clone()]);
        hide_sign(&mut text[start..]);
        text.push(b'\n');
    }
    let (hash, tokens) = if let Ok(view) = View::new(&text) {
        let hashed = view.hash_range(0..view.len(), None);
        (hashed.plain, hashed.tokens)
    } else {
        let mut sequence = Sequence::default();
        for line in text.split(|byte| *byte == b'\n') {
            sequence.push(hash::token(line.trim_ascii()));
        }
        (sequence.finish(), sequence.count())
    };
    Body {
        bytes: code,
        hash,
        hash_without_name: hash,
        tokens,
    }
}
