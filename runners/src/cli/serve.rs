//! `repfuzz serve`: a night whose clients run on workers.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{FAILURE, fail, nightly};
use fleet::link::NatsArgs;
use fleet::serve::{Fleet, ServeOptions, names};
use reports::nightly::{Config, Gate};
use reports::store::{Start, Store};

/// Plan and judge a night, whose clients run on the workers of a fleet
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// Configuration file (see docs/nightly.md)
    #[arg(default_value = "nightly.toml", value_name = "CONFIG")]
    pub config: PathBuf,
    /// The way to NATS.
    #[command(flatten)]
    pub nats: NatsArgs,
    /// Begin when there are so many workers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub workers: usize,
    /// Longest time to wait for them
    #[arg(long, value_name = "TIME", default_value = "5min", value_parser = humantime::parse_duration)]
    pub wait: Duration,
    /// Time after which the job of a worker that is silent is given to another one
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = lease)]
    pub lease: Duration,
    /// Number of workers that a job is given to, one after the other, before it is given up
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub deliveries: u16,
    /// Results for which the night fails [default: new,worse,coverage]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    pub fail_on: Option<Vec<Gate>>,
    /// Start over even if tonight's run was interrupted
    #[arg(long)]
    pub fresh: bool,
    /// Serve metrics for Prometheus on this address, such as 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,
    /// Log as JSON
    #[arg(long)]
    pub log_json: bool,
}

fn lease(text: &str) -> Result<Duration, String> {
    let lease = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    match lease >= Duration::from_secs(1) {
        true => Ok(lease),
        false => Err("must be a second or more".to_owned()),
    }
}

/// Runs the command; returns the exit code, which is 1 if the night fails.
pub fn run(args: &ServeArgs) -> u8 {
    fleet::log(args.log_json);
    let mut config = match Config::read(&args.config) {
        Ok(config) => config,
        Err(error) => return fail(error),
    };
    config.fail_on = args.fail_on.clone().unwrap_or(config.fail_on);
    let options = ServeOptions {
        nats: args.nats.clone(),
        workers: args.workers,
        wait: args.wait,
        lease: args.lease,
        deliveries: args.deliveries.into(),
    };
    let (report, store) = (config.report.clone(), config.store.clone());
    let begun = Fleet::start(options).and_then(|fleet| {
        args.metrics.iter().try_for_each(|address| fleet.serve_metrics(address))?;
        fleet.wait_for_workers(&names(&config))?;
        Ok(fleet)
    });
    let fleet = match begun {
        Ok(fleet) => fleet,
        Err(error) => return fail(error),
    };
    let code = nightly::run_remote(&args.config, config, Start::new(args.fresh), &fleet);
    let closed = fleet.night().map(str::to_owned).is_some_and(|night| {
        Store::reading(&store).and_then(|store| store.is_closed(&night)).unwrap_or(false)
    });
    fleet.finish(closed, &report);
    if closed { code } else { code.max(FAILURE) }
}
