//! `repfuzz nightly --report-only`: decides which report is due, and writes that of the last night again.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::NightError;
use crate::cli::acceptances::Acceptances;
use crate::cli::report::{Printing, ReportError, reports};
use crate::cli::{FOUND, SUCCESS, note, say};
use reports::nightly::{Config, KeptReport, fails, summary, write_night};
use reports::report::write_history;
use reports::store::{MissingParts, Store};

/// The report that is due.
pub enum Due {
    /// The report of the last night, which is in the store.
    Kept(Store, Box<KeptReport>),
    /// The report of merged parts. The store records that they were reported.
    Parts,
    /// The report of parts if some are missing or the store cannot be written. It is made from a copy of the store, so
    /// nothing is recorded.
    Preview(TempDir, PathBuf),
}

/// Finds out which report of the store at `path` is due.
pub fn due(path: &Path) -> Result<Due, NightError> {
    let store = Store::reading(path)?;
    store.verify()?;
    if store.has_unreported_parts()? {
        let missing = store.missing_parts()?;
        let open: Vec<String> =
            missing.iter().filter(|parts| !parts.settled).map(MissingParts::line).collect();
        if !open.is_empty() {
            note(format!(
                "{}; nothing is recorded, so that they can still be merged (to go on without them: \
                 repfuzz merge --allow-missing)",
                open.join("; ")
            ));
        } else if !Store::is_writable(path) {
            note("the store cannot be written: nothing is recorded, and these findings stay new");
        } else {
            return Ok(Due::Parts);
        }
        let (folder, copied) = Store::scratch_copy(path)?;
        return Ok(Due::Preview(folder, copied));
    }
    let kept = store.last_report()?.and_then(|kept| serde_json::from_value(kept).ok());
    match kept {
        Some(kept) => Ok(Due::Kept(store, kept)),
        None => Err(NightError::Other(format!(
            "{}: it has no report of a night, and no part of one: run `repfuzz nightly` first",
            path.display()
        ))),
    }
}

/// Writes the report of the last night again; returns the exit code.
pub fn again(store: &Store, kept: &KeptReport, config: &Config) -> Result<u8, NightError> {
    let accepted = Acceptances::read(&config.accepted)?;
    match reports(store, &config.report, Printing::Nothing, &accepted) {
        // No seed could be run.
        Ok(_) | Err(ReportError::Empty(_)) => {}
        Err(error) => return Err(NightError::Other(error.to_string())),
    }
    write_night(&config.report, &kept.report()).map_err(report_error)?;
    present(store, kept, config)?;
    let failed = fails(&config.fail_on, &kept.verdict, &kept.coverage);
    Ok(if failed { FOUND } else { SUCCESS })
}

/// Writes the history of all nights into the folder of this night's reports, and prints its summary.
pub fn present(store: &Store, kept: &KeptReport, config: &Config) -> Result<(), NightError> {
    let (dir, report) = (&config.report, kept.report());
    let mut nights = store.nights()?;
    if let Some(last) = nights.last_mut() {
        last.report = "nightly.html".to_owned();
    }
    write_history(dir, &nights).map_err(report_error)?;
    say(summary(&report).trim_end());
    say(format!("\nReport: {}", dir.join("nightly.html").display()));
    Ok(())
}

/// An error of writing a report.
pub fn report_error(error: io::Error) -> NightError {
    crate::cli::seed_run::SeedError::Report(error).into()
}
