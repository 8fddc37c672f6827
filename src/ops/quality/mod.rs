//! The quality of the review process: score what was measured, compare, record it on the judged commit, show it.

pub mod block;
pub mod collect;
pub mod compare;
pub mod corpus;
pub mod evaluate;
pub mod place;
pub mod protocol;
pub mod record;
pub mod schema;
pub mod show;
pub mod source;
