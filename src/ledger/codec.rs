//! One event, one line: canonical JSON with an id made of its own bytes.
//!
//! A line is judged from its bytes alone. Nothing here guesses: a line is an event, a line of a later version,
//! or corrupt with a reason. Reading takes time and memory linear in the length of the line.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Error, Result};
use crate::model::canonical;
use crate::model::event::{
    Body, Event, EventDraft, EvidenceAdded, EvidenceProof, EvidenceRun, LineDiscarded, NoteDiscarded,
    OriginPassed, Other, Person, QualityPart, QualityRecorded, Raised, Reopened, Resolved, ReviewAmended,
    ReviewClosed, ReviewOpened, ReviewPacket, ReviewRecorded, ReviewReply, ReviewRuled, Rewrite, Subject,
    VERSION, Verified, Waived,
};
use crate::model::ids::EventId;
use crate::model::words::words;

use self::scan::{Member, What};

mod scan;

/// The longest line, in bytes, without its line feed.
pub const MAX_LINE: usize = 64 * 1024;

/// What the id of an event is made of, besides its JSON.
const DOMAIN: &str = "review-gate/event/v1\n";

/// What a line that is not corrupt holds.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "taken apart at once, and nearly always an event"
)]
pub enum Line {
    /// An event of the version that is understood.
    Event(Event),
    /// An event of a later version: only its id and that version are known.
    Newer {
        /// Its id, which is right.
        id: EventId,
        /// Its version.
        v: u64,
    },
}

/// Why a line is corrupt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}: {detail}")]
pub struct Corrupt {
    /// The rule that it breaks.
    pub reason: Reason,
    /// Where, and what was found. May quote the line: sanitise it before it is shown.
    pub detail: String,
}

words! {
    /// The rules of a line.
    Reason {
        /// A blank line.
        Blank = "blank-line",
        /// Over 64 KiB.
        TooLong = "too-long",
        /// Not JSON in UTF-8.
        NotJson = "not-json",
        /// JSON, but not an object.
        NotAnObject = "not-an-object",
        /// A number that is not an integer within ±(2^53−1).
        Number = "float",
        /// Nested over 64 deep.
        TooDeep = "too-deep",
        /// JSON, but not in its canonical form.
        NotCanonical = "not-canonical",
        /// The id is absent, or not that of these bytes.
        WrongId = "wrong-id",
        /// A field of a known kind is absent or of the wrong type.
        Field = "wrong-field",
        /// The last line of a note, without its line feed.
        Unterminated = "no-final-newline",
    }
}

/// Reads one line, without its line feed.
pub fn decode(line: &[u8]) -> Result<Line, Corrupt> {
    if line.len() > MAX_LINE {
        return Err(corrupt(
            Reason::TooLong,
            format!("{} bytes, at most {MAX_LINE}", line.len()),
        ));
    }
    if line.iter().all(u8::is_ascii_whitespace) {
        return Err(corrupt(Reason::Blank, "nothing but white space"));
    }
    let text = std::str::from_utf8(line).map_err(|error| corrupt(Reason::NotJson, error.to_string()))?;
    let members = scan::members(text).map_err(|fault| classify(text, fault))?;
    let frame = Frame {
        text,
        members: &members,
    };
    let id = frame.verified_id()?;
    let v: u64 = frame.field("v")?;
    match v {
        0 => Err(corrupt(Reason::Field, "v is 0")),
        VERSION => frame.event(id).map(Line::Event),
        _ => Ok(Line::Newer { id, v }),
    }
}

