//! The languages, and where the files of each come from.

use std::path::{Path, PathBuf};
use std::process::Command;

use git_review_gate::structure::lang::{go::Go, python::Python, rust::Rust, typescript::TypeScript};
use git_review_gate::structure::outline::Outline;

use crate::{packages, pieces, rust_sources};

/// One source file.
pub struct Source {
    /// For people.
    pub name: String,
    /// Its path inside of its package.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// A language that is damaged.
pub struct Language {
    /// Its name, which the command line takes.
    pub word: &'static str,
    pub scanner: &'static dyn Outline,
    pub pieces: &'static [&'static [u8]],
    /// Paths that files are given besides their own.
    pub paths: &'static [&'static [u8]],
}

impl Language {
    /// The language of this name.
    pub fn named(word: &str) -> Option<Self> {
        Some(match word {
            "rust" => Self {
                word: "rust",
                scanner: &Rust,
                pieces: &pieces::RUST,
                paths: &[b"src/lib.rs", b"src/a/mod.rs", b"tests/a.rs"],
            },
            "go" => Self {
                word: "go",
                scanner: &Go,
                pieces: &pieces::GO,
                paths: &[b"a/a.go", b"a/a_test.go"],
            },
            "python" => Self {
                word: "python",
                scanner: &Python,
                pieces: &pieces::PYTHON,
                paths: &[b"src/a.py", b"tests/test_a.py", b"src/a.pyi"],
            },
            "typescript" => Self {
                word: "typescript",
                scanner: &TypeScript,
                pieces: &pieces::TYPESCRIPT,
                paths: &[b"a/a.ts", b"a/a.test.tsx", b"a/a.js", b"a/a.d.ts"],
            },
            _ => return None,
        })
    }

    /// All source files to be had, sorted by name.
    pub fn files(&self) -> Result<Vec<Source>, String> {
        match self.word {
            "rust" => {
                let files = rust_sources::files()?.into_iter();
                Ok(files
                    .map(|file| source(file.name, file.path, file.bytes))
                    .collect())
            }
            "typescript" => {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/npm");
                let files = packages::files(&folder)?.into_iter();
                Ok(files
                    .map(|file| source(file.name, file.path, file.bytes))
                    .collect())
            }
            "go" => {
                let root = answer("go", &["env", "GOROOT"])?;
                below(&Path::new(&root).join("src"), "go")
            }
            _ => {
                let ask = "import sysconfig; print(sysconfig.get_paths()['stdlib'])";
                below(Path::new(&answer("python3", &["-c", ask])?), "py")
            }
        }
    }
}

fn source(name: String, path: String, bytes: Vec<u8>) -> Source {
    Source { name, path, bytes }
}

/// The line that a program prints.
fn answer(program: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(args)
        .output()
        .map_err(|fault| format!("{program}: {fault}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn below(root: &Path, extension: &str) -> Result<Vec<Source>, String> {
    let root = root
        .canonicalize()
        .map_err(|fault| format!("{}: {fault}", root.display()))?;
    let mut paths = Vec::new();
    add_paths(&root, extension, &mut paths)?;
    paths.sort();
    let files = paths.iter().map(|path| {
        let inside = path.strip_prefix(&root).unwrap_or(path).to_string_lossy();
        let bytes = std::fs::read(path).map_err(|fault| format!("{}: {fault}", path.display()))?;
        Ok(source(inside.clone().into_owned(), inside.into_owned(), bytes))
    });
    files.collect()
}

fn add_paths(folder: &Path, extension: &str, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|fault| fault.to_string())? {
        let entry = entry.map_err(|fault| fault.to_string())?;
        let kind = entry.file_type().map_err(|fault| fault.to_string())?;
        let path = entry.path();
        if kind.is_dir() {
            add_paths(&path, extension, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|end| end == extension) {
            paths.push(path);
        }
    }
    Ok(())
}
