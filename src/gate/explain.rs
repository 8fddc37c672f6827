//! What `explain` prints about a rule, a kind of fact, or a policy key of the gate; pure text.

mod example;
mod examples;

use std::fmt::Write as _;

pub use self::example::{Change, Entry, Example, Tree};
pub use self::examples::EXAMPLES;
use super::rules::RULES;
use crate::model::decision::RuleId;
use crate::model::fact::FactKind;

/// What can be explained by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// A rule of the gate.
    Rule(RuleId),
    /// A kind of structural fact.
    Kind(FactKind),
    /// The policy in force; its text is made by [`crate::gate`]'s caller from what was read.
    Policy,
}

impl Topic {
    /// The topic of this name.
    pub fn named(name: &str) -> Option<Self> {
        if name == "policy" {
            return Some(Self::Policy);
        }
        let rule = RuleId::ALL.iter().find(|rule| rule.as_str() == name);
        rule.map(|rule| Self::Rule(*rule))
            .or_else(|| FactKind::from_word(name).map(Self::Kind))
    }

    /// Every name, in the order in which they are listed.
    pub fn names() -> Vec<&'static str> {
        let rules = RuleId::ALL.iter().map(|rule| rule.as_str());
        let kinds = FactKind::ALL.iter().map(|kind| kind.word());
        std::iter::once("policy").chain(rules).chain(kinds).collect()
    }
}

/// The text on one rule: heading, when it blocks, paragraphs. Lines are not wrapped.
pub fn rule(id: RuleId) -> String {
    let rule = RULES
        .iter()
        .find(|rule| rule.id == id)
        .expect("every rule id is in the registry, see its test");
    format!("{id}: blocks when {}\n\n{}\n", rule.blocks, rule.explain)
}

/// The text on one kind of fact, with an example that has it and one that has not. Lines are not wrapped; indented ones
/// are to be shown as they are.
pub fn kind(kind: FactKind) -> String {
    let mut text = format!("{}: {}\n\n", kind.word(), kind.states());
    let class = match kind.class() {
        crate::model::fact::Class::Drift => "It is in the default drift set.",
        crate::model::fact::Class::Add => "It is an addition, not drift unless the policy lists it.",
        crate::model::fact::Class::Note => "It is a note, not drift unless the policy lists it.",
    };
    let tier = match kind.tier() {
        crate::model::fact::Tier::E => "It follows from names and tokens alone.",
        crate::model::fact::Tier::H => "It is a pattern; both lines of evidence are printed with it.",
    };
    let example = EXAMPLES
        .iter()
        .find(|example| example.kind == kind)
        .expect("every kind has an example, see the test");
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{class} {tier}\n\n{}Policy: `drift` of [baseline].\n",
        example.shown()
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_topic_with_a_text() {
        let names = Topic::names();
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].contains(name), "{name} is there twice");
            let text = match Topic::named(name).unwrap() {
                Topic::Rule(id) => rule(id),
                Topic::Kind(of) => kind(of),
                Topic::Policy => continue,
            };
            assert!(text.starts_with(&format!("{name}: ")), "{text}");
            assert!(text.ends_with(".\n"), "{text}");
        }
        assert_eq!(Topic::named("findings"), None);
    }

    #[test]
    fn every_kind_has_one_example_that_fits_on_a_screen() {
        let kinds: Vec<_> = EXAMPLES.iter().map(|example| example.kind).collect();
        assert_eq!(kinds, FactKind::ALL);
        for example in EXAMPLES {
            let shown = example.shown();
            assert!(shown.lines().count() <= 60, "{shown}");
            assert!(
                shown
                    .lines()
                    .all(|line| !line.starts_with(' ') || line.chars().count() <= 80),
                "{shown}"
            );
        }
    }
}