/// Makes the event: its line in canonical form and the id of that.
///
/// Fails on what could not be read back: a line over the limit, a fraction, a known kind without its fields.
pub fn encode(draft: &EventDraft) -> Result<Event> {
    #[derive(Serialize)]
    struct Json<'a> {
        after: &'a [EventId],
        at: &'a str,
        body: &'a Body,
        by: &'a Person,
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<EventId>,
        kind: &'a str,
        subject: &'a Subject,
        v: u64,
    }
    let invalid = |cause: &(dyn std::error::Error + 'static)| {
        Error::new(
            "event-invalid",
            format!("cannot store a {} event", draft.body.kind()),
        )
        .caused_by(cause)
    };
    let mut json = Json {
        after: &draft.after,
        at: &draft.at,
        body: &draft.body,
        by: &draft.by,
        id: None,
        kind: draft.body.kind(),
        subject: &draft.subject,
        v: VERSION,
    };
    let digest = canonical::digest(DOMAIN, &json).map_err(|error| invalid(&error))?;
    json.id = Some(EventId(digest.0));
    let line = canonical::to_text(&json).map_err(|error| invalid(&error))?;
    // What is written is what readers accept: reading it back is the check.
    match decode(line.as_bytes()).map_err(|error| invalid(&error))? {
        Line::Event(event) => Ok(event),
        Line::Newer { .. } => unreachable!("the version is written above"),
    }
}

fn corrupt(reason: Reason, detail: impl Into<String>) -> Corrupt {
    Corrupt {
        reason,
        detail: detail.into(),
    }
}

/// The members of a canonical line.
struct Frame<'a> {
    text: &'a str,
    members: &'a [Member],
}

impl Frame<'_> {
    /// The key of a member as it is written, without its quotes.
    fn key(&self, member: &Member) -> &str {
        &self.text[member.key.start + 1..member.key.end - 1]
    }

    /// The value of a top-level member. The keys asked for need no escapes, so their canonical form is unique.
    fn value(&self, key: &str) -> Option<&str> {
        self.members
            .iter()
            .find(|member| self.key(member) == key)
            .map(|member| &self.text[member.value.clone()])
    }

    fn field<T: DeserializeOwned>(&self, key: &str) -> Result<T, Corrupt> {
        let value = self
            .value(key)
            .ok_or_else(|| corrupt(Reason::Field, format!("{key} is absent")))?;
        parse(key, value)
    }

    /// A field that must be an object: the parser of a struct alone would take an array of its values as well.
    fn object<T: DeserializeOwned>(&self, key: &str) -> Result<T, Corrupt> {
        match self.value(key) {
            Some(value) if !value.starts_with('{') => {
                Err(corrupt(Reason::Field, format!("{key} is not an object")))
            }
            _ => self.field(key),
        }
    }

    /// The id, if it is that of the line without it.
    fn verified_id(&self) -> Result<EventId, Corrupt> {
        let place = self.members.iter().position(|member| self.key(member) == "id");
        let place = place.ok_or_else(|| corrupt(Reason::WrongId, "id is absent"))?;
        let member = &self.members[place];
        let claimed: EventId = serde_json::from_str(&self.text[member.value.clone()])
            .map_err(|error| corrupt(Reason::WrongId, format!("id is {}", message(&error))))?;
        // A canonical object stays canonical when a member is cut out with the comma that parts it from the next one,
        // or, for the last one, from the one before.
        let (cut_from, cut_to) = if place + 1 < self.members.len() {
            (member.key.start, member.value.end + 1)
        } else if place > 0 {
            (member.key.start - 1, member.value.end)
        } else {
            (member.key.start, member.value.end)
        };
        let text = self.text.as_bytes();
        let digest = canonical::digest_of(&[DOMAIN.as_bytes(), &text[..cut_from], &text[cut_to..]]);
        if digest.0 == claimed.0 {
            Ok(claimed)
        } else {
            Err(corrupt(
                Reason::WrongId,
                format!("id is {claimed}, that of the line is {digest}"),
            ))
        }
    }

    fn event(&self, id: EventId) -> Result<Event, Corrupt> {
        let kind: String = self.field("kind")?;
        Ok(Event {
            id,
            after: self.field("after")?,
            at: self.field("at")?,
            by: self.object("by")?,
            subject: self.object("subject")?,
            body: self.body(kind)?,
            line: self.text.into(),
        })
    }

    fn body(&self, kind: String) -> Result<Body, Corrupt> {
        match kind.as_str() {
            Raised::KIND => self.typed::<Raised>(),
            Resolved::KIND => self.typed::<Resolved>(),
            Verified::KIND => self.typed::<Verified>(),
            Reopened::KIND => self.typed::<Reopened>(),
            Waived::KIND => self.typed::<Waived>(),
            OriginPassed::KIND => self.typed::<OriginPassed>(),
            Rewrite::KIND => self.typed::<Rewrite>(),
            LineDiscarded::KIND => self.typed::<LineDiscarded>(),
            NoteDiscarded::KIND => self.typed::<NoteDiscarded>(),
            ReviewOpened::KIND => self.typed::<ReviewOpened>(),
            ReviewAmended::KIND => self.typed::<ReviewAmended>(),
            ReviewClosed::KIND => self.typed::<ReviewClosed>(),
            ReviewPacket::KIND => self.typed::<ReviewPacket>(),
            ReviewRecorded::KIND => self.typed::<ReviewRecorded>(),
            ReviewReply::KIND => self.typed::<ReviewReply>(),
            ReviewRuled::KIND => self.typed::<ReviewRuled>(),
            EvidenceAdded::KIND => self.typed::<EvidenceAdded>(),
            EvidenceRun::KIND => self.typed::<EvidenceRun>(),
            EvidenceProof::KIND => self.typed::<EvidenceProof>(),
            QualityRecorded::KIND => self.typed::<QualityRecorded>(),
            QualityPart::KIND => self.typed::<QualityPart>(),
            _ => self.other(kind),
        }
    }

    fn typed<T: DeserializeOwned + Into<Body>>(&self) -> Result<Body, Corrupt> {
        self.object::<T>("body").map(Into::into)
    }

    fn other(&self, kind: String) -> Result<Body, Corrupt> {
        let value: Value = self.field("body")?;
        Ok(Body::Other(Other { kind, value }))
    }
}

