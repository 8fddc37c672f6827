//! Where a file stands in its package: the module part of its keys, and the files of the modules it links in.

use crate::structure::lexer::lines::text_of;

/// The place of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The module of its top level, with the prefix of its package.
    pub(super) module: String,
    /// The module that `crate::` names there.
    pub(super) root: String,
    /// Its public items can be used by other packages.
    pub(super) library: bool,
    /// The folder where the files of its child modules stand.
    pub(super) children: Vec<u8>,
    /// The folder that it stands in.
    folder: Vec<u8>,
    /// The folder of its package.
    pub(super) package: Vec<u8>,
}

/// Folders of a package whose files are crates of their own, and the first segment of their modules.
const TARGETS: [(&[u8], &str); 3] = [
    (b"tests", "tests"),
    (b"benches", "benches"),
    (b"examples", "examples"),
];

impl Place {
    /// The place of the file at `path`; `package` is its folder with a `Cargo.toml`, if there is one.
    pub(super) fn of(path: &[u8], package: Option<&[u8]>) -> Self {
        let folder = package.map_or_else(|| folder_without_manifest(path), <[u8]>::to_vec);
        let rest = if folder.is_empty() {
            path
        } else {
            path.strip_prefix(folder.as_slice())
                .and_then(|rest| rest.strip_prefix(b"/"))
                .unwrap_or(path)
        };
        let stem = rest.strip_suffix(b".rs").unwrap_or(rest);
        let parts: Vec<&[u8]> = stem.split(|byte| *byte == b'/').collect();
        let inner = inner_place(&parts);
        let prefix = prefix_of(&folder);
        let is_root_file = matches!(parts.last(), Some(&b"mod")) || inner.crate_file;
        let mut children = path.strip_suffix(b".rs").unwrap_or(path).to_vec();
        if is_root_file {
            let cut = children.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
            children.truncate(cut);
        }
        Self {
            module: format!("{prefix}{}", inner.module),
            root: format!("{prefix}{}", inner.root),
            library: inner.library && !beside_the_product(path),
            children,
            folder: path[..path.iter().rposition(|byte| *byte == b'/').unwrap_or(0)].to_vec(),
            package: folder,
        }
    }

    /// The places where the file of a child module may stand; `inline` are the inline modules around its `mod` line.
    pub(super) fn child_files(&self, inline: &[&[u8]], name: &[u8]) -> Vec<Vec<u8>> {
        let mut stem = self.children.clone();
        for part in inline.iter().chain([&name]) {
            if !stem.is_empty() {
                stem.push(b'/');
            }
            stem.extend_from_slice(part.strip_prefix(b"r#").unwrap_or(part));
        }
        vec![[&stem[..], b".rs"].concat(), [&stem[..], b"/mod.rs"].concat()]
    }

