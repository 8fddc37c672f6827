//! Where a file stands: the module part of its keys, and what kind of file it is by its path alone.

use crate::structure::language::Language;
use crate::structure::lexer::lines::text_of;
use crate::structure::paths::{file_name, is_beside_the_product};

/// The place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The dotted path of its module.
    pub(super) module: String,
    /// An `__init__` file: its module is the package itself.
    pub(super) is_package: bool,
    /// The runner looks for tests in it.
    pub(super) is_test_file: bool,
    /// Nothing in it is public API, whatever it declares.
    pub(super) beside_the_product: bool,
}

/// Folders at the top that are no part of module names.
const ROOTS: [&[u8]; 3] = [b"src", b"lib", b"python"];

impl Place {
    /// The place of the file at `path`; `listed`: the policy or the configuration of the runner names it as a test file.
    pub(super) fn of(path: &[u8], listed: bool) -> Self {
        let name = file_name(path);
        let named = Language::from_word("python").is_some_and(|python| python.is_test_name(name));
        let is_test_file = named || listed;
        Self {
            module: module_of(path),
            is_package: name.starts_with(b"__init__."),
            is_test_file,
            beside_the_product: is_test_file || is_beside_the_product(path) || name == b"conftest.py",
        }
    }

    /// The package that relative imports start from, `dots` up; `None` above the top.
    pub(super) fn package(&self, dots: usize) -> Option<&str> {
        let mut package = self.module.as_str();
        for _ in usize::from(self.is_package)..dots {
            package = match package.rsplit_once('.') {
                Some((above, _)) => above,
                None if package.is_empty() => return None,
                None => "",
            };
        }
        Some(package)
    }
}

/// The dotted path of the module at `path`.
fn module_of(path: &[u8]) -> String {
    let stem = path
        .strip_suffix(b".py")
        .or_else(|| path.strip_suffix(b".pyi"))
        .unwrap_or(path);
    let mut parts: Vec<&[u8]> = stem.split(|byte| *byte == b'/').collect();
    if parts.len() > 1 && ROOTS.contains(&parts[0]) {
        parts.remove(0);
    }
    if parts.last() == Some(&&b"__init__"[..]) {
        parts.pop();
    }
    parts
        .iter()
        .map(|part| text_of(part))
        .collect::<Vec<_>>()
        .join(".")
}

/// The places where the file of a module may stand.
pub(super) fn module_files(module: &str) -> Vec<Vec<u8>> {
    let path = module.replace('.', "/");
    let mut files = Vec::new();
    for root in ["", "src/", "lib/", "python/"] {
        let stem = format!("{root}{path}");
        let inside = if path.is_empty() {
            root.to_owned()
        } else {
            format!("{stem}/")
        };
        for ending in ["pyi", "py"] {
            files.push(format!("{inside}__init__.{ending}").into_bytes());
            if !path.is_empty() {
                files.push(format!("{stem}.{ending}").into_bytes());
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_dotted_paths() {
        for (path, module) in [
            ("shop/cart.py", "shop.cart"),
            ("src/shop/__init__.py", "shop"),
            ("lib/a.pyi", "a"),
            ("python/a/b.py", "a.b"),
            ("src/src/a.py", "src.a"),
            ("src.py", "src"),
            ("__init__.py", ""),
            ("src/__init__.py", ""),
            ("tests/test_größe.py", "tests.test_größe"),
        ] {
            assert_eq!(Place::of(path.as_bytes(), false).module, module, "{path}");
        }
    }

    #[test]
    fn files_that_are_no_product() {
        for (path, beside, test) in [
            ("shop/cart.py", false, false),
            ("shop/test_cart.py", true, true),
            ("shop/cart_test.py", true, true),
            ("shop/tests.py", true, true),
            ("tests/helpers.py", true, false),
            ("examples/a.py", true, false),
            ("benchmarks/a.py", true, false),
            ("a/docs/conf.py", true, false),
            ("conftest.py", true, false),
            ("docs.py", false, false),
        ] {
            let place = Place::of(path.as_bytes(), false);
            assert_eq!(
                (place.beside_the_product, place.is_test_file),
                (beside, test),
                "{path}"
            );
        }
    }

    #[test]
    fn relative_imports_start_from_the_package() {
        for (path, dots, package) in [
            ("a/b/c.py", 1, Some("a.b")),
            ("a/b/c.py", 2, Some("a")),
            ("a/b/c.py", 3, Some("")),
            ("a/b/c.py", 4, None),
            ("a/b/__init__.py", 1, Some("a.b")),
            ("a/b/__init__.py", 2, Some("a")),
        ] {
            assert_eq!(
                Place::of(path.as_bytes(), false).package(dots),
                package,
                "{path} {dots}"
            );
        }
        let files = module_files("a.b");
        assert!(files.contains(&b"a/b.py".to_vec()) && files.contains(&b"src/a/b/__init__.py".to_vec()));
        assert!(module_files("").contains(&b"src/__init__.py".to_vec()));
    }
}
