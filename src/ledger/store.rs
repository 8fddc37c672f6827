//! The store: lines of notes in, one commit a command, nothing lost.
//!
//! A write goes to a file in `pending/` first. Then, for each notes ref: read the tip, unite the lines of each note,
//! write blobs, tree and commit, flush them and the pending file, and move the ref only if it still has the value that
//! was read; else again, from the reading on. Only when all refs have moved does the pending file go. What a killed
//! command left in `pending/`, the next one writes. Union makes all of this safe to repeat.
#![expect(
    clippy::disallowed_methods,
    reason = "waiting for other writers is the task, with a limit that needs a clock"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use self::lock::{Turn, jitter};
use self::pending::Pending;
use super::codec::MAX_LINE;
use super::note::{MAX_LINES, MAX_NOTE};
use super::refs::{Addition, NotesRef, Prefix};
use super::union::{lines_of, union};
use crate::error::{Error, Result};
use crate::git::Repo;
use crate::git::batch::{Batch, NewCommit};
use crate::git::identity::Identity;
use crate::git::notes::Note;
use crate::git::ref_move::{Flush, Moved, RefMove, Writers};
use crate::model::ids::{CommitId, Oid, TreeId};

pub mod lock;
pub mod merge;
pub mod pending;
pub mod received;
pub mod remote;
pub mod repair;
pub mod snapshot;

/// How long a writer tries before it gives up, with its events kept in `pending/`.
const PATIENCE: Duration = Duration::from_secs(30);

/// The message of a commit that undoes a rollback.
const PUT_BACK: &str = "Put back what the ref was seen to hold";

/// Who writes, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Git's committer identity.
    pub who: Identity,
    /// Seconds since the epoch.
    pub at: i64,
}

/// What a write came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The refs that moved, and where they are now.
    pub moved: Vec<(NotesRef, CommitId)>,
    /// How many lines were not there before.
    pub new_lines: usize,
    /// How many of them an interrupted command had left behind.
    pub recovered: usize,
    /// What else should be said: notes that were put back, files that could not be picked up.
    pub warnings: Vec<String>,
}

/// The ledger of one repository.
#[derive(Debug, Clone)]
pub struct Store<'r> {
    pub(super) repo: &'r Repo,
    pub(super) prefix: Prefix,
}

/// New lines by anchor, for one ref, without line feeds. An anchor without lines only has its note put in order.
pub type Lines = BTreeMap<Oid, BTreeSet<Box<[u8]>>>;

impl<'r> Store<'r> {
    /// The ledger of this repository, at this place.
    pub const fn new(repo: &'r Repo, prefix: Prefix) -> Self {
        Self { repo, prefix }
    }

    /// The folder of cache, marks and pending events, shared by all worktrees.
    pub fn dir(&self) -> PathBuf {
        self.repo.common_dir().join("review-gate")
    }

