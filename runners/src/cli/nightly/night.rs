//! The work of `repfuzz nightly`: rechecks and fuzzes each seed, then writes the reports.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::again::{Due, again, due, present, report_error};
use super::error::NightError;
use super::evidence::Evidence;
use super::inputs::{Inputs, Mode, NightOptions, seed_name};
use super::jobs::{Job, jobs};
use super::kinds::{Kind, Seed, kind_of};
use crate::cli::acceptances::Acceptances;
use crate::cli::days::today;
use crate::cli::fuzz::folder;
use crate::cli::report::{Printing, reports};
use crate::cli::restriction_args::options as restriction_options;
use crate::cli::seed_run::{SeedError, SeedJob, SeedRuns};
use crate::cli::{FAILURE, FOUND, INCOMPLETE, SUCCESS, note};
use campaign::oracle::Outcome;
use campaign::{Rechecked, Shard, Stop, map};
use clients::digest;
use equivalents::subject::Subject;
use reports::files::remove;
use reports::nightly::{
    Accepted, Config, Coverage, Ends, IsRead, KeptReport, Known, Loss, Night, NightTime, Remote,
    SeedFacts, SeedTime, Tonight, Verdict, disproved_hangs, fails, judge, line, recheck,
    write_night, write_unfinished,
};
use reports::report::{self, Entry, NightSummary, plural};
use reports::store::{Bucket, BucketKey, ClientRecord, Scope, Store};

/// Runs a night, or a part of it; returns the exit code. If it ends with an error, its reports say so.
pub fn run(options: &NightOptions<'_>, config: Config) -> Result<u8, NightError> {
    let dir = config.report.clone();
    let whole = options.shard.is_none();
    let done = match options.mode {
        Mode::Fuzz => work(options, config),
        Mode::Report => report_only(options, config),
    };
    // If another process runs the night, the report in this folder belongs to that process.
    let ours = |error: &NightError| whole && !error.is_busy();
    if let Some(error) = done.as_ref().err().filter(|error| ours(error)) {
        // The error itself is more important than the failure to write it into the reports.
        let _ = write_unfinished(&dir, &today(), &error.to_string());
    }
    done
}

/// Runs the night, or writes the first report of one.
fn work(options: &NightOptions<'_>, config: Config) -> Result<u8, NightError> {
    let (dir, begun) = (config.report.clone(), Instant::now());
    let inputs = Inputs::read(options, config)?;
    if options.shard.is_none() {
        let why = "it is still running, or was killed";
        write_unfinished(&dir, &inputs.day, why).map_err(report_error)?;
    }
    Nightly::new(options, inputs, begun)?.run()
}

/// Writes the report that is due, without fuzzing.
fn report_only(options: &NightOptions<'_>, mut config: Config) -> Result<u8, NightError> {
    match due(&config.store)? {
        Due::Kept(store, kept) => again(&store, &kept, &config),
        Due::Parts => work(options, config),
        Due::Preview(_folder, copied) => {
            config.store = copied;
            work(options, config)
        }
    }
}

/// A night in progress.
struct Nightly<'o> {
    inputs: Inputs,
    options: &'o NightOptions<'o>,
    time: NightTime,
    stop: Stop,
    failures: Vec<Loss>,
    known: Known,
    entries: Vec<Entry>,
}

impl<'o> Nightly<'o> {
    fn new(
        options: &'o NightOptions<'o>,
        mut inputs: Inputs,
        begun: Instant,
    ) -> Result<Self, NightError> {
        let store = inputs.batch.store();
        let known = Known {
            reported: store.buckets(Scope::Reported(&inputs.batch))?,
            fixed: store.fixed()?,
            gone: store.gone()?,
            earlier_rechecks: store.rechecks()?,
            accepted: Accepted::read(&inputs.config.accepted)?,
            ..Known::default()
        };
        let limit = inputs.config.time_s.map(Duration::from_secs);
        let time = NightTime::new(limit, begun, inputs.batch.spent()?);
        let failures = std::mem::take(&mut inputs.failures);
        for Loss { client, seed, why, .. } in &failures {
            let name = seed.as_ref().or(client.as_ref());
            note(name.map_or_else(|| why.clone(), |name| format!("{name}: {why}")));
        }
        let stop = Stop::on_ctrl_c();
        if let Some(remote) = options.remote {
            remote.begin(&inputs.batch, &stop, time.ends()).map_err(remote_error)?;
        }
        Ok(Self { inputs, options, time, stop, failures, known, entries: Vec::new() })
    }

