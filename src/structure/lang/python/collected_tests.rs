//! What the scanner takes for tests, and the marks on them.

use super::tests::{units, units_at};
use super::*;

#[test]
fn tests_are_what_the_runner_collects() {
    let source = "def test_a(): pass\nasync def test_b(): pass\ndef helper(): pass\nclass TestA:\n  def test_c(self): pass\n  def other(self): pass\n  class TestIn:\n    def test_d(self): pass\nclass TestB:\n  def __init__(self): pass\n  def test_e(self): pass\nclass Case(unittest.TestCase):\n  def __init__(self): pass\n  def test_f(self): pass\nclass Other:\n  def test_g(self): pass\nif x:\n  def test_h(): pass";
    let expected = [
        "! test test_a",
        "! test test_b",
        "- def helper",
        "s class TestA",
        "! class TestA test test_c",
        "- class TestA def other",
        "s class TestA class TestIn",
        "! class TestA class TestIn test test_d",
        "- class TestB",
        "- class TestB def __init__",
        "- class TestB def test_e",
        "s class Case",
        "- class Case def __init__",
        "! class Case test test_f",
        "- class Other",
        "- class Other def test_g",
        "! test test_h",
    ];
    assert_eq!(units_at("test_x.py", source), expected);
    assert_eq!(units_at("x/tests.py", "def test_a(): pass"), ["! test test_a"]);
    assert_eq!(units_at("tests/x.py", "def test_a(): pass"), ["- def test_a"]);
    let options = Options {
        test_file: true,
        ..Options::default()
    };
    let outline = Python
        .outline(b"def test_a(): pass", b"check_x.py", &options)
        .unwrap();
    assert_eq!(outline.units[0].role, Role::Test);
}

#[test]
fn marks_of_tests_and_of_what_is_around_them() {
    let marks = |source: &str| {
        let outline = Python
            .outline(source.as_bytes(), b"test_a.py", &Options::default())
            .unwrap();
        outline
            .units
            .into_iter()
            .filter(|unit| unit.role == Role::Test)
            .map(|unit| unit.marks)
            .next_back()
            .unwrap()
    };
    for (source, disabled, from) in [
        ("@pytest.mark.skip\ndef test_a(): pass", "@pytest.mark.skip", None),
        (
            "@unittest.skipIf(a, 'b')\ndef test_a(): pass",
            "@unittest.skipIf(a, 'b')",
            None,
        ),
        (
            "@pytest.mark.skipif(\n  a,\n)\nclass TestA:\n  def test_a(self): pass",
            "@pytest.mark.skipif( a, )",
            Some("class TestA"),
        ),
        (
            "def test_a(): pass\npytestmark = [pytest.mark.slow, pytest.mark.skip]",
            "pytest.mark.skip",
            Some("module test_a"),
        ),
        (
            "class TestA:\n  pytestmark = pytest.mark.skip\n  def test_a(self): pass",
            "pytest.mark.skip",
            Some("class TestA"),
        ),
        (
            "np = pytest.importorskip('numpy')\ndef test_a(): pass",
            "np = pytest.importorskip('numpy')",
            Some("module test_a"),
        ),
        (
            "if x:\n  pytest.skip('no', allow_module_level=True)\ndef test_a(): pass",
            "pytest.skip('no', allow_module_level=True)",
            Some("module test_a"),
        ),
        (
            "raise unittest.SkipTest('no')\ndef test_a(): pass",
            "raise unittest.SkipTest('no')",
            Some("module test_a"),
        ),
        (
            "class TestA:\n  __test__ = False\n  def test_a(self): pass",
            "__test__ = False",
            Some("class TestA"),
        ),
    ] {
        let found = marks(source).disabled;
        assert_eq!(found.len(), 1, "{source}");
        assert_eq!(
            (found[0].text.as_str(), found[0].inherited_from.as_deref()),
            (disabled, from),
            "{source}"
        );
    }
    for source in [
        "def test_a(): pass",
        "@pytest.mark.slow\ndef test_a(): pass",
        "skip(x)\ndef test_a(): pass\nx.skip(1)",
    ] {
        let expected = usize::from(source.starts_with("skip("));
        assert_eq!(marks(source).disabled.len(), expected, "{source}");
    }
    let found = marks("@pytest.mark.xfail(raises=KeyError)\n@unittest.expectedFailure\ndef test_a(): pass")
        .expected_fail;
    assert_eq!(
        found.iter().map(|mark| mark.specific).collect::<Vec<_>>(),
        [true, false]
    );
    let found = marks("if a > 1:\n  class TestA:\n    try:\n      def test_a(self): pass\n    finally: pass")
        .conditional;
    assert_eq!(
        found.iter().map(|mark| mark.text.as_str()).collect::<Vec<_>>(),
        ["if a > 1"]
    );
    assert_eq!(
        marks("for a in b:\n  pass\nelse:\n  def test_a(): pass")
            .conditional
            .len(),
        0
    );
    assert_eq!(
        marks("if a:\n  pass\nelse:\n  def test_a(): pass").conditional[0].text,
        "else"
    );
}

