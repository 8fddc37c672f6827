//! The files that `cargo test` starts from, as the manifest of a package says.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::structure::source::{ReadFault, Tree};

/// The root files of all targets whose tests are run; `None` without a manifest.
pub(super) fn runner_roots(tree: &dyn Tree, package: &[u8]) -> Result<Option<BTreeSet<Vec<u8>>>, ReadFault> {
    let folder = Folder { tree, package };
    let Some(bytes) = tree.read(&folder.path("Cargo.toml"))? else {
        return Ok(None);
    };
    let text = str::from_utf8(&bytes).map_err(|_| ReadFault::Damaged("it is not UTF-8".to_owned()))?;
    let manifest: Table = text
        .parse()
        .map_err(|fault: toml::de::Error| ReadFault::Damaged(fault.message().to_owned()))?;
    let Some(section) = manifest.get("package").and_then(Value::as_table) else {
        return Ok(None);
    };
    let auto = |key: &str| section.get(key).and_then(Value::as_bool).unwrap_or(true);
    let mut roots = BTreeSet::new();
    if auto("autotests") {
        roots.extend(folder.found("tests")?);
    }
    if auto("autobins") {
        roots.extend(folder.existing(&["src/main.rs".to_owned()])?);
        roots.extend(folder.found("src/bin")?);
    }
    roots.extend(folder.existing(&["src/lib.rs".to_owned()])?);
    let lib = manifest.get("lib").and_then(Value::as_table);
    for (target, usual) in lib
        .map(|target| (target, vec!["src/lib.rs".to_owned()]))
        .into_iter()
        .chain(named(&manifest, "test", "tests"))
        .chain(named(&manifest, "bin", "src/bin"))
    {
        let own = target
            .get("path")
            .and_then(Value::as_str)
            .map(|path| vec![path.to_owned()]);
        let file = folder.existing(&own.unwrap_or(usual))?;
        let on = |key: &str| target.get(key).and_then(Value::as_bool).unwrap_or(true);
        if let Some(file) = file {
            if on("test") && on("harness") {
                roots.insert(file);
            } else {
                roots.remove(&file);
            }
        }
    }
    Ok(Some(roots))
}

/// The targets of one kind, and where the file of each usually stands.
fn named<'m>(manifest: &'m Table, kind: &str, folder: &str) -> Vec<(&'m Table, Vec<String>)> {
    let targets = manifest.get(kind).and_then(Value::as_array);
    let tables = targets.into_iter().flatten().filter_map(Value::as_table);
    tables
        .map(|table| {
            let name = table.get("name").and_then(Value::as_str).unwrap_or_default();
            let mut usual = vec![format!("{folder}/{name}.rs"), format!("{folder}/{name}/main.rs")];
            if kind == "bin" {
                usual.push("src/main.rs".to_owned());
            }
            (table, usual)
        })
        .collect()
}

/// The folder of a package in a tree.
struct Folder<'t> {
    tree: &'t dyn Tree,
    package: &'t [u8],
}

impl Folder<'_> {
    fn path(&self, inner: &str) -> Vec<u8> {
        let mut path = self.package.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(inner.as_bytes());
        path
    }

    /// The first of these files that there is.
    fn existing(&self, files: &[String]) -> Result<Option<Vec<u8>>, ReadFault> {
        for file in files {
            let path = self.path(file);
            if self.tree.read(&path)?.is_some() {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// What cargo finds by itself: `folder/x.rs` and `folder/x/main.rs`.
    fn found(&self, folder: &str) -> Result<Vec<Vec<u8>>, ReadFault> {
        let folder = self.path(folder);
        let files = self.tree.files_below(&folder, b".rs")?;
        let is_root = |path: &Vec<u8>| {
            let rest = path.get(folder.len() + 1..).unwrap_or_default();
            let mut parts = rest.split(|byte| *byte == b'/').skip(1);
            matches!((parts.next(), parts.next()), (None, _) | (Some(b"main.rs"), None))
        };
        Ok(files.into_iter().filter(is_root).collect())
    }
}
