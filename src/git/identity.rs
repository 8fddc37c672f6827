//! Who writes: git's own committer identity.

#![expect(
    clippy::disallowed_methods,
    reason = "git takes the identity from the environment first"
)]

use std::env;

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
        // Not asked of gix as a whole: it would look up the local time as well, and read the time zones for that.
        let name = self.first_of(&["GIT_COMMITTER_NAME"], &["committer.name", "user.name"])?;
        let email = match self.first_of(&["GIT_COMMITTER_EMAIL"], &["committer.email", "user.email"])? {
            None => self.first_of(&["EMAIL"], &[])?,
            email => email,
        };
        if let (Some(name), Some(email)) = (name, email) {
            return Ok(Identity { name, email });
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

    /// The first of these variables and configuration values that is set and says something.
    fn first_of(&self, variables: &[&str], keys: &[&str]) -> Result<Option<String>> {
        for variable in variables {
            let value = env::var_os(variable).map(|value| clean(&value.to_string_lossy()));
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                return Ok(Some(value));
            }
        }
        for key in keys {
            let value = self.config_string(key)?.map(|value| clean(&value));
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                return Ok(Some(value));
            }
        }
        Ok(None)
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
