//! What the scanner makes of small files.

use super::*;
use crate::structure::outline::Visibility;

/// The units of a file as `mark chain > kind name`: `+` public, `-` not, `!` a test, `s` a suite.
pub(super) fn units_at(path: &str, source: &str) -> Vec<String> {
    let outline = Python
        .outline(source.as_bytes(), path.as_bytes(), &Options::default())
        .unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
    outline
        .units
        .iter()
        .map(|unit| {
            let mark = match (unit.role, unit.visibility) {
                (Role::Test, _) => '!',
                (Role::Suite, _) => 's',
                (_, Visibility::Public) => '+',
                _ => '-',
            };
            let mut text = mark.to_string();
            for segment in unit.chain.iter().chain([&unit.segment]) {
                text.push_str(&format!(" {} {}", segment.kind, segment.name));
            }
            text
        })
        .collect()
}

pub(super) fn units(source: &str) -> Vec<String> {
    units_at("a.py", source)
}

fn only(source: &str) -> Unit {
    let mut outline = Python
        .outline(source.as_bytes(), b"a.py", &Options::default())
        .unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
    assert_eq!(outline.units.len(), 1, "{source}");
    outline.units.remove(0)
}

#[test]
fn definitions_and_who_sees_them() {
    for (source, expected) in [
        (
            "def a(): pass\nasync def b():\n  pass\ndef _c(): pass",
            &["+ def a", "+ def b", "- def _c"][..],
        ),
        (
            "class A(B):\n  x = 1\n  _y: int\n  def f(self):\n    def g(): pass\n    z = 1\n  def __init__(self): ...\n  class In:\n    def h(self): pass\n  class _No:\n    def i(self): pass",
            &[
                "+ class A",
                "+ class A var x",
                "- class A var _y",
                "+ class A def f",
                "+ class A def __init__",
                "+ class A class In",
                "+ class A class In def h",
                "- class A class _No",
                "- class A class _No def i",
            ],
        ),
        (
            "a = b = 1\n(c, [d, *e]) = f.g = h[0] = x\ni: int\nj: int = 2\nk += 1\nl == m\nn(o=1)\n_p = 1\nq, = 1,",
            &[
                "+ var a", "+ var b", "+ var c", "+ var d", "+ var e", "+ var i", "+ var j", "- var _p",
                "+ var q",
            ],
        ),
        (
            "x = lambda a=1: a\ny = {1: 2}\nprint(z := 3)\nif (w := 1): pass\ntype T[K] = list[K]\ntype = 1\nmatch = 2\nmatch(3)",
            &["+ var x", "+ var y", "+ var T", "+ var type", "+ var match"],
        ),
        (
            "if a:\n  def f(): pass\nelif b: g = 1\nelse:\n  class C: x = 1; y = 2\ntry:\n  h = 1\nexcept E:\n  h = 2\nfinally:\n  pass\nwith x as y:\n  i = 1\nfor j in k:\n  l = 1\n  def m(): pass",
            &[
                "+ def f",
                "+ var g",
                "+ class C",
                "+ class C var x",
                "+ class C var y",
                "+ var h",
                "+ var h",
                "+ var i",
                "+ def m",
            ],
        ),
        (
            "x = 1\nx = 2\nif a:\n  x = 3\n  y = 1\ny = 2\nif b:\n  z = 1\nelse:\n  z = 2",
            &["+ var x", "+ var y", "+ var z", "+ var z"],
        ),
        (
            "if __name__ == '__main__':\n  def f(): pass\n  x = 1\n  main()",
            &["- def f"],
        ),
        (
            "@a\n@b(\n  c,\n  d=')',\n)\n# note\n\ndef f(): pass\n@x.setter\nclass A: pass",
            &["+ def f", "+ class A"],
        ),
        (
            "def f(\n  a,  # (\n  b='''\ndef g(): pass\n'''\n):\n  '''\n  def h(): pass\n  '''\nx = \\\n  1\ndef i(): return \\\n1",
            &["+ def f", "+ var x", "+ def i"],
        ),
        (
            "def f[T: (int, str)](a: T) -> dict[str, int]: pass\nclass A[T](B[T], metaclass=M): pass",
            &["+ def f", "+ class A"],
        ),
        (
            "match x:\n  case {'a': 1}:\n    y = 1\n    def f(): pass\n  case _: z = 1",
            &["+ def f"],
        ),
        (
            "def f():\n\treturn 1\n\tif x:\n            y\ndef g():\r\n  pass\r\n\r\ndef h():\r  pass\r",
            &["+ def f", "+ def g", "+ def h"],
        ),
    ] {
        assert_eq!(units(source), expected, "{source}");
    }
}

