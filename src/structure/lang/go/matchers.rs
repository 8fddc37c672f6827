//! The assertions of testify and the matchers of gomega, and how much each of them fixes.

use std::ops::Range;

use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

use super::view::View;

/// What the operands of an assertion are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A condition that must hold.
    True,
    /// A condition that must not hold.
    False,
    /// The first two are compared.
    Two,
    /// It is about one of the first two, seen together with the other.
    With,
    /// It is about the first; a message may follow.
    One,
}

/// The assertions of testify, each with its rank, without the `f` of those that take a format; sorted.
const TESTIFY: [(&str, u8, Shape); 63] = [
    ("Condition", UNKNOWN, Shape::One),
    ("Contains", PARTIAL, Shape::With),
    ("DirExists", EXISTENCE, Shape::One),
    ("ElementsMatch", EQUALITY, Shape::Two),
    ("Empty", UNKNOWN, Shape::One),
    ("Equal", EQUALITY, Shape::Two),
    ("EqualError", EQUALITY, Shape::With),
    ("EqualExportedValues", EQUALITY, Shape::Two),
    ("EqualValues", EQUALITY, Shape::Two),
    ("Error", UNKNOWN, Shape::One),
    ("ErrorAs", PARTIAL, Shape::With),
    ("ErrorContains", PARTIAL, Shape::With),
    ("ErrorIs", PARTIAL, Shape::With),
    ("Eventually", UNKNOWN, Shape::One),
    ("EventuallyWithT", UNKNOWN, Shape::One),
    ("Exactly", EQUALITY, Shape::Two),
    ("Fail", UNKNOWN, Shape::One),
    ("FailNow", UNKNOWN, Shape::One),
    ("False", EXISTENCE, Shape::False),
    ("FileExists", EXISTENCE, Shape::One),
    ("Greater", PARTIAL, Shape::Two),
    ("GreaterOrEqual", PARTIAL, Shape::Two),
    ("HTTPBodyContains", UNKNOWN, Shape::One),
    ("HTTPBodyNotContains", UNKNOWN, Shape::One),
    ("HTTPError", UNKNOWN, Shape::One),
    ("HTTPRedirect", UNKNOWN, Shape::One),
    ("HTTPStatusCode", UNKNOWN, Shape::One),
    ("HTTPSuccess", UNKNOWN, Shape::One),
    ("Implements", EXISTENCE, Shape::With),
    ("InDelta", PARTIAL, Shape::Two),
    ("InEpsilon", PARTIAL, Shape::Two),
    ("IsDecreasing", PARTIAL, Shape::One),
    ("IsIncreasing", PARTIAL, Shape::One),
    ("IsType", EXISTENCE, Shape::With),
    ("JSONEq", EQUALITY, Shape::Two),
    ("Len", PARTIAL, Shape::With),
    ("Less", PARTIAL, Shape::Two),
    ("LessOrEqual", PARTIAL, Shape::Two),
    ("Negative", PARTIAL, Shape::One),
    ("Never", UNKNOWN, Shape::One),
    ("Nil", UNKNOWN, Shape::One),
    ("NoError", UNKNOWN, Shape::One),
    ("NotContains", PARTIAL, Shape::With),
    ("NotEmpty", EXISTENCE, Shape::One),
    ("NotEqual", PARTIAL, Shape::Two),
    ("NotEqualValues", PARTIAL, Shape::Two),
    ("NotErrorIs", PARTIAL, Shape::With),
    ("NotNil", EXISTENCE, Shape::One),
    ("NotPanics", EXISTENCE, Shape::One),
    ("NotRegexp", PARTIAL, Shape::With),
    ("NotSame", PARTIAL, Shape::Two),
    ("NotZero", EXISTENCE, Shape::One),
    ("Panics", EXISTENCE, Shape::One),
    ("PanicsWithError", EQUALITY, Shape::With),
    ("PanicsWithValue", EQUALITY, Shape::With),
    ("Positive", PARTIAL, Shape::One),
    ("Regexp", PARTIAL, Shape::With),
    ("Same", EQUALITY, Shape::Two),
    ("Subset", PARTIAL, Shape::With),
    ("True", EXISTENCE, Shape::True),
    ("WithinDuration", PARTIAL, Shape::Two),
    ("YAMLEq", EQUALITY, Shape::Two),
    ("Zero", UNKNOWN, Shape::One),
];

