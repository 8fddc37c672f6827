//! Prints answers and errors; a closed pipe never changes the exit code.

use std::io::Write as _;

use crate::error::Error;

use super::answer::Answer;

/// Prints a complete answer: warnings and failures to standard error, the answer to standard output.
///
/// Write errors are ignored on purpose: the reader went away (`| head`), the exit code is decided already.
pub fn print(answer: &Answer) {
    let mut stderr = anstream::stderr().lock();
    for warning in &answer.warnings {
        let _ = writeln!(stderr, "warning: {warning}");
    }
    let _ = stderr.write_all(answer.stderr.as_bytes());
    let mut stdout = anstream::stdout().lock();
    let _ = stdout
        .write_all(answer.stdout.as_bytes())
        .and_then(|()| stdout.flush());
}

/// Prints why nothing was decided; as JSON on standard output where JSON was asked for.
pub fn print_error(error: &Error, json: bool) {
    if json {
        let object = serde_json::json!({
            "error": { "kind": error.kind, "message": error.to_string(), "hints": error.hints }
        });
        let _ = writeln!(anstream::stdout().lock(), "{object}");
    }
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "error: {}", error.message);
    for cause in &error.causes {
        let _ = writeln!(stderr, "  caused by: {cause}");
    }
    for hint in &error.hints {
        let _ = writeln!(stderr, "hint: {hint}");
    }
}
