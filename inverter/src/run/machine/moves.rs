//! The statements of nests that move elements: fills and copies.

use super::copies::NestCopies;
use super::copy::{copy_plane, is_plane};
use super::element::Element;
use super::elements::Lane;
use super::halt::Irregular;
use super::nest::{Nest, Plane};
use super::target::{Aim, Destination, Row, To, every, rows};
use crate::run::bytes::PASSING;

fn regular(fine: bool) -> Result<(), Irregular> {
    if fine { Ok(()) } else { Err(Irregular) }
}

impl Nest {
    /// Assigns the value to every element of the target.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not fit, or an element already has a different value.
    pub fn fill<T: Element>(&self, mut aim: Aim<'_, T>, value: i128) -> Result<(), Irregular> {
        // Bytes of pieces to which nothing was written are zeros, as long as nothing is undone.
        if value == 0
            && matches!(aim.to, To::Pieces { reorder: false, .. })
            && aim.known.claim(self, &aim.place)?
        {
            return Ok(());
        }
        let value = T::try_from(value).map_err(|_| Irregular)?;
        if !aim.known.claim(self, &aim.place)? {
            let Aim { to, known, place } = &mut aim;
            let mut write = |at| known.write(to, at, value);
            return regular(self.planes([place], |p| every(&p, &mut write)));
        }
        match aim.to.resolved(self, aim.place) {
            (Destination::Cells(cells), to) => regular(self.planes([&to], |p| {
                rows(&p, |row| match row {
                    Row::Dense(start, end) => {
                        cells[start..end].fill(value);
                        true
                    }
                    Row::Sparse(p) => every(&p, &mut |at| {
                        cells[at] = value;
                        true
                    }),
                })
            })),
            (Destination::Expected(cells, _), to) => {
                regular(self.planes([&to], |p| every(&p, &mut |at| cells[at] == value)))
            }
        }
    }

    /// Copies the lane to the target, element by element.
    ///
    /// # Errors
    ///
    /// Returns an error if an element already has a different value.
    pub fn copy<T: Element>(
        &self,
        mut aim: Aim<'_, T>,
        from: Lane<'_, T>,
    ) -> Result<(), Irregular> {
        if !aim.known.claim(self, &aim.place)? {
            let from = from.resolved(self);
            let Aim { to, known, place } = &mut aim;
            return regular(self.planes([place, &from.place], |p| {
                (0..p.rows).all(|r| {
                    let mut at = p.at(r);
                    (0..p.cols).all(|_| {
                        let [a, b] = at;
                        at = std::array::from_fn(|n| at[n].wrapping_add_signed(p.col[n]));
                        known.write(to, a, from.cells[b])
                    })
                })
            }));
        }
        if self.note(&mut aim, &from) {
            return Ok(());
        }
        let from = from.resolved(self);
        match aim.to.resolved(self, aim.place) {
            (Destination::Cells(cells), to) => {
                self.planes([&to, &from.place], |p| {
                    copy_plane(&p, cells, from.cells);
                    true
                });
                Ok(())
            }
            (Destination::Expected(cells, memory), to) => {
                regular(self.planes([&to, &from.place], |p| {
                    parts(p, PASSING).all(|p| {
                        let same = is_plane(&p, cells, from.cells);
                        for (k, memory) in [memory, from.memory].into_iter().enumerate() {
                            memory.into_iter().for_each(|memory| memory.passed(p.touched(k)));
                        }
                        same
                    })
                }))
            }
        }
    }

    /// Records copies as a piece of the target. Returns false if its elements must be written instead.
    fn note<T: Element>(&self, aim: &mut Aim<'_, T>, from: &Lane<'_, T>) -> bool {
        let To::Pieces { bytes, reorder } = &mut aim.to else { return false };
        let (Some(pieces), Some(source)) = (bytes.recording(), from.elements.bytes()) else {
            return false;
        };
        if let Some(([at, start], count)) = self.run([&aim.place, &from.place]) {
            pieces.push(at, source, start..start + count);
            return true;
        }
        let read = self.extent(&from.place);
        match source.contiguous(&read) {
            Some((memory, first)) if *reorder => {
                let (to, source) = (aim.place, memory.clone());
                let copies = NestCopies { nest: *self, to, from: from.place.after(first), source };
                pieces.push_copies(self.extent(&to), Box::new(copies));
                true
            }
            _ => false,
        }
    }
}

/// Divides a plane into planes with at most this number of elements, or into single rows.
fn parts<const N: usize>(p: Plane<N>, most: usize) -> impl Iterator<Item = Plane<N>> {
    // The rows and columns of a part. Only one of the two is smaller than in the plane.
    let (rows, cols) = match p.rows {
        1 => (1, most.max(1)),
        _ => ((most / p.cols.max(1)).max(1), p.cols.max(1)),
    };
    let firsts = |all: usize, part: usize| (0..all).step_by(part);
    firsts(p.rows, rows).flat_map(move |r| {
        firsts(p.cols, cols).map(move |c| {
            let to = |n: usize| p.row[n] * r as isize + p.col[n] * c as isize;
            let start = std::array::from_fn(|n| p.start[n].wrapping_add_signed(to(n)));
            Plane { rows: rows.min(p.rows - r), cols: cols.min(p.cols - c), start, ..p }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the places in the first array of the elements of a plane, in order.
    fn places(p: Plane<2>) -> Vec<usize> {
        let columns = |at: usize| (0..p.cols).map(move |c| at + c * p.col[0] as usize);
        (0..p.rows).flat_map(|r| columns(p.at(r)[0])).collect()
    }

    #[test]
    fn parts_of_a_plane_have_each_element_once() {
        for (rows, cols, most, expected) in
            [(1, 10, 4, 3), (7, 5, 12, 4), (7, 5, 3, 7), (3, 0, 4, 0), (4, 2, 100, 1)]
        {
            let p = Plane { rows, cols, start: [3, 0], row: [40, 0], col: [2, 1] };
            let parts: Vec<_> = parts(p, most).collect();
            assert_eq!(parts.len(), expected, "{rows} x {cols} by {most}");
            assert!(parts.iter().all(|p| p.rows * p.cols <= most.max(cols)));
            let all: Vec<usize> = parts.into_iter().flat_map(places).collect();
            assert_eq!(all, places(p));
        }
    }
}
