//! Nests of loops over elements at affine indices: checked at their corners, then run
//! with as few and as long inner loops as their steps allow.

use std::ops::Range;

use super::budget::Budget;
use super::halt::Irregular;
use crate::lower::MOST_LOOPS as MOST;

/// The number of rows of a plane that are processed together, so that they stay in the cache.
const ROWS: usize = 2048;
/// The number of rows if one array is read along its rows and the other across them.
const TRANSPOSED: usize = 64;

/// Nested loops whose bounds do not depend on each other; each runs at least once.
#[derive(Debug, Clone, Copy)]
pub struct Nest {
    counts: [usize; MOST],
    depth: usize,
}

/// The positions of the elements to which a reference refers in a nest, affine in the loop variables.
#[derive(Debug, Clone, Copy, Default)]
pub struct AffineIndex {
    /// The position in the first round of all loops.
    start: usize,
    /// The distance between two rounds of each loop.
    strides: [isize; MOST],
}

/// The two innermost loops over elements of `N` arrays.
#[derive(Debug, Clone, Copy)]
pub struct Plane<const N: usize> {
    /// The number of rounds of the outer loop.
    pub rows: usize,
    /// The number of rounds of the inner loop.
    pub cols: usize,
    /// The position of the first element in each array.
    pub start: [usize; N],
    /// The distance between two rows.
    pub row: [isize; N],
    /// The distance between two elements of a row.
    pub col: [isize; N],
}

impl<const N: usize> Plane<N> {
    /// The first elements of row `r`.
    pub fn at(&self, r: usize) -> [usize; N] {
        std::array::from_fn(|k| self.start[k].wrapping_add_signed(self.row[k] * r as isize))
    }

    /// Returns the bytes from the first to the last element of each row in array `k`, of all rows.
    pub(super) fn touched(&self, k: usize) -> usize {
        let row = self.col[k].unsigned_abs().saturating_mul(self.cols.saturating_sub(1)) + 1;
        self.rows.saturating_mul(row)
    }

    /// With the longer loop inside.
    #[must_use]
    pub fn long(self) -> Self {
        if self.cols >= 16 || self.rows <= self.cols {
            return self;
        }
        Self { rows: self.cols, cols: self.rows, start: self.start, row: self.col, col: self.row }
    }
}

/// A loop over elements of `N` arrays.
#[derive(Debug, Clone, Copy)]
struct Axis<const N: usize> {
    count: usize,
    strides: [isize; N],
}

impl Nest {
    /// A nest of loops with these counts, outermost first; `None` if any count is 0.
    ///
    /// # Errors
    ///
    /// Returns an error if it has more iterations than the budget.
    pub fn new(counts: &[i128], budget: &mut Budget) -> Result<Option<Self>, Irregular> {
        let mut nest = Nest { counts: [1; MOST], depth: counts.len() };
        let mut rounds = 1u64;
        for (slot, count) in nest.counts.iter_mut().zip(counts) {
            *slot = usize::try_from((*count).max(0)).map_err(|_| Irregular)?;
            rounds = rounds.checked_mul(*slot as u64).ok_or(Irregular)?;
            budget.take(rounds)?;
            if rounds == 0 {
                return Ok(None);
            }
        }
        Ok(Some(nest))
    }

