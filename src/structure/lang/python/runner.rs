//! What stands around a file and decides how it is looked at: the configuration of pytest, a stub beside it.

use crate::model::glob::{Glob, selects};
use crate::structure::lang::beside;
use crate::structure::outline::Options;
use crate::structure::source::{ReadFault, Tree};

/// The files that may configure pytest, in the order in which it looks for them, with the section that does.
const CONFIGURATIONS: [(&str, &str); 4] = [
    ("pytest.ini", "pytest"),
    ("pyproject.toml", ""),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
];

/// What a configuration says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Configured {
    /// Patterns of test files.
    python_files: Vec<String>,
    /// Options given to each run.
    options: String,
}

/// Completes the options of the file at `path`.
pub(super) fn look_around(
    own: &dyn Tree,
    base: &dyn Tree,
    path: &[u8],
    options: &mut Options,
) -> Result<(), ReadFault> {
    if path.ends_with(b".py") {
        options.spoken_for = beside::speaks(own, &[path, b"i"].concat())?;
    }
    let mut folder = path;
    while !folder.is_empty() {
        folder = &folder[..memchr::memrchr(b'/', folder).unwrap_or(0)];
        for (name, section) in CONFIGURATIONS {
            let mut file = folder.to_vec();
            if !file.is_empty() {
                file.push(b'/');
            }
            file.extend_from_slice(name.as_bytes());
            let Some(bytes) = base.read(&file)? else { continue };
            let text = String::from_utf8_lossy(&bytes);
            let found = if section.is_empty() {
                from_toml(&text)
            } else {
                from_ini(&text, section)
            };
            // Without a section for it pytest looks further; `pytest.ini` ends the search all the same.
            if let Some(found) = found.or((name == "pytest.ini").then(Configured::default)) {
                apply(&found, path, options);
                return Ok(());
            }
        }
    }
    Ok(())
}

fn apply(found: &Configured, path: &[u8], options: &mut Options) {
    let globs: Vec<Glob> = found
        .python_files
        .iter()
        .filter_map(|pattern| Glob::path(pattern).ok())
        .collect();
    if !globs.is_empty() && selects(&globs, path) {
        options.test_file = true;
    }
    if found.options.contains("--doctest-modules") {
        options.doctests = true;
    }
}

/// The table `[tool.pytest.ini_options]`, or `[tool.pytest]`.
fn from_toml(text: &str) -> Option<Configured> {
    // Most files of this name say nothing about it.
    memchr::memmem::find(text.as_bytes(), b"pytest")?;
    let table: toml::Table = text.parse().ok()?;
    let pytest = table.get("tool")?.get("pytest")?;
    let section = pytest.get("ini_options").unwrap_or(pytest);
    let words = |name: &str| -> Vec<String> {
        match section.get(name) {
            Some(toml::Value::String(text)) => text.split_whitespace().map(str::to_owned).collect(),
            Some(toml::Value::Array(list)) => {
                let texts = list.iter().filter_map(toml::Value::as_str);
                texts.map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    };
    Some(Configured {
        python_files: words("python_files"),
        options: words("addopts").join(" "),
    })
}

/// One section of an INI file; lines that begin with white space continue the one before.
fn from_ini(text: &str, section: &str) -> Option<Configured> {
    let mut found: Option<Configured> = None;
    let mut inside = false;
    let mut key = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'))
            && !line.starts_with([' ', '\t'])
        {
            inside = name.trim() == section;
            key.clear();
            if inside {
                found.get_or_insert_default();
            }
            continue;
        }
        let Some(configured) = found.as_mut().filter(|_| inside) else {
            continue;
        };
        let value = if line.starts_with([' ', '\t']) {
            trimmed
        } else {
            let (name, value) = trimmed.split_once(['=', ':']).unwrap_or((trimmed, ""));
            name.trim().clone_into(&mut key);
            value
        };
        match key.as_str() {
            "python_files" => configured
                .python_files
                .extend(value.split_whitespace().map(str::to_owned)),
            "addopts" => {
                configured.options.push(' ');
                configured.options.push_str(value.trim());
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_of_pytest() {
        let expected = Configured {
            python_files: vec!["check_*.py".to_owned(), "test_*.py".to_owned()],
            options: "-q --doctest-modules".to_owned(),
        };
        let toml = "[tool.pytest.ini_options]\npython_files = [\"check_*.py\", \"test_*.py\"]\naddopts = \"-q --doctest-modules\"";
        assert_eq!(from_toml(toml), Some(expected));
        let ini = "[other]\npython_files = no\n[pytest]\n# note\npython_files =\n  check_*.py\n  test_*.py\naddopts = -q\n";
        let found = from_ini(ini, "pytest").unwrap();
        assert_eq!(found.python_files, ["check_*.py", "test_*.py"]);
        assert_eq!(found.options, " -q");
        assert_eq!(from_ini(ini, "tool:pytest"), None);
        assert_eq!(from_toml("[tool.black]\n"), None);
        assert_eq!(from_toml("[tool.pytest"), None);
    }
}
