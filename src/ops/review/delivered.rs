//! What a stored packet delivers, once it is certain that it is what it says.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::at::mismatch;
use super::sources;
use crate::error::Result;
use crate::git::Repo;
use crate::model::canonical;
use crate::model::delivery::{Content, Origin, SourceSpec};
use crate::model::event::ReviewPacket;
use crate::model::ids::TreeId;
use crate::model::policy::DeliveryRule;
use crate::review::delivered::{Delivery, marker_line};
use crate::review::source_list::{self, Context};
use crate::review::stored;

/// A path in a tree; `None` where a goal names none.
type Place = (TreeId, Option<String>);

/// Files of trees, each read once.
#[derive(Debug)]
pub struct Files<'r> {
    repo: &'r Repo,
    read: RefCell<HashMap<Place, Rc<Content>>>,
}

impl<'r> Files<'r> {
    /// Nothing is read yet.
    pub fn new(repo: &'r Repo) -> Self {
        Self {
            repo,
            read: RefCell::default(),
        }
    }

    fn read(&self, tree: TreeId, spec: &SourceSpec) -> Result<Rc<Content>> {
        let place = (tree, spec.at.clone());
        if let Some(content) = self.read.borrow().get(&place) {
            return Ok(Rc::clone(content));
        }
        let content = Rc::new(sources::file(self.repo, tree, spec)?);
        self.read.borrow_mut().insert(place, Rc::clone(&content));
        Ok(content)
    }
}

/// What is delivered: the id is the digest of the manifest, the sources are those of the policy, and each file that was
/// read from the tree is still the same.
pub fn deliveries(files: &Files<'_>, context: &Context<'_>, packet: &ReviewPacket) -> Result<Vec<Delivery>> {
    let manifest = &packet.manifest;
    let specs = source_list::list(&Context {
        baseline: manifest.baseline_digest.as_ref(),
        ..*context
    });
    let deliveries = stored::deliveries(packet, &specs, u64::from(context.policy.total_bytes))?;
    for (delivery, source) in deliveries.iter().zip(&manifest.sources) {
        let spec = &delivery.spec;
        if spec.origin != Origin::Tree {
            continue;
        }
        let content = files.read(manifest.head_tree, spec)?;
        let (bytes, text): (Option<&[u8]>, _) = match &*content {
            Content::Text(text) => (Some(text.as_bytes()), Some(text.as_str())),
            Content::Empty(bytes) => (Some(bytes), None),
            Content::Missing(_) | Content::NotInTree | Content::Unreadable(_) => (None, None),
        };
        if bytes.map(|bytes| canonical::digest_of(&[bytes])) != source.digest {
            return Err(mismatch(format!("the source {} is not what it was", spec.key)));
        }
        let conclusion = match (&spec.rule, text) {
            (DeliveryRule::Conclusion { marker }, Some(text)) => {
                let included = usize::try_from(source.included).map_or(text.len(), |n| n.min(text.len()));
                marker_line(text, marker, included)
            }
            _ => None,
        };
        if delivery.conclusion.as_deref() != conclusion {
            return Err(mismatch(format!("the conclusion of {} is not in it", spec.key)));
        }
    }
    Ok(deliveries)
}