    /// Fuzzes, unless it only writes reports; returns the exit code.
    fn run(mut self) -> Result<u8, NightError> {
        let mut code = SUCCESS;
        let seeds = self.inputs.seeds.clone();
        let jobs = jobs(&self.inputs.tasks, &seeds, self.options.mode);
        for (job, done) in jobs.iter().zip(self.seeds(&jobs)) {
            let seed = &seeds[job.seed];
            match done {
                Ok(None) => {}
                Ok(Some(done)) => {
                    code = code.max(done.code);
                    self.known.rechecked.extend(done.rechecked);
                    self.entries.extend(done.entry);
                }
                // The night is not finished: the same command resumes it.
                Err(NightError::Seed(error)) if error.ends_all() => return Err(error.into()),
                // Lost coverage, which people can accept.
                Err(error) => {
                    let (why, name) = (error.to_string(), seed.path.display().to_string() + ": ");
                    note(&why);
                    self.lose(&seed.name, why.strip_prefix(&name).unwrap_or(&why));
                }
            }
        }
        if self.stop.ends_variants() {
            note("stopped; run the same command again to resume, or with --fresh to start over");
            if self.options.shard.is_none() {
                let why = "it was stopped by the user";
                write_unfinished(&self.inputs.config.report, &self.inputs.day, why)
                    .map_err(report_error)?;
            }
            return Ok(FAILURE);
        }
        if let Some(shard) = self.options.shard {
            let losses = serde_json::to_value(&self.failures).unwrap_or_default();
            self.inputs.batch.complete_part(&losses)?;
            note(format!(
                "part {shard} is done; merge the stores of all parts, then use --report-only"
            ));
            return Ok(code);
        }
        self.report(code)
    }

    /// Runs `jobs`, as many at once as the machines allow; `None` for those that were not begun. After an error that
    /// ends the night, no further job is begun.
    fn seeds(&self, jobs: &[Job]) -> Vec<Result<Option<SeedDone>, NightError>> {
        let at_once = self.options.remote.map_or(1, Remote::seeds_at_once);
        let ended = AtomicBool::new(false);
        map(at_once, jobs, |done, job| {
            if self.stop.ends_variants() || ended.load(Ordering::SeqCst) {
                return Ok(None);
            }
            let left = (jobs.len() - done).div_ceil(at_once);
            let done = self.seed(job, &self.inputs.seeds[job.seed], left);
            if matches!(&done, Err(NightError::Seed(error)) if error.ends_all()) {
                ended.store(true, Ordering::SeqCst);
            }
            done.map(Some)
        })
    }

    fn lose(&mut self, seed: &str, why: impl Into<String>) {
        self.failures.push(Loss::new(None, Some(seed), why));
    }

    /// Judges the findings and the coverage, writes the reports and closes the night.
    fn report(mut self, mut code: u8) -> Result<u8, NightError> {
        let store = self.inputs.batch.store().clone();
        match self.options.mode {
            Mode::Report => code = code.max(self.seed_reports(&store)?),
            Mode::Fuzz => {
                report::write_index(&self.inputs.config.report, &self.entries)
                    .map_err(SeedError::Report)?;
            }
        }
        let tonight = self.tonight(&store)?;
        let before = self.inputs.before.as_ref();
        let coverage = Coverage::of(&tonight, before, &self.known.accepted);
        let night = self.night(&coverage);
        self.know(&tonight, &night);
        let found = store.buckets(Scope::Unreported(&self.inputs.batch))?;
        self.confirm_hangs(&found)?;
        let verdict = self.judge(&found)?;
        let kept = KeptReport { night, verdict, coverage };
        let KeptReport { night, verdict, coverage } = &kept;
        let config = &self.inputs.config;
        write_night(&config.report, &kept.report()).map_err(report_error)?;
        // The next night knows only reported findings.
        let stored = |value: serde_json::Result<serde_json::Value>| value.unwrap_or_default();
        self.inputs.batch.close_nights(
            &told(night, verdict, coverage),
            &stored(serde_json::to_value(coverage)),
            &stored(serde_json::to_value(&kept)),
        )?;
        present(&store, &kept, config)?;
        let failed = fails(&config.fail_on, verdict, coverage);
        Ok(if failed { code.max(FOUND) } else { code })
    }

