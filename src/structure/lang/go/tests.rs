//! What the scanner makes of small files: units, visibility, signatures, tests and marks.

use super::*;

fn outline(path: &str, source: &str) -> FileOutline {
    Go.outline(source.as_bytes(), path.as_bytes(), &Options::default())
        .unwrap_or_else(|fault| panic!("{source}: {fault:?}"))
}

/// All units as `pub chain > kind name`, between bars; `pub` for public ones.
fn units(path: &str, source: &str) -> String {
    let shown = |unit: &Unit| {
        let segments: Vec<String> = unit
            .chain
            .iter()
            .chain([&unit.segment])
            .map(|segment| format!("{} {}", segment.kind, segment.name))
            .collect();
        let public = if unit.visibility == Visibility::Public {
            "pub "
        } else {
            ""
        };
        format!("{public}{}", segments.join(" > "))
    };
    let units: Vec<String> = outline(path, source).units.iter().map(shown).collect();
    units.join("|")
}

#[test]
fn units_of_all_kinds() {
    for (source, expected) in [
        (
            "func A() {}; func b() {}\nfunc Ä() int",
            "pub func A|func b|pub func Ä",
        ),
        ("func init() {}\nfunc _() {}", "func init"),
        (
            "func (c *Cart) A() {}\nfunc (Cart) b() {}\nfunc (c *cart) C() {}\nfunc (c *Box[K, V]) D() {}",
            "pub type Cart > method A|type Cart > method b|type cart > method C|pub type Box > method D",
        ),
        (
            "const A, b = 1, 2\nconst (\n\tC = iota\n\t_\n\tD\n)\nvar E, f int\nvar (\n\tG = func() { var no int }\n\th T\n)",
            "pub const A|const b|pub const C|pub const D|pub var E|var f|pub var G|var h",
        ),
        (
            "type (\n\tA int\n\tB = map[string]struct{ X int }\n\tc []A\n)\ntype D[K comparable, V any] struct{ A K; b V }",
            "pub type A|pub type B|type c|pub type D|pub type D > field A|type D > field b",
        ),
        (
            "type S struct {\n\tA, b int `x`\n\t*pkg.Base `y`\n\tList[int]\n\tbase\n\terror\n\t_ int\n\tF func(a int) struct{ No int }\n\tG []int\n}",
            "pub type S|pub type S > field A|type S > field b|pub type S > embed Base|pub type S > embed List|\
             type S > embed base|pub type S > embed error|pub type S > field F|pub type S > field G",
        ),
        (
            "type I interface {\n\tA(x int) (int, error)\n\tb()\n\tpkg.Reader\n\tinner\n\t~int | ~string\n}",
            "pub type I|pub type I > method A|type I > method b|pub type I > embed Reader|pub type I > embed inner|\
             pub type I > embed ~int|~string",
        ),
        (
            "type A [N]int\ntype B [2 * N]int\ntype C[P *T, Q any] int\ntype D[P interface{ *T }] int\ntype E []int",
            "pub type A|pub type B|pub type C|pub type D|pub type E",
        ),
        (
            "func F() interface{ A() } { return nil }\nfunc G() (a struct{ B int }) {\n}\nfunc H() map[string]func() func() {\n}\nfunc I(a int) (b chan<- int)\nfunc J()",
            "pub func F|pub func G|pub func H|pub func I|pub func J",
        ),
    ] {
        let source = format!("package shop\n{source}\n");
        assert_eq!(units("shop/a.go", &source), expected, "{source}");
    }
    for (path, source, expected) in [
        ("a.go", "package main; func A() {}", "func A"),
        ("internal/a.go", "package a; func A() {}", "func A"),
        ("examples/a.go", "package a; func A() {}", "func A"),
        ("a_test.go", "package a; func A() {}; type B int", "func A|type B"),
    ] {
        assert_eq!(units(path, source), expected, "{path}");
    }
    assert_eq!(outline("a.go", "package a").module, ".");
    assert_eq!(outline("x/y/a.go", "package a").module, "x/y");
}

fn signature(declaration: &str) -> u64 {
    outline("a.go", &format!("package a\n{declaration}\n")).units[0].signature
}

