//! The parts of a network: unknowns that constraints connect once everything is propagated. The solutions of a part are
//! listed if there are few.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::Network;
use super::constraint::Constraint;
use super::state::{State, Stop};
use super::tree::Branch;
use crate::domain::Domain;
use crate::evenly::Solutions;

/// The maximum number of solutions of a part that are listed.
const LISTED: usize = 1 << 9;
/// The maximum number of unknowns of such a part, and of a part that has a tree.
pub(super) const LIST_UNKNOWNS: usize = 64;
/// The effort of listing the solutions of a network's parts, in visited terms of sums: the total for all parts, and the
/// minimum for each.
const EFFORT: (u64, u64) = (1 << 17, 1 << 9);
/// The maximum number of values of an unknown that are listed.
const MOST_VALUES: u128 = 1 << 16;

/// A state and its parts. The first state is the one before any choice.
#[derive(Debug)]
pub struct Node {
    /// The bounds of each unknown.
    pub bounds: Vec<(i128, i128)>,
    /// Values within them that an unknown cannot have.
    pub holes: Vec<(u32, i128)>,
    /// The parts.
    pub parts: Vec<Part>,
    /// True if all parts together have few solutions, computed once.
    pub few: OnceLock<bool>,
}

/// Unknowns that constraints connect, and that have more than one value.
#[derive(Debug, Default)]
pub struct Part {
    /// The unknowns that are solved for, ascending.
    pub own: Vec<u32>,
    /// The positions of its unknowns in the order in which they are decided: those with the fewest values by themselves
    /// first.
    pub order: Vec<usize>,
    /// The auxiliary ones.
    pub auxiliary: Vec<u32>,
    /// For each of `own`, what each of its values leaves for the others; `None` if it has many values.
    pub branches: Vec<OnceLock<Option<Branch>>>,
    /// For each of `own`, the values that its constraints allow.
    domains: Vec<OnceLock<Domain>>,
    listed: OnceLock<Option<Solutions>>,
}

impl Node {
    /// Returns true if an unknown has one value in all solutions.
    pub fn is_fixed(&self, unknown: u32) -> bool {
        let (lo, hi) = self.bounds[unknown as usize];
        lo == hi
    }
}

impl Network {
    /// Returns the state before any choice.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`] if there is no solution, or propagation takes too long.
    pub(super) fn root(&self) -> Result<&Node, Stop> {
        let root = || {
            let state = State::new(self, self.effort())?;
            let parts = self.parts(&state, None);
            Ok(state.into_node(parts))
        };
        self.root.get_or_init(root).as_ref().map_err(|stop| *stop)
    }

    /// Returns the parts of a state, or those formed by the unknowns of a part.
    pub(super) fn parts(&self, state: &State<'_>, within: Option<&Part>) -> Vec<Part> {
        let mut groups = Groups((0..self.domains.len() as u32).collect());
        for c in self.constraints.iter().filter(|c| !state.always_holds(c)) {
            let mut first = None;
            c.unknowns(&mut |k| {
                if !state.is_fixed(k as usize) {
                    groups.join(*first.get_or_insert(k), k);
                }
            });
        }
        let mut places = vec![None; self.domains.len()];
        let mut parts: Vec<Part> = Vec::new();
        let all: Vec<u32> = match within {
            Some(part) => part.own.iter().chain(&part.auxiliary).copied().collect(),
            None => (0..self.domains.len() as u32).collect(),
        };
        for k in all.into_iter().filter(|k| !state.is_fixed(*k as usize)) {
            let at = *places[groups.of(k) as usize].get_or_insert_with(|| {
                parts.push(Part::default());
                parts.len() - 1
            });
            match (k as usize) < self.own {
                true => parts[at].own.push(k),
                false => parts[at].auxiliary.push(k),
            }
        }
        for part in &mut parts {
            part.order = (0..part.own.len()).collect();
            part.order.sort_by_key(|at| self.alone[part.own[*at] as usize]);
            part.branches = part.own.iter().map(|_| OnceLock::new()).collect();
            part.domains = part.own.iter().map(|_| OnceLock::new()).collect();
        }
        parts
    }

