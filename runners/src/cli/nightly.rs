//! `repfuzz nightly`: every night the same, and only what is new.

use std::path::PathBuf;

use clap::Args;

use super::night::Nightly;
use super::seed_run::SeedError;
use super::{FINE, say, trouble};
use crate::campaign::Shard;
use crate::nightly::{Accepted, Config, FileError};
use crate::report;
use crate::store::{Scope, Store, StoreError};

/// Fuzz as a configuration says, and tell what is new, fixed and known.
#[derive(Debug, Clone, Args)]
pub struct NightlyArgs {
    /// What to do (docs/nightly.md)
    #[arg(default_value = "nightly.toml", value_name = "CONFIG")]
    pub config: PathBuf,
    /// Run nothing; accept all findings that are known and not fixed
    #[arg(long)]
    pub accept: bool,
    /// Why they are accepted
    #[arg(long, requires = "accept", default_value = "", value_name = "TEXT")]
    pub reason: String,
    /// The last day on which they are: 2026-12-31
    #[arg(long, requires = "accept", value_name = "DAY", value_parser = day)]
    pub until: Option<toml::value::Datetime>,
    /// Run only part I of N, and tell nothing; see --tell
    #[arg(long, value_name = "I/N", conflicts_with = "accept")]
    pub shard: Option<Shard>,
    /// Fuzz nothing, but tell what is in the store: after the parts were merged into it
    #[arg(long, conflicts_with_all = ["accept", "shard"])]
    pub tell: bool,
    /// Where nights are kept, in place of what the configuration says
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Begin anew even if tonight's run was interrupted
    #[arg(long)]
    pub fresh: bool,
}

fn day(text: &str) -> Result<toml::value::Datetime, String> {
    match text.parse::<toml::value::Datetime>() {
        Ok(day) if day.date.is_some() && day.time.is_none() => Ok(day),
        _ => Err("it must be a day: 2026-12-31".to_owned()),
    }
}

/// Why a night could not be done.
#[derive(Debug, thiserror::Error)]
pub(super) enum NightError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Seed(#[from] SeedError),
    #[error("{0}")]
    Other(String),
}

impl From<StoreError> for NightError {
    fn from(error: StoreError) -> Self {
        SeedError::from(error).into()
    }
}

/// Runs the command; gives the exit code: 1 if there is something new.
pub fn run(args: &NightlyArgs) -> u8 {
    let done = Config::read(&args.config).map_err(NightError::from).and_then(|mut config| {
        config.store = args.store.clone().unwrap_or(config.store);
        match args.accept {
            true => accept(args, &config).map(|()| FINE),
            false => Nightly::begin(args, config)?.run(args.tell),
        }
    });
    done.unwrap_or_else(trouble)
}

/// The day, by the clock of Greenwich.
pub(super) fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.chars().take(10).collect()
}

fn accept(args: &NightlyArgs, config: &Config) -> Result<(), NightError> {
    let mut accepted = Accepted::read(&config.accepted)?;
    let before = accepted.iter().count();
    let store = Store::existing(&config.store)?;
    let fixed = store.fixed()?;
    fixed.iter().for_each(|key| accepted.forget(key));
    let taken_out = before - accepted.iter().count();
    for bucket in store.buckets(Scope::All)?.iter().filter(|b| !fixed.contains(&b.key)) {
        accepted.accept(bucket, &args.reason, args.until, &today());
    }
    accepted.write(&config.accepted)?;
    let findings = report::plural(accepted.iter().count(), "finding", "findings");
    say(format!(
        "{}: {findings} accepted, {taken_out} taken out that are fixed",
        config.accepted.display()
    ));
    Ok(())
}
