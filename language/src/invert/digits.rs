//! Solves equations whose unknowns are the digits of one number: `y = 256*x.high + x.low`.
//!
//! If each unknown's weight exceeds the sum of the maximum values of all lighter ones, a number has at most one
//! representation in them, and division finds it. Nothing is left to an ensure.

use crate::program::{Expr, Op, Poly, Program, Ref, range};

/// The digits of `number = value`: the unknowns `open` of `value`, each with its value. `None` if they are not digits:
/// a weight is not positive or does not divide the next one, the least is not 1, or a lighter digit could carry.
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
    // The maximum sum of the digits so far, starting with the lightest.
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

/// The digits of a part of a number.
pub struct PartDigits {
    /// The digits of the part, each with its value.
    pub digits: Vec<(Ref, Expr)>,
    /// The digits that are read but do not affect the part.
    pub dropped: Vec<Ref>,
}

/// The digits of `number = value`, where `value` is a quotient or a remainder of a sum by a number:
/// `y = (256*x.high + x.low) / 256`. The digits that the division drops have any value. `None` if the dropped part
/// might carry, or the rest has no [`digits`].
pub fn digits_of_part(
    program: &Program,
    number: &Expr,
    value: &Expr,
    open: &[Ref],
) -> Option<PartDigits> {
    let Expr::Bin(op @ (Op::Div | Op::Rem), dividend, divisor) = value else { return None };
    let Expr::Int(divisor @ 2..) = **divisor else { return None };
    let (mut high, mut low) = (Poly::default(), Poly::default());
    for (monomial, c) in Poly::of(dividend).terms() {
        let (part, c) = if c % divisor == 0 { (&mut high, c / divisor) } else { (&mut low, c) };
        *part = part.add(&Poly::term(monomial.clone(), c));
    }
    if !range::within(program, &low.to_expr(), (0, divisor - 1)) {
        return None;
    }
    let (kept, dropped) = if *op == Op::Div { (high, low) } else { (low, high) };
    let mentioned = |r: &&Ref| kept.mentions(&Poly::ref_atom(r));
    let (kept_refs, others): (Vec<&Ref>, Vec<&Ref>) = open.iter().partition(mentioned);
    // Each is an operand of the sum, not deeper inside.
    let plain = |r: &&Ref| dropped.linear_in(&Poly::ref_atom(r)).is_some();
    if kept_refs.is_empty() || others.iter().any(|r| !plain(r) || r.index.is_empty()) {
        return None;
    }
    let kept_refs: Vec<Ref> = kept_refs.into_iter().cloned().collect();
    let digits = digits(program, number, &kept.to_expr(), &kept_refs)?;
    Some(PartDigits { digits, dropped: others.into_iter().cloned().collect() })
}
