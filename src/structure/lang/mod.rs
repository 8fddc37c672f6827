//! The languages that can be measured, one module each.

pub mod rust;
