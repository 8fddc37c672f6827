//! `completions SHELL`: a completion script made from the definition of the command line.

use clap_complete::Shell;

use crate::ui::answer::Answer;

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  git review-gate completions bash > ~/.local/share/bash-completion/completions/git-review-gate\n  git review-gate completions zsh > ~/.zfunc/_git-review-gate"
)]
pub struct Args {
    /// The shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

impl Args {
    /// Prints the script.
    pub fn run(&self) -> Answer {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut super::definition(),
            "git-review-gate",
            &mut script,
        );
        Answer::done(String::from_utf8_lossy(&script))
    }
}
