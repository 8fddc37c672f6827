//! `hook pre-push|post-rewrite`: what hook files call; not for people.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::model::hooks::HookName;
use crate::ops::hook_call::{self, Call, Caller};
use crate::ops::prepush::{self, Chained, Judged};
use crate::report;
use crate::ui::answer::Answer;

/// The most bytes that git can have to say: 100,000 refs with long names.
const MAX_STDIN: u64 = 64 << 20;

/// Arguments of `hook`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The hook that git runs
    #[arg(value_enum)]
    hook: Name,
    /// The hook that was there before ours; runs after ours with the same arguments and input
    #[arg(long, value_name = "FILE")]
    chained: Option<PathBuf>,
    /// Called from git's configuration: the hook file acts where there is one as well
    #[arg(long)]
    configured: bool,
    /// The arguments of git
    #[arg(last = true, value_name = "ARGS")]
    from_git: Vec<OsString>,
}

/// The names of hooks on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    PrePush,
    PostRewrite,
}

impl Args {
    /// Answers the call.
    pub fn run(self) -> Result<Answer> {
        let hook = match self.hook {
            Name::PrePush => HookName::PrePush,
            Name::PostRewrite => HookName::PostRewrite,
        };
        let call = Call {
            hook,
            args: self.from_git,
            stdin: read_stdin()?,
            chained: self.chained,
            caller: if self.configured {
                Caller::Config
            } else {
                Caller::File
            },
        };
        if let Some(answer) = call.probe_answer() {
            return Ok(Answer {
                stderr: answer,
                ..Answer::with(Exit::Blocked, "")
            });
        }
        if call.is_repeated_by_file()? {
            return Ok(Answer::done(""));
        }
        match hook {
            HookName::PrePush => judge(&call),
            HookName::PostRewrite => {
                let warnings = hook_call::post_rewrite(&call);
                Ok(Answer {
                    warnings,
                    ..Answer::done("")
                })
            }
        }
    }
}

/// Judges a push, then gives the hook that was there before its say.
///
/// Everything is said on standard error: standard output of a hook may be somebody's data.
fn judge(call: &Call) -> Result<Answer> {
    let answered = prepush::run(call)?;
    let mut stderr = match &answered.judged {
        Judged::Nothing => "git review-gate: nothing to judge\n".to_owned(),
        Judged::Decided(decision) => report::decision::brief(decision),
    };
    let mut warnings = answered.warnings;
    match answered.chained {
        Chained::Failed => {
            stderr.push_str("error: the pre-push hook that was here before stopped the push\n");
        }
        Chained::NotExecutable => {
            warnings.push("the pre-push hook that was here before is not executable".to_owned());
        }
        Chained::Absent | Chained::Succeeded => {}
    }
    Ok(Answer {
        stderr,
        warnings,
        ..Answer::with(answered.exit, "")
    })
}

/// All of standard input.
fn read_stdin() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(MAX_STDIN + 1)
        .read_to_end(&mut bytes)
        .map_err(|cause| Error::new("io", "standard input could not be read").caused_by(&cause))?;
    if bytes.len() as u64 > MAX_STDIN {
        return Err(Error::new(
            "io",
            "standard input is longer than anything that git would say",
        ));
    }
    Ok(bytes)
}
