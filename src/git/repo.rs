//! One opened repository, found the way git finds it, and refused where gix would read or write wrongly.

#![expect(
    clippy::disallowed_methods,
    reason = "the environment says which repository is meant; this is where it is read"
)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};

use gix::sec::trust;

use super::convert;
use super::objects::Kind;
use super::process::Git;
use super::quarantine::{self, Quarantine};
use crate::error::{Error, Result};
use crate::model::ids::{Oid, TreeId};
use crate::model::text::sanitise_bytes;

/// Extensions of repository format 1 that change nothing about how refs and objects are read here.
const KNOWN_EXTENSIONS: [&str; 7] = [
    "noop",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "objectformat",
    "relativeworktrees",
    "refstorage",
];

/// Bytes of objects that are remembered: a command reads the same few commits and trees again and again.
const OBJECT_CACHE: usize = 256 << 10;

/// One opened repository: a cheap handle, cloned once for each thread.
///
/// Replacement refs are off, so that an object is always what its id says. Opening reads configuration and `HEAD`
/// only; objects, packed refs and the index are read when they are asked for.
#[derive(Clone)]
pub struct Repo {
    pub(super) gix: gix::Repository,
    git_dir: PathBuf,
    common_dir: PathBuf,
    /// Type and size of objects that were looked at.
    pub(super) headers: RefCell<HashMap<Oid, (Kind, u64)>>,
    /// Objects are read from more stores than the repository's own, which is therefore not written to.
    quarantine: Option<Quarantine>,
}

impl std::fmt::Debug for Repo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Repo({})", self.git_dir.display())
    }
}

thread_local! {
    static OPENED: RefCell<Option<Repo>> = const { RefCell::new(None) };
}

/// Where a repository is looked for.
#[derive(Debug, Clone, Copy)]
enum Start<'a> {
    /// From the current directory, or where `GIT_DIR` points.
    Environment,
    /// In this directory and those above it, whatever the environment says.
    Directory(&'a Path),
}

impl Repo {
    /// Opens the repository that git itself would use here: `GIT_DIR` and its companions first, else the current
    /// directory and those above it.
    ///
    /// Where the environment names other object stores, as while a push is being received, they are read as well and
    /// nothing is written.
    ///
    /// Refused, always with the way on: no repository, one owned by somebody else, and what this version does not
    /// read yet (reftable, unknown extensions).
    pub fn open() -> Result<Self> {
        let repo = Self::open_from(Start::Environment)?;
        OPENED.set(Some(repo.clone()));
        Ok(repo)
    }

    /// The repository that [`Repo::open`] found last on this thread: to ask for a setting once more without opening
    /// it again, where it is no matter that one was changed in between.
    pub fn opened() -> Option<Self> {
        OPENED.with_borrow(Clone::clone)
    }

    /// Opens the repository that contains `directory`, whatever the environment says.
    pub fn open_at(directory: &Path) -> Result<Self> {
        Self::open_from(Start::Directory(directory))
    }

    fn open_from(start: Start<'_>) -> Result<Self> {
        let options = options(start)?;
        let trust = trust::Mapping {
            full: options.clone(),
            reduced: options,
        };
        let upwards = gix::discover::upwards::Options {
            match_ceiling_dir_or_error: false,
            ..Default::default()
        };
        let opened = match start {
            Start::Environment => {
                gix::ThreadSafeRepository::discover_with_environment_overrides_opts(".", upwards, trust)
            }
            Start::Directory(path) => gix::ThreadSafeRepository::discover_opts(path, upwards, trust),
        };
        let mut gix = opened.map_err(|cause| open_error(&cause))?.to_thread_local();
        refuse_unreadable_format(&gix)?;
        let quarantine = match start {
            Start::Environment => quarantine::enter(&mut gix)?,
            Start::Directory(_) => None,
        };
        gix.object_cache_size(OBJECT_CACHE);
        let git_dir = absolute(gix.git_dir())?;
        let common_dir = absolute(gix.common_dir())?;
        if let (Start::Environment, Some(named)) = (start, env::var_os("GIT_COMMON_DIR")) {
            let named = std::path::absolute(&named).unwrap_or_else(|_| PathBuf::from(&named));
            if named.canonicalize().ok() != common_dir.canonicalize().ok() {
                return Err(Error::new(
                    "not-supported",
                    "a common directory set by GIT_COMMON_DIR is not supported yet",
                )
                .because(format!("it names {}", named.display()))
                .hint("unset GIT_COMMON_DIR"));
            }
        }
        Ok(Self {
            gix,
            git_dir,
            common_dir,
            headers: RefCell::default(),
            quarantine,
        })
    }

