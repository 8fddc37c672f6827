//! Where a type ends: types may hold braces, arrows and question marks of their own.

use crate::structure::lexer::Kind;

use super::view::View;

/// Words in front of an operand of a type.
const PREFIXES: [&[u8]; 9] = [
    b"keyof",
    b"typeof",
    b"readonly",
    b"unique",
    b"infer",
    b"asserts",
    b"new",
    b"abstract",
    b"is",
];

/// The place behind the type that begins here.
pub(super) fn type_end(view: &View<'_>, at: usize, end: usize) -> usize {
    let mut next = at;
    // Conditions whose question mark, and branches whose colon is still to come.
    let (mut conditions, mut branches) = (0_usize, 0_usize);
    loop {
        let (after, parameters) = operand(view, next, end);
        next = after;
        if next >= end {
            return end;
        }
        if view.arrow(next) && parameters {
            next += 2;
        } else if view.sign(next, b'|')
            || view.sign(next, b'&')
            || (view.is(next, b"is") && !view.on_new_line(next))
        {
            next += 1;
        } else if view.is(next, b"extends") {
            conditions += 1;
            next += 1;
        } else if view.sign(next, b'?') && conditions > 0 {
            conditions -= 1;
            branches += 1;
            next += 1;
        } else if view.sign(next, b':') && branches > 0 {
            branches -= 1;
            next += 1;
        } else {
            return next;
        }
    }
}

/// The place behind one operand with all that is attached to it, and whether it may be the parameters of a function.
fn operand(view: &View<'_>, at: usize, end: usize) -> (usize, bool) {
    let mut next = at;
    while next < end {
        let prefix = view.word(next) && PREFIXES.contains(&view.text(next)) && is_prefix(view, next, end);
        if prefix || b"|&-".iter().any(|sign| view.sign(next, *sign)) {
            next += 1;
        } else {
            break;
        }
    }
    // The type parameters of a function type.
    if let Some(after) = view.angles(next) {
        next = after;
    }
    if next >= end || view.closes(next) {
        return (next.min(end), false);
    }
    let parameters = is_parameters(view, next);
    if view.is_open(next) {
        next = view.next(next);
    } else if view.kind(next) == Some(Kind::Punct) {
        return (next, false);
    } else {
        next += 1;
        if view.opens(next, b'(') && view.is(next - 1, b"import") {
            next = view.next(next);
        }
    }
    while next < end {
        if view.sign(next, b'.') && view.word(next + 1) {
            next += 2;
        } else if view.opens(next, b'[') && !view.on_new_line(next) {
            next = view.next(next);
        } else if let Some(after) = view.angles(next) {
            next = after;
        } else {
            break;
        }
    }
    (next.min(end), parameters)
}

/// Whether a group in parentheses holds parameters rather than a type.
fn is_parameters(view: &View<'_>, open: usize) -> bool {
    if !view.opens(open, b'(') {
        return false;
    }
    let first = open + 1;
    let behind = view.next(first);
    view.closes(first)
        || view.spread(first)
        || b":,?=".iter().any(|sign| view.sign(behind, *sign))
        || (view.closes(behind) && view.word(first))
}

/// Whether a word stands in front of an operand, rather than being one.
fn is_prefix(view: &View<'_>, at: usize, end: usize) -> bool {
    let next = at + 1;
    next < end
        && (view.word(next) || view.is_open(next) || view.sign(next, b'<') || {
            matches!(view.kind(next), Some(Kind::Text | Kind::Number))
        })
        && !view.on_new_line(next)
        && !view.is(next, b"extends")
        && !(view.opens(next, b'[') && !view.is(at, b"keyof") && !view.is(at, b"readonly"))
        && !(view.opens(next, b'{') && matches!(view.text(at), b"is" | b"asserts" | b"unique" | b"abstract"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_end_where_their_declaration_goes_on() {
        for (code, rest) in [
            ("number { body }", "{"),
            ("{ a: string } { body }", "{"),
            ("(a: string) => void = 1", "="),
            ("A extends B ? { x: C } : D[] ; e", ";"),
            ("Map<string, Array<number>> = x", "="),
            ("x is string { }", "{"),
            ("asserts x is T { }", "{"),
            ("asserts x { }", "{"),
            ("'a' | 'b'\nlet", "let"),
            ("typeof import('x').y[] , b", ","),
            ("new <T>(x: T) => T ; y", ";"),
            ("readonly string[] = []", "="),
            ("`a${string}b` | null ;", ";"),
            ("keyof typeof x ;", ";"),
            ("string\n[1]", "["),
            ("unique symbol ;", ";"),
        ] {
            let view = View::new(code.as_bytes(), false).unwrap();
            let end = type_end(&view, 0, view.len());
            assert_eq!(view.text(end), rest.as_bytes(), "{code}");
        }
    }
}
