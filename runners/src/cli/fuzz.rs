//! `repfuzz fuzz`: the main job.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::{FINE, FOUND, ProfileName, trouble};
use crate::campaign::{About, Campaign, CampaignError, Guidance, Log, Record, Run, Settings, Stop};
use crate::client::Client;
use crate::report::{self, Entry};
use crate::subject::Subject;

/// How often a client may hang for one reason, unless it is said.
const HANG_LIMIT: usize = 5;

/// Make equivalent files of a seed, run clients on them, and report what differs.
#[derive(Debug, Clone, Args)]
pub struct FuzzArgs {
    /// Seed files
    #[arg(required = true, value_name = "SEED")]
    pub seeds: Vec<PathBuf>,
    /// Use only these clients (see `repfuzz clients`)
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    pub clients: Vec<String>,
    /// One more client: its name and command line, with {in} and {out} for the files
    #[arg(long = "client", value_name = "NAME=COMMAND")]
    pub extra: Vec<String>,
    /// More client descriptions: files or folders
    #[arg(long, value_name = "PATH")]
    pub describe: Vec<PathBuf>,
    /// How many variants to make of each seed
    #[arg(short = 'n', long = "variants", default_value_t = 200, value_name = "N")]
    pub variants: usize,
    /// The run's number: all randomness comes from it
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub seed: u64,
    /// Which values are drawn
    #[arg(long, value_enum, default_value_t = ProfileName::Strict)]
    pub profile: ProfileName,
    /// In which order they are made
    #[arg(long, value_enum, default_value_t = OrderName::Guided)]
    pub order: OrderName,
    /// How many threads to use [default: one a processor]
    #[arg(short, long, value_name = "J", value_parser = super::jobs)]
    pub jobs: Option<usize>,
    /// Where the report goes
    #[arg(long, default_value = "repfuzz-report", value_name = "DIR")]
    pub report: PathBuf,
    /// How often a client may hang for one reason before the like is left out
    #[arg(long, default_value_t = HANG_LIMIT, value_name = "K")]
    pub hang_limit: usize,
    /// Make no more variants after so many seconds for each seed; what was found is still
    /// reduced, for a quarter of that time or 10 seconds
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<u64>,
    /// Print lines of JSON for machines
    #[arg(long)]
    pub json: bool,
}

/// In which order variants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Towards what was not tried yet, and away from what a client is known to fail on
    Guided,
    /// Each by itself
    Random,
}

impl From<OrderName> for Guidance {
    fn from(name: OrderName) -> Self {
        match name {
            OrderName::Guided => Guidance::Guided,
            OrderName::Random => Guidance::Random,
        }
    }
}

/// Why a run could not be done.
#[derive(Debug, thiserror::Error)]
enum FuzzError {
    /// In one line that starts with the file.
    #[error("{0}")]
    Seed(String),
    #[error("{0}: {1}")]
    Campaign(String, CampaignError),
    #[error("cannot write the report: {0}")]
    Report(io::Error),
    #[error("{0}: no client could be judged")]
    NoClient(String),
    #[error("there is no client to test")]
    NoClients,
}

/// Fuzzes every seed with `clients`; `open` makes a subject of a seed file, or says in one
/// line, which names the file, why it cannot. Prints to standard output, notes to standard error; gives the exit
/// code.
pub fn run(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    open: impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
) -> u8 {
    let stop = Stop::on_ctrl_c();
    run_until(args, clients, open, &stop, &mut io::stdout().lock())
}

/// [`run`], stopped by `stop` and printing to `out`.
pub fn run_until(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    open: impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
    stop: &Stop,
    out: &mut dyn Write,
) -> u8 {
    if clients.is_empty() {
        return trouble(FuzzError::NoClients);
    }
    let mut code = FINE;
    let mut entries: Vec<Entry> = Vec::new();
    for (place, seed) in args.seeds.iter().enumerate() {
        if place > 0 && stop.variants() {
            break;
        }
        let several = args.seeds.len() > 1;
        let folder = if several { folder(place, seed) } else { String::new() };
        match fuzz_one(args, seed, &args.report.join(&folder), clients, &open, stop, out) {
            Err(error) => code = trouble(error),
            Ok(run) => {
                if !run.causes.is_empty() {
                    code = code.max(FOUND);
                }
                if run.judged() == 0 {
                    code = trouble(FuzzError::NoClient(run.about.seed_file.clone()));
                }
                entries.push(Entry::of(&folder, &run));
            }
        }
    }
    if args.seeds.len() > 1 {
        match report::write_index(&args.report, &entries) {
            Err(error) => code = trouble(FuzzError::Report(error)),
            Ok(index) if !args.json => {
                // Nobody may be reading any more.
                let _ = writeln!(out, "\nAll reports: {}", report::clean(&shown(&index)));
            }
            Ok(_) => {}
        }
    }
    code
}

