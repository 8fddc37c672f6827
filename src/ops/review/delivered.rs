//! What a stored packet delivers, once it is certain that it is what it says.

use super::at::mismatch;
use super::sources;
use crate::error::Result;
use crate::git::Repo;
use crate::model::canonical;
use crate::model::delivery::{Content, Origin};
use crate::model::event::ReviewPacket;
use crate::model::policy::DeliveryRule;
use crate::review::delivered::{Delivery, marker_line};
use crate::review::source_list::{self, Context};
use crate::review::stored;

/// What is delivered: the id is the digest of the manifest, the sources are those of the policy, and each file that was
/// read from the tree is still the same.
pub fn deliveries(repo: &Repo, context: &Context<'_>, packet: &ReviewPacket) -> Result<Vec<Delivery>> {
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
        let content = sources::file(repo, manifest.head_tree, spec)?;
        let (bytes, text): (Option<&[u8]>, _) = match &content {
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
