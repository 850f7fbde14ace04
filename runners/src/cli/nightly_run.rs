//! The work of `repfuzz nightly`: rechecks and fuzzes each seed, then writes the reports.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::client_selection::{Sandboxing, select_clients};
use super::fuzz::folder;
use super::nightly_error::NightError;
use super::report::{Printing, reports};
use super::restriction_args::options;
use super::seed_run::{SeedError, SeedJob, SeedRuns, descriptions_key, file_key, settings_key};
use super::{
    FAILURE, FOUND, Format, INCOMPLETE, ProfileName, SUCCESS, fail, note, processors, say,
};
use crate::campaign::{Settings, Shard, Stop};
use crate::client::Client;
use crate::client::description::TIFF;
use crate::digest;
use crate::files::{make, put};
use crate::nightly::{
    Accepted, Config, Known, Night, Verdict, judge, junit, page, recheck, sarif, summary,
    write_examples,
};
use crate::report::{self, Entry, NightSummary, plural, write_history};
use crate::store::{Batch, BatchKind, ClientRecord, Scope, Start, Store};
use crate::subject::Subject;

/// The most variants of each seed, with and without a time limit.
const WITH_TIME_LIMIT: usize = 100_000;
const WITHOUT_TIME_LIMIT: usize = 200;

/// The work of a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Fuzz, then write the reports.
    Fuzz,
    /// Only recheck and write the reports of the store.
    Report,
}

/// The options of a night that are not in its configuration.
pub struct NightOptions<'a> {
    /// The configuration file.
    pub config_file: &'a Path,
    /// The part of the work that is done here; all if `None`.
    pub shard: Option<Shard>,
    /// The work.
    pub mode: Mode,
    /// The treatment of an interrupted night.
    pub start: Start,
}

/// A night in progress.
pub struct Nightly {
    config: Config,
    night: Night,
    seeds: Vec<PathBuf>,
    clients: Vec<Box<dyn Client>>,
    settings: Settings,
    profile: ProfileName,
    shard: Option<Shard>,
    mode: Mode,
    batch: Batch,
    stop: Stop,
}

impl Nightly {
    /// Reads the inputs and opens the store.
    pub fn begin(options: &NightOptions<'_>, config: Config) -> Result<Self, NightError> {
        let seeds = config.seed_files(options.config_file)?;
        // It is needed only later, but its errors should be reported before the night's work.
        Accepted::read(&config.accepted)?;
        let clients = select_clients(
            &config.clients,
            &config.client,
            &config.describe,
            Sandboxing::Wanted,
            TIFF,
        );
        let clients = clients.map_err(NightError::Other)?;
        if clients.is_empty() {
            return Err(NightError::Other("no client to test".to_owned()));
        }
        let day = today();
        let number = config.run_number(&day);
        // The other half is for reduction.
        let time = config.time_s.map(|all| (all / 2 / seeds.len() as u64).max(1));
        let settings = Settings {
            variants: config.variants.unwrap_or(if time.is_some() {
                WITH_TIME_LIMIT
            } else {
                WITHOUT_TIME_LIMIT
            }),
            seed: number,
            jobs: config.jobs.unwrap_or_else(processors),
            hang_limit: config.hang_limit,
            time: time.map(Duration::from_secs),
            reduce_time: config.reduce_time_s.map(Duration::from_secs),
            restriction: config.restriction(),
            ..Settings::default()
        };
        let profile = if config.wide { ProfileName::Wide } else { ProfileName::Strict };
        if options.mode == Mode::Fuzz {
            check_restriction(&seeds, profile, &settings)?;
        }
        let key = json!({
            "nightly": settings_key(&settings, profile),
            "seeds": seeds.iter().map(|seed| file_key(seed)).collect::<Vec<_>>(),
            "clients": config.clients,
            "client": config.client,
            "describe": descriptions_key(&config.describe),
            "shard": options.shard.map(|shard| shard.to_string()),
            // The name is that of stores of earlier versions.
            "tell": (options.mode == Mode::Report).then(|| day.clone()),
        });
        let folder = config.store.parent().filter(|f| !f.as_os_str().is_empty());
        make(folder.unwrap_or(Path::new("."))).map_err(report_error)?;
        let batch = Store::open(&config.store)?.begin(BatchKind::Nightly, &key, options.start)?;
        let ids = clients.iter().map(|c| (c.name().to_owned(), c.version().to_owned()));
        let night = Night { day, number, clients: ids.collect() };
        let (shard, mode, stop) = (options.shard, options.mode, Stop::on_ctrl_c());
        Ok(Self { config, night, seeds, clients, settings, profile, shard, mode, batch, stop })
    }

