//! Python beyond the cases: stubs, packages that re-export, configurations of pytest, tests that move, and the
//! same trees with their roles swapped.

use std::collections::BTreeSet;

use serde_json::Value;

use super::history::{Files, commit_trees};
use crate::support::{Repo, World};

/// A name, the trees before and after as paths and contents, and all facts and unmeasured files as `word key`.
type Row = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const CART: &str =
    "class Cart:\n    def add(self, item):\n        self.items.append(item)\n        return self\n";
const TESTS: &str =
    "def test_one():\n    assert total([1]) == 1\n\ndef test_two():\n    assert total([1, 2]) == 3\n";

const ROWS: &[Row] = &[
    (
        "private modules are out of reach",
        &[("shop/__init__.py", ""), ("shop/_cart.py", CART)],
        &[("shop/__init__.py", "")],
        &["source-removed file:shop/_cart.py"],
    ),
    (
        "a package re-exports a name of a private module",
        &[
            ("shop/__init__.py", "from ._cart import Cart\n"),
            ("shop/_cart.py", CART),
        ],
        &[
            ("shop/__init__.py", "from ._cart import Cart\n"),
            ("shop/_cart.py", "class Cart:\n    pass\n"),
        ],
        &["api-removed python:shop._cart#class Cart > def add"],
    ),
    (
        "a package re-exports what another re-exports, by wildcard and list",
        &[
            ("shop/__init__.py", "from ._a import *\n__all__ = ['f']\n"),
            ("shop/_a/__init__.py", "from .b import f, g\n"),
            ("shop/_a/b.py", "def f(a): pass\ndef g(a): pass\n"),
        ],
        &[
            ("shop/__init__.py", "from ._a import *\n__all__ = ['f']\n"),
            ("shop/_a/__init__.py", "from .b import f, g\n"),
            ("shop/_a/b.py", "def f(b): pass\ndef g(b): pass\n"),
        ],
        &["api-changed python:shop._a.b#def f"],
    ),
    (
        "a stub speaks for the source beside it",
        &[
            ("shop/cart.py", "def f(a): pass\ndef g(a): pass\n"),
            ("shop/cart.pyi", "def f(a: int) -> int: ...\n"),
        ],
        &[
            ("shop/cart.py", "def f(b): pass\n"),
            ("shop/cart.pyi", "def f(a: str) -> int: ...\n"),
        ],
        &["api-changed python:shop.cart#def f"],
    ),
    (
        "names come through a wildcard from a module of the repository",
        &[("shop/cart.py", "def f(a):\n    return a + 1\n")],
        &[
            ("shop/cart.py", "from .money import *\n"),
            ("shop/money.py", "def f(a):\n    return a + 1\n"),
        ],
        &["api-reexported python:shop.cart#def f"],
    ),
    (
        "names may come through a wildcard from elsewhere",
        &[("shop/cart.py", "def f(a):\n    return a + 1\n")],
        &[("shop/cart.py", "from numpy import *\n")],
        &["unresolved-export shop/cart.py"],
    ),
    (
        "an import of the package in another form is no fact",
        &[
            ("shop/__init__.py", "from .cart import Cart as Cart\n"),
            ("shop/cart.py", CART),
        ],
        &[
            (
                "shop/__init__.py",
                "from shop.cart import (\n    Cart as Cart,\n)\n",
            ),
            ("shop/cart.py", CART),
        ],
        &[],
    ),
    (
        "a name is no longer imported into the package",
        &[
            ("shop/__init__.py", "from .cart import Cart as Cart\n"),
            ("shop/cart.py", CART),
        ],
        &[("shop/__init__.py", ""), ("shop/cart.py", CART)],
        &["api-removed python:shop#import Cart"],
    ),
    (
        "the configuration of the base names test files",
        &[
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\npython_files = ['check_*.py']\n",
            ),
            ("check_cart.py", TESTS),
        ],
        &[
            (
                "pyproject.toml",
                "[tool.pytest.ini_options]\npython_files = ['check_*.py']\n",
            ),
            ("check_cart.py", "def test_one():\n    assert total([1]) == 1\n"),
        ],
        &["test-removed python:check_cart#test test_two"],
    ),
    (
        "doc examples are tests when the runner takes them",
        &[
            ("setup.cfg", "[tool:pytest]\naddopts = --doctest-modules\n"),
            (
                "shop.py",
                "def f():\n    \"\"\"Does.\n\n    >>> f()\n    1\n    \"\"\"\n    return 1\n",
            ),
        ],
        &[
            ("setup.cfg", "[tool:pytest]\naddopts = --doctest-modules\n"),
            ("shop.py", "def f():\n    \"\"\"Does.\"\"\"\n    return 1\n"),
        ],
        &["test-removed python:shop#def f > doctest 1"],
    ),
    (
        "a test file that moves takes its tests along",
        &[("tests/test_cart.py", TESTS)],
        &[("tests/unit/test_cart.py", TESTS)],
        &[
            "test-moved python:tests.test_cart#test test_one",
            "test-moved python:tests.test_cart#test test_two",
        ],
    ),
    (
        "a class that gains an initialiser is not collected",
        &[(
            "test_a.py",
            "class TestA:\n    def test_one(self):\n        assert f(1) == 1\n",
        )],
        &[(
            "test_a.py",
            "class TestA:\n    def __init__(self):\n        pass\n\n    def test_one(self):\n        assert f(1) == 1\n",
        )],
        &["test-unlinked python:test_a#class TestA > test test_one"],
    ),
    (
        "the message of an error is no longer checked, a row is skipped",
        &[(
            "test_a.py",
            "def test_one():\n    with pytest.raises(ValueError, match='bad'):\n        f()\n\n@pytest.mark.parametrize('a', [1, 2])\ndef test_two(a):\n    assert f(a)\n",
        )],
        &[(
            "test_a.py",
            "def test_one():\n    with pytest.raises(ValueError):\n        f()\n\n@pytest.mark.parametrize('a', [1, pytest.param(2, marks=pytest.mark.skip)])\ndef test_two(a):\n    assert f(a)\n",
        )],
        &[
            "matcher-loosened python:test_a#test test_one",
            "rows-removed python:test_a#test test_two",
        ],
    ),
    (
        "the subject is mocked",
        &[("tests/test_cart.py", TESTS)],
        &[(
            "tests/test_cart.py",
            "@mock.patch('shop.cart.total')\ndef test_one():\n    assert total([1]) == 1\n\ndef test_two():\n    assert total([1, 2]) == 3\n",
        )],
        &["subject-mocked file:tests/test_cart.py"],
    ),
    (
        "a condition around tests",
        &[("test_a.py", "def test_one():\n    assert f(1) == 1\n")],
        &[(
            "test_a.py",
            "if sys.platform == 'linux':\n    def test_one():\n        assert f(1) == 1\n",
        )],
        &["test-disabled python:test_a#test test_one"],
    ),
    (
        "overloads and accessors",
        &[(
            "a.py",
            "class A:\n    @property\n    def x(self): return self._x\n    @x.setter\n    def x(self, value): self._x = value\n",
        )],
        &[(
            "a.py",
            "class A:\n    @property\n    def x(self): return self._x\n",
        )],
        &["api-removed python:a#class A > def x@2"],
    ),
    (
        "a renamed module moves its symbols",
        &[("shop/cart.py", CART)],
        &[("shop/basket.py", CART)],
        &["api-moved python:shop.cart#class Cart"],
    ),
];

