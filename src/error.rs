//! The one error type: what could not be decided, why, and the command that helps.

use std::fmt;

/// Why something was not decided. Always exit code 2.
///
/// Printed as `error: <message>`, then `  caused by: <cause>` for the whole chain, then `hint: <hint>` lines.
/// As JSON: `{"error": {"kind", "message", "hints"}}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// A stable word for programs, such as `no-review` or `usage`.
    pub kind: &'static str,
    /// One sentence for people, without final full stop.
    pub message: String,
    /// The chain of causes, nearest first.
    pub causes: Vec<String>,
    /// What to do next; commands stand alone on their line.
    pub hints: Vec<String>,
}

/// A result whose error means "not decided".
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of this `kind` with a message for people.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            causes: Vec::new(),
            hints: Vec::new(),
        }
    }

    /// Adds a cause and everything that caused it.
    #[must_use]
    pub fn caused_by(mut self, cause: &(dyn std::error::Error + 'static)) -> Self {
        let mut next = Some(cause);
        while let Some(cause) = next {
            let text = cause.to_string();
            // Names of error classes say nothing to people.
            let is_class = !text.contains(' ') && text.starts_with(|c: char| c.is_ascii_uppercase());
            // Wrappers often repeat the text of what they wrap; once is enough.
            if !is_class && self.causes.last().is_none_or(|last| *last != text) {
                self.causes.push(text);
            }
            next = cause.source();
        }
        self
    }

    /// Adds a cause that is only a text.
    #[must_use]
    pub fn because(mut self, cause: impl Into<String>) -> Self {
        self.causes.push(cause.into());
        self
    }

    /// Adds what to do next: a command, or a sentence.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl Error {
    /// The same with something to do next, where nothing more to the point is known.
    #[must_use]
    pub fn or_hint(self) -> Self {
        if !self.hints.is_empty() {
            return self;
        }
        let hint = match self.kind {
            // A full or read-only disk is what it usually is.
            "io" => "df -h .",
            "usage" => "git review-gate -h",
            _ => "git review-gate fsck",
        };
        self.hint(hint)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for cause in &self.causes {
            write!(f, ": {cause}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
