//! Compares the invariants of two runs at a point.

use std::collections::BTreeMap;

use crate::flow::exchange;
use crate::flow::state::State;
use crate::flow::transfer;
use crate::numbers::{Interval, Numbers};
use crate::protocol::place::{self, Segments};
use crate::protocol::{Dereference, Formula};
use crate::unfold::memory::CellId;
use crate::unfold::{PointId, Unfolding};

/// The stronger of two invariants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stronger {
    /// The first.
    First,
    /// The second.
    Second,
    /// They are equal.
    Equal,
    /// Neither implies the other, as far as the domain can tell.
    Neither,
}

/// Compares invariants in a domain.
#[derive(Debug)]
pub struct Comparison<'a> {
    unfolding: &'a Unfolding,
    segments: &'a Segments,
    ranges: Vec<Interval>,
}

impl<'a> Comparison<'a> {
    /// A comparison of invariants of a program.
    pub fn new(unfolding: &'a Unfolding, segments: &'a Segments) -> Self {
        Self { unfolding, segments, ranges: transfer::ranges(unfolding) }
    }

    /// The stronger of two invariants at a point.
    pub fn stronger<N: Numbers>(&self, point: PointId, a: &Formula, b: &Formula) -> Stronger {
        if a == b {
            return Stronger::Equal;
        }
        let (context, _) = self.unfolding.node(point);
        let cells = place::named(self.unfolding, context).into_iter();
        let cells: BTreeMap<Dereference, CellId> = cells
            .filter_map(|cell| {
                Some((place::dereference(self.unfolding, self.segments, cell)?, cell))
            })
            .collect();
        let of = |formula| exchange::meet(&State::<N>::top(), formula, &cells, &self.ranges);
        let (first, second) = match (of(a), of(b)) {
            (None, None) => (true, true),
            (None, Some(_)) => (true, false),
            (Some(_), None) => (false, true),
            (Some(a), Some(b)) => (a.within(&b, &self.ranges), b.within(&a, &self.ranges)),
        };
        match (first, second) {
            (true, true) => Stronger::Equal,
            (true, false) => Stronger::First,
            (false, true) => Stronger::Second,
            (false, false) => Stronger::Neither,
        }
    }
}