#[test]
fn signatures_tell_apart_what_callers_notice() {
    let base = "func A[T any](a, b T, c ...func(d int) (e error)) (f map[string]*T, err error) {}";
    for same in [
        "func B[U any](x U, y U, z ...func(int) error) (map[string]*U, error) { body() }",
        "func A[T interface{}](a, b T, c ...func(int) error) (g map[string]*T, err error)",
        "func A[T any](\n\ta T, // c\n\tb T,\n\tc ...func(d int) (error),\n) (f map[string]*T, err error) {}",
    ] {
        assert_eq!(signature(base), signature(same), "{same}");
    }
    for other in [
        "func A[T comparable](a, b T, c ...func(d int) (e error)) (f map[string]*T, err error) {}",
        "func A[T any](a T, c ...func(d int) (e error)) (f map[string]*T, err error) {}",
        "func A[T any](a, b T, c []func(d int) (e error)) (f map[string]*T, err error) {}",
        "func A[T any](a, b T, c ...func(d uint) (e error)) (f map[string]*T, err error) {}",
        "func A[T any](a, b T, c ...func(d int) (e error)) (f map[string]T, err error) {}",
        "func A[T any](a, b T, c ...func(d int) (e error)) (f map[string]*T) {}",
    ] {
        assert_ne!(signature(base), signature(other), "{other}");
    }
    for (a, b, equal) in [
        ("func (a *A) B() {}", "func (*A) B() {}", true),
        ("func (a *A) B() {}", "func (a A) B() {}", false),
        ("func (a *A[K]) B() K { }", "func (a *A[T]) B() T { }", true),
        ("func A(a, b int) {}", "func A(a int) {}", false),
        ("func A() (int) {}", "func A() int {}", true),
        ("func A(int, string)", "func A(a int, b string)", true),
        ("func A(a List[int])", "func A(List[int])", true),
        ("func A(a []int)", "func A([]int)", true),
        ("func A(a pkg.T)", "func A(pkg.T)", true),
        ("const A = 1", "const A = 2", true),
        ("const A = 1", "const A int = 1", false),
        ("var A = 1", "const A = 1", true),
        ("type A struct { B int }", "type A struct { C int }", true),
        ("type A struct { B int }", "type A interface { B() }", false),
        ("type A = B", "type A B", false),
        ("type A []B", "type A []C", false),
        (
            "type A []struct { B int `x` }",
            "type A []struct { B int `y` }",
            true,
        ),
        ("type A func(a int)", "type A func(int)", true),
        ("type A struct {}", "type A[T any] struct {}", false),
        (
            "type A map[string]interface { B(c int) }",
            "type A map[string]interface { B(int) }",
            true,
        ),
    ] {
        assert_eq!(signature(a) == signature(b), equal, "{a} / {b}");
    }
    let tagged = |tag: &str| {
        let source = format!("package a\ntype A struct {{\n\tB int {tag}\n}}\n");
        let unit = outline("a.go", &source).units[1].clone();
        (unit.signature, unit.value)
    };
    assert_eq!(tagged("`x`").0, tagged("").0);
    assert_ne!(tagged("`x`").1, tagged("`y`").1);
    let plain = outline("a.go", "package a\nfunc A() {}").units[0].signature;
    let built = outline("a.go", "//go:build linux\n\npackage a\nfunc A() {}").units[0].signature;
    assert_ne!(plain, built);
}

#[test]
fn values_of_constants_count_their_lines() {
    let values = |body: &str| -> Vec<u64> {
        let source = format!("package a\nconst (\n{body}\n)\n");
        outline("a.go", &source)
            .units
            .iter()
            .map(|unit| unit.value)
            .collect()
    };
    let old = values("A = iota * 2\nB\nC");
    assert_eq!(old, values("A = iota * 2 // c\nB = iota * 2\nC"));
    assert_ne!(old[1], values("A = iota * 2\n_\nB\nC")[1]);
    assert_eq!(values("A = 1\nB"), values("A = 1\nB = 1"));
    assert_eq!(values("A, B = 1, 2"), values("A = 1\nB = 2"));
}

