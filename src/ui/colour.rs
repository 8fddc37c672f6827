//! Decides whether standard output takes colour.

use std::ffi::OsString;

/// What `--color` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Decide by the rules of [`wanted`].
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What the surroundings say about standard output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Whether it is a terminal.
    pub terminal: bool,
    /// `NO_COLOR`
    pub no_color: Option<OsString>,
    /// `CLICOLOR_FORCE`
    pub clicolor_force: Option<OsString>,
    /// `TERM`
    pub term: Option<OsString>,
    /// `GIT_PAGER_IN_USE`: git started a pager for us (`git -p`, `pager.review-gate`).
    pub git_pager_in_use: Option<OsString>,
}

/// The value of git's `color.ui` that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitColour {
    /// `always`
    Always,
    /// `auto`, `true`, or not set.
    Auto,
    /// `false` or `never`
    Never,
}

impl GitColour {
    /// Reads a value of `color.ui`; one that git does not know counts as `auto`, it only concerns looks.
    pub fn from_config(value: Option<&str>) -> Self {
        match value.map(str::to_ascii_lowercase).as_deref() {
            Some("always") => Self::Always,
            Some("never" | "false" | "no" | "off" | "0") => Self::Never,
            _ => Self::Auto,
        }
    }
}

/// Whether to colour. The first that speaks decides: `--color`, `NO_COLOR`, `CLICOLOR_FORCE`, `color.ui`, and
/// then whether there is a terminal that can show it. `git` is asked only when it matters.
pub fn wanted(choice: Choice, here: &Surroundings, git: impl FnOnce() -> GitColour) -> bool {
    let set = |value: &Option<OsString>| value.as_ref().is_some_and(|value| !value.is_empty());
    match choice {
        Choice::Always => return true,
        Choice::Never => return false,
        Choice::Auto => {}
    }
    if set(&here.no_color) {
        return false;
    }
    if set(&here.clicolor_force) && here.clicolor_force.as_ref().is_some_and(|value| value != "0") {
        return true;
    }
    match git() {
        GitColour::Always => true,
        GitColour::Never => false,
        GitColour::Auto => {
            let shown = here.terminal || set(&here.git_pager_in_use);
            shown && here.term.as_ref().is_some_and(|term| term != "dumb")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_speaks_decides() {
        let terminal = Surroundings {
            terminal: true,
            term: Some("xterm".into()),
            ..Surroundings::default()
        };
        let pipe = Surroundings {
            terminal: false,
            ..terminal.clone()
        };
        let no_color = Surroundings {
            no_color: Some("1".into()),
            clicolor_force: Some("1".into()),
            ..terminal.clone()
        };
        let empty = Surroundings {
            no_color: Some("".into()),
            ..terminal.clone()
        };
        let force = Surroundings {
            clicolor_force: Some("1".into()),
            ..pipe.clone()
        };
        let zero = Surroundings {
            clicolor_force: Some("0".into()),
            ..pipe.clone()
        };
        let dumb = Surroundings {
            term: Some("dumb".into()),
            ..terminal.clone()
        };
        let paged = Surroundings {
            git_pager_in_use: Some("true".into()),
            ..pipe.clone()
        };
        for (name, choice, here, git, expected) in [
            ("terminal", Choice::Auto, &terminal, None, true),
            ("pipe", Choice::Auto, &pipe, None, false),
            ("flag over all", Choice::Always, &no_color, Some("never"), true),
            ("flag never", Choice::Never, &force, Some("always"), false),
            (
                "NO_COLOR over force",
                Choice::Auto,
                &no_color,
                Some("always"),
                false,
            ),
            ("empty NO_COLOR", Choice::Auto, &empty, None, true),
            ("force", Choice::Auto, &force, Some("never"), true),
            ("force 0", Choice::Auto, &zero, None, false),
            ("color.ui always", Choice::Auto, &pipe, Some("always"), true),
            ("color.ui off", Choice::Auto, &terminal, Some("Off"), false),
            ("color.ui true", Choice::Auto, &pipe, Some("true"), false),
            ("dumb", Choice::Auto, &dumb, None, false),
            ("git's pager", Choice::Auto, &paged, None, true),
        ] {
            assert_eq!(
                wanted(choice, here, || GitColour::from_config(git)),
                expected,
                "{name}"
            );
        }
    }
}
