//! Imports: names that a module gets from elsewhere.

use std::ops::Range;

use crate::structure::lexer::lines::text_of;
use crate::structure::outline::{Import, Visibility};

use super::items::Walk;

impl Walk<'_, '_> {
    /// `import a.b as c, d` and `from a import b as c, d`, or `*`.
    pub(super) fn import(&mut self, tokens: Range<usize>) {
        let view = self.view;
        if view.is(tokens.start, b"import") {
            for part in view.split(tokens.start + 1..tokens.end) {
                let (path, alias) = self.aliased(&part);
                // Without another name the first part of the path is what is bound.
                let name = alias.unwrap_or(path.start);
                let target = if alias.is_some() {
                    self.dotted(&path)
                } else {
                    view.name(path.start)
                };
                let renamed_alike = alias.is_some_and(|alias| view.text(alias) == view.text(path.end - 1));
                self.imported(name, target, renamed_alike, &part);
            }
            return;
        }
        let word = view.find_word(tokens.start, tokens.end, b"import");
        let Some(module) = self.source(tokens.start + 1..word) else {
            return;
        };
        let mut names = word + 1..tokens.end;
        if view.sign(names.start, b'(') {
            names = names.start + 1..view.mate(names.start);
        }
        for part in view.split(names) {
            if view.sign(part.start, b'*') {
                self.out.imports.push(Import {
                    module: self.place.module.clone(),
                    name: "*".to_owned(),
                    target: module.clone(),
                    exported: true,
                    line: view.line(part.start),
                });
                continue;
            }
            let (path, alias) = self.aliased(&part);
            let target = format!("{module}::{}", view.name(path.start));
            let name = alias.unwrap_or(path.start);
            let renamed_alike = alias.is_some_and(|alias| view.text(alias) == view.text(path.start));
            self.imported(name, target, renamed_alike, &part);
        }
    }

    /// The path and the other name of `path as name`.
    fn aliased(&self, part: &Range<usize>) -> (Range<usize>, Option<usize>) {
        let word = self.view.find_word(part.start, part.end, b"as");
        let alias = (word + 1 < part.end).then_some(word + 1);
        (part.start..word.max(part.start + 1), alias)
    }

    fn dotted(&self, path: &Range<usize>) -> String {
        let parts = path.clone().map(|at| text_of(self.view.text(at)));
        parts.collect()
    }

    /// The module that a path in `from path import` names.
    fn source(&self, path: Range<usize>) -> Option<String> {
        let view = self.view;
        let mut dots = 0;
        let mut at = path.start;
        while at < path.end && matches!(view.text(at), b"." | b"...") {
            dots += view.text(at).len();
            at += 1;
        }
        let rest = self.dotted(&(at..path.end));
        if dots == 0 {
            return Some(self.anchored(rest));
        }
        let package = self.place.package(dots)?;
        Some(match (package, rest.as_str()) {
            ("", _) => rest,
            (package, "") => package.to_owned(),
            (package, rest) => format!("{package}.{rest}"),
        })
    }

    /// A path from the root of its packages, which may be a folder above this file.
    fn anchored(&self, path: String) -> String {
        let top = path.split('.').next().unwrap_or_default();
        let parts = self.place.module.split('.');
        let above: Vec<&str> = parts.take_while(|part| *part != top).collect();
        let inside = above.len() < self.place.module.split('.').count();
        if above.is_empty() || !inside {
            return path;
        }
        format!("{}.{path}", above.join("."))
    }

    fn imported(&mut self, name: usize, target: String, renamed_alike: bool, part: &Range<usize>) {
        let view = self.view;
        if !view.word(name) {
            return;
        }
        let mut unit = self.unit("import", view.name(name), part.clone());
        unit.text = view.shown(part.clone());
        if renamed_alike && self.place.is_package && !view.text(name).starts_with(b"_") {
            unit.visibility = Visibility::Public;
        }
        self.out.imports.push(Import {
            module: self.place.module.clone(),
            name: unit.segment.name.clone(),
            target,
            exported: true,
            line: unit.lines.0,
        });
        self.copies(unit.chain.iter().map(|segment| segment.name.len()).sum());
        self.out.units.push(unit);
    }
}
