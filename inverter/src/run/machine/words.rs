//! The number types of vectors.

use super::lanes::{AnyCells, Cell, each_cells};
use crate::program::Op;
use crate::program::eval::apply;

/// Operands of a vector operation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Values<'v, W> {
    Vector(&'v [W]),
    Scalar(W),
}

/// A number type of vectors.
pub(super) trait Word: Copy + Default + PartialEq + PartialOrd {
    /// The least and the greatest value.
    const RANGE: (i128, i128);

    /// Returns a number that is in the range.
    fn of(n: i128) -> Self;

    /// Returns the number as an element that can hold it.
    fn cell<T: Cell>(self) -> T;

    /// Gathers the elements at `start` and after it, in steps of `stride`.
    fn gather(cells: &AnyCells<'_>, start: usize, stride: isize, out: &mut [Self]);

    /// Computes `op(a, b)`. Returns false if some element has no value.
    fn arithmetic(op: Op, a: Values<'_, Self>, b: Values<'_, Self>, out: &mut [Self]) -> bool;
}

/// Computes each element of `out` from those of `a` and `b`.
#[inline(always)]
pub(super) fn zip<W: Copy>(
    a: Values<'_, W>,
    b: Values<'_, W>,
    out: &mut [W],
    mut f: impl FnMut(W, W) -> W,
) {
    match (a, b) {
        (Values::Vector(a), Values::Vector(b)) => {
            for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
                *out = f(*a, *b);
            }
        }
        (Values::Vector(a), Values::Scalar(b)) => {
            for (out, a) in out.iter_mut().zip(a) {
                *out = f(*a, b);
            }
        }
        (Values::Scalar(a), Values::Vector(b)) => {
            for (out, b) in out.iter_mut().zip(b) {
                *out = f(a, *b);
            }
        }
        (Values::Scalar(a), Values::Scalar(b)) => out.fill(f(a, b)),
    }
}

/// Gathers elements as numbers of another type.
#[inline(always)]
pub(super) fn gather<T: Copy, W>(
    cells: &[T],
    start: usize,
    stride: isize,
    out: &mut [W],
    number: impl Fn(T) -> W,
) {
    match stride {
        1 => {
            for (out, cell) in out.iter_mut().zip(&cells[start..]) {
                *out = number(*cell);
            }
        }
        2 => apart::<2, T, W>(&cells[start..], out, number),
        3 => apart::<3, T, W>(&cells[start..], out, number),
        4 => apart::<4, T, W>(&cells[start..], out, number),
        _ => {
            let mut at = start;
            for out in out {
                *out = number(cells[at]);
                at = at.wrapping_add_signed(stride);
            }
        }
    }
}

/// Gathers the first of every `M` elements. Slices are cut so that no index needs a check.
#[inline(always)]
fn apart<const M: usize, T: Copy, W>(cells: &[T], out: &mut [W], number: impl Fn(T) -> W) {
    let ([.., _], (chunks, rest)) = (&*out, cells.as_chunks::<M>()) else { return };
    let last = out.len() - 1;
    for (out, chunk) in out[..last].iter_mut().zip(chunks) {
        *out = number(chunk[0]);
    }
    // The last chunk may end with its first element.
    out[last] = number(chunks.get(last).map_or_else(|| rest[0], |chunk| chunk[0]));
}

/// Division by a fixed number of at most 31 bits and at least 1, implemented as a multiplication: T. Granlund and P.
/// Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994.
#[derive(Debug, Clone, Copy)]
struct Divisor {
    factor: u32,
    shift: u32,
}

impl Divisor {
    #[inline(always)]
    fn new(n: u32) -> Self {
        let shift = 63 - (n - 1).leading_zeros();
        Self { factor: (1u64 << shift).div_ceil(n.into()) as u32, shift }
    }

    /// Divides, rounding down.
    #[inline(always)]
    fn divide(self, a: i32) -> i32 {
        // All bits of the sign; XOR with them turns a negative number into a nonnegative one.
        let sign = a >> 31;
        let quotient = (u64::from((a ^ sign) as u32) * u64::from(self.factor)) >> self.shift;
        quotient as i32 ^ sign
    }
}

