//! The sections of a spec and their slugs, and the section that a reviewer means.

use std::collections::BTreeSet;

use crate::model::words::words;

/// What stands above the first section.
pub const PREAMBLE: &str = "__preamble__";
/// The document as a whole.
pub const DOCUMENT: &str = "__document__";
/// A heading of which nothing is left.
const UNTITLED: &str = "__untitled__";

/// Whether a slug is no section's own.
pub fn is_reserved(slug: &str) -> bool {
    slug == PREAMBLE || slug == DOCUMENT
}

/// One section, opened by a heading of level two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The heading as written.
    pub text: String,
    /// Unique in its document.
    pub slug: String,
    /// The line of the heading, from 1.
    pub line: usize,
    /// The last line of the section.
    pub end_line: usize,
}

/// The headings of a spec.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outline {
    /// The sections in order.
    pub units: Vec<Unit>,
    /// Headings of other levels, and how many sections begin above each.
    others: Vec<(String, usize)>,
}

impl Outline {
    /// Reads the headings of a document.
    pub fn of(markdown: &str) -> Self {
        let mut outline = Self::default();
        let mut fence: Option<Fence> = None;
        let mut lines = 0;
        for line in markdown.lines() {
            lines += 1;
            // At most three spaces of indentation; more make it code.
            let Some(rest) = outdented(line) else { continue };
            if let Some(open) = fence {
                if open.is_closed_by(rest) {
                    fence = None;
                }
            } else if let Some(open) = Fence::opened_by(rest) {
                fence = Some(open);
            } else if let Some((level, text)) = heading(rest) {
                if level == 2 {
                    if let Some(last) = outline.units.last_mut() {
                        last.end_line = lines - 1;
                    }
                    outline.units.push(Unit {
                        text: text.to_owned(),
                        slug: String::new(),
                        line: lines,
                        end_line: lines,
                    });
                } else {
                    outline.others.push((text.to_owned(), outline.units.len()));
                }
            }
        }
        if let Some(last) = outline.units.last_mut() {
            last.end_line = lines;
        }
        let slugs = slugs(outline.units.iter().map(|unit| unit.text.as_str()));
        for (unit, slug) in outline.units.iter_mut().zip(slugs) {
            unit.slug = slug;
        }
        outline
    }

    /// The section that a reviewer's words name. Several lines: the first that names one.
    pub fn locate(&self, location: &str) -> Located {
        if location.trim().is_empty() {
            return Located::at(DOCUMENT);
        }
        location.lines().find_map(|line| self.find(line)).map_or_else(
            || Located {
                slug: DOCUMENT.to_owned(),
                warning: Some(Warning::UnknownLocation),
            },
            Located::at,
        )
    }

    /// Whether a phrase has a word of three letters in common with a heading beside the anchor's, if more are named.
    pub fn names_another_section(&self, location: &str, phrase: &str) -> bool {
        let mut named = location.lines().filter_map(|line| self.find(line));
        let Some(anchor) = named.next() else { return true };
        let mut others = named.filter(|slug| *slug != anchor).peekable();
        if others.peek().is_none() {
            return true;
        }
        let words = long_words(phrase);
        others.any(|slug| {
            self.units
                .iter()
                .any(|unit| unit.slug == slug && !long_words(&unit.text).is_disjoint(&words))
        })
    }

    /// The slug that one line names.
    fn find(&self, line: &str) -> Option<&str> {
        let line = line.trim();
        if line == PREAMBLE {
            return Some(PREAMBLE);
        }
        if line == DOCUMENT {
            return Some(DOCUMENT);
        }
        let text = line.trim_start_matches('#').trim();
        if text.is_empty() {
            return None;
        }
        let unit = |fits: &dyn Fn(&Unit) -> bool| self.units.iter().find(|unit| fits(unit));
        let wanted = folded(text);
        unit(&|unit| unit.text == text)
            .or_else(|| unit(&|unit| unit.slug == text))
            .or_else(|| unit(&|unit| folded(&unit.text) == wanted))
            .map(|unit| unit.slug.as_str())
            .or_else(|| {
                let (_, above) = (self.others.iter())
                    .find(|(other, _)| other == text)
                    .or_else(|| self.others.iter().find(|(other, _)| folded(other) == wanted))?;
                Some(
                    above
                        .checked_sub(1)
                        .map_or(PREAMBLE, |index| &self.units[index].slug),
                )
            })
    }
}

/// Where a finding is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The section.
    pub slug: String,
    /// What is odd about it.
    pub warning: Option<Warning>,
}

impl Located {
    fn at(slug: &str) -> Self {
        Self {
            slug: slug.to_owned(),
            warning: None,
        }
    }
}

words! {
    /// What is odd about a location or phrase.
    Warning {
        /// No section of this name.
        UnknownLocation = "unknown-location",
        /// The phrase names none of the other sections.
        PhraseLacksSection = "phrase-lacks-section",
    }
}

/// The slugs of headings, in order, pairwise different.
pub fn slugs<'a>(headings: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut given: BTreeSet<String> = [PREAMBLE.to_owned(), DOCUMENT.to_owned()].into();
    // Where to go on counting, so that a thousand equal headings cost a thousand steps.
    let mut next = std::collections::BTreeMap::<String, usize>::new();
    let mut slugs = Vec::new();
    for heading in headings {
        let bare = slug(heading);
        let mut free = bare.clone();
        let number = next.entry(bare.clone()).or_insert(2);
        while given.contains(&free) {
            free = format!("{bare}-{number}");
            *number += 1;
        }
        given.insert(free.clone());
        slugs.push(free);
    }
    slugs
}

/// The slug of one heading alone.
fn slug(heading: &str) -> String {
    let slug: String = heading
        .trim()
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '_' | '-' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        })
        .collect();
    if slug.is_empty() {
        UNTITLED.to_owned()
    } else {
        slug
    }
}

/// The text with case and blanks folded.
fn folded(text: &str) -> String {
    text.to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The words of three or more letters, in lower case.
fn long_words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 3)
        .map(str::to_owned)
        .collect()
}

/// The line without up to three spaces before it.
fn outdented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3).then_some(rest)
}

/// The level and the text of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let text = rest.trim();
    let open = text.trim_end_matches('#');
    // A closing run of hashes stands after a blank, or is all there is.
    let is_closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if is_closed { open.trim() } else { text }))
}

/// An open fence of code.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some(Self { mark, length })
    }

    fn is_closed_by(self, line: &str) -> bool {
        let rest = line.trim_start_matches(self.mark);
        line.len() - rest.len() >= self.length && rest.trim().is_empty()
    }
}
