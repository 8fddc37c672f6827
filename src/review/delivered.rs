//! Whether a source reached the reviewer: the one answer that everything else uses.

use std::collections::BTreeMap;

use crate::model::delivery::{DeliveredKeys, OutOfReach, OverCap, PRE_POST_DIFF, SourceSpec, SourceStatus};
use crate::model::dimension::Dimension;
use crate::model::policy::DeliveryRule;

/// The longest conclusion that is kept, in bytes; one that is longer is cut.
pub const MAX_CONCLUSION: usize = 1000;

/// A source as it is in a packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// What it is.
    pub spec: SourceSpec,
    /// What became of it.
    pub status: SourceStatus,
    /// How many bytes it has.
    pub total: u64,
    /// How many of them are in the packet.
    pub included: u64,
    /// With the conclusion rule: the marker line that is complete within the included bytes.
    pub conclusion: Option<String>,
}

impl Delivery {
    /// Whether the source backs this dimension: with the whole rule all its bytes arrived, with the conclusion rule its
    /// marker line did.
    ///
    /// That a file exists, has a size, was computed or has a status never stands in for this.
    pub fn is_delivered(&self, dimension: Dimension) -> bool {
        self.spec.supports.contains(&dimension)
            && self.included > 0
            && match self.spec.rule {
                DeliveryRule::Whole => self.included == self.total,
                DeliveryRule::Conclusion { .. } => self.conclusion.is_some(),
            }
    }
}

/// The keys of the sources that are delivered for each dimension, in list order.
pub fn delivered(sources: &[Delivery]) -> DeliveredKeys {
    Dimension::ALL
        .iter()
        .map(|dimension| {
            let keys = sources
                .iter()
                .filter(|source| source.is_delivered(*dimension))
                .map(|source| source.spec.key.clone());
            (*dimension, keys.collect())
        })
        .collect()
}

/// The conclusions that arrived, by key.
pub fn conclusions(sources: &[Delivery]) -> BTreeMap<String, String> {
    sources
        .iter()
        .filter_map(|source| Some((source.spec.key.clone(), source.conclusion.clone()?)))
        .collect()
}

/// The conclusion of the structural baseline, if it is delivered: the text behind its marker.
pub fn baseline_summary(sources: &[Delivery]) -> Option<&str> {
    let source = sources.iter().find(|source| source.spec.key == PRE_POST_DIFF)?;
    if !source.is_delivered(Dimension::ExistingFunctionalityIntact) {
        return None;
    }
    let DeliveryRule::Conclusion { marker } = &source.spec.rule else {
        return None;
    };
    source.conclusion.as_deref()?.strip_prefix(marker.as_str())
}

/// The dimensions that nothing can be delivered for: at least one source with text supports them, and every such source
/// follows the whole rule and is over the cap.
///
/// Missing sources, sources that merely did not fit, and those of the conclusion rule put nothing out of reach.
pub fn out_of_reach(sources: &[Delivery], cap: u64) -> Vec<OutOfReach> {
    let out_of_reach = |dimension: &Dimension| {
        let with_text: Vec<&Delivery> = sources
            .iter()
            .filter(|source| source.spec.supports.contains(dimension) && source.status.has_text())
            .collect();
        let is_out = !with_text.is_empty()
            && !sources.iter().any(|source| source.is_delivered(*dimension))
            && with_text
                .iter()
                .all(|source| source.spec.rule == DeliveryRule::Whole && source.total > cap);
        is_out.then(|| OutOfReach {
            dimension: *dimension,
            sources: with_text
                .iter()
                .map(|source| OverCap {
                    key: source.spec.key.clone(),
                    total: source.total,
                })
                .collect(),
        })
    };
    Dimension::ALL.iter().filter_map(out_of_reach).collect()
}

/// The first line of `text` that starts with `marker`, if all of it lies within the first `included` bytes: with its
/// line end, or at the end of the text. A carriage return before the line feed is no part of it.
pub fn marker_line<'a>(text: &'a str, marker: &str, included: usize) -> Option<&'a str> {
    let mut start = 0;
    while start < included {
        let rest = &text[start..];
        let (end, next) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(at) => (start + at, start + at + 1),
            None => (text.len(), text.len()),
        };
        if rest.starts_with(marker) {
            // Nothing behind the first such line counts, also when this one is cut.
            let line = &text[start..end];
            return (next <= included)
                .then(|| prefix(line.strip_suffix('\r').unwrap_or(line), MAX_CONCLUSION));
        }
        start = next;
    }
    None
}

/// The longest prefix of at most `limit` bytes that ends between two characters.
pub fn prefix(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = (0..=limit).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_line_counts_only_when_it_arrived_whole() {
        let text = "a\nV: one\r\nV: two\n";
        for (included, expected) in [
            (17, Some("V: one")),
            (10, Some("V: one")),
            (9, None),
            (2, None),
            (0, None),
        ] {
            assert_eq!(marker_line(text, "V: ", included), expected, "{included}");
        }
        assert_eq!(marker_line("x\nV: é", "V: ", 7), Some("V: é"));
        assert_eq!(marker_line("xV: no", "V: ", 6), None);
        assert_eq!(marker_line("V:", "V: ", 2), None);
        let long = format!("V: {}\n", "é".repeat(1000));
        assert_eq!(marker_line(&long, "V: ", long.len()).map(str::len), Some(999));
    }
}
