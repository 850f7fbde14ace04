//! The driver of a campaign: baselines, execution, triage.

use std::time::{Duration, Instant, SystemTime};

use indicatif::ProgressBar;
use inverter::solve::Choices;
use tiff_harness::Picture;

use super::base::Base;
use super::client_session::{ClientExecutor, ClientSession, measure, reencoded, seed_edges};
use super::error::CampaignError;
use super::exec::{Context, execute, find_costly, single};
use super::records::{
    Baseline, Cause, ClientId, ClientState, ClientSummary, EdgeSummary, ExecutionResults, FORMAT,
    Log, Omission, Record, RefusedVariant, Run, SeedEdges, VariantInfo,
};
use super::runtime::{Budget, Stop};
use super::settings::{About, Settings};
use super::triage::{Evidence, Triaged, triage};
use crate::oracle::{Outcome, classify};
use clients::Client;
use clients::digest;
use equivalents::subject::{Subject, Variant};

/// The inputs of a campaign.
pub struct Campaign<'a> {
    /// The seed. Variants derive from the plainest file of its picture, if there is one.
    pub subject: &'a dyn Subject,
    /// The clients.
    pub clients: &'a [Box<dyn Client + 'a>],
    /// The amount of work, and the strategy.
    pub settings: Settings,
    /// The origin, for the report.
    pub about: About,
    /// The log, each record of which is written at once.
    pub log: &'a Log,
    /// The requests to end early.
    pub stop: &'a Stop,
    /// Shows the progress.
    pub progress: ProgressBar,
}

