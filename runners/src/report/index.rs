//! The index of the reports of several seeds.

use std::io;
use std::path::{Path, PathBuf};

use maud::html;

use super::clean::one_line;
use super::parts::badge;
use super::sentence::summary;
use super::shell::shell;
use crate::campaign::Run;
use crate::files::{make, put};
use crate::oracle::Outcome;

/// The report of one seed.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its folder, relative to the index.
    pub folder: String,
    /// The seed file.
    pub seed: String,
    /// The summary of its run.
    pub summary: String,
    /// The worst outcome.
    pub worst: Outcome,
}

impl Entry {
    /// Creates the entry of `run`, whose report is in `folder`.
    pub fn of(folder: &str, run: &Run) -> Self {
        Self {
            folder: folder.to_owned(),
            seed: run.about.seed_file.clone(),
            summary: summary(run),
            worst: run.causes.iter().map(|c| c.outcome).min().unwrap_or(Outcome::Same),
        }
    }
}

/// Writes `index.html` into `dir`, with a link to each report.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_index(dir: &Path, entries: &[Entry]) -> io::Result<PathBuf> {
    let content = html! {
        h1 { "All seeds" }
        ul.seeds {
            @for entry in entries {
                li {
                    a href=(format!("{}/index.html", entry.folder)) { (one_line(&entry.seed)) }
                    " " (badge(entry.worst))
                    p { (entry.summary) }
                }
            }
        }
    };
    make(dir)?;
    let path = dir.join("index.html");
    put(&path, shell("repfuzz: all seeds", &[], &content))?;
    Ok(path)
}
