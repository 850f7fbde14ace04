//! The client of an abstract domain. It computes a fixed point by chaotic iteration (Cousot and Cousot, 1977), and asks
//! other clients at points at which precision is lost.
//!
//! Each point has two states. The *own* state is computed from the states of its predecessors, and is sent to others.
//! The *used* state is the own state restricted by the answers of others; its successors are computed from it. Own
//! states only grow. If all clients have fixed points, they cannot miss an execution: at the first point whose used
//! state would exclude it, all own states include it, and so do all answers.
//!
//! Widening is not monotone, so a fixed point from smaller states may be larger. Therefore the client computes two
//! fixed points, the first one without answers, and knows the conjunction of both. The first one also remains valid if
//! others cannot be trusted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use canonical::{Binary, Expr};

use super::exchange;
use super::state::State;
use super::transfer::{self, Transfer};
use crate::numbers::{Interval, Numbers};
use crate::protocol::place::{self, Segments};
use crate::protocol::{Client, Dereference, End, Formula, Progress, Report, Server, Spot, Verdict};
use crate::unfold::memory::CellId;
use crate::unfold::{ContextId, PointId, Unfolding};

/// The number of points that a step computes. Steps of other clients take longer.
const STEP: usize = 16;
/// The number of visits of the head of a loop before the loop is widened.
const DELAY: u32 = 3;
/// After this number of visits that grow the state of a point, the state represents any memory.
const MOST: u32 = 2_000;
/// After this number of questions at a point, answers are no longer used there. Answers grow, so this ensures
/// termination.
const QUESTIONS: u32 = 2_000;
/// The maximum number of cells in a question.
const WANTED: usize = 24;

/// A client.
#[derive(Debug)]
pub struct Flow<N> {
    unfolding: Arc<Unfolding>,
    segments: Arc<Segments>,
    ranges: Vec<Interval>,
    thresholds: Vec<i128>,
    own: Vec<Option<State<N>>>,
    used: Vec<Option<State<N>>>,
    visits: Vec<u32>,
    questions: Vec<u32>,
    /// Points to compute, by rank; each with true if it must ask again.
    queue: BTreeSet<(u32, PointId)>,
    /// Points at which an answer excluded something.
    restricted: BTreeSet<PointId>,
    /// The cells that were asked about at each point.
    wanted: BTreeMap<PointId, BTreeMap<Dereference, CellId>>,
    /// The states of the fixed point without answers, once it is complete and the second one has begun.
    base: Option<Vec<Option<State<N>>>>,
    /// True if the client no longer uses answers.
    alone: bool,
    finished: bool,
}

impl<N: Numbers> Flow<N> {
    /// Creates a client. If `alone`, it never asks.
    pub fn new(unfolding: Arc<Unfolding>, segments: Arc<Segments>, alone: bool) -> Self {
        let ranges = transfer::ranges(&unfolding);
        let n = unfolding.points.len();
        let thresholds = thresholds(&unfolding);
        let mut new = Self {
            unfolding,
            segments,
            ranges,
            thresholds,
            own: Vec::new(),
            used: Vec::new(),
            visits: Vec::new(),
            questions: vec![0; n],
            queue: BTreeSet::new(),
            restricted: BTreeSet::new(),
            wanted: BTreeMap::new(),
            base: None,
            alone,
            finished: false,
        };
        new.begin();
        new
    }

    /// Begins a fixed point.
    fn begin(&mut self) {
        let n = self.unfolding.points.len();
        (self.own, self.used, self.visits) = (vec![None; n], vec![None; n], vec![0; n]);
        let entry = self.unfolding.entry();
        self.queue.insert((self.unfolding.rank[entry.0 as usize], entry));
    }

    /// Returns the join of the states that predecessors have for a point.
    fn incoming(&self, point: PointId) -> Option<State<N>> {
        let transfer = Transfer { unfolding: &self.unfolding, ranges: &self.ranges };
        let mut found: Option<State<N>> =
            (point == self.unfolding.entry()).then(|| transfer.initial());
        for link in &self.unfolding.incoming[point.0 as usize] {
            let link = &self.unfolding.links[*link as usize];
            let before = self.used[link.from.0 as usize].as_ref();
            let Some(state) = before.and_then(|before| transfer.apply(link, before)) else {
                continue;
            };
            found = Some(match found {
                Some(known) => known.join(&state, &self.ranges),
                None => state,
            });
        }
        found
    }