    /// Whether nothing may be written here: objects are read from other stores too, as while a push is being received.
    pub const fn is_read_only(&self) -> bool {
        self.quarantine.is_some()
    }

    /// An error where nothing may be written.
    pub fn refuse_read_only(&self) -> Result<()> {
        if self.is_read_only() {
            return Err(Error::new(
                "read-only",
                "nothing is written while objects are read from other stores",
            )
            .because("the environment is that of a push being received, or names an object directory")
            .hint("unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES"));
        }
        Ok(())
    }

    /// The directory of this worktree's own `HEAD`, absolute.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The directory that all worktrees share, absolute.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The top of the checked-out files, absolute; `None` in a bare repository.
    pub fn work_tree(&self) -> Option<PathBuf> {
        let dir = self.gix.workdir()?;
        Some(std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned()))
    }

    /// The current folder from the top of the checked-out files, with `/` between names; `None` at the top, outside of
    /// them, and where its name is not UTF-8.
    pub fn current_folder(&self) -> Option<String> {
        let folder = self.gix.prefix().ok()??;
        let names: Vec<_> = folder.iter().map(|name| name.to_str()).collect::<Option<_>>()?;
        (!names.is_empty()).then(|| names.join("/"))
    }

    /// Whether there are no checked-out files here. A linked worktree of a bare repository is not bare.
    pub fn is_bare(&self) -> bool {
        // `gix::Repository::is_bare` also answers yes in a worktree of a bare repository.
        self.gix.workdir().is_none()
    }

    /// Whether this is a linked worktree, made by `git worktree add`.
    pub fn is_linked_worktree(&self) -> bool {
        self.git_dir != self.common_dir
    }

    /// Git's name for "no object" in this repository's hash.
    pub fn zero_id(&self) -> Oid {
        convert::from_gix(&gix::ObjectId::null(self.gix.object_hash()))
    }

    /// The tree without entries; it need not be stored anywhere.
    pub fn empty_tree(&self) -> TreeId {
        TreeId(convert::from_gix(&gix::ObjectId::empty_tree(
            self.gix.object_hash(),
        )))
    }

    /// How many hex digits an object id has here: 40 or 64.
    pub fn id_len(&self) -> usize {
        self.gix.object_hash().len_in_hex()
    }

    /// Whether `id` has the length of this repository's object ids.
    pub fn id_fits(&self, id: Oid) -> bool {
        id.as_bytes().len() == self.gix.object_hash().len_in_bytes()
    }

    /// A handle of its own that remembers objects in so many bytes of memory; for work that reads the same ones twice.
    #[must_use]
    pub fn with_object_cache(&self, bytes: usize) -> Self {
        let mut repo = self.clone();
        repo.gix.object_cache_size(bytes);
        repo
    }

    /// Does the same with many items, on all cores when there are enough of them; results in the order of the items.
    pub fn in_parallel<T: Sync, U: Send>(
        &self,
        items: &[T],
        each: impl Fn(&Self, &T) -> Result<U> + Sync + Send,
    ) -> Result<Vec<U>> {
        use rayon::prelude::*;
        // Threads and their handles cost about as much as reading a hundred small objects.
        if items.len() < 128 {
            return items.iter().map(|item| each(self, item)).collect();
        }
        let shared = self.gix.clone().into_sync();
        let (git_dir, common_dir, quarantine) = (&self.git_dir, &self.common_dir, &self.quarantine);
        items
            .par_chunks(64)
            .map_init(
                || Self {
                    gix: shared.to_thread_local(),
                    git_dir: git_dir.clone(),
                    common_dir: common_dir.clone(),
                    headers: RefCell::default(),
                    quarantine: quarantine.clone(),
                },
                |repo, chunk| {
                    chunk
                        .iter()
                        .map(|item| each(repo, item))
                        .collect::<Result<Vec<U>>>()
                },
            )
            .collect::<Result<Vec<_>>>()
            .map(|chunks| chunks.into_iter().flatten().collect())
    }

    /// The git program, run in this very repository.
    pub fn git<I, S>(&self, args: I) -> Git
    where
        I: IntoIterator<Item = S>,
        S: AsRef<std::ffi::OsStr>,
    {
        let dir = self.work_tree().unwrap_or_else(|| self.git_dir.clone());
        // The directory is the repository's own, so discovery finds it again; an inherited GIT_DIR may be relative
        // to the place where we were started and is therefore replaced by the absolute one.
        let git = Git::new(args)
            .in_dir(dir)
            .env("GIT_DIR", &self.git_dir)
            .env("GIT_NO_REPLACE_OBJECTS", "1");
        match self.work_tree() {
            Some(tree) => git.env("GIT_WORK_TREE", tree),
            None => git.env_remove("GIT_WORK_TREE"),
        }
    }
}

