//! What holds for any input: nothing panics, everything ends, layout and line endings do not count.

use proptest::prelude::*;

use super::*;

/// Files as people write them, to be damaged.
const REAL: [&str; 2] = [
    include_str!("../../../../tests/oracle/python.py"),
    "import os\nfrom a import (b as c,\n  d)\n__all__ = ['f', \"G\"]\n@pytest.mark.parametrize('x', [(1, 2),\n  pytest.param(3, 4, id='y'),])\n\
     async def test_f(x, *, y: int = 3) -> None:\n    \"\"\"Doc.\n\n    >>> f(1)\n    2\n    \"\"\"\n    if x:\n        return\n    \
     try:\n        assert f\"{x['a']!r:>{y}}\" == '1', 'why'\n    except Exception as e:\n        pass\n    with pytest.raises(E, match='m'):\n\
     \x20       pass\n    assert x == pytest.approx(1.0, abs=1e-3)\nclass TestG(unittest.TestCase):\n    pytestmark = [pytest.mark.skip]\n    \
     x: int = 1; y = 2\n    def test_h(self):\n        m.patch('a.b').assert_called_with(1)\n        self.assertEqual(a, \\\n            b)\n\
     if a:\n    def i(): pass\nelif b: j = 1\nelse:\n    k = lambda: 1\n",
];

/// What is put into a damaged file.
const PIECES: [&str; 30] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "f\"{",
    "f'''{",
    ":",
    "\\\n",
    "\n",
    "\r",
    "\n    ",
    "\n\t",
    "#",
    "def ",
    "class A",
    "@",
    "lambda ",
    "import ",
    "__all__ = ",
    "assert ",
    "except:\n ",
    "=",
    "...",
    "\u{e9}",
];

/// Everything that can be asked about a file.
fn scan_all(bytes: &[u8]) {
    let options = Options {
        test_file: true,
        doctests: true,
        ..Options::default()
    };
    let Ok(outline) = Python.outline(bytes, b"src/a.py", &options) else {
        return;
    };
    for unit in &outline.units {
        assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= bytes.len());
        assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
        Python.test_body(bytes, unit, &[]);
        Python.tokens(bytes, unit.bytes.clone());
    }
}

/// What pairing compares, without places.
fn essence(source: &str) -> Vec<(String, u64, u64, Option<u64>)> {
    let outline = Python
        .outline(source.as_bytes(), b"src/a.py", &Options::default())
        .unwrap();
    let unit = |unit: Unit| {
        let body = unit.body.map(|body| body.hash);
        (unit.segment.name, unit.signature, unit.value, body)
    };
    outline.units.into_iter().map(unit).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_bytes_are_scanned_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        scan_all(&bytes);
    }

    #[test]
    fn any_pieces_are_scanned_or_refused(pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..80)) {
        scan_all(pieces.concat().as_bytes());
    }

    #[test]
    fn damaged_files_are_scanned_or_refused(
        file in proptest::sample::select(&REAL[..]),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0_usize..40, proptest::sample::select(&PIECES[..])), 1..6),
    ) {
        let mut bytes = file.as_bytes().to_vec();
        for (at, cut, piece) in damage {
            let at = at.index(bytes.len());
            let end = (at + cut).min(bytes.len());
            bytes.splice(at..end, piece.bytes());
        }
        scan_all(&bytes);
    }
}

#[test]
fn line_endings_and_layout_do_not_count() {
    for file in REAL {
        let units = essence(file);
        assert!(units.len() > 3);
        assert_eq!(units, essence(&file.replace('\n', "\r\n")));
    }
    // Indented by tabs, with comments and blank lines between; not inside of texts.
    let parts: Vec<&str> = REAL[1].split("\"\"\"").collect();
    let plain = [parts[0], "pass", parts[2]].concat();
    let tabs = plain
        .replace("    ", "\t")
        .replace("\n\tdef ", "\n\n  # note\n\tdef ")
        .replace("\nclass", "  # note\n \nclass");
    assert_ne!(plain, tabs);
    assert_eq!(essence(&plain), essence(&tabs));
}

#[test]
fn hostile_input_is_refused_or_scanned_in_linear_time() {
    let deep =
        |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    let ladder = |head: &str, depth: usize| {
        let rows = (0..depth).map(|level| format!("{}{head}\n", " ".repeat(level)));
        format!("{}{}pass\n", rows.collect::<Vec<_>>().concat(), " ".repeat(depth))
    };
    for source in [
        deep("(", ")", 4000),
        format!("def test_a():\n  assert {}", deep("(", ")", 4000)),
        format!(
            "def test_a():\n  {}x",
            "assert_a(".repeat(3000) + &")".repeat(3000) + ";"
        ),
        format!("def test_a():\n  x{}", ".assert_a()".repeat(20_000)),
        format!("def test_a():\n  f({}1)", "timeout:\n".repeat(16_000)),
        format!("x = {}", "f'{".repeat(4000)),
        format!("x = {}", "\"\"\"".repeat(50_001)),
        format!("x = {}", "'\\".repeat(50_000)),
        format!("x = {}", deep("f'{", "}'", 2000)),
        format!("{}1", "a = ".repeat(100_000)),
        format!("{} = 1", "a, ".repeat(100_000)),
        format!("{} = 1", deep("(", ",)", 4000)),
        format!("x = {}1", "lambda ".repeat(50_000)),
        format!("from a import {}", "b, ".repeat(50_000)),
        format!("import {}", "a.".repeat(50_000)),
        format!("__all__ = [{}]", "'a', ".repeat(50_000)),
        format!("{}def test_a(): pass", "@pytest.mark.skip\n".repeat(20_000)),
        format!(
            "@p.parametrize('a', [{}])\ndef test_a(): pass",
            "[1],".repeat(50_000)
        ),
        ladder("class A:", 90),
        ladder("if a:", 1000),
        ladder("try:", 1000),
        ladder("def a():", 1000),
        "if a: x = 1\n".repeat(20_000),
        "try: assert a\nexcept: pass\n".repeat(5000),
        format!(
            "def test_a():\n{}",
            "  try: assert a\n  except: pass\n".repeat(5000)
        ),
        format!("a, b, c, d, e, f, g, h, {} = 1", "\u{e9}".repeat(1500)),
        format!("raise x{}", ".SkipTest".repeat(50_000)),
        format!("if {}:\n{}", "a".repeat(1900), "  def test_a(): 0\n".repeat(5000)),
        format!(
            "@pytest.mark.skip({})\nclass TestA:\n{}",
            "a".repeat(1900),
            "  def test_a(): 0\n".repeat(5000)
        ),
        format!("x{}", "\\\n ".repeat(50_000)),
        format!("class Test{}:\n  def test_a(self): pass", "A".repeat(100_000)),
    ] {
        scan_all(source.as_bytes());
    }
}
