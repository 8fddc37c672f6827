//! Finds the JSON document in a reply: all of it, or the one fenced block that prose may surround.

use super::Reason;
use crate::model::json::Node;

/// A fenced block needs this many backticks or tildes.
const MIN_FENCE: usize = 3;

/// A line that is indented further is no fence.
const MAX_INDENT: usize = 3;

/// Reads the document.
pub(super) fn find(text: &str) -> Result<Node, Reason> {
    if let Ok(node) = Node::parse(text) {
        return Ok(node);
    }
    let document = match blocks(text).as_slice() {
        [] => text,
        [Block { is_closed: false, .. }] => return Err(Reason::Truncated),
        [block] => block.text,
        _ => return Err(Reason::SeveralBlocks),
    };
    Node::parse(document).map_err(|_| {
        if is_cut_off(document) {
            Reason::Truncated
        } else {
            Reason::NotJson
        }
    })
}

/// A fenced block without its fences.
struct Block<'a> {
    text: &'a str,
    is_closed: bool,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence<'_>, usize)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        match (&open, fence(line)) {
            (None, Some(fence)) if fence.opens() => open = Some((fence, end)),
            (Some((opening, from)), Some(fence)) if fence.closes(opening) => {
                blocks.push(Block {
                    text: &text[*from..start],
                    is_closed: true,
                });
                open = None;
            }
            _ => {}
        }
        start = end;
    }
    if let Some((_, from)) = open {
        blocks.push(Block {
            text: &text[from..],
            is_closed: false,
        });
    }
    blocks
}

/// A line that starts with a run of backticks or tildes.
struct Fence<'a> {
    mark: char,
    length: usize,
    rest: &'a str,
}

impl Fence<'_> {
    /// Behind backticks no further ones may stand: that would be code within a line.
    fn opens(&self) -> bool {
        self.mark == '~' || !self.rest.contains('`')
    }

    fn closes(&self, opening: &Fence<'_>) -> bool {
        self.mark == opening.mark && self.length >= opening.length && self.rest.trim().is_empty()
    }
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let unindented = line.trim_start_matches(' ');
    if line.len() - unindented.len() > MAX_INDENT {
        return None;
    }
    let mark = unindented.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = unindented.trim_start_matches(mark);
    let length = unindented.len() - rest.len();
    (length >= MIN_FENCE).then_some(Fence { mark, length, rest })
}

/// Whether a document that starts with `{` ends inside a string or an open bracket.
fn is_cut_off(document: &str) -> bool {
    let document = document.trim_start();
    if !document.starts_with('{') {
        return false;
    }
    let mut open: u64 = 0;
    let mut in_string = false;
    let mut is_escaped = false;
    for byte in document.bytes() {
        if in_string {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => open += 1,
            b'}' | b']' => {
                open -= 1;
                if open == 0 {
                    // What stands behind the document is no part of it.
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_common_mark() {
        for (text, expected) in [
            ("```\n1\n```", Ok(())),
            ("x\n  ~~~~ json\n1\n~~~\n2\n", Err(Reason::Truncated)),
            ("````\n```\n````\n", Err(Reason::NotJson)),
            ("```js```\n", Err(Reason::NotJson)),
            ("    ```\n1\n    ```\n", Err(Reason::NotJson)),
            ("~~~ `x`\n1\n~~~~~  \nbye", Ok(())),
            ("```\n1\n```\n```\n", Err(Reason::SeveralBlocks)),
            ("``\n1\n``\n", Err(Reason::NotJson)),
            ("```\n{\"a\": [1\n```\n", Err(Reason::Truncated)),
            ("{\"a\": \"\\\"", Err(Reason::Truncated)),
            ("{\"a\": 1} and \" more", Err(Reason::NotJson)),
            ("[1", Err(Reason::NotJson)),
        ] {
            assert_eq!(find(text).map(drop), expected, "{text}");
        }
    }
}