    /// Fuzzes, unless it only writes reports; returns the exit code.
    pub fn run(self) -> Result<u8, NightError> {
        let store = self.batch.store().clone();
        let mut known = Known {
            reported: store.buckets(Scope::Reported(&self.batch))?,
            fixed: store.fixed()?,
            accepted: Accepted::read(&self.config.accepted)?,
            ..Known::default()
        };
        let mut code = SUCCESS;
        let mut entries = Vec::new();
        for (place, seed) in self.seeds.iter().enumerate() {
            if self.stop.ends_variants() {
                break;
            }
            let done = self.seed(place, seed, &mut known, &mut entries);
            match done {
                Ok(done) => code = code.max(done),
                // The night is not finished: the same command resumes it.
                Err(NightError::Seed(error)) if error.ends_all() => return Err(error.into()),
                Err(error) => code = fail(error),
            }
        }
        if self.stop.ends_variants() {
            note("stopped; run the same command again to resume, or with --fresh to start over");
            return Ok(FAILURE);
        }
        if let Some(shard) = self.shard {
            note(format!(
                "part {shard} is done; merge the stores of all parts, then use --report-only"
            ));
            return Ok(code);
        }
        match self.mode {
            Mode::Report => code = code.max(self.reports(&store)?),
            Mode::Fuzz => {
                report::write_index(&self.config.report, &entries).map_err(SeedError::Report)?;
            }
        }
        let verdict =
            judge(&store.buckets(Scope::Unreported(&self.batch))?, &known, &self.night.day);
        self.write(&verdict).map_err(report_error)?;
        // Only reported findings are known the next time.
        let night = NightSummary {
            name: self.night.day.clone(),
            new: verdict.new.len(),
            known: verdict.known.len(),
            fixed: verdict.fixed.len(),
            note: not_rechecked(verdict.unchecked.len()),
            ..NightSummary::default()
        };
        self.batch.close_nights(&night)?;
        let mut nights = store.nights()?;
        if let Some(last) = nights.last_mut() {
            last.report = "nightly.html".to_owned();
        }
        write_history(&self.config.report, &nights).map_err(report_error)?;
        say(summary(&self.night, &verdict).trim_end());
        say(format!("\nReport: {}", self.config.report.join("nightly.html").display()));
        Ok(if verdict.new.is_empty() { code } else { code.max(FOUND) })
    }

    /// Rechecks the known findings of a seed, then fuzzes it.
    fn seed(
        &self,
        place: usize,
        seed: &Path,
        known: &mut Known,
        entries: &mut Vec<Entry>,
    ) -> Result<u8, NightError> {
        let runs = SeedRuns {
            clients: &self.clients,
            records: self.clients.iter().map(|client| ClientRecord::of(&**client)).collect(),
            settings: self.settings.clone(),
            profile: self.profile,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            stop: &self.stop,
        };
        if !runs.has_clients(place) {
            return Ok(SUCCESS);
        }
        let restriction = &self.settings.restriction;
        let subject = Format::default().open_restricted(seed, self.profile, restriction);
        let subject = subject.map_err(SeedError::Seed)?;
        if self.shard.is_none() {
            self.recheck(&*subject, known)?;
        }
        if self.mode == Mode::Report || self.stop.ends_variants() {
            return Ok(SUCCESS);
        }
        let folder = folder(place, seed);
        let part = |shard: Shard| format!("part-{}-of-{}", shard.index, shard.count);
        let report = self.config.report.join(self.shard.map(part).unwrap_or_default());
        let dir = report.join(&folder);
        let job = SeedJob { place, seed, dir: &dir, command: self.command(seed) };
        let done = runs.run(&self.batch, &*subject, job)?;
        entries.push(Entry::of(&folder, &done.run));
        if done.run.judged() == 0 {
            let seed = &done.run.about.seed_file;
            return Err(NightError::Other(format!("{seed}: no client could be tested")));
        }
        Ok(if done.run.refused.is_empty() { SUCCESS } else { INCOMPLETE })
    }

