//! Reviews: goals, criteria and the identity of a review.

pub mod evidence;
pub mod goal;
pub mod path;
pub mod registry;
