//! The constraints of a network.

use std::sync::Arc;

use smallvec::SmallVec;

use language::program::eval::holds_with;
use language::program::{Pred, Ref};

/// The unknowns of a sum with their coefficients, none of them 0, each unknown once.
pub type Terms = SmallVec<[(u32, i128); 2]>;

/// The arguments of a function with their values.
pub type Graph = Vec<(i128, i128)>;

/// Numbers the unknowns: `None` for a reference that is not an unknown.
pub type Number<'n> = &'n dyn Fn(&Ref) -> Option<u32>;

/// A constraint on numbered unknowns.
#[derive(Debug, Clone)]
pub enum Constraint {
    /// `least <= sum <= most`
    Sum {
        /// The sum.
        terms: Terms,
        /// Its least value.
        least: i128,
        /// Its greatest value.
        most: i128,
    },
    /// `sum != from`
    Differs {
        /// The sum.
        terms: Terms,
        /// The value that it does not have.
        from: i128,
    },
    /// `factors[0] * factors[1] == product`
    Product {
        /// The factors.
        factors: [u32; 2],
        /// Their product.
        product: u32,
    },
    /// `value` is a function of `of`.
    Table {
        /// The argument.
        of: u32,
        /// The value.
        value: u32,
        /// Each argument with its value, in ascending order.
        graph: Arc<Graph>,
    },
    /// One of these holds: each is a conjunction.
    Any(Vec<Vec<Constraint>>),
    /// A predicate of another form.
    Other(Box<Other>),
}

/// A predicate that is not a linear comparison.
#[derive(Debug, Clone)]
pub struct Other {
    /// The predicate.
    pub pred: Pred,
    /// Its unknowns.
    pub unknowns: Vec<(Ref, u32)>,
    /// True if other constraints narrow its unknowns, so that it only makes the final decision.
    pub decides_only: bool,
}

impl Other {
    /// Returns the number of the unknown that a reference is.
    pub fn number(&self, r: &Ref) -> Option<u32> {
        self.unknowns
            .iter()
            .find(|(own, _)| own.field == r.field && own.index == r.index)
            .map(|u| u.1)
    }
}

impl Constraint {
    /// Calls `visit` with each unknown, some of them more than once.
    pub fn unknowns(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Constraint::Sum { terms, .. } | Constraint::Differs { terms, .. } => {
                terms.iter().for_each(|(k, _)| visit(*k));
            }
            Constraint::Product { factors: [a, b], product } => {
                [*a, *b, *product].into_iter().for_each(visit);
            }
            Constraint::Table { of, value, .. } => [*of, *value].into_iter().for_each(visit),
            Constraint::Any(branches) => {
                branches.iter().flatten().for_each(|c| c.unknowns(visit));
            }
            Constraint::Other(other) => other.unknowns.iter().for_each(|(_, k)| visit(*k)),
        }
    }

    /// Returns true if it mentions the first `own` unknowns only.
    pub fn is_about(&self, own: usize) -> bool {
        let mut about = true;
        self.unknowns(&mut |k| about &= (k as usize) < own);
        about
    }

    /// Returns true if it holds for these values.
    pub fn holds(&self, values: &[i128]) -> bool {
        match self {
            Constraint::Sum { terms, least, most } => {
                let sum = sum(terms, values);
                *least <= sum && sum <= *most
            }
            Constraint::Differs { terms, from } => sum(terms, values) != *from,
            Constraint::Product { factors: [a, b], product } => {
                let of = |k: u32| values[k as usize];
                of(*a).checked_mul(of(*b)) == Some(of(*product))
            }
            Constraint::Table { of, value, graph } => {
                let at = |k: u32| values[k as usize];
                graph.binary_search(&(at(*of), at(*value))).is_ok()
            }
            Constraint::Any(branches) => {
                branches.iter().any(|all| all.iter().all(|c| c.holds(values)))
            }
            Constraint::Other(other) => {
                let value = |r: &Ref| values.get(other.number(r)? as usize).copied();
                holds_with(&other.pred, value) == Some(true)
            }
        }
    }
}

fn sum(terms: &Terms, values: &[i128]) -> i128 {
    let product = |(k, c): &(u32, i128)| c.saturating_mul(values[*k as usize]);
    terms.iter().map(product).fold(0, i128::saturating_add)
}