#[test]
fn rows_of_parameters() {
    let rows = |source: &str| {
        let outline = Python
            .outline(source.as_bytes(), b"test_a.py", &Options::default())
            .unwrap();
        let test = outline
            .units
            .into_iter()
            .find(|unit| unit.role == Role::Test)
            .unwrap();
        test.marks.rows.map(|rows| rows.len())
    };
    for (list, expected) in [
        ("'a', [1, 2, 3]", Some(3)),
        ("'a, b', ((1, 2), (3, 4),)", Some(2)),
        (
            "'a', [pytest.param(1, id='x'), pytest.param(2, marks=pytest.mark.skip), 3]",
            Some(2),
        ),
        ("argnames='a', argvalues=[1]", Some(1)),
        ("'a', []", Some(0)),
        ("'a', LIST", None),
        ("'a', [*LIST, 1]", None),
        ("'a', [b for b in c]", None),
        ("'a', (LIST)", None),
        ("'a', [1] + [2]", None),
    ] {
        let source = format!("@pytest.mark.parametrize({list})\ndef test_a(a): pass");
        assert_eq!(rows(&source), expected, "{list}");
    }
    assert_eq!(
        rows("@p.parametrize('a', [1, 2])\n@p.parametrize('b', [3])\ndef test_a(a, b): pass"),
        Some(3)
    );
    assert_eq!(
        rows("@p.parametrize('a', [1, 2])\nclass TestA:\n  def test_a(self, a): pass"),
        Some(2)
    );
    assert_eq!(
        rows("def test_a(f): pass\n@pytest.fixture(params=[1, 2])\ndef f(request): pass"),
        Some(2)
    );
    assert_eq!(
        rows("def test_a(f): pass\n@pytest.fixture(params=X)\ndef f(request): pass"),
        None
    );
    assert_eq!(
        rows("def test_a(g): pass\n@pytest.fixture(params=[1], name='g')\ndef f(request): pass"),
        Some(1)
    );
}

#[test]
fn examples_of_docstrings_are_tests_when_the_runner_takes_them() {
    let source = "'''Module.\n\n>>> 1\n1\n'''\ndef f():\n  \"\"\"Does.\n\n  >>> f()\n  2\n  >>> g()\n\n  Text.\n\n  >>> f()  # doctest: +SKIP\n  \"\"\"\nclass A:\n  '''>>> A()'''\n  def g(self): pass\n";
    let options = Options {
        doctests: true,
        ..Options::default()
    };
    let outline = Python.outline(source.as_bytes(), b"a.py", &options).unwrap();
    let found: Vec<_> = outline
        .units
        .iter()
        .filter(|unit| unit.segment.kind == "doctest")
        .map(|unit| {
            let body = Python.test_body(source.as_bytes(), unit, &[]);
            let chain: Vec<_> = unit.chain.iter().map(|segment| segment.name.as_str()).collect();
            (
                chain.join("."),
                unit.segment.name.as_str(),
                unit.lines,
                unit.marks.disabled.len(),
                body.assertions.len(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (String::new(), "1", (3, 4), 0, 1),
            ("f".to_owned(), "1", (9, 11), 0, 1),
            ("f".to_owned(), "2", (15, 15), 1, 0),
            ("A".to_owned(), "1", (18, 18), 0, 0),
        ]
    );
    assert!(!units(source).iter().any(|unit| unit.contains("doctest")));
    assert!(
        units(&format!("{source}doctest.testmod()"))
            .iter()
            .any(|unit| unit.contains("doctest"))
    );
}

#[test]
fn subjects_that_are_mocked() {
    let mocked = |source: &str| {
        let outline = Python
            .outline(source.as_bytes(), b"tests/test_cart.py", &Options::default())
            .unwrap();
        outline.mocked_subject.len()
    };
    assert_eq!(mocked("@mock.patch('shop.cart.total')\ndef test_a(m): pass"), 1);
    assert_eq!(
        mocked("def test_a():\n  with patch.object(cart, 'total'), patch.object(shop.cart, 'x'): pass"),
        2
    );
    assert_eq!(
        mocked("@patch('shop.money.cents')\ndef test_a(m):\n  dispatch('cart')"),
        0
    );
}

#[test]
fn a_stub_leaves_only_tests_to_the_source_beside_it() {
    let options = Options {
        spoken_for: true,
        ..Options::default()
    };
    let source = b"from a import b\ndef f(): pass\nclass TestA:\n  def test_a(self): pass\n";
    let outline = Python.outline(source, b"test_x.py", &options).unwrap();
    let names: Vec<_> = outline
        .units
        .iter()
        .map(|unit| unit.segment.name.as_str())
        .collect();
    assert_eq!(names, ["TestA", "test_a"]);
    assert!(outline.imports.iter().all(|import| !import.exported));
}
