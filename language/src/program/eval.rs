//! The evaluator of expressions and predicates.
//!
//! A [`Lookup`] supplies the values of variables and references. The rest is shared by all uses: in a run, in an
//! exploration of all runs, over the scalars of a record, or over numerals alone. The functions are generic, so each
//! use is compiled separately.

use super::syntax::{Expr, Op, Pred, Ref, VarId};

/// The reason why an operation has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undefined {
    /// The value does not fit 128 bits.
    Overflow,
    /// The divisor is less than 1.
    Divisor,
}

impl Undefined {
    /// The reason in words, for messages.
    pub fn message(self) -> &'static str {
        match self {
            Undefined::Overflow => "the value of an expression leaves 128 bits",
            Undefined::Divisor => "a division by less than 1",
        }
    }
}

/// Computes `op(a, b)`.
///
/// # Errors
///
/// Returns an error if it has no value.
pub fn apply(op: Op, a: i128, b: i128) -> Result<i128, Undefined> {
    if matches!(op, Op::Div | Op::Rem | Op::DivCeil) && b < 1 {
        return Err(Undefined::Divisor);
    }
    let value = match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Min => Some(a.min(b)),
        Op::Max => Some(a.max(b)),
        Op::Div => Some(div(a, b)),
        Op::Rem => Some(a - div(a, b) * b),
        Op::DivCeil => a.checked_neg().map(|a| -a.div_euclid(b)),
    };
    value.ok_or(Undefined::Overflow)
}

/// Returns the quotient by a divisor of at least 1, rounded down. Nearly all numbers have 64 bits, which divide many times faster
/// than 128.
fn div(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    }
}

/// Supplies the values of variables and references.
pub trait Lookup {
    /// The reason why evaluation stops without a value.
    type Stop;

    /// Returns the value of a loop variable.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    fn var(&mut self, var: VarId) -> Result<i128, Self::Stop>;

    /// Returns the value of a scalar or an element.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    fn load(&mut self, r: &Ref) -> Result<i128, Self::Stop>;

    /// Returns the reason to stop at an operation without a value.
    fn undefined(&self, why: Undefined) -> Self::Stop;
}

/// Decides quantified predicates as well.
pub trait Quantify: Lookup {
    /// Returns the truth of `all`, which is `for all var in 0..count: inner`.
    ///
    /// # Errors
    ///
    /// Returns an error if it has no value.
    fn all(
        &mut self,
        all: &Pred,
        var: VarId,
        count: &Expr,
        inner: &Pred,
    ) -> Result<bool, Self::Stop>;
}

/// Substitutes known values for references.
pub trait Reduce: Lookup {
    /// Returns the value of `r` as a numeral, or `r` with numerals as indices if it has none yet.
    ///
    /// # Errors
    ///
    /// Returns an error if it can have no value.
    fn reduce(&mut self, r: &Ref) -> Result<Expr, Self::Stop>;
}

/// Evaluates an expression.
///
/// # Errors
///
/// Returns an error if it has no value: the first reason in the order of evaluation, left to right.
#[inline]
pub fn eval<L: Lookup + ?Sized>(lookup: &mut L, e: &Expr) -> Result<i128, L::Stop> {
    match e {
        Expr::Int(n) => Ok(*n),
        Expr::Var(v) => lookup.var(*v),
        Expr::Ref(r) => lookup.load(r),
        Expr::Bin(op, a, b) => {
            let (a, b) = (eval(lookup, a)?, eval(lookup, b)?);
            apply(*op, a, b).map_err(|why| lookup.undefined(why))
        }
    }
}

