//! `repfuzz reduce`: one set of choices, to what it takes for a client to differ.

use std::io;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::pick::pick;
use super::replay::replayed;
use super::{FINE, FOUND, Format, FormatArgs, ProfileName, note, processors, say, trouble};
use crate::campaign::{About, Campaign, Log, Run, Settings, Stop};
use crate::client::Client;
use crate::report;

/// Reduce the choices of a file that a client shows differently to those that it takes, on
/// as small a picture as shows it: exit 0 no difference, 1 reduced, 2 could not be done.
#[derive(Debug, Clone, Args)]
pub struct ReduceArgs {
    /// The seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Choices as JSON: an object, dimension to value, or a line of variants.jsonl. What is
    /// left out is as in the seed
    #[arg(long, value_name = "FILE")]
    pub choices: PathBuf,
    /// The client: its name (see `repfuzz clients`), or its name and command line, with {in}
    /// and {out} for the files
    #[arg(long, value_name = "NAME[=COMMAND]")]
    pub client: String,
    /// More client descriptions: files or folders
    #[arg(long, value_name = "PATH")]
    pub describe: Vec<PathBuf>,
    /// Where the small files and their choices go
    #[arg(short, long, default_value = "repfuzz-reduced", value_name = "DIR")]
    pub output: PathBuf,
    /// How many threads to use [default: one a processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Run the client without a sandbox: it can write files and use the network
    #[arg(long)]
    pub no_sandbox: bool,
    /// Which format the seed is of
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; gives the exit code.
pub fn run(args: &ReduceArgs) -> u8 {
    let format = match args.format.format() {
        Ok(format) => format,
        Err(code) => return code,
    };
    match reduce(args, &format) {
        Ok(run) => told(args, &run).unwrap_or_else(trouble),
        Err(why) => trouble(why),
    }
}

fn reduce(args: &ReduceArgs, format: &Format) -> Result<Run, String> {
    let seed = format.open(&args.seed, ProfileName::default())?;
    let (choices, _) = replayed(&*seed, &args.choices)?;
    let (names, extra) = match args.client.contains('=') {
        true => (Vec::new(), vec![args.client.clone()]),
        false => (vec![args.client.clone()], Vec::new()),
    };
    let extension = args.format.extension(&args.seed);
    let clients: Vec<Box<dyn Client>> =
        pick(&names, &extra, &args.describe, !args.no_sandbox, &extension)?;
    let (log, stop) = (Log::to(io::sink()), Stop::on_ctrl_c());
    let seed_file = args.seed.display().to_string();
    let campaign = Campaign {
        subject: &*seed,
        clients: &clients,
        settings: Settings {
            variants: 1,
            jobs: args.jobs.unwrap_or_else(processors),
            ..Settings::default()
        },
        about: About { seed_file: seed_file.clone(), ..About::default() },
        log: &log,
        stop: &stop,
        progress: ProgressBar::hidden(),
    };
    campaign.reduce(&choices).map_err(|error| format!("{seed_file}: {error}"))
}

/// Tells what came of it; gives the exit code.
fn told(args: &ReduceArgs, run: &Run) -> Result<u8, String> {
    let limits = run.clients.iter().flat_map(|client| {
        report::limits(client).into_iter().map(|why| format!("{}: {why}", client.name))
    });
    match run.judged() {
        0 => return Err(limits.collect::<Vec<_>>().join("; ")),
        _ => limits.for_each(note),
    }
    if run.variants == 0 {
        return Err("the client was not given the file".to_owned());
    }
    if run.causes.is_empty() {
        say(report::summary(run));
        return Ok(FINE);
    }
    let causes = report::write_files(&args.output, run).map_err(|error| error.to_string())?;
    for text in causes.iter().flatten() {
        say(text);
    }
    Ok(FOUND)
}
