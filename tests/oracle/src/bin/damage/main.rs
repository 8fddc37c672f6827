//! Damages real files and scans them: nothing may panic, and nothing may take over two seconds a megabyte.
//!
//! `cargo run --release --manifest-path tests/oracle/Cargo.toml --bin damage -- rust|go|python|typescript [SECONDS]`
//! takes the sources that the comparisons of that language take. The damage is the same in every run, and seconds are
//! those of this thread on a core, so that a busy machine changes nothing. Prints how many files were scanned; exits
//! with 1 on the first failure, with 2 where there are no sources.

#[path = "../against_typescript/packages.rs"]
mod packages;
mod pieces;
#[path = "../../sources.rs"]
mod rust_sources;
mod sources;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use git_review_gate::structure::outline::{Options, Outline};
use rustix::time::{ClockId, clock_gettime};

use sources::{Language, Source};

/// The most seconds a megabyte, unoptimised: three times what the slowest files take, far below what grows with the
/// square of their size.
const LIMIT: f64 = 2.0;

/// Smaller files are taken for so large: a few unlucky bytes tell nothing about growth.
const SMALLEST: usize = 100_000;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let language = args.next().and_then(|word| Language::named(&word));
    let Some(language) = language else {
        eprintln!("usage: damage rust|go|python|typescript [SECONDS]");
        return ExitCode::from(2);
    };
    let seconds: f64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(20.0);
    let files = match language.files() {
        Ok(files) if !files.is_empty() => files,
        Ok(_) => {
            eprintln!("error: no sources of {}", language.word);
            return ExitCode::from(2);
        }
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    };
    match run(&language, &files, seconds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(1)
        }
    }
}

/// Scans damaged files for so long; the error tells what failed and where the file is kept.
fn run(language: &Language, files: &[Source], seconds: f64) -> Result<(), String> {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut scanned, mut refused, mut bytes, mut slowest) = (0_u64, 0_u64, 0_u64, 0.0_f64);
    let start = on_core();
    while on_core() - start < seconds {
        let original = &files[random.below(files.len())];
        let mut file = original.bytes.clone();
        for _ in 0..=random.below(6) {
            damage(&mut file, language.pieces, &mut random);
        }
        // Its own path, or one that has it read as something else.
        let path = *language
            .paths
            .get(random.below(2 * language.paths.len()))
            .unwrap_or(&original.path.as_bytes());
        let before = on_core();
        let kept = |what: &str| {
            let name = format!("damaged.{}", language.word);
            let place = std::env::temp_dir().join(name);
            let _ = std::fs::write(&place, &file);
            format!(
                "{what} over {} bytes of {} as {}, kept in {}",
                file.len(),
                original.name,
                String::from_utf8_lossy(path),
                place.display()
            )
        };
        match catch_unwind(AssertUnwindSafe(|| scan(language.scanner, &file, path))) {
            Ok(true) => scanned += 1,
            Ok(false) => refused += 1,
            Err(_) => return Err(kept("a panic")),
        }
        let rate = (on_core() - before) / (file.len().max(SMALLEST) as f64 / 1e6);
        bytes += file.len() as u64;
        slowest = slowest.max(rate);
        if rate > LIMIT {
            return Err(kept(&format!("{rate:.2} s/MB")));
        }
    }
    println!(
        "{}: {scanned} damaged files scanned, {refused} refused, {} MB; slowest {slowest:.3} s/MB",
        language.word,
        bytes / 1_000_000
    );
    Ok(())
}

/// Scans a file and everything in it; whether it was not refused.
fn scan(scanner: &dyn Outline, file: &[u8], path: &[u8]) -> bool {
    let options = Options {
        test_file: true,
        doctests: true,
        ..Options::default()
    };
    let Ok(outline) = scanner.outline(file, path, &options) else {
        return false;
    };
    for unit in &outline.units {
        assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= file.len());
        assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
        // Only tests and what they call are looked into; a container holds what is looked into itself.
        let holds_others = matches!(
            unit.segment.kind,
            "class" | "mod" | "namespace" | "suite" | "describe"
        );
        if !holds_others {
            scanner.test_body(file, unit, &[]);
        }
    }
    scanner.tokens(file, 0..file.len());
    true
}

/// Cuts, copies or inserts somewhere.
fn damage(file: &mut Vec<u8>, pieces: &[&[u8]], random: &mut Random) {
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
            let piece = pieces[random.below(pieces.len())].repeat(times);
            file.splice(at..at, piece);
        }
        _ => {
            let piece = pieces[random.below(pieces.len())];
            file.splice(at..end, piece.iter().copied());
        }
    }
}

/// The seconds that this thread was on a core.
fn on_core() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// A small generator of numbers: the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}
