//! Runs kernels over all rounds of a nest, some hundred at a time.

use super::code::{Kernel, Operand, Operator, Register, Width};
use super::halt::Irregular;
use super::lanes::{AnyCells, AnyLane, Cell};
use super::nest::{AffineIndex, Nest};
use super::target::{Aim, Destination};
use super::words::{Values, Word, gather, zip};
use crate::lower::MOST_LANES;
use crate::program::Cmp;
use crate::run::wide::widest;

/// The number of elements of a vector.
const LENGTH: usize = 256;

/// Assigns the kernel's value for the lanes' elements to every element of the target.
///
/// # Errors
///
/// Returns an error if one has no value, it does not fit, or an element already has a different value.
pub(super) fn map<T: Cell>(
    nest: &Nest,
    aim: Aim<'_, T>,
    lanes: &[AnyLane<'_>],
    kernel: &Kernel,
    registers: &[i128],
) -> Result<(), Irregular> {
    match kernel.width {
        Width::I32 => Vectors::<i32>::new(nest, lanes, kernel, registers).map(aim),
        Width::I64 => Vectors::<i64>::new(nest, lanes, kernel, registers).map(aim),
        Width::I128 => Vectors::<i128>::new(nest, lanes, kernel, registers).map(aim),
    }
}

/// Returns true if the kernel's predicate holds for the lanes' elements in every round.
///
/// # Errors
///
/// Returns an error if it has no value.
pub(super) fn all(
    nest: &Nest,
    lanes: &[AnyLane<'_>],
    kernel: &Kernel,
    registers: &[i128],
) -> Result<bool, Irregular> {
    match kernel.width {
        Width::I32 => Vectors::<i32>::new(nest, lanes, kernel, registers).all(),
        Width::I64 => Vectors::<i64>::new(nest, lanes, kernel, registers).all(),
        Width::I128 => Vectors::<i128>::new(nest, lanes, kernel, registers).all(),
    }
}

/// The elements of a lane, in memory.
struct Source<'a> {
    cells: AnyCells<'a>,
    place: AffineIndex,
}

/// The vectors of a kernel.
struct Vectors<'a, W> {
    nest: &'a Nest,
    sources: Vec<Source<'a>>,
    kernel: &'a Kernel,
    registers: &'a [i128],
    /// One for each lane, then one for each operation.
    vectors: Vec<[W; LENGTH]>,
}

impl<'a, W: Word> Vectors<'a, W> {
    fn new(
        nest: &'a Nest,
        lanes: &[AnyLane<'a>],
        kernel: &'a Kernel,
        registers: &'a [i128],
    ) -> Self {
        let source = |lane: &AnyLane<'a>| {
            let (cells, place) = lane.resolved(nest);
            Source { cells, place }
        };
        let sources: Vec<_> = lanes.iter().map(source).collect();
        let vectors = vec![[W::default(); LENGTH]; sources.len() + kernel.operations.len()];
        Self { nest, sources, kernel, registers, vectors }
    }

    fn map<T: Cell>(mut self, mut aim: Aim<'_, T>) -> Result<(), Irregular> {
        let claimed = aim.known.claim(self.nest, &aim.place)?;
        let (lo, hi) = (T::RANGE.0.max(W::RANGE.0), T::RANGE.1.min(W::RANGE.1));
        let (least, most) = (W::of(lo), W::of(hi));
        let fit = move |values: &[W]| {
            widest(|| values.iter().fold(true, |fit, v| fit & (*v >= least) & (*v <= most)))
        };
        if !claimed {
            let (to, known, place) = (&mut aim.to, &mut aim.known, aim.place);
            return self.each(&place, |start, stride, values| {
                let mut at = start;
                fit(values)
                    && values.iter().all(|v| {
                        let here = at;
                        at = at.wrapping_add_signed(stride);
                        known.write(to, here, v.cell())
                    })
            });
        }
        match aim.to.resolved(self.nest, aim.place) {
            (Destination::Cells(cells), place) => self.each(&place, |start, stride, values| {
                widest(|| scatter(values, cells, start, stride));
                fit(values)
            }),
            (Destination::Expected(cells, _), place) => {
                self.each(&place, |start, stride, values| {
                    fit(values) && widest(|| is_scattered(values, cells, start, stride))
                })
            }
        }
    }

    fn all(mut self) -> Result<bool, Irregular> {
        let mut holds = true;
        let whole = self.each(&AffineIndex::default(), |_, _, values| {
            holds = widest(|| values.iter().fold(true, |all, v| all & (*v != W::default())));
            holds
        });
        match whole {
            Err(Irregular) if holds => Err(Irregular),
            _ => Ok(holds),
        }
    }

