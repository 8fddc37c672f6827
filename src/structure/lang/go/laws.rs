//! What holds for any input: nothing panics, everything ends, layout and line endings do not count.

use proptest::prelude::*;

use super::*;

/// Real code, to be damaged.
const REAL: [&str; 2] = [
    r#"// Package shop sells things.
package shop

import (
	"errors"
	"fmt"
)

// Mode says how.
type Mode int

const (
	Plain Mode = iota
	Fast
	_
	slow
)

var (
	ErrEmpty = errors.New("empty")
	handlers = map[string]func(c *Cart) error{
		"clear": func(c *Cart) error { c.items = nil; return nil },
	}
)

type Cart[T fmt.Stringer] struct {
	Owner string `json:"owner"`
	Open, Closed bool
	*Mode
	items []T
}

type Store[K comparable, V any] interface {
	fmt.Stringer
	Get(key K) (value V, ok bool)
	Put(K, V)
}

func (c *Cart[T]) Total(price func(item T) (cents int, err error), more ...T) (total int, err error) {
	for _, item := range append(c.items, more...) {
		cents, err := price(item)
		if err != nil {
			return 0, fmt.Errorf("%v: %w", item, err)
		}
		total += cents
	}
	return total, nil
}

func New[T fmt.Stringer](owner string) *Cart[T] {
	return &Cart[T]{Owner: owner}
}
"#,
    r#"package shop_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"github.com/stretchr/testify/suite"
)

type CartSuite struct {
	suite.Suite
}

func (s *CartSuite) TestOwner() {
	s.Run("named", func() { s.Require().Equal("ann", New("ann").Owner) })
}

func TestTotal(t *testing.T) {
	cases := []struct {
		name string
		want int
	}{
		{"empty", 0},
		{"one", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("slow")
			}
			time.Sleep(5 * time.Millisecond)
			if got, err := total(c); err != nil || got != c.want {
				t.Errorf("got %d and %v", got, err)
			}
		})
	}
	t.Run("nil", func(t *testing.T) {
		assert.InDelta(t, 0.5, ratio(nil), 0.01)
	})
}

var _ = Describe("Cart", func() {
	FContext("empty", func() {
		It("has no total", func() { Expect(New("").Total()).To(BeZero()) })
	})
})

func ExampleNew() {
	New("ann")
	// Output: ann
}
"#,
];

/// What is put into a damaged file.
const PIECES: [&str; 28] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "`",
    "'",
    "/*",
    "*/",
    "//",
    "\n",
    ";",
    ",",
    ".",
    "func ",
    "func (t *testing.T) {",
    "type A ",
    "struct {",
    "interface {",
    "t.Run(\"a\", ",
    "if x != y {",
    "[]T{{1},",
    "assert.Equal(t, ",
    "It(\"a\", func() {",
    "\\",
    "\u{e9}",
];

/// Everything that can be asked about a file.
fn scan_all(bytes: &[u8]) {
    for path in [&b"a/a.go"[..], b"a/a_test.go"] {
        let Ok(outline) = Go.outline(bytes, path, &Options::default()) else {
            continue;
        };
        for unit in &outline.units {
            assert!(unit.bytes.start <= unit.bytes.end && unit.bytes.end <= bytes.len());
            assert!(unit.lines.0 <= unit.lines.1 && unit.text.len() <= 2000);
            Go.test_body(bytes, unit, &[]);
        }
        Go.tokens(bytes, 0..bytes.len());
    }
}

