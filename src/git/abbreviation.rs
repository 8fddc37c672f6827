//! Object ids, whole or shortened, and nothing else: no ref, whatever its name looks like.

use super::Repo;
use super::objects::Kind;
use crate::error::Result;
use crate::model::ids::{CommitId, Oid};

impl Repo {
    /// The commits whose id begins with these hex digits, upper or lower case, in order; at least four digits.
    pub fn commits_by_id(&self, digits: &str) -> Result<Vec<CommitId>> {
        let digits = digits.to_ascii_lowercase();
        let candidates = match digits.parse::<Oid>() {
            Ok(id) if self.id_fits(id) => vec![id],
            // No id of this repository is that long.
            Ok(_) => Vec::new(),
            Err(_) if digits.len() >= self.id_len() => Vec::new(),
            Err(_) => self.ids_that_begin(&digits)?,
        };
        let mut commits = Vec::new();
        for id in candidates {
            if let Some((Kind::Commit, _)) = self.header(id)? {
                commits.push(CommitId(id));
            }
        }
        commits.sort_unstable();
        Ok(commits)
    }

    /// Git looks it up: in packs, loose objects and alternates, for ids of both lengths.
    fn ids_that_begin(&self, digits: &str) -> Result<Vec<Oid>> {
        let listed = self
            .git(["rev-parse", &format!("--disambiguate={digits}")])
            .run_ok()?;
        let ids = listed
            .split(|byte| *byte == b'\n')
            .filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok());
        Ok(ids.collect())
    }
}
