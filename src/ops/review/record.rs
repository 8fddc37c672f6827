//! `review record`: check a reviewer's answer against its packet, put it through the gates, and keep it.

use super::answer::{self, Answer};
use super::at::{ReviewAt, no_review};
use super::delivered::{self, Files};
use super::show;
use super::stored;
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::model::event::Event;
use crate::model::outcome::review::Shown;
use crate::model::text::sanitise;
use crate::ops::desk::Desk;
use crate::review::reply;

/// What is recorded.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The review; the open one of the branch when absent.
    pub review: Option<String>,
    /// At least eight digits of the packet's id; the newest packet of HEAD when absent.
    pub packet: Option<String>,
    /// In whose name; `reviewer` when absent.
    pub origin: Option<String>,
    /// The reply, as the reviewer wrote it.
    pub reply: Vec<u8>,
}

/// The origin of a record when none is named.
pub const REVIEWER: &str = "reviewer";

/// Records the answer; what it says is said by what stands afterwards.
pub fn record(request: &Request) -> Result<Shown> {
    let origin = request.origin.as_deref().unwrap_or(REVIEWER);
    check_origin(origin)?;
    let repo = Repo::open()?;
    let desk = Desk::open_to_write(&repo)?;
    let mut warnings = desk.put_back.clone();
    let review = desk.review(request.review.as_deref())?.ok_or_else(no_review)?;
    let stored = desk.events_of(&review.id)?;
    let events: Vec<&Event> = stored.iter().map(|one| &one.event).collect();
    let packet = stored::find_packet(&events, &review.id, request.packet.as_deref(), desk.head)?.body;
    let (head, id) = (desk.head, review.id.clone());
    let at = ReviewAt::of_packet(desk, review, &packet.manifest)?;
    at.refuse_unfit()?;
    let deliveries = delivered::deliveries(&Files::new(&repo), &at.context(), packet)?;
    let parsed = reply::parse(&request.reply, id.as_str()).map_err(Error::from)?;
    let judged = answer::judge(&at, packet, &deliveries, &parsed)?;
    if at.head != head {
        warnings.push(format!(
            "the packet is of commit {}, not of HEAD: the record is stale",
            at.head.short()
        ));
    }
    if packet.manifest.goal_digest != at.review.goal_digest() {
        warnings.push("the goal was amended after the packet was made: the record is stale".to_owned());
    }
    let raw = String::from_utf8(request.reply.clone()).expect("a reply that was read is UTF-8");
    let recorded = answer::keep(
        &at,
        packet,
        &Answer {
            raw,
            judged,
            origin: origin.to_owned(),
            attempts: Vec::new(),
        },
    )?;
    let mut shown = show::show(&show::Request {
        review: Some(id.as_str().to_owned()),
        rev: None,
    })?;
    shown.wrote = Some(recorded);
    shown.warnings.splice(0..0, warnings);
    Ok(shown)
}

/// An origin is `[A-Za-z0-9][A-Za-z0-9._-]{0,63}`.
pub fn check_origin(origin: &str) -> Result<()> {
    let mut bytes = origin.bytes();
    let fine = bytes.next().is_some_and(|first| first.is_ascii_alphanumeric())
        && origin.len() <= 64
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    if fine {
        return Ok(());
    }
    Err(
        Error::new("usage", format!("{:?} is not an origin", sanitise(origin)))
            .because(
                "an origin has at most 64 letters, digits, `.`, `_` and `-`, the first a letter or digit",
            )
            .hint("git review-gate review record --origin alice reply.json"),
    )
}