/// What pairing compares, without places.
fn essence(source: &str) -> Vec<(String, u64, u64, Option<u64>, TestBody)> {
    let outline = Go
        .outline(source.as_bytes(), b"a/a_test.go", &Options::default())
        .unwrap();
    let unit = |unit: Unit| {
        let mut read = Go.test_body(source.as_bytes(), &unit, &[]);
        for assertion in &mut read.assertions {
            (assertion.line, assertion.tolerances.line) = (0, 0);
            (assertion.text, assertion.tolerances.text) = (String::new(), String::new());
        }
        for statement in &mut read.tolerances {
            (statement.line, statement.text) = (0, String::new());
        }
        (read.skip, read.early_return) = (None, None);
        let body = unit.body.map(|body| body.hash);
        (unit.segment.name, unit.signature, unit.value, body, read)
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
        scan_all(format!("package a\nfunc TestA(t *testing.T) {{\n{}\n}}\n", pieces.concat()).as_bytes());
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
        assert!(units.len() > 8);
        assert_eq!(units, essence(&file.replace('\n', "\r\n")));
        let wide = file
            .replace(" := ", "  :=\t/* is */ ")
            .replace('\n', " // end\n\n\t");
        // A comment behind the output of an example is no output.
        if !file.contains("// Output:") {
            assert_eq!(units, essence(&wide));
        }
        let wrapped = file.replace(", ", ",\n\t");
        assert_eq!(units, essence(&wrapped));
    }
}

#[test]
fn hostile_nesting_is_refused_or_scanned_in_linear_time() {
    let deep =
        |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    let name = "n".repeat(2000);
    let in_test = |code: &str| format!("package a\nfunc TestA(t *testing.T) {{\n{code}\n}}\n");
    for source in [
        in_test(&deep("t.Run(\"a\", func(t *testing.T) {\n", "})\n", 2000)),
        in_test(&deep(
            &format!("t.Run(\"{name}\", func(t *testing.T) {{\n"),
            "})\n",
            2000,
        )),
        in_test(&deep("if x != y {\n", "}\n", 4000)),
        in_test(&format!("if {} {{ t.Error() }}", deep("(", ")", 4000))),
        in_test(&deep("if f(func() {\n", "}) {}\n", 2000)),
        in_test(&deep("[]T{{", "}}", 2000)),
        in_test(&deep("assert.Equal(t, ", ")", 4000)),
        in_test(&format!(
            "if {} {{ {} }}",
            "x + ".repeat(5000) + "y",
            "t.Error();".repeat(5000)
        )),
        in_test(&format!("{}int{{}}", "[]".repeat(50_000))),
        in_test(&format!("x{}", ".a()".repeat(20_000))),
        in_test(&format!("{}.Error()", "a.".repeat(50_000))),
        in_test(&format!("Expect(x){}", ".To(y)".repeat(20_000))),
        in_test(&"t.Error();".repeat(20_000)),
        in_test(&"timeout := 1\n".repeat(20_000)),
        in_test(&"timeout = timeout = ".repeat(20_000)),
        in_test(&format!("f({}1)", "timeout:\n".repeat(16_000))),
        in_test(&deep("assert.InDelta(t, 1, 2, ", ")", 4000)),
        format!(
            "package a\nimport \"ginkgo\"\nvar _ = {}",
            deep("Describe(\"a\", func() {\n", "})\n", 2000)
        ),
        format!(
            "package a\nfunc A(x {}int{})",
            "func(".repeat(2000),
            ")".repeat(2000)
        ),
        format!("package a\ntype A {}int", "struct { A ".repeat(2000)) + &"}".repeat(2000),
        format!("package a\ntype A {}", deep("interface { A() ", "}", 4000)),
        format!(
            "package a\nconst (\nA = {}1\n{})",
            "1+".repeat(20_000),
            "B\n".repeat(20_000)
        ),
        format!("package a\nvar {} int", vec!["A"; 20_000].join(", ")),
        format!("package a\ntype {name} struct {{\n{}}}", "A int\n".repeat(20_000)),
        format!(
            "package a\nfunc A[{}]({})",
            vec!["T any"; 20_000].join(", "),
            "a T,".repeat(20_000)
        ),
        format!("package a\nfunc A({} int)", vec!["a"; 50_000].join(", ")),
        format!("package a\nfunc A() {}int {{}}", "*".repeat(100_000)),
        "package a\nfunc ExampleA() {\n// a\n\n}\n".repeat(5000),
        "package a\ntype A struct { *B }\n".repeat(5000),
    ] {
        scan_all(source.as_bytes());
    }
}