#[test]
fn tests_are_what_the_runner_sees() {
    for (source, expected) in [
        (
            "func TestA(t *testing.T) {}\nfunc Test(t *testing.T) {}\nfunc Test_b(t *testing.T) {}\nfunc Testify(t *testing.T) {}\nfunc TestMain(m *testing.M) {}",
            "test TestA|test Test|test Test_b|func Testify|func TestMain",
        ),
        (
            "func BenchmarkA(b *testing.B) {}\nfunc FuzzA(f *testing.F) {}\nfunc TestG[T any](t *testing.T) {}",
            "test BenchmarkA|test FuzzA|func TestG",
        ),
        (
            "func ExampleA() {\n\tx()\n\t// Output: 1\n}\nfunc ExampleB() {\n\tx()\n}\nfunc ExampleC() {\n\t// Unordered output:\n\t// 1\n}\nfunc ExampleD() {\n\t// Output: 1\n\n\t// more\n}\nfunc ExampleE() {\n\t/* output: 2 */\n}\nfunc ExampleF() {\n\tx() // y\n\t// Output: 1\n}\nfunc ExampleG() {\n\tx() // Output: 1\n\t// y\n}",
            "test ExampleA|func ExampleB|test ExampleC|func ExampleD|test ExampleE|test ExampleF|func ExampleG",
        ),
        (
            "func TestA(t *testing.T) {\n\tt.Run(\"a \\\"b\\\"\", func(t *testing.T) {\n\t\tt.Run(`c`, func(st *testing.T) { st.Run(\"d\", run) })\n\t})\n\tt.Run(name, func(t *testing.T) {})\n\tcmd.Run(\"x\", y)\n\tt.Run(\"e\", run)\n}",
            "test TestA|test TestA > test a \"b\"|test TestA > test a \"b\" > test c|\
             test TestA > test a \"b\" > test c > test d|test TestA > test e",
        ),
        (
            "type S struct {\n\tsuite.Suite\n\tx int\n}\ntype U struct { *S }\ntype V struct{ x int }\nfunc (s *S) TestA() { s.Run(\"b\", func() {}) }\nfunc (s *U) TestC() {}\nfunc (s *V) TestD() {}\nfunc (s *OtherSuite) TestE() {}\nfunc (s *S) SetupTest() {}",
            "type S|type S > embed Suite|type S > field x|type U|type U > embed S|type V|type V > field x|\
             type S > test TestA|type S > test TestA > test b|type U > test TestC|type V > method TestD|\
             type OtherSuite > test TestE|type S > method SetupTest",
        ),
        (
            "func helper(t *testing.T) { t.Run(\"a\", func(t *testing.T) {}) }\nfunc TestA(t *testing.T) { helper(t) }",
            "func helper|func helper > test a|test TestA",
        ),
    ] {
        let source = format!("package shop\n{source}\n");
        assert_eq!(units("shop/a_test.go", &source), expected, "{source}");
    }
}

#[test]
fn specs_are_found_with_their_marks() {
    let source = "package a\nimport . \"github.com/onsi/ginkgo/v2\"\nvar _ = Describe(\"Cart\", func() {\n\
        BeforeEach(func() {})\n\
        PContext(\"empty\", func() {\n\t\tIt(\"adds\", func() { Expect(1).To(Equal(1)) })\n\t})\n\
        FIt(\"focused\", func() {})\n\
        It(\"later\")\n\
        It(\"slow\", Pending, func() {})\n\
        x.It(\"no\", func() {})\n\
        DescribeTable(fmt.Sprint(1), func(a int) {}, Entry(\"one\", 1), XEntry(\"two\", 2))\n\
        })\n";
    let found: Vec<String> = outline("a/a_test.go", source)
        .units
        .iter()
        .map(|unit| {
            let chain: Vec<&str> = unit.chain.iter().map(|segment| segment.name.as_str()).collect();
            let mark = unit.marks.disabled.first().map_or("", |mark| {
                if mark.inherited_from.is_some() {
                    " inherited"
                } else {
                    " disabled"
                }
            });
            let focused = if unit.marks.focused.is_empty() {
                ""
            } else {
                " focused"
            };
            let kind = unit.segment.kind;
            format!("{}>{kind} {}{mark}{focused}", chain.join(">"), unit.segment.name)
        })
        .collect();
    assert_eq!(
        found,
        [
            ">suite Cart",
            "Cart>suite empty disabled",
            "Cart>empty>test adds inherited",
            "Cart>test focused focused",
            "Cart>test later disabled",
            "Cart>test slow disabled",
            "Cart>suite =fmt.Sprint(1)",
            "Cart>=fmt.Sprint(1)>test one",
            "Cart>=fmt.Sprint(1)>test two disabled",
        ]
    );
}

#[test]
fn what_cannot_be_split_into_tokens_is_not_measured() {
    for (source, reason) in [
        ("package a\nfunc A() { (\n", UnmeasuredReason::Unbalanced),
        (
            "package a\nfunc (c *C) A() { \" }\n",
            UnmeasuredReason::Unterminated,
        ),
    ] {
        let fault = Go
            .outline(source.as_bytes(), b"a.go", &Options::default())
            .unwrap_err();
        assert_eq!(
            (fault.reason, fault.seen),
            (reason, vec!["A".to_owned()]),
            "{source}"
        );
    }
}
