//! Reads the few unchanged files that a comparison needs, each at most once.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};

use super::{ChangedFile, Input, Settings, SourceFile};
use crate::model::baseline::UnmeasuredReason;
use crate::structure::known::Unchanged;
use crate::structure::outline::{FileOutline, Known, Package, Reachable, Wanted};
use crate::structure::source::{ReadFault, Side as Which, Tree};
use crate::structure::surroundings::Surroundings;

/// Source larger than this is not read, as for changed files.
const MAX_BYTES: usize = 32 << 20;

/// An unchanged file that could not be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unreadable {
    /// Why.
    pub(super) reason: UnmeasuredReason,
    /// The same for people.
    pub(super) why: String,
}

/// A file outside of the changed ones.
pub(super) struct ReadFile {
    /// Its path.
    pub(super) path: Vec<u8>,
    /// Its units.
    pub(super) outline: FileOutline,
}

type Answer = Result<Option<Rc<ReadFile>>, Unreadable>;

/// Access to the files of both trees.
pub(super) struct Elsewhere<'a> {
    input: &'a Input<'a>,
    settings: &'a Settings,
    read: RefCell<HashMap<(Which, Vec<u8>), Answer>>,
    known: [Known<'a>; 2],
}

impl<'a> Elsewhere<'a> {
    /// Nothing read yet.
    pub(super) fn new(input: &'a Input<'a>, settings: &'a Settings) -> Self {
        let unchanged = Arc::new(Unchanged::default());
        let known = |side: fn(&'a ChangedFile<'a>) -> Option<&'a SourceFile<'a>>| {
            let files = input.files.iter().filter_map(side);
            let files = files.map(|file| (file.path, &file.outline));
            Known::new(files, Arc::clone(&unchanged))
        };
        Self {
            input,
            settings,
            read: RefCell::new(HashMap::new()),
            known: [
                known(|pair| pair.before.as_ref()),
                known(|pair| pair.after.as_ref()),
            ],
        }
    }

    /// What answers for whole packages; unlike the rest it can be asked from several threads.
    pub(super) fn packages(&self) -> Packages<'_> {
        Packages {
            input: self.input,
            known: &self.known,
        }
    }

    /// The tree of a side.
    pub(super) fn tree(&self, which: Which) -> &'a dyn Tree {
        match which {
            Which::Before => self.input.before,
            Which::After => self.input.after,
        }
    }

    /// The outline of the file at `path`; `None` where there is none.
    pub(super) fn file(&self, which: Which, path: &[u8], package: Option<&[u8]>) -> Answer {
        let key = (which, path.to_vec());
        if let Some(answer) = self.read.borrow().get(&key) {
            return answer.clone();
        }
        let answer = self.take(which, path, package);
        self.read.borrow_mut().insert(key, answer.clone());
        answer
    }

    fn take(&self, which: Which, path: &[u8], package: Option<&[u8]>) -> Answer {
        let Some(bytes) = self.tree(which).read(path).map_err(|fault| unreadable(&fault))? else {
            return Ok(None);
        };
        if bytes.len() > MAX_BYTES {
            return Err(unreadable(&ReadFault::TooLarge(bytes.len() as u64)));
        }
        let around = Surroundings {
            lang: self.input.lang,
            scanner: self.input.scanner,
            own: self.tree(which),
            base: self.input.before,
            test_files: &self.settings.test_files,
        };
        let options = around
            .options(path, package)
            .map_err(|fault| unreadable(&fault))?;
        match self.input.scanner.outline(&bytes, path, &options) {
            Ok(outline) => Ok(Some(Rc::new(ReadFile {
                path: path.to_vec(),
                outline,
            }))),
            Err(degraded) => Err(Unreadable {
                reason: degraded.reason,
                why: format!("{}: {}", degraded.reason.word(), degraded.detail),
            }),
        }
    }
}

/// Answers for whole packages.
#[derive(Clone, Copy)]
pub(super) struct Packages<'a> {
    input: &'a Input<'a>,
    known: &'a [Known<'a>; 2],
}

impl Packages<'_> {
    /// Asks which modules and names of a package can be reached; `None` when it could not be read.
    pub(super) fn reachable(self, which: Which, package: &[u8], wanted: &Wanted) -> Option<Reachable> {
        let package = Package {
            folder: package.to_vec(),
        };
        let (tree, known) = match which {
            Which::Before => (self.input.before, &self.known[0]),
            Which::After => (self.input.after, &self.known[1]),
        };
        self.input.scanner.reachable(tree, &package, wanted, known).ok()
    }
}

/// What a fault means for a comparison.
pub(super) fn unreadable(fault: &ReadFault) -> Unreadable {
    let (reason, why) = match fault {
        ReadFault::Missing(id) => {
            let why = format!("object {id} is not in this clone");
            (UnmeasuredReason::MissingBlob, why)
        }
        ReadFault::Damaged(why) => (UnmeasuredReason::DamagedBlob, why.clone()),
        ReadFault::TooLarge(bytes) => (UnmeasuredReason::TooLarge, format!("{bytes} bytes are too many")),
    };
    Unreadable { reason, why }
}
