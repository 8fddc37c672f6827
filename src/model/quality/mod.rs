//! The quality matrix as plain values: areas, gates, and the documents that say what a review process came to.

pub mod area;
pub mod comparison;
pub mod corpus;
pub mod document;

pub use self::area::{Area, AreaStatus, AreaSummary, MINIMUM_SCORE};
pub use self::comparison::{Change, Compared, Comparison, Operand};
pub use self::document::{BaselineUsed, Decision, Document, EvidenceKind, GateResult, Overview, Source};
