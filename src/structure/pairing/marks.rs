//! Marks on tests that came or went.

use std::borrow::Cow;

use super::side::Side;
use crate::model::fact::FactKind;
use crate::structure::outline::{Mark, Marks};

/// The differences between the marks of one test.
#[derive(Default)]
pub(super) struct Change<'a> {
    /// A skip marker that was not there.
    pub(super) disabled: Option<&'a Mark>,
    /// A condition that was not there.
    pub(super) conditional: Option<&'a Mark>,
    /// A skip marker that is gone, and no other is left.
    pub(super) enabled: Option<&'a Mark>,
    /// A condition that is gone, and no other is left.
    pub(super) unconditional: Option<&'a Mark>,
    /// Now expected to fail.
    pub(super) expected_fail: Option<&'a Mark>,
    /// No longer expected to fail.
    pub(super) not_expected_fail: Option<&'a Mark>,
    /// Still expected to fail, but no longer with a certain failure.
    pub(super) unspecific: Option<(&'a Mark, &'a Mark)>,
    /// A focus marker that was not there.
    pub(super) focused: Option<&'a Mark>,
    /// A focus marker that is gone.
    pub(super) unfocused: Option<&'a Mark>,
}

impl<'a> Change<'a> {
    /// Whether the test runs less than before, or runs again: the kind, its mark, and whether that is a condition.
    pub(super) fn first_disabling(&self) -> Option<(FactKind, &'a Mark, bool)> {
        let disabled = self.disabled.map(|mark| (FactKind::TestDisabled, mark, false));
        let conditional = self.conditional.map(|mark| (FactKind::TestDisabled, mark, true));
        let enabled = self.enabled.map(|mark| (FactKind::TestEnabled, mark, false));
        let unconditional = self.unconditional.map(|mark| (FactKind::TestEnabled, mark, true));
        disabled.or(conditional).or(enabled).or(unconditional)
    }
}

/// Compares the marks of a test before and after.
pub(super) fn compare<'a>(before: &'a Marks, after: &'a Marks) -> Change<'a> {
    let (disabled, enabled) = came_or_went(&before.disabled, &after.disabled);
    let (expected_fail, not_expected_fail) = came_or_went(&before.expected_fail, &after.expected_fail);
    let (focused, unfocused) = came_or_went(&before.focused, &after.focused);
    // Another condition is a new one: it may never hold. One that only lost a part is none.
    let conditional = after.conditional.iter().find(|mark| {
        let old = || before.conditional.iter().map(|old| old.text.as_str());
        !old().any(|old| old == mark.text)
            && conjuncts(&mark.text)
                .iter()
                .any(|part| !old().flat_map(conjuncts).any(|old| old == *part))
    });
    let specific = before.expected_fail.iter().find(|mark| mark.specific);
    let unspecific = after.expected_fail.iter().find(|mark| !mark.specific);
    let still_specific = after.expected_fail.iter().any(|mark| mark.specific);
    Change {
        disabled,
        conditional,
        enabled,
        unconditional: came_or_went(&before.conditional, &after.conditional).1,
        expected_fail,
        not_expected_fail,
        unspecific: specific.zip(unspecific).filter(|_| !still_specific),
        focused,
        unfocused,
    }
}

/// The parts of a condition that must all hold, without blanks: those of `#[cfg(all(…))]`, else the whole.
fn conjuncts(text: &str) -> Vec<String> {
    let squeezed: String = text.split_whitespace().collect();
    let inside = squeezed
        .strip_prefix("#!")
        .or(squeezed.strip_prefix('#'))
        .and_then(|text| text.strip_prefix("[cfg(")?.strip_suffix(")]"));
    let Some(inside) = inside else {
        return vec![squeezed];
    };
    let inside = inside.strip_suffix(',').unwrap_or(inside);
    let all = inside
        .strip_prefix("all(")
        .and_then(|inside| inside.strip_suffix(')'));
    let mut parts = vec![String::new()];
    let (mut depth, mut quoted) = (0_usize, false);
    for c in all.unwrap_or(inside).chars() {
        match c {
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            ',' if !quoted && depth == 0 && all.is_some() => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is always a part").push(c);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The first mark where there was none, or the first of those that are all gone.
fn came_or_went<'a>(before: &'a [Mark], after: &'a [Mark]) -> (Option<&'a Mark>, Option<&'a Mark>) {
    match (before.first(), after.first()) {
        (None, came) => (came, None),
        (went, None) => (None, went),
        _ => (None, None),
    }
}

/// The marks of a test, with those on the lines that link its file in.
pub(super) fn of_test<'s>(side: &'s Side<'_>, at: usize) -> Cow<'s, Marks> {
    let mut marks = Cow::Borrowed(&side.items[at].unit.marks);
    let mut file = side.items[at].file;
    for around in side.ancestors(at) {
        let module = &side.items[around];
        // Within one file the scanner has passed them on.
        if std::ptr::eq(module.file, file) {
            continue;
        }
        file = module.file;
        let outer = &module.unit.marks;
        let from = format!("{} {}", module.unit.segment.kind, module.unit.segment.name);
        let inherit = |own: &mut Vec<Mark>, outer: &[Mark]| {
            own.extend(outer.iter().map(|mark| Mark {
                inherited_from: Some(mark.inherited_from.clone().unwrap_or_else(|| from.clone())),
                ..mark.clone()
            }));
        };
        let own = marks.to_mut();
        inherit(&mut own.disabled, &outer.disabled);
        inherit(&mut own.conditional, &outer.conditional);
        inherit(&mut own.expected_fail, &outer.expected_fail);
        inherit(&mut own.focused, &outer.focused);
    }
    marks
}
