//! Networks of unknowns: values for many unknowns that constraints connect, by bounds propagation.
//!
//! The input is a domain for each unknown and predicates over them; the output is one solution, drawn at random.
//! Differences along a chain (`a[i] <= a[i + 1]`), sums and small systems are solved without a theory solver, in time
//! nearly linear in the constraints. If a search is inconclusive within its effort, it reports this, and the caller
//! turns to Z3.
//!
//! - `build` turns predicates into constraints, with auxiliary unknowns for quotients, products and so on;
//!   `eliminate` adds sums that follow from pairs of others.
//! - `state` propagates bounds, in the order of `pending`; a trail restores them. `values` returns all values that the constraints on an
//!   unknown leave it: intervals and a residue.
//! - `part` splits the unknowns into parts that no constraint connects, and lists the solutions of a part if they
//!   are few. `search` solves one part after the other: a dead end of one undoes nothing of another. `pick` selects.

mod build;
mod constraint;
mod eliminate;
mod other;
mod part;
mod pending;
mod pick;
mod search;
mod state;
mod sum;
mod tables;
mod tree;
mod values;

#[cfg(test)]
mod tests;

pub use other::simplified;
pub use pick::{Pick, Preference};
pub use search::{FEW, Found};
pub use tables::Tables;

use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use constraint::Constraint;
use part::Node;
use state::Stop;

use super::domain::Domain;

/// Unknowns, numbered from 0, and the constraints on them.
#[derive(Debug)]
pub struct Network {
    /// The values of each unknown by itself: first those of the solved unknowns, then those of auxiliary ones, which
    /// stand for the remainders, quotients, products and so on in the predicates.
    domains: Vec<Domain>,
    /// The number of unknowns that are solved for.
    own: usize,
    /// For each solved unknown, the number of values that constraints on it alone, and alternatives, allow.
    alone: Vec<u128>,
    constraints: Vec<Constraint>,
    /// True for each constraint that ties an auxiliary unknown to others.
    defining: Vec<bool>,
    /// For each unknown, the constraints that mention it.
    watching: Vec<Vec<u32>>,
    /// The number of nodes below the root.
    nodes: AtomicUsize,
    /// The state before any choice, computed once.
    root: OnceLock<Result<Node, Stop>>,
}

impl Network {
    /// The number of unknowns that are solved for.
    pub fn unknowns(&self) -> usize {
        self.own
    }

    /// Returns true if these values, one for each unknown, satisfy all constraints.
    pub fn holds(&self, values: &[i128]) -> bool {
        let fits = values.len() == self.unknowns()
            && self.domains.iter().zip(values).all(|(domain, value)| domain.contains(*value))
            && self.constraints.iter().all(|c| !c.is_about(values.len()) || c.holds(values));
        // Auxiliary unknowns follow from the others.
        let auxiliary = self.domains.len() > self.own;
        fits && (!auxiliary || matches!(self.near(values), Found::Values(found) if found == values))
    }
}
