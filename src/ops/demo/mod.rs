//! `demo`: a throw-away project in which a change deletes a test, is found out, blocked, mended and let through.
//!
//! Every step is a command that a person would type, run for real: git, and this very program. The transcript says
//! for each what it printed, how it ended, and whether that is how it should end.

#![expect(
    clippy::disallowed_methods,
    reason = "writes the files of its own throw-away project, and tells the commands where this program is"
)]

mod story;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::git::process::Git;
use crate::model::text::sanitise;
use crate::model::transcript::{Step, Transcript};

/// Tells the whole story in a temporary folder, or in `keep`, which must be empty or absent.
pub fn run(keep: Option<&Path>) -> Result<Transcript> {
    // Removed when it goes out of scope.
    let temporary = match keep {
        Some(dir) => {
            prepare(dir)?;
            None
        }
        None => Some(
            tempfile::Builder::new()
                .prefix("review-gate-demo-")
                .tempdir()
                .map_err(|cause| Error::new("io", "no temporary folder can be made").caused_by(&cause))?,
        ),
    };
    let root = keep
        .or(temporary.as_ref().map(tempfile::TempDir::path))
        .expect("one of the two is there");
    let root = root.canonicalize().map_err(|cause| io(root, &cause))?;
    let mut stage = Stage::new(root)?;
    story::tell(&mut stage)?;
    Ok(Transcript {
        steps: stage.steps,
        kept: keep.map(|dir| sanitise(&dir.to_string_lossy())),
    })
}

fn prepare(dir: &Path) -> Result<()> {
    std::fs::create_dir_all(dir).map_err(|cause| io(dir, &cause))?;
    let mut entries = std::fs::read_dir(dir).map_err(|cause| io(dir, &cause))?;
    if entries.next().is_some() {
        return Err(Error::new("usage", format!("{} is not empty", dir.display()))
            .hint("git review-gate demo --keep a-new-folder"));
    }
    Ok(())
}

fn io(path: &Path, cause: &std::io::Error) -> Error {
    Error::new("io", format!("{} cannot be used", path.display())).caused_by(cause)
}

/// The place where the steps run, and what they did so far.
struct Stage {
    root: PathBuf,
    environment: Vec<(OsString, OsString)>,
    steps: Vec<Step>,
    title: Option<&'static str>,
}

/// What a step must come to, besides its exit code.
enum Expect<'a> {
    /// Exit code 0.
    Done,
    /// Exit code 0, and this text in its output.
    Says(&'a str),
    /// This exit code, and this text in its output.
    Fails(i32, &'a str),
}

impl Stage {
    fn new(root: PathBuf) -> Result<Self> {
        let home = root.join(".home");
        std::fs::create_dir(&home).map_err(|cause| io(&home, &cause))?;
        let config = home.join("gitconfig");
        std::fs::write(&config, story::GIT_CONFIG).map_err(|cause| io(&config, &cause))?;
        let own = std::env::current_exe()
            .map_err(|cause| Error::new("io", "this program does not know where it is").caused_by(&cause))?;
        let mut path = vec![own.parent().unwrap_or(Path::new(".")).to_owned()];
        path.extend(std::env::split_paths(
            &std::env::var_os("PATH").unwrap_or_default(),
        ));
        let path = std::env::join_paths(path)
            .map_err(|cause| Error::new("io", "PATH cannot be extended").caused_by(&cause))?;
        let environment = [
            ("PATH", path),
            ("HOME", home.into()),
            ("GIT_CONFIG_GLOBAL", config.into()),
            ("GIT_CONFIG_NOSYSTEM", "1".into()),
            ("GIT_TERMINAL_PROMPT", "0".into()),
            ("NO_COLOR", "1".into()),
            ("GIT_PAGER", "cat".into()),
            ("LC_ALL", "C".into()),
        ];
        Ok(Self {
            root,
            environment: environment.map(|(name, value)| (name.into(), value)).to_vec(),
            steps: Vec::new(),
            title: None,
        })
    }

    /// The next steps are about this.
    fn chapter(&mut self, title: &'static str) {
        self.title = Some(title);
    }

    /// Whether the last step came out as it should; after one that did not, nothing more is run.
    fn goes_on(&self) -> bool {
        self.steps.last().is_none_or(|step| step.fault.is_none())
    }

    /// Writes a file, told as an edit.
    fn edit(&mut self, what: &str, file: &str, text: &str) -> Result<()> {
        if !self.goes_on() {
            return Ok(());
        }
        let path = self.root.join(file);
        let folder = path.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(folder).map_err(|cause| io(folder, &cause))?;
        std::fs::write(&path, text).map_err(|cause| io(&path, &cause))?;
        let title = self.title.take();
        self.steps.push(Step {
            title,
            command: format!("# {what}"),
            output: String::new(),
            code: None,
            fault: None,
        });
        Ok(())
    }

    /// Runs one command line in a folder below the root; returns what it printed to standard output.
    ///
    /// Words are split at spaces, a part in double quotes is one word.
    fn run(&mut self, folder: &str, line: &str, expect: &Expect<'_>) -> Result<String> {
        if !self.goes_on() {
            return Ok(String::new());
        }
        let words = split(line);
        let (program, args) = words.split_first().expect("a step names a program");
        assert_eq!(program, "git", "every command of the story is one of git");
        let mut call = Git::new(args)
            .in_dir(self.root.join(folder))
            .without_local_environment();
        for (name, value) in &self.environment {
            call = call.env(name, value);
        }
        let ran = call.run()?;
        let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
        let mut output = stdout.clone();
        output.push_str(&String::from_utf8_lossy(&ran.stderr));
        let (code, text) = match expect {
            Expect::Done => (0, ""),
            Expect::Says(text) => (0, *text),
            Expect::Fails(code, text) => (*code, *text),
        };
        let fault = if ran.code != Some(code) {
            let ended = ran
                .code
                .map_or("a signal".to_owned(), |code| format!("exit code {code}"));
            Some(format!("ended with {ended}, should end with exit code {code}"))
        } else if !output.contains(text) {
            Some(format!("should say {text:?}"))
        } else {
            None
        };
        let title = self.title.take();
        let command = format!("{folder}$ {line}");
        self.steps.push(Step {
            title,
            command,
            output,
            code: ran.code,
            fault,
        });
        Ok(stdout)
    }

    /// Says only how much the last command printed, where it went well.
    fn leave_out_output(&mut self) {
        if let Some(step) = self.steps.last_mut().filter(|step| step.fault.is_none()) {
            step.output = format!("({} lines)\n", step.output.lines().count());
        }
    }

    /// Adds a step that compares two texts that must be equal.
    fn same(&mut self, what: &str, one: &str, two: &str) {
        if self.goes_on() {
            let fault = (one != two).then(|| format!("differ:\n{one}\n{two}"));
            let title = self.title.take();
            self.steps.push(Step {
                title,
                command: format!("# {what}"),
                output: String::new(),
                code: None,
                fault,
            });
        }
    }
}

/// Splits a command line of the story into words.
fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_parts_are_one_word() {
        assert_eq!(
            split("git commit -m \"Two words\" -q"),
            ["git", "commit", "-m", "Two words", "-q"]
        );
    }
}
