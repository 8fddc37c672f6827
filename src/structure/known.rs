//! What need not be looked into again: changed files, which are scanned already, and unchanged ones that both trees hold.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::HashMap;
use rayon::prelude::*;

use super::outline::FileOutline;
use crate::model::ids::Oid;

/// Outlines that are there already.
#[derive(Default)]
pub struct Known<'k> {
    files: HashMap<&'k [u8], &'k FileOutline>,
    unchanged: Arc<Unchanged>,
}

impl<'k> Known<'k> {
    /// The changed files of one side by path, and what is known of the others.
    pub fn new(files: impl Iterator<Item = (&'k [u8], &'k FileOutline)>, unchanged: Arc<Unchanged>) -> Self {
        Self {
            files: files.collect(),
            unchanged,
        }
    }

    /// The outline of the changed file at `path`.
    pub fn get(&self, path: &[u8]) -> Option<&'k FileOutline> {
        self.files.get(path).copied()
    }

    /// What is known of unchanged files, on either side.
    pub fn unchanged(&self) -> &Unchanged {
        &self.unchanged
    }
}

/// An unchanged file as a look at it found it.
#[derive(Debug, Clone)]
pub enum Seen {
    /// It cannot be read.
    Unreadable,
    /// It cannot be understood.
    Unclear,
    /// It says nothing on what was looked for.
    Nothing,
    /// Its names, as far as they were looked for.
    Names(Arc<FileOutline>),
}

/// A question to an unchanged file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Look {
    /// What is looked for; the answer depends on nothing but this and the fields below.
    pub what: u8,
    /// Its content.
    pub id: Oid,
    /// Where it stands.
    pub path: Vec<u8>,
    /// The folder of its package.
    pub package: Vec<u8>,
}

/// Answers on unchanged files, shared by both sides: most of them are the same in both trees.
#[derive(Default)]
pub struct Unchanged {
    seen: Mutex<HashMap<Look, Arc<OnceLock<Seen>>>>,
}

impl Unchanged {
    /// The answer of `look`, made on first use.
    pub fn see(&self, question: Look, look: impl FnOnce() -> Seen) -> Seen {
        self.slot(question).0.get_or_init(look).clone()
    }

    /// Asks many at once, on all cores; answers in the order of the questions.
    pub fn see_all(&self, questions: Vec<Look>, look: impl Fn(&Look) -> Seen + Sync) -> Vec<Seen> {
        // What another thread works on already is left to it, and waited for at the end: both sides ask the same
        // questions in the same order, and would else only wait for each other.
        let begun: Vec<_> = questions
            .into_par_iter()
            .with_max_len(4)
            .map(|question| {
                let (slot, fresh) = self.slot(question.clone());
                if fresh {
                    slot.get_or_init(|| look(&question));
                }
                (question, slot)
            })
            .collect();
        begun
            .into_iter()
            .map(|(question, slot)| slot.get_or_init(|| look(&question)).clone())
            .collect()
    }

    /// The place of an answer, and whether nobody asked before.
    fn slot(&self, question: Look) -> (Arc<OnceLock<Seen>>, bool) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fresh = false;
        let slot = seen.entry(question).or_insert_with(|| {
            fresh = true;
            Arc::default()
        });
        (Arc::clone(slot), fresh)
    }
}
