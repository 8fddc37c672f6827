//! What the scanner reads out of the bodies of small tests.

use super::*;
use crate::structure::vocabulary::{EQUALITY, EXISTENCE, PARTIAL, UNKNOWN};

fn body(code: &str) -> TestBody {
    let source = format!("package a\nfunc TestA(t *testing.T) {{\n{code}\n}}\n");
    of_first(&source)
}

fn of_first(source: &str) -> TestBody {
    let outline = Go
        .outline(source.as_bytes(), b"a_test.go", &Options::default())
        .unwrap();
    let unit = outline.units.iter().find(|unit| unit.role == Role::Test).unwrap();
    Go.test_body(source.as_bytes(), unit, &["expectSame".to_owned()])
}

#[test]
fn assertions_are_found_and_nothing_else() {
    for (code, count) in [
        (
            "t.Error(1); t.Errorf(\"\"); t.Fatal(); t.Fatalf(); t.Fail(); t.FailNow()",
            6,
        ),
        ("t.Log(err.Error()); x.Fatal(); \"t.Error()\"", 0),
        (
            "assert.Equal(t, a, b); require.NoError(t, err); require.New(t)",
            2,
        ),
        ("Expect(a).To(Equal(b)); g.Expect(a).NotTo(BeNil())", 2),
        ("mustParse(x); checkAll(t); checked(t); expectSame(a)", 3),
        ("require.NoError(t, mustParse(x))", 1),
        (
            "require.Eventually(t, func() bool { assert.True(t, x); return y }, 1, 2)",
            2,
        ),
        ("f := func(tb testing.TB) { tb.Error() }", 1),
        ("t.Run(\"a\", func(t *testing.T) { t.Error() }); t.Fatal()", 1),
        ("t.Run(name, func(st *testing.T) { st.Error() })", 1),
    ] {
        assert_eq!(body(code).assertions.len(), count, "{code}");
    }
    let suite = "package a\ntype S struct { suite.Suite }\nfunc (s *S) TestA() {\n\ts.Equal(1, x)\n\ts.Require().NoError(err)\n\ts.T().Fatal()\n\ts.helper(x)\n\ts.Run(\"b\", func() { s.Nil(x) })\n}\n";
    let found = of_first(suite);
    assert_eq!(found.assertions.len(), 3);
    assert!(found.calls.contains(&"helper".to_owned()));
}

#[test]
fn conditions_and_matchers_have_ranks() {
    for (code, rank) in [
        ("if got != 3 { t.Error() }", EQUALITY),
        ("if !(got == 3) { t.Error() }", EQUALITY),
        ("if got == 3 { t.Error() }", PARTIAL),
        ("if got < 3 { t.Error() }", PARTIAL),
        ("if err != nil { t.Error() }", UNKNOWN),
        ("if err == nil { t.Error() }", EXISTENCE),
        ("if !ok { t.Error() }", EXISTENCE),
        ("if a != 1 || b != 2 { t.Error() }", EXISTENCE),
        ("if !reflect.DeepEqual(a, b) { t.Error() }", EQUALITY),
        ("if !strings.Contains(a, b) { t.Error() }", PARTIAL),
        ("if v, ok := m[T{1}.x]; v != 3 { t.Error() }", EQUALITY),
        ("if x { } else { t.Error() }", UNKNOWN),
        ("for { t.Error() }", UNKNOWN),
        ("assert.Equal(t, 3, got)", EQUALITY),
        ("assert.True(t, got == 3)", EQUALITY),
        ("assert.False(t, got == 3)", PARTIAL),
        ("assert.True(t, ok)", EXISTENCE),
        ("assert.NotNilf(t, got, \"\")", EXISTENCE),
        ("assert.Contains(t, got, 3)", PARTIAL),
        ("require.NoError(t, err)", UNKNOWN),
        ("Expect(got).To(Equal(3))", EQUALITY),
        ("Expect(got).ToNot(gomega.BeNil())", EXISTENCE),
        ("Expect(got == 3).To(BeTrue())", EQUALITY),
        ("Expect(got).To(ContainElement(3))", PARTIAL),
    ] {
        let found = body(code);
        assert_eq!(found.assertions[0].rank, rank, "{code}");
    }
    let subject = |code: &str| body(code).assertions[0].subject;
    let got = subject("assert.Equal(t, 3, got)");
    assert!(got.is_some());
    for code in [
        "if got == 3 { t.Error() }",
        "assert.NotNil(t, got)",
        "Expect(got).To(Equal(3))",
        "if diff := 1; cmp.Diff(got, want) != \"\" { t.Error() }",
        "assert.True(t, got > 3)",
        "if !bytes.Equal(got, want) { t.Error() }",
    ] {
        assert_eq!(subject(code), got, "{code}");
    }
    assert_eq!(
        subject("if err := f(x); err != nil { t.Error() }"),
        subject("if e := f(x); e == nil { t.Error() }")
    );
}

