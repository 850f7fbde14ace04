//! Piecewise linear functions of one unknown: sums, multiples, minima and maxima of linear ones. The number of pieces
//! grows with the number of operators, not with their nesting.

use super::interval::IntervalSet;
use language::program::{Atom, Cmp, Op, Poly};

/// The maximum number of pieces of a function.
const MOST: usize = 4096;

/// A linear function on an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    lo: i128,
    hi: i128,
    /// Its value is `slope * unknown + constant`.
    slope: i128,
    constant: i128,
}

/// Returns the values of `unknown` in `within` for which `e cmp 0`; `None` if `e` is not a piecewise linear function of
/// it, or has too many pieces.
pub fn solutions(cmp: Cmp, e: &Poly, unknown: &Atom, within: (i128, i128)) -> Option<IntervalSet> {
    let pieces = function(e, unknown, within)?;
    let mut spans = Vec::with_capacity(pieces.len());
    for piece in pieces {
        spans.extend(piece.solutions(cmp)?);
    }
    Some(IntervalSet::from_spans(spans))
}

impl Piece {
    fn at(&self, value: i128) -> Option<i128> {
        self.slope.checked_mul(value)?.checked_add(self.constant)
    }

    /// Returns the part of the interval in which the comparison of the value with 0 holds.
    fn solutions(&self, cmp: Cmp) -> Option<Vec<(i128, i128)>> {
        let (lo, hi) = (self.lo, self.hi);
        self.at(lo)?;
        self.at(hi)?;
        if self.slope == 0 {
            return Some(if cmp.holds(self.constant.cmp(&0)) {
                vec![(lo, hi)]
            } else {
                Vec::new()
            });
        }
        // For a positive slope: the least value of the unknown at which the function is at least 0, and the greatest at
        // which it is at most 0.
        let root = self.constant.checked_neg()?.div_euclid(self.slope);
        let exact = self.constant % self.slope == 0;
        // With a positive slope the function is at most 0 up to the floor of the root; with a negative slope, it is at
        // most 0 from the ceiling.
        let floor = if self.slope > 0 || exact { root } else { root - 1 };
        let ceiling = if exact { floor } else { floor + 1 };
        let rising = self.slope > 0;
        Some(match cmp {
            Cmp::Eq => {
                if exact {
                    vec![(lo.max(root), hi.min(root))]
                } else {
                    Vec::new()
                }
            }
            Cmp::Ne if exact => vec![(lo, hi.min(root - 1)), (lo.max(root + 1), hi)],
            Cmp::Ne => vec![(lo, hi)],
            Cmp::Le | Cmp::Lt | Cmp::Ge | Cmp::Gt => {
                let below = matches!(cmp, Cmp::Le | Cmp::Lt) == rising;
                let strict = i128::from(exact && matches!(cmp, Cmp::Lt | Cmp::Gt));
                match below {
                    true => vec![(lo, hi.min(floor - strict))],
                    false => vec![(lo.max(ceiling + strict), hi)],
                }
            }
        })
    }
}

/// Returns a polynomial as a function of the unknown: pieces in ascending order that cover `within`.
fn function(e: &Poly, unknown: &Atom, within: (i128, i128)) -> Option<Vec<Piece>> {
    let constant = |n| vec![Piece { lo: within.0, hi: within.1, slope: 0, constant: n }];
    let mut sum = constant(0);
    for (monomial, c) in e.terms() {
        let mut product = constant(c);
        for atom in monomial {
            let factor = operand(atom, unknown, within)?;
            product = combined(&product, &factor, |a, b| match (a.slope, b.slope) {
                (0, _) => scaled(b, a.constant),
                (_, 0) => scaled(a, b.constant),
                _ => None,
            })?;
        }
        sum = combined(&sum, &product, |a, b| {
            let slope = a.slope.checked_add(b.slope)?;
            Some((slope, a.constant.checked_add(b.constant)?))
        })?;
    }
    Some(sum)
}

fn scaled(piece: &Piece, by: i128) -> Option<(i128, i128)> {
    Some((piece.slope.checked_mul(by)?, piece.constant.checked_mul(by)?))
}

fn operand(atom: &Atom, unknown: &Atom, within: (i128, i128)) -> Option<Vec<Piece>> {
    if atom == unknown {
        return Some(vec![Piece { lo: within.0, hi: within.1, slope: 1, constant: 0 }]);
    }
    match atom {
        Atom::Op(op @ (Op::Min | Op::Max), a, b) => {
            let (a, b) = (function(a, unknown, within)?, function(b, unknown, within)?);
            lesser_or_greater(*op == Op::Min, &a, &b)
        }
        _ => None,
    }
}