    /// Judges the findings. Where it matters, clients first read again what earlier nights read.
    fn judge(&mut self, found: &[Bucket]) -> Result<Verdict, NightError> {
        let Inputs { batch, day, .. } = &self.inputs;
        self.known.unchanged = batch.store().unchanged_programs(batch, SETTLED)?;
        let mut evidence = Evidence::default();
        let judged = |evidence: &Evidence| {
            judge(found, &self.known, day, &|key, form, after| {
                evidence.regression(key, form, after)
            })
        };
        judged(&evidence);
        let left = |ends: Ends| ends.night.saturating_duration_since(Instant::now());
        let time = self.time.ends().map(left);
        evidence.answer(&self.inputs, &self.known.unchanged, &self.stop, time);
        Ok(judged(&evidence))
    }

    /// Collects the facts about tonight's runs, and the failures of all parts.
    fn tonight(&mut self, store: &Store) -> Result<Tonight, NightError> {
        let all = self.options.mode == Mode::Report;
        let folder = self.options.config_file.parent().unwrap_or(std::path::Path::new(""));
        let mut runs: Vec<SeedFacts> = Vec::new();
        store.each_run_tonight(&self.inputs.batch, all, |run| {
            runs.push(SeedFacts::of(&seed_name(folder, &run.about.seed_file), run));
        })?;
        let mut failures = std::mem::take(&mut self.failures);
        if all {
            for losses in store.part_losses()? {
                let losses: Vec<Loss> = serde_json::from_value(losses).unwrap_or_default();
                failures.extend(losses);
            }
            for missing in store.missing_parts()? {
                failures.push(Loss::new(None, None, missing.line()));
            }
        }
        let seeds = self.inputs.seeds.iter().map(|seed| seed.name.clone()).collect();
        let Inputs { day, config, .. } = &self.inputs;
        let plan = match config.time_s {
            Some(seconds) => format!("{seconds} s"),
            None => format!("{} variants", self.inputs.settings.variants),
        };
        let plan = format!("{plan}, {} seeds", self.inputs.seeds.len());
        Ok(Tonight { day: day.clone(), plan, seeds, runs, failures })
    }

    fn night(&self, coverage: &Coverage) -> Night {
        let clients: Vec<(String, String)> = match self.options.mode {
            Mode::Fuzz => {
                let all = self.inputs.kinds.iter().flat_map(|kind| &kind.clients);
                let mut ids: Vec<(String, String)> = Vec::new();
                for client in all {
                    // One that reads several formats is one client.
                    if ids.iter().all(|(name, _)| name != client.name()) {
                        ids.push((client.name().to_owned(), client.version().to_owned()));
                    }
                }
                ids
            }
            Mode::Report => {
                let clients = coverage.clients.iter().filter(|client| !client.read.is_empty());
                clients.map(|client| (client.name.clone(), client.version.clone())).collect()
            }
        };
        Night { day: self.inputs.day.clone(), number: self.inputs.number, clients }
    }

    /// Adds the facts about tonight's clients.
    fn know(&mut self, tonight: &Tonight, night: &Night) {
        // An acceptance for one version ends when another version is known, not when the version is unknown.
        let known = night.clients.iter().filter(|(_, version)| !version.is_empty());
        self.known.versions = known.cloned().collect();
        let facts = tonight.runs.iter().flat_map(|run| &run.clients);
        let libraries = facts.filter(|client| !client.library.is_empty());
        self.known.libraries =
            libraries.map(|client| (client.name.clone(), client.library.clone())).collect();
    }