#[test]
fn names_of_all() {
    for (source, expected) in [
        (
            "__all__ = ['a', \"_b\"]\ndef a(): pass\ndef _b(): pass\ndef c(): pass\nclass D:\n  x = 1",
            &[
                "+ def a",
                "+ def _b",
                "- def c",
                "- class D",
                "- class D var x",
                "- var __all__",
            ][..],
        ),
        (
            "__all__ = ('a',) + b.__all__\n__all__ += ['c']\n__all__.extend(['d'])\n__all__.append('e')\n__all__.remove('a')\na = c = d = e = f = 1",
            &[
                "- var a",
                "+ var c",
                "+ var d",
                "+ var e",
                "- var f",
                "- var __all__",
            ],
        ),
        ("__all__: list[str] = []\na = 1", &["- var a", "- var __all__"]),
        (
            "__all__ = 'a', 'b'\na = b = c = 1",
            &["+ var a", "+ var b", "- var c", "- var __all__"],
        ),
        ("__all__ = [n for n in dir()]\na = 1", &["+ var a"]),
        (
            "__all__ = NAMES + ['_a']\n_a = b = _c = 1",
            &["+ var _a", "+ var b", "- var _c"],
        ),
        (
            "__all__ = [*x.__all__, 'a']\na = b = 1",
            &["+ var a", "- var b", "- var __all__"],
        ),
        ("__all__ = make()\na = 1", &["+ var a"]),
        (
            "from a import x, y as z\nfrom b import *\n__all__ = ['z', 'w']",
            &["- import x", "+ import z", "- var __all__", "+ import w"],
        ),
        (
            "if a:\n  __all__ = ['x']\nelse:\n  __all__ = ['y']\nx = y = z = 1",
            &["+ var x", "+ var y", "- var z", "- var __all__"],
        ),
    ] {
        assert_eq!(units(source), expected, "{source}");
    }
}

#[test]
fn imports_and_where_they_come_from() {
    let imports = |path: &str, source: &str| -> Vec<String> {
        let outline = Python
            .outline(source.as_bytes(), path.as_bytes(), &Options::default())
            .unwrap();
        let imports = outline.imports.iter();
        imports
            .map(|import| format!("{}={}", import.name, import.target))
            .collect()
    };
    assert_eq!(
        imports(
            "a/b/c.py",
            "import x.y, z.w as v\nfrom . import m\nfrom .n import (o as p, q,)\nfrom ..r import *\nfrom s import t"
        ),
        [
            "x=x",
            "v=z.w",
            "m=a.b::m",
            "p=a.b.n::o",
            "q=a.b.n::q",
            "*=a.r",
            "t=s::t"
        ]
    );
    assert_eq!(
        imports("back/shop/cart.py", "from shop.money import cents"),
        ["cents=back.shop.money::cents"]
    );
    assert_eq!(
        units_at(
            "a/__init__.py",
            "from .b import c as c, d as e, f\nimport a.g as g\nfrom .b import _h as _h"
        ),
        [
            "+ import c",
            "- import e",
            "- import f",
            "+ import g",
            "- import _h"
        ]
    );
}

