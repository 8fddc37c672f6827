//! `quality schema`: the JSON Schemas of the documents that are read.

pub use crate::quality::schema::{DocumentName, schema};