/// Combines two functions piece by piece.
fn combined(
    a: &[Piece],
    b: &[Piece],
    with: impl Fn(&Piece, &Piece) -> Option<(i128, i128)>,
) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    for (x, y, lo, hi) in common(a, b) {
        let (slope, constant) = with(x, y)?;
        push(&mut out, Piece { lo, hi, slope, constant });
    }
    (out.len() <= MOST).then_some(out)
}

/// Returns the minimum, or the maximum, of two functions.
fn lesser_or_greater(lesser: bool, a: &[Piece], b: &[Piece]) -> Option<Vec<Piece>> {
    let mut out = Vec::new();
    for (x, y, lo, hi) in common(a, b) {
        let difference = Piece {
            lo,
            hi,
            slope: x.slope.checked_sub(y.slope)?,
            constant: x.constant.checked_sub(y.constant)?,
        };
        let cmp = if lesser { Cmp::Le } else { Cmp::Ge };
        let first = IntervalSet::from_spans(difference.solutions(cmp)?);
        let mut parts: Vec<(i128, i128, &Piece)> =
            first.spans().iter().map(|s| (s.0, s.1, x)).collect();
        parts.extend(first.complement((lo, hi)).spans().iter().map(|s| (s.0, s.1, y)));
        parts.sort_unstable_by_key(|part| part.0);
        for (lo, hi, of) in parts {
            push(&mut out, Piece { lo, hi, ..*of });
        }
    }
    (out.len() <= MOST).then_some(out)
}

/// Appends a piece, joined with the previous one if it continues that.
fn push(out: &mut Vec<Piece>, piece: Piece) {
    match out.last_mut() {
        Some(last) if last.slope == piece.slope && last.constant == piece.constant => {
            last.hi = piece.hi;
        }
        _ => out.push(piece),
    }
}

/// Returns the intervals in which neither function changes its piece.
fn common<'p>(
    a: &'p [Piece],
    b: &'p [Piece],
) -> impl Iterator<Item = (&'p Piece, &'p Piece, i128, i128)> {
    let (mut i, mut j) = (0, 0);
    std::iter::from_fn(move || {
        let (x, y) = (a.get(i)?, b.get(j)?);
        let (lo, hi) = (x.lo.max(y.lo), x.hi.min(y.hi));
        if x.hi <= hi {
            i += 1;
        }
        if y.hi <= hi {
            j += 1;
        }
        Some((x, y, lo, hi))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::program::eval::eval_with;
    use language::program::{Expr, FieldId, Ref, Side, Span};
    use proptest::prelude::*;

    fn unknown() -> Expr {
        let index = Vec::new();
        Expr::Ref(Ref { side: Side::Input, field: FieldId(0), index, span: Span::default() })
    }

    fn any_expr() -> impl Strategy<Value = Expr> {
        let leaf = prop_oneof![Just(unknown()), (-9i128..10).prop_map(Expr::Int)];
        leaf.prop_recursive(6, 24, 2, |inner| {
            let op = prop::sample::select(vec![Op::Add, Op::Sub, Op::Min, Op::Max]);
            let scaled =
                (-3i128..4, inner.clone()).prop_map(|(c, e)| Expr::bin(Op::Mul, Expr::Int(c), e));
            prop_oneof![
                4 => (op, inner.clone(), inner).prop_map(|(op, a, b)| Expr::bin(op, a, b)),
                1 => scaled,
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        #[test]
        fn solutions_are_those_of_evaluation(
            e in any_expr(),
            cmp in prop::sample::select(vec![Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]),
        ) {
            let atom = Atom::Ref(Side::Input, FieldId(0), Vec::new());
            let set = solutions(cmp, &Poly::of(&e), &atom, (-40, 40)).unwrap();
            for value in -40..=40 {
                let of = eval_with(&e, |_| Some(value)).unwrap();
                prop_assert_eq!(set.contains(value), cmp.holds(of.cmp(&0)), "{} of {:?}", value, &e);
            }
        }
    }

    #[test]
    fn depth_does_not_matter() {
        let e = (0..300i128).fold(unknown(), |e, k| {
            let inner = Expr::bin(Op::Max, Expr::Int(k % 7), e);
            Expr::bin(Op::Min, unknown(), inner)
        });
        let atom = Atom::Ref(Side::Input, FieldId(0), Vec::new());
        let set = solutions(Cmp::Ge, &Poly::of(&e), &atom, (-9, 255)).unwrap();
        assert_eq!(set, IntervalSet::range(0, 255));
    }
}
