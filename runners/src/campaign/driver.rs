//! One seed, many variants, all clients; then reduction to causes.

use std::time::{Duration, Instant, SystemTime};

use indicatif::ProgressBar;
use inverter::solve::Choices;
use tiff_harness::Picture;

use super::cached_subject::Memo;
use super::client_session::{Asker, Bench, measure, reencoded, slow_first};
use super::error::CampaignError;
use super::exec::{Context, execute, single};
use super::records::{
    Baseline, Cause, Executed, FORMAT, Info, Log, Record, Row, Run, State, rank, tested,
};
use super::runtime::{Budget, Gate, Stop, map};
use super::settings::{About, Settings};
use super::triage::{Finder, Prober, ReduceError, Values, settle};
use crate::client::Client;
use crate::digest;
use crate::oracle::Outcome;
use crate::subject::Subject;

/// What to run.
pub struct Campaign<'a> {
    /// The seed.
    pub subject: &'a dyn Subject,
    /// The clients.
    pub clients: &'a [Box<dyn Client + 'a>],
    /// How much, and how.
    pub settings: Settings,
    /// For the report.
    pub about: About,
    /// Where results go as they come.
    pub log: &'a Log,
    /// When to end early.
    pub stop: &'a Stop,
    /// Shows how far it is.
    pub progress: ProgressBar,
}

