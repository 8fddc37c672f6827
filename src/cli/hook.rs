//! `hook pre-push|post-rewrite|pre-receive`: what hook files call; not for people.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::model::hooks::HookName;
use crate::ops::hook_call::{self, Call, Caller};
use crate::ops::prepush::{self, Answered, Chained, Judged};
use crate::ops::prereceive;
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
    PreReceive,
}

impl Args {
    /// Answers the call.
    pub fn run(self) -> Result<Answer> {
        let hook = match self.hook {
            Name::PrePush => HookName::PrePush,
            Name::PostRewrite => HookName::PostRewrite,
            Name::PreReceive => HookName::PreReceive,
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
            HookName::PrePush => Ok(answer(prepush::run(&call)?, call.hook)),
            HookName::PreReceive => Ok(shortened(answer(prereceive::run(&call)?, call.hook))),
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
fn answer(answered: Answered, hook: HookName) -> Answer {
    let mut stderr = match &answered.judged {
        Judged::Nothing => "git review-gate: nothing to judge\n".to_owned(),
        Judged::Decided(decision) => report::decision::brief(decision),
    };
    let mut warnings = answered.warnings;
    match answered.chained {
        Chained::Failed => {
            let hook = hook.as_str();
            stderr.push_str(&format!(
                "error: the {hook} hook that was here before stopped the push\n"
            ));
        }
        Chained::NotExecutable => {
            let hook = hook.as_str();
            warnings.push(format!("the {hook} hook that was here before is not executable"));
        }
        Chained::Absent | Chained::Succeeded => {}
    }
    Answer {
        stderr,
        warnings,
        ..Answer::with(answered.exit, "")
    }
}

/// The most bytes that are said to the other side of a connection.
const MAX_SENT: usize = 1900;

/// Cuts what is said between two lines, and says where to see the rest.
fn shortened(mut answer: Answer) -> Answer {
    if answer.stderr.len() > MAX_SENT {
        let end = (0..=MAX_SENT)
            .rev()
            .find(|end| answer.stderr.is_char_boundary(*end))
            .unwrap_or_default();
        let end = answer.stderr[..end].rfind('\n').map_or(end, |at| at + 1);
        answer.stderr.truncate(end);
        answer
            .stderr
            .push_str("… and more; all of it, in the clone that pushes: git review-gate check\n");
    }
    answer
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
