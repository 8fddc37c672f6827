//! The review of a design document: its sections, the identity of a defect, edits, and the rules of the loop; pure.

pub mod edits;
pub mod machine;
pub mod phrase;
pub mod report;
pub mod slug;