impl Campaign<'_> {
    /// Runs it: the clients on the seed, the variants, the reduction.
    ///
    /// # Errors
    ///
    /// [`CampaignError`].
    pub fn run(self) -> Result<Run, CampaignError> {
        let memo = Memo::new(self.subject);
        Campaign { subject: &memo, ..self }.run_remembering(execute)
    }

    /// The same, with the variant of `choices` as the only one: what a client that differs on
    /// it is reduced to is the cause.
    ///
    /// # Errors
    ///
    /// [`CampaignError`].
    pub fn reduce(self, choices: &Choices) -> Result<Run, CampaignError> {
        let memo = Memo::new(self.subject);
        let campaign = Campaign { subject: &memo, ..self };
        campaign.run_remembering(|context| single(context, choices))
    }

    /// Runs it, with all that `execute` has clients read.
    fn run_remembering(
        self,
        execute: impl FnOnce(&Context<'_>) -> Result<Executed, CampaignError>,
    ) -> Result<Run, CampaignError> {
        let begun = Instant::now();
        let Self { subject, clients, settings, log, stop, progress, .. } = &self;
        let earlier = log.earlier();
        let started = earlier.started.unwrap_or_else(SystemTime::now);
        let budget = Budget::new(stop, settings.time).after(earlier.spent);
        self.log_run(started);
        progress.set_length(settings.variants as u64);
        progress.set_message("reading the seed");
        let anew = reencoded(*subject)?;
        let askers: Vec<Asker<'_>> =
            clients.iter().map(|client| Asker::new(&**client, log, &budget)).collect();
        let measured = measure(*subject, anew.as_ref(), &askers, settings.jobs, stop);
        let (states, costs): (Vec<State>, Vec<Duration>) = measured.into_iter().unzip();
        for (client, state) in clients.iter().zip(&states) {
            log.write(&client_record(&**client, state, subject.picture()));
        }
        if let Some(variant) = &anew {
            let info = Info::of(*subject, variant);
            log_anew(log, &info, clients, &states);
        }
        progress.set_message("");
        let benches: Vec<Option<Bench<'_>>> = askers
            .iter()
            .zip(&states)
            .map(|(asker, state)| {
                let baseline = state.baseline()?;
                let bench = Bench::new(asker, baseline.reference());
                if baseline.anew.is_none() {
                    bench.trust(subject.seed_bytes());
                }
                if let Some(anew) = &anew
                    && (baseline.finding.is_none() || baseline.anew.is_some())
                {
                    bench.trust(&anew.bytes);
                }
                Some(bench)
            })
            .collect();
        let order = slow_first(&costs);
        let executed = execute(&Context {
            subject: *subject,
            clients,
            benches: &benches,
            order: &order,
            settings,
            log,
            budget: &budget,
            reached: earlier.reached,
            progress,
        })?;
        if let Some(error) = log.error() {
            return Err(CampaignError::Log(error));
        }
        let stopped = stop.variants();
        budget.reduce();
        progress.set_message("reducing");
        let causes = self.causes(&states, &benches, &costs, &executed, &budget)?;
        progress.finish_and_clear();
        if let Some(error) = log.error() {
            return Err(CampaignError::Log(error));
        }
        drop(benches);
        let tested = states
            .into_iter()
            .enumerate()
            .map(|(place, state)| tested(&*clients[place], place, state, &executed, *subject))
            .collect();
        Ok(Run {
            picture: subject.picture().clone(),
            seed: subject.seed_bytes().to_vec(),
            own: subject.own_choices().clone(),
            dimensions: subject.dimensions().to_vec(),
            clients: tested,
            causes,
            variants: executed.made.len(),
            repeated: executed.repeated,
            impossible: executed.impossible,
            stopped: stopped || stop.everything(),
            time_up: executed.cut && !stopped,
            started,
            took: earlier.spent + begun.elapsed(),
            about: self.about,
            settings: self.settings,
        })
    }

    fn log_run(&self, started: SystemTime) {
        self.log.write(&Record::Run {
            format: FORMAT,
            repfuzz: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.about.command.clone(),
            started: humantime::format_rfc3339_seconds(started).to_string(),
            seed_file: self.about.seed_file.clone(),
            seed_sha256: digest::hex(self.subject.seed_bytes()),
            picture: self.subject.picture().digest(),
            seed: self.settings.seed,
            variants: self.settings.variants,
            time: self.settings.time.map(|time| time.as_secs()),
            dimensions: self.subject.dimensions().to_vec(),
        });
    }

    /// The causes of all findings, ranked. Clients are reduced side by side, each by itself
    /// in the order of the plan; how much runs at once is the gate's business.
    fn causes(
        &self,
        states: &[State],
        benches: &[Option<Bench<'_>>],
        costs: &[Duration],
        executed: &Executed,
        budget: &Budget,
    ) -> Result<Vec<Cause>, CampaignError> {
        let gate = Gate::new(self.settings.jobs);
        let values = Values::of(self.subject, executed.made.iter().map(|info| &**info));
        let places: Vec<usize> = (0..self.clients.len()).collect();
        let found = map(places.len(), &places, |_, place| {
            let (Some(baseline), Some(bench)) = (states[*place].baseline(), &benches[*place])
            else {
                return Ok(Vec::new());
            };
            let rows: Vec<&Row> = executed.rows.iter().filter(|r| r.client == *place).collect();
            let prober = Prober {
                subject: self.subject,
                bench,
                gate: &gate,
                cost: costs[*place],
                budget,
                log: self.log,
            };
            let finder = Finder::new(prober, *place, self.settings.reductions);
            causes_of(finder, baseline, &rows, &values).map_err(defect)
        });
        let mut causes = Vec::new();
        for found in found {
            causes.extend(found?);
        }
        rank(&mut causes, |client| self.clients[client].name());
        Ok(causes)
    }
}

fn causes_of(
    mut finder: Finder<'_>,
    baseline: &Baseline,
    rows: &[&Row],
    values: &Values,
) -> Result<Vec<Cause>, ReduceError> {
    if let Some(finding) = &baseline.finding {
        finder.anew(finding, baseline.anew.as_ref())?;
    }
    let mut findings: Vec<&Row> =
        rows.iter().copied().filter(|r| r.outcome().is_difference()).collect();
    // What differs least from the seed tells its cause soonest, and so explains others.
    findings.sort_by_key(|row| row.info.choices.len());
    finder.explain_all(&findings)?;
    settle(finder, rows, values)
}

/// What ends a whole campaign: a defect of ours.
fn defect(error: ReduceError) -> CampaignError {
    match error {
        ReduceError::Defect { what, choices } => CampaignError::Defect { what, choices },
        other => CampaignError::Defect { what: other.to_string(), choices: Choices::new() },
    }
}

fn client_record(client: &dyn Client, state: &State, canonical: &Picture) -> Record {
    let picture = state.baseline().map(|b| &b.seed);
    Record::Client {
        client: client.name().to_owned(),
        version: client.version().to_owned(),
        state: state.word().to_owned(),
        message: match state {
            State::CannotRead { outcome, message } if message.is_empty() => outcome.phrase().into(),
            State::CannotRead { message, .. } | State::CannotRun(message) => message.clone(),
            State::Ready(_) | State::Unsteady => String::new(),
        },
        picture: picture.map(Picture::digest),
        canonical: picture.map(|p| p == canonical),
        ignores: client.ignores().to_vec(),
    }
}

fn log_anew(log: &Log, info: &Info, clients: &[Box<dyn Client + '_>], states: &[State]) {
    log.write(&Record::Variant {
        variant: 0,
        vary: "nothing".to_owned(),
        class: info.class,
        bytes: info.size,
        choices: info.choices.clone(),
    });
    for (client, state) in clients.iter().zip(states) {
        let Some(baseline) = state.baseline() else { continue };
        let finding = baseline.finding.as_ref();
        log.write(&Record::Result {
            variant: 0,
            client: client.name().to_owned(),
            outcome: finding.map_or(Outcome::Same, |f| f.outcome),
            again: finding.map(|f| f.again),
            flaky: finding.is_some_and(|f| f.flaky),
            picture: baseline.anew.as_ref().map(Picture::digest),
            message: finding.map(|f| f.message.clone()).unwrap_or_default(),
            ms: 0,
        });
    }
}
