//! Why there is no range: the reasons that the search for one gives, with what helps.

use crate::error::{Error, Result};
use crate::model::ids::CommitId;
use crate::model::range::{Code, Unavailable};
use crate::model::text::sanitise;

pub(super) fn no_base() -> Unavailable {
    Unavailable::new(Code::NoBase, "there is nothing to compare with")
        .help("git review-gate baseline BASE")
        .help("git remote set-head origin --auto")
}

pub(super) fn cut_off(base: &str, missing: CommitId, boundary: CommitId) -> Unavailable {
    Unavailable::new(
        Code::MissingCommit,
        format!(
            "comparing with {} needs commit {missing}, which is not in this clone; history ends at {boundary}",
            sanitise(base)
        ),
    )
    .help("git fetch --unshallow")
}

/// The reason why a name is no commit; an error that is about something else is passed on.
pub(super) fn unresolved(error: Error, name: &str, unknown: Code) -> Result<Unavailable> {
    let code = match error.kind {
        "unborn-head" => Code::UnbornHead,
        "unknown-revision" => unknown,
        "ambiguous-revision" => Code::AmbiguousRef,
        "not-a-commit" => Code::NotACommit,
        "missing-object" => Code::MissingCommit,
        _ => return Err(error),
    };
    let mut message = format!("{}: {error}", sanitise(name));
    if error.message.starts_with(&sanitise(name)) {
        message = error.to_string();
    }
    Ok(Unavailable {
        help: error.hints,
        ..Unavailable::new(code, message)
    })
}
