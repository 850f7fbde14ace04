//! Copies of bytes in another order, which are made when they are read.

use std::ops::Range;

use super::copy::copy_plane;
use super::nest::{AffineIndex, Nest, Plane};
use crate::run::bytes::{Copies, Shared};

/// The copies of one nest from shared memory.
#[derive(Debug)]
pub struct NestCopies {
    pub(super) nest: Nest,
    pub(super) to: AffineIndex,
    pub(super) from: AffineIndex,
    pub(super) source: Shared,
}

impl Copies for NestCopies {
    fn copy(&self, window: Range<usize>, out: &mut [u8]) {
        self.nest.planes_near([&self.to, &self.from], &window, |p| {
            copy_near(&p, &window, out, &self.source);
            self.source.passed(p.touched(1));
        });
    }
}

/// Copies the elements of a plane whose places are in `window`.
fn copy_near(p: &Plane<2>, window: &Range<usize>, out: &mut [u8], from: &[u8]) {
    let (lo, hi) = (window.start as isize, window.end as isize);
    let reach = p.col[0] * (p.cols as isize - 1);
    let mut r = 0;
    while r < p.rows {
        let [a, b] = p.at(r);
        let a = a as isize;
        let (least, most) = (a + reach.min(0), a + reach.max(0));
        if most < lo || least >= hi {
            r += 1;
            continue;
        }
        if lo <= least && most < hi {
            let fits = |r: &usize| {
                let a = p.at(*r)[0] as isize;
                lo <= a + reach.min(0) && a + reach.max(0) < hi
            };
            let rows = 1 + (r + 1..p.rows).take_while(fits).count();
            let start = [(a - lo) as usize, b];
            copy_plane(&Plane { rows, start, ..*p }, out, from);
            r += rows;
            continue;
        }
        // The plane has only a part of the row.
        let size = p.col[0].unsigned_abs().max(1);
        let rounds = |distance: isize| (distance.max(0) as usize).div_ceil(size);
        let (first, end) = match p.col[0] {
            1.. => (rounds(lo - a), rounds(hi - a)),
            _ => (rounds(a - hi + 1), rounds(a - lo + 1)),
        };
        let end = end.min(p.cols);
        if first < end {
            let at = |k: usize| p.col[k] * first as isize;
            let start = [(a + at(0) - lo) as usize, b.wrapping_add_signed(at(1))];
            copy_plane(&Plane { rows: 1, cols: end - first, start, ..*p }, out, from);
        }
        r += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::machine::Budget;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_window_has_the_bytes_of_all_copies(
            counts in prop::collection::vec(1..5i128, 1..=3),
            order in Just([0usize, 1, 2]).prop_shuffle(),
            signs in prop::array::uniform3(any::<bool>()),
            steps in prop::array::uniform3(0..3i128),
            (start, len) in (0..70usize, 0..70usize),
        ) {
            // Strides of the target in any order, for targets that do not overlap.
            let (mut strides, mut size) = ([0i128; 3], 1i128);
            for k in order.into_iter().filter(|k| *k < counts.len()) {
                strides[k] = if signs[k] { size } else { -size };
                size *= counts[k] + steps[k];
            }
            let reach = |k: usize| strides[k] * (counts[k] - 1);
            let first: i128 = (0..counts.len()).map(|k| -reach(k).min(0)).sum();
            let all = counts.iter().product::<i128>() as usize;
            let source: Vec<u8> = (1..=all as u8).collect();
            let nest = Nest::new(&counts, &mut Budget::of(0)).unwrap().unwrap();
            let index = |constant: i128, strides: &[i128]| [&[constant], strides].concat();
            let inner = |k: usize| counts[k + 1..].iter().product::<i128>();
            let rows: Vec<i128> = (0..counts.len()).map(inner).collect();
            let to_len = (size + 3) as usize;
            let to = nest.affine_index(&[to_len], &[&index(first, &strides[..counts.len()])]);
            let to = to.unwrap();
            let from = nest.affine_index(&[all], &[&index(0, &rows)]).unwrap();
            let mut whole = vec![0; to_len];
            nest.planes([&to, &from], |p| {
                copy_plane(&p, &mut whole, &source);
                true
            });
            let copies = NestCopies { nest, to, from, source: source.into() };
            let window = start.min(to_len)..(start + len).min(to_len);
            let mut out = vec![0; window.len()];
            copies.copy(window.clone(), &mut out);
            prop_assert_eq!(&out, &whole[window]);
        }
    }
}
