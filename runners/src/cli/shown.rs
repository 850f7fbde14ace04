//! Results of `repfuzz fuzz`, and their text.

use std::path::Path;

use campaign::{Record, Run};
use reports::report::{self, Rows};

/// A result that is ready to be shown.
pub(super) enum Shown<'a> {
    /// The run of a seed.
    Seed {
        run: &'a Run,
        records: &'a [Record],
        /// The start page of its report.
        index: &'a Path,
    },
    /// The page of several seeds.
    All(&'a Path),
}

impl Shown<'_> {
    /// The text to print, with these rows of tables.
    pub(super) fn text(&self, json: bool, rows: Rows) -> String {
        match self {
            Self::Seed { records, .. } if json => {
                records.iter().map(|record| format!("{}\n", record.line())).collect()
            }
            Self::Seed { run, index, .. } => printed(run, &index.display().to_string(), rows),
            Self::All(_) if json => String::new(),
            Self::All(index) => {
                format!("\nAll reports: {}\n", report::clean(&index.display().to_string()))
            }
        }
    }
}

/// Returns the text to print about a run whose report is `index`.
pub(super) fn printed(run: &Run, index: &str, rows: Rows) -> String {
    let table = report::table(run, rows);
    let gap = if table.is_empty() { "" } else { "\n" };
    format!("{table}{gap}{}\n", report::closing(run, index))
}
