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

    /// Gathers elements, from `start` on in steps of `stride`.
    fn gather(cells: &AnyCells<'_>, start: usize, stride: isize, out: &mut [Self]);

    /// Computes `op(a, b)`. Returns false if that has no value somewhere.
    fn arithmetic(op: Op, a: Values<'_, Self>, b: Values<'_, Self>, out: &mut [Self]) -> bool;
}

/// Computes each element of `out` of those of `a` and `b`.
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
fn gather<T: Copy, W>(
    cells: &[T],
    start: usize,
    stride: isize,
    out: &mut [W],
    number: impl Fn(T) -> W,
) {
    if stride == 1 {
        for (out, cell) in out.iter_mut().zip(&cells[start..]) {
            *out = number(*cell);
        }
        return;
    }
    let mut at = start;
    for out in out {
        *out = number(cells[at]);
        at = at.wrapping_add_signed(stride);
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

            // No operation leaves the type, by the hull of the kernel, which has no division upwards.
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
