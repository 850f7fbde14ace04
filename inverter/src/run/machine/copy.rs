//! Planes of elements that are copied, or compared with the result of the copy.

use super::nest::Plane;
use crate::run::wide::widest;

/// Copies the elements of a plane from one array to another.
pub(super) fn copy_plane<T: Copy>(p: &Plane<2>, to: &mut [T], from: &[T]) {
    if p.col != [1, 1] && p.cols > 1 {
        let p = p.long();
        match p.col {
            [1, 2] => return widest(|| gather::<2, T>(&p, to, from)),
            [1, 3] => return widest(|| gather::<3, T>(&p, to, from)),
            [1, 4] => return widest(|| gather::<4, T>(&p, to, from)),
            [2, 1] => return scatter::<2, T>(&p, to, from),
            [3, 1] => return scatter::<3, T>(&p, to, from),
            [4, 1] => return scatter::<4, T>(&p, to, from),
            _ => {}
        }
        for r in 0..p.rows {
            let [mut a, mut b] = p.at(r);
            for _ in 0..p.cols {
                to[a] = from[b];
                a = a.wrapping_add_signed(p.col[0]);
                b = b.wrapping_add_signed(p.col[1]);
            }
        }
        return;
    }
    match p.cols {
        1 => pixels::<1, T>(p, to, from),
        2 => pixels::<2, T>(p, to, from),
        3 => pixels::<3, T>(p, to, from),
        4 => pixels::<4, T>(p, to, from),
        6 => pixels::<6, T>(p, to, from),
        8 => pixels::<8, T>(p, to, from),
        n => {
            for r in 0..p.rows {
                let [a, b] = p.at(r);
                to[a..][..n].copy_from_slice(&from[b..][..n]);
            }
        }
    }
}

/// Returns true if the elements already equal the result of the copy.
pub(super) fn is_plane<T: Copy + PartialEq>(p: &Plane<2>, to: &[T], from: &[T]) -> bool {
    if p.col != [1, 1] && p.cols > 1 {
        let p = p.long();
        match p.col {
            [1, 2] => return widest(|| is_gathered::<2, T>(&p, [1, 0], from, to)),
            [1, 3] => return widest(|| is_gathered::<3, T>(&p, [1, 0], from, to)),
            [1, 4] => return widest(|| is_gathered::<4, T>(&p, [1, 0], from, to)),
            [2, 1] => return widest(|| is_gathered::<2, T>(&p, [0, 1], to, from)),
            [3, 1] => return widest(|| is_gathered::<3, T>(&p, [0, 1], to, from)),
            [4, 1] => return widest(|| is_gathered::<4, T>(&p, [0, 1], to, from)),
            _ => {}
        }
        return (0..p.rows).all(|r| {
            let [mut a, mut b] = p.at(r);
            let mut same = true;
            for _ in 0..p.cols {
                same &= to[a] == from[b];
                a = a.wrapping_add_signed(p.col[0]);
                b = b.wrapping_add_signed(p.col[1]);
            }
            same
        });
    }
    match p.cols {
        1 => are_pixels::<1, T>(p, to, from),
        2 => are_pixels::<2, T>(p, to, from),
        3 => are_pixels::<3, T>(p, to, from),
        4 => are_pixels::<4, T>(p, to, from),
        6 => are_pixels::<6, T>(p, to, from),
        8 => are_pixels::<8, T>(p, to, from),
        n => (0..p.rows).all(|r| {
            let [a, b] = p.at(r);
            to[a..][..n] == from[b..][..n]
        }),
    }
}

/// Gathers rows of one sample per pixel into contiguous rows. Slices are cut so that no index needs a check.
#[inline(always)]
fn gather<const M: usize, T: Copy>(p: &Plane<2>, to: &mut [T], from: &[T]) {
    for r in 0..p.rows {
        let [a, b] = p.at(r);
        let [some @ .., last] = &mut to[a..][..p.cols] else { return };
        let (pixels, rest) = from[b..].as_chunks::<M>();
        for (to, pixel) in some.iter_mut().zip(pixels) {
            *to = pixel[0];
        }
        // The last pixel may end with its sample.
        *last = pixels.get(p.cols - 1).map_or_else(|| rest[0], |pixel| pixel[0]);
    }
}

