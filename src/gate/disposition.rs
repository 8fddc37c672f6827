//! Which lines of a push are judged, and by which gate; the others pass, or are denied, and it is said why.

use crate::error::{Error, Result};
use crate::model::ids::{CommitId, Oid};
use crate::model::policy::GateName;
use crate::model::policy::effective::{EffectiveGate, Policies};
use crate::model::policy::levels::{DeletionsLevel, QualityLevel};
use crate::model::push::{PushKind, PushUpdate};
use crate::model::text::sanitise_bytes;

/// What must be known of the repository to dispose of a line.
pub trait PushedObjects {
    /// What an object is, once all tags are peeled. An object that is not here is an error.
    fn peel(&self, id: Oid) -> Result<Peeled>;

    /// Whether the remote has this commit already: a ref that it is known to have contains it.
    fn remote_has(&self, commit: CommitId) -> Result<bool>;
}

/// What is left of an object when tags are peeled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peeled {
    /// A commit.
    Commit(CommitId),
    /// A blob or a tree.
    NotACommit,
}

/// What becomes of one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disposition {
    /// It is judged by this gate.
    Gated {
        /// What is judged.
        commit: CommitId,
        /// What it must satisfy.
        gate: EffectiveGate,
    },
    /// A tag whose commits the remote has: it passes, but where the gate asks for a quality record.
    TagKnown {
        /// The tagged commit.
        commit: CommitId,
        /// The gate of the tag, where it asks for a quality record.
        quality: Option<EffectiveGate>,
    },
    /// A tag of a blob or a tree: it passes, and that is said.
    NotACommit,
    /// No gate is for this ref: it passes.
    NotGated,
    /// Our own notes: they are never judged.
    OwnNotes,
    /// The deletion may pass.
    DeletionAllowed(GateName),
    /// The deletion is denied by this gate; `None` for our own notes, which nothing may delete.
    DeletionDenied(Option<GateName>),
}

/// Says what becomes of one line under the policies that hold for it.
///
/// The ref on the remote decides, whatever the source is called.
pub fn dispose(
    update: &PushUpdate,
    policies: &Policies<'_>,
    objects: &dyn PushedObjects,
) -> Result<Disposition> {
    let deletes = update.kind() == PushKind::Delete;
    if policies.base.is_own_ref(&update.remote_ref) {
        return Ok(if deletes {
            Disposition::DeletionDenied(None)
        } else {
            Disposition::OwnNotes
        });
    }
    let Some(gate) = policies.effective(&update.remote_ref) else {
        return Ok(Disposition::NotGated);
    };
    if deletes {
        return Ok(match gate.levels.deletions {
            DeletionsLevel::Allow => Disposition::DeletionAllowed(gate.name()),
            DeletionsLevel::Deny => Disposition::DeletionDenied(Some(gate.name())),
        });
    }
    let is_tag = update.remote_ref.starts_with(b"refs/tags/");
    match objects.peel(update.local_id)? {
        Peeled::NotACommit if is_tag => Ok(Disposition::NotACommit),
        Peeled::NotACommit => Err(Error::new(
            "not-a-commit",
            format!(
                "{} is to become something that is no commit",
                sanitise_bytes(&update.remote_ref)
            ),
        )
        .because(format!(
            "{} is a blob or a tree, which cannot be judged",
            update.local_id
        ))
        .hint(format!("git cat-file -t {}", update.local_id))),
        Peeled::Commit(commit) if is_tag && objects.remote_has(commit)? => {
            let quality = (gate.levels.quality == QualityLevel::Required).then_some(gate);
            Ok(Disposition::TagKnown { commit, quality })
        }
        Peeled::Commit(commit) => Ok(Disposition::Gated { commit, gate }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::policy::levels::Levels;
    use crate::model::policy::pattern::RefPattern;
    use crate::model::policy::{Gate, Policy};

    struct Repository {
        peeled: Peeled,
        remote_has: bool,
    }

    impl PushedObjects for Repository {
        fn peel(&self, _: Oid) -> Result<Peeled> {
            Ok(self.peeled)
        }

        fn remote_has(&self, _: CommitId) -> Result<bool> {
            Ok(self.remote_has)
        }
    }

    fn id(byte: u8) -> Oid {
        Oid::from_bytes(&[byte; 20]).unwrap()
    }

    fn dispose_of(name: &str, local: u8, repository: &Repository) -> Result<Disposition> {
        let mut levels = Levels::built_in();
        levels.quality = QualityLevel::Required;
        let policy = Policy {
            gates: vec![Gate {
                refs: vec![RefPattern::new("refs/tags/v*").unwrap()],
                levels,
            }],
            ..Policy::default()
        };
        let update = PushUpdate {
            local_ref: b"HEAD".to_vec(),
            local_id: id(local),
            remote_ref: name.into(),
            remote_id: id(9),
        };
        let policies = Policies {
            base: &policy,
            base_tip: None,
            head: Some(&policy),
        };
        dispose(&update, &policies, repository)
    }

    #[test]
    fn a_known_tag_may_still_need_a_quality_record() {
        let known = Repository {
            peeled: Peeled::Commit(CommitId(id(1))),
            remote_has: true,
        };
        for (name, asked) in [("refs/tags/v1", true), ("refs/tags/other", false)] {
            match dispose_of(name, 1, &known).unwrap() {
                Disposition::TagKnown { quality, .. } => assert_eq!(quality.is_some(), asked, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        // Only for tags does it matter what the remote has.
        assert!(matches!(
            dispose_of("refs/heads/a", 1, &known),
            Ok(Disposition::Gated { .. })
        ));
    }

    #[test]
    fn our_notes_pass_and_are_never_deleted() {
        let blob = Repository {
            peeled: Peeled::NotACommit,
            remote_has: false,
        };
        let own = "refs/notes/review-gate/findings";
        assert_eq!(dispose_of(own, 1, &blob), Ok(Disposition::OwnNotes));
        assert_eq!(dispose_of(own, 0, &blob), Ok(Disposition::DeletionDenied(None)));
        assert_eq!(
            dispose_of("refs/notes/other", 0, &blob),
            Ok(Disposition::NotGated)
        );
        assert_eq!(dispose_of("refs/tags/v1", 1, &blob), Ok(Disposition::NotACommit));
        assert_eq!(
            dispose_of("refs/heads/a", 1, &blob).unwrap_err().kind,
            "not-a-commit"
        );
    }
}