    /// Returns the positions of elements of an array of these lengths; `index` has, for each dimension of
    /// the array, the constant and the coefficient of each loop's variable.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is outside.
    pub fn affine_index(
        &self,
        lengths: &[usize],
        index: &[&[i128]],
    ) -> Result<AffineIndex, Irregular> {
        let (mut start, mut strides) = (0i128, [0i128; MOST]);
        for (length, affine) in lengths.iter().zip(index) {
            let length = *length as i128;
            let (constant, steps) = affine.split_first().ok_or(Irregular)?;
            let (mut least, mut most) = (*constant, *constant);
            for (k, step) in steps.iter().enumerate().filter(|(k, _)| self.counts[*k] > 1) {
                let reach = step.checked_mul(self.counts[k] as i128 - 1).ok_or(Irregular)?;
                let end = if reach < 0 { &mut least } else { &mut most };
                *end = end.checked_add(reach).ok_or(Irregular)?;
            }
            if least < 0 || most >= length {
                return Err(Irregular);
            }
            start = start * length + constant;
            for (k, step) in steps.iter().enumerate() {
                let step = if self.counts[k] == 1 { 0 } else { *step };
                strides[k] = strides[k] * length + step;
            }
        }
        // The position fits because all elements are inside the array.
        Ok(AffineIndex { start: start as usize, strides: strides.map(|s| s as isize) })
    }

    /// The loops, sorted by their step in the first array, with loops that step like a single loop merged.
    fn axes<const N: usize>(&self, places: &[&AffineIndex; N]) -> ([Axis<N>; MOST], usize) {
        let mut axes = [Axis { count: 1, strides: [0; N] }; MOST];
        let mut len = 0;
        for k in 0..self.depth {
            if self.counts[k] > 1 {
                let strides = std::array::from_fn(|n| places[n].strides[k]);
                axes[len] = Axis { count: self.counts[k], strides };
                len += 1;
            }
        }
        axes[..len].sort_by_key(|a| std::cmp::Reverse(a.strides[0].unsigned_abs()));
        let mut kept = 0;
        for k in 1..len {
            let (inner, outer) = (axes[k], axes[kept]);
            let as_one = (0..N)
                .all(|n| outer.strides[n] == inner.strides[n].wrapping_mul(inner.count as isize));
            if as_one {
                axes[kept] = Axis { count: outer.count * inner.count, strides: inner.strides };
            } else {
                kept += 1;
                axes[kept] = inner;
            }
        }
        (axes, if len == 0 { 0 } else { kept + 1 })
    }

    /// Calls `visit` on planes that together cover all rounds of the nest, in any order, as long as it returns true;
    /// returns whether it always did.
    pub(super) fn planes<const N: usize>(
        &self,
        places: [&AffineIndex; N],
        visit: impl FnMut(Plane<N>) -> bool,
    ) -> bool {
        if self.depth == 1 {
            let mut visit = visit;
            let (start, col) = (places.map(|p| p.start), places.map(|p| p.strides[0]));
            return visit(Plane { rows: 1, cols: self.counts[0], start, row: [0; N], col });
        }
        let (axes, len) = self.axes(&places);
        planes_of(&axes[..len], places.map(|p| p.start), visit)
    }

    /// Calls `visit` on planes that contain all rounds whose elements in the first array are in `window`, and a few
    /// other rounds, because only the loop with the greatest step is cut.
    pub(super) fn planes_near<const N: usize>(
        &self,
        places: [&AffineIndex; N],
        window: &Range<usize>,
        mut visit: impl FnMut(Plane<N>),
    ) {
        let (mut axes, len) = self.axes(&places);
        let mut start = places.map(|p| p.start);
        if let Some((outer, inner)) = axes[..len].split_first_mut() {
            let reach = |axis: &Axis<N>| axis.strides[0] * (axis.count as isize - 1);
            let before: isize = inner.iter().map(|axis| reach(axis).min(0)).sum();
            let after: isize = inner.iter().map(|axis| reach(axis).max(0)).sum();
            // Excludes rounds whose elements end before the window, and keeps those that begin before its end.
            let (lo, hi) = (window.start as isize, window.end as isize);
            let (first, stride) = (start[0] as isize, outer.strides[0]);
            let size = stride.unsigned_abs();
            let rounds = |distance: isize| (distance.max(0) as usize).div_ceil(size);
            let (skipped, end) = match stride {
                0 => (0, outer.count),
                1.. => (rounds(lo - after - first), rounds(hi - before - first)),
                _ => (rounds(first + before - hi + 1), rounds(first + after - lo + 1)),
            };
            let end = end.min(outer.count);
            if skipped >= end {
                return;
            }
            start = step(start, &outer.strides, skipped);
            outer.count = end - skipped;
        }
        planes_of(&axes[..len], start, |plane| {
            visit(plane);
            true
        });
    }

