//! Kernels: the work of each round of a nest.

use super::copies::NestCopies;
use super::copy::{copy_plane, is_plane};
use super::elements::Lane;
use super::known::{Aim, Destination, To};
use super::nest::{Nest, Plane};
use super::{Element, Irregular};
use crate::run::bytes::PASSING;

/// A value that has to fit: what it is, and whether it does.
pub fn attempt<T: Element>(value: impl FnOnce() -> Result<i128, Irregular>) -> (T, bool) {
    match value().map(T::try_from) {
        Ok(Ok(value)) => (value, true),
        _ => (T::default(), false),
    }
}

/// Returns true if a predicate has a value and holds.
pub fn holds(p: impl FnOnce() -> Result<bool, Irregular>) -> bool {
    p().unwrap_or(false)
}

fn regular(fine: bool) -> Result<(), Irregular> {
    if fine { Ok(()) } else { Err(Irregular) }
}

impl Nest {
    /// Gives every element of the target the value.
    ///
    /// # Errors
    ///
    /// If it does not fit, or one already has another.
    pub fn fill<T: Element>(&self, mut aim: Aim<'_, T>, value: i128) -> Result<(), Irregular> {
        // Pieces are zeros where nothing was written, as long as nothing is taken back.
        if value == 0
            && matches!(aim.to, To::Pieces { reorder: false, .. })
            && aim.known.claim(self, &aim.place)?
        {
            return Ok(());
        }
        let value = T::try_from(value).map_err(|_| Irregular)?;
        self.map0(aim, || (value, true))
    }

    /// Copies the lane to the target, element by element.
    ///
    /// # Errors
    ///
    /// If one already has another.
    pub fn copy<T: Element>(
        &self,
        mut aim: Aim<'_, T>,
        from: Lane<'_, T>,
    ) -> Result<(), Irregular> {
        if !aim.known.claim(self, &aim.place)? {
            return self.map1(aim, from, |a| (a, true));
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

    /// Notes copies as a piece of the target. Returns false if its elements are to be written.
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

/// Divides a plane into planes of at most so many elements, or of single rows.
fn parts<const N: usize>(p: Plane<N>, most: usize) -> impl Iterator<Item = Plane<N>> {
    // The rows and columns of a part. Only one of them is less than that of the plane.
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

macro_rules! kernels {
    ($map:ident $n:literal : $($s:ident $S:ident $k:literal),*) => {
        impl Nest {
            /// Gives every element of the target the value of `f` for the lanes' elements.
            ///
            /// # Errors
            ///
            /// If `f` says that a value does not fit, or an element already has another.
            #[inline]
            pub fn $map<T: Element, $($S: Element),*>(
                &self,
                mut aim: Aim<'_, T>,
                $($s: Lane<'_, $S>,)*
                f: impl Fn($($S),*) -> (T, bool),
            ) -> Result<(), Irregular> {
                $(let $s = $s.resolved(self);)*
                if !aim.known.claim(self, &aim.place)? {
                    let places = [&aim.place, $(&$s.place),*];
                    $(let $s = $s.cells;)*
                    let (to, known) = (&mut aim.to, &mut aim.known);
                    return regular(self.planes(places, |p| {
                        (0..p.rows).all(|r| {
                            let mut at = p.at(r);
                            (0..p.cols).all(|_| {
                                let (value, fits) = f($($s[at[$k]]),*);
                                let fine = fits && known.write(to, at[0], value);
                                for n in 0..=$n {
                                    at[n] = at[n].wrapping_add_signed(p.col[n]);
                                }
                                fine
                            })
                        })
                    }));
                }
                let (to, place) = aim.to.resolved(self, aim.place);
                let places = [&place, $(&$s.place),*];
                $(let $s = $s.cells;)*
                let cells = match to {
                    Destination::Cells(cells) => cells,
                    Destination::Expected(cells, _) => {
                        return regular(self.planes(places, |p| {
                            let p = p.long();
                            (0..p.rows).all(|r| {
                                let mut at = p.at(r);
                                let mut same = true;
                                for _ in 0..p.cols {
                                    let (value, fit) = f($($s[at[$k]]),*);
                                    same &= fit && cells[at[0]] == value;
                                    for n in 0..=$n {
                                        at[n] = at[n].wrapping_add_signed(p.col[n]);
                                    }
                                }
                                same
                            })
                        }));
                    }
                };
                regular(self.planes(places, |p| {
                    let p = p.long();
                    let mut fits = true;
                    if p.col == [1; $n + 1] {
                        for r in 0..p.rows {
                            let at = p.at(r);
                            // Cut so that the compiler sees that all are as long.
                            let to = &mut cells[at[0]..][..p.cols];
                            $(let $s = &$s[at[$k]..][..p.cols];)*
                            for c in 0..p.cols {
                                let (value, fit) = f($($s[c]),*);
                                to[c] = value;
                                fits &= fit;
                            }
                        }
                        return fits;
                    }
                    for r in 0..p.rows {
                        let mut at = p.at(r);
                        for _ in 0..p.cols {
                            let (value, fit) = f($($s[at[$k]]),*);
                            cells[at[0]] = value;
                            fits &= fit;
                            for n in 0..=$n {
                                at[n] = at[n].wrapping_add_signed(p.col[n]);
                            }
                        }
                    }
                    fits
                }))
            }
        }
    };
}

kernels!(map0 0:);
kernels!(map1 1: a A 1);
kernels!(map2 2: a A 1, b B 2);
kernels!(map3 3: a A 1, b B 2, c C 3);
kernels!(map4 4: a A 1, b B 2, c C 3, d D 4);

macro_rules! checks {
    ($all:ident $n:literal : $($s:ident $S:ident $k:literal),*) => {
        impl Nest {
            /// Returns true if `p` holds for the lanes' elements in every round.
            #[inline]
            pub fn $all<$($S: Element),*>(
                &self,
                $($s: Lane<'_, $S>,)*
                p: impl Fn($($S),*) -> bool,
            ) -> bool {
                $(let $s = $s.resolved(self);)*
                let places = [$(&$s.place),*];
                $(let $s = $s.cells;)*
                self.planes(places, |plane| {
                    let plane = plane.long();
                    (0..plane.rows).all(|r| {
                        let mut at = plane.at(r);
                        let mut holds = true;
                        if plane.col == [1; $n] {
                            $(let $s = &$s[at[$k]..][..plane.cols];)*
                            for c in 0..plane.cols {
                                holds &= p($($s[c]),*);
                            }
                            return holds;
                        }
                        for _ in 0..plane.cols {
                            holds &= p($($s[at[$k]]),*);
                            for n in 0..$n {
                                at[n] = at[n].wrapping_add_signed(plane.col[n]);
                            }
                        }
                        holds
                    })
                })
            }
        }
    };
}

checks!(all1 1: a A 0);
checks!(all2 2: a A 0, b B 1);
checks!(all3 3: a A 0, b B 1, c C 2);
checks!(all4 4: a A 0, b B 1, c C 2, d D 3);

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