    /// Runs new hangs again. Disproved ones count as fixed, so that a real hang is new later.
    fn confirm_hangs(&mut self, found: &[Bucket]) -> Result<(), NightError> {
        let reported = self.known.reported.iter().map(|bucket| bucket.key.clone());
        let known = reported.filter(|key| !self.known.fixed.contains(key)).collect();
        let Inputs { kinds, batch, .. } = &self.inputs;
        let client = |bucket: &Bucket| kind_of(kinds, bucket)?.client(&bucket.key.client);
        self.known.disproved = disproved_hangs(found, &known, client);
        for bucket in found.iter().filter(|bucket| self.known.disproved.contains(&bucket.key)) {
            if let Some(client) = client(bucket) {
                let outcome = Outcome::Same;
                let now = Rechecked { outcome, better: outcome, message: None };
                batch.keep_recheck(&bucket.key, &ClientRecord::of(client), &now)?;
            }
        }
        Ok(())
    }

    /// Rechecks the known findings of a seed, then fuzzes it. `left` jobs remain, including this one.
    fn seed(&self, job: &Job, seed: &Seed, left: usize) -> Result<SeedDone, NightError> {
        let (begun, mut result) = (Instant::now(), SeedDone::default());
        let Inputs { config, kinds, settings, profile, batch, .. } = &self.inputs;
        let kind = &kinds[job.kind];
        let Kind { format, clients, texts, .. } = kind;
        let runs = SeedRuns {
            clients,
            records: ClientRecord::of_all(clients),
            settings: settings.clone(),
            profile: *profile,
            shard: self.options.shard.unwrap_or(Shard::WHOLE),
            stop: &self.stop,
            accepted: &Acceptances::of(&self.inputs.config.accepted, self.known.accepted.clone()),
            quiet: self.options.remote.is_some(),
        };
        let fuzzes = self.options.mode == Mode::Fuzz;
        if self.time.is_up(begun) && fuzzes {
            note(format!("{}: {NO_TIME}", seed.name));
            return Err(NightError::NoTime(NO_TIME));
        }
        let share = self.time.share(begun, left).filter(|_| fuzzes);
        let (restriction, size) = (&settings.restriction, config.max_size);
        let subject = format.open_restricted(&seed.path, *profile, restriction);
        let mut subject = subject.map_err(SeedError::Seed)?;
        if let Some(remote) = self.options.remote {
            let (profile, texts) = ((*profile).into(), texts.as_ref());
            let is_read = IsRead { profile, restriction, size, texts };
            subject = remote.watched(subject, is_read).map_err(remote_error)?;
        }
        if self.options.shard.is_none() {
            result.rechecked = self.recheck(&*subject, kind, share.map(|share| share.variants))?;
        }
        if !fuzzes || self.stop.ends_variants() {
            return Ok(result);
        }
        let mut folder = folder(job.seed, &seed.path);
        if !job.slice.is_whole() {
            folder.push_str(&format!("-slice-{}", job.slice.index));
        }
        let part = |shard: Shard| format!("part-{}-of-{}", shard.index, shard.count);
        let report = config.report.join(self.options.shard.map(part).unwrap_or_default());
        let dir = report.join(&folder);
        // If this run fails, no report of an earlier run should remain in its place.
        remove(&dir.join("index.html")).map_err(report_error)?;
        let time = share.map(|share| SeedTime {
            variants: share.variants.saturating_sub(begun.elapsed()),
            ..share
        });
        let command = self.command(seed, kind);
        let job = SeedJob {
            place: job.place,
            seed: &seed.path,
            format: format.name(),
            dir: &dir,
            command,
            time,
            clients: job.clients.clone(),
            slice: job.slice,
        };
        let done = runs.run(batch, &*subject, job)?;
        result.entry = Some(Entry::of(&folder, &done.run));
        if done.run.judged() == 0 {
            note(format!("{}: no client could be tested", done.run.about.seed_file));
        }
        if !done.run.refused.is_empty() {
            result.code = INCOMPLETE;
        }
        Ok(result)
    }