macro_rules! narrow {
    ($($W:ident $cell:ident),*) => {$(
        impl Word for $W {
            const RANGE: (i128, i128) = ($W::MIN as i128, $W::MAX as i128);

            fn of(n: i128) -> Self {
                n as $W
            }

            #[inline(always)]
            fn cell<T: Cell>(self) -> T {
                T::$cell(self)
            }

            #[inline(always)]
            fn gather(cells: &AnyCells<'_>, start: usize, stride: isize, out: &mut [Self]) {
                each_cells!(cells, cells => gather(cells, start, stride, out, |n| n as $W));
            }

            // According to the kernel's hull, no operation exceeds the type; kernels have no division rounding up.
            #[inline(always)]
            fn arithmetic(
                op: Op,
                a: Values<'_, Self>,
                b: Values<'_, Self>,
                out: &mut [Self],
            ) -> bool {
                match (op, b) {
                    (Op::Div, Values::Scalar(n)) if n > 0 && n & (n - 1) == 0 => {
                        let bits = n.trailing_zeros();
                        zip(a, b, out, |a, _| a >> bits);
                    }
                    (Op::Rem, Values::Scalar(n)) if n > 0 && n & (n - 1) == 0 => {
                        zip(a, b, out, |a, n| a & (n - 1));
                    }
                    (Op::Div, Values::Scalar(n)) if n > 0 && $W::BITS == 32 => {
                        let divisor = Divisor::new(n as u32);
                        zip(a, b, out, |a, _| divisor.divide(a as i32) as $W);
                    }
                    (Op::Rem, Values::Scalar(n)) if n > 0 && $W::BITS == 32 => {
                        let divisor = Divisor::new(n as u32);
                        zip(a, b, out, |a, n| {
                            a.wrapping_sub((divisor.divide(a as i32) as $W).wrapping_mul(n))
                        });
                    }
                    (Op::Add, _) => zip(a, b, out, $W::wrapping_add),
                    (Op::Sub, _) => zip(a, b, out, $W::wrapping_sub),
                    (Op::Mul, _) => zip(a, b, out, $W::wrapping_mul),
                    (Op::Min, _) => zip(a, b, out, |a, b| if a < b { a } else { b }),
                    (Op::Max, _) => zip(a, b, out, |a, b| if a > b { a } else { b }),
                    (Op::Div | Op::Rem, _) => {
                        let mut fine = true;
                        zip(a, b, out, |a, b| {
                            let value = match op {
                                Op::Div => a.checked_div_euclid(b),
                                _ => a.checked_rem_euclid(b),
                            };
                            fine &= b > 0 && value.is_some();
                            value.unwrap_or_default()
                        });
                        return fine;
                    }
                    (Op::DivCeil, _) => return false,
                }
                true
            }
        }
    )*};
}

narrow!(i32 of_i32, i64 of_i64);

impl Word for i128 {
    const RANGE: (i128, i128) = (i128::MIN, i128::MAX);

    fn of(n: i128) -> Self {
        n
    }

    fn cell<T: Cell>(self) -> T {
        T::of_i128(self)
    }

    fn gather(cells: &AnyCells<'_>, start: usize, stride: isize, out: &mut [Self]) {
        each_cells!(cells, cells => gather(cells, start, stride, out, i128::from));
    }

    fn arithmetic(op: Op, a: Values<'_, Self>, b: Values<'_, Self>, out: &mut [Self]) -> bool {
        let mut fine = true;
        zip(a, b, out, |a, b| match apply(op, a, b) {
            Ok(value) => value,
            Err(_) => {
                fine = false;
                0
            }
        });
        fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OPS: [Op; 7] = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem, Op::Min, Op::Max];

    /// The results for vectors and scalars in all combinations.
    fn all<W: Word>(op: Op, a: i128, b: i128) -> Vec<Option<W>> {
        let (a, b) = (W::of(a), W::of(b));
        let (left, right) = ([a; 3], [b; 3]);
        let pairs = [
            (Values::Vector(&left[..]), Values::Vector(&right[..])),
            (Values::Vector(&left[..]), Values::Scalar(b)),
            (Values::Scalar(a), Values::Vector(&right[..])),
            (Values::Scalar(a), Values::Scalar(b)),
        ];
        let results = pairs.map(|(a, b)| {
            let mut out = [W::default(); 3];
            let fine = W::arithmetic(op, a, b, &mut out);
            out.map(|value| fine.then_some(value))
        });
        results.concat()
    }

    proptest! {
        #[test]
        fn multiplications_divide(
            a in prop_oneof![any::<i32>(), Just(i32::MIN), Just(i32::MAX)],
            n in prop_oneof![1..300, 1..=i32::MAX, Just(i32::MAX), Just((1 << 30) + 1)],
        ) {
            prop_assert_eq!(Divisor::new(n as u32).divide(a), a.div_euclid(n));
            let multiple = a.div_euclid(n).wrapping_mul(n);
            prop_assert_eq!(Divisor::new(n as u32).divide(multiple), multiple.div_euclid(n));
        }

        #[test]
        fn operations_are_those_of_the_language(
            op in prop::sample::select(&OPS[..]),
            a in -40_000..40_000i128,
            b in prop_oneof![-40_000..40_000i128, prop::sample::select(vec![0, 1, 2, 8, 256, 1 << 14])],
        ) {
            let expected = apply(op, a, b).ok();
            prop_assert!(all::<i32>(op, a, b).iter().all(|v| v.map(i128::from) == expected));
            prop_assert!(all::<i64>(op, a, b).iter().all(|v| v.map(i128::from) == expected));
            prop_assert!(all::<i128>(op, a, b).iter().all(|v| *v == expected));
        }
    }
}
