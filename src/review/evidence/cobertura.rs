//! Coverage XML of Cobertura: the totals of the root, else the lines of the classes.

use super::tests::{add, number, storable};
use super::xml::{Element, Node, walk};
use crate::model::witness::{Coverage, Reached, Unknown};

/// The coverage of a report. It says nothing about functions.
pub fn read(bytes: &[u8]) -> Result<Coverage, Unknown> {
    let mut open: Vec<String> = Vec::new();
    let mut totals = Coverage::default();
    let mut counted = Coverage::default();
    walk(bytes, |node| {
        match node {
            Node::Open(element) => {
                if open.is_empty() {
                    if element.name() != "coverage" {
                        return Err(Unknown::Malformed);
                    }
                    totals.lines = pair(element, "lines-valid", "lines-covered")?;
                    totals.branches = pair(element, "branches-valid", "branches-covered")?;
                } else if element.name() == "line" && is_in_class(&open) {
                    count(element, &mut counted)?;
                }
                open.push(element.name().to_owned());
            }
            Node::Close => {
                open.pop();
            }
        }
        Ok(())
    })?;
    let lines = totals.lines.or(counted.lines);
    let branches = totals.branches.or(counted.branches);
    Ok(Coverage {
        lines: lines.map(storable).transpose()?,
        functions: None,
        branches: branches.map(storable).transpose()?,
    })
}

/// Whether the innermost elements are `class/lines`; the lines of methods stand there once more.
fn is_in_class(open: &[String]) -> bool {
    matches!(open, [.., class, lines] if class == "class" && lines == "lines")
}

/// Two numbers of the root, where both are there.
fn pair(root: &Element<'_, '_>, found: &str, hit: &str) -> Result<Option<Reached>, Unknown> {
    Ok(match (root.number(found)?, root.number(hit)?) {
        (Some(found), Some(hit)) => Some(Reached { found, hit }),
        _ => None,
    })
}

fn count(line: &Element<'_, '_>, counted: &mut Coverage) -> Result<(), Unknown> {
    let hits = line.number("hits")?.ok_or(Unknown::Malformed)?;
    let lines = counted.lines.get_or_insert_default();
    lines.found += 1;
    lines.hit += u64::from(hits > 0);
    if let Some(condition) = line.attribute("condition-coverage") {
        // `50% (1/2)`
        let (hit, found) = condition
            .split_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')'))
            .and_then(|rest| rest.split_once('/'))
            .and_then(|(hit, found)| Some((number(hit)?, number(found)?)))
            .ok_or(Unknown::Malformed)?;
        let branches = counted.branches.get_or_insert_default();
        add(&mut branches.hit, hit);
        add(&mut branches.found, found);
    }
    Ok(())
}
