//! Commits made from whole trees, without a work tree: `git fast-import`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64_text::decode;
use serde_json::Value;

use crate::support::Repo;

/// What stands at a path.
#[derive(Debug, Clone)]
pub enum Content {
    /// A regular file.
    File(Vec<u8>),
    /// An executable file.
    Executable(Vec<u8>),
    /// A symbolic link to this.
    Link(String),
    /// A submodule at this commit.
    Submodule(String),
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::File(text.as_bytes().to_vec())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::File(text.into_bytes())
    }
}

/// A whole tree.
pub type Files = BTreeMap<String, Content>;

/// A tree of these files.
pub fn files<C: Into<Content>>(files: impl IntoIterator<Item = (&'static str, C)>) -> Files {
    files
        .into_iter()
        .map(|(path, content)| (path.to_owned(), content.into()))
        .collect()
}

/// A tree as the cases write it.
pub fn from_json(tree: &Value) -> Files {
    let content = |value: &Value| match value {
        Value::String(text) => Content::from(text.as_str()),
        Value::Object(map) => {
            let text = |key: &str| map.get(key).and_then(Value::as_str);
            match (text("base64"), text("symlink"), text("gitlink"), text("text")) {
                (Some(coded), ..) => Content::File(decode(coded)),
                (_, Some(target), ..) => Content::Link(target.to_owned()),
                (_, _, Some(commit), _) => Content::Submodule(commit.to_owned()),
                (_, _, _, Some(file)) if text("mode") == Some("100755") => {
                    Content::Executable(file.as_bytes().to_vec())
                }
                (_, _, _, Some(file)) if text("mode") == Some("100644") => Content::from(file),
                _ => panic!("unknown content {value}"),
            }
        }
        _ => panic!("unknown content {value}"),
    };
    let tree = tree.as_object().expect("a tree is an object");
    tree.iter()
        .map(|(path, value)| (path.clone(), content(value)))
        .collect()
}

/// Commits each tree on top of the one before, on `refs/heads/main`; returns the commits, oldest first.
///
/// The work tree stays as it is: a baseline never looks at it.
pub fn commit_trees(repo: &Repo, trees: &[&Files]) -> Vec<String> {
    let mut stream = Vec::new();
    for (number, tree) in trees.iter().enumerate() {
        let mut head = String::new();
        let time = 1_700_000_000 + number * 60;
        let _ = write!(
            head,
            "commit refs/heads/main\nmark :{mark}\ncommitter A <a@example.org> {time} +0000\ndata 1\nx\ndeleteall\n",
            mark = number + 1
        );
        stream.extend(head.into_bytes());
        for (path, content) in *tree {
            let (mode, bytes) = match content {
                Content::File(bytes) => ("100644", bytes.as_slice()),
                Content::Executable(bytes) => ("100755", bytes.as_slice()),
                Content::Link(target) => ("120000", target.as_bytes()),
                Content::Submodule(commit) => {
                    stream.extend(format!("M 160000 {commit} {}\n", quoted(path)).into_bytes());
                    continue;
                }
            };
            stream.extend(format!("M {mode} inline {}\ndata {}\n", quoted(path), bytes.len()).into_bytes());
            stream.extend_from_slice(bytes);
            stream.push(b'\n');
        }
    }
    let marks = repo.dir.join("marks");
    let option = format!("--export-marks={}", marks.display());
    repo.git_call(["fast-import", "--quiet", "--force", &option])
        .stdin(stream)
        .run()
        .code(0);
    let listed = std::fs::read_to_string(&marks).expect("marks");
    std::fs::remove_file(&marks).expect("marks");
    let mut commits: Vec<_> = listed
        .lines()
        .map(|line| {
            let (mark, commit) = line[1..].split_once(' ').expect("mark and commit");
            (mark.parse::<usize>().expect("a number"), commit.to_owned())
        })
        .collect();
    commits.sort();
    commits.into_iter().map(|(_, commit)| commit).collect()
}

fn quoted(path: &str) -> String {
    format!(
        "\"{}\"",
        path.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    )
}

mod base64_text {
    /// Decodes standard base64.
    pub fn decode(text: &str) -> Vec<u8> {
        const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut bytes = Vec::new();
        let (mut bits, mut held) = (0u32, 0);
        for c in text.bytes().filter(|c| *c != b'=') {
            let value = ALPHABET.iter().position(|known| *known == c).expect("base64");
            bits = bits << 6 | u32::try_from(value).expect("six bits");
            held += 6;
            if held >= 8 {
                held -= 8;
                bytes.push(u8::try_from(bits >> held & 255).expect("eight bits"));
            }
        }
        bytes
    }
}
