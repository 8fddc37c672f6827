//! The one integration binary: the built command against real repositories, and the cases.

mod support;