fn plain(name: &[u8]) -> Option<&'static (&'static str, u8, Shape)> {
    let find = |name: &[u8]| {
        TESTIFY
            .binary_search_by(|(known, ..)| known.as_bytes().cmp(name))
            .ok()
            .map(|at| &TESTIFY[at])
    };
    find(name).or_else(|| find(name.strip_suffix(b"f")?))
}

/// Rank and operands of an assertion of testify.
pub(super) fn testify(name: &[u8]) -> Option<(u8, Shape)> {
    plain(name).map(|(_, rank, shape)| (*rank, *shape))
}

/// Whether testify has an assertion of this name.
pub(super) fn is_known(name: &[u8]) -> bool {
    plain(name).is_some()
}

/// Whether a function of this name asserts, in a package that is there for it: all but those that make something.
pub(super) fn is_made(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_uppercase)
        && !matches!(name, b"New" | b"CallerInfo" | b"ObjectsAreEqual")
}

/// Whether an assertion of testify about this literal cannot fail.
pub(super) fn always_holds(view: &View<'_>, name: usize, literal: &Range<usize>) -> bool {
    let nil = literal.len() == 1 && view.is(literal.start, b"nil");
    match plain(view.text(name)).map(|(name, ..)| *name) {
        Some("Nil" | "NoError") => nil,
        Some("NotNil") => !nil,
        _ => false,
    }
}

/// For assertions of testify that expect an error or panic: whether any will do, and whether its message is checked.
pub(super) fn error(name: &[u8]) -> Option<(bool, bool)> {
    Some(match plain(name)?.0 {
        "Error" | "Panics" => (true, false),
        "ErrorIs" | "ErrorAs" | "PanicsWithValue" => (false, false),
        "EqualError" | "ErrorContains" | "PanicsWithError" => (false, true),
        _ => return None,
    })
}

/// For matchers of gomega that expect an error or panic: whether any will do.
pub(super) fn gomega_error(name: &[u8]) -> Option<bool> {
    match name {
        b"HaveOccurred" | b"Panic" => Some(true),
        b"MatchError" | b"PanicWith" => Some(false),
        _ => None,
    }
}

/// The rank of a matcher of gomega.
pub(super) fn gomega(name: &[u8], negated: bool) -> u8 {
    let equality = matches!(
        name,
        b"Equal"
            | b"BeEquivalentTo"
            | b"BeIdenticalTo"
            | b"BeComparableTo"
            | b"MatchJSON"
            | b"MatchYAML"
            | b"MatchXML"
            | b"ConsistOf"
            | b"HaveExactElements"
            | b"MatchAllFields"
            | b"MatchAllElements"
            | b"HaveValue"
    );
    match (name, negated) {
        // The opposite of these is no weaker check but another one: what is nothing has no rank.
        (b"BeNil" | b"BeEmpty" | b"BeZero", true)
        | (b"BeTrue" | b"BeFalse" | b"BeAssignableToTypeOf" | b"BeAnExistingFile" | b"Panic", _) => EXISTENCE,
        _ if equality => {
            if negated {
                PARTIAL
            } else {
                EQUALITY
            }
        }
        (
            b"ContainElement" | b"ContainElements" | b"ContainSubstring" | b"HaveLen" | b"HaveCap"
            | b"HaveKey" | b"HaveKeyWithValue" | b"HaveField" | b"MatchError" | b"PanicWith"
            | b"HaveHTTPStatus" | b"HavePrefix" | b"HaveSuffix" | b"MatchRegexp" | b"BeNumerically"
            | b"BeTemporally" | b"BeElementOf" | b"BeKeyOf" | b"MatchFields" | b"MatchElements",
            _,
        ) => PARTIAL,
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_formats_count() {
        assert!(TESTIFY.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(testify(b"Equalf"), Some((EQUALITY, Shape::Two)));
        assert_eq!(testify(b"Equals"), None);
        assert_eq!(gomega(b"BeNil", true), EXISTENCE);
    }
}
