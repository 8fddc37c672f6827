//! What the scanner makes of the bodies of small tests.

use super::*;
use crate::structure::outline::{Assertion, Looser};

/// The body of a test that holds `code`, each line indented.
fn body(code: &str) -> TestBody {
    let source = format!("def test_a(self):\n  {}\n", code.replace('\n', "\n  "));
    let outline = Python
        .outline(source.as_bytes(), b"test_x.py", &Options::default())
        .unwrap_or_else(|fault| panic!("{code}: {fault:?}"));
    Python.test_body(source.as_bytes(), &outline.units[0], &["same_tree".to_owned()])
}

fn only(code: &str) -> Assertion {
    let mut found = body(code).assertions;
    assert_eq!(found.len(), 1, "{code}: {found:?}");
    found.remove(0)
}

#[test]
fn assertions_are_counted_in_call_position() {
    for (code, count) in [
        ("assert a\nassert b, 'why'\nself.assertEqual(a, b); assert c", 4),
        (
            "with pytest.raises(E): f()\nwith raises(E) as e, warns(W): pass",
            3,
        ),
        ("m.assert_called_once_with(1)\nself.fail('x')\nm.fail('x')", 2),
        ("x = 'assert a'  # assert b\nassertion = 1\nreasserts(a)", 0),
        (
            "check(x)\ncheck_all(x)\nchecked(x)\nmust_not(x)\nverify(y)\nshould(z)\nsame_tree(a, b)",
            6,
        ),
        ("expect(page).to_have_title('x')\nexpect(a)", 2),
        ("assert check(x)\nself.assertTrue(check(x))", 2),
        ("def check_it(a): pass\nclass check(B): pass", 0),
        (
            "if a: assert b\nfor c in d: assert e; assert f\nwith g: assert h",
            4,
        ),
        ("np.testing.assert_allclose(a, b)\nassert_that(a)", 2),
    ] {
        assert_eq!(body(code).assertions.len(), count, "{code}");
    }
    let found = body("a = 1\nassert (\n  a\n), 'b'");
    let shown: Vec<_> = found
        .assertions
        .iter()
        .map(|one| (one.line, one.text.as_str()))
        .collect();
    assert_eq!(shown, [(3, "assert ( a ), 'b'")]);
    assert_eq!(
        only("m.a(1)[2].assert_called()").text,
        "m.a(1)[2].assert_called()"
    );
    assert_eq!(only("assert a, 'x'").hash, only("assert a, 'y'").hash);
    assert_eq!(only("assert a == 'x'").hash, only("assert a == \"x\"").hash);
}

#[test]
fn assertions_that_cannot_fail() {
    for (code, vacuous) in [
        ("assert True", true),
        ("assert not False, 'why'", true),
        ("assert 1", true),
        ("assert 'text'", true),
        ("assert (a, 'message')", true),
        ("assert f(x) == f(x)", true),
        ("assert (a is a)", true),
        ("assert a or True", true),
        ("self.assertTrue(True)", true),
        ("self.assertFalse(False)", true),
        ("self.assertEqual(a, a)", true),
        ("self.assertIsNone(None)", true),
        ("self.assertTrue(1 == 1)", true),
        ("assert a and True", false),
        ("assert not (a or True)", false),
        ("assert False", false),
        ("assert a == b", false),
        ("assert a != a", false),
        ("assert f(True)", false),
        ("assert ()", false),
        ("self.assertFalse(True)", false),
        ("self.assertTrue(a)", false),
    ] {
        assert_eq!(only(code).vacuous, vacuous, "{code}");
    }
}

