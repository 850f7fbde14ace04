//! Keeps macros as calls, by copying the files that define them without the definitions.
//!
//! The copies are in a folder that mirrors the paths of the originals, so that quoted includes find each other. The
//! folders of the originals are searched after this one.

use std::fs;
use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use super::options::Options;
use super::preprocess::{self, Failure, Input};

/// Copies of a file and of all files that it includes.
#[derive(Debug)]
pub struct Overlay {
    folder: TempDir,
    /// The copy of the file itself.
    file: PathBuf,
    /// Arguments that make the preprocessor look for copies first.
    arguments: Vec<String>,
}

impl Overlay {
    /// Copies a file and those that it includes.
    ///
    /// # Errors
    /// Returns the preprocessor's first error, or an error if a copy cannot be made.
    pub fn new(file: &Path, options: &Options) -> Result<Self, Failure> {
        let failed = |why: std::io::Error| Failure {
            message: format!("cannot copy files: {why}"),
            place: None,
        };
        let folder = tempfile::tempdir().map_err(failed)?;
        let mut arguments = Vec::new();
        let mut seen = Vec::new();
        for original in preprocess::included(file, options)? {
            let copy = mirrored(folder.path(), &original).map_err(failed)?;
            let bytes = fs::read(&original).map_err(failed)?;
            let system = original.starts_with("/usr");
            let text = String::from_utf8_lossy(&bytes);
            let changed = without(&text, &options.calls);
            // A system header is copied only if it defines one of the macros.
            if system && changed == text {
                continue;
            }
            let parent = copy.parent().unwrap_or(folder.path()).to_owned();
            fs::create_dir_all(&parent).map_err(failed)?;
            if changed == text {
                fs::write(&copy, &bytes).map_err(failed)?;
            } else {
                fs::write(&copy, changed).map_err(failed)?;
            }
            if !seen.contains(&parent) {
                let flag = if system { "-isystem" } else { "-iquote" };
                arguments.extend([flag.to_owned(), parent.display().to_string()]);
                seen.push(parent);
            }
        }
        for searched in searched(&options.arguments) {
            let copy = mirrored(folder.path(), &searched).map_err(failed)?;
            arguments.push(format!("-I{}", copy.display()));
        }
        let own = fs::canonicalize(file).map_err(failed)?;
        let quoted = own.parent().unwrap_or(Path::new(".")).display().to_string();
        arguments.extend(["-iquote".to_owned(), quoted]);
        let file = mirrored(folder.path(), file).map_err(failed)?;
        Ok(Self { folder, file, arguments })
    }

    /// Preprocesses the copy.
    ///
    /// # Errors
    /// The preprocessor's first error.
    pub fn preprocess(&self, options: &Options) -> Result<String, Failure> {
        let failure = |failure: Failure| Failure {
            place: failure.place.map(|(path, line)| (self.original(&path), line)),
            ..failure
        };
        preprocess::preprocess(Input::File(&self.file), &self.arguments, options).map_err(failure)
    }

    /// The file of which the file in a line marker is the copy.
    pub fn original(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.folder.path()) {
            Ok(inner) => {
                let absolute = Path::new("/").join(inner);
                let here = std::env::current_dir().unwrap_or_default();
                absolute.strip_prefix(&here).map(Path::to_owned).unwrap_or(absolute)
            }
            Err(_) => path.strip_prefix("./").map(Path::to_owned).unwrap_or(path.to_owned()),
        }
    }
}

/// The folders that `-I` names.
fn searched(arguments: &[String]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut list = arguments.iter();
    while let Some(argument) = list.next() {
        match argument.strip_prefix("-I") {
            Some("") => found.extend(list.next().map(PathBuf::from)),
            Some(folder) => found.push(folder.into()),
            None => {}
        }
    }
    found.retain(|folder| folder.is_dir());
    found
}

/// The place of a file's copy.
fn mirrored(folder: &Path, original: &Path) -> std::io::Result<PathBuf> {
    let absolute = fs::canonicalize(original)?;
    let inner: PathBuf =
        absolute.components().filter(|c| !matches!(c, Component::RootDir)).collect();
    Ok(folder.join(inner))
}

/// Returns the text with empty lines in place of the definitions of macros.
pub fn without(text: &str, macros: &[String]) -> String {
    if macros.is_empty() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let row = line.trim_end();
        if inside || defines(row, macros) {
            inside = row.ends_with('\\');
            out.push_str(&line[row.len()..]);
        } else {
            out.push_str(line);
        }
    }
    out
}

/// Returns true if a line begins the definition of one of the macros.
fn defines(line: &str, macros: &[String]) -> bool {
    let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix("define")) else { return false };
    let name = rest.trim_start();
    let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
    rest.starts_with([' ', '\t']) && macros.iter().any(|m| m == &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_go_and_lines_stay() {
        let text = "a\n#  define put(c) {\\\n  x(c); }\n#define putter 1\nb put\n";
        let out = without(text, &["put".to_owned()]);
        assert_eq!(out, "a\n\n\n#define putter 1\nb put\n");
        assert_eq!(out.lines().count(), text.lines().count());
    }
}