#[test]
fn signatures_hold_what_callers_see() {
    let same = [
        ("def f(a, b=1): pass", "def f(\n  a,\n  b=2,\n): return 3"),
        ("def f(a, /, b): pass", "def f(x, /, b): pass"),
        ("def f(*a, **b): pass", "def f(*args, **kwargs): pass"),
        ("@cache\ndef f(a): pass", "def f(a): pass"),
        ("def f(a: 'X'): pass", "def f(a: \"X\"): 'doc'"),
        ("class A(B,): pass", "class A(B):\n  'doc'"),
        ("class A():pass", "class A: pass"),
        ("X: int = 1", "X: int = 2"),
        ("def f(a=b == c): pass", "def f(a=1): pass"),
    ];
    for (a, b) in same {
        assert_eq!(only(a).signature, only(b).signature, "{a} / {b}");
    }
    for (a, b) in [
        ("def f(a): pass", "def f(b): pass"),
        ("def f(a): pass", "def f(a=1): pass"),
        ("def f(a): pass", "async def f(a): pass"),
        ("def f(a): pass", "def f(a, /): pass"),
        ("def f(a, b): pass", "def f(a, *, b): pass"),
        ("def f(a): pass", "def f(*a): pass"),
        ("def f(a): pass", "def f(a: int): pass"),
        ("def f(a): pass", "def f(a) -> int: pass"),
        ("@staticmethod\ndef f(a): pass", "def f(a): pass"),
        ("@f.setter\ndef f(a): pass", "@property\ndef f(a): pass"),
        ("def f[T](a): pass", "def f(a): pass"),
        ("class A(B): pass", "class A: pass"),
        ("class A(B): pass", "class A(B, metaclass=M): pass"),
        ("class A(B, C): pass", "class A(C, B): pass"),
        ("X: int = 1", "X: str = 1"),
        ("type X = int", "type X = str"),
    ] {
        assert_ne!(only(a).signature, only(b).signature, "{a} / {b}");
    }
    let value = |source: &str| only(source).value;
    assert_ne!(value("def f(a=1): pass"), value("def f(a=2): pass"));
    assert_ne!(value("X = 1"), value("X = 2"));
    assert_eq!(value("X = 'a'"), value("X = \"a\""));
    let method = |name: &str| {
        let source = format!("class A:\n  def f({name}, a): pass");
        let outline = Python
            .outline(source.as_bytes(), b"a.py", &Options::default())
            .unwrap();
        outline.units[1].signature
    };
    assert_eq!(method("self"), method("this"));
}

#[test]
fn bodies_are_equal_whatever_their_layout() {
    let body = |source: &str| only(source).body.unwrap().hash;
    for (a, b) in [
        ("def f():\n  return 1", "def f(): return 1"),
        ("def f():\n  a\n  b", "def f(): a; b;"),
        (
            "def f():\n  'doc'\n  return (1,\n    2,)",
            "def f():\n      # note\n      return (1, 2)\n",
        ),
        ("def f():\n  if a:\n    b\n  c", "def f():\n\tif a:\n\t\tb\n\n\tc"),
        ("def f():\n  a = 'x'\n  'note'\n", "def f():\n  a = \"x\""),
        ("def f():\n  a = 1 + \\\n    2", "def f():\n  a = 1 + 2"),
    ] {
        assert_eq!(body(a), body(b), "{a} / {b}");
    }
    for (a, b) in [
        ("def f():\n  if a:\n    b\n  c", "def f():\n  if a:\n    b\n    c"),
        ("def f():\n  return (1,)", "def f():\n  return (1)"),
        ("def f():\n  return x[1,]", "def f():\n  return x[1]"),
        ("def f():\n  f'{a}'", "def f():\n  pass"),
    ] {
        assert_ne!(body(a), body(b), "{a} / {b}");
    }
    let unit = only("def f(): ...");
    assert_eq!(unit.body.unwrap().tokens, 1);
    let names = |source: &str| only(source).body.unwrap().hash_without_name;
    assert_eq!(
        names("def f(n): return f(n - 1)"),
        names("def g(n): return g(n - 1)")
    );
}

#[test]
fn what_cannot_be_understood_is_refused() {
    use crate::model::baseline::UnmeasuredReason::{TooDeep, Unbalanced, Unterminated};
    for (source, reason) in [
        ("def f(:\n  pass", Unbalanced),
        ("x = 'a\ny = 1", Unterminated),
        ("def f():\n    a\n  b", Unbalanced),
        ("a\n  b", Unbalanced),
        ("def f():\nx = 1", Unbalanced),
        ("class A:", Unbalanced),
        ("'''", Unterminated),
    ] {
        let fault = Python
            .outline(source.as_bytes(), b"a.py", &Options::default())
            .unwrap_err();
        assert_eq!(fault.reason, reason, "{source}");
    }
    let lines = (0..200).map(|depth| format!("{}class A:\n", " ".repeat(depth)));
    let deep = lines.collect::<Vec<_>>().concat();
    let fault = Python
        .outline(
            format!("{deep}{}pass", " ".repeat(200)).as_bytes(),
            b"a.py",
            &Options::default(),
        )
        .unwrap_err();
    assert_eq!(fault.reason, TooDeep);
    let fault = Python
        .outline(
            b"def a(): pass\nasync def b(): pass\nclass C: (",
            b"a.py",
            &Options::default(),
        )
        .unwrap_err();
    assert_eq!(fault.seen, ["a", "b", "C"]);
    assert!(fault.detail.starts_with("line 3: "), "{}", fault.detail);
}