    /// Returns the first places and the number of the elements, if they are contiguous in both arrays in the order of
    /// the nest.
    pub(super) fn run(&self, places: [&AffineIndex; 2]) -> Option<([usize; 2], usize)> {
        let start = places.map(|p| p.start);
        match self.axes(&places) {
            (_, 0) => Some((start, 1)),
            (axes, 1) if axes[0].strides == [1, 1] => Some((start, axes[0].count)),
            _ => None,
        }
    }

    /// Returns the range of places from the first to the last element.
    pub(super) fn extent(&self, place: &AffineIndex) -> Range<usize> {
        let (mut least, mut most) = (place.start, place.start);
        for (count, stride) in self.counts.iter().zip(place.strides).take(self.depth) {
            let reach = stride * (*count as isize - 1);
            let end = if reach < 0 { &mut least } else { &mut most };
            *end = end.wrapping_add_signed(reach);
        }
        least..most + 1
    }

    /// Returns true if no two rounds refer to the same element; false if that is uncertain.
    pub(super) fn injective(&self, place: &AffineIndex) -> bool {
        if self.depth == 1 {
            return self.counts[0] == 1 || place.strides[0] != 0;
        }
        let (axes, len) = self.axes(&[place]);
        let mut reach = 0usize;
        // Loops are sorted from the smallest step to the greatest.
        axes[..len].iter().rev().all(|a| {
            let apart = a.strides[0].unsigned_abs();
            let fine = apart > reach;
            reach = reach.saturating_add(apart.saturating_mul(a.count - 1));
            fine
        })
    }
}

impl AffineIndex {
    /// Returns the same elements in an array that starts at `first` of this one.
    #[must_use]
    pub(super) fn after(mut self, first: usize) -> Self {
        self.start = self.start.wrapping_sub(first);
        self
    }
}

/// Calls `visit` on planes that together cover all rounds of the loops `axes`, as long as it returns true; returns
/// whether it always did.
fn planes_of<const N: usize>(
    axes: &[Axis<N>],
    start: [usize; N],
    mut visit: impl FnMut(Plane<N>) -> bool,
) -> bool {
    let one = Axis { count: 1, strides: [0; N] };
    let (outer, rows, cols) = match axes {
        [] => (axes, one, one),
        [cols] => (&axes[..0], one, *cols),
        [outer @ .., rows, cols] => (outer, *rows, *cols),
    };
    let across = outer.last().is_some_and(|last| {
        (0..N).any(|n| last.strides[n].unsigned_abs() < rows.strides[n].unsigned_abs())
    });
    // Blocks form the outermost loop if that preserves the cache, otherwise the inner one.
    let mut from = 0;
    if across {
        while from < rows.count {
            let some = TRANSPOSED.min(rows.count - from);
            let mut all = |start: [usize; N]| {
                let start = step(start, &rows.strides, from);
                visit(plane(start, some, &rows, &cols))
            };
            if !each(outer, start, &mut all) {
                return false;
            }
            from += some;
        }
        return true;
    }
    let mut all = |start: [usize; N]| {
        let mut from = 0;
        while from < rows.count {
            let some = ROWS.min(rows.count - from);
            if !visit(plane(step(start, &rows.strides, from), some, &rows, &cols)) {
                return false;
            }
            from += some;
        }
        true
    };
    each(outer, start, &mut all)
}

fn step<const N: usize>(start: [usize; N], strides: &[isize; N], rounds: usize) -> [usize; N] {
    std::array::from_fn(|n| start[n].wrapping_add_signed(strides[n] * rounds as isize))
}

