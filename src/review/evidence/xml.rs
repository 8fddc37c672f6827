//! Walks the elements of an XML document: well formed or refused, nothing fetched, nothing expanded.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use super::tests::{MAX_READ, number};
use crate::model::witness::Unknown;

/// The most attributes of one element: checking that they are unique takes their square.
const MAX_ATTRIBUTES: usize = 100;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 200;

/// The beginning or end of an element.
pub enum Node<'a, 'r> {
    /// It begins.
    Open(&'a Element<'a, 'r>),
    /// It ends.
    Close,
}

/// An element that begins.
pub struct Element<'a, 'r> {
    start: &'a BytesStart<'r>,
}

impl Element<'_, '_> {
    /// Its name without a prefix.
    pub fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// An attribute as it is written.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.start
            .attributes()
            .with_checks(false)
            .flatten()
            .find(|attribute| attribute.key.into_inner() == name)
            .map(|attribute| attribute.value.into_owned())
    }

    /// An attribute that must be a number where it is there.
    pub fn number(&self, name: &str) -> Result<Option<u64>, Unknown> {
        let value = self.attribute(name);
        value
            .map(|value| number(&value).ok_or(Unknown::Malformed))
            .transpose()
    }
}

/// Visits the beginning and end of each element in order; an empty one begins and ends.
pub fn walk(bytes: &[u8], mut visit: impl FnMut(Node<'_, '_>) -> Result<(), Unknown>) -> Result<(), Unknown> {
    if bytes.len() > MAX_READ {
        return Err(Unknown::OutputTooLarge);
    }
    // Names of tests may be in any encoding; names of elements and numbers are ASCII in all that count.
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut depth = 0_usize;
    let mut has_root = false;
    loop {
        let event = reader.read_event().map_err(|_| Unknown::Malformed)?;
        match event {
            Event::Start(_) | Event::Empty(_) if depth == 0 && has_root => return Err(Unknown::Malformed),
            Event::Start(start) => {
                check(&start)?;
                has_root = true;
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Unknown::Malformed);
                }
                visit(Node::Open(&Element { start: &start }))?;
            }
            Event::Empty(start) => {
                check(&start)?;
                has_root = true;
                visit(Node::Open(&Element { start: &start }))?;
                visit(Node::Close)?;
            }
            Event::End(_) => {
                depth = depth.checked_sub(1).ok_or(Unknown::Malformed)?;
                visit(Node::Close)?;
            }
            Event::DocType(doctype) => {
                if has_root || doctype.into_inner().contains('[') {
                    return Err(Unknown::Doctype);
                }
            }
            Event::Text(text) => {
                if depth == 0 && !text.into_inner().trim().is_empty() {
                    return Err(Unknown::Malformed);
                }
            }
            Event::GeneralRef(reference) => {
                let known = reference.is_char_ref()
                    || matches!(
                        reference.into_inner().as_ref(),
                        "amp" | "lt" | "gt" | "quot" | "apos"
                    );
                if depth == 0 || !known {
                    return Err(Unknown::Malformed);
                }
            }
            Event::CData(_) if depth == 0 => return Err(Unknown::Malformed),
            Event::CData(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    if depth == 0 && has_root {
        Ok(())
    } else {
        Err(Unknown::Malformed)
    }
}

/// Refuses attributes that are not well formed.
fn check(start: &BytesStart<'_>) -> Result<(), Unknown> {
    for (at, attribute) in start.attributes().enumerate() {
        let attribute = attribute.map_err(|_| Unknown::Malformed)?;
        if at >= MAX_ATTRIBUTES || attribute.normalized_value(XmlVersion::Implicit1_0).is_err() {
            return Err(Unknown::Malformed);
        }
    }
    Ok(())
}
