//! The work of `repfuzz nightly`: each seed, and what is told in the end.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use super::fuzz::folder;
use super::nightly::{NightError, NightlyArgs, today};
use super::pick::pick;
use super::report::reports;
use super::seed_run::{Job, SeedError, SeedRuns, descriptions_key, file_key, how};
use super::{FINE, FOUND, ProfileName, TROUBLE, note, processors, say, trouble};
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
use crate::store::{Batch, BatchKind, ClientId, Scope, Store};
use crate::subject::Subject;

/// How many variants are made of each seed at most, if the time is limited; and if not.
const MANY: usize = 100_000;
const FEW: usize = 200;

/// A night that goes on.
pub struct Nightly {
    config: Config,
    night: Night,
    seeds: Vec<PathBuf>,
    clients: Vec<Box<dyn Client>>,
    settings: Settings,
    profile: ProfileName,
    shard: Option<Shard>,
    batch: Batch,
    stop: Stop,
}

impl Nightly {
    /// Reads all that it needs, and takes its store.
    pub fn begin(args: &NightlyArgs, config: Config) -> Result<Self, NightError> {
        let seeds = config.seed_files(&args.config)?;
        // It is read later, but what is wrong with it is told before the night's work.
        Accepted::read(&config.accepted)?;
        let clients = pick(&config.clients, &config.client, &config.describe, true, TIFF);
        let clients = clients.map_err(NightError::Other)?;
        if clients.is_empty() {
            return Err(NightError::Other("there is no client to test".to_owned()));
        }
        let day = today();
        let number = config.run_number(&day);
        // As much again is for the reduction.
        let time = config.time_s.map(|all| (all / 2 / seeds.len() as u64).max(1));
        let settings = Settings {
            variants: config.variants.unwrap_or(if time.is_some() { MANY } else { FEW }),
            seed: number,
            jobs: config.jobs.unwrap_or_else(processors),
            hang_limit: config.hang_limit,
            time: time.map(Duration::from_secs),
            ..Settings::default()
        };
        let profile = if config.wide { ProfileName::Wide } else { ProfileName::Strict };
        let key = json!({
            "nightly": how(&settings, profile),
            "seeds": seeds.iter().map(|seed| file_key(seed)).collect::<Vec<_>>(),
            "clients": config.clients,
            "client": config.client,
            "describe": descriptions_key(&config.describe),
            "shard": args.shard.map(|shard| shard.to_string()),
            "tell": args.tell.then(|| day.clone()),
        });
        let folder = config.store.parent().filter(|f| !f.as_os_str().is_empty());
        make(folder.unwrap_or(Path::new("."))).map_err(written)?;
        let batch = Store::open(&config.store)?.begin(BatchKind::Nightly, &key, args.fresh)?;
        let ids = clients.iter().map(|c| (c.name().to_owned(), c.version().to_owned()));
        let night = Night { day, number, clients: ids.collect() };
        let (shard, stop) = (args.shard, Stop::on_ctrl_c());
        Ok(Self { config, night, seeds, clients, settings, profile, shard, batch, stop })
    }