fn parse<T: DeserializeOwned>(key: &str, value: &str) -> Result<T, Corrupt> {
    serde_json::from_str(value).map_err(|error| corrupt(Reason::Field, format!("{key}: {}", message(&error))))
}

/// What a JSON error says, without the position: it would be that within a part of the line.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// Says why a line that did not scan is corrupt. Only such lines pay for a second look.
fn classify(text: &str, fault: scan::Fault) -> Corrupt {
    if fault.what == What::TooDeep {
        return corrupt(
            Reason::TooDeep,
            format!("byte {}: nested over {} deep", fault.at, scan::MAX_DEPTH),
        );
    }
    match serde_json::from_str::<Value>(text) {
        Err(error) => corrupt(
            Reason::NotJson,
            format!("byte {}: {}", error.column(), message(&error)),
        ),
        Ok(Value::Object(_)) if fault.what == What::DuplicateKey => corrupt(
            Reason::NotCanonical,
            format!("byte {}: the key stands there twice", fault.at),
        ),
        Ok(value @ Value::Object(_)) => match wrong_number(&value) {
            Some(number) => corrupt(
                Reason::Number,
                format!("{number} is not an integer within ±(2^53−1)"),
            ),
            None => corrupt(
                Reason::NotCanonical,
                format!("byte {} is not in canonical form", fault.at),
            ),
        },
        Ok(_) => corrupt(Reason::NotAnObject, "JSON, but not an object"),
    }
}

/// The first number that an event must not hold. The depth of `value` is bounded by its parser.
fn wrong_number(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            let magnitude = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            let exact = magnitude.is_some_and(|magnitude| magnitude <= scan::MAX_INTEGER);
            (!exact).then(|| number.to_string())
        }
        Value::Array(items) => items.iter().find_map(wrong_number),
        Value::Object(members) => members.values().find_map(wrong_number),
        Value::Null | Value::Bool(_) | Value::String(_) => None,
    }
}