#[test]
fn subjects_and_ranks() {
    // The same subject throughout each row, strongest first, with equally strong ones between two that differ.
    for row in [
        &[
            ("assert f(a, 'b') == 1", 3),
            ("assert 1 in f(a, 'b')", 2),
            ("assert f(a, 'b')", 1),
        ][..],
        &[
            ("assert 3 == x.y", 3),
            ("assert x.y > 3", 2),
            ("assert x.y is not None", 1),
        ],
        &[
            ("assert x is None", 3),
            ("assert not x", 3),
            ("assert x != 3", 2),
            ("assert isinstance(x, int)", 1),
        ],
        &[
            ("self.assertEqual(x, 3)", 3),
            ("self.assertIn(1, x)", 2),
            ("self.assertIsNotNone(x)", 1),
            ("self.assertTrue(x)", 1),
        ],
        &[
            ("self.assertEqual(3, x)", 3),
            ("self.assertGreater(x, 3)", 2),
            ("self.assertIsInstance(x, int)", 1),
        ],
        &[
            ("assert await g() == 1", 3),
            ("assert not (g() == 1)", 2),
            ("assert (g())", 1),
        ],
        &[
            ("self.assertTrue(x == 1)", 3),
            ("self.assertTrue(x < 1)", 2),
            ("self.assertTrue(x)", 1),
        ],
        &[
            ("m.assert_called_once_with(1)", 3),
            ("m.assert_any_call(1)", 2),
            ("m.assert_called()", 1),
        ],
        &[
            ("expect(x).to_equal(1)", 3),
            ("expect(x).to_contain(1)", 2),
            ("expect(x).to_be_visible()", 1),
        ],
        &[
            ("assert x == 'ab'", 3),
            ("assert x.startswith('a')", 2),
            ("assert re.match('a', x)", 2),
        ],
        &[("assert math.isclose(x, 1.0)", 3), ("assert x < 1.5", 2)],
        &[("assert len(x) == 3", 3), ("assert len(x) > 0", 2)],
    ] {
        let found: Vec<_> = row.iter().map(|(code, _)| only(code)).collect();
        for (found, (code, rank)) in found.iter().zip(row) {
            assert_eq!(found.rank, *rank, "{code}");
        }
        let subjects: Vec<_> = found.iter().map(|found| found.subject).collect();
        assert!(subjects[0].is_some(), "{row:?}");
        assert!(
            subjects.windows(2).all(|pair| pair[0] == pair[1]),
            "{row:?}: {subjects:?}"
        );
    }
    // Only the expected literal differs.
    for (a, b) in [
        ("assert x == 1", "assert x == 2"),
        ("assert x == [1, 'a']", "assert x == []"),
        ("self.assertEqual(x, {'a': 1})", "self.assertEqual(x, {'b': -1})"),
        ("assert x == pytest.approx(1.0)", "assert x == pytest.approx(2.0)"),
        (
            "with pytest.raises(E, match='a'): pass",
            "with pytest.raises(E, match='b'): pass",
        ),
    ] {
        let (a, b) = (only(a), only(b));
        assert_ne!(a.hash, b.hash);
        assert_eq!(a.hash_without_expected, b.hash_without_expected, "{}", a.text);
    }
}

#[test]
fn errors_that_are_expected() {
    for (code, general, matched) in [
        ("with pytest.raises(ValueError): pass", false, false),
        ("with pytest.raises(ValueError, match='x'): pass", false, true),
        ("with pytest.raises(Exception): pass", true, false),
        ("with pytest.raises((KeyError, BaseException)): pass", true, false),
        ("with self.assertRaises(KeyError): pass", false, false),
        ("self.assertRaises(Exception, f, 1)", true, false),
        ("with self.assertRaisesRegex(KeyError, 'x'): pass", false, true),
        ("with pytest.warns(): pass", true, false),
    ] {
        let expected = only(code).expects_error.unwrap();
        assert_eq!((expected.general, expected.matched), (general, matched), "{code}");
    }
}

