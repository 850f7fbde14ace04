//! `repfuzz merge`: stores of several machines, or nights, as one.

use std::path::PathBuf;

use clap::Args;

use super::{FINE, note, trouble};
use crate::store::{Store, StoreError};

/// Join stores: the parts of a divided run, or runs of different nights.
#[derive(Debug, Clone, Args)]
pub struct MergeArgs {
    /// The stores
    #[arg(required = true, value_name = "STORE")]
    pub stores: Vec<PathBuf>,
    /// The store that takes all of them; what is in it already stays
    #[arg(short, long, value_name = "STORE")]
    pub output: PathBuf,
}

/// Runs the command; gives the exit code.
pub fn run(args: &MergeArgs) -> u8 {
    match merge(args) {
        Ok(()) => FINE,
        Err(why) => trouble(why),
    }
}

fn merge(args: &MergeArgs) -> Result<(), StoreError> {
    // Before anything is made: all of them must be there.
    for path in &args.stores {
        Store::existing(path)?;
    }
    let into = Store::open(&args.output)?;
    args.stores.iter().try_for_each(|path| into.merge(path))?;
    for whole in into.last_runs()? {
        whole.notes.iter().for_each(note);
    }
    Ok(())
}