/// Options for opening: strict about the owner, blind to replacement refs.
fn options(start: Start<'_>) -> Result<gix::open::Options> {
    let options = gix::open::Options::default()
        .bail_if_untrusted(true)
        .lossy_config(true)
        .config_overrides(["core.useReplaceRefs=false"]);
    Ok(match start {
        Start::Environment => options.cli_overrides(command_line_config()?),
        Start::Directory(_) => options,
    })
}

/// What `git -c key=value` set, which gix does not read: asked of git, and only if there is any.
fn command_line_config() -> Result<Vec<String>> {
    if env::var_os("GIT_CONFIG_PARAMETERS").is_none() {
        return Ok(Vec::new());
    }
    let listed = Git::new(["config", "--null", "--show-scope", "--list"]).run_ok()?;
    let mut values = Vec::new();
    let mut fields = listed.split(|byte| *byte == 0);
    while let (Some(scope), Some(entry)) = (fields.next(), fields.next()) {
        if scope == b"command" {
            let entry = String::from_utf8(entry.to_vec()).map_err(|_| {
                Error::new("config", "a value given with git -c is not UTF-8").because(sanitise_bytes(entry))
            })?;
            // `key\nvalue`, or `key` alone for a boolean that is on.
            values.push(match entry.split_once('\n') {
                Some((key, value)) => format!("{key}={value}"),
                None => entry,
            });
        }
    }
    Ok(values)
}

/// Refuses formats that gix opens and then reads, or worse writes, wrongly.
fn refuse_unreadable_format(gix: &gix::Repository) -> Result<()> {
    let config = gix.config_snapshot();
    let plumbing = config.plumbing();
    let Some(sections) = plumbing.sections_by_name("extensions") else {
        return Ok(());
    };
    for section in sections {
        for name in section.value_names() {
            let name = name.to_ascii_lowercase();
            if !KNOWN_EXTENSIONS.contains(&name.as_str()) {
                return Err(Error::new(
                    "not-supported",
                    format!(
                        "repository extension {} is not supported yet",
                        sanitise_bytes(name.as_bytes())
                    ),
                )
                .hint("git config --get-regexp ^extensions"));
            }
        }
    }
    // gix opens such a repository, and its writes go to loose files that git never reads.
    match config.string("extensions.refStorage") {
        Some(storage) if storage != "files" => Err(Error::new(
            "not-supported",
            format!(
                "refs stored as {} are not supported yet",
                sanitise_bytes(&storage)
            ),
        )
        .hint("git refs migrate --ref-format=files")),
        _ => Ok(()),
    }
}

/// Says why a repository could not be opened, the two common cases in git's own words.
fn open_error(cause: &gix::Error) -> Error {
    let chain = Error::new("", "").caused_by(cause);
    let unsafe_owner = chain
        .causes
        .iter()
        .find(|text| text.contains("considered unsafe") || text.contains("not owned by the current user"));
    if let Some(text) = unsafe_owner {
        let path = text.split('"').nth(1).unwrap_or(".").to_owned();
        return convert::error(
            "unsafe-repository",
            "the repository is owned by somebody else",
            cause,
        )
        .hint(format!(
            "git config --global --add safe.directory {}",
            crate::model::text::sanitise(&path)
        ));
    }
    if chain.causes.iter().any(|text| {
        text.contains("Could not find a git repository") || text.contains("not appear to be a git repository")
    }) {
        return convert::error(
            "not-a-repository",
            "not a git repository, nor any directory above it",
            cause,
        )
        .hint("git init");
    }
    convert::error("not-a-repository", "the repository could not be opened", cause).hint("git status")
}

/// `path` made absolute, without resolving links.
fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map(|path| clean(&path))
        .map_err(|cause| Error::new("io", "the current directory cannot be read").caused_by(&cause))
}

/// Takes `x/..` out of an absolute path, as in the common directory of a linked worktree.
fn clean(path: &Path) -> PathBuf {
    if !path
        .components()
        .any(|part| part == std::path::Component::ParentDir)
    {
        return path.to_owned();
    }
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
