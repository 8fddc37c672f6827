//! What an examination of the ledger found.

use schemars::JsonSchema;
use serde::Serialize;

use super::words::words;

words! {
    /// How bad something is.
    Gravity {
        /// Not as it must be.
        Fault = "fault",
        /// Worth knowing, and no harm to what the gate decides.
        Warning = "warning",
    }
}

words! {
    /// What is wrong.
    FaultKind {
        /// A line that is no event.
        CorruptLine = "corrupt-line",
        /// A line that a later version has written.
        NewerLine = "newer-line",
        /// A note that is too large to be read.
        OverLimit = "over-limit",
        /// Two notes on one object.
        DoubleNote = "double-note",
        /// An event names a predecessor that is nowhere.
        MissingAfter = "missing-after",
        /// The ref lacks lines that its history had.
        LostLines = "lost-lines",
        /// The ref was moved back from what it was seen to hold.
        Rewound = "rewound",
        /// Events of an interrupted command that cannot be read.
        Pending = "pending",
        /// A note on an object that is not in this clone.
        MissingAnchor = "missing-anchor",
        /// An event closes or confirms one that is nowhere.
        Dangling = "dangling",
        /// A line that stands before a smaller one, or twice.
        Unsorted = "unsorted",
        /// A corrupt line, or a note, that was set aside.
        Discarded = "discarded",
    }
}

impl FaultKind {
    /// How bad it is.
    pub const fn gravity(self) -> Gravity {
        match self {
            Self::CorruptLine
            | Self::NewerLine
            | Self::OverLimit
            | Self::DoubleNote
            | Self::MissingAfter
            | Self::LostLines
            | Self::Rewound
            | Self::Pending => Gravity::Fault,
            Self::MissingAnchor | Self::Dangling | Self::Unsorted | Self::Discarded => Gravity::Warning,
        }
    }
}

/// What an examination found, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FsckReport {
    /// Always `review-gate/fsck`.
    pub schema: &'static str,
    /// Always 1.
    pub version: u32,
    /// What was looked at.
    pub refs: Vec<Examined>,
    /// What is wrong, sorted; the worst first.
    pub faults: Vec<Fault>,
    /// How many more there are than are listed.
    pub omitted: usize,
    /// What was repaired or set aside, before the examination.
    pub repaired: Vec<String>,
}

impl FsckReport {
    /// Whether nothing is wrong, warnings aside.
    pub fn is_sound(&self) -> bool {
        self.omitted == 0 && self.faults.iter().all(|fault| fault.gravity == Gravity::Warning)
    }
}

/// One notes ref.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Examined {
    /// Full name.
    pub name: String,
    /// How many commits its history has.
    pub commits: usize,
    /// How many notes.
    pub notes: usize,
    /// How many events.
    pub events: usize,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Fault {
    /// How bad it is.
    pub gravity: Gravity,
    /// What it is.
    pub kind: FaultKind,
    /// Full name of the ref; null when it is not about a ref.
    #[serde(rename = "ref")]
    pub notes_ref: Option<String>,
    /// The object whose note it is about.
    pub anchor: Option<String>,
    /// Number of the line, counted from 1.
    pub line: Option<usize>,
    /// The digest by which it can be set aside with `--discard`.
    pub digest: Option<String>,
    /// The same for people.
    pub message: String,
}
