//! Analyses a program by several clients at once.

use std::sync::Arc;
use std::time::Duration;

use canonical::{Place, Program};
use serde::Serialize;

use crate::confirm;
use crate::flow::client::Flow;
use crate::numbers::boxes::Boxes;
use crate::numbers::polyhedra::Polyhedra;
use crate::protocol::place::Segments;
use crate::protocol::server::{self, Outcome, Settings};
use crate::protocol::{Client, End, Formula, Verdict};
#[cfg(feature = "z3")]
use crate::symbolic::client::Symbolic;
use crate::unfold::{Limits, PointId, Unfolding};

/// The available clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Intervals.
    Box,
    /// Convex polyhedra.
    Polyhedra,
    /// Symbolic execution.
    #[cfg(feature = "z3")]
    Symbolic,
}

impl Kind {
    /// The name: `box`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Box => "box",
            Self::Polyhedra => "polyhedra",
            #[cfg(feature = "z3")]
            Self::Symbolic => "symbolic",
        }
    }

    /// Returns true if the client follows one path after the other.
    pub fn executes_paths(self) -> bool {
        !matches!(self, Self::Box | Self::Polyhedra)
    }

    /// Returns the reason why the client cannot be used here, if there is one.
    pub fn unusable(self) -> Option<String> {
        match self {
            Self::Box | Self::Polyhedra => None,
            #[cfg(feature = "z3")]
            Self::Symbolic => z3::load().err().map(|why| why.to_string()),
        }
    }

    /// All clients of this build.
    pub const ALL: &'static [Self] = &[
        Self::Box,
        Self::Polyhedra,
        #[cfg(feature = "z3")]
        Self::Symbolic,
    ];
}

/// Settings of an analysis.
#[derive(Debug, Clone)]
pub struct Options {
    /// The clients.
    pub clients: Vec<Kind>,
    /// The function in which execution begins.
    pub entry: String,
    /// The run.
    pub run: Settings,
    /// Bounds of the graph.
    pub limits: Limits,
    /// The session that the clients join, if they do not run in this process.
    #[cfg(feature = "nats")]
    pub nats: Option<crate::nats::Session>,
}

impl Default for Options {
    fn default() -> Self {
        let run = Settings { time: Duration::from_secs(60), ..Settings::default() };
        Self {
            clients: Kind::ALL.to_vec(),
            entry: "main".to_owned(),
            run,
            limits: Limits::default(),
            #[cfg(feature = "nats")]
            nats: None,
        }
    }
}

/// The verdict on an assertion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Known {
    /// No run fails it, according to these clients.
    Proved {
        /// The clients.
        by: Vec<&'static str>,
    },
    /// The run on these inputs fails it.
    Refuted {
        /// The client that found them.
        by: &'static str,
        /// The inputs, in the order in which the program reads them.
        inputs: Vec<i128>,
    },
    /// Neither.
    Unknown,
}

/// An assertion of the source text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The place.
    pub place: Option<Place>,
    /// The outcome.
    pub known: Known,
}

/// The result of an analysis.
#[derive(Debug)]
pub struct Analysis {
    /// The program's graph.
    pub unfolding: Arc<Unfolding>,
    /// Segments of variables.
    pub segments: Arc<Segments>,
    /// The assertions, ordered by place. Assertions at the same place count as one.
    pub assertions: Vec<Checked>,
    /// The outcome of each assertion of the graph, in the order of the graph.
    pub each: Vec<Known>,
    /// The run of the clients.
    pub outcome: Outcome,
}

impl Analysis {
    /// Returns true if there are assertions, each was reached by an analysis that covers all runs, and none can fail.
    pub fn proved(&self) -> bool {
        !self.assertions.is_empty()
            && self.unfolding.remarks.is_empty()
            && self.assertions.iter().all(|checked| matches!(checked.known, Known::Proved { .. }))
    }

    /// Returns true if an assertion is refuted.
    pub fn refuted(&self) -> bool {
        self.assertions.iter().any(|checked| matches!(checked.known, Known::Refuted { .. }))
    }

    /// Invariants at the heads of loops: the place of each head, the client, and the invariant. If a loop has several
    /// contexts, each has a separate entry.
    pub fn loops(&self) -> Vec<(Option<Place>, &'static str, &Formula)> {
        let mut found = Vec::new();
        for (k, _) in self.unfolding.head.iter().enumerate().filter(|(_, head)| **head) {
            let (context, node) =
                self.unfolding.node(PointId(u32::try_from(k).unwrap_or(u32::MAX)));
            let place = self.unfolding.graph(context).node(node).place;
            for (name, report) in &self.outcome.reports {
                if let Some(invariant) = report.invariants.get(k) {
                    found.push((place, *name, invariant));
                }
            }
        }
        found.sort_by_key(|(place, name, _)| (*place, *name));
        found
    }

    /// The ends of the clients.
    pub fn ends(&self) -> impl Iterator<Item = (&'static str, End)> {
        self.outcome.reports.iter().map(|(name, report)| (*name, report.end))
    }
}

