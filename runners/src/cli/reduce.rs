//! `repfuzz reduce`: reduces one set of choices to the cause of a client's failure.

use std::io;
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;

use super::client_selection::{Sandboxing, select_client};
use super::replay::replayed;
use super::{
    FOUND, Format, FormatArgs, ProfileName, SUCCESS, displays, fail, note, processors, say,
};
use campaign::{About, Campaign, Log, Run, Settings, Stop};
use reports::report;

/// Reduce given choices to the cause of a client's failure
///
/// The result is a minimal set of simple choices on the smallest picture that shows the failure.
/// The exit code is 0 if there is no difference, 1 if it was reduced, and 2 after an error.
#[derive(Debug, Clone, Args)]
pub struct ReduceArgs {
    /// Seed file
    #[arg(value_name = "SEED")]
    pub seed: PathBuf,
    /// Choices as JSON: an object from dimension to value, or a line of variants.jsonl; missing
    /// dimensions are as in the seed
    #[arg(long, value_name = "FILE")]
    pub choices: PathBuf,
    /// Client: its name (see `repfuzz clients`), or a name and command line, with {in} and {out}
    /// for the files
    #[arg(long, value_name = "NAME[=COMMAND]")]
    pub client: String,
    /// Additional client descriptions: files or folders
    #[arg(long, value_name = "PATH")]
    pub describe: Vec<PathBuf>,
    /// Folder for the reduced files and their choices
    #[arg(short, long, default_value = "repfuzz-reduced", value_name = "DIR")]
    pub output: PathBuf,
    /// Number of threads [default: one per processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Run the client without a sandbox: it can write files and use the network
    #[arg(long)]
    pub no_sandbox: bool,
    /// Format of the seed.
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command; returns the exit code.
pub fn run(args: &ReduceArgs) -> u8 {
    let format = match args.format.format(&[&args.seed]) {
        Ok(format) => format,
        Err(code) => return code,
    };
    match reduce(args, &format) {
        Ok(run) => report_result(args, &run).unwrap_or_else(fail),
        Err(why) => fail(why),
    }
}

fn reduce(args: &ReduceArgs, format: &Format) -> Result<Run, String> {
    let seed = format.open(&args.seed, ProfileName::default())?;
    let (choices, _) = replayed(&*seed, &args.choices)?;
    let sandboxing = Sandboxing::new(args.no_sandbox);
    let clients = select_client(&args.client, &args.describe, sandboxing, (&args.seed, format))?;
    let (log, stop) = (Log::to(io::sink()), Stop::on_ctrl_c());
    let seed_file = args.seed.display().to_string();
    let campaign = Campaign {
        subject: &*seed,
        clients: &clients,
        settings: Settings {
            variants: 1,
            jobs: args.jobs.unwrap_or_else(processors),
            waiting: args.jobs.unwrap_or_else(displays),
            ..Settings::default()
        },
        about: About { seed_file: seed_file.clone(), ..About::default() },
        log: &log,
        stop: &stop,
        progress: ProgressBar::hidden(),
    };
    campaign.reduce(&choices).map_err(|error| format!("{seed_file}: {error}"))
}

/// Prints the result; returns the exit code.
fn report_result(args: &ReduceArgs, run: &Run) -> Result<u8, String> {
    let limits = run.clients.iter().flat_map(|client| {
        report::limits(client).into_iter().map(|why| format!("{}: {why}", client.name))
    });
    match run.judged() {
        0 => return Err(limits.collect::<Vec<_>>().join("; ")),
        _ => limits.for_each(note),
    }
    if run.variants == 0 {
        return Err("the file was not run on the client".to_owned());
    }
    if run.causes.is_empty() {
        say(report::summary(run));
        return Ok(SUCCESS);
    }
    let causes = report::write_files(&args.output, run).map_err(|error| error.to_string())?;
    for text in causes.iter().flatten() {
        say(text);
    }
    Ok(FOUND)
}