impl Campaign<'_> {
    /// Runs the clients on the seed and on its variants, and reduces the findings.
    ///
    /// # Errors
    ///
    /// Returns [`CampaignError`].
    pub fn run(self) -> Result<Run, CampaignError> {
        let base = Base::of(self.subject);
        let campaign = Campaign { subject: &base.subject, ..self };
        campaign.run_on(&base, execute)
    }

    /// Runs the campaign with the variant of `choices` as the only one. The causes are the
    /// reductions of these choices.
    ///
    /// # Errors
    ///
    /// Returns [`CampaignError`].
    pub fn reduce(self, choices: &Choices) -> Result<Run, CampaignError> {
        let base = Base::of(self.subject);
        let translated = base.translate(self.subject, choices);
        let choices = translated.as_ref().unwrap_or(choices);
        let campaign = Campaign { subject: &base.subject, ..self };
        campaign.run_on(&base, |context| single(context, choices))
    }

    /// Runs the campaign on `base`, whose subject belongs to it, and adds the refused variants.
    fn run_on(
        self,
        base: &Base<'_>,
        execute: impl FnOnce(&Context<'_>) -> ExecutionResults,
    ) -> Result<Run, CampaignError> {
        let log = self.log;
        let mut run = self.run_with(base.given.as_ref(), execute)?;
        run.refused = base.subject.refused();
        for RefusedVariant { what, choices } in &run.refused {
            log.write(&Record::Refused { what: what.clone(), choices: choices.clone() });
        }
        log_error(log)?;
        Ok(run)
    }

    /// Runs the campaign with `execute` as its execution phase. `given` is the seed file if that is
    /// a variant of the subject's file.
    fn run_with(
        self,
        given: Option<&Variant>,
        execute: impl FnOnce(&Context<'_>) -> ExecutionResults,
    ) -> Result<Run, CampaignError> {
        let begun = Instant::now();
        let Self { subject, clients, settings, log, stop, progress, .. } = &self;
        let prior = log.prior_work();
        let started = prior.started.unwrap_or_else(SystemTime::now);
        let budget = Budget::new(stop, settings.time)
            .with_reduce_time(settings.reduce_time)
            .with_spent(prior.spent);
        self.log_run(given, started);
        progress.set_length(settings.variants as u64);
        progress.set_message("reading the seed");
        let reencoded = reencoded(*subject);
        let executors: Vec<ClientExecutor<'_>> = clients
            .iter()
            .map(|c| ClientExecutor::new(&**c, log, &budget).with_strict(settings.strict))
            .collect();
        let measured =
            measure(*subject, reencoded.as_ref(), given, &executors, settings.jobs, stop);
        self.log_clients(&measured.states, reencoded.as_ref());
        progress.set_message("");
        let sessions = self.sessions(&executors, &measured.states, reencoded.as_ref());
        let order = measured.slowest_first();
        let seed_edges = self.seed_edges(&executors, &sessions, given, reencoded.as_ref());
        let refuse_base = refuse_base(&measured.states);
        let context = Context {
            subject: *subject,
            given,
            clients,
            sessions: &sessions,
            seed_edges: &seed_edges,
            refuse_base: &refuse_base,
            order: &order,
            settings,
            log,
            budget: &budget,
            reached: prior.reached,
            progress,
        };
        let results = execute(&context);
        log_error(log)?;
        let mut results = with_places(results, clients);
        let stopped = stop.ends_variants();
        budget.begin_reduction();
        find_costly(&context, &mut results);
        let Triaged { causes, bases } = triage(&Evidence {
            subject: *subject,
            states: &measured.states,
            sessions: &sessions,
            costs: &measured.costs,
            results: &results,
            given,
            settings,
            budget: &budget,
            log,
            progress,
        });
        progress.finish_and_clear();
        log_error(log)?;
        drop(sessions);
        let (mut results, mut states) = (results, measured.states);
        let causes = self.without_failures(&executors, &states, &mut results, causes);
        for base in bases {
            base.compare_all(*subject, &mut results);
            states[base.client].derive_from(base.file());
        }
        let time_up = results.cut_short && !stopped;
        let stopped = stopped || stop.ends_reduction();
        let took = prior.spent + begun.elapsed();
        let end = End { stopped, time_up, started, took };
        Ok(self.finished(states, &results, causes, end))
    }

    /// Starts a session for each client that can be judged. The caches start with the files on which the baseline was
    /// measured.
    fn sessions<'s>(
        &'s self,
        executors: &'s [ClientExecutor<'s>],
        states: &'s [ClientState],
        reencoded: Option<&Variant>,
    ) -> Vec<Option<ClientSession<'s>>> {
        let session = |(executor, state): (&'s ClientExecutor<'s>, &'s ClientState)| {
            let baseline = state.baseline()?;
            let session = ClientSession::on_subject(executor, self.subject, baseline.reference());
            if baseline.reencoded.is_none() && !baseline.base_fails {
                session.assume_same(self.subject.seed_bytes());
            }
            if let Some(reencoded) = reencoded
                && (baseline.finding.is_none() || baseline.reencoded.is_some())
            {
                session.assume_same(&reencoded.bytes);
            }
            Some(session)
        };
        executors.iter().zip(states).map(session).collect()
    }

    /// Returns the edges of the seed for each client with a session that publishes them. A failure on our side drops
    /// the client later, like any other.
    fn seed_edges(
        &self,
        executors: &[ClientExecutor<'_>],
        sessions: &[Option<ClientSession<'_>>],
        given: Option<&Variant>,
        reencoded: Option<&Variant>,
    ) -> Vec<(ClientId, SeedEdges)> {
        let mut files = vec![self.subject.seed_bytes()];
        files.extend([given, reencoded].into_iter().flatten().map(|variant| &*variant.bytes));
        let clients = ClientId::all(executors.len()).zip(executors.iter().zip(sessions));
        let judged = clients.filter(|(_, (_, session))| session.is_some());
        judged
            .filter_map(|(id, (executor, _))| {
                Some((id, seed_edges(&files, executor)?.unwrap_or(SeedEdges::Missing)))
            })
            .collect()
    }

    /// Drops the clients that could not be run for a reason on our side, and removes their causes, because these may
    /// have the same reason.
    fn without_failures(
        &self,
        executors: &[ClientExecutor<'_>],
        states: &[ClientState],
        results: &mut ExecutionResults,
        mut causes: Vec<Cause>,
    ) -> Vec<Cause> {
        for (client, executor) in ClientId::all(executors.len()).zip(executors) {
            let Some(why) = executor.failure() else { continue };
            let told = matches!(states[client], ClientState::CannotRun(_));
            if !told && results.dropped.iter().all(|dropped| dropped.client != client) {
                let (name, why) = (executor.client.name().to_owned(), why.to_owned());
                self.log.write(&Record::Dropped { client: name, why: why.clone() });
                results.dropped.push(Omission { client, why });
            }
            causes.retain(|cause| cause.client != client);
        }
        causes
    }

    fn finished(
        self,
        states: Vec<ClientState>,
        results: &ExecutionResults,
        causes: Vec<Cause>,
        end: End,
    ) -> Run {
        let Self { subject, clients, settings, about, .. } = self;
        let summary = |(id, state): (ClientId, ClientState)| {
            ClientSummary::of(&*clients[id], id, state, results, &causes, subject)
        };
        Run {
            about,
            settings,
            picture: subject.picture().clone(),
            seed: subject.seed_bytes().to_vec(),
            own: subject.own_choices().clone(),
            dimensions: subject.dimensions().to_vec(),
            clients: ClientId::all(clients.len()).zip(states).map(summary).collect(),
            causes,
            variants: results.files,
            repeated: results.repeated,
            impossible: results.impossible,
            refused: Vec::new(),
            stopped: end.stopped,
            time_up: end.time_up,
            started: end.started,
            took: end.took,
            accepted: Default::default(),
        }
    }

    fn log_run(&self, given: Option<&Variant>, started: SystemTime) {
        let seed = given.map_or(self.subject.seed_bytes(), |given| &given.bytes);
        self.log.write(&Record::Run {
            format: FORMAT,
            repfuzz: env!("CARGO_PKG_VERSION").to_owned(),
            command: self.about.command.clone(),
            started: humantime::format_rfc3339_seconds(started).to_string(),
            seed_file: self.about.seed_file.clone(),
            seed_sha256: digest::hex(seed),
            picture: self.subject.picture().digest(),
            seed: self.settings.seed,
            variants: self.settings.variants,
            time: self.settings.time.map(|time| time.as_secs()),
            dimensions: self.subject.dimensions().to_vec(),
            restriction: self.settings.restriction.clone(),
        });
    }

    /// Logs the clients and their baselines.
    fn log_clients(&self, states: &[ClientState], reencoded: Option<&Variant>) {
        for (client, state) in self.clients.iter().zip(states) {
            self.log.write(&client_record(&**client, state, self.subject.picture()));
        }
        let Some(reencoded) = reencoded else { return };
        let info = VariantInfo::of(self.subject, reencoded);
        self.log.write(&Record::Variant {
            variant: 0,
            vary: "nothing".to_owned(),
            class: info.class,
            bytes: info.size,
            choices: info.choices,
        });
        for (client, state) in self.clients.iter().zip(states) {
            let Some(baseline) = state.baseline() else { continue };
            self.log.write(&reencoded_record(&**client, baseline));
        }
    }
}

/// Returns the clients that refuse the file from which variants derive.
fn refuse_base(states: &[ClientState]) -> Vec<ClientId> {
    let refuses = |client: &ClientId| {
        let baseline = states[*client].baseline().filter(|baseline| baseline.base_fails);
        let finding = baseline.and_then(|baseline| baseline.finding.as_ref());
        finding.is_some_and(|finding| finding.outcome == Outcome::Refused)
    };
    ClientId::all(states.len()).filter(refuses).collect()
}

/// Adds the places of the edges that only variants reach.
fn with_places(
    mut results: ExecutionResults,
    clients: &[Box<dyn Client + '_>],
) -> ExecutionResults {
    for (client, edges) in &mut results.edges {
        if let EdgeSummary::Known { beyond, places, .. } = edges
            && !beyond.is_empty()
        {
            *places = clients[*client].places(beyond);
        }
    }
    results
}

/// The reasons for the end of a campaign, and its times.
struct End {
    stopped: bool,
    time_up: bool,
    started: SystemTime,
    took: Duration,
}

fn log_error(log: &Log) -> Result<(), CampaignError> {
    log.error().map_or(Ok(()), |error| Err(CampaignError::Log(error)))
}

fn client_record(client: &dyn Client, state: &ClientState, canonical: &Picture) -> Record {
    let picture = state.baseline().map(|b| &b.seed);
    Record::Client {
        client: client.name().to_owned(),
        version: client.version().to_owned(),
        state: state.word().to_owned(),
        message: match state {
            ClientState::CannotRead { outcome, message }
            | ClientState::FailedOnce { outcome, message }
                if message.is_empty() =>
            {
                outcome.phrase().into()
            }
            ClientState::CannotRead { message, .. }
            | ClientState::FailedOnce { message, .. }
            | ClientState::CannotRun(message) => message.clone(),
            ClientState::Ready(_) | ClientState::Unsteady => String::new(),
        },
        picture: picture.map(Picture::digest),
        canonical: picture.map(|p| p == canonical),
        ignores: client.ignores().to_vec(),
    }
}

fn reencoded_record(client: &dyn Client, baseline: &Baseline) -> Record {
    let finding = baseline.finding.as_ref();
    Record::Result {
        variant: 0,
        client: client.name().to_owned(),
        outcome: finding.map_or(Outcome::Same, |f| f.outcome),
        difference: baseline.reencoded.as_ref().map(|got| classify(&baseline.seed, got)),
        again: finding.map(|f| f.again),
        flaky: finding.is_some_and(|f| f.flaky),
        picture: baseline.reencoded.as_ref().map(Picture::digest),
        message: finding.map(|f| f.message.clone()).unwrap_or_default(),
        worker: None,
        ms: 0,
    }
}
