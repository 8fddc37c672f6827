//! Prints answers and errors; a closed pipe never changes the exit code.

#![expect(
    clippy::disallowed_methods,
    reason = "what the environment says about the terminal is read here and nowhere else"
)]

use std::borrow::Cow;
use std::env;
use std::io::{self, ErrorKind, IsTerminal as _, Write};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};

use super::answer::Answer;
use super::colour::Surroundings;
use super::pager;
use crate::error::{Error, Result};
use crate::model::text::{escape_json, sanitise};

/// What the surroundings say about standard output.
pub fn surroundings() -> Surroundings {
    Surroundings {
        terminal: io::stdout().is_terminal(),
        no_color: env::var_os("NO_COLOR"),
        clicolor_force: env::var_os("CLICOLOR_FORCE"),
        term: env::var_os("TERM"),
        git_pager_in_use: env::var_os("GIT_PAGER_IN_USE"),
    }
}

/// Prints a complete answer: warnings and failures to standard error, the answer to standard output, there without
/// its colours unless `colour` says so, and through the pager where it is long and there is a terminal. `colour` and
/// `pager` may have to ask git, so they are only called when there is something to decide.
///
/// A reader that went away (`| head`) is no error, the exit code is decided already. Any other failure to write the
/// answer is one: half an answer must not look like a whole one.
pub fn print(
    answer: &Answer,
    colour: impl FnOnce() -> bool,
    pager: impl FnOnce() -> Option<String>,
) -> Result<()> {
    let mut stderr = anstream::stderr().lock();
    for warning in &answer.warnings {
        // Where standard error is closed there is nobody left to tell.
        let _ = writeln!(stderr, "warning: {}", one_line(warning));
    }
    let _ = stderr.write_all(answer.stderr.as_bytes());
    let choice = if answer.stdout.contains('\u{1b}') && colour() {
        ColorChoice::AlwaysAnsi
    } else {
        ColorChoice::Never
    };
    if io::stdout().is_terminal() && pager::is_long(&answer.stdout) {
        let mut text = AutoStream::new(Vec::new(), choice);
        let shown = text.write_all(answer.stdout.as_bytes()).is_ok()
            && pager()
                .is_some_and(|command| pager::show(&String::from_utf8_lossy(&text.into_inner()), &command));
        if shown {
            return Ok(());
        }
    }
    let mut stdout = AutoStream::new(io::stdout().lock(), ColorChoice::AlwaysAnsi);
    // Taken out beforehand, as the stream would write each piece between two colours, and each line, by itself.
    let text = match choice {
        ColorChoice::Never => Cow::Owned(strip_str(&answer.stdout).to_string()),
        _ => Cow::Borrowed(&answer.stdout[..]),
    };
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(cause) if cause.kind() != ErrorKind::BrokenPipe => {
            Err(Error::new("io", "the answer could not be written to standard output").caused_by(&cause))
        }
        _ => Ok(()),
    }
}

/// Passes on what a command printed to standard output, as it is. A reader that went away changes nothing.
pub fn pass_out(piece: &[u8]) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(piece).and_then(|()| stdout.flush());
}

/// Passes on what a command printed to standard error, as it is.
pub fn pass_err(piece: &[u8]) {
    let _ = io::stderr().lock().write_all(piece);
}

/// Prints why nothing was decided; as JSON on standard output where JSON was asked for.
pub fn print_error(error: &Error, json: bool) {
    if json {
        print_json(&error_json(error));
    }
    let _ = write_error(&mut anstream::stderr().lock(), error);
}

/// Prints one JSON value on a line of its own; the exit code already says that nothing was decided.
pub fn print_json(value: &serde_json::Value) {
    let _ = writeln!(io::stdout().lock(), "{}", escape_json(value.to_string()));
}

/// The JSON form of an error.
pub fn error_json(error: &Error) -> serde_json::Value {
    serde_json::json!({
        "error": { "kind": error.kind, "message": error.to_string(), "hints": error.hints }
    })
}

/// The form for people: the message, the whole chain of causes, what to do next.
fn write_error(out: &mut impl Write, error: &Error) -> io::Result<()> {
    writeln!(out, "error: {}", one_line(&error.message))?;
    for cause in &error.causes {
        writeln!(out, "  caused by: {}", one_line(cause))?;
    }
    for hint in &error.hints {
        writeln!(out, "hint: {}", one_line(hint))?;
    }
    Ok(())
}

/// Safe for a terminal, also where a text from a repository slipped through; line feeds keep their meaning.
fn one_line(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(sanitise).collect();
    lines.join("\n  ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_on_and_cannot_move_the_cursor() {
        let error = Error::new("usage", "note \u{1b}[2J is wrong")
            .because("line 4\nmore")
            .hint("git review-gate fsck");
        let mut text = Vec::new();
        write_error(&mut text, &error).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(
            text,
            "error: note \\u{1B}[2J is wrong\n  caused by: line 4\n  more\nhint: git review-gate fsck\n"
        );
        assert_eq!(error_json(&error)["error"]["kind"], "usage");
    }
}