    /// The file that `#[path = "…"]` on a `mod` line names.
    pub(super) fn attribute_file(&self, inline: &[&[u8]], path: &[u8]) -> Vec<u8> {
        // Outside of inline modules the path starts at the folder of the file itself.
        let mut parts: Vec<&[u8]> = if inline.is_empty() {
            &self.folder
        } else {
            &self.children
        }
        .split(|byte| *byte == b'/')
        .filter(|part| !part.is_empty())
        .collect();
        parts.extend(inline);
        for part in path.split(|byte| *byte == b'/') {
            match part {
                b"" | b"." => {}
                b".." => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        parts.join(&b'/')
    }
}

/// The places where the file of a module may stand, as far as its name tells.
pub(super) fn module_files(package: &[u8], module: &str) -> Vec<Vec<u8>> {
    let prefix = prefix_of(package);
    let Some(path) = module.strip_prefix(prefix.as_str()) else {
        return Vec::new();
    };
    let in_package = |rest: String| {
        let mut file = package.to_vec();
        if !file.is_empty() {
            file.push(b'/');
        }
        file.extend_from_slice(rest.as_bytes());
        file
    };
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let rest = rest.replace("::", "/");
    let files = match (first, rest.as_str()) {
        ("crate", "") => vec!["src/lib.rs".to_owned()],
        ("bin", "") => vec!["src/main.rs".to_owned()],
        ("crate", rest) => vec![format!("src/{rest}.rs"), format!("src/{rest}/mod.rs")],
        ("bin", rest) => vec![
            format!("src/bin/{rest}.rs"),
            format!("src/bin/{rest}/main.rs"),
            format!("src/bin/{rest}/mod.rs"),
        ],
        ("tests" | "benches" | "examples", rest) if !rest.is_empty() => vec![
            format!("{first}/{rest}.rs"),
            format!("{first}/{rest}/main.rs"),
            format!("{first}/{rest}/mod.rs"),
        ],
        _ => Vec::new(),
    };
    files.into_iter().map(in_package).collect()
}

/// What stands in front of the modules of a package: nothing for one at the top.
pub(super) fn prefix_of(package: &[u8]) -> String {
    if package.is_empty() {
        String::new()
    } else {
        format!("{}|", text_of(package))
    }
}

/// Without a manifest the package is the folder that holds `src`, `tests`, `benches` or `examples`.
fn folder_without_manifest(path: &[u8]) -> Vec<u8> {
    let mut start = 0;
    while let Some(slash) = path[start..].iter().position(|byte| *byte == b'/') {
        let part = &path[start..start + slash];
        if part == b"src" || TARGETS.iter().any(|(folder, _)| *folder == part) {
            return path[..start.saturating_sub(1)].to_vec();
        }
        start += slash + 1;
    }
    Vec::new()
}

/// A place inside a package.
struct Inner {
    module: String,
    root: String,
    library: bool,
    /// The file is the root of a crate, so that its children stand beside it.
    crate_file: bool,
}

/// The place of a file given as the parts of its path inside its package, without extension.
fn inner_place(parts: &[&[u8]]) -> Inner {
    let joined = |first: &str, parts: &[&[u8]]| {
        let mut module = first.to_owned();
        for part in parts {
            if !module.is_empty() {
                module.push_str("::");
            }
            module.push_str(&text_of(part));
        }
        module
    };
    let without_mod = |parts: &'_ [&[u8]]| match parts {
        [rest @ .., b"mod"] => rest.len(),
        _ => parts.len(),
    };
    match parts {
        // A library may stand at the top of its package.
        [b"src", b"lib"] | [b"lib"] => library("crate".to_owned(), true),
        [b"src", b"main"] => target("bin".to_owned(), "bin".to_owned(), true),
        [b"src", b"bin", rest @ ..] if !rest.is_empty() => target_below("bin", rest),
        [b"src", rest @ ..] if !rest.is_empty() => {
            library(joined("crate", &rest[..without_mod(rest)]), false)
        }
        [b"build"] => target("build".to_owned(), "build".to_owned(), true),
        [first, rest @ ..] if !rest.is_empty() => match TARGETS.iter().find(|(folder, _)| folder == first) {
            Some((_, name)) => target_below(name, rest),
            None => library(joined("crate", &parts[..without_mod(parts)]), false),
        },
        _ => library(joined("crate", parts), false),
    }
}

/// A file below `src/bin`, `tests`, `benches` or `examples`.
fn target_below(first: &str, rest: &[&[u8]]) -> Inner {
    let kept = match rest {
        [kept @ .., b"main" | b"mod"] if !kept.is_empty() => kept,
        _ => rest,
    };
    let mut module = first.to_owned();
    let mut root = String::new();
    for (at, part) in kept.iter().enumerate() {
        module.push_str("::");
        module.push_str(&text_of(part));
        if at == 0 {
            root.clone_from(&module);
        }
    }
    let crate_file = rest.len() == 1 || (rest.len() == 2 && rest[1] == b"main");
    target(module, root, crate_file)
}

fn library(module: String, crate_file: bool) -> Inner {
    Inner {
        module,
        root: "crate".to_owned(),
        library: true,
        crate_file,
    }
}

fn target(module: String, root: String, crate_file: bool) -> Inner {
    Inner {
        module,
        root,
        library: false,
        crate_file,
    }
}

/// Whether a folder in front of the first `src` holds examples, benchmarks or documentation.
fn beside_the_product(path: &[u8]) -> bool {
    let mut parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    parts.pop();
    parts
        .iter()
        .take_while(|part| **part != b"src")
        .any(|part| matches!(*part, b"examples" | b"example" | b"docs") || part.starts_with(b"bench"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_follow_the_folders_of_cargo() {
        for (path, package, module, root, library, children) in [
            ("src/lib.rs", Some(""), "crate", "crate", true, "src"),
            ("src/a/b.rs", None, "crate::a::b", "crate", true, "src/a/b"),
            ("src/a/mod.rs", None, "crate::a", "crate", true, "src/a"),
            ("src/main.rs", None, "bin", "bin", false, "src"),
            ("src/bin/x.rs", None, "bin::x", "bin::x", false, "src/bin"),
            ("src/bin/x/main.rs", None, "bin::x", "bin::x", false, "src/bin/x"),
            (
                "src/bin/x/y.rs",
                None,
                "bin::x::y",
                "bin::x",
                false,
                "src/bin/x/y",
            ),
            ("tests/x.rs", None, "tests::x", "tests::x", false, "tests"),
            (
                "tests/it/main.rs",
                None,
                "tests::it",
                "tests::it",
                false,
                "tests/it",
            ),
            (
                "tests/common/mod.rs",
                None,
                "tests::common",
                "tests::common",
                false,
                "tests/common",
            ),
            ("benches/b.rs", None, "benches::b", "benches::b", false, "benches"),
            (
                "crates/p/src/lib.rs",
                None,
                "crates/p|crate",
                "crates/p|crate",
                true,
                "crates/p/src",
            ),
            (
                "crates/p/src/tests/x.rs",
                None,
                "crates/p|crate::tests::x",
                "crates/p|crate",
                true,
                "crates/p/src/tests/x",
            ),
            (
                "examples/p/src/lib.rs",
                Some("examples/p"),
                "examples/p|crate",
                "examples/p|crate",
                false,
                "examples/p/src",
            ),
            ("build.rs", Some(""), "build", "build", false, ""),
            ("a.rs", None, "crate::a", "crate", true, "a"),
        ] {
            let place = Place::of(path.as_bytes(), package.map(str::as_bytes));
            assert_eq!(
                (
                    place.module.as_str(),
                    place.root.as_str(),
                    place.library,
                    text_of(&place.children).as_str()
                ),
                (module, root, library, children),
                "{path}"
            );
            let package = place.package.clone();
            if path != "a.rs" && path != "build.rs" {
                assert!(
                    module_files(&package, &place.module).contains(&path.as_bytes().to_vec()),
                    "{path}"
                );
            }
        }
        let place = Place::of(b"p/src/a.rs", Some(b"p"));
        assert_eq!(
            place.child_files(&[b"m"], b"r#x"),
            [b"p/src/a/m/x.rs".to_vec(), b"p/src/a/m/x/mod.rs".to_vec()]
        );
    }
}