/// Like [`gather`], in the other direction. Wider vectors do not make it faster.
fn scatter<const M: usize, T: Copy>(p: &Plane<2>, to: &mut [T], from: &[T]) {
    for r in 0..p.rows {
        let [a, b] = p.at(r);
        let [some @ .., last] = &from[b..][..p.cols] else { return };
        let (pixels, rest) = to[a..].as_chunks_mut::<M>();
        let (before, at) = pixels.split_at_mut((p.cols - 1).min(pixels.len()));
        for (pixel, from) in before.iter_mut().zip(some) {
            pixel[0] = *from;
        }
        *at.first_mut().map_or_else(|| &mut rest[0], |pixel| &mut pixel[0]) = *last;
    }
}

/// Copies short rows whose length is known at compile time.
fn pixels<const M: usize, T: Copy>(p: &Plane<2>, to: &mut [T], from: &[T]) {
    let [mut a, mut b] = p.start;
    for _ in 0..p.rows {
        to[a..][..M].copy_from_slice(&from[b..][..M]);
        a = a.wrapping_add_signed(p.row[0]);
        b = b.wrapping_add_signed(p.row[1]);
    }
}

/// Returns true if the samples of rows of pixels equal rows of samples; `sides` identifies the array of the plane with
/// pixels, and that with samples.
#[inline(always)]
fn is_gathered<const M: usize, T: Copy + PartialEq>(
    p: &Plane<2>,
    sides: [usize; 2],
    pixels: &[T],
    samples: &[T],
) -> bool {
    // A closure for `all` would not be inlined.
    for r in 0..p.rows {
        let at = p.at(r);
        let (pixels, rest) = pixels[at[sides[0]]..].as_chunks::<M>();
        let samples = &samples[at[sides[1]]..][..p.cols];
        let mut same = true;
        for (pixel, sample) in pixels.iter().zip(samples) {
            same &= pixel[0] == *sample;
        }
        // The last pixel may end with its sample.
        if !same || pixels.len() < p.cols && rest[0] != samples[p.cols - 1] {
            return false;
        }
    }
    true
}

/// Returns true if short rows already equal the result of the copy.
fn are_pixels<const M: usize, T: Copy + PartialEq>(p: &Plane<2>, to: &[T], from: &[T]) -> bool {
    let [mut a, mut b] = p.start;
    let mut same = true;
    for _ in 0..p.rows {
        same &= to[a..][..M] == from[b..][..M];
        a = a.wrapping_add_signed(p.row[0]);
        b = b.wrapping_add_signed(p.row[1]);
    }
    same
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn planes_are_copied_element_by_element(
            (rows, cols) in (1..5usize, 1..40usize),
            col in prop::array::uniform2(1..6isize),
            apart in prop::array::uniform2(0..3isize),
            start in prop::array::uniform2(0..3usize),
            changed: prop::sample::Selector,
        ) {
            let row: [isize; 2] =
                std::array::from_fn(|k| col[k] * (cols as isize - 1) + 1 + apart[k]);
            let p = Plane { rows, cols, start, row, col };
            // The last element of a plane may be the last one of the array.
            let len = |k: usize| start[k] + (row[k] * (rows as isize - 1)) as usize
                + (col[k] * (cols as isize - 1)) as usize + 1;
            let from: Vec<u16> = (1..).take(len(1)).collect();
            let mut expected = vec![0; len(0)];
            for r in 0..rows {
                let [a, b] = p.at(r);
                for c in 0..cols {
                    expected[a + c * col[0] as usize] = from[b + c * col[1] as usize];
                }
            }
            let mut to = vec![0; len(0)];
            copy_plane(&p, &mut to, &from);
            prop_assert_eq!(&to, &expected);
            prop_assert!(is_plane(&p, &to, &from));
            let written: Vec<usize> = (0..to.len()).filter(|k| to[*k] > 0).collect();
            to[changed.select(written)] += 1;
            prop_assert!(!is_plane(&p, &to, &from));
        }
    }
}
