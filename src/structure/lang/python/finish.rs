//! What can be said only at the end of a module: who is public, what tests inherit from it.

use std::collections::HashSet;

use crate::structure::outline::{Role, Unit, Visibility};

use super::items::{MAX_INHERITED, Walk};

impl Walk<'_, '_> {
    /// Completes the units.
    pub(super) fn finish(&mut self) {
        self.listed_names();
        self.judge_visibility();
        let marks = std::mem::take(&mut self.module_marks);
        let from = format!("module {}", self.place.module);
        self.inherit(0, &marks, &from);
        self.fixture_rows();
        self.mocked_subject();
        // An example in a docstring makes no test file of the module that it explains.
        let is_test = |unit: &Unit| unit.role == Role::Test && unit.segment.kind != "doctest";
        let holds_tests = self.out.units.iter().any(is_test);
        if self.place.beside_the_product || holds_tests {
            for unit in &mut self.out.units {
                unit.visibility = Visibility::Narrow;
            }
        }
    }

    /// Names of `__all__` that no statement defines: they come through a wildcard, or when they are asked for.
    fn listed_names(&mut self) {
        let Some(names) = &self.exports.names else { return };
        if let Some(token) = self.exports.at.filter(|_| self.exports.is_complete()) {
            let mut unit = self.unit("var", "__all__".to_owned(), token..token + 1);
            unit.text.push_str("__all__");
            self.out.units.push(unit);
        }
        let defined: HashSet<&str> = self
            .out
            .units
            .iter()
            .filter(|unit| unit.chain.is_empty())
            .map(|unit| unit.segment.name.as_str())
            .collect();
        let missing: Vec<(String, usize)> = names
            .iter()
            .filter(|(name, _)| !defined.contains(name.as_str()))
            .map(|(name, token)| (name.clone(), *token))
            .collect();
        for (name, token) in missing {
            let mut unit = self.unit("import", name, token..token + 1);
            unit.text = self.view.shown(token..token + 1);
            self.out.units.push(unit);
        }
    }

    /// Top-level names by `__all__`, else by their first letter; members by the class around them.
    fn judge_visibility(&mut self) {
        let exports = &self.exports;
        let complete = exports.is_complete();
        // The visibility of the containers around, from outside.
        let mut around: Vec<Visibility> = Vec::new();
        for unit in &mut self.out.units {
            let depth = unit.chain.len();
            if depth == 0 {
                if exports.lists(&unit.segment.name) {
                    unit.visibility = Visibility::Public;
                } else if complete {
                    unit.visibility = Visibility::Narrow;
                }
            } else if around.get(depth - 1) != Some(&Visibility::Public) {
                unit.visibility = Visibility::Narrow;
            }
            if matches!(unit.role, Role::Container | Role::Suite) {
                around.truncate(depth);
                around.push(unit.visibility);
            }
        }
    }

    /// The literal parameters of fixtures are rows of the tests that ask for them.
    fn fixture_rows(&mut self) {
        if self.fixtures.is_empty() {
            return;
        }
        for (unit, names) in &self.wants {
            let marks = &mut self.out.units[*unit].marks;
            let mut fixtures = names
                .iter()
                .filter_map(|name| self.fixtures.get(name))
                .take(MAX_INHERITED);
            let had_rows = marks.rows.is_some();
            let Some(first) = fixtures.next() else { continue };
            let mut rows = marks.rows.take().unwrap_or_default();
            let mut literal = had_rows || first.is_some();
            for fixture in std::iter::once(first).chain(fixtures) {
                match fixture {
                    Some(own) => rows.extend(own),
                    // A list that is computed makes no claim.
                    None => literal = false,
                }
            }
            marks.rows = literal.then_some(rows);
        }
    }
}