fn plane<const N: usize>(
    start: [usize; N],
    count: usize,
    rows: &Axis<N>,
    cols: &Axis<N>,
) -> Plane<N> {
    Plane { rows: count, cols: cols.count, start, row: rows.strides, col: cols.strides }
}

/// All rounds of `axes`.
fn each<const N: usize>(
    axes: &[Axis<N>],
    start: [usize; N],
    visit: &mut impl FnMut([usize; N]) -> bool,
) -> bool {
    let mut rounds = [0usize; MOST];
    let mut at = start;
    loop {
        if !visit(at) {
            return false;
        }
        let mut k = axes.len();
        loop {
            if k == 0 {
                return true;
            }
            k -= 1;
            rounds[k] += 1;
            if rounds[k] < axes[k].count {
                at = step(at, &axes[k].strides, 1);
                break;
            }
            at = std::array::from_fn(|n| {
                let back = axes[k].strides[n] * (rounds[k] as isize - 1);
                at[n].wrapping_add_signed(-back)
            });
            rounds[k] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Lists all elements of a nest, loop by loop.
    fn elements(counts: &[i128], index: &[Vec<i128>]) -> Vec<Vec<i128>> {
        let mut rounds = vec![vec![]];
        for n in counts {
            rounds = rounds
                .into_iter()
                .flat_map(|r: Vec<i128>| (0..*n).map(move |k| [r.clone(), vec![k]].concat()))
                .collect();
        }
        let value = |affine: &Vec<i128>, r: &Vec<i128>| {
            affine[0] + affine[1..].iter().zip(r).map(|(c, k)| c * k).sum::<i128>()
        };
        rounds.iter().map(|r| index.iter().map(|a| value(a, r)).collect()).collect()
    }

    proptest! {
        #[test]
        fn planes_are_all_rounds(
            counts in prop::collection::vec(1..4i128, 1..=4),
            coefficients in prop::collection::vec(-4..5i128, 10),
            constants in prop::collection::vec(0..9i128, 2),
        ) {
            let lengths = [12usize, 9];
            let depth = counts.len();
            let index: Vec<Vec<i128>> = (0..2)
                .map(|d| [&[constants[d]][..], &coefficients[5 * d..5 * d + depth]].concat())
                .collect();
            let nest = Nest::new(&counts, &mut Budget::of(0)).unwrap().unwrap();
            let affine: Vec<&[i128]> = index.iter().map(Vec::as_slice).collect();
            let all = elements(&counts, &index);
            let inside = all.iter().all(|e| {
                e.iter().zip(lengths).all(|(i, l)| (0..l as i128).contains(i))
            });
            let place = nest.affine_index(&lengths, &affine);
            prop_assert_eq!(place.is_ok(), inside);
            let Ok(place) = place else { return Ok(()) };
            let mut expected: Vec<usize> =
                all.iter().map(|e| e[0] as usize * lengths[1] + e[1] as usize).collect();
            let mut found = Vec::new();
            nest.planes([&place, &place], |p| {
                for r in 0..p.rows {
                    let [start, twin] = p.at(r);
                    assert_eq!(start, twin);
                    for c in 0..p.cols {
                        found.push(start.wrapping_add_signed(p.col[0] * c as isize));
                    }
                }
                true
            });
            expected.sort_unstable();
            found.sort_unstable();
            if nest.injective(&place) {
                let different: BTreeSet<_> = expected.iter().collect();
                prop_assert_eq!(different.len(), expected.len());
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn what_is_too_much_or_nothing() {
        assert!(Nest::new(&[3, 0, 5], &mut Budget::of(0)).unwrap().is_none());
        assert!(Nest::new(&[1 << 40], &mut Budget::of(0)).is_err());
        assert!(Nest::new(&[i128::MAX], &mut Budget::of(0)).is_err());
    }
}