/// Analyses a program.
///
/// # Errors
/// Returns an error if the program does not have the function where execution begins, or if clients in other processes
/// cannot be reached.
pub fn analyse(program: Arc<Program>, options: &Options) -> Result<Analysis, String> {
    let (unfolding, segments) = prepare(program, options)?;
    #[cfg(feature = "nats")]
    if let Some(session) = &options.nats {
        let names: Vec<_> = options.clients.iter().map(|kind| kind.name()).collect();
        let remote = crate::nats::seats(session, &names, &unfolding, &segments, options.run);
        let crate::nats::Remote { seats, guard } = remote.map_err(|why| why.to_string())?;
        let outcome = server::run_seats(seats, unfolding.assertions.len(), options.run);
        drop(guard);
        return Ok(judge(unfolding, segments, outcome));
    }
    let alone = !options.run.communicate || options.clients.len() < 2;
    let clients =
        options.clients.iter().map(|kind| client(*kind, &unfolding, &segments, alone)).collect();
    Ok(analyse_with(unfolding, segments, clients, options.run))
}

/// The graph and the segments of a program.
///
/// # Errors
/// As [`analyse`].
pub fn prepare(
    program: Arc<Program>,
    options: &Options,
) -> Result<(Arc<Unfolding>, Arc<Segments>), String> {
    let segments = Arc::new(Segments::new(&program));
    Ok((Arc::new(Unfolding::new(program, &options.entry, options.limits)?), segments))
}

/// A client.
pub fn client(
    kind: Kind,
    unfolding: &Arc<Unfolding>,
    segments: &Arc<Segments>,
    alone: bool,
) -> Box<dyn Client> {
    match kind {
        Kind::Box => Box::new(Flow::<Boxes>::new(unfolding.clone(), segments.clone(), alone)),
        Kind::Polyhedra => {
            Box::new(Flow::<Polyhedra>::new(unfolding.clone(), segments.clone(), alone))
        }
        #[cfg(feature = "z3")]
        Kind::Symbolic => Box::new(Symbolic::new(unfolding.clone(), segments.clone())),
    }
}

/// Analyses a program with any clients.
pub fn analyse_with(
    unfolding: Arc<Unfolding>,
    segments: Arc<Segments>,
    clients: Vec<Box<dyn Client>>,
    settings: Settings,
) -> Analysis {
    let outcome = server::run(clients, unfolding.assertions.len(), settings);
    judge(unfolding, segments, outcome)
}

/// The result of a run.
pub fn judge(unfolding: Arc<Unfolding>, segments: Arc<Segments>, outcome: Outcome) -> Analysis {
    let mut assertions: Vec<Checked> = Vec::new();
    let each: Vec<Known> =
        (0..unfolding.assertions.len()).map(|k| known(&unfolding, &outcome, k)).collect();
    for (assertion, known) in unfolding.assertions.iter().zip(each.iter().cloned()) {
        match assertions.iter_mut().find(|checked| checked.place == assertion.place) {
            Some(checked) => checked.known = both(checked.known.clone(), known),
            None => assertions.push(Checked { place: assertion.place, known }),
        }
    }
    // A function that nothing calls may still be called, and was not analysed.
    for (place, _) in &unfolding.unreached {
        match assertions.iter_mut().find(|checked| checked.place == *place) {
            Some(checked) => checked.known = both(checked.known.clone(), Known::Unknown),
            None => assertions.push(Checked { place: *place, known: Known::Unknown }),
        }
    }
    assertions.sort_by_key(|checked| checked.place);
    Analysis { unfolding, segments, assertions, each, outcome }
}

/// The outcome of one assertion of the graph.
fn known(unfolding: &Unfolding, outcome: &Outcome, k: usize) -> Known {
    let (context, node) = unfolding.node(unfolding.assertions[k].point);
    let place = (unfolding.context(context).function, node);
    let entry = unfolding.contexts[0].function;
    let mut by = Vec::new();
    for (name, report) in &outcome.reports {
        match &report.verdicts[k] {
            Verdict::Proved => by.push(*name),
            Verdict::Refuted(inputs) => {
                let (failure, inputs) = confirm::run(&unfolding.program, entry, inputs);
                if failure == Some(place) {
                    return Known::Refuted { by: name, inputs };
                }
            }
            Verdict::Unknown => {}
        }
    }
    if by.is_empty() || !unfolding.remarks.is_empty() {
        Known::Unknown
    } else {
        Known::Proved { by }
    }
}

/// Returns the outcome of an assertion of the text that corresponds to two in the graph.
pub fn both(a: Known, b: Known) -> Known {
    match (a, b) {
        (refuted @ Known::Refuted { .. }, _) | (_, refuted @ Known::Refuted { .. }) => refuted,
        (Known::Unknown, _) | (_, Known::Unknown) => Known::Unknown,
        (Known::Proved { by: a }, Known::Proved { by: b }) => {
            // Clients may have shared the work.
            let mut by: Vec<_> = a;
            by.extend(b);
            by.sort_unstable();
            by.dedup();
            Known::Proved { by }
        }
    }
}