#[test]
fn what_cannot_fail_is_vacuous() {
    for (code, vacuous) in [
        ("assert.True(t, true)", true),
        ("assert.False(t, false)", true),
        ("assert.Equal(t, x, x)", true),
        ("assert.Equal(t, 1, 1)", true),
        ("assert.True(t, ok || true)", true),
        ("assert.Nil(t, nil)", true),
        ("if false { t.Error() }", true),
        ("if x != x { t.Error() }", true),
        ("Expect(true).To(BeTrue())", true),
        ("Expect(x).To(Equal(x))", true),
        ("assert.True(t, false)", false),
        ("assert.Equal(t, x, y)", false),
        ("assert.NotEqual(t, x, x)", false),
        ("if true { t.Error() }", false),
        ("t.Fatal(\"never\")", false),
    ] {
        assert_eq!(body(code).assertions[0].vacuous, vacuous, "{code}");
    }
}

#[test]
fn tables_are_rows() {
    for (code, rows) in [
        ("x := []struct{ a int }{{1}, {2},}", Some(2)),
        ("x := []struct{ a int }{}", Some(0)),
        ("x := map[string]struct{ a int }{\"a\": {1}, \"b\": {2}}", Some(2)),
        ("x := []testCase{{1}, {a: 2}}", Some(2)),
        ("x := []*pkg.Case{{1}, &pkg.Case{2}}", Some(2)),
        ("x := [...]testCase{testCase{1}}", Some(1)),
        ("x := []struct{ a []T }{{[]T{{1}, {2}}}}", Some(1)),
        ("x := []int{1, 2}", None),
        ("x := []func(){func() {}}", None),
        ("x := a[1]; y := []T{a, b}", None),
        ("x := T{1}", None),
    ] {
        assert_eq!(body(code).rows.map(|rows| rows.len()), rows, "{code}");
    }
}

#[test]
fn ways_around_assertions_are_seen() {
    for (code, skip, early) in [
        ("t.Skip(\"x\"); t.Error()", true, false),
        ("if testing.Short() { t.SkipNow() }; t.Error()", true, false),
        ("t.Error(); t.Skip()", false, false),
        ("x.Skip(); t.Error()", false, false),
        ("return; t.Error()", false, true),
        ("if x { return }; t.Error()", false, true),
        (
            "if x := []T{}; f(func() { return }) { y() } else { os.Exit(0) }; t.Error()",
            false,
            true,
        ),
        ("for { return }; f(func() { return }); t.Error()", false, false),
        ("t.Error(); return", false, false),
    ] {
        let found = body(code);
        assert_eq!(
            (found.skip.is_some(), found.early_return.is_some()),
            (skip, early),
            "{code}"
        );
    }
    let early = body("x()\nif y {\n\treturn\n}\nt.Error()").early_return.unwrap();
    assert_eq!((early.line, early.text.as_str()), (5, "return"));
    for (code, empty) in [("", true), ("// no", true), ("return", true), ("x()", false)] {
        assert_eq!(body(code).empty, empty, "{code}");
    }
}

#[test]
fn tolerances_are_read() {
    for (code, numbers) in [
        ("assert.InDelta(t, 1.5, got, 0.01)", vec![0.01]),
        ("assert.InDeltaf(t, 1.5, got, 0.01, \"after %d\", 3)", vec![0.01]),
        ("if math.Abs(got-1.5) > 1e-3 { t.Error() }", vec![0.001]),
        ("Expect(x).To(BeNumerically(\"~\", 1.5, 0.1))", vec![0.1]),
    ] {
        let found = body(code).assertions[0].tolerances.numbers.clone();
        let found: Vec<f64> = found.into_iter().map(|(number, _)| number).collect();
        assert_eq!(found, numbers, "{code}");
    }
    for (code, numbers) in [
        ("time.Sleep(5 * time.Second)", vec![5.0]),
        ("c := Client{Timeout: 3 * time.Second, Size: 7}", vec![3.0]),
        ("maxRetries := 4\nother := 9", vec![4.0]),
        (
            "ctx, cancel := context.WithTimeout(ctx, 10*time.Second)",
            vec![10.0],
        ),
    ] {
        let found = body(code).tolerances;
        let found: Vec<f64> = found
            .iter()
            .flat_map(|statement| &statement.numbers)
            .map(|(number, _)| *number)
            .collect();
        assert_eq!(found, numbers, "{code}");
    }
}

#[test]
fn expected_errors_and_outputs() {
    let error = |code: &str| {
        body(code).assertions[0]
            .expects_error
            .map(|error| (error.general, error.matched))
    };
    assert_eq!(error("require.Error(t, err)"), Some((true, false)));
    assert_eq!(error("require.ErrorIs(t, err, ErrX)"), Some((false, false)));
    assert_eq!(error("require.ErrorContains(t, err, \"x\")"), Some((false, true)));
    assert_eq!(error("require.NoError(t, err)"), None);
    assert_eq!(error("Expect(err).To(MatchError(x))"), Some((false, false)));
    let example = |output: &str| {
        of_first(&format!(
            "package a\nfunc ExampleA() {{\n\tx()\n\t// Output: {output}\n}}\n"
        ))
    };
    let (one, two) = (example("1"), example("2"));
    assert_ne!(one.assertions[0].hash, two.assertions[0].hash);
    assert_eq!(
        one.assertions[0].hash_without_expected,
        two.assertions[0].hash_without_expected
    );
    assert_eq!(
        (one.assertions[0].line, one.assertions[0].text.as_str()),
        (4, "// Output: 1")
    );
}
