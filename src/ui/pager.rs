//! Sends a long answer through the pager that git would use.

#![expect(
    clippy::disallowed_methods,
    reason = "the pager is a program that is neither git nor ours"
)]

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Answers up to this many lines are printed as they are.
const LINES_WITHOUT_PAGER: usize = 24;

/// The characters at which git hands a command to the shell instead of starting it itself.
const SHELL_CHARACTERS: &[char] = &[
    '|', '&', ';', '<', '>', '(', ')', '$', '`', '\\', '"', '\'', ' ', '\t', '\n', '*', '?', '[', '#', '~',
    '=', '%',
];

/// Whether an answer is long enough for a pager.
pub fn is_long(text: &str) -> bool {
    text.lines().nth(LINES_WITHOUT_PAGER).is_some()
}

/// Shows `text` through `command`; `false` when the pager could not be started, so that the caller prints it.
///
/// `command` is what `git var GIT_PAGER` says, so `GIT_PAGER`, `core.pager` and `PAGER` in git's order, and it is
/// started as git starts it: by the shell if it has characters that are special there, else directly. The user's own
/// configuration names it, never the repository's content. An empty command and `cat` mean none.
pub fn show(text: &str, command: &str) -> bool {
    let command = command.trim();
    if command.is_empty() || command == "cat" {
        return false;
    }
    let mut program = if command.contains(SHELL_CHARACTERS) {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        shell
    } else {
        Command::new(command)
    };
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if std::env::var_os(name).is_none() {
            program.env(name, value);
        }
    }
    let Ok(mut child) = program.stdin(Stdio::piped()).spawn() else {
        return false;
    };
    if let Some(mut pipe) = child.stdin.take() {
        // The reader may quit before the end.
        let _ = pipe.write_all(text.as_bytes());
    }
    // How the pager ends says nothing about the answer.
    let _ = child.wait();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_answers_and_real_pagers() {
        assert!(!is_long(&"line\n".repeat(24)));
        assert!(is_long(&"line\n".repeat(25)));
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("seen it");
        for (command, started) in [
            (String::new(), false),
            ("cat".to_owned(), false),
            ("/no/such/pager".to_owned(), false),
            (format!("cat > '{}'", file.display()), true),
        ] {
            assert_eq!(show("text\n", &command), started, "{command}");
        }
        assert_eq!(std::fs::read_to_string(file).unwrap(), "text\n");
    }
}