    /// Calls `visit` on all results, by vectors: the place of the first in the target, the distance to the others, and
    /// the values.
    ///
    /// # Errors
    ///
    /// Returns an error if one has no value, or `visit` returns false.
    fn each(
        &mut self,
        target: &AffineIndex,
        mut visit: impl FnMut(usize, isize, &[W]) -> bool,
    ) -> Result<(), Irregular> {
        // A missing lane has no strides.
        let mut places = [AffineIndex::default(); 1 + MOST_LANES];
        places[0] = *target;
        for (place, source) in places[1..].iter_mut().zip(&self.sources) {
            *place = source.place;
        }
        let nest = self.nest;
        let fine = nest.planes(places.each_ref(), |p| {
            let p = p.long();
            (0..p.rows).all(|r| {
                let at = p.at(r);
                (0..p.cols).step_by(LENGTH).all(|first| {
                    let count = LENGTH.min(p.cols - first);
                    let start = |k: usize| at[k].wrapping_add_signed(p.col[k] * first as isize);
                    for (k, source) in self.sources.iter().enumerate() {
                        let out = &mut self.vectors[k][..count];
                        let (start, stride) = (start(k + 1), p.col[k + 1]);
                        widest(|| W::gather(&source.cells, start, stride, out));
                    }
                    let start = start(0);
                    self.run(count) && visit(start, p.col[0], self.result(count))
                })
            })
        });
        if fine { Ok(()) } else { Err(Irregular) }
    }

    /// Runs the operations on the first `count` elements. Returns false if one has no value.
    fn run(&mut self, count: usize) -> bool {
        let lanes = self.sources.len();
        self.kernel.operations.iter().enumerate().all(|(k, (operator, a, b))| {
            let (made, rest) = self.vectors.split_at_mut(lanes + k);
            let operand = |operand: &Operand| match operand {
                Operand::Vector(at) => Values::Vector(&made[*at][..count]),
                Operand::Scalar(register) => Values::Scalar(scalar(self.registers, *register)),
            };
            let out = &mut rest[0][..count];
            let (a, b) = (operand(a), operand(b));
            widest(|| operate(*operator, a, b, out))
        })
    }

    fn result(&mut self, count: usize) -> &[W] {
        match self.kernel.result {
            Operand::Vector(at) => &self.vectors[at][..count],
            Operand::Scalar(register) => {
                let value = scalar(self.registers, register);
                self.vectors[0][..count].fill(value);
                &self.vectors[0][..count]
            }
        }
    }
}

fn scalar<W: Word>(registers: &[i128], register: Register) -> W {
    W::of(registers[register as usize])
}

#[inline(always)]
fn operate<W: Word>(operator: Operator, a: Values<'_, W>, b: Values<'_, W>, out: &mut [W]) -> bool {
    let (no, yes) = (W::default(), W::of(1));
    let number = move |truth: bool| if truth { yes } else { no };
    match operator {
        Operator::Arithmetic(op) => return W::arithmetic(op, a, b, out),
        Operator::And => zip(a, b, out, |a, b| number((a != no) & (b != no))),
        Operator::Or => zip(a, b, out, |a, b| number((a != no) | (b != no))),
        Operator::Compare(Cmp::Eq) => zip(a, b, out, |a, b| number(a == b)),
        Operator::Compare(Cmp::Ne) => zip(a, b, out, |a, b| number(a != b)),
        Operator::Compare(Cmp::Lt) => zip(a, b, out, |a, b| number(a < b)),
        Operator::Compare(Cmp::Le) => zip(a, b, out, |a, b| number(a <= b)),
        Operator::Compare(Cmp::Gt) => zip(a, b, out, |a, b| number(a > b)),
        Operator::Compare(Cmp::Ge) => zip(a, b, out, |a, b| number(a >= b)),
    }
    true
}

/// Stores values at `start` and after it, in steps of `stride`.
#[inline(always)]
fn scatter<T: Cell, W: Word>(values: &[W], cells: &mut [T], start: usize, stride: isize) {
    match stride {
        1 => {
            for (cell, value) in cells[start..].iter_mut().zip(values) {
                *cell = value.cell();
            }
        }
        2 => apart::<2, T, W>(values, &mut cells[start..]),
        3 => apart::<3, T, W>(values, &mut cells[start..]),
        4 => apart::<4, T, W>(values, &mut cells[start..]),
        _ => {
            let mut at = start;
            for value in values {
                cells[at] = value.cell();
                at = at.wrapping_add_signed(stride);
            }
        }
    }
}

/// Stores values as the first of every `M` elements. Slices are cut so that no index needs a check.
#[inline(always)]
fn apart<const M: usize, T: Cell, W: Word>(values: &[W], cells: &mut [T]) {
    let Some((last, values)) = values.split_last() else { return };
    let (chunks, rest) = cells.as_chunks_mut::<M>();
    let (before, at) = chunks.split_at_mut(values.len().min(chunks.len()));
    for (chunk, value) in before.iter_mut().zip(values) {
        chunk[0] = value.cell();
    }
    // The last chunk may end with its first element.
    *at.first_mut().map_or_else(|| &mut rest[0], |chunk| &mut chunk[0]) = last.cell();
}

/// Returns true if the values equal those from `start` on, in steps of `stride`.
#[inline(always)]
fn is_scattered<T: Cell, W: Word>(values: &[W], cells: &[T], start: usize, stride: isize) -> bool {
    let mut stored = [T::default(); LENGTH];
    let stored = &mut stored[..values.len()];
    gather(cells, start, stride, stored, |cell| cell);
    let mut same = true;
    for (cell, value) in stored.iter().zip(values) {
        same &= *cell == value.cell();
    }
    same
}
