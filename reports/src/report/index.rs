//! The index of the reports of several seeds: their root causes, and links to each report.

use std::io;
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use super::clean::one_line;
use super::entry::Entry;
use super::joint::{matrix, roots};
use super::parts::badge;
use super::sentence::plural;
use super::shell::shell;
use super::site::base_name;
use crate::files::{make, put};

/// Writes `index.html` into `dir`: the root causes of all seeds, a table of clients by seeds, and a
/// link to each report.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_index(dir: &Path, entries: &[Entry]) -> io::Result<PathBuf> {
    let labels = labels(entries);
    let content = html! {
        h1 { (plural(entries.len(), "seed", "seeds")) }
        (roots(entries, &labels))
        @if !entries.is_empty() { (matrix(entries, &labels)) }
        (reports(entries, &labels))
    };
    make(dir)?;
    let path = dir.join("index.html");
    put(&path, shell("repfuzz: all seeds", &[], &content))?;
    Ok(path)
}

fn reports(entries: &[Entry], labels: &[String]) -> Markup {
    html! {
        section {
            h2 { "Reports" }
            ul.seeds {
                @for (entry, label) in entries.iter().zip(labels) {
                    li {
                        a href=(format!("{}/index.html", entry.folder)) title=(one_line(&entry.seed)) {
                            (label)
                        }
                        " " (badge(entry.worst))
                        p { (entry.summary) }
                    }
                }
            }
        }
    }
}

/// Returns the name of each seed: its file name, or the name of its report's folder if several seeds have the same file
/// name.
fn labels(entries: &[Entry]) -> Vec<String> {
    let name = |entry: &Entry| one_line(base_name(&entry.seed));
    let label = |entry: &Entry| match entries.iter().filter(|e| name(e) == name(entry)).count() {
        1 => name(entry),
        _ => one_line(&entry.folder),
    };
    entries.iter().map(label).collect()
}
