//! `repfuzz fuzz`: runs a campaign on each seed.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

mod args;

pub use args::{FuzzArgs, OrderName, StoreArgs};

use super::acceptances::Acceptances;
use super::restriction_args::options;
use super::seed_run::{
    SeedError, SeedJob, SeedResult, SeedRuns, descriptions_key, file_key, settings_key, spec_key,
};
use super::shown::Shown;
use super::{FAILURE, FOUND, INCOMPLETE, ProfileName, SUCCESS, displays, fail, note, processors};
use campaign::{HANG_LIMIT, Run, Settings, Shard, Slice, Stop};
use clients::Client;
use equivalents::max_size::MaxSize;
use equivalents::subject::Subject;
use reports::files::make;
use reports::nightly::FileError;
use reports::report::{self, Entry, Rows};
use reports::store::{Batch, BatchKind, ClientRecord, Start, Store, StoreError};

/// The store's file name in the report's folder.
const STORE: &str = "repfuzz.sqlite";

/// An error that prevents a run.
#[derive(Debug, thiserror::Error)]
enum FuzzError {
    #[error(transparent)]
    Seed(#[from] SeedError),
    #[error("{0}")]
    Accepted(FileError),
    #[error("{0}: no client could be tested")]
    NoClient(String),
    #[error("no client to test")]
    NoClients,
    #[error("-n 0: no variant would be tried; give their number, such as -n 200")]
    NoVariants,
    #[error("--time 0: no variant would be tried; give the seconds, or leave it out")]
    NoTime,
    #[error("--order edges: no client publishes its edges; describe a worker with `edges = true`")]
    NoEdges,
    #[error("--order edges: variants depend on what all clients reach, so leave out --shard")]
    EdgesOfShard,
}

impl From<StoreError> for FuzzError {
    fn from(error: StoreError) -> Self {
        SeedError::from(error).into()
    }
}

/// Fuzzes every seed with `clients`. `open` reads a seed file, or returns a one-line error that
/// names it; `format` is the [name](super::Format::name) of the format. Prints to standard output, notes to standard error; returns the exit code.
pub fn run(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    format: &str,
    open: impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
) -> u8 {
    args.seeds.iter().for_each(|seed| note_size(seed));
    let stop = Stop::on_ctrl_c();
    run_until(args, clients, (format, open), &stop, &mut io::stdout().lock())
}

/// Notes that a seed is large, because a smaller one shows the same faults sooner.
fn note_size(seed: &Path) {
    const LARGE: u64 = 1_000_000;
    if let Ok(size) = std::fs::metadata(seed).map(|data| data.len())
        && size > LARGE
    {
        note(format_args!(
            "{} has {:.1} MB, and each variant is about as large; a crop of some 64 x 48 pixels shows most \
             causes sooner",
            seed.display(),
            size as f64 / 1e6
        ));
    }
}

/// Like [`run`], but stops on request of `stop` and prints to `out`. `seeds` are the name of the format, and `open`.
pub fn run_until(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    seeds: (&str, impl Fn(&Path) -> Result<Box<dyn Subject>, String>),
    stop: &Stop,
    out: &mut dyn Write,
) -> u8 {
    run_shown(args, clients, seeds, stop, &mut |shown| {
        let text = shown.text(args.json, Rows::of(args.all));
        // The reader may have closed the pipe.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    })
}

/// Like [`run_until`], but passes results to `show`.
pub(super) fn run_shown(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    seeds: (&str, impl Fn(&Path) -> Result<Box<dyn Subject>, String>),
    stop: &Stop,
    show: &mut dyn FnMut(Shown<'_>),
) -> u8 {
    if let Err(error) = check_amount(args) {
        return fail(error);
    }
    if clients.is_empty() {
        return fail(FuzzError::NoClients);
    }
    if args.order == OrderName::Edges {
        if !clients.iter().any(|client| client.publishes_edges()) {
            return fail(FuzzError::NoEdges);
        }
        if args.keep.shard.is_some() {
            return fail(FuzzError::EdgesOfShard);
        }
    }
    match fuzz(args, clients, seeds, stop, show) {
        Err(error) => fail(error),
        Ok(Fuzzed { status, batch: Some(batch), whole: true }) => match batch.close() {
            Err(error) => fail(FuzzError::from(error)),
            Ok(()) => status.code(),
        },
        Ok(fuzzed) => fuzzed.status.code(),
    }
}

/// Refuses a run that would not try anything.
///
/// # Errors
///
/// Returns one line that names the option.
fn check_amount(args: &FuzzArgs) -> Result<(), FuzzError> {
    match (args.variants, args.time) {
        (0, _) => Err(FuzzError::NoVariants),
        (_, Some(0)) => Err(FuzzError::NoTime),
        _ => Ok(()),
    }
}

/// Begins the batch for `args`, in their store. All seeds are of the format of `subject`.
fn begin(args: &FuzzArgs, subject: &dyn Subject) -> Result<Batch, FuzzError> {
    let path = args.keep.store.clone().unwrap_or_else(|| args.report.join(STORE));
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        make(folder).map_err(SeedError::Report)?;
    }
    let mut key = json!({
        "how": settings_key(&settings(args), args.profile),
        "seeds": args.seeds.iter().map(|seed| file_key(seed)).collect::<Vec<_>>(),
        "spec": spec_key(subject),
        "clients": args.clients,
        "extra": args.extra,
        "describe": descriptions_key(&args.describe),
        "shard": args.keep.shard.unwrap_or(Shard::WHOLE).to_string(),
    });
    if let Some(python) = &args.python {
        key["python"] = json!(python);
    }
    Ok(Store::open(&path)?.begin(BatchKind::Fuzz, &key, Start::new(args.keep.fresh))?)
}

/// The result of one seed or of several. For several seeds, the last of these variants counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// No fault was found.
    Same,
    /// No fault was found, and not every client could be tested.
    Untested,
    /// A seed could not be used, or no client could be tested on it.
    Failed,
    /// A fault was found, even if something else failed.
    Found,
    /// Variants were left out because of an internal error.
    Internal,
}

impl Status {
    /// Returns the status of a run. Prints an error if no client could be tested.
    fn of(run: &Run) -> Self {
        match (run.judged(), run.faults()) {
            (0, _) => Self::failed(FuzzError::NoClient(run.about.seed_file.clone())),
            _ if !run.refused.is_empty() => Self::Internal,
            (_, 0) if run.untested() > 0 => Self::Untested,
            (_, 0) => Self::Same,
            _ => Self::Found,
        }
    }

    /// Prints an error, and returns the status for it.
    fn failed(error: impl Display) -> Self {
        fail(error);
        Self::Failed
    }

    /// Returns the exit code.
    fn code(self) -> u8 {
        match self {
            Self::Same => SUCCESS,
            Self::Found => FOUND,
            Self::Failed => FAILURE,
            Self::Untested | Self::Internal => INCOMPLETE,
        }
    }
}

/// The result of all seeds.
struct Fuzzed {
    status: Status,
    /// True if everything is done.
    whole: bool,
    /// The batch; `None` if no seed could be read.
    batch: Option<Batch>,
}

fn fuzz(
    args: &FuzzArgs,
    clients: &[Box<dyn Client>],
    (format, open): (&str, impl Fn(&Path) -> Result<Box<dyn Subject>, String>),
    stop: &Stop,
    show: &mut dyn FnMut(Shown<'_>),
) -> Result<Fuzzed, FuzzError> {
    let (mut status, mut whole, mut batch) = (Status::Same, true, None);
    let mut entries: Vec<Entry> = Vec::new();
    check_seeds(args, &open)?;
    let accepted = Acceptances::read(&args.accepted).map_err(FuzzError::Accepted)?;
    let runs = seed_runs(args, clients, stop, &accepted);
    for (place, seed) in args.seeds.iter().enumerate() {
        if place > 0 && stop.ends_variants() {
            whole = false;
            break;
        }
        let several = args.seeds.len() > 1;
        let folder = if several { folder(place, seed) } else { String::new() };
        let clients = runs.clients_in_turn(place);
        if clients.is_empty() {
            note(format!("{}: shard {} has nothing to do for it", shown(seed), runs.shard));
            continue;
        }
        let subject = match open(seed) {
            Ok(subject) => subject,
            Err(why) => {
                status = status.max(Status::failed(SeedError::Seed(why)));
                continue;
            }
        };
        let batch = match &batch {
            Some(batch) => batch,
            None => &*batch.insert(begin(args, &*subject)?),
        };
        let job = SeedJob {
            place,
            seed,
            format,
            dir: &args.report.join(&folder),
            command: command(args, seed),
            time: None,
            clients,
            slice: Slice::WHOLE,
        };
        match runs.run(batch, &*subject, job) {
            Err(error) => {
                whole = false;
                let over = error.ends_all();
                status = status.max(Status::failed(error));
                if over {
                    break;
                }
            }
            Ok(SeedResult { run, records, index }) => {
                show(Shown::Seed { run: &run, records: &records, index: &index });
                whole &= !run.stopped;
                status = status.max(Status::of(&run));
                entries.push(Entry::of(&folder, &run));
            }
        }
    }
    if batch.is_none() && status == Status::Same {
        batch = empty_part(args, &open)?;
    }
    if whole {
        accepted.name_unused();
    }
    if args.seeds.len() > 1 {
        let index = report::write_index(&args.report, &entries).map_err(SeedError::Report)?;
        show(Shown::All(&index));
    }
    if stop.ends_variants() && !whole {
        note("stopped; run the same command again to resume, or with --fresh to start over");
    }
    Ok(Fuzzed { status, whole, batch })
}

/// The common parameters of all seeds.
fn seed_runs<'a>(
    args: &FuzzArgs,
    clients: &'a [Box<dyn Client>],
    stop: &'a Stop,
    accepted: &'a Acceptances,
) -> SeedRuns<'a> {
    SeedRuns {
        clients,
        records: ClientRecord::of_all(clients),
        settings: settings(args),
        profile: args.profile,
        shard: args.keep.shard.unwrap_or(Shard::WHOLE),
        stop,
        accepted,
        quiet: false,
    }
}

/// Begins the batch of a part that has no work but is a part nevertheless. `None` if this is the whole run.
fn empty_part(
    args: &FuzzArgs,
    open: &impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
) -> Result<Option<Batch>, FuzzError> {
    let (Some(_), Some(seed)) = (args.keep.shard, args.seeds.first()) else { return Ok(None) };
    let subject = open(seed).map_err(SeedError::Seed)?;
    begin(args, &*subject).map(Some)
}

/// If there are several seeds and a restriction, opens all of them, so that a restriction that does not fit a seed is
/// reported before the first run.
fn check_seeds(
    args: &FuzzArgs,
    open: &impl Fn(&Path) -> Result<Box<dyn Subject>, String>,
) -> Result<(), FuzzError> {
    if args.seeds.len() > 1 && !settings(args).restriction.is_empty() {
        args.seeds.iter().try_for_each(|seed| open(seed).map(drop)).map_err(SeedError::Seed)?;
    }
    Ok(())
}

fn settings(args: &FuzzArgs) -> Settings {
    Settings {
        variants: args.variants,
        seed: args.seed,
        jobs: jobs(args),
        waiting: args.jobs.unwrap_or_else(displays),
        hang_limit: args.hang_limit,
        guidance: args.order.into(),
        time: args.time.map(Duration::from_secs),
        reduce_time: args.reduce_time.map(Duration::from_secs),
        restriction: args.restriction.restriction(),
        strict: args.strict,
        max_size: args.format.size.max_size,
        ..Settings::default()
    }
}

fn jobs(args: &FuzzArgs) -> usize {
    args.jobs.unwrap_or_else(processors).max(1)
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The name of the report folder for one of several seeds.
pub(super) fn folder(place: usize, seed: &Path) -> String {
    let stem = seed.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '-' };
    let stem: String = stem.chars().map(plain).take(60).collect();
    format!("{:02}-{stem}", place + 1)
}

/// The command line that repeats one seed's run.
fn command(args: &FuzzArgs, seed: &Path) -> String {
    let mut words = vec!["repfuzz".to_owned(), "fuzz".to_owned(), report::quote(&shown(seed))];
    if let Some(spec) = &args.format.spec {
        words.push(format!("--spec {}", report::quote(&shown(spec))));
    }
    if !args.clients.is_empty() {
        words.push(format!("--clients {}", report::quote(&args.clients.join(","))));
    }
    words.extend(args.extra.iter().map(|client| format!("--client {}", report::quote(client))));
    let describe = |path: &PathBuf| format!("--describe {}", report::quote(&shown(path)));
    words.extend(args.describe.iter().map(describe));
    let python = |path: &PathBuf| format!("--python {}", report::quote(&shown(path)));
    words.extend(args.python.as_ref().map(python));
    words.push(format!("-n {} --seed {}", args.variants, args.seed));
    if args.profile == ProfileName::Wide {
        words.push("--profile wide".to_owned());
    }
    match args.order {
        OrderName::Guided => {}
        OrderName::Edges => words.push("--order edges".to_owned()),
        OrderName::Random => words.push("--order random".to_owned()),
    }
    words.extend(options(&args.restriction.restriction()));
    if args.format.size.max_size != MaxSize::default() {
        words.push(format!("--max-size {}", args.format.size.max_size));
    }
    if args.hang_limit != HANG_LIMIT {
        words.push(format!("--hang-limit {}", args.hang_limit));
    }
    words.extend(args.time.map(|seconds| format!("--time {seconds}")));
    words.extend(args.reduce_time.map(|seconds| format!("--reduce-time {seconds}")));
    words.extend(args.strict.then(|| "--strict".to_owned()));
    words.extend(args.no_sandbox.then(|| "--no-sandbox".to_owned()));
    words.extend(args.keep.shard.map(|shard| format!("--shard {shard}")));
    words.join(" ")
}
