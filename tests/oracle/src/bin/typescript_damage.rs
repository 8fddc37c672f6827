//! Damages real TypeScript and JavaScript files and scans them: nothing may panic, and nothing may take over a second
//! a megabyte.
//!
//! `cargo run --release --manifest-path tests/oracle/Cargo.toml --bin typescript_damage [SECONDS]` brings the packages
//! with `npm pack`. The damage is the same in every run; prints how many files were scanned, and exits with 1 on the
//! first failure.

#[path = "against_typescript/packages.rs"]
mod packages;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use git_review_gate::structure::lang::typescript::TypeScript;
use git_review_gate::structure::outline::{Options, Outline};

/// What is put into a file.
const PIECES: [&[u8]; 44] = [
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
    b"/",
    b"\\",
    b"\n",
    b";",
    b",",
    b"<",
    b">",
    b"</",
    b"/>",
    b"<a>",
    b"${",
    b"=>",
    b"= ",
    b": ",
    b"? ",
    b"@",
    b"#",
    b"export ",
    b"export default ",
    b"function f(",
    b"class C {",
    b"namespace n {",
    b"const a = ",
    b"describe('a', () => {",
    b"it('b', () => {",
    b"expect(a).toBe(",
    b"if (a) ",
    b"try {",
    b"} catch {",
    b"module.exports = ",
    b"\xff",
    b"\0",
];

const PATHS: [&[u8]; 4] = [b"a/a.ts", b"a/a.test.tsx", b"a/a.js", b"a/a.d.ts"];

fn main() -> ExitCode {
    let seconds = std::env::args()
        .nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(20);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/npm");
    let files = match packages::files(&folder) {
        Ok(files) => files,
        Err(fault) => {
            eprintln!("error: {fault}");
            return ExitCode::from(2);
        }
    };
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut scanned, mut refused, mut bytes, mut slowest) = (0_u64, 0_u64, 0_u64, 0.0_f64);
    while Instant::now() < end {
        let original = &files[random.below(files.len())];
        let mut file = original.bytes.clone();
        for _ in 0..=random.below(6) {
            damage(&mut file, &mut random);
        }
        // Its own path, or one that has it read as something else.
        let path = *PATHS
            .get(random.below(2 * PATHS.len()))
            .unwrap_or(&original.path.as_bytes());
        let start = Instant::now();
        match TypeScript.outline(&file, path, &Options::default()) {
            Ok(outline) => {
                for unit in &outline.units {
                    assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= file.len());
                    assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
                    if unit.segment.kind == "test" {
                        TypeScript.test_body(&file, unit, &[]);
                    }
                }
                TypeScript.tokens(&file, 0..file.len());
                scanned += 1;
            }
            Err(_) => refused += 1,
        }
        let took = start.elapsed().as_secs_f64();
        bytes += file.len() as u64;
        // Small files only show how busy the machine is.
        let rate = took / (file.len().max(100_000) as f64 / 1e6);
        slowest = slowest.max(rate);
        if rate > 1.0 {
            let kept = std::env::temp_dir().join("typescript_damage.ts");
            let _ = std::fs::write(&kept, &file);
            eprintln!(
                "error: {rate:.2} s/MB over {} bytes of {}, kept in {}",
                file.len(),
                original.name,
                kept.display()
            );
            return ExitCode::from(1);
        }
    }
    println!(
        "typescript: {scanned} damaged files scanned, {refused} refused, {} MB; slowest {slowest:.3} s/MB",
        bytes / 1_000_000
    );
    ExitCode::SUCCESS
}

/// Cuts, copies or inserts somewhere.
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