/// Facts and unmeasured files of a range, as `word key`.
fn measured(repo: &Repo, base: &str, head: &str) -> BTreeSet<String> {
    let ran = repo
        .gate(["baseline", base, head, "--tip", "--format", "json"])
        .run();
    let answer = ran.json();
    let list = |name: &str, word: &str, key: &str| -> Vec<String> {
        let entries = answer[name].as_array().expect("a list");
        let text = |entry: &Value, field: &str| entry[field].as_str().expect("text").to_owned();
        entries
            .iter()
            .map(|entry| format!("{} {}", text(entry, word), text(entry, key)))
            .collect()
    };
    list("facts", "kind", "key")
        .into_iter()
        .chain(list("unmeasured", "reason", "path"))
        .collect()
}

#[test]
fn trees_tell_the_same_in_both_directions() {
    let world = World::new();
    let mut failures = Vec::new();
    for (number, (name, before, after, expected)) in ROWS.iter().enumerate() {
        let tree = |files: &[(&str, &str)]| -> Files {
            let content = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).into());
            files.iter().map(content).collect()
        };
        let repo = world.repo(&format!("python-{number}"));
        let commits = commit_trees(&repo, &[&tree(before), &tree(after)]);
        let found = measured(&repo, &commits[0], &commits[1]);
        let expected: BTreeSet<_> = expected.iter().map(ToString::to_string).collect();
        if found != expected {
            failures.push(format!("{name}: {found:#?}"));
        }
        let back = measured(&repo, &commits[1], &commits[0]);
        let keys = |of: &BTreeSet<String>, kind: &str| -> BTreeSet<String> {
            let facts = of.iter().filter_map(|fact| fact.strip_prefix(kind));
            facts.map(str::to_owned).collect()
        };
        // What is removed one way is added the other way. More may be added: what a wildcard hides, or the runner.
        for (removed, added) in [("api-removed", "api-added"), ("test-removed", "test-added")] {
            let mirrored = keys(&found, removed).is_subset(&keys(&back, added))
                && keys(&back, removed).is_subset(&keys(&found, added));
            if !mirrored {
                failures.push(format!("{name}: swapped {back:#?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
