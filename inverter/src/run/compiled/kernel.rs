//! Kernels: the work of each round of a nest.

use super::copy::{copy_plane, is_plane};
use super::known::{Aim, To};
use super::nest::{Lane, Nest};
use super::{Element, Irregular};

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
    pub fn fill<T: Element>(&self, aim: Aim<'_, T>, value: i128) -> Result<(), Irregular> {
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
        let (from, lane) = (from.cells, from.place);
        regular(self.planes([&aim.place, &lane], |p| match &mut aim.to {
            To::Cells(cells) => {
                copy_plane(&p, cells, from);
                true
            }
            To::Expected(cells) => is_plane(&p, cells, from),
        }))
    }
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
                let places = [&aim.place, $(&$s.place),*];
                $(let $s = $s.cells;)*
                if !aim.known.claim(self, &aim.place)? {
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
                let cells = match aim.to {
                    To::Cells(cells) => cells,
                    To::Expected(cells) => {
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
