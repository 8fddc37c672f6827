//! The languages that can be measured, one module each.

mod beside;
pub mod go;
pub mod python;
mod reading;
pub mod rust;
mod tolerances;
pub mod typescript;

use super::language::Language;
use super::outline::Outline;

/// The scanner of a language; `None` for one that is known by name only.
pub fn scanner(language: Language) -> Option<&'static dyn Outline> {
    match language.id() {
        "go" => Some(&go::Go),
        "python" => Some(&python::Python),
        "rust" => Some(&rust::Rust),
        "typescript" => Some(&typescript::TypeScript),
        _ => None,
    }
}
