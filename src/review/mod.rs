//! Reviews: goals, criteria and the identity of a review.
