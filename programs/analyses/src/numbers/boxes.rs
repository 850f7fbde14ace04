//! Intervals of cells (Cousot and Cousot, 1976).

use std::collections::BTreeMap;

use super::{Interval, Linear, Numbers, Ranges, Sign, range_of};
use crate::unfold::memory::CellId;

/// An interval for each cell. A cell without an entry has the interval of its type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boxes {
    of: BTreeMap<CellId, Interval>,
}

impl Boxes {
    fn get(&self, cell: CellId, ranges: &Ranges) -> Interval {
        self.of.get(&cell).copied().unwrap_or(ranges[cell.0 as usize])
    }

    fn set(&mut self, cell: CellId, value: Interval, ranges: &Ranges) {
        if value == ranges[cell.0 as usize] {
            self.of.remove(&cell);
        } else {
            self.of.insert(cell, value);
        }
    }

    /// Narrows the interval of a cell, unless it would become empty.
    pub fn tighten(&mut self, cell: CellId, lo: Option<i128>, hi: Option<i128>, ranges: &Ranges) {
        let now = self.get(cell, ranges);
        let tighter =
            Interval::new(lo.unwrap_or(now.lo).max(now.lo), hi.unwrap_or(now.hi).min(now.hi));
        self.set(cell, tighter.unwrap_or(now), ranges);
    }

    /// The cells that both bound, but with different intervals.
    pub fn differing<'a>(
        &'a self,
        other: &'a Self,
        ranges: &'a Ranges,
    ) -> impl Iterator<Item = CellId> + 'a {
        self.of.iter().filter_map(move |(cell, a)| {
            let b = other.of.get(cell)?;
            let all = ranges[cell.0 as usize];
            let bounded = |value: &Interval| value.lo > all.lo && value.hi < all.hi;
            (a != b && bounded(a) && bounded(b)).then_some(*cell)
        })
    }

    /// Keeps the values of cells for which a form may be zero or less.
    fn not_positive(&mut self, form: &Linear, ranges: &Ranges) -> bool {
        for (cell, factor) in &form.terms {
            let others = Linear {
                terms: form.terms.iter().filter(|term| term.0 != *cell).copied().collect(),
                rest: form.rest,
            };
            // factor * cell <= -least of the others.
            let most = range_of(&others, |c| self.get(c, ranges)).lo.saturating_neg();
            let now = self.get(*cell, ranges);
            let kept = if *factor > 0 {
                Interval::new(now.lo, now.hi.min(most.div_euclid(*factor)))
            } else {
                // cell >= most / factor, rounded up.
                Interval::new(now.lo.max(-(most.div_euclid(-*factor))), now.hi)
            };
            match kept {
                Some(kept) => self.set(*cell, kept, ranges),
                None => return false,
            }
        }
        range_of(form, |c| self.get(c, ranges)).lo <= 0
    }
}

impl Numbers for Boxes {
    const NAME: &'static str = "box";

    fn top() -> Self {
        Self::default()
    }

    fn bounds(&self, form: &Linear, ranges: &Ranges) -> Interval {
        range_of(form, |cell| self.get(cell, ranges))
    }

    fn assign(&mut self, cell: CellId, form: &Linear, ranges: &Ranges) {
        let all = ranges[cell.0 as usize];
        // A value outside the type is undefined behaviour or a mistake of the caller, so any result is correct.
        let value = self.bounds(form, ranges).meet(all).unwrap_or(all);
        self.set(cell, value, ranges);
    }

    fn forget(&mut self, cell: CellId) {
        self.of.remove(&cell);
    }

    fn constrain(&mut self, form: &Linear, sign: Sign, ranges: &Ranges) -> bool {
        let negated = Linear::point(0).add(form, -1);
        match sign {
            Sign::NotPositive => self.not_positive(form, ranges) && self.not_positive(form, ranges),
            Sign::Zero => {
                let Some(negated) = negated else { return true };
                self.not_positive(form, ranges)
                    && self.not_positive(&negated, ranges)
                    && self.not_positive(form, ranges)
            }
            Sign::NotZero => {
                if form.rest.lo != form.rest.hi {
                    return true;
                }
                match form.terms.as_slice() {
                    [] => form.rest.lo != 0,
                    [(cell, factor)] if form.rest.lo % factor == 0 => {
                        let (hole, now) = (-form.rest.lo / factor, self.get(*cell, ranges));
                        let lo = if now.lo == hole { now.lo + 1 } else { now.lo };
                        let hi = if now.hi == hole { now.hi - 1 } else { now.hi };
                        match Interval::new(lo, hi) {
                            Some(kept) => {
                                self.set(*cell, kept, ranges);
                                true
                            }
                            None => false,
                        }
                    }
                    _ => self.bounds(form, ranges) != Interval::point(0),
                }
            }
        }
    }

    fn join(&self, other: &Self, ranges: &Ranges) -> Self {
        let mut joined = Self::default();
        for (cell, a) in &self.of {
            if let Some(b) = other.of.get(cell) {
                joined.set(*cell, a.join(*b), ranges);
            }
        }
        joined
    }

    fn widen(&self, other: &Self, thresholds: &[i128], ranges: &Ranges) -> Self {
        let mut widened = Self::default();
        for (cell, a) in &self.of {
            let Some(b) = other.of.get(cell) else { continue };
            let all = ranges[cell.0 as usize];
            let below = || thresholds.iter().rev().find(|t| **t <= b.lo).copied();
            let above = || thresholds.iter().find(|t| **t >= b.hi).copied();
            let lo = if b.lo >= a.lo { a.lo } else { below().unwrap_or(all.lo).max(all.lo) };
            let hi = if b.hi <= a.hi { a.hi } else { above().unwrap_or(all.hi).min(all.hi) };
            widened.set(*cell, Interval { lo, hi }, ranges);
        }
        widened
    }

    fn within(&self, other: &Self, ranges: &Ranges) -> bool {
        other.of.iter().all(|(cell, b)| self.get(*cell, ranges).within(*b))
    }

    fn constraints(&self, cells: &[CellId], ranges: &Ranges) -> Vec<Linear> {
        let mut found = Vec::new();
        for cell in cells {
            let (all, now) = (ranges[cell.0 as usize], self.get(*cell, ranges));
            if now.lo > all.lo {
                found.push(Linear { terms: vec![(*cell, -1)], rest: Interval::point(now.lo) });
            }
            if now.hi < all.hi {
                found.push(Linear { terms: vec![(*cell, 1)], rest: Interval::point(-now.hi) });
            }
        }
        found
    }
}
