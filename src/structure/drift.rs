//! Which facts are drift: the policy's set, and what the goal of the open review authorises.

use crate::model::fact::{Class, Fact, FactKind, Surface};
use crate::model::glob::{Glob, GlobError};
use crate::model::goal::Authorization;
use crate::model::measured::Unused;
use crate::model::policy::DriftKinds;

/// Whether facts of a kind are drift under a policy.
pub fn in_set(kind: FactKind, drift: &DriftKinds) -> bool {
    (drift.default && kind.class() == Class::Drift) || drift.kinds.contains(&kind)
}

/// The kinds that are drift under a policy, in order.
pub fn kinds(drift: &DriftKinds) -> Vec<FactKind> {
    let all = FactKind::ALL.iter().copied();
    all.filter(|kind| in_set(*kind, drift)).collect()
}

/// One glob of the goal, parsed.
#[derive(Debug, Clone)]
pub struct Authorized {
    /// The criterion in whose terms it is.
    pub criterion: String,
    /// The surface it is for.
    pub surface: Surface,
    /// As written.
    pub text: String,
    glob: Glob,
    on_key: bool,
}

/// Parses the globs of the goal; the error names the one that cannot be.
pub fn parse(entries: &[Authorization]) -> Result<Vec<Authorized>, (String, GlobError)> {
    let mut parsed = Vec::new();
    for entry in entries {
        let lists = [
            (Surface::Tests, &entry.tests),
            (Surface::Api, &entry.api),
            (Surface::Behaviour, &entry.golden),
        ];
        for (surface, globs) in lists {
            for text in globs {
                let on_key = text.contains('#');
                let glob = if on_key { Glob::key(text) } else { Glob::path(text) };
                parsed.push(Authorized {
                    criterion: entry.criterion.clone(),
                    surface,
                    text: text.clone(),
                    glob: glob.map_err(|error| (text.clone(), error))?,
                    on_key,
                });
            }
        }
    }
    Ok(parsed)
}

/// Sets `drift` and `authorised_by` of all facts; returns what matched nothing, sorted.
pub fn judge(facts: &mut [Fact], drift: &DriftKinds, goal: &[Authorized]) -> Vec<Unused> {
    let mut used = vec![false; goal.len()];
    for fact in facts {
        fact.drift = in_set(fact.kind, drift);
        if !fact.drift {
            continue;
        }
        for (entry, used) in goal.iter().zip(&mut used) {
            let text = if entry.on_key { &fact.key } else { &fact.path };
            if entry.surface == fact.kind.surface() && entry.glob.matches(text.as_bytes()) {
                *used = true;
                fact.authorised_by.push(entry.criterion.clone());
            }
        }
        fact.authorised_by.sort();
        fact.authorised_by.dedup();
        fact.drift = fact.authorised_by.is_empty();
    }
    let mut unused: Vec<_> = goal
        .iter()
        .zip(used)
        .filter(|(_, used)| !used)
        .map(|(entry, _)| Unused {
            criterion: entry.criterion.clone(),
            surface: entry.surface,
            glob: entry.text.clone(),
        })
        .collect();
    unused.sort();
    unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matching_fact_is_no_drift_and_the_rest_is_unused() {
        let entry = Authorization {
            criterion: "AC-2".to_owned(),
            api: vec!["rust:crate#fn *".to_owned(), "src/*.rs".to_owned()],
            tests: vec!["tests/**".to_owned()],
            golden: Vec::new(),
        };
        let goal = parse(&[entry]).unwrap();
        let mut facts = vec![
            Fact::new(FactKind::ApiRemoved, "rust:crate#fn a", "src/lib.rs"),
            Fact::new(FactKind::ApiRemoved, "rust:crate::b#struct a", "src/b/c.rs"),
            Fact::new(FactKind::ApiAdded, "rust:crate#fn z", "src/lib.rs"),
        ];
        let unused = judge(&mut facts, &DriftKinds::default(), &goal);
        let drift: Vec<_> = facts.iter().map(|fact| fact.drift).collect();
        assert_eq!(drift, [false, true, false]);
        assert_eq!(facts[0].authorised_by, ["AC-2"]);
        assert_eq!(
            unused
                .iter()
                .map(|unused| unused.glob.as_str())
                .collect::<Vec<_>>(),
            ["tests/**"]
        );
    }

    #[test]
    fn the_policy_adds_and_takes_out_kinds() {
        let drift = DriftKinds {
            default: false,
            kinds: [FactKind::ApiWidened].into(),
        };
        assert_eq!(kinds(&drift), [FactKind::ApiWidened]);
    }
}
