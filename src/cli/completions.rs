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

/// For `git review-gate <TAB>`: git's own completion calls this function, with the words in variables of its own.
const FOR_GIT: &str = "
_git_review_gate() {
    local COMP_WORDS=(git-review-gate \"${words[@]:2}\") COMP_CWORD=$((cword - 1))
    _git__review__gate git-review-gate \"$cur\" \"$prev\"
}
";

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
        let mut script = String::from_utf8_lossy(&script).into_owned();
        if self.shell == Shell::Bash {
            // The name that people type has a space, and the generator takes its words for subcommands.
            script = script.replace("git__subcmd__review__subcmd__gate", "git__review__gate");
            script.push_str(FOR_GIT);
        }
        Answer::done(script)
    }
}
