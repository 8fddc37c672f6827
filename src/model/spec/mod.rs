//! The review of a design document as plain values: its words, the sidecar file, and the events of its log.

pub mod event;
pub mod extra;
pub mod id;
pub mod sidecar;
pub mod token;
pub mod work;

pub use self::event::{Event, FixResult, Fixes, Reported};
pub use self::extra::Extra;
pub use self::id::SrId;
pub use self::sidecar::{DecisionMade, Edit, Entry, Finding, Judgement, Rejected, Round, Sidecar};
pub use self::token::{Choice, Decision, Lens, Mode, Outcome, Phase, Severity, Status, Verdict};
pub use self::work::{Caps, OpenRound, ReviewGate};