    /// Computes a point anew.
    fn update(&mut self, point: PointId, server: &mut dyn Server) {
        let k = point.0 as usize;
        let Some(new) = self.incoming(point) else { return };
        let grown = match &self.own[k] {
            None => Some(new),
            Some(old) if new.within(old, &self.ranges) => None,
            Some(old) => {
                let joined = old.join(&new, &self.ranges);
                let late = self.unfolding.head[k] && self.visits[k] >= DELAY;
                let wider =
                    if late { old.widen(&joined, &self.thresholds, &self.ranges) } else { joined };
                Some(if self.visits[k] > MOST { State::top() } else { wider })
            }
        };
        if let Some(grown) = grown {
            self.visits[k] += 1;
            self.own[k] = Some(grown);
            if self.base.is_some() {
                server.on_location_outdated(&place::spot(&self.unfolding, point));
            }
        }
        let Some(own) = self.own[k].clone() else { return };
        let Some(used) = self.restrict(point, own, server) else { return };
        let next = match &self.used[k] {
            None => used,
            Some(old) if used.within(old, &self.ranges) => return,
            Some(old) => old.join(&used, &self.ranges),
        };
        self.used[k] = Some(next);
        for link in &self.unfolding.outgoing[k] {
            let to = self.unfolding.links[*link as usize].to;
            self.queue.insert((self.unfolding.rank[to.0 as usize], to));
        }
    }

    /// The memories of a state that others do not exclude.
    fn restrict(
        &mut self,
        point: PointId,
        own: State<N>,
        server: &mut dyn Server,
    ) -> Option<State<N>> {
        let k = point.0 as usize;
        let few = self.unfolding.incoming[k].len() < 2;
        if self.base.is_none() || few || self.questions[k] >= QUESTIONS {
            return Some(own);
        }
        let cells = self.asked(point);
        if cells.is_empty() {
            return Some(own);
        }
        self.questions[k] += 1;
        let wanted: Vec<Dereference> = cells.keys().cloned().collect();
        let answer = server.get_values(&place::spot(&self.unfolding, point), &wanted);
        if answer == Formula::True {
            return Some(own);
        }
        let used = exchange::meet(&own, &answer, &cells, &self.ranges);
        if used.as_ref().is_none_or(|used| !own.within(used, &self.ranges)) {
            self.restricted.insert(point);
        }
        used
    }

    /// Returns the cells of a question at a point: those that the function can name.
    fn asked(&mut self, point: PointId) -> BTreeMap<Dereference, CellId> {
        if let Some(known) = self.wanted.get(&point) {
            return known.clone();
        }
        let (context, _) = self.unfolding.node(point);
        let cells = place::named(&self.unfolding, context).into_iter();
        let named = cells.filter_map(|cell| {
            Some((place::dereference(&self.unfolding, &self.segments, cell)?, cell))
        });
        let wanted: BTreeMap<_, _> = named.take(WANTED).collect();
        self.wanted.insert(point, wanted.clone());
        wanted
    }

    /// Returns to the fixed point without answers, and uses none from now on (2.1, *safety outdate*).
    fn outdate(&mut self) {
        self.alone = true;
        if let Some(base) = self.base.take() {
            (self.own, self.used) = (base.clone(), base);
            self.queue.clear();
            self.restricted.clear();
        }
    }

    /// Returns the points of which less is known if only the fixed point without answers counts.
    fn beyond_own(&self) -> Vec<PointId> {
        let points = self.base.iter().flatten().zip(&self.own).zip(0..);
        let beyond = points.filter(|((base, own), _)| match (base, own) {
            (Some(base), Some(own)) => !base.within(own, &self.ranges),
            (base, None) => base.is_some(),
            (None, Some(_)) => false,
        });
        beyond.map(|(_, k)| PointId(k)).collect()
    }

    /// Returns a formula for the knowledge about a point: the state, and what holds without answers.
    fn known(&self, k: usize, state: &State<N>, names: &BTreeMap<CellId, Dereference>) -> Formula {
        let found = exchange::describe(state, names, &self.ranges);
        match self.base.as_ref().map(|base| &base[k]) {
            None => found,
            Some(None) => Formula::False,
            Some(Some(base)) if state.within(base, &self.ranges) => found,
            Some(Some(base)) => {
                Formula::and(vec![exchange::describe(base, names, &self.ranges), found])
            }
        }
    }

