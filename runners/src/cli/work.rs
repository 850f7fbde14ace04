//! `repfuzz work`: a worker of a fleet.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::client_selection::{Sandboxing, Wanted, select_for_work};
use super::{SUCCESS, fail, note, processors};
use campaign::Stop;
use fleet::link::NatsArgs;
use fleet::work::{WorkOptions, work};

/// Run clients for the nights of a fleet, until it is stopped
#[derive(Debug, Clone, Args)]
pub struct WorkArgs {
    /// The way to NATS.
    #[command(flatten)]
    pub nats: NatsArgs,
    /// Name of this worker, which no other has [default: the host's name and the process]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Clients, by name [default: all that work here]
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub clients: Vec<String>,
    /// Additional client
    #[arg(long = "client", value_name = "NAME=COMMAND")]
    pub extra: Vec<String>,
    /// Additional client descriptions: a file or a folder
    #[arg(long, value_name = "PATH")]
    pub describe: Vec<PathBuf>,
    /// Run clients without a sandbox
    #[arg(long)]
    pub no_sandbox: bool,
    /// Number of jobs at once [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// End after this time without a job
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub idle_exit: Option<Duration>,
    /// Serve metrics for Prometheus on this address, such as 127.0.0.1:9465
    #[arg(long, value_name = "ADDRESS")]
    pub metrics: Option<String>,
    /// Log as JSON
    #[arg(long)]
    pub log_json: bool,
}

/// Runs the command; returns the exit code.
pub fn run(args: &WorkArgs) -> u8 {
    fleet::log(args.log_json);
    let sandboxing = Sandboxing::new(args.no_sandbox);
    let (names, extra) = (&args.clients, &args.extra);
    let wanted = Wanted { names, extra, describe: &args.describe, python: None };
    let (clients, failures) = select_for_work(wanted, sandboxing);
    failures.iter().for_each(note);
    if clients.is_empty() {
        return fail("no client works here");
    }
    let options = WorkOptions {
        nats: args.nats.clone(),
        name: args.name.clone().unwrap_or_else(name),
        slots: args.jobs.unwrap_or_else(processors),
        idle_exit: args.idle_exit,
        metrics: args.metrics.clone(),
    };
    let stop =
        Stop::on_signals(&["stopping: what runs is finished; press Ctrl-C again to end at once"]);
    match work(options, clients, &stop) {
        Ok(()) => SUCCESS,
        Err(error) => fail(error),
    }
}

/// Returns the host's name and the process number, without characters that subjects cannot contain.
fn name() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let fits = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    let host: String = host.chars().take(40).map(fits).collect();
    format!("{host}-{}", std::process::id())
}