    /// Where the notes refs lie.
    pub const fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// The repository.
    pub const fn repo(&self) -> &'r Repo {
        self.repo
    }

    /// Writes the lines of one command: all of them, or an error that says where they are.
    ///
    /// One commit on each ref that they touch, whose message is `message`. Picks up what interrupted commands left.
    /// Errors of kind `race-lost` leave the events in `pending/`; every other one leaves nothing.
    pub fn write(&self, additions: Vec<Addition>, author: &Author, message: &str) -> Result<Written> {
        self.repo.refuse_read_only()?;
        self.refuse_over_limit(&by_ref(&additions))?;
        if additions.is_empty() {
            return self.recover(author);
        }
        let mine = Pending::create(&self.dir().join("pending"), additions)?;
        let mut written = Written::default();
        match self.write_pending(Some(&mine), author, message, &mut written) {
            Ok(()) => {
                mine.remove()?;
                Ok(written)
            }
            Err(error) if error.kind == "race-lost" || !written.moved.is_empty() => {
                mine.keep()?;
                Err(error.because(format!("the events are kept in {}", mine.path().display())))
            }
            Err(error) => {
                // Nothing is half written: when no ref has moved, the command has simply not happened.
                mine.remove()?;
                Err(error)
            }
        }
    }

    /// Writes what interrupted commands left, and puts back notes that a rollback took away. Usually nothing.
    pub fn recover(&self, author: &Author) -> Result<Written> {
        self.repo.refuse_read_only()?;
        let mut written = Written::default();
        self.write_pending(
            None,
            author,
            "Write events of an interrupted command",
            &mut written,
        )?;
        Ok(written)
    }

    /// Whether there is something for [`Store::recover`] to write: events of commands that died.
    pub fn has_abandoned(&self) -> Result<bool> {
        Ok(!Pending::abandoned(&self.dir().join("pending"))?.is_empty())
    }

    fn write_pending(
        &self,
        mine: Option<&Pending>,
        author: &Author,
        message: &str,
        written: &mut Written,
    ) -> Result<()> {
        let deadline = Instant::now() + PATIENCE;
        let turn = Turn::take(&self.dir(), deadline);
        let writers = if turn.is_some() {
            Writers::Alone
        } else {
            Writers::Many
        };
        let mut abandoned = Pending::abandoned(&self.dir().join("pending"))?;
        abandoned.retain(
            |pending| match self.refuse_over_limit(&by_ref(pending.additions())) {
                Ok(()) => true,
                Err(error) => {
                    written.warnings.push(format!(
                        "events of an interrupted command stay in {}: {error}",
                        pending.path().display()
                    ));
                    false
                }
            },
        );
        let left: Vec<_> = abandoned.iter().flat_map(Pending::additions).cloned().collect();
        let mut lines = by_ref(mine.map_or(&[][..], Pending::additions));
        for (notes_ref, more) in by_ref(&left) {
            let lines = lines.entry(notes_ref).or_default();
            for (anchor, more) in more {
                lines.entry(anchor).or_default().extend(more);
            }
        }
        let writing = Writing {
            author,
            message,
            writers,
            deadline,
            pending: mine,
        };
        for notes_ref in NotesRef::ALL {
            let lines = lines.remove(&notes_ref).unwrap_or_default();
            self.unite(notes_ref, &lines, &writing, written)?;
        }
        written.recovered = left.len();
        for pending in abandoned {
            pending.remove()?;
        }
        Ok(())
    }

    /// Brings one ref to hold these lines and everything it has ever been seen to hold.
    fn unite(
        &self,
        notes_ref: NotesRef,
        lines: &Lines,
        writing: &Writing<'_>,
        written: &mut Written,
    ) -> Result<()> {
        let Writing {
            author,
            message,
            writers,
            deadline,
            pending,
        } = *writing;
        let name = self.prefix.full(notes_ref);
        let mut pause = Duration::from_millis(1);
        loop {
            // The mark first: what another writer does in between then only makes the tip newer.
            let mark = self.repo.ref_commit(&notes_ref.seen())?;
            let tip = self.repo.ref_commit(&name)?;
            if let Some(mark) = self.rolled_back(tip, mark)? {
                let back = self.merge_in_turn(notes_ref, mark, author, PUT_BACK, writers, deadline)?;
                written.warnings.push(format!(
                    "{name} had lost {} lines that it was seen to hold; they are put back",
                    back.new_lines
                ));
                written.moved.push((notes_ref, back.tip));
                continue;
            }
            if tip.is_none()
                && let Some((_, theirs)) = self.fetched_only(notes_ref)?
            {
                let back = self.merge_in_turn(notes_ref, theirs, author, PUT_BACK, writers, deadline)?;
                written
                    .warnings
                    .push(format!("{name} was gone; what was fetched last is put back"));
                written.moved.push((notes_ref, back.tip));
                continue;
            }
            if lines.is_empty() {
                return Ok(());
            }
            let batch = Batch::new(self.repo);
            let tree = self.repo.notes_tree(tip)?;
            let texts = self.texts(&batch, tree, lines)?;
            let new_lines: usize = texts.values().map(|text| text.new_lines).sum();
            let mut notes = Vec::new();
            for (anchor, text) in texts {
                if text.changed {
                    let blob = batch.blob(text.bytes)?;
                    notes.push(Note { anchor, blob });
                }
            }
            if notes.is_empty() {
                return self.mark_seen(notes_ref, mark, tip, author, writers);
            }
            let tree = batch.notes(tree, &notes)?;
            let commit = batch.commit(&NewCommit {
                tree,
                parents: tip.into_iter().collect(),
                who: &author.who,
                at: author.at,
                message,
            })?;
            // Everything that has to be on the disk before the ref moves is flushed at once.
            let (staged, staged_mark) = (self.repo.stage(commit)?, self.repo.stage(commit)?);
            let mut also = vec![staged.file(), staged_mark.file()];
            also.extend(pending.and_then(Pending::unflushed));
            batch.flush_with(&also)?;
            pending.inspect(|pending| pending.set_flushed());
            let moved = self.repo.move_staged(
                &RefMove {
                    name: &name,
                    from: tip,
                    to: commit,
                    who: &author.who,
                    at: author.at,
                    message: &format!("notes: {message}"),
                },
                &staged,
                writers,
                Flush::Move,
            )?;
            if moved == Moved::Yes {
                written.moved.push((notes_ref, commit));
                written.new_lines += new_lines;
                let seen = notes_ref.seen();
                let ref_move = mark_move(&seen, mark, commit, author);
                // Another writer that marks at the same time has seen more: that is as good.
                return self
                    .repo
                    .move_staged(&ref_move, &staged_mark, writers, Flush::Value)
                    .map(drop);
            }
            if Instant::now() >= deadline {
                return Err(race_lost(&name));
            }
            thread::sleep(jitter(pause));
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }

    /// Remembers a tip as seen. Another writer that does so at the same time has seen more: that is as good.
    pub(super) fn mark_seen(
        &self,
        notes_ref: NotesRef,
        from: Option<CommitId>,
        to: Option<CommitId>,
        author: &Author,
        writers: Writers,
    ) -> Result<()> {
        let Some(to) = to.filter(|_| from != to) else {
            return Ok(());
        };
        let seen = notes_ref.seen();
        self.repo
            .move_ref(&mark_move(&seen, from, to, author), writers)
            .map(drop)
    }

    /// The mark, when the tip does not hold what it holds: somebody moved the ref back, or took lines out in a
    /// commit on top, as `git notes remove` does.
    pub fn rolled_back(&self, tip: Option<CommitId>, mark: Option<CommitId>) -> Result<Option<CommitId>> {
        let Some(mark) = mark.filter(|mark| tip != Some(*mark)) else {
            return Ok(None);
        };
        let contained = match tip {
            Some(tip) => self.repo.is_ancestor(mark, tip)? && !self.has_lost(mark, tip)?,
            None => false,
        };
        Ok((!contained).then_some(mark))
    }

    /// The text of each of these notes with the lines added.
    fn texts(&self, batch: &Batch<'_>, tree: TreeId, lines: &Lines) -> Result<BTreeMap<Oid, Text>> {
        let anchors: Vec<_> = lines.keys().copied().collect();
        let old = batch.find_notes(tree, &anchors)?;
        let mut texts = BTreeMap::new();
        for ((anchor, lines), old) in lines.iter().zip(old) {
            let old = match old {
                Some(blob) => self.repo.blob(blob, MAX_NOTE as u64).map_err(|error| {
                    error.because(format!("it is the note on {anchor}, which takes no more lines"))
                })?,
                None => Vec::new(),
            };
            let known: BTreeSet<&[u8]> = lines_of(&old).collect();
            let added: Vec<&[u8]> = lines
                .iter()
                .map(|line| &line[..])
                .filter(|line| !known.contains(line))
                .collect();
            let new_lines = added.len();
            let bytes = union(std::iter::once(&old[..]).chain(added));
            let count = lines_of(&bytes).count();
            if bytes.len() > MAX_NOTE || count > MAX_LINES {
                return Err(
                    Error::new("over-limit", format!("the note on {anchor} would be too large"))
                        .because(format!(
                            "{count} lines and {} bytes; {MAX_LINES} lines and {MAX_NOTE} bytes are the most",
                            bytes.len()
                        ))
                        .hint("file further findings on a later commit"),
                );
            }
            let changed = bytes != old;
            texts.insert(
                *anchor,
                Text {
                    bytes,
                    new_lines,
                    changed,
                },
            );
        }
        Ok(texts)
    }

    /// Refuses lines that no reader would take, before anything is written.
    fn refuse_over_limit(&self, lines: &BTreeMap<NotesRef, Lines>) -> Result<()> {
        for (notes_ref, lines) in lines {
            for (anchor, lines) in lines {
                if !self.repo.id_fits(*anchor) {
                    return Err(Error::new(
                        "usage",
                        format!("{anchor} is no object id of this repository"),
                    ));
                }
                for line in lines {
                    if line.len() > MAX_LINE || line.is_empty() || line.contains(&b'\n') {
                        return Err(Error::new(
                            "over-limit",
                            format!(
                                "an event of {} bytes cannot be stored, {MAX_LINE} are the most",
                                line.len()
                            ),
                        ));
                    }
                }
            }
            let tip = self.repo.ref_commit(&self.prefix.full(*notes_ref))?;
            let batch = Batch::new(self.repo);
            self.texts(&batch, self.repo.notes_tree(tip)?, lines)?;
        }
        Ok(())
    }
}

