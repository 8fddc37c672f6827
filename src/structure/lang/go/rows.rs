//! Tables of tests: slice and map literals whose elements are structs.

use std::ops::Range;

use super::types::is_predeclared;
use super::view::View;

/// The tables of one body.
#[derive(Default)]
pub(super) struct Tables {
    /// A hash for each row; `None` until a table was found.
    pub(super) rows: Option<Vec<u64>>,
    /// What lies in front of this was looked at.
    seen: usize,
}

impl Tables {
    /// Takes the rows of the literal that begins here, if it is a table.
    pub(super) fn take(&mut self, view: &View<'_>, at: usize) {
        let begins = view.sign(at, b'[') || (view.is(at, b"map") && view.sign(at + 1, b'['));
        if at < self.seen || !begins {
            return;
        }
        let bracket = at + usize::from(view.word(at));
        let element = view.mate(bracket) + 1;
        let open = view.type_end(at, view.len());
        self.seen = open;
        if element >= open || !view.sign(open, b'{') {
            return;
        }
        let close = view.mate(open);
        let written_out = view.is(element, b"struct");
        let elements = view.parts(open + 1..close);
        let rows: Option<Vec<u64>> = elements.into_iter().map(|range| row(view, range)).collect();
        let named = !is_predeclared(view.text(element));
        let Some(found) = rows.filter(|rows| written_out || (named && !rows.is_empty())) else {
            return;
        };
        // Literals in a row are part of it.
        self.seen = close;
        self.rows.get_or_insert_with(Vec::new).extend(found);
    }
}

/// The hash of `{…}`, `key: {…}`, `T{…}` or `&T{…}`; `None` for anything else.
fn row(view: &View<'_>, range: Range<usize>) -> Option<u64> {
    let last = range.end.checked_sub(1).filter(|last| *last >= range.start)?;
    if !view.sign(last, b'}') {
        return None;
    }
    let open = view.mate(last);
    let key = view.find_flat(range.start, open, b":");
    let value = if key < open { key + 1 } else { range.start };
    // `func() {…}` is no struct.
    let is_struct = value == open
        || (value..open)
            .all(|at| (view.word(at) && !view.is(at, b"func")) || view.sign(at, b'&') || view.sign(at, b'.'));
    (is_struct && value <= open).then(|| view.hash_range(range, None).plain)
}
