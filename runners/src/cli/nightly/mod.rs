//! `repfuzz nightly`: a scheduled run that reports what is new or worse.

mod again;
mod error;
mod evidence;
mod inputs;
mod jobs;
mod kinds;
mod night;

use std::path::PathBuf;

use clap::Args;

use super::days::{day, today};
use super::{SUCCESS, fail, note, say};
use campaign::Shard;
use error::NightError;
use inputs::{Mode, NightOptions};
use reports::nightly::{Accepted, Config, Coverage, Effect, Gate, Terms, check_gates};
use reports::report::{one_line, plural};
use reports::store::{Scope, Start, Store};

/// Fuzz by a configuration file, and report new, worse, fixed and known findings
#[derive(Debug, Clone, Args)]
pub struct NightlyArgs {
    /// Configuration file (see docs/nightly.md)
    #[arg(default_value = "nightly.toml", value_name = "CONFIG")]
    pub config: PathBuf,
    /// Results for which the night fails [default: new,worse,coverage]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub fail_on: Option<Vec<Gate>>,
    /// Run nothing; accept all findings that are known and not fixed, and the losses of coverage
    #[arg(long)]
    pub accept: bool,
    /// Reason for accepting them
    #[arg(long, requires = "accept", value_name = "TEXT")]
    pub reason: Option<String>,
    /// Last day on which they are accepted, such as 2026-12-31
    #[arg(long, requires = "accept", value_name = "DAY", value_parser = day)]
    pub until: Option<toml::value::Datetime>,
    /// Accept findings only for the version of the client in which they were last seen
    #[arg(long, requires = "accept")]
    pub this_version: bool,
    /// Also replace the reasons, days and versions of what is accepted already
    #[arg(long, requires = "accept")]
    pub renew: bool,
    /// Run only part I of N, without reports; see --report-only
    #[arg(long, value_name = "I/N", conflicts_with = "accept")]
    pub shard: Option<Shard>,
    /// Only write the reports of the store, after the parts were merged into it
    #[arg(long, alias = "tell", conflicts_with_all = ["accept", "shard"])]
    pub report_only: bool,
    /// Store for nights, instead of the one in the configuration
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// Start over even if tonight's run was interrupted
    #[arg(long)]
    pub fresh: bool,
}

/// Runs the command; returns the exit code, which is 1 if the night fails.
pub fn run(args: &NightlyArgs) -> u8 {
    let done = Config::read(&args.config).map_err(NightError::from).and_then(|mut config| {
        let nights = config.store.clone();
        config.store = args.store.clone().unwrap_or(config.store);
        config.fail_on = args.fail_on.clone().unwrap_or(config.fail_on);
        check_gates(&config.fail_on)
            .map_err(|why| NightError::Other(format!("--fail-on: {why}")))?;
        match args.accept {
            true => accept(args, &config).map(|()| SUCCESS),
            false => {
                let options = NightOptions {
                    config_file: &args.config,
                    shard: args.shard,
                    mode: if args.report_only { Mode::Report } else { Mode::Fuzz },
                    start: Start::new(args.fresh),
                    nights,
                    remote: None,
                };
                night::run(&options, config)
            }
        }
    });
    done.unwrap_or_else(fail)
}

/// Runs the night of the configuration `file` with clients on other machines, according to `start`; returns
/// the exit code.
#[cfg(feature = "fleet")]
pub(crate) fn run_remote(
    file: &std::path::Path,
    config: Config,
    start: Start,
    remote: &dyn reports::nightly::Remote,
) -> u8 {
    let nights = config.store.clone();
    let (shard, remote) = (None, Some(remote));
    let options =
        NightOptions { config_file: file, shard, mode: Mode::Fuzz, start, nights, remote };
    night::run(&options, config).unwrap_or_else(fail)
}

fn accept(args: &NightlyArgs, config: &Config) -> Result<(), NightError> {
    let mut accepted = Accepted::read(&config.accepted)?;
    let before = accepted.iter().count();
    let store = Store::reading(&config.store)?;
    store.verify()?;
    let mut fixed = store.fixed()?;
    // A crash that has become a refusal is not fixed either; the refusal is a separate finding.
    fixed.extend(store.gone()?);
    fixed.iter().for_each(|key| accepted.forget(key));
    let taken_out = before - accepted.iter().count();
    let terms = Terms {
        reason: one_line(args.reason.as_deref().unwrap_or_default()),
        until: args.until,
        this_version: args.this_version,
        renew: args.renew,
    };
    let last: Coverage = store.last_coverage()?.map(inputs::coverage).unwrap_or_default();
    let mut kept = 0;
    for bucket in store.buckets(Scope::All)?.iter().filter(|b| !fixed.contains(&b.key)) {
        let version = last.known_version(&bucket.key.client, &bucket.last.version);
        if terms.this_version && version.is_none() {
            let client = &bucket.key.client;
            note(format!(
                "the version of {client} is unknown, so its findings are accepted for any"
            ));
        }
        let effect = accepted.accept(&bucket.key, &bucket.example.title, version, &terms, &today());
        kept += usize::from(effect == Effect::Kept);
    }
    let losses = last.losses.into_iter().map(|loss| (loss.client, loss.seed));
    kept += accepted.accept_losses(losses, &terms, &today());
    accepted.write(&config.accepted)?;
    if kept > 0 && (args.reason.is_some() || args.until.is_some() || args.this_version) {
        let kept = plural(kept, "acceptance keeps its", "acceptances keep their");
        note(format!("{kept} earlier reason, day and version; --renew replaces them"));
    }
    let findings = plural(accepted.iter().count(), "finding", "findings");
    let losses = match accepted.loss_count() {
        0 => String::new(),
        count => format!(" and {}", plural(count, "loss of coverage", "losses of coverage")),
    };
    say(format!(
        "{}: {findings}{losses} accepted, {taken_out} removed because they are fixed",
        config.accepted.display()
    ));
    Ok(())
}