/// How a command writes, whichever refs it touches.
#[derive(Clone, Copy)]
struct Writing<'a> {
    author: &'a Author,
    message: &'a str,
    writers: Writers,
    deadline: Instant,
    /// The file that holds the lines until all refs have moved.
    pending: Option<&'a Pending>,
}

/// A note as it will be.
struct Text {
    bytes: Vec<u8>,
    new_lines: usize,
    /// Whether it differs from what is there; also by order, repetition or a missing last line feed alone.
    changed: bool,
}

fn by_ref(additions: &[Addition]) -> BTreeMap<NotesRef, Lines> {
    let mut lines: BTreeMap<NotesRef, Lines> = BTreeMap::new();
    for addition in additions {
        lines
            .entry(addition.notes_ref)
            .or_default()
            .entry(addition.anchor)
            .or_default()
            .insert(addition.line.as_bytes().into());
    }
    lines
}

/// How a mark moves.
fn mark_move<'a>(seen: &'a str, from: Option<CommitId>, to: CommitId, author: &'a Author) -> RefMove<'a> {
    RefMove {
        name: seen,
        from,
        to,
        who: &author.who,
        at: author.at,
        message: "review-gate: seen",
    }
}

fn race_lost(name: &str) -> Error {
    Error::new(
        "race-lost",
        format!("{name} could not be moved within {} s", PATIENCE.as_secs()),
    )
    .because("other writers were faster each time, or a lock file of another program was left behind")
    .hint(format!("ls \"$(git rev-parse --git-common-dir)/{name}.lock\""))
}
