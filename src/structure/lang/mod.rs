//! The languages that can be measured, one module each.

pub mod rust;

use super::outline::Outline;

/// The scanner of a language, by its id; `None` for one that is known by name only.
pub fn scanner(id: &str) -> Option<&'static dyn Outline> {
    match id {
        "rust" => Some(&rust::Rust),
        _ => None,
    }
}
