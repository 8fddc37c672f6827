//! The quality matrix: measurements of a review process → scores, gates and a decision. Pure.
//!
//! [`input`] and [`campaign`] read what was measured, strictly; [`areas`] and [`gates`] score it; [`evaluate`] and
//! [`campaign`] make the report of it; [`stored`] reads a report back; [`compare`] sets two side by side.

pub mod areas;
pub mod campaign;
pub mod collect;
pub mod compare;
pub mod corpus;
pub mod document;
pub mod evaluate;
pub mod gates;
pub mod input;
pub mod primitive;
pub mod protocol;
pub mod schema;
pub mod score;
pub mod stored;
pub mod table;
