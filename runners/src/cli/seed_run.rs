//! One seed of a batch: runs or resumes it, and writes its report.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::acceptances::Acceptances;
use super::{ProfileName, note};
use campaign::{About, Campaign, CampaignError, Log, Record, Run, Settings, Shard, Slice, Stop};
use clients::Client;
use clients::digest;
use equivalents::subject::Subject;
use reports::files::{about, make};
use reports::nightly::SeedTime;
use reports::report;
use reports::store::{Batch, ClientRecord, RunRequest, RunState, StoreError};

/// The common parameters of all seeds of a batch.
pub struct SeedRuns<'a> {
    /// The clients of all shards.
    pub clients: &'a [Box<dyn Client>],
    /// The store's records of these clients.
    pub records: Vec<ClientRecord>,
    /// The settings of each campaign.
    pub settings: Settings,
    /// The range of the values that are drawn.
    pub profile: ProfileName,
    /// The shard that is run here.
    pub shard: Shard,
    /// The signal to end early.
    pub stop: &'a Stop,
    /// The causes that people accepted.
    pub accepted: &'a Acceptances,
    /// True if no progress is shown because several seeds are run at once.
    pub quiet: bool,
}

/// One seed to run.
pub struct SeedJob<'a> {
    /// Its index in the batch, which no other job has.
    pub place: usize,
    /// Its file.
    pub seed: &'a Path,
    /// The name of its format; empty for TIFF.
    pub format: &'a str,
    /// The folder for its report.
    pub dir: &'a Path,
    /// The command line that repeats it.
    pub command: String,
    /// The time for it, which replaces that in the settings. (The time in the settings is a part of the identity of the
    /// run.)
    pub time: Option<SeedTime>,
    /// The positions of its clients among all clients.
    pub clients: Vec<usize>,
    /// The slice of the variants.
    pub slice: Slice,
}

/// The result of one seed.
pub struct SeedResult {
    /// The run.
    pub run: Run,
    /// The records of its causes and of its end.
    pub records: Vec<Record>,
    /// The start page of its report.
    pub index: PathBuf,
}

/// An error that prevents the run of a seed.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// The seed cannot be read: a line that starts with the file.
    #[error("{0}")]
    Seed(String),
    /// The campaign failed.
    #[error("{0}: {1}")]
    Campaign(String, CampaignError),
    /// The report cannot be written.
    #[error("cannot write the report: {0}")]
    Report(io::Error),
    /// The store cannot be used.
    #[error("cannot use the store: {0}")]
    Store(#[from] StoreError),
}

impl SeedError {
    /// Returns true if other seeds would fail in the same way, as with a full disk or a store in use.
    pub fn ends_all(&self) -> bool {
        match self {
            SeedError::Seed(_) => false,
            SeedError::Campaign(_, CampaignError::Log(_))
            | SeedError::Report(_)
            | SeedError::Store(_) => true,
        }
    }
}

