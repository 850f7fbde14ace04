//! One seed of a batch: run, or gone on with, and its report.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{ProfileName, note};
use crate::campaign::{About, Campaign, CampaignError, Log, Record, Run, Settings, Shard, Stop};
use crate::client::Client;
use crate::digest;
use crate::files::{about, make};
use crate::report;
use crate::store::{Batch, Begin, Begun, ClientId, StoreError};
use crate::subject::Subject;

/// How to run the seeds of a batch.
pub struct SeedRuns<'a> {
    /// The clients, those of all shards.
    pub clients: &'a [Box<dyn Client>],
    /// The same, as the store knows them.
    pub ids: Vec<ClientId>,
    /// How much, and how.
    pub settings: Settings,
    /// Which values are drawn.
    pub profile: ProfileName,
    /// Which part is run here.
    pub shard: Shard,
    /// When to end early.
    pub stop: &'a Stop,
}

/// One seed to run.
pub struct Job<'a> {
    /// Its place in the batch.
    pub place: usize,
    /// Its file.
    pub seed: &'a Path,
    /// Where its report goes.
    pub dir: &'a Path,
    /// The command line that does it again.
    pub command: String,
}

/// What came of one seed.
pub struct Done {
    /// The run.
    pub run: Run,
    /// Its causes and its end, as lines of the results.
    pub records: Vec<Record>,
    /// The page of its report.
    pub index: PathBuf,
}

/// Why a seed could not be run.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// In one line that starts with the file.
    #[error("{0}")]
    Seed(String),
    /// The campaign came to nothing.
    #[error("{0}: {1}")]
    Campaign(String, CampaignError),
    /// There is no report.
    #[error("cannot write the report: {0}")]
    Report(io::Error),
    /// The store cannot be used.
    #[error("cannot use the store: {0}")]
    Store(#[from] StoreError),
}

impl SeedError {
    /// Whether it is the same with every other seed: a disk that is full, a store in use.
    pub fn ends_all(&self) -> bool {
        match self {
            SeedError::Seed(_) | SeedError::Campaign(_, CampaignError::Defect { .. }) => false,
            SeedError::Campaign(_, CampaignError::Log(_)) => true,
            SeedError::Report(_) | SeedError::Store(_) => true,
        }
    }
}

impl SeedRuns<'_> {
    /// Whether this shard has any client that reads the variants of the seed at `place`.
    pub fn take_part(&self, place: usize) -> bool {
        !self.here(place).is_empty()
    }

    /// The clients of this shard that do.
    fn here(&self, place: usize) -> Vec<Box<dyn Client + '_>> {
        let count = self.clients.len();
        let here = (0..count).filter(|client| self.shard.takes(place, *client, count));
        here.map(|client| Box::new(&*self.clients[client]) as _).collect()
    }

    /// Runs `subject` as `job` says; `batch` is where it is kept.
    ///
    /// # Errors
    ///
    /// [`SeedError`].
    pub fn run(
        &self,
        batch: &Batch,
        subject: &dyn Subject,
        job: Job<'_>,
    ) -> Result<Done, SeedError> {
        let Job { place, seed, dir, command } = job;
        let clients = self.here(place);
        let name = seed.display().to_string();
        make(dir).map_err(SeedError::Report)?;
        let begin = Begin {
            place,
            seed_file: name.clone(),
            seed_sha256: digest::hex(subject.seed_bytes()),
            whole: self.whole(subject.seed_bytes()),
            shard: self.shard,
            command: command.clone(),
            clients: self.ids.clone(),
        };
        let stored = match batch.run(&begin)? {
            Begun::Finished(run) => {
                note(format!("{name}: finished before; its results are in the store"));
                let records = records(&run);
                let index = report::write(dir, &run).map_err(SeedError::Report)?;
                return Ok(Done { run: *run, records, index });
            }
            Begun::Open(stored) => stored,
        };
        stored.notes().iter().for_each(note);
        let lines = dir.join("results.jsonl");
        let lines = fs::File::create(lines).map_err(|e| unwritten(dir, &e))?;
        let log = Log::to(lines).with_journal(stored.recorder());
        let campaign = Campaign {
            subject,
            clients: &clients,
            settings: self.settings.clone(),
            about: About { command, seed_file: name.clone() },
            log: &log,
            stop: self.stop,
            progress: progress(&name),
        };
        let run = campaign.run().map_err(|error| SeedError::Campaign(name, error))?;
        let records = records(&run);
        records.iter().for_each(|record| log.write(record));
        if let Some(error) = log.error() {
            return Err(unwritten(dir, &error));
        }
        // The store comes last: until then the run is taken up again.
        let index = report::write(dir, &run).map_err(SeedError::Report)?;
        stored.finish(&run)?;
        Ok(Done { run, records, index })
    }

    /// All that tells a run from others, but the clients and the shard.
    fn whole(&self, seed: &[u8]) -> serde_json::Value {
        json!({ "seed": digest::hex(seed), "how": self.how() })
    }

    /// What is the same for all seeds.
    fn how(&self) -> serde_json::Value {
        how(&self.settings, self.profile)
    }
}

/// All that tells a run of any seed from others, but the clients and the shard. How many
/// threads there are makes no difference.
pub fn how(settings: &Settings, profile: ProfileName) -> serde_json::Value {
    json!({
        "repfuzz": env!("CARGO_PKG_VERSION"),
        "settings": Settings { jobs: 1, ..settings.clone() },
        "profile": profile == ProfileName::Wide,
    })
}

/// The digest of a file, or the name of one that cannot be read.
pub fn file_key(path: &Path) -> String {
    match fs::read(path) {
        Ok(bytes) => digest::hex(bytes),
        Err(_) => path.display().to_string(),
    }
}

/// Its causes and its end, as lines of the results.
pub fn records(run: &Run) -> Vec<Record> {
    let mut records = report::cause_records(run);
    records.push(Record::End {
        variants: run.variants,
        findings: run.findings(),
        causes: run.causes.len(),
        stopped: run.stopped,
        time_up: run.time_up,
        ms: run.took.as_millis() as u64,
    });
    records
}

/// The digests of client descriptions: files, or folders of them.
pub fn descriptions_key(paths: &[PathBuf]) -> Vec<String> {
    let mut files = Vec::new();
    for path in paths {
        match fs::read_dir(path) {
            Ok(entries) => {
                let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
                found.retain(|file| file.extension().is_some_and(|e| e == "toml"));
                found.sort();
                files.extend(found);
            }
            Err(_) => files.push(path.clone()),
        }
    }
    files.iter().map(|file| file_key(file)).collect()
}

fn unwritten(dir: &Path, error: &io::Error) -> SeedError {
    SeedError::Report(about(dir, error))
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