    fn recheck(&self, subject: &dyn Subject, known: &mut Known) -> Result<(), NightError> {
        let sha256 = digest::hex(subject.seed_bytes());
        let (clients, jobs) = (&self.clients, self.settings.jobs);
        let outcomes = recheck(subject, &sha256, clients, &known.reported, jobs, &self.stop);
        if self.stop.ends_variants() {
            return Ok(());
        }
        for (key, now) in outcomes {
            let client = clients.iter().find(|client| client.name() == key.client);
            if let Some(client) = client {
                self.batch.keep_recheck(&key, &ClientRecord::of(&**client), now)?;
            }
            known.rechecked.insert(key, now);
        }
        Ok(())
    }

    /// Writes the reports of the runs that were merged into the store.
    fn reports(&self, store: &Store) -> Result<u8, NightError> {
        let found = reports(store, &self.config.report, Printing::Nothing);
        found.map(|_| SUCCESS).map_err(|error| NightError::Other(error.to_string()))
    }

    fn write(&self, verdict: &Verdict) -> io::Result<()> {
        let dir = &self.config.report;
        write_examples(dir, verdict)?;
        let junit = junit(&self.night, verdict).map_err(io::Error::other)?;
        let sarif = serde_json::to_string_pretty(&sarif(&self.night, verdict))? + "\n";
        for (name, text) in [
            ("summary.txt", summary(&self.night, verdict)),
            ("junit.xml", junit),
            ("results.sarif", sarif),
            ("nightly.html", page(&self.night, verdict)),
        ] {
            put(&dir.join(name), text)?;
        }
        Ok(())
    }

    /// The command line that repeats one seed's part of the night.
    fn command(&self, seed: &Path) -> String {
        let mut words = vec!["repfuzz fuzz".to_owned(), report::quote(&seed.display().to_string())];
        if !self.config.clients.is_empty() {
            words.push(format!("--clients {}", report::quote(&self.config.clients.join(","))));
        }
        let extra = self.config.client.iter().map(|c| format!("--client {}", report::quote(c)));
        words.extend(extra);
        for path in &self.config.describe {
            words.push(format!("--describe {}", report::quote(&path.display().to_string())));
        }
        words.push(format!("-n {} --seed {}", self.settings.variants, self.night.number));
        if self.config.wide {
            words.push("--profile wide".to_owned());
        }
        words.extend(options(&self.settings.restriction));
        words.extend(self.settings.time.map(|time| format!("--time {}", time.as_secs())));
        let reduce_time = self.settings.reduce_time.map(|time| time.as_secs());
        words.extend(reduce_time.map(|seconds| format!("--reduce-time {seconds}")));
        words.join(" ")
    }
}

/// Checks that the restriction fits each seed that can be read, before the first one is run.
fn check_restriction(
    seeds: &[PathBuf],
    profile: ProfileName,
    settings: &Settings,
) -> Result<(), NightError> {
    let (format, restriction) = (Format::default(), &settings.restriction);
    let readable = |seed: &&PathBuf| format.open(seed, profile).is_ok();
    for seed in seeds.iter().filter(|_| !restriction.is_empty()).filter(readable) {
        format.open_restricted(seed, profile, restriction).map_err(SeedError::Seed)?;
    }
    Ok(())
}

fn report_error(error: io::Error) -> NightError {
    SeedError::Report(error).into()
}

fn not_rechecked(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!("{} not rechecked", plural(count, "cause", "causes")),
    }
}

/// Today's date in UTC.
pub fn today() -> String {
    let now = humantime::format_rfc3339_seconds(std::time::SystemTime::now()).to_string();
    now.chars().take(10).collect()
}