impl SeedRuns<'_> {
    /// Returns the indices of this shard's clients for the seed at `place`, if shards take turns.
    pub fn clients_in_turn(&self, place: usize) -> Vec<usize> {
        let count = self.clients.len();
        (0..count).filter(|client| self.shard.takes(place, *client, count)).collect()
    }

    /// Runs `subject` according to `job`, and stores it in `batch`.
    ///
    /// # Errors
    ///
    /// Returns a [`SeedError`].
    pub fn run(
        &self,
        batch: &Batch,
        subject: &dyn Subject,
        job: SeedJob<'_>,
    ) -> Result<SeedResult, SeedError> {
        let SeedJob { place, seed, format, dir, command, time, clients, slice } = job;
        let clients: Vec<Box<dyn Client + '_>> =
            clients.iter().map(|client| Box::new(&*self.clients[*client]) as _).collect();
        let name = seed.display().to_string();
        make(dir).map_err(SeedError::Report)?;
        let request = RunRequest {
            place,
            seed_file: name.clone(),
            seed_sha256: digest::hex(subject.seed_bytes()),
            whole: self.run_key(subject),
            format: format.to_owned(),
            shard: self.shard,
            slice,
            command: command.clone(),
            clients: self.records.clone(),
        };
        let stored = match batch.run(&request)? {
            RunState::Finished(mut run) => {
                self.accepted.apply(&mut run);
                note(format!("{name}: already finished; using the results in the store"));
                let records = records(&run);
                let index = report::write(dir, &run).map_err(SeedError::Report)?;
                return Ok(SeedResult { run: *run, records, index });
            }
            RunState::Open(stored) => stored,
        };
        stored.notes().iter().for_each(note);
        let lines = dir.join("results.jsonl");
        let log = fs::File::create(&lines).map_err(|e| report_error(dir, &e))?;
        clients::hide(&lines);
        let log = Log::to(log).with_journal(stored.recorder());
        let campaign = Campaign {
            subject,
            clients: &clients,
            settings: slice.settings(&self.settings_within(time)),
            about: About { command, seed_file: name.clone(), format: format.to_owned() },
            log: &log,
            stop: self.stop,
            progress: if self.quiet { ProgressBar::hidden() } else { progress(&name) },
        };
        let mut run = campaign.run().map_err(|error| SeedError::Campaign(name, error))?;
        self.accepted.apply(&mut run);
        let records = records(&run);
        records.iter().for_each(|record| log.write(record));
        if let Some(error) = log.error() {
            return Err(report_error(dir, &error));
        }
        // Store the result last, because until then the run would be resumed.
        let index = report::write(dir, &run).map_err(SeedError::Report)?;
        stored.finish(&run)?;
        Ok(SeedResult { run, records, index })
    }

    /// The settings of a run within `time`.
    fn settings_within(&self, time: Option<SeedTime>) -> Settings {
        let mut settings = self.settings.clone();
        if let Some(SeedTime { variants, reductions }) = time {
            settings.time = Some(variants);
            let asked = settings.reduce_time.unwrap_or(reductions);
            settings.reduce_time = Some(asked.min(reductions));
        }
        settings
    }

    /// The key of a run, without the clients and the shard.
    fn run_key(&self, subject: &dyn Subject) -> serde_json::Value {
        let seed = digest::hex(subject.seed_bytes());
        match spec_key(subject) {
            Some(spec) => json!({ "seed": seed, "how": self.settings_key(), "spec": spec }),
            None => json!({ "seed": seed, "how": self.settings_key() }),
        }
    }

    /// The part of the key that is the same for all seeds.
    fn settings_key(&self) -> serde_json::Value {
        settings_key(&self.settings, self.profile)
    }
}

/// Returns the part of a run's key that is the same for all seeds. The number of threads does not matter.
pub fn settings_key(settings: &Settings, profile: ProfileName) -> serde_json::Value {
    json!({
        "repfuzz": env!("CARGO_PKG_VERSION"),
        "settings": Settings { jobs: 1, ..settings.clone() },
        "profile": profile == ProfileName::Wide,
    })
}

/// Returns the digest of the spec with which a seed was read: all its stages and all files that they use.
pub fn spec_key(subject: &dyn Subject) -> Option<String> {
    subject.format_text().map(digest::hex)
}

/// Returns the digest of a file, or the name of a file that cannot be read.
pub fn file_key(path: &Path) -> String {
    match fs::read(path) {
        Ok(bytes) => digest::hex(bytes),
        Err(_) => path.display().to_string(),
    }
}

/// The records of a run's causes and of its end.
pub fn records(run: &Run) -> Vec<Record> {
    let mut records = report::cause_records(run);
    records.extend(run.clients.iter().filter_map(|client| {
        let (client, edges) = (client.name.clone(), client.edges.clone()?);
        Some(Record::Edges { client, edges })
    }));
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

/// Returns the digests of client descriptions, which are files or folders of files.
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

fn report_error(dir: &Path, error: &io::Error) -> SeedError {
    SeedError::Report(about(dir, error))
}

fn progress(name: &str) -> ProgressBar {
    // Silent if standard error is not a terminal.
    let bar = ProgressBar::new(0);
    let style = "{prefix} {wide_bar} {pos}/{len} {msg} {elapsed}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_prefix(report::clean(name));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use equivalents::Restriction;

    use super::*;

    #[test]
    fn runs_with_other_restrictions_are_other_runs() {
        let key = |restriction: Restriction| {
            let settings = Settings { restriction, ..Settings::default() };
            settings_key(&settings, ProfileName::Strict)
        };
        let (none, one) = (key(Restriction::new()), key(Restriction::new().vary(["a"])));
        assert_ne!(none, one);
        assert_ne!(one, key(Restriction::new().vary(["b"])));
        assert_ne!(one, key(Restriction::new().vary(["a"]).fix("b", 1)));
        // Runs without a restriction keep the key from before there were restrictions.
        assert!(none["settings"].get("restriction").is_none(), "{none}");
    }

    #[test]
    fn runs_with_another_limit_on_the_seed_are_other_runs() {
        let key = |size: &str| {
            let settings = Settings { max_size: size.parse().unwrap(), ..Settings::default() };
            settings_key(&settings, ProfileName::Strict)
        };
        assert_ne!(key("256MiB"), key("1GiB"));
        assert_eq!(key("1024MiB"), key("1GiB"));
        // Runs within the default keep the key from before this was a setting.
        assert!(key("256MiB")["settings"].get("max_size").is_none());
    }
}