    /// Returns true if no run fails an assertion.
    fn verdict(&self, point: PointId, condition: Option<&Expr>) -> Verdict {
        let transfer = Transfer { unfolding: &self.unfolding, ranges: &self.ranges };
        let (context, _) = self.unfolding.node(point);
        let fails = |states: &Vec<Option<State<N>>>| match (&states[point.0 as usize], condition) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some(state), Some(condition)) => {
                transfer.assume(state.clone(), context, condition, false).is_some()
            }
        };
        let may_fail = fails(&self.used) && self.base.as_ref().is_none_or(fails);
        if may_fail { Verdict::Unknown } else { Verdict::Proved }
    }

    /// The names of a context's cells.
    fn names(&self, context: ContextId) -> BTreeMap<CellId, Dereference> {
        let cells = place::named(&self.unfolding, context).into_iter();
        cells
            .filter_map(|cell| {
                Some((cell, place::dereference(&self.unfolding, &self.segments, cell)?))
            })
            .collect()
    }
}

impl<N: Numbers> Client for Flow<N> {
    fn name(&self) -> &'static str {
        N::NAME
    }

    fn step(&mut self, server: &mut dyn Server) -> Progress {
        if self.finished {
            return Progress::Finished;
        }
        let mut worked = false;
        for _ in 0..STEP {
            let Some((_, point)) = self.queue.pop_first() else { break };
            self.update(point, server);
            worked = true;
        }
        if self.queue.is_empty() && self.base.is_none() && !self.alone {
            self.base = Some(std::mem::take(&mut self.used));
            self.begin();
        }
        if worked {
            // The updates of this step are exchanged before the end is decided.
            return Progress::Worked;
        }
        if self.restricted.is_empty() || server.is_memory_over_approximated() {
            // Without restrictions, nothing depends on answers of others.
            self.finished = true;
            return Progress::Finished;
        }
        if !server.can_improve_memory_over_approximation() {
            for point in self.beyond_own() {
                server.on_location_outdated(&place::spot(&self.unfolding, point));
            }
            self.outdate();
            return Progress::Worked;
        }
        Progress::Waits
    }

    fn get_values(&mut self, spot: &Spot, wanted: &[Dereference]) -> String {
        if self.base.is_none() && !self.alone {
            // While there is no answer to rely on, nothing is reached yet.
            return Formula::False.to_string();
        }
        let mut found = Vec::new();
        for point in place::points(&self.unfolding, spot) {
            let Some(state) = &self.own[point.0 as usize] else { continue };
            let (context, _) = self.unfolding.node(point);
            let cells = wanted.iter().filter_map(|of| {
                Some((place::cell(&self.unfolding, &self.segments, context, of)?, of.clone()))
            });
            found.push(self.known(point.0 as usize, state, &cells.collect()));
            if found.len() > 8 {
                return "true".to_owned();
            }
        }
        Formula::or(found).to_string()
    }

    fn on_location_outdated(&mut self, spot: &Spot) {
        for point in place::points(&self.unfolding, spot) {
            let k = point.0 as usize;
            if self.questions[k] > 0 && !self.alone {
                self.queue.insert((self.unfolding.rank[k], point));
            }
        }
    }

    fn is_memory_over_approximated(&mut self) -> bool {
        self.queue.is_empty()
    }

    fn can_improve_memory_over_approximation(&mut self) -> bool {
        !self.queue.is_empty()
    }

    fn conclude(&mut self) {
        if !self.finished {
            self.outdate();
        }
    }

    fn report(&mut self) -> Report {
        let assertions = &self.unfolding.assertions;
        if !self.finished {
            let invariants = vec![Formula::True; self.unfolding.points.len()];
            return Report {
                end: End::TimeOut,
                verdicts: vec![Verdict::Unknown; assertions.len()],
                invariants,
            };
        }
        let verdicts =
            assertions.iter().map(|a| self.verdict(a.point, a.condition.as_ref())).collect();
        let mut invariants = Vec::new();
        for (k, context) in self.unfolding.points.iter().enumerate() {
            invariants.push(match &self.used[k] {
                Some(state) => self.known(k, state, &self.names(*context)),
                None => Formula::False,
            });
        }
        Report { end: End::Success, verdicts, invariants }
    }
}

/// Returns the constants of a program and their neighbours, at which widening stops.
fn thresholds(unfolding: &Unfolding) -> Vec<i128> {
    let mut found = BTreeSet::from([-1, 0, 1]);
    if !unfolding.limits.thresholds {
        return found.into_iter().collect();
    }
    canonical::walk::program(&unfolding.program, &mut |expr| {
        if let canonical::ExprKind::Int(value) = expr.kind {
            found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
        }
        if let canonical::ExprKind::Binary(Binary::Remainder, _, by) = &expr.kind
            && let Some(by) = by.constant()
        {
            found.extend([by.saturating_neg(), by]);
        }
    });
    found.into_iter().collect()
}
