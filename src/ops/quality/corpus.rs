//! `quality score` and `quality canary`: count instead of typing.

use std::path::{Path, PathBuf};

use super::source;
use crate::error::{Error, Result};
use crate::model::quality::corpus::{Canary, CorpusScore};
use crate::ops::output;
use crate::quality::corpus::{self, Corpus, Findings, Sort};
use crate::quality::score as counts;

/// Scores the findings of a reviewer in a corpus.
pub fn score(corpus: &Path, findings: &Path, output: Option<&PathBuf>) -> Result<CorpusScore> {
    let (corpus, sha256) = read_corpus(corpus)?;
    let findings = read_findings(findings, Sort::Scored, "findings")?;
    let score = counts::score(&corpus, sha256, &findings).map_err(refused)?;
    if let Some(path) = output {
        output::replace(path, score.to_text().as_bytes())?;
    }
    Ok(score)
}

/// Compares two runs over a corpus of one case, without a learned rule and with it.
pub fn canary(corpus: &Path, off: &Path, on: &Path) -> Result<Canary> {
    let (corpus, _) = read_corpus(corpus)?;
    let off = read_findings(off, Sort::Arm, "off")?;
    let on = read_findings(on, Sort::Arm, "on")?;
    counts::canary(&corpus, &off, &on).map_err(refused)
}

fn read_corpus(path: &Path) -> Result<(Corpus, String)> {
    let bytes = read(path)?;
    let corpus = corpus::read(&bytes).map_err(refused)?;
    Ok((corpus, source::sha256(&bytes)))
}

fn read_findings(path: &Path, sort: Sort, name: &str) -> Result<Findings> {
    let bytes = read(path)?;
    corpus::read_findings(&bytes, sort, name).map_err(refused)
}

/// The bytes of a file that a command names.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    source::read(path).map_err(|why| Error::new("io", why).hint("git review-gate quality -h"))
}

fn refused(why: String) -> Error {
    Error::new("quality-refused", why).hint("git review-gate quality schema corpus")
}
