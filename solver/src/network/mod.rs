//! Networks of unknowns: values for many unknowns that constraints connect, by bounds propagation.
//!
//! The input is a domain for each unknown and predicates over them; the output is one solution, drawn at
//! random, or all of them if they are few. Differences along a chain (`a[i] <= a[i + 1]`), sums and small
//! systems are solved without a solver of theories, in time nearly linear in the constraints. A search that
//! is not conclusive within its effort says so: the caller then turns to Z3.

mod build;
mod constraint;
mod search;
mod state;
mod tables;

#[cfg(test)]
mod tests;

pub use search::{Found, Preference};
pub use tables::Tables;

use constraint::Constraint;

use super::domain::Domain;

/// Unknowns, numbered from 0, and the constraints on them.
#[derive(Debug)]
pub struct Network {
    /// The values of each unknown by itself: of those that are solved for, then of auxiliary ones, which
    /// stand for the remainders, quotients, products and so on in the predicates.
    domains: Vec<Domain>,
    /// The number of unknowns that are solved for.
    own: usize,
    constraints: Vec<Constraint>,
    /// For each unknown, the constraints that mention it.
    watching: Vec<Vec<u32>>,
}

impl Network {
    /// The number of unknowns that are solved for.
    pub fn unknowns(&self) -> usize {
        self.own
    }

    /// Returns true if these values, one for each unknown, satisfy everything.
    pub fn holds(&self, values: &[i128]) -> bool {
        let fits = values.len() == self.unknowns()
            && self.domains.iter().zip(values).all(|(domain, value)| domain.contains(*value))
            && self.constraints.iter().all(|c| !c.is_about(values.len()) || c.holds(values));
        // Auxiliary unknowns follow from the others.
        let auxiliary = self.domains.len() > self.own;
        fits && (!auxiliary || matches!(self.near(values), Found::Values(found) if found == values))
    }
}
