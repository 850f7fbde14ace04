//! `repfuzz report`: reports again, from a store.

use std::path::{Path, PathBuf};

use clap::Args;

use super::buckets::write_buckets;
use super::fuzz::{folder, printed};
use super::seed_run::records;
use super::{FINE, FOUND, note, say, trouble};
use crate::campaign::Record;
use crate::files::{make, put};
use crate::report::{self, Entry};
use crate::store::{Scope, Store, StoreError, Whole};

/// Write the reports of a store's last runs again, without running anything.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// The store: `repfuzz.sqlite` in a report's folder, or what `repfuzz merge` made
    #[arg(value_name = "STORE")]
    pub store: PathBuf,
    /// Where the report goes
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum ReportError {
    #[error("cannot use the store: {0}")]
    Store(#[from] StoreError),
    #[error("{}: there is no run that came to its end", .0.display())]
    Empty(PathBuf),
    #[error("cannot write the report: {0}")]
    Write(#[from] std::io::Error),
}

/// Runs the command; gives the exit code: 1 if the runs found something.
pub fn run(args: &ReportArgs) -> u8 {
    match again(args) {
        Ok(code) => code,
        Err(why) => trouble(why),
    }
}

fn again(args: &ReportArgs) -> Result<u8, ReportError> {
    let store = Store::existing(&args.store)?;
    let code = reports(&store, &args.output, true)?;
    write_buckets(&args.output, &store.buckets(Scope::All)?)?;
    Ok(code)
}

/// Writes the reports of the last runs in `store`, and prints what came of them, if it shall be
/// `told`; gives the exit code.
pub(super) fn reports(store: &Store, output: &Path, told: bool) -> Result<u8, ReportError> {
    let wholes = store.last_runs()?;
    if wholes.is_empty() {
        return Err(ReportError::Empty(store.path().into()));
    }
    let (mut code, mut entries) = (FINE, Vec::new());
    for (place, Whole { run, notes }) in wholes.iter().enumerate() {
        notes.iter().for_each(note);
        let seed = run.about.seed_file.as_ref();
        let folder = if wholes.len() > 1 { folder(place, seed) } else { String::new() };
        let dir = output.join(&folder);
        make(&dir)?;
        let lines: String = records(run).iter().map(|r| Record::line(r) + "\n").collect();
        put(&dir.join("results.jsonl"), lines)?;
        let index = report::write(&dir, run)?;
        if told {
            say(printed(run, &index.display().to_string()).trim_end());
        }
        if !run.causes.is_empty() {
            code = FOUND;
        }
        entries.push(Entry::of(&folder, run));
    }
    if wholes.len() > 1 {
        let index = report::write_index(output, &entries)?;
        if told {
            say(format!("\nAll reports: {}", report::clean(&index.display().to_string())));
        }
    }
    Ok(code)
}
