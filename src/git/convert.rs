//! Between our ids and errors and those of gix.

use crate::error::Error;
use crate::model::ids::Oid;

/// Our form of a gix object id.
pub(super) fn from_gix(id: &gix::oid) -> Oid {
    Oid::from_bytes(id.as_bytes()).expect("gix knows ids of 20 and 32 bytes only")
}

/// The gix form of an object id.
pub(super) fn to_gix(id: Oid) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(id.as_bytes())
}

/// An error of `kind` with the whole chain of what gix said.
pub(super) fn error(kind: &'static str, message: impl Into<String>, cause: &gix::Error) -> Error {
    Error::new(kind, message).caused_by(cause)
}