#[allow(clippy::too_many_arguments)]
fn fuzz_one(
    args: &FuzzArgs,
    seed: &Path,
    dir: &Path,
    clients: &[Box<dyn Client>],
    open: &impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
    stop: &Stop,
    out: &mut dyn Write,
) -> Result<Run, FuzzError> {
    let name = shown(seed);
    let subject = open(seed).map_err(FuzzError::Seed)?;
    let about = |error: io::Error| {
        FuzzError::Report(io::Error::new(error.kind(), format!("{}: {error}", dir.display())))
    };
    fs::create_dir_all(dir).map_err(about)?;
    let log = Log::to(fs::File::create(dir.join("results.jsonl")).map_err(about)?);
    let campaign = Campaign {
        subject: &*subject,
        clients,
        settings: Settings {
            variants: args.variants,
            seed: args.seed,
            jobs: jobs(args),
            hang_limit: args.hang_limit,
            guidance: args.order.into(),
            time: args.time.map(Duration::from_secs),
            ..Settings::default()
        },
        about: About { command: command(args, seed), seed_file: name.clone() },
        log: &log,
        stop,
        progress: progress(&name),
    };
    let run = campaign.run().map_err(|error| FuzzError::Campaign(name, error))?;
    let mut records = report::cause_records(&run);
    records.push(Record::End {
        variants: run.variants,
        findings: run.findings(),
        causes: run.causes.len(),
        stopped: run.stopped,
        time_up: run.time_up,
        ms: run.took.as_millis() as u64,
    });
    records.iter().for_each(|record| log.write(record));
    if let Some(error) = log.error() {
        return Err(about(error));
    }
    let index = report::write(dir, &run).map_err(FuzzError::Report)?;
    let text = match args.json {
        true => records.iter().map(|r| format!("{}\n", r.line())).collect(),
        false => printed(&run, &shown(&index)),
    };
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    Ok(run)
}

fn printed(run: &Run, index: &str) -> String {
    let table = report::table(run);
    let gap = if table.is_empty() { "" } else { "\n" };
    format!("{table}{gap}{}\n", report::closing(run, index))
}

fn jobs(args: &FuzzArgs) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    args.jobs.unwrap_or_else(processors).max(1)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The report's folder of one of several seeds.
fn folder(place: usize, seed: &Path) -> String {
    let stem = seed.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(60).collect();
    format!("{:02}-{stem}", place + 1)
}

/// The command line that does one seed's run again.
fn command(args: &FuzzArgs, seed: &Path) -> String {
    let mut words = vec!["repfuzz".to_owned(), "fuzz".to_owned(), report::quote(&shown(seed))];
    if !args.clients.is_empty() {
        words.push(format!("--clients {}", report::quote(&args.clients.join(","))));
    }
    words.extend(args.extra.iter().map(|client| format!("--client {}", report::quote(client))));
    let describe = |path: &PathBuf| format!("--describe {}", report::quote(&shown(path)));
    words.extend(args.describe.iter().map(describe));
    words.push(format!("-n {} --seed {}", args.variants, args.seed));
    if args.profile == ProfileName::Wide {
        words.push("--profile wide".to_owned());
    }
    if args.order == OrderName::Random {
        words.push("--order random".to_owned());
    }
    if args.hang_limit != HANG_LIMIT {
        words.push(format!("--hang-limit {}", args.hang_limit));
    }
    words.extend(args.time.map(|seconds| format!("--time {seconds}")));
    words.join(" ")
}

fn progress(name: &str) -> ProgressBar {
    // Silent when standard error is no terminal.
    let bar = ProgressBar::new(0);
    let style = "{prefix} {wide_bar} {pos}/{len} {msg} {elapsed}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(report::clean(name));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