    fn recheck(
        &self,
        subject: &dyn Subject,
        kind: &Kind,
        time: Option<Duration>,
    ) -> Result<BTreeMap<BucketKey, Rechecked>, NightError> {
        let sha256 = digest::hex(subject.seed_bytes());
        let Inputs { settings, batch, .. } = &self.inputs;
        let (clients, jobs) = (&kind.clients, settings.jobs);
        let found = |bucket: &&Bucket| {
            bucket.example.seed_sha256 == sha256 && bucket.key.format == kind.format.name()
        };
        let reported: Vec<&Bucket> = self.known.reported.iter().filter(found).collect();
        let outcomes = recheck(subject, clients, &reported, jobs, &self.stop, time);
        if self.stop.ends_variants() {
            return Ok(Default::default());
        }
        for (key, now) in &outcomes {
            if let Some(client) = kind.client(&key.client) {
                batch.keep_recheck(key, &ClientRecord::of(client), now)?;
            }
        }
        Ok(outcomes)
    }

    /// Writes the reports of the runs that were merged into the store.
    fn seed_reports(&self, store: &Store) -> Result<u8, NightError> {
        let config = &self.inputs.config;
        let accepted = Acceptances::of(&config.accepted, self.known.accepted.clone());
        let found = reports(store, &config.report, Printing::Nothing, &accepted);
        found.map(|_| SUCCESS).map_err(|error| NightError::Other(error.to_string()))
    }

    /// The command line that repeats one seed's part of the night.
    fn command(&self, seed: &Seed, kind: &Kind) -> String {
        let Inputs { config, settings, number, .. } = &self.inputs;
        let path = seed.path.display().to_string();
        let mut words = vec!["repfuzz fuzz".to_owned(), report::quote(&path)];
        if let Some(format) = &kind.option {
            words.push(format!("--format {}", report::quote(format)));
        }
        if !config.clients.is_empty() {
            words.push(format!("--clients {}", report::quote(&config.clients.join(","))));
        }
        let extra = config.client.iter().map(|c| format!("--client {}", report::quote(c)));
        words.extend(extra);
        for path in &config.describe {
            words.push(format!("--describe {}", report::quote(&path.display().to_string())));
        }
        words.push(format!("-n {} --seed {number}", settings.variants));
        if config.wide {
            words.push("--profile wide".to_owned());
        }
        words.extend(restriction_options(&settings.restriction));
        words.extend(settings.time.map(|time| format!("--time {}", time.as_secs())));
        let reduce_time = settings.reduce_time.map(|time| time.as_secs());
        words.extend(reduce_time.map(|seconds| format!("--reduce-time {seconds}")));
        words.join(" ")
    }
}

/// The number of nights with a program after which its findings are no longer new: the first night, and another one for
/// what the first night missed.
const SETTLED: usize = 2;

/// The reason why a seed is lost without an error.
const NO_TIME: &str = "the night's time was used up before its turn";

/// The results of a job of the night, in addition to its rows in the store.
#[derive(Default)]
struct SeedDone {
    code: u8,
    rechecked: BTreeMap<BucketKey, Rechecked>,
    entry: Option<Entry>,
}

/// The row of the night in the history.
fn told(night: &Night, verdict: &Verdict, coverage: &Coverage) -> NightSummary {
    let mut note = match verdict.unchecked.len() {
        0 => String::new(),
        count => format!("{} not rechecked; ", plural(count, "cause", "causes")),
    };
    if !verdict.found.is_empty() {
        note.push_str(&format!("{} found with unchanged programs; ", verdict.found.len()));
    }
    if !coverage.losses.is_empty() {
        note.push_str(&line(coverage));
    }
    NightSummary {
        name: night.day.clone(),
        new: verdict.new.len() + coverage.broken(false).count(),
        worse: verdict.worse.len() + coverage.broken(true).count(),
        known: verdict.known.len(),
        fixed: verdict.fixed.len(),
        note: note.trim_end_matches("; ").to_owned(),
        ..NightSummary::default()
    }
}

fn remote_error(error: std::io::Error) -> NightError {
    NightError::Other(error.to_string())
}