#[test]
fn numbers_that_loosen() {
    let numbers = |code: &str| -> Vec<(f64, Looser)> { only(code).tolerances.numbers };
    for (code, expected) in [
        (
            "assert a == pytest.approx(1.0, abs=1e-5)",
            vec![(1e-5, Looser::Greater)],
        ),
        ("assert abs(a - 3) < 0.1", vec![(0.1, Looser::Greater)]),
        (
            "self.assertAlmostEqual(a, 2, places=3)",
            vec![(3.0, Looser::Smaller)],
        ),
        ("self.assertAlmostEqual(a, 2.5, 4)", vec![(4.0, Looser::Smaller)]),
        (
            "self.assertAlmostEqual(a, 2, delta=0.5)",
            vec![(0.5, Looser::Greater)],
        ),
        ("assert round(a, 2) == 1.25", vec![(2.0, Looser::Smaller)]),
        ("assert f(a) == 1", vec![]),
    ] {
        assert_eq!(numbers(code), expected, "{code}");
    }
    let statements = body("time.sleep(2)\nwait(timeout=5)\ntimeout: float = 1_0\nx = 1").tolerances;
    let found: Vec<f64> = statements
        .iter()
        .flat_map(|one| &one.numbers)
        .map(|(number, _)| *number)
        .collect();
    assert_eq!(found, [2.0, 5.0, 10.0]);
    assert_eq!(statements[1].line, 3);
}

#[test]
fn bodies_that_check_nothing() {
    for (code, empty) in [
        ("pass", true),
        ("'''Checked by hand.'''", true),
        ("'doc'\n...", true),
        ("return", true),
        ("return None; pass", true),
        ("'a' 'b'", true),
        ("x = 1", false),
        ("f'{x}'", false),
        ("if a: pass", false),
        ("return 1", false),
    ] {
        assert_eq!(body(code).empty, empty, "{code}");
    }
}

#[test]
fn ways_around_the_assertions() {
    for (code, early) in [
        ("if a:\n  return\nassert b", Some("return")),
        ("return\nassert b", Some("return")),
        ("if a: return 1\nassert b", Some("return 1")),
        (
            "if a:\n  pass\nelse:\n  sys.exit(0)\nassert b",
            Some("sys.exit(0)"),
        ),
        ("assert b\nreturn", None),
        ("def f():\n  return 1\nassert b", None),
        ("for x in y:\n  return\nassert b", None),
        ("f = lambda: exit\nassert b", None),
    ] {
        assert_eq!(
            body(code).early_return.map(|mark| mark.text).as_deref(),
            early,
            "{code}"
        );
    }
    for (code, skip) in [
        ("pytest.skip('x')\nassert a", Some("pytest.skip('x')")),
        ("if a: self.skipTest('x')\nassert a", Some("self.skipTest('x')")),
        (
            "raise unittest.SkipTest('x')",
            Some("raise unittest.SkipTest('x')"),
        ),
        ("raise SkipTest", Some("raise SkipTest")),
        (
            "x = pytest.importorskip('y')\nassert a",
            Some("x = pytest.importorskip('y')"),
        ),
        ("assert a\npytest.skip('x')", None),
        ("def f(): pytest.skip('x')\nassert a", None),
        ("queue.skip(1)\nassert a", None),
    ] {
        assert_eq!(body(code).skip.map(|mark| mark.text).as_deref(), skip, "{code}");
    }
    for (code, swallowed) in [
        ("try:\n  assert a\nexcept Exception:\n  pass", true),
        ("try: assert a\nexcept: pass", true),
        (
            "try:\n  assert a\nexcept (KeyError, AssertionError) as e:\n  print(e)\nelse:\n  pass",
            true,
        ),
        (
            "with contextlib.suppress(Exception):\n  if b:\n    assert a",
            true,
        ),
        ("try:\n  assert a\nexcept KeyError:\n  pass", false),
        ("try:\n  assert a\nexcept Exception:\n  raise", false),
        (
            "try:\n  assert a\nexcept AssertionError:\n  raise\nexcept Exception:\n  pass",
            false,
        ),
        ("try:\n  assert a\nexcept Exception:\n  pytest.fail('x')", false),
        ("try:\n  assert a\nfinally:\n  pass", false),
        ("try:\n  f()\nexcept Exception:\n  pass\nassert a", false),
        ("with contextlib.suppress(KeyError):\n  assert a", false),
    ] {
        assert_eq!(only(code).swallowed, swallowed, "{code}");
    }
    assert_eq!(
        body("a(b(1)).c(2)\nd\nprint('e(1)')").calls,
        ["a", "b", "c", "print"]
    );
}
