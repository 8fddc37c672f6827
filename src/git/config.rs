//! Git configuration, as read when the repository was opened (`git -c` included); writing goes to the git program.

use super::Repo;
use super::convert::error;
use crate::error::{Error, Result};
use crate::model::text::sanitise;

impl Repo {
    /// The value of `key`, the last one set; `None` when it is not set. A value that is not UTF-8 is an error.
    pub fn config_string(&self, key: &str) -> Result<Option<String>> {
        let Some(value) = self.gix.config_snapshot().string(key) else {
            return Ok(None);
        };
        String::from_utf8(value.into()).map(Some).map_err(|_| {
            Error::new("config", format!("the value of {} is not UTF-8", sanitise(key)))
                .hint(format!("git config --show-origin --get {}", sanitise(key)))
        })
    }

    /// The value of `key` as git understands booleans; `None` when it is not set.
    pub fn config_bool(&self, key: &str) -> Result<Option<bool>> {
        self.gix.config_snapshot().try_boolean(key).map_err(|cause| {
            error(
                "config",
                format!("the value of {} is not a boolean", sanitise(key)),
                &cause,
            )
            .hint(format!("git config --show-origin --get {}", sanitise(key)))
        })
    }

    /// Whether a section such as `remote.<name>.promisor` marks this a partial clone.
    pub fn is_partial_clone(&self) -> Result<bool> {
        if self.config_string("extensions.partialClone")?.is_some() {
            return Ok(true);
        }
        for remote in self.remotes() {
            if self.config_bool(&format!("remote.{remote}.promisor"))? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
