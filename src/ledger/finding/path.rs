//! The shape of a path inside a repository, before any tree is asked.

use super::refusal::Reason;

/// The longest path, in characters.
const MAX_CHARS: usize = 300;

/// The first rule that a path breaks by its shape. Spaces, any letters and names like placeholders are fine.
pub(super) fn fault(path: &str) -> Option<Reason> {
    if path.trim().is_empty() {
        Some(Reason::Empty)
    } else if path.chars().count() > MAX_CHARS {
        Some(Reason::TooLong)
    } else if path.chars().any(char::is_control) {
        Some(Reason::ControlCharacter)
    } else if path.starts_with('/') {
        Some(Reason::Absolute)
    } else if matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic()) {
        Some(Reason::DriveLetter)
    } else if path.contains('\\') {
        Some(Reason::Backslash)
    } else if path.split('/').any(|segment| matches!(segment, "." | "..")) {
        Some(Reason::DotSegment)
    } else if path.split('/').any(str::is_empty) {
        Some(Reason::EmptySegment)
    } else {
        None
    }
}