    /// Fuzzes, unless it shall only `tell`; gives the exit code.
    pub fn run(self, tell: bool) -> Result<u8, NightError> {
        let store = self.batch.store().clone();
        let mut known = Known {
            told: store.buckets(Scope::Told(&self.batch))?,
            fixed: store.fixed()?,
            accepted: Accepted::read(&self.config.accepted)?,
            ..Known::default()
        };
        let mut code = FINE;
        let mut entries = Vec::new();
        for (place, seed) in self.seeds.iter().enumerate() {
            if self.stop.variants() {
                break;
            }
            let done = self.seed(place, seed, tell, &mut known, &mut entries);
            match done {
                Ok(()) => {}
                // The night is not over: the same command goes on from here.
                Err(NightError::Seed(error)) if error.ends_all() => return Err(error.into()),
                Err(error) => code = trouble(error),
            }
        }
        if self.stop.variants() {
            note("stopped; the same command goes on from here, or begins anew with --fresh");
            return Ok(TROUBLE);
        }
        if let Some(shard) = self.shard {
            note(format!("part {shard} is done; merge the stores of all parts, then use --tell"));
            return Ok(code);
        }
        match tell {
            true => code = code.max(self.reports(&store)?),
            false => {
                report::write_index(&self.config.report, &entries).map_err(SeedError::Report)?;
            }
        }
        let verdict = judge(&store.buckets(Scope::Untold(&self.batch))?, &known, &self.night.day);
        self.write(&verdict).map_err(written)?;
        // Only what was told is known the next time.
        let told = NightSummary {
            name: self.night.day.clone(),
            new: verdict.new.len(),
            known: verdict.known.len(),
            fixed: verdict.fixed.len(),
            note: not_run_again(verdict.unchecked.len()),
            ..NightSummary::default()
        };
        self.batch.close_nights(&told)?;
        let mut nights = store.nights()?;
        if let Some(last) = nights.last_mut() {
            last.report = "nightly.html".to_owned();
        }
        write_history(&self.config.report, &nights).map_err(written)?;
        say(summary(&self.night, &verdict).trim_end());
        say(format!("\nReport: {}", self.config.report.join("nightly.html").display()));
        Ok(if verdict.new.is_empty() { code } else { code.max(FOUND) })
    }

    /// Runs what is known of a seed again, then the seed.
    fn seed(
        &self,
        place: usize,
        seed: &Path,
        tell: bool,
        known: &mut Known,
        entries: &mut Vec<Entry>,
    ) -> Result<(), NightError> {
        let runs = SeedRuns {
            clients: &self.clients,
            ids: self.clients.iter().map(|client| ClientId::of(&**client)).collect(),
            settings: self.settings.clone(),
            profile: self.profile,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            stop: &self.stop,
        };
        if !runs.take_part(place) {
            return Ok(());
        }
        let subject = super::open(seed).map_err(SeedError::Seed)?;
        let subject = subject.with_profile(self.profile.into());
        if self.shard.is_none() {
            self.recheck(&subject, seed, known)?;
        }
        if tell || self.stop.variants() {
            return Ok(());
        }
        let folder = folder(place, seed);
        let part = |shard: Shard| format!("part-{}-of-{}", shard.index, shard.count);
        let report = self.config.report.join(self.shard.map(part).unwrap_or_default());
        let dir = report.join(&folder);
        let job = Job { place, seed, dir: &dir, command: self.command(seed) };
        let done = runs.run(&self.batch, &subject, job)?;
        entries.push(Entry::of(&folder, &done.run));
        if done.run.judged() == 0 {
            let seed = &done.run.about.seed_file;
            return Err(NightError::Other(format!("{seed}: no client could be judged")));
        }
        Ok(())
    }

    fn recheck(
        &self,
        subject: &dyn Subject,
        seed: &Path,
        known: &mut Known,
    ) -> Result<(), NightError> {
        let sha256 = digest::hex(subject.seed_bytes());
        let (clients, jobs) = (&self.clients, self.settings.jobs);
        let outcomes = recheck(subject, &sha256, clients, &known.told, jobs, &self.stop);
        let outcomes =
            outcomes.map_err(|error| SeedError::Campaign(seed.display().to_string(), error))?;
        if self.stop.variants() {
            return Ok(());
        }
        for (key, now) in outcomes {
            let client = clients.iter().find(|client| client.name() == key.client);
            if let Some(client) = client {
                self.batch.keep_recheck(&key, &ClientId::of(&**client), now)?;
            }
            known.rechecked.insert(key, now);
        }
        Ok(())
    }

    /// The reports of what was merged into the store.
    fn reports(&self, store: &Store) -> Result<u8, NightError> {
        let found = reports(store, &self.config.report, false);
        found.map(|_| FINE).map_err(|error| NightError::Other(error.to_string()))
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

    /// The command line that does one seed's part of the night again.
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
        words.extend(self.settings.time.map(|time| format!("--time {}", time.as_secs())));
        words.join(" ")
    }
}

fn written(error: io::Error) -> NightError {
    SeedError::Report(error).into()
}

fn not_run_again(count: usize) -> String {
    match count {
        0 => String::new(),
        _ => format!("{} not run again", plural(count, "cause", "causes")),
    }
}
