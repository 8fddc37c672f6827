//! The source files to compare: all Rust files of the packages that cargo downloaded for this workspace and the main one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One source file.
pub struct File {
    /// Package and path, for people.
    pub name: String,
    /// Its path inside its package, with `/` between.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// All files, sorted by package and path.
pub fn files() -> Result<Vec<File>, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut packages: BTreeMap<String, PathBuf> = BTreeMap::new();
    for manifest in [here.join("Cargo.toml"), here.join("../../Cargo.toml")] {
        add_packages(&manifest, &mut packages)?;
    }
    let mut files = Vec::new();
    for (package, folder) in packages {
        let mut paths = Vec::new();
        add_paths(&folder, &mut paths)?;
        paths.sort();
        for path in paths {
            let inside = path.strip_prefix(&folder).expect("found below the folder");
            let inside: Vec<String> = inside
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            let path_text = inside.join("/");
            files.push(File {
                name: format!("{package}/{path_text}"),
                path: path_text,
                bytes: std::fs::read(&path).map_err(|fault| format!("{}: {fault}", path.display()))?,
            });
        }
    }
    Ok(files)
}

/// Asks cargo where the sources of a workspace's dependencies are.
fn add_packages(manifest: &Path, packages: &mut BTreeMap<String, PathBuf>) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .output()
        .map_err(|fault| format!("cargo metadata: {fault}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|fault| fault.to_string())?;
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        // Our own sources have no source; published ones do.
        if package["source"].is_string() {
            let manifest = PathBuf::from(text("manifest_path"));
            let folder = manifest.parent().map(Path::to_path_buf).unwrap_or_default();
            packages.insert(format!("{}-{}", text("name"), text("version")), folder);
        }
    }
    Ok(())
}

fn add_paths(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|fault| fault.to_string())?;
        let kind = entry.file_type().map_err(|fault| fault.to_string())?;
        let path = entry.path();
        if kind.is_dir() {
            add_paths(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}
