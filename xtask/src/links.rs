//! Finds relative links of Markdown files that lead nowhere.
//!
//! Reads every `*.md` file that git tracks. A link to a file must name one that exists in the
//! tree, and a fragment (`#section`) a heading of that file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::tree::tracked;

/// Returns a line for each broken link.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn broken(root: &Path) -> Result<Vec<String>, String> {
    let mut pages = BTreeMap::new();
    for path in pages_of(root)? {
        let text =
            fs::read_to_string(root.join(&path)).map_err(|e| format!("{}: {e}", path.display()))?;
        pages.insert(path, text);
    }
    let headings: BTreeMap<&PathBuf, BTreeSet<String>> =
        pages.iter().map(|(path, text)| (path, anchors(text))).collect();
    let mut broken = Vec::new();
    for (path, text) in &pages {
        for (line, target) in links(text) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let folder = path.parent().unwrap_or(Path::new(""));
            let file = if file.is_empty() { path.clone() } else { plain(&folder.join(file)) };
            let there = root.join(&file).exists();
            let heading =
                fragment.is_empty() || headings.get(&file).is_none_or(|h| h.contains(fragment));
            if !there || !heading {
                broken.push(format!("{}:{line}: {target}", path.display()));
            }
        }
    }
    Ok(broken)
}

/// Returns the Markdown files that git tracks, relative to the root.
fn pages_of(root: &Path) -> Result<Vec<PathBuf>, String> {
    let is_file = |path: &PathBuf| fs::symlink_metadata(root.join(path)).is_ok_and(|m| m.is_file());
    Ok(tracked(root, &["*.md"])?.into_iter().filter(is_file).collect())
}

/// Resolves `.` and `..` without looking at the file system.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => drop(out.pop()),
            other => out.push(other),
        }
    }
    out
}

/// Returns the targets of inline links, pictures and link definitions, with their line numbers.
/// Fenced and indented code is left out.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut fenced = false;
    for (i, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced || line.starts_with("    ") {
            continue;
        }
        let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: "));
        if let Some((_, target)) = definition {
            out.push((i + 1, target.trim()));
        }
        for after in line.split("](").skip(1) {
            if let Some((target, _)) = after.split_once(')') {
                out.push((i + 1, target));
            }
        }
    }
    out
}

/// Returns the fragments of a page's headings, as GitHub and mdBook compute them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        }
        let title = line.trim_start_matches('#');
        if fenced || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        let anchor: String = title.trim().to_lowercase().chars().filter(kept).collect();
        out.insert(anchor.replace(' ', "-"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_outside_of_code_are_found() {
        let text = "a [b](c.md#d) ![e](f.png)\n```\n[g](h)\n```\n    [i](j)\n[k]: l.md\n";
        assert_eq!(links(text), [(1, "c.md#d"), (1, "f.png"), (6, "l.md")]);
    }

    #[test]
    fn headings_become_fragments() {
        let found = anchors("# Bytes of a `file`\n## `results.jsonl`\n```\n# no\n```\n");
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["bytes-of-a-file", "resultsjsonl"]);
    }

    #[test]
    fn paths_are_made_plain() {
        assert_eq!(plain(Path::new("docs/../corpus/./seeds")), Path::new("corpus/seeds"));
    }
}
