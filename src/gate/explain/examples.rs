//! For each kind of fact one change that has it and one that has not: shown by `explain`, and measured by a test.
// tidy: a table of data

use super::example::Entry::{Executable, File, Link, Submodule};
use super::example::{Change, Example};
use crate::model::fact::FactKind;

/// One for each kind, in the order of the kinds.
pub const EXAMPLES: &[Example] = &[
    Example {
        kind: FactKind::TestRemoved,
        before: &[(
            "tests/sum.rs",
            File(
                "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n\n#[test]\nfn holds() {\n    assert!(ready(1));\n    assert!(ready(2));\n}\n",
            ),
        )],
        hit: Change {
            what: "the test is gone, and another one does not make up for it",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn holds() {\n    assert!(ready(1));\n    assert!(ready(2));\n}\n"),
            )],
        },
        miss: Change {
            what: "tests in another order",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn holds() {\n    assert!(ready(1));\n    assert!(ready(2));\n}\n\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestUnlinked,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "the function is there, without its attribute no runner calls it",
            after: &[(
                "tests/sum.rs",
                File("fn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
            )],
        },
        miss: Change {
            what: "another runner's attribute",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[tokio::test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestDisabled,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "a skip marker",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\n#[ignore]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "an attribute that skips nothing",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\n#[allow(unused)]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestExpectedFail,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "now the test passes when it panics",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\n#[should_panic]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "an attribute that expects nothing",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\n#[allow(unused)]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestFocused,
        before: &[(
            "src/sum.test.ts",
            File("test(\"adds\", () => {\n  expect(add(1, 1)).toBe(2);\n});\n"),
        )],
        hit: Change {
            what: "all other tests of the file are no longer run",
            after: &[(
                "src/sum.test.ts",
                File("test.only(\"adds\", () => {\n  expect(add(1, 1)).toBe(2);\n});\n"),
            )],
        },
        miss: Change {
            what: "a modifier that focuses nothing",
            after: &[(
                "src/sum.test.ts",
                File("test.concurrent(\"adds\", () => {\n  expect(add(1, 1)).toBe(2);\n});\n"),
            )],
        },
    },
    Example {
        kind: FactKind::TestEmptied,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "nothing is left of the body",
            after: &[("tests/sum.rs", File("#[test]\nfn adds() {\n}\n"))],
        },
        miss: Change {
            what: "a body that still does something",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::AssertionsFewer,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "two assertions became one",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n"),
            )],
        },
        miss: Change {
            what: "as many assertions as before",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(3, 1), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::AssertionVacuous,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n"),
        )],
        hit: Change {
            what: "an assertion that cannot fail",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert!(true);\n}\n"),
            )],
        },
        miss: Change {
            what: "an assertion that can",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert!(ready(1));\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::MatcherLoosened,
        before: &[(
            "src/sum.test.ts",
            File("test(\"adds\", () => {\n  expect(add(1, 1)).toEqual(2);\n});\n"),
        )],
        hit: Change {
            what: "any value but undefined is now right",
            after: &[(
                "src/sum.test.ts",
                File("test(\"adds\", () => {\n  expect(add(1, 1)).toBeDefined();\n});\n"),
            )],
        },
        miss: Change {
            what: "a matcher of the same strength",
            after: &[(
                "src/sum.test.ts",
                File("test(\"adds\", () => {\n  expect(add(1, 1)).toStrictEqual(2);\n});\n"),
            )],
        },
    },
    Example {
        kind: FactKind::ToleranceLoosened,
        before: &[(
            "tests/test_mean.py",
            File("def test_mean():\n    assert mean([1, 2]) == approx(1.5, abs=0.01)\n"),
        )],
        hit: Change {
            what: "a larger tolerance",
            after: &[(
                "tests/test_mean.py",
                File("def test_mean():\n    assert mean([1, 2]) == approx(1.5, abs=0.5)\n"),
            )],
        },
        miss: Change {
            what: "a smaller one",
            after: &[(
                "tests/test_mean.py",
                File("def test_mean():\n    assert mean([1, 2]) == approx(1.5, abs=0.001)\n"),
            )],
        },
    },
    Example {
        kind: FactKind::RowsRemoved,
        before: &[(
            "tests/test_even.py",
            File(
                "@pytest.mark.parametrize(\"n\", [1, 2, 3])\ndef test_even(n):\n    assert double(n) == n + n\n",
            ),
        )],
        hit: Change {
            what: "a row less",
            after: &[(
                "tests/test_even.py",
                File(
                    "@pytest.mark.parametrize(\"n\", [1, 2])\ndef test_even(n):\n    assert double(n) == n + n\n",
                ),
            )],
        },
        miss: Change {
            what: "the same rows in another order",
            after: &[(
                "tests/test_even.py",
                File(
                    "@pytest.mark.parametrize(\"n\", [3, 2, 1])\ndef test_even(n):\n    assert double(n) == n + n\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::EarlyReturn,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "nothing behind the return is run",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    return;\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "a return after the assertions",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n    return;\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::FailureSwallowed,
        before: &[(
            "tests/test_add.py",
            File("def test_add():\n    assert add(1, 1) == 2\n"),
        )],
        hit: Change {
            what: "the handler drops the failure",
            after: &[(
                "tests/test_add.py",
                File(
                    "def test_add():\n    try:\n        assert add(1, 1) == 2\n    except AssertionError:\n        pass\n",
                ),
            )],
        },
        miss: Change {
            what: "the handler throws it again",
            after: &[(
                "tests/test_add.py",
                File(
                    "def test_add():\n    try:\n        assert add(1, 1) == 2\n    except AssertionError:\n        raise\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::GuardrailChanged,
        before: &[("justfile", File("test:\n    cargo test\n"))],
        hit: Change {
            what: "a failure no longer ends the run",
            after: &[("justfile", File("test:\n    cargo test || true\n"))],
        },
        miss: Change {
            what: "a change without a sign of loosening",
            after: &[("justfile", File("test:\n    cargo test --all\n"))],
        },
    },
    Example {
        kind: FactKind::TestMoved,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "the same test in another file",
            after: &[(
                "tests/total.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "the same test further down",
            after: &[(
                "tests/sum.rs",
                File(
                    "// Sums.\n#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestRenamed,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "another name, the same body",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn sums() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "a second test beside the first",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n\n#[test]\nfn sums() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestEnabled,
        before: &[(
            "tests/sum.rs",
            File(
                "#[test]\n#[ignore]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
            ),
        )],
        hit: Change {
            what: "a skip marker is gone",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "a skip marker with a reason",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\n#[ignore = \"slow\"]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::TestUnfocused,
        before: &[(
            "src/sum.test.ts",
            File("test.only(\"adds\", () => {\n  expect(add(1, 1)).toBe(2);\n});\n"),
        )],
        hit: Change {
            what: "a focus marker is gone",
            after: &[(
                "src/sum.test.ts",
                File("test(\"adds\", () => {\n  expect(add(1, 1)).toBe(2);\n});\n"),
            )],
        },
        miss: Change {
            what: "the marker is still there",
            after: &[(
                "src/sum.test.ts",
                File("test.only(\"adds\", () => {\n  expect(add(1, 1 ,)).toBe(2);\n});\n"),
            )],
        },
    },
    Example {
        kind: FactKind::RowsChanged,
        before: &[(
            "tests/test_even.py",
            File(
                "@pytest.mark.parametrize(\"n\", [1, 2, 3])\ndef test_even(n):\n    assert double(n) == n + n\n",
            ),
        )],
        hit: Change {
            what: "another row in place of one",
            after: &[(
                "tests/test_even.py",
                File(
                    "@pytest.mark.parametrize(\"n\", [1, 2, 4])\ndef test_even(n):\n    assert double(n) == n + n\n",
                ),
            )],
        },
        miss: Change {
            what: "the same rows in another order",
            after: &[(
                "tests/test_even.py",
                File(
                    "@pytest.mark.parametrize(\"n\", [3, 2, 1])\ndef test_even(n):\n    assert double(n) == n + n\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::ExpectedChanged,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n}\n"),
        )],
        hit: Change {
            what: "only the expected literal is another one",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 3);\n}\n"),
            )],
        },
        miss: Change {
            what: "other spaces",
            after: &[(
                "tests/sum.rs",
                File("#[test]\nfn adds() {\n    assert_eq!(add(1,1), 2);\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::SubjectMocked,
        before: &[
            (
                "src/cart.test.ts",
                File(
                    "import { total } from \"./cart\";\ntest(\"total\", () => {\n  expect(total).toBe(1);\n});\n",
                ),
            ),
            ("src/cart.ts", File("export const total = 1;\n")),
        ],
        hit: Change {
            what: "the test no longer meets the module that it is named after",
            after: &[
                (
                    "src/cart.test.ts",
                    File(
                        "import { total } from \"./cart\";\nvi.mock(\"./cart\");\ntest(\"total\", () => {\n  expect(total).toBe(1);\n});\n",
                    ),
                ),
                ("src/cart.ts", File("export const total = 1;\n")),
            ],
        },
        miss: Change {
            what: "another module is mocked",
            after: &[
                (
                    "src/cart.test.ts",
                    File(
                        "import { total } from \"./cart\";\nvi.mock(\"./network\");\ntest(\"total\", () => {\n  expect(total).toBe(1);\n});\n",
                    ),
                ),
                ("src/cart.ts", File("export const total = 1;\n")),
            ],
        },
    },
    Example {
        kind: FactKind::SuppressionAdded,
        before: &[("shop/names.py", File("import os\n\nname = os.name\n"))],
        hit: Change {
            what: "one more than before",
            after: &[("shop/names.py", File("import os  # noqa\n\nname = os.name\n"))],
        },
        miss: Change {
            what: "a comment that silences nothing",
            after: &[(
                "shop/names.py",
                File("import os  # the system\n\nname = os.name\n"),
            )],
        },
    },
    Example {
        kind: FactKind::GuardrailTouched,
        before: &[("justfile", File("test:\n    cargo test\n"))],
        hit: Change {
            what: "a change without a sign of loosening",
            after: &[("justfile", File("test:\n    cargo test --all\n"))],
        },
        miss: Change {
            what: "a loosening, which is guardrail-changed",
            after: &[("justfile", File("test:\n    cargo test || true\n"))],
        },
    },
    Example {
        kind: FactKind::TestAdded,
        before: &[(
            "tests/sum.rs",
            File("#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n"),
        )],
        hit: Change {
            what: "a test that was not there",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn adds() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n\n#[test]\nfn holds() {\n    assert!(ready(1));\n    assert!(ready(2));\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "a new name for an old test",
            after: &[(
                "tests/sum.rs",
                File(
                    "#[test]\nfn sums() {\n    assert_eq!(add(1, 1), 2);\n    assert_eq!(add(2, 2), 4);\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::ApiRemoved,
        before: &[(
            "src/lib.rs",
            File(
                "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n\npub fn count(items: &[u32]) -> usize {\n    items.len()\n}\n",
            ),
        )],
        hit: Change {
            what: "the function is gone",
            after: &[(
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "another body",
            after: &[(
                "src/lib.rs",
                File(
                    "pub fn total(items: &[u32]) -> u32 {\n    items.iter().copied().sum()\n}\n\npub fn count(items: &[u32]) -> usize {\n    items.len()\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::ApiNarrowed,
        before: &[(
            "src/lib.rs",
            File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
        )],
        hit: Change {
            what: "users of the crate can no longer call it",
            after: &[(
                "src/lib.rs",
                File("pub(crate) fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "another body",
            after: &[(
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().copied().sum()\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::ApiMoved,
        before: &[
            (
                "src/a.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            ),
            ("src/b.rs", File("// Nothing yet.\n")),
            ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
        ],
        hit: Change {
            what: "under another module, and the old path is gone",
            after: &[
                ("src/a.rs", File("// Nothing left.\n")),
                (
                    "src/b.rs",
                    File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
                ),
                ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
            ],
        },
        miss: Change {
            what: "the old path still works, which is api-reexported",
            after: &[
                ("src/a.rs", File("pub use crate::b::total;\n")),
                (
                    "src/b.rs",
                    File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
                ),
                ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
            ],
        },
    },
    Example {
        kind: FactKind::ApiRenamed,
        before: &[(
            "src/lib.rs",
            File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
        )],
        hit: Change {
            what: "another name, the same signature and body",
            after: &[(
                "src/lib.rs",
                File("pub fn sum_of(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "a second function beside the first",
            after: &[(
                "src/lib.rs",
                File(
                    "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n\npub fn sum_of(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::ApiChanged,
        before: &[(
            "src/lib.rs",
            File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
        )],
        hit: Change {
            what: "another type",
            after: &[(
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u64 {\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "another parameter name, which callers in Rust cannot use",
            after: &[(
                "src/lib.rs",
                File("pub fn total(all: &[u32]) -> u32 {\n    all.iter().sum()\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::ApiReexported,
        before: &[
            (
                "src/a.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            ),
            ("src/b.rs", File("// Nothing yet.\n")),
            ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
        ],
        hit: Change {
            what: "the old path still works",
            after: &[
                ("src/a.rs", File("pub use crate::b::total;\n")),
                (
                    "src/b.rs",
                    File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
                ),
                ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
            ],
        },
        miss: Change {
            what: "the old path is gone, which is api-moved",
            after: &[
                ("src/a.rs", File("// Nothing left.\n")),
                (
                    "src/b.rs",
                    File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
                ),
                ("src/lib.rs", File("pub mod a;\npub mod b;\n")),
            ],
        },
    },
    Example {
        kind: FactKind::ApiWidened,
        before: &[(
            "src/cart.ts",
            File("export class Cart {\n  protected total(): number {\n    return 1;\n  }\n}\n"),
        )],
        hit: Change {
            what: "subclasses could call it, now everybody can",
            after: &[(
                "src/cart.ts",
                File("export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n"),
            )],
        },
        miss: Change {
            what: "another body",
            after: &[(
                "src/cart.ts",
                File("export class Cart {\n  protected total(): number {\n    return 2;\n  }\n}\n"),
            )],
        },
    },
    Example {
        kind: FactKind::ApiValueChanged,
        before: &[("src/lib.rs", File("pub const LIMIT: u32 = 10;\n"))],
        hit: Change {
            what: "another value of the same type",
            after: &[("src/lib.rs", File("pub const LIMIT: u32 = 20;\n"))],
        },
        miss: Change {
            what: "another type, which is api-changed",
            after: &[("src/lib.rs", File("pub const LIMIT: u64 = 10;\n"))],
        },
    },
    Example {
        kind: FactKind::SourceRemoved,
        before: &[
            ("src/inner.rs", File("fn helper() {}\n")),
            (
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            ),
        ],
        hit: Change {
            what: "a file without public symbols or tests is gone",
            after: &[(
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "the file is still there",
            after: &[
                ("src/inner.rs", File("fn helper() {}\nfn other() {}\n")),
                (
                    "src/lib.rs",
                    File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
                ),
            ],
        },
    },
    Example {
        kind: FactKind::ApiAdded,
        before: &[(
            "src/lib.rs",
            File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
        )],
        hit: Change {
            what: "a function that was not there",
            after: &[(
                "src/lib.rs",
                File(
                    "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n\npub fn count(items: &[u32]) -> usize {\n    items.len()\n}\n",
                ),
            )],
        },
        miss: Change {
            what: "a private one",
            after: &[(
                "src/lib.rs",
                File(
                    "pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n\nfn count(items: &[u32]) -> usize {\n    items.len()\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::GoldenRemoved,
        before: &[
            ("testdata/help.golden", File("usage: tool\n")),
            ("testdata/more.golden", File("1\n")),
        ],
        hit: Change {
            what: "the recorded output is gone",
            after: &[("testdata/more.golden", File("1\n"))],
        },
        miss: Change {
            what: "the same bytes elsewhere, which is golden-moved",
            after: &[
                ("testdata/help2.golden", File("usage: tool\n")),
                ("testdata/more.golden", File("1\n")),
            ],
        },
    },
    Example {
        kind: FactKind::GoldenChanged,
        before: &[("testdata/help.golden", File("usage: tool\n"))],
        hit: Change {
            what: "another content",
            after: &[("testdata/help.golden", File("usage: tool [FILE]\n"))],
        },
        miss: Change {
            what: "other line endings",
            after: &[("testdata/help.golden", File("usage: tool\r\n"))],
        },
    },
    Example {
        kind: FactKind::ProbeChanged,
        before: &[
            (
                ".review-gate.toml",
                File("version = 1\n\n[[baseline.probe]]\nname = \"limit\"\ncommand = [\"cat\", \"limit\"]\n"),
            ),
            ("limit", File("10\n")),
        ],
        hit: Change {
            what: "with --probes: the command of the policy prints something else",
            after: &[
                (
                    ".review-gate.toml",
                    File(
                        "version = 1\n\n[[baseline.probe]]\nname = \"limit\"\ncommand = [\"cat\", \"limit\"]\n",
                    ),
                ),
                ("limit", File("20\n")),
            ],
        },
        miss: Change {
            what: "it prints the same",
            after: &[
                (
                    ".review-gate.toml",
                    File(
                        "version = 1\n\n[[baseline.probe]]\nname = \"limit\"\ncommand = [\"cat\", \"limit\"]\n",
                    ),
                ),
                ("NOTES", File("x\n")),
                ("limit", File("10\n")),
            ],
        },
    },
    Example {
        kind: FactKind::HiddenUnicode,
        before: &[(
            "src/lib.rs",
            File("pub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"),
        )],
        hit: Change {
            what: "a bidirectional control: what is seen is not what is compiled",
            after: &[(
                "src/lib.rs",
                File("pub fn total(items: &[u32]) -> u32 {\n    // \u{202e}\n    items.iter().sum()\n}\n"),
            )],
        },
        miss: Change {
            what: "letters of any alphabet",
            after: &[(
                "src/lib.rs",
                File(
                    "pub fn total(items: &[u32]) -> u32 {\n    // Summe über alles\n    items.iter().sum()\n}\n",
                ),
            )],
        },
    },
    Example {
        kind: FactKind::GoldenMoved,
        before: &[("testdata/help.golden", File("usage: tool\n"))],
        hit: Change {
            what: "the same bytes elsewhere",
            after: &[("testdata/usage.golden", File("usage: tool\n"))],
        },
        miss: Change {
            what: "another file beside it",
            after: &[
                ("testdata/help.golden", File("usage: tool\n")),
                ("testdata/usage.golden", File("usage: x\n")),
            ],
        },
    },
    Example {
        kind: FactKind::GoldenExtended,
        before: &[("public-api.txt", File("fn a()\nfn b()\n"))],
        hit: Change {
            what: "the listing only gained lines",
            after: &[("public-api.txt", File("fn a()\nfn b()\nfn c()\n"))],
        },
        miss: Change {
            what: "it lost one, which is golden-changed",
            after: &[("public-api.txt", File("fn a()\nfn c()\n"))],
        },
    },
    Example {
        kind: FactKind::SymlinkChanged,
        before: &[("latest", Link("v1"))],
        hit: Change {
            what: "it points elsewhere",
            after: &[("latest", Link("v2"))],
        },
        miss: Change {
            what: "it points where it did",
            after: &[("NOTES", File("x\n")), ("latest", Link("v1"))],
        },
    },
    Example {
        kind: FactKind::SubmoduleChanged,
        before: &[("engine", Submodule("1111111111111111111111111111111111111111"))],
        hit: Change {
            what: "another commit of it",
            after: &[("engine", Submodule("2222222222222222222222222222222222222222"))],
        },
        miss: Change {
            what: "the same commit",
            after: &[
                ("NOTES", File("x\n")),
                ("engine", Submodule("1111111111111111111111111111111111111111")),
            ],
        },
    },
    Example {
        kind: FactKind::ModeChanged,
        before: &[("run.txt", File("x\n"))],
        hit: Change {
            what: "the file can now be executed",
            after: &[("run.txt", Executable("x\n"))],
        },
        miss: Change {
            what: "another content, the same mode",
            after: &[("run.txt", File("y\n"))],
        },
    },
    Example {
        kind: FactKind::GoldenAdded,
        before: &[("testdata/help.golden", File("usage: tool\n"))],
        hit: Change {
            what: "a recording that was not there",
            after: &[
                ("testdata/help.golden", File("usage: tool\n")),
                ("testdata/more.golden", File("1\n")),
            ],
        },
        miss: Change {
            what: "one that was elsewhere",
            after: &[("testdata/usage.golden", File("usage: tool\n"))],
        },
    },
];
