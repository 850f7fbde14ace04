//! Several unknowns that are the digits of one number: `y = 256*x.high + x.low`.
//!
//! If each unknown's weight is more than all lighter ones can add up to, a number has at most one
//! representation in them, and division finds it. Nothing is left to an ensure.

use crate::program::{Expr, Op, Poly, Program, Ref, range};

/// The digits of `number = value`: the unknowns `open` of `value` with what each of them
/// is. `None` if they are no digits: a weight is not positive or does not divide the next
/// one, the least is not 1, or a lighter digit could carry.
pub fn digits(
    program: &Program,
    number: &Expr,
    value: &Expr,
    open: &[Ref],
) -> Option<Vec<(Ref, Expr)>> {
    let mut rest = Poly::of(value);
    let mut weighted = Vec::new();
    for r in open {
        let (weight, without) = rest.linear_in(&Poly::ref_atom(r))?;
        let weight = weight.as_int().filter(|w| *w >= 1)?;
        let (least, most) = range::of(program, &Expr::Ref(r.clone()));
        if least != 0 {
            return None;
        }
        weighted.push((weight, most, r));
        rest = without;
    }
    weighted.sort_by_key(|(weight, ..)| std::cmp::Reverse(*weight));
    // From the lightest: what all so far can add up to.
    let mut below = 0i128;
    let mut lighter = 1;
    for (k, (weight, most, _)) in weighted.iter().rev().enumerate() {
        let starts_right = if k == 0 { *weight == 1 } else { weight % lighter == 0 };
        if !starts_right || *weight <= below {
            return None;
        }
        below = below.checked_add(weight.checked_mul(*most)?)?;
        lighter = *weight;
    }
    let number = Poly::of(number).sub(&rest).to_expr();
    let mut heavier: Option<i128> = None;
    let digit = |(weight, _, r): &(i128, i128, &Ref)| {
        let tail = match heavier.replace(*weight) {
            None => number.clone(),
            Some(heavier) => Expr::bin(Op::Rem, number.clone(), Expr::Int(heavier)),
        };
        let value = match weight {
            1 => tail,
            weight => Expr::bin(Op::Div, tail, Expr::Int(*weight)),
        };
        ((*r).clone(), value)
    };
    Some(weighted.iter().map(digit).collect())
}
