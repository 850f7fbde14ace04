//! Triage of all clients at once.
//!
//! Each client's findings are triaged in the order of the plan, so causes do not depend on the number of threads. The
//! gate limits how many clients run at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;

use super::deduplicate::Triage;
use super::dependence::Dependence;
use super::enumerate_values::ObservedValues;
use super::finalize::finalize;
use super::read_base::ReadBase;
use super::readers::{Readers, add_readers};
use super::test_oracle::TestOracle;
use crate::client_session::ClientSession;
use crate::oracle::Outcome;
use crate::records::{
    Cause, ClientId, ClientState, Depth, ExecutionResults, Log, Row, WholeFile, explain_refusals,
    rank,
};
use crate::runtime::{Budget, Gate, map};
use crate::settings::Settings;
use equivalents::subject::{Class, Subject, Variant};

/// The findings of a campaign, with everything that reduces them.
pub struct Evidence<'a> {
    /// The seed.
    pub subject: &'a dyn Subject,
    /// The state of each client.
    pub states: &'a [ClientState],
    /// The session of each client; `None` for one that cannot be judged.
    pub sessions: &'a [Option<ClientSession<'a>>],
    /// The approximate duration of one run of each client.
    pub costs: &'a [Duration],
    /// The results on the variants.
    pub results: &'a ExecutionResults,
    /// The seed file, if it is a variant.
    pub given: Option<&'a Variant>,
    /// The number of threads, and the maximum number of reductions.
    pub settings: &'a Settings,
    /// Decides when to end.
    pub budget: &'a Budget,
    /// The log of runs.
    pub log: &'a Log,
    /// The progress bar.
    pub progress: &'a ProgressBar,
}

/// The causes of all findings.
pub struct Triaged {
    /// The causes, in the order of the report.
    pub causes: Vec<Cause>,
    /// The files from which causes derive, for clients that fail on the one from which variants derive.
    pub bases: Vec<ReadBase>,
}

/// Finds the causes of all findings.
pub fn triage(evidence: &Evidence<'_>) -> Triaged {
    let Evidence { subject, sessions, results, .. } = *evidence;
    let settings = evidence.settings;
    let (gate, waiting) = (Gate::new(settings.jobs), Gate::new(settings.waiting));
    let dependence = Dependence(&results.variants);
    let clients: Vec<ClientId> = ClientId::all(sessions.len()).collect();
    let reductions = Reductions::of(evidence);
    let found = map(clients.len(), &clients, |_, client| {
        let (Some(baseline), Some(session)) =
            (evidence.states[*client].baseline(), &sessions[*client])
        else {
            return (base_failure(evidence, *client).into_iter().collect(), None);
        };
        let oracle = TestOracle {
            subject,
            session,
            gate: if session.client.waits() { &waiting } else { &gate },
            cost: evidence.costs[*client],
            budget: evidence.budget,
            log: evidence.log,
        };
        let rows: Vec<&Row> = results.rows.iter().filter(|row| row.client == *client).collect();
        let triage_of = |oracle| {
            let reductions = evidence.settings.reductions;
            Triage::new(oracle, *client, &dependence, evidence.given, reductions)
        };
        let Some(base) = ReadBase::find(oracle, *client, baseline, &rows) else {
            let mut triage = triage_of(oracle);
            if let Some(finding) = &baseline.finding {
                triage.add_reencoded_seed(finding, baseline);
            }
            return (causes_of(triage, &rows, None, &reductions), None);
        };
        let rows: Vec<Row> = rows.iter().map(|row| base.compared(subject, row)).collect();
        let mut triage = triage_of(TestOracle { subject: base.subject(), ..oracle });
        triage.add_outside(base.single_failures());
        let rows = rows.iter().collect::<Vec<_>>();
        let causes = causes_of(triage, &rows, Some(base.failure()), &reductions);
        (causes, Some(base))
    });
    let (causes, bases): (Vec<Vec<Cause>>, Vec<Option<ReadBase>>) = found.into_iter().unzip();
    let mut causes: Vec<Cause> = causes.into_iter().flatten().collect();
    for cause in &mut causes {
        let session = sessions[cause.client].as_ref();
        let declared = session.map(|s| s.client.facts().unsupported).unwrap_or_default();
        cause.rate(subject, &declared, evidence.states[cause.client].baseline().is_some());
    }
    explain_refusals(&mut causes);
    rank(&mut causes, |client| {
        sessions[client].as_ref().map_or("", |session| session.client.name())
    });
    let (costs, jobs, budget) = (evidence.costs, settings.jobs, evidence.budget);
    add_readers(&Readers { sessions, costs, jobs, budget }, &mut causes);
    Triaged { causes, bases: bases.into_iter().flatten().collect() }
}

/// Returns the cause of a client that cannot be judged: its failure on the file from which variants derive. `None` if
/// the client could not be run at all.
fn base_failure(evidence: &Evidence<'_>, client: ClientId) -> Option<Cause> {
    let (outcome, depth, text) = match &evidence.states[client] {
        ClientState::CannotRead { outcome, message } => (*outcome, Depth::Minimal, message.clone()),
        ClientState::FailedOnce { outcome, message } => (*outcome, Depth::Flaky, message.clone()),
        ClientState::Unsteady => (Outcome::Wrong, Depth::Flaky, String::new()),
        ClientState::Ready(_) | ClientState::CannotRun(_) => return None,
    };
    Some(Cause {
        count: 1,
        whole: if evidence.given.is_some() { WholeFile::Plainest } else { WholeFile::SeedItself },
        file: evidence.subject.seed_bytes().to_vec(),
        message: text,
        ..Cause::empty(client, outcome.into(), depth, Class::Baseline)
    })
}

/// Shows how many differences are explained, and by how many causes.
struct Reductions<'a> {
    progress: &'a ProgressBar,
    causes: AtomicUsize,
}

impl<'a> Reductions<'a> {
    fn of(evidence: &Evidence<'a>) -> Self {
        let rows = evidence.results.rows.iter();
        evidence
            .progress
            .set_length(rows.filter(|row| row.outcome().is_difference()).count() as u64);
        evidence.progress.set_position(0);
        evidence.progress.set_message("differences reduced");
        Self { progress: evidence.progress, causes: AtomicUsize::new(0) }
    }

    /// Counts a finding that is explained, and the causes that it added.
    fn done(&self, causes: usize) {
        let all = self.causes.fetch_add(causes, Ordering::Relaxed) + causes;
        self.progress.inc(1);
        self.progress.set_message(match all {
            1 => "differences reduced, 1 cause".to_owned(),
            _ => format!("differences reduced, {all} causes"),
        });
    }
}

/// Returns the causes of one client, from its results `rows`, and from a failure `outside` the plan.
fn causes_of(
    mut triage: Triage<'_>,
    rows: &[&Row],
    outside: Option<&Row>,
    reductions: &Reductions<'_>,
) -> Vec<Cause> {
    let values = ObservedValues::of(
        triage.oracle.subject,
        rows.iter().copied().chain(outside).map(|row| &*row.info),
    );
    let mut findings: Vec<&Row> =
        rows.iter().copied().filter(|row| row.outcome().is_difference()).chain(outside).collect();
    // Findings that differ least from the seed come first: they are reduced with the fewest runs, and their causes
    // explain others.
    findings.sort_by_key(|row| row.info.choices.len());
    triage.explain_all(&findings, &|causes| reductions.done(causes));
    finalize(triage, rows, &values)
}
