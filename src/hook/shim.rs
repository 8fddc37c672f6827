//! The text of the hook files, and how ours are told from others.

use std::path::{Path, PathBuf};

use crate::model::hooks::HookName;

/// The version that is written; each change of a template raises it.
pub const VERSION: u32 = 1;

/// What stands in a template where the path of the program goes.
const PLACEHOLDER: &str = "@PROGRAM@";

/// The files of `hooks/`.
const fn template(hook: HookName) -> &'static str {
    match hook {
        HookName::PrePush => include_str!("../../hooks/pre-push.sh"),
        HookName::PostRewrite => include_str!("../../hooks/post-rewrite.sh"),
        HookName::PreReceive => include_str!("../../hooks/pre-receive.sh"),
    }
}

/// Whose file a hook is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// Ours, byte for byte.
    Ours {
        /// The path in it; `None` where it looks on `PATH` only.
        program: Option<PathBuf>,
    },
    /// Ours, of a later version than this program knows.
    Newer(u32),
    /// It began as ours and was changed.
    Changed,
    /// Not ours.
    Foreign,
}

/// The text of a hook that calls `program`, and the one on `PATH` where that is gone.
///
/// A path that is not plain printable ASCII would make the file depend on an encoding; such a one is left out.
pub fn render(hook: HookName, program: Option<&Path>) -> String {
    let program = program.and_then(Path::to_str).filter(|path| is_plain(path));
    let quoted = format!("'{}'", program.unwrap_or_default().replace('\'', r"'\''"));
    template(hook).replace(PLACEHOLDER, &quoted)
}

/// Whether a path can be written into a hook as it is.
fn is_plain(path: &str) -> bool {
    path.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// Tells whose file this is.
pub fn owner(hook: HookName, bytes: &[u8]) -> Owner {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Owner::Foreign;
    };
    let head = format!("# git review-gate hook {}, version ", hook.as_str());
    let version = text
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix(head.as_str()));
    match version.map(str::parse::<u32>) {
        None => Owner::Foreign,
        Some(Ok(version)) if version > VERSION => Owner::Newer(version),
        Some(_) => {
            let program = text
                .lines()
                .find_map(|line| line.strip_prefix("program='")?.strip_suffix('\''))
                .map(|quoted| quoted.replace(r"'\''", "'"))
                .filter(|program| !program.is_empty())
                .map(PathBuf::from);
            if render(hook, program.as_deref()) == text {
                Owner::Ours { program }
            } else {
                Owner::Changed
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shims_are_short_plain_and_know_themselves() {
        for hook in HookName::ALL {
            let text = render(hook, Some(Path::new("/opt/it's here/git-review-gate")));
            assert!(text.starts_with("#!/bin/sh\n") && text.ends_with('\n'), "{text}");
            assert!(
                text.is_ascii() && !text.contains('\r') && text.lines().count() < 20,
                "{text}"
            );
            assert!(!text.contains(PLACEHOLDER), "{text}");
            for program in [
                None,
                Some("/usr/bin/git-review-gate"),
                Some("/opt/it's here/git-review-gate"),
            ] {
                let program = program.map(PathBuf::from);
                let text = render(hook, program.as_deref());
                assert_eq!(owner(hook, text.as_bytes()), Owner::Ours { program });
            }
            let newer = text.replace("version 1", "version 12");
            assert_eq!(owner(hook, newer.as_bytes()), Owner::Newer(12));
            assert_eq!(
                owner(hook, format!("{text}npm test\n").as_bytes()),
                Owner::Changed
            );
            assert_eq!(
                owner(hook, text.replace("version 1", "version x").as_bytes()),
                Owner::Changed
            );
            assert_eq!(owner(hook, b"#!/bin/sh\necho version 1\n"), Owner::Foreign);
            assert_eq!(owner(hook, b"\xff"), Owner::Foreign);
            // A path that is not ASCII stays out, and the file looks on PATH.
            assert_eq!(render(hook, Some(Path::new("/opt/größe/x"))), render(hook, None));
        }
    }
}
