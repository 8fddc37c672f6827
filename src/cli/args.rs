//! Arguments that several subcommands share.

use clap::{Args, ValueEnum};

/// Options that every subcommand takes.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// When to colour the output; the default asks `NO_COLOR`, `CLICOLOR_FORCE`, git's `color.ui` and the terminal
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto, help_heading = "Global options")]
    pub color: Color,
    /// No progress and no hints, only the answer
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub quiet: bool,
}

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless the environment or git's configuration says otherwise.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `--format human|json`, and `--json` for short.
#[derive(Debug, Clone, Args)]
pub struct Format {
    /// How to print the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormatName::Human)]
    pub format: FormatName,
    /// Short for `--format json`
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

/// The two forms that most answers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    /// For people.
    Human,
    /// One JSON object, or JSON Lines for long lists.
    Json,
}

impl Format {
    /// Whether JSON is asked for.
    pub fn is_json(&self) -> bool {
        self.json || self.format == FormatName::Json
    }
}

/// `--format human|json` alone, for commands whose `--json` names their input.
#[derive(Debug, Clone, Args)]
pub struct FormatOnly {
    /// How to print the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = FormatName::Human)]
    pub format: FormatName,
}

impl FormatOnly {
    /// Whether JSON is asked for.
    pub fn is_json(&self) -> bool {
        self.format == FormatName::Json
    }
}
