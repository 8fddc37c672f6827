//! Damages real Go files and scans them: nothing may panic, and nothing may take over a second a megabyte.
//!
//! `cargo run --release --manifest-path tests/oracle/Cargo.toml --bin go_damage [SECONDS]` needs the sources of Go.
//! The damage is the same in every run; prints how many files were scanned, and exits with 1 on the first failure.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use git_review_gate::structure::lang::go::Go;
use git_review_gate::structure::outline::{Options, Outline};

/// What is put into a file.
const PIECES: [&[u8]; 40] = [
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"\"",
    b"`",
    b"'",
    b"/*",
    b"*/",
    b"//",
    b"\\",
    b"\n",
    b";",
    b",",
    b".",
    b"func ",
    b"func (t *testing.T) {",
    b"type ",
    b"struct {",
    b"interface {",
    b"const (",
    b"var ",
    b"import \"ginkgo\"\n",
    b"t.Run(\"a\", func(t *testing.T) {",
    b"})",
    b"if x != y {",
    b"else ",
    b"[]struct{ a int }{",
    b"{1},",
    b"map[",
    b"assert.Equal(t, ",
    b"Expect(",
    b").To(",
    b"// Output: 1\n",
    b"//go:build x\n",
    b"It(\"a\", func() {",
    b"\xff",
    b"\0",
];

fn main() -> ExitCode {
    let seconds = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(20);
    let files = match sources() {
        Ok(files) => files,
        Err(fault) => {
            eprintln!("error: {fault}\nhint: install Go, on Debian as golang-go");
            return ExitCode::from(2);
        }
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut scanned, mut refused, mut bytes, mut slowest) = (0_u64, 0_u64, 0_u64, 0.0_f64);
    while Instant::now() < end {
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..=random.below(6) {
            damage(&mut file, &mut random);
        }
        let path: &[u8] = if random.below(2) == 0 {
            b"a/a.go"
        } else {
            b"a/a_test.go"
        };
        let (took, found) = scan(&file, path);
        if found {
            scanned += 1;
        } else {
            refused += 1;
        }
        bytes += file.len() as u64;
        // Small files only show how busy the machine is.
        let megabytes = file.len().max(100_000) as f64 / 1e6;
        // So does a single slow scan: what is slow is slow each time.
        let again = std::iter::repeat_with(|| scan(&file, path).0).take(4);
        let took = again.take_while(|_| took > megabytes).fold(took, f64::min);
        let rate = took / megabytes;
        slowest = slowest.max(rate);
        if rate > 1.0 {
            let kept = std::env::temp_dir().join("go_damage.go");
            let _ = std::fs::write(&kept, &file);
            eprintln!(
                "error: {rate:.2} s/MB over {} bytes, kept in {}",
                file.len(),
                kept.display()
            );
            return ExitCode::from(1);
        }
    }
    println!(
        "go: {scanned} damaged files scanned, {refused} refused, {} MB; slowest {slowest:.3} s/MB",
        bytes / 1_000_000
    );
    ExitCode::SUCCESS
}

/// Scans a file and everything in it: the seconds it took, and whether it was not refused.
fn scan(file: &[u8], path: &[u8]) -> (f64, bool) {
    let start = Instant::now();
    let outline = Go.outline(file, path, &Options::default());
    if let Ok(outline) = &outline {
        for unit in &outline.units {
            assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= file.len());
            assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
            Go.test_body(file, unit, &[]);
        }
        Go.tokens(file, 0..file.len());
    }
    (start.elapsed().as_secs_f64(), outline.is_ok())
}

/// Cuts, copies, swaps or inserts somewhere.
fn damage(file: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(file.len() + 1);
    let end = (at + random.below(60)).min(file.len());
    match random.below(4) {
        0 => drop(file.drain(at..end)),
        1 => {
            let copy = file[at..end].to_vec();
            let to = random.below(file.len() + 1);
            file.splice(to..to, copy);
        }
        2 => {
            let times = if random.below(50) == 0 { 2000 } else { 1 };
            let piece = PIECES[random.below(PIECES.len())].repeat(times);
            file.splice(at..at, piece);
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            file.splice(at..end, piece.iter().copied());
        }
    }
}

/// A small generator of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

fn sources() -> Result<Vec<Vec<u8>>, String> {
    let output = Command::new("go")
        .args(["env", "GOROOT"])
        .output()
        .map_err(|fault| format!("go: {fault}"))?;
    let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("src");
    let root = root.canonicalize().map_err(|fault| fault.to_string())?;
    let mut paths = Vec::new();
    add_paths(&root, &mut paths)?;
    paths.sort();
    let files = paths.iter().map(std::fs::read).collect::<Result<Vec<_>, _>>();
    files.map_err(|fault| fault.to_string())
}

fn add_paths(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    for entry in std::fs::read_dir(folder).map_err(|fault| fault.to_string())? {
        let entry = entry.map_err(|fault| fault.to_string())?;
        let kind = entry.file_type().map_err(|fault| fault.to_string())?;
        let path = entry.path();
        if kind.is_dir() {
            add_paths(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "go") {
            paths.push(path);
        }
    }
    Ok(())
}