    /// Returns the values that the constraints allow for an unknown of a part, given by position.
    pub(super) fn domain<'n>(&self, node: &Node, part: &'n Part, at: usize) -> &'n Domain {
        part.domains[at].get_or_init(|| State::at(self, node, 0).values(part.own[at] as usize))
    }

    /// Returns all solutions of a part, as values of [`Part::own`], if there are few.
    pub(super) fn listed<'r>(&self, root: &'r Node, part: &'r Part) -> Option<&'r Solutions> {
        let list = || {
            if part.own.len() > LIST_UNKNOWNS || self.has_many(root, part) {
                return None;
            }
            let effort = (EFFORT.0 / root.parts.len() as u64).max(EFFORT.1);
            let mut state = State::at(self, root, effort);
            let mut out = Vec::new();
            self.list(&mut state, part, &mut out).is_continue().then(|| Solutions::new(out))
        };
        part.listed.get_or_init(list).as_ref()
    }

    /// Returns true if there are few solutions in total. Each solution is then drawn about equally often; otherwise
    /// each value of an unknown is.
    pub(super) fn are_few(&self, root: &Node) -> bool {
        let count = |n: usize, part| Some(n * self.listed(root, part)?.all().len());
        let all =
            || root.parts.iter().try_fold(1, |n, part| count(n, part).filter(|n| *n <= LISTED));
        *root.few.get_or_init(|| all().is_some())
    }

    /// Returns true if a part seems to have more solutions than are listed, because a single unknown has more values
    /// beside some values of the others.
    fn has_many(&self, root: &Node, part: &Part) -> bool {
        let mut state = State::at(self, root, EFFORT.1 * part.own.len() as u64);
        while let Some(k) = self.fewest(&state, &part.own) {
            let values = state.values(k as usize);
            let open = part.own.iter().filter(|k| !state.is_fixed(**k as usize)).count();
            if open == 1 {
                return values.quotients().len() > LISTED as u128;
            }
            // Options are usually ordered so that the last one leaves the most freedom.
            let Some((_, last)) = values.ends() else { return false };
            if state.fix(k as usize, last).is_err() {
                return false;
            }
        }
        false
    }

    /// Returns the open unknown with the fewest values among several.
    pub(super) fn fewest(&self, state: &State<'_>, of: &[u32]) -> Option<u32> {
        let open = of.iter().copied().filter(|k| !state.is_fixed(*k as usize));
        open.min_by_key(|k| state.count(*k as usize))
    }

    /// Adds the solutions of a part from a state on; breaks if there are too many.
    fn list(
        &self,
        state: &mut State<'_>,
        part: &Part,
        out: &mut Vec<Vec<i128>>,
    ) -> ControlFlow<()> {
        // Auxiliary unknowns come last, because they have one value for each solution of the others.
        let next = self.fewest(state, &part.own).or_else(|| self.fewest(state, &part.auxiliary));
        let Some(unknown) = next else {
            out.push(part.own.iter().map(|k| state.bounds(*k as usize).0).collect());
            return if out.len() <= LISTED {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            };
        };
        let mark = state.mark();
        // Alternatives that are far apart, such as color masks, are codes: each should come up as often as the others,
        // however many solutions it has.
        let (lo, hi) = state.bounds(unknown as usize);
        let far = hi.abs_diff(lo) > MOST_VALUES && !state.is_factor(unknown);
        let values = state.values(unknown as usize).members(MOST_VALUES).filter(|_| !far);
        let Some(values) = values else { return ControlFlow::Break(()) };
        for value in values {
            match state.fix(unknown as usize, value) {
                Ok(()) => self.list(state, part, out)?,
                Err(Stop::Dead) => {}
                Err(Stop::Spent) => return ControlFlow::Break(()),
            }
            state.restore(mark);
        }
        ControlFlow::Continue(())
    }
}

impl State<'_> {
    /// Returns true if a constraint holds for all values of its unknowns within their bounds.
    fn always_holds(&self, c: &Constraint) -> bool {
        match c {
            Constraint::Sum { terms, least, most } => {
                self.extremes(terms).is_some_and(|(lo, hi)| *least <= lo && hi <= *most)
            }
            Constraint::Differs { terms, from } => {
                self.extremes(terms).is_some_and(|(lo, hi)| *from < lo || hi < *from)
            }
            Constraint::Any(branches) => {
                branches.iter().any(|all| all.iter().all(|c| self.always_holds(c)))
            }
            Constraint::Product { .. } | Constraint::Table { .. } | Constraint::Other(_) => false,
        }
    }
}

/// Groups of unknowns, as a forest: each unknown points to another one of its group, or to itself.
struct Groups(Vec<u32>);

impl Groups {
    /// Returns the representative of a group.
    fn of(&mut self, mut k: u32) -> u32 {
        while self.0[k as usize] != k {
            let next = self.0[self.0[k as usize] as usize];
            self.0[k as usize] = next;
            k = next;
        }
        k
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
