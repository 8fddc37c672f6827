//! The source files to compare: those of some published packages, as `npm pack` brings them.

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

/// Declarations, modules in TypeScript and in JavaScript, scripts with `exports`.
const PACKAGES: [&str; 9] = [
    "@types/node@22.9.0",
    "@types/react@18.3.12",
    "date-fns@4.1.0",
    "effect@3.10.14",
    "lodash@4.17.21",
    "preact@10.24.3",
    "rxjs@7.8.1",
    "type-fest@4.26.1",
    "zod@3.23.8",
];

const EXTENSIONS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/// All files, sorted by package and path. Packages are kept in `folder`.
pub fn files(folder: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    for package in PACKAGES {
        let place = folder.join(package.replace(['/', '@'], "_"));
        if !place.join("package").is_dir() {
            unpack(package, &place)?;
        }
        let mut paths = Vec::new();
        add_paths(&place, &mut paths)?;
        paths.sort();
        for path in paths {
            let inside = path.strip_prefix(&place).expect("found below the folder");
            let mut parts = inside.components();
            // Packages are packed in a folder of their own.
            parts.next();
            let inside: Vec<String> = parts
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            let inside = inside.join("/");
            files.push(File {
                name: format!("{package}/{inside}"),
                path: inside,
                bytes: std::fs::read(&path).map_err(|fault| format!("{}: {fault}", path.display()))?,
            });
        }
    }
    Ok(files)
}

fn unpack(package: &str, place: &Path) -> Result<(), String> {
    std::fs::create_dir_all(place).map_err(|fault| format!("{}: {fault}", place.display()))?;
    let packed = run(Command::new("npm")
        .args(["pack", "--silent", package])
        .current_dir(place))?;
    let archive = packed.lines().last().unwrap_or_default().trim().to_owned();
    run(Command::new("tar").arg("-xzf").arg(&archive).current_dir(place)).map(|_| ())?;
    // Some packages have another folder inside their archive.
    if !place.join("package").is_dir() {
        let entries = std::fs::read_dir(place).map_err(|fault| fault.to_string())?;
        let inner = entries
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .find(|path| path.is_dir())
            .ok_or_else(|| format!("{package} is empty"))?;
        std::fs::rename(inner, place.join("package")).map_err(|fault| fault.to_string())?;
    }
    Ok(())
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .map_err(|fault| format!("{command:?}: {fault}"))?;
    if !output.status.success() {
        return Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn add_paths(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|fault| format!("{}: {fault}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|fault| fault.to_string())?;
        let kind = entry.file_type().map_err(|fault| fault.to_string())?;
        let path = entry.path();
        if kind.is_dir() {
            add_paths(&path, paths)?;
        } else if kind.is_file()
            && path
                .extension()
                .is_some_and(|extension| EXTENSIONS.iter().any(|own| extension == *own))
        {
            paths.push(path);
        }
    }
    Ok(())
}