/// Decides a predicate. A conjunction ends at the first part that fails, a disjunction at the first that holds.
///
/// # Errors
///
/// Returns an error if an expression that is evaluated has no value.
pub fn holds<L: Quantify + ?Sized>(lookup: &mut L, p: &Pred) -> Result<bool, L::Stop> {
    match p {
        Pred::Const(b) => Ok(*b),
        Pred::Cmp(cmp, a, b) => Ok(cmp.holds(eval(lookup, a)?.cmp(&eval(lookup, b)?))),
        Pred::And(ps) => {
            for p in ps {
                if !holds(lookup, p)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Pred::Or(ps) => {
            for p in ps {
                if holds(lookup, p)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Pred::All(var, count, inner) => lookup.all(p, *var, count, inner),
    }
}

/// Evaluates an expression as far as values are known, and returns the residual expression.
///
/// # Errors
///
/// Returns an error if it can have no value.
pub fn residual<L: Reduce + ?Sized>(lookup: &mut L, e: &Expr) -> Result<Expr, L::Stop> {
    Ok(match e {
        Expr::Int(_) => e.clone(),
        Expr::Var(v) => Expr::Int(lookup.var(*v)?),
        Expr::Ref(r) => lookup.reduce(r)?,
        Expr::Bin(op, a, b) => match (residual(lookup, a)?, residual(lookup, b)?) {
            (Expr::Int(a), Expr::Int(b)) => {
                Expr::Int(apply(*op, a, b).map_err(|why| lookup.undefined(why))?)
            }
            (a, b) => Expr::bin(*op, a, b),
        },
    })
}

/// A [`Lookup`] without loop variables, in which a function returns the values of references.
struct Scalars<F>(F);

/// No value, for whatever reason.
struct Nothing;

impl<F: FnMut(&Ref) -> Option<i128>> Lookup for Scalars<F> {
    type Stop = Nothing;

    fn var(&mut self, _: VarId) -> Result<i128, Nothing> {
        Err(Nothing)
    }

    fn load(&mut self, r: &Ref) -> Result<i128, Nothing> {
        self.0(r).ok_or(Nothing)
    }

    fn undefined(&self, _: Undefined) -> Nothing {
        Nothing
    }
}

impl<F: FnMut(&Ref) -> Option<i128>> Quantify for Scalars<F> {
    fn all(&mut self, _: &Pred, _: VarId, _: &Expr, _: &Pred) -> Result<bool, Nothing> {
        Err(Nothing)
    }
}

/// Evaluates an expression without loop variables, whose references have the values that `value`
/// returns; `None` if it has no value.
pub fn eval_with(e: &Expr, value: impl FnMut(&Ref) -> Option<i128>) -> Option<i128> {
    eval(&mut Scalars(value), e).ok()
}

/// Decides a predicate without loop variables and quantifiers, whose references have the values that `value` returns.
/// The order of parts does not matter: a conjunction fails if any part does, and a disjunction holds if any part does.
/// `None` if it cannot be decided.
pub fn holds_with(p: &Pred, mut value: impl FnMut(&Ref) -> Option<i128>) -> Option<bool> {
    decided(&mut Scalars(&mut value), p)
}

fn decided<L: Quantify + ?Sized>(lookup: &mut L, p: &Pred) -> Option<bool> {
    let (ps, ends) = match p {
        Pred::And(ps) => (ps, false),
        Pred::Or(ps) => (ps, true),
        p => return holds(lookup, p).ok(),
    };
    let mut all = true;
    for p in ps {
        match decided(lookup, p) {
            Some(holds) if holds == ends => return Some(ends),
            Some(_) => {}
            None => all = false,
        }
    }
    all.then_some(!ends)
}

/// Returns the greatest common divisor; if one number is 0, that is the absolute value of the other.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.saturating_abs(), b.saturating_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Evaluates an expression of numerals alone; `None` if it contains anything else, or has no value.
pub fn constant(e: &Expr) -> Option<i128> {
    eval_with(e, |_| None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Cmp, FieldId, Side, Span};

    fn scalar(field: usize) -> Expr {
        Expr::Ref(Ref {
            side: Side::Input,
            field: FieldId(field),
            index: Vec::new(),
            span: Span::default(),
        })
    }

    #[test]
    fn operations_without_a_value_are_reported() {
        assert_eq!(apply(Op::DivCeil, -7, 2), Ok(-3));
        assert_eq!(apply(Op::Div, 7, 0), Err(Undefined::Divisor));
        assert_eq!(apply(Op::Mul, i128::MAX, 2), Err(Undefined::Overflow));
        assert_eq!(apply(Op::DivCeil, i128::MIN, 2), Err(Undefined::Overflow));
    }

    #[test]
    fn conjunctions_and_disjunctions_end_early() {
        let undefined = Pred::cmp(Cmp::Eq, scalar(1), Expr::Int(0));
        let five = Pred::cmp(Cmp::Eq, scalar(0), Expr::Int(5));
        let value = |r: &Ref| (r.field == FieldId(0)).then_some(5);
        assert_eq!(holds_with(&Pred::or([five.clone(), undefined.clone()]), value), Some(true));
        assert_eq!(holds_with(&Pred::and([five.negated(), undefined.clone()]), value), Some(false));
        assert_eq!(holds_with(&Pred::or([undefined.clone(), five.clone()]), value), Some(true));
        assert_eq!(holds_with(&Pred::and([five, undefined]), value), None);
    }

    #[test]
    fn constants_are_expressions_of_numerals() {
        let sum = Expr::bin(Op::Add, Expr::Int(2), Expr::Int(3));
        assert_eq!(constant(&sum), Some(5));
        assert_eq!(constant(&Expr::bin(Op::Add, sum, scalar(0))), None);
    }
}
