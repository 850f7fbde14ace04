//! The files of the source tree: those that git tracks, and those of Rust, parsed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Rust file: its path from the root, its text, and its syntax tree.
pub struct SourceFile {
    /// The path from the root of the tree, with `/`.
    pub path: PathBuf,
    /// The whole text.
    pub text: String,
    /// The parsed text. A normalization program is no Rust crate, but parses as a file.
    pub syntax: syn::File,
}

/// Folders that hold no source of this project.
const SKIPPED: [&str; 3] = ["target", "node_modules", "corpus"];

/// Returns all Rust files below `root` in the order of their paths.
///
/// # Errors
///
/// Returns an error if a folder or a file cannot be read, or a file below a `src` folder does not parse.
pub fn source_files(root: &Path) -> Result<Vec<SourceFile>, String> {
    let mut paths = Vec::new();
    walk(root, &mut paths)?;
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let relative = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        match syn::parse_file(&text) {
            Ok(syntax) => files.push(SourceFile { path: relative, text, syntax }),
            // Tests have programs that are wrong on purpose.
            Err(_) if !relative.iter().any(|part| part == "src") => {}
            Err(e) => return Err(format!("{}: {e}", path.display())),
        }
    }
    Ok(files)
}

/// Returns the files that git tracks and that match one of these patterns, relative to `root`.
///
/// # Errors
///
/// Returns an error if git cannot be run.
pub fn tracked(root: &Path, patterns: &[&str]) -> Result<Vec<PathBuf>, String> {
    let listed = Command::new("git")
        .arg("ls-files")
        .args(patterns)
        .current_dir(root)
        .output()
        .map_err(|e| format!("git ls-files: {e}"))?;
    Ok(String::from_utf8_lossy(&listed.stdout).lines().map(PathBuf::from).collect())
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|e| format!("{}: {e}", folder.display()))?;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && !SKIPPED.contains(&&*name) {
                walk(&path, paths)?;
            }
        } else if name.ends_with(".rs") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Returns true for an item under `#[cfg(test)]`.
pub fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .meta
                .require_list()
                .is_ok_and(|list| list.tokens.to_string().split(' ').any(|t| t == "test"))
    })
}

/// Returns true for the code of a crate, and not of its tests, benchmarks or examples.
pub fn is_source(path: &Path) -> bool {
    path.iter().any(|part| part == "src") && !path.ends_with("tests.rs")
}
