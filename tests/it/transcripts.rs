//! Stories that run as tests: the `console` blocks of the README and of `tests/transcripts/*.md`.
//!
//! A line that starts with `$ ` is typed into a shell, lines that start with `> ` go on with it; what follows is what
//! it prints, both streams together, then `[exit code N]` where that is not 0. `[..]` stands for anything in a line,
//! a line `...` for any lines. All blocks of a file run one after the other in one empty folder.
//! `TRANSCRIPTS=overwrite cargo test transcripts` writes what is printed now into the files, to be read in the diff.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::World;

/// One command of a story and where its expected output stands in the file.
struct Step {
    line: usize,
    command: String,
    expected: Vec<String>,
}

/// The parts of a story: text that is kept, and steps.
enum Part {
    Text(String),
    Step(Step),
}

fn parse(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut in_console = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_console = line == "```console";
            parts.push(Part::Text(line.to_owned()));
        } else if !in_console {
            parts.push(Part::Text(line.to_owned()));
        } else if let Some(command) = line.strip_prefix("$ ") {
            let command = command.to_owned();
            parts.push(Part::Step(Step {
                line: number + 1,
                command,
                expected: Vec::new(),
            }));
        } else {
            let Some(Part::Step(step)) = parts.last_mut() else {
                panic!("line {}: output without a command", number + 1)
            };
            // An empty line of a here-document may have lost the blank behind its sign.
            let more = line
                .strip_prefix("> ")
                .or_else(|| line.strip_prefix('>').filter(|rest| rest.is_empty()));
            match more {
                Some(more) if step.expected.is_empty() => {
                    step.command.push('\n');
                    step.command.push_str(more);
                }
                _ => step.expected.push(line.to_owned()),
            }
        }
    }
    parts
}

/// Runs a story and fails with every difference.
fn play(path: &Path) {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let world = World::new();
    fs::create_dir(world.path("story")).unwrap();
    let mut folder = world.path("story");
    let mut faults = String::new();
    let mut rewritten = String::new();
    let parts = parse(&text);
    let steps = parts.iter().filter(|part| matches!(part, Part::Step(_))).count();
    assert!(steps > 0, "{} has no console block", path.display());
    for part in parts {
        let step = match part {
            Part::Text(line) => {
                rewritten.push_str(&line);
                rewritten.push('\n');
                continue;
            }
            Part::Step(step) => step,
        };
        // The shell says at its end where it is, so that `cd` lasts.
        let script = format!(
            "{{ {}\n}} 2>&1; code=$?; pwd > \"$HOME/.pwd\"; exit $code",
            step.command
        );
        let ran = world
            .at(folder
                .strip_prefix(world.path(".").canonicalize().unwrap())
                .unwrap()
                .to_str()
                .unwrap())
            .command("sh")
            .args(["-c", &script])
            .run();
        folder = PathBuf::from(fs::read_to_string(world.path("home/.pwd")).unwrap().trim_end());
        let mut printed: Vec<String> = ran
            .stdout
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        if ran.code != 0 {
            printed.push(format!("[exit code {}]", ran.code));
        }
        let fits = matches(&step.expected, &printed);
        if !fits {
            let _ = write!(
                faults,
                "line {}: $ {}\n  expected:\n    {}\n  printed:\n    {}\n",
                step.line,
                step.command,
                step.expected.join("\n    "),
                printed.join("\n    ")
            );
        }
        for (line, sign) in step
            .command
            .lines()
            .zip(std::iter::once("$ ").chain(std::iter::repeat("> ")))
        {
            let _ = writeln!(rewritten, "{}", format!("{sign}{line}").trim_end());
        }
        for line in if fits { &step.expected } else { &printed } {
            let _ = writeln!(rewritten, "{line}");
        }
    }
    if faults.is_empty() {
        return;
    }
    if std::env::var_os("TRANSCRIPTS").is_some_and(|word| word == "overwrite") {
        fs::write(path, rewritten).unwrap();
    }
    panic!("{}:\n{faults}", path.display());
}

/// Whether lines fit the expected ones, where `...` stands for any number of lines.
fn matches(expected: &[String], printed: &[String]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "..." => {
            (0..=printed.len()).any(|n| matches(rest, &printed[n..]))
        }
        (Some((first, rest)), Some((line, lines))) => {
            line_fits(first.trim_end(), line) && matches(rest, lines)
        }
        _ => false,
    }
}

/// Whether a line fits the expected one, where `[..]` stands for anything.
fn line_fits(expected: &str, line: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == line,
        Some((before, after)) => line.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| line_fits(after, &rest[at..]))
        }),
    }
}

#[test]
fn the_readme_tells_the_truth() {
    play(&Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
}

#[test]
fn stories_come_out_as_told() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        play(&file);
    }
}

#[test]
fn wildcards_fit_what_they_should() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    for (expected, printed, fits) in [
        ("a\nb", "a\nb", true),
        ("a", "a\nb", false),
        ("a\n...", "a\nb\nc", true),
        ("...\nc", "a\nb\nc", true),
        ("...\nd", "a\nb\nc", false),
        ("x [..] z", "x y z", true),
        ("x [..] z", "x y", false),
        ("", "", true),
    ] {
        assert_eq!(
            matches(&lines(expected), &lines(printed)),
            fits,
            "{expected:?} {printed:?}"
        );
    }
}
