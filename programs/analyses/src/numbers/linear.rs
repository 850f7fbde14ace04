//! Linear forms with an interval as their constant: `2 x - y + [0, 3]` (Miné, *Symbolic Methods to Enhance the
//! Precision of Numerical Abstract Domains*, 2006).

use super::interval::Interval;
use crate::unfold::memory::CellId;

/// A linear form. Each evaluation may use a different number of the interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// Cells and their nonzero factors, ordered by cell.
    pub terms: Vec<(CellId, i128)>,
    /// The constant.
    pub rest: Interval,
}

/// The largest factor. Forms with larger factors are replaced by their intervals.
const LARGEST: i128 = 1 << 40;

impl Linear {
    /// A form without cells.
    pub fn interval(rest: Interval) -> Self {
        Self { terms: Vec::new(), rest }
    }

    /// A number.
    pub fn point(value: i128) -> Self {
        Self::interval(Interval::point(value))
    }

    /// The value of a cell.
    pub fn cell(cell: CellId) -> Self {
        Self { terms: vec![(cell, 1)], rest: Interval::point(0) }
    }

    /// The number, if it is one.
    pub fn constant(&self) -> Option<i128> {
        (self.terms.is_empty() && self.rest.lo == self.rest.hi).then_some(self.rest.lo)
    }

    /// Returns the sum `self + factor * other`; `None` if numbers grow too large.
    pub fn add(&self, other: &Self, factor: i128) -> Option<Self> {
        let mut terms = self.terms.clone();
        for (cell, k) in &other.terms {
            let k = k.checked_mul(factor)?;
            match terms.binary_search_by_key(cell, |term| term.0) {
                Ok(at) => {
                    terms[at].1 += k;
                    if terms[at].1 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) if k != 0 => terms.insert(at, (*cell, k)),
                Err(_) => {}
            }
        }
        if terms.iter().any(|(_, k)| k.abs() > LARGEST) {
            return None;
        }
        let rest = self.rest.plus(other.rest.multiply(Interval::point(factor)));
        (rest.lo > -(1 << 110) && rest.hi < 1 << 110).then_some(Self { terms, rest })
    }
}
