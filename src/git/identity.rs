//! Who writes: git's own committer identity.

use super::Repo;
use crate::error::{Error, Result};

/// A name and an address, as git would put them into a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The name.
    pub name: String,
    /// The email address.
    pub email: String,
}

impl Repo {
    /// The committer identity that git would use here; without one, an error with git's advice.
    pub fn identity(&self) -> Result<Identity> {
        if let Some(Ok(committer)) = self.gix.committer() {
            let name = clean(&String::from_utf8_lossy(committer.name));
            let email = clean(&String::from_utf8_lossy(committer.email));
            if !name.is_empty() && !email.is_empty() {
                return Ok(Identity { name, email });
            }
        }
        // gix does not try the system's user database and host name as git does: git's answer is the answer.
        let output = self.git(["var", "GIT_COMMITTER_IDENT"]).run()?;
        if !output.success() {
            return Err(no_identity().because(output.error_text()));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let split = text
            .rsplit_once('>')
            .and_then(|(before, _)| before.rsplit_once('<'))
            .map(|(name, email)| Identity {
                name: clean(name),
                email: clean(email),
            });
        split
            .filter(|identity| !identity.name.is_empty())
            .ok_or_else(no_identity)
    }
}

fn no_identity() -> Error {
    Error::new(
        "no-identity",
        "git does not know who you are, nothing was written",
    )
    .hint("git config --global user.email \"you@example.com\"")
    .hint("git config --global user.name \"Your Name\"")
}

/// Takes away what git takes away from names: angle brackets, line ends, and what surrounds the text.
fn clean(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !matches!(c, '<' | '>' | '\n' | '\0'))
        .collect();
    kept.trim_matches(|c: char| c <= ' ' || matches!(c, '.' | ',' | ':' | ';' | '"' | '\\' | '\''))
        .to_owned()
}
