//! Which names users know: overloads, export lists, and members of what is not exported.

use std::collections::HashMap;

use crate::structure::outline::{Import, Role, Segment, Unit, Visibility};

use super::items::{Declared, Export, Listed, Meta, Scope, Walk};
use super::signature::Signature;

impl Walk<'_, '_> {
    /// An implementation behind overload signatures is no symbol of its own: they share its body.
    pub(super) fn drop_implementations(&mut self, first: usize) {
        let mut run = first;
        let mut at = first;
        while at < self.out.units.len() {
            let end = self.metas[at].end;
            let same = |a: &Unit, b: &Unit| {
                a.segment == b.segment && matches!(a.segment.kind, "function" | "method")
            };
            if run < at && !same(&self.out.units[run], &self.out.units[at]) {
                run = at;
            }
            if run < at && self.out.units[at].body.is_some() && self.out.units[run].body.is_none() {
                let body = self.out.units[at].body.clone();
                for overload in &mut self.out.units[run..at] {
                    overload.body.clone_from(&body);
                }
                self.metas[at].dropped = true;
                run = end;
            }
            at = end;
        }
    }

    /// Gives declarations the names that lists export them by.
    pub(super) fn resolve(&mut self, scope: Scope) {
        if scope.listed.is_empty() {
            return;
        }
        let mut locals: HashMap<String, Vec<usize>> = HashMap::new();
        let mut at = scope.first;
        while at < self.out.units.len() {
            let unit = &self.out.units[at];
            let here = unit.chain.len() == scope.chain.len() && unit.segment.kind != "reexport";
            if here && !self.metas[at].dropped {
                locals.entry(unit.segment.name.clone()).or_default().push(at);
            }
            at = self.metas[at].end;
        }
        for listed in scope.listed {
            let found = locals.get(&listed.local).map_or(&[][..], Vec::as_slice);
            for at in found {
                if self.metas[*at].exported {
                    self.copy(*at, &listed.name);
                } else {
                    self.metas[*at].exported = true;
                    self.out.units[*at].visibility = Visibility::Public;
                    self.rename(*at, &listed.name);
                }
            }
            if found.is_empty() {
                self.export_import(&listed, &scope.chain, &scope.imported);
            }
        }
    }

    /// Gives a unit another name, in the chains of its members too.
    pub(super) fn rename(&mut self, at: usize, name: &str) {
        let depth = self.out.units[at].chain.len();
        name.clone_into(&mut self.out.units[at].segment.name);
        for member in &mut self.out.units[at + 1..self.metas[at].end] {
            name.clone_into(&mut member.chain[depth].name);
        }
    }

    /// Adds a unit with its members once more, under another name.
    pub(super) fn copy(&mut self, at: usize, name: &str) {
        let end = self.metas[at].end;
        let copy = self.out.units.len();
        for index in at..end {
            self.out.units.push(self.out.units[index].clone());
            self.metas.push(Meta {
                end: self.metas[index].end - at + copy,
                ..self.metas[index]
            });
        }
        self.out.units[copy].visibility = Visibility::Public;
        self.rename(copy, name);
    }

    /// A listed name that is declared nowhere here: it is imported, or not known.
    pub(super) fn export_import(
        &mut self,
        listed: &Listed,
        chain: &[Segment],
        imported: &HashMap<String, String>,
    ) {
        let target = imported.get(&listed.local).cloned();
        let mut signature = Signature::default();
        let kind = match &target {
            Some(target) => {
                signature.word(target);
                "reexport"
            }
            None => "value",
        };
        if let Some(target) = target.filter(|_| chain.is_empty()) {
            self.out.imports.push(Import {
                module: self.out.module.clone(),
                name: listed.name.clone(),
                target,
                exported: true,
                line: self.view.line(listed.tokens.start),
            });
        }
        let declared = Declared {
            head: listed.tokens.clone(),
            tokens: listed.tokens.clone(),
            ..Declared::new(
                kind,
                Role::Symbol,
                listed.name.clone(),
                Export::Named,
                signature,
                None,
            )
        };
        self.add(chain, declared, Export::Named);
    }

    /// Takes out what is dropped, and takes the public mark from members of what is not public.
    pub(super) fn finish(&mut self) {
        for at in 0..self.out.units.len() {
            let outer = self.out.units[at].visibility;
            for member in &mut self.out.units[at + 1..self.metas[at].end] {
                member.visibility = member.visibility.min(outer);
            }
        }
        if self.metas.iter().any(|meta| meta.dropped) {
            let mut metas = self.metas.iter();
            self.out
                .units
                .retain(|_| metas.next().is_some_and(|meta| !meta.dropped));
        }
        self.out.units.sort_by_key(|unit| unit.bytes.start);
    }
}
