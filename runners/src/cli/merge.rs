//! `repfuzz merge`: joins stores of several machines or nights.

use std::path::PathBuf;

use clap::Args;

use super::{SUCCESS, fail, note};
use reports::store::{MissingParts, Store, StoreError};

/// Join stores of a divided run, or of several nights
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// Stores to read
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
    /// Store to write to; its content is kept
    #[arg(short, long, value_name = "STORE")]
    pub output: PathBuf,
    /// Succeed even if parts of a divided run are missing
    #[arg(long)]
    pub allow_missing: bool,
}

#[derive(Debug, thiserror::Error)]
enum MergeError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(
        "{0}; merge them as well (what there is was merged), or go on without them by \
         --allow-missing"
    )]
    Missing(String),
}

/// Runs the command; returns the exit code.
pub fn run(args: &MergeArgs) -> u8 {
    match merge(args) {
        Ok(()) => SUCCESS,
        Err(why) => fail(why),
    }
}

fn merge(args: &MergeArgs) -> Result<(), MergeError> {
    // Check that all stores exist before anything is created.
    for path in &args.stores {
        Store::reading(path)?;
    }
    let into = Store::open(&args.output)?;
    args.stores.iter().try_for_each(|path| into.merge(path))?;
    for whole in into.last_runs()? {
        whole.notes.iter().for_each(note);
    }
    let missing: Vec<String> = into.missing_parts()?.iter().map(MissingParts::line).collect();
    match (missing.is_empty(), args.allow_missing) {
        (true, _) => Ok(()),
        (false, true) => {
            into.settle()?;
            missing.iter().for_each(note);
            Ok(())
        }
        (false, false) => Err(MergeError::Missing(missing.join("; "))),
    }
}
