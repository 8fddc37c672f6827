//! Shared test support: a clean world per test, real git, the built binary.
//!
//! ```ignore
//! let world = World::new();
//! let repo = world.repo("project");
//! repo.write("src/lib.rs", "pub fn f() {}\n");
//! let commit = repo.commit("Add f");
//! let ran = repo.gate(&["check"]).run();
//! assert_eq!(ran.code, 0, "{ran}");
//! ```
#![allow(
    dead_code,
    reason = "support for all topics; not every helper is used at every moment"
)]

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The built binary.
pub const BINARY: &str = env!("CARGO_BIN_EXE_git-review-gate");

/// The first commit of every world is made at this time, each later one a minute after the one before.
const EPOCH: i64 = 1_700_000_000;

/// The text of a file below `tests/`, such as `cases/gate/decide.json`.
pub fn fixture(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A JSON file below `tests/`.
pub fn json_fixture(path: &str) -> serde_json::Value {
    serde_json::from_str(&fixture(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A temporary folder with a home of its own; removed when the world and all its repositories are dropped.
#[derive(Debug)]
pub struct World {
    dir: Arc<tempfile::TempDir>,
    clock: Arc<AtomicI64>,
}

impl World {
    /// An empty world: nobody's configuration but a user called Alice.
    pub fn new() -> Self {
        let dir = tempfile::Builder::new()
            .prefix("review-gate-")
            .tempdir()
            .expect("a temporary folder");
        std::fs::create_dir(dir.path().join("home")).expect("home");
        std::fs::write(
            dir.path().join("home/.gitconfig"),
            "[user]\n\tname = Alice\n\temail = alice@example.org\n[init]\n\tdefaultBranch = main\n\
             [protocol \"file\"]\n\tallow = always\n[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n",
        )
        .expect("global configuration");
        Self {
            dir: Arc::new(dir),
            clock: Arc::new(AtomicI64::new(EPOCH)),
        }
    }

    /// An absolute path, with symbolic links resolved, of something in this world.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.dir
            .path()
            .canonicalize()
            .expect("the world exists")
            .join(relative)
    }

    /// A new repository with a work tree, on the unborn branch `main`.
    pub fn repo(&self, name: &str) -> Repo {
        self.init(name, &[])
    }

    /// A new bare repository.
    pub fn bare(&self, name: &str) -> Repo {
        self.init(name, &["--bare"])
    }

    /// A new repository with these options of `git init`.
    pub fn init(&self, name: &str, options: &[&str]) -> Repo {
        let repo = self.at(name);
        std::fs::create_dir_all(&repo.dir).expect("folder of the repository");
        repo.git(["init", "-q"].iter().chain(options));
        repo
    }

    /// A clone of `from` with these options of `git clone`.
    pub fn clone_of(&self, from: &Repo, name: &str, options: &[&str]) -> Repo {
        let repo = self.at(name);
        let mut args: Vec<&OsStr> = vec!["clone".as_ref(), "-q".as_ref()];
        args.extend(options.iter().map(OsStr::new));
        args.extend([from.dir.as_os_str(), repo.dir.as_os_str()]);
        self.at(".").git(args);
        repo
    }

    /// A handle on a repository or worktree that exists already (or a folder that is none).
    pub fn at(&self, name: &str) -> Repo {
        Repo {
            dir: self.path(name),
            _world: Arc::clone(&self.dir),
            home: self.path("home"),
            clock: Arc::clone(&self.clock),
        }
    }
}

/// A repository of a [`World`], or another folder in it.
#[derive(Debug, Clone)]
pub struct Repo {
    /// Where commands run.
    pub dir: PathBuf,
    _world: Arc<tempfile::TempDir>,
    home: PathBuf,
    clock: Arc<AtomicI64>,
}

impl Repo {
    /// A command that runs here in the clean environment.
    pub fn command(&self, program: impl Into<OsString>) -> Call {
        let mut command = Command::new(program.into());
        let path = std::env::var_os("PATH").expect("PATH is set");
        let bin = Path::new(BINARY)
            .parent()
            .expect("the binary is in a folder")
            .to_path_buf();
        let path = std::env::join_paths(std::iter::once(bin).chain(std::env::split_paths(&path)))
            .expect("no colon in the target folder");
        let date = format!("@{} +0000", self.clock.load(Ordering::Relaxed));
        command
            .current_dir(&self.dir)
            .env_clear()
            .env("PATH", path)
            .env("HOME", &self.home)
            .env("GIT_CONFIG_GLOBAL", self.home.join(".gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env("TZ", "UTC")
            .env("LC_ALL", "C")
            .env("TERM", "dumb");
        Call {
            command,
            stdin: Vec::new(),
        }
    }

    /// The built binary with these arguments; finish with [`Call::run`].
    pub fn gate<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Call {
        self.command(BINARY).args(args)
    }

    /// `git` with these arguments; finish with [`Call::run`].
    pub fn git_call<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Call {
        self.command("git").args(args)
    }

    /// Runs `git`, which must succeed; its standard output without the last line feed.
    pub fn git<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> String {
        let ran = self.git_call(args).run();
        assert_eq!(ran.code, 0, "git failed in {}: {ran}", self.dir.display());
        ran.stdout.strip_suffix('\n').unwrap_or(&ran.stdout).to_owned()
    }

    /// Writes a file of the work tree, with its folders.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.dir.join(path);
        std::fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("folder");
        std::fs::write(path, text).expect("file");
    }

    /// The text of a file of the work tree.
    pub fn read(&self, path: &str) -> String {
        let path = self.dir.join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// Commits everything in the work tree (also when nothing changed) and returns the full commit id.
    pub fn commit(&self, message: &str) -> String {
        self.clock.fetch_add(60, Ordering::Relaxed);
        self.git(["add", "--all"]);
        self.git(["commit", "-q", "--allow-empty", "-m", message]);
        self.rev("HEAD")
    }

    /// The full object id that a revision stands for.
    pub fn rev(&self, revision: &str) -> String {
        self.git(["rev-parse", "--verify", revision])
    }

    /// The object id of a ref, or `None` where it does not exist.
    pub fn ref_id(&self, name: &str) -> Option<String> {
        let ran = self.git_call(["rev-parse", "--verify", "--quiet", name]).run();
        (ran.code == 0).then(|| ran.stdout.trim().to_owned())
    }
}

/// Copies a file that is run afterwards, in a process of its own.
///
/// Were it open for writing here, a child that another thread forks at that moment would hold it open until
/// its `exec`, and running the copy would fail with `ETXTBSY`.
pub fn copy_program(from: impl AsRef<OsStr>, to: &Path) {
    let copied = Command::new("cp").arg(from.as_ref()).arg(to).status();
    assert!(copied.expect("cp runs").success(), "{}", to.display());
}

/// Writes a script with these permissions; see [`copy_program`] for why not directly.
pub fn script(path: &Path, mode: u32, text: &str) {
    let folder = path.parent().expect("folder");
    fs::create_dir_all(folder).expect("folder");
    let draft = tempfile::NamedTempFile::new().expect("draft");
    fs::write(draft.path(), text).expect("script");
    copy_program(draft.path(), path);
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("mode");
}

/// A command about to run.
#[derive(Debug)]
pub struct Call {
    command: Command,
    stdin: Vec<u8>,
}

impl Call {
    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Takes a variable away.
    pub fn env_remove(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// What `cargo` needs of the environment to find its tool chain; it fetches nothing.
    pub fn with_cargo(mut self) -> Self {
        let home = std::env::var("HOME").unwrap_or_default();
        for (name, below) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let value = std::env::var(name).unwrap_or_else(|_| format!("{home}/{below}"));
            self = self.env(name, value);
        }
        self.env("CARGO_NET_OFFLINE", "true")
    }

    /// What the command reads from standard input; without this it is empty.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// The command itself, for what this does not offer.
    pub fn into_command(self) -> Command {
        self.command
    }

    /// Runs to the end and keeps everything.
    pub fn run(mut self) -> Ran {
        let shown = format!("{:?}", self.command);
        let mut child = self
            .command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{shown}: {e}"));
        let mut pipe = child.stdin.take().expect("standard input is a pipe");
        let input = std::mem::take(&mut self.stdin);
        // A thread of its own: a child that writes before it reads must not block us. It may also not read at all.
        let writer = std::thread::spawn(move || pipe.write_all(&input).or(Ok::<_, std::io::Error>(())));
        let output = child.wait_with_output().expect("the child ends");
        writer
            .join()
            .expect("the writer ends")
            .expect("a closed pipe is fine");
        Ran {
            shown,
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            stdout_bytes: output.stdout,
        }
    }
}

/// What a command did.
#[derive(Debug, Clone)]
pub struct Ran {
    shown: String,
    /// The exit code; -1 when a signal ended it.
    pub code: i32,
    /// Standard output; bytes that are not UTF-8 replaced.
    pub stdout: String,
    /// Standard error; bytes that are not UTF-8 replaced.
    pub stderr: String,
    /// Standard output, byte for byte.
    pub stdout_bytes: Vec<u8>,
}

impl Ran {
    /// Fails the test with everything there is to see, unless the exit code is this one.
    #[track_caller]
    pub fn code(self, expected: i32) -> Self {
        assert_eq!(self.code, expected, "{self}");
        self
    }

    /// Standard output as one JSON value.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.stdout_bytes).unwrap_or_else(|e| panic!("not JSON: {e}\n{self}"))
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\nexit code {}", self.shown, self.code)?;
        writeln!(f, "--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

#[test]
fn a_world_is_clean_and_repeatable() {
    let commits = [(); 2].map(|()| {
        let world = World::new();
        let repo = world.repo("a");
        repo.write("f", "1\n");
        repo.commit("one")
    });
    assert_eq!(commits[0], commits[1]);
    let world = World::new();
    let ran = world
        .repo("b")
        .git_call(["config", "--show-origin", "--list"])
        .run()
        .code(0);
    let home = world.path("home/.gitconfig");
    for line in ran.stdout.lines() {
        let ours = line.starts_with("file:.git/config") || line.contains(&*home.to_string_lossy());
        assert!(ours, "configuration from outside: {line}");
    }
}

/// Starts a command and waits until it has written this line to its error output.
pub fn started(call: Call, expected: &str) -> Child {
    let mut child = call
        .into_command()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let ready = lines.map_while(Result::ok).any(|line| line == expected);
    assert!(ready, "it never said {expected}");
    child
}

/// Sends a signal to one process.
pub fn signal(child: &Child, name: &str) {
    // Every shell has it; not every system has the program.
    let kill = format!("kill -s {name} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status().unwrap();
    assert!(sent.success());
}

/// Whether a process works in this folder, where the system shows that.
pub fn is_in_use(dir: &Path) -> bool {
    let Ok(processes) = fs::read_dir("/proc") else {
        return false;
    };
    let mut folders = processes
        .flatten()
        .filter_map(|process| fs::read_link(process.path().join("cwd")).ok());
    folders.any(|cwd| cwd.starts_with(dir))
}
