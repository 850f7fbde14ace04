//! Conditions of paths in the theory of bit-vectors, for Z3.

use std::collections::HashMap;
use std::sync::Arc;

use canonical::{Binary, IntType, Unary};
use z3::ast::{BV, Bool};
use z3::{Params, SatResult, Solver};

use super::term::{Condition, Term, TermKind};

/// The answer about conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// These inputs satisfy them.
    Inputs(Vec<i128>),
    /// No inputs do.
    None,
    /// Z3 gave up or is missing.
    Unknown,
}

/// Z3's resource limit of a query, which does not depend on the clock.
const RLIMIT: u32 = 600_000;
/// The limit of time, in milliseconds, for work that the resource limit does not count.
const TIMEOUT: u32 = 5_000;

/// Inputs that satisfy all conditions.
pub fn solve(conditions: &[Condition], inputs: &[IntType]) -> Answer {
    z3::with_own_context(|| query(conditions, inputs)).unwrap_or(Answer::Unknown)
}

fn query(conditions: &[Condition], inputs: &[IntType]) -> Answer {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", RLIMIT);
    params.set_u32("timeout", TIMEOUT);
    solver.set_params(&params);
    let names: Vec<BV> = (0..inputs.len())
        .map(|k| BV::new_const(format!("i{k}").as_str(), inputs[k].bits()))
        .collect();
    for (name, ty) in names.iter().zip(inputs) {
        if *ty == IntType::BOOL {
            solver.assert(name.bvule(number(1, 8)));
        }
    }
    let mut translate = Translate { names: &names, known: HashMap::new() };
    for condition in conditions {
        let condition = translate.condition(condition);
        solver.assert(&condition);
    }
    match solver.check() {
        SatResult::Unsat => Answer::None,
        SatResult::Unknown => Answer::Unknown,
        SatResult::Sat => {
            let Some(model) = solver.get_model() else { return Answer::Unknown };
            let value = |(name, ty): (&BV, &IntType)| {
                let part = |of: &BV| model.eval(of, true)?.as_u64().map(i128::from);
                let value = match ty.bits() {
                    128 => part(&name.extract(127, 64))? << 64 | part(&name.extract(63, 0))?,
                    _ => part(name)?,
                };
                Some(ty.convert(value))
            };
            names
                .iter()
                .zip(inputs)
                .map(value)
                .collect::<Option<_>>()
                .map_or(Answer::Unknown, Answer::Inputs)
        }
    }
}

fn number(value: i128, bits: u32) -> BV {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // The lower half.
    let low = BV::from_u64(value as u64, bits.min(64));
    if bits <= 64 {
        return low;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // The upper half.
    let high = BV::from_u64((value >> 64) as u64, bits - 64);
    high.concat(&low)
}

/// The least number with a sign.
fn least(bits: u32) -> BV {
    number(i128::MIN >> (128 - bits), bits)
}

/// Returns a term that is true if the product of two signed numbers has no more bits than the numbers. It compares
/// their absolute values, because Z3 4.8.12 simplifies its predicate for signed numbers wrongly if one of them is
/// negative.
fn product_fits(x: &BV, y: &BV) -> Bool {
    let bits = x.get_size();
    let zero = number(0, bits);
    let amount = |of: &BV| of.bvslt(&zero).ite(&of.bvneg(), of);
    let (a, b) = (amount(x), amount(y));
    let is_negative = x.bvslt(&zero).xor(y.bvslt(&zero));
    // The absolute value of the least number has the same bits, read as an unsigned number.
    let least = least(bits);
    let product = a.bvmul(&b);
    let in_range = product.bvult(&least) | (is_negative & product.eq(&least));
    a.bvmul_no_overflow(&b, false) & in_range
}

/// Returns a term that is true if the product of a signed number and a constant has no more bits than the number.
fn multiple_fits(x: &BV, factor: i128, int: IntType) -> Bool {
    if matches!(factor, 0 | 1) {
        return Bool::from_bool(true);
    }
    let (least, greatest) = int.range();
    let (Some(one), Some(other)) = (least.checked_div(factor), greatest.checked_div(factor)) else {
        // The minimum of 128 bits cannot be negated.
        return x.eq(number(least, x.get_size())).not();
    };
    let (low, high) = (one.min(other), one.max(other));
    x.bvsge(number(low.max(least), x.get_size()))
        & x.bvsle(number(high.min(greatest), x.get_size()))
}

struct Translate<'a> {
    names: &'a [BV],
    known: HashMap<*const Term, BV>,
}

impl Translate<'_> {
    fn condition(&mut self, condition: &Condition) -> Bool {
        match condition {
            Condition::True(term) => self.truth(term),
            Condition::False(term) => self.truth(term).not(),
            Condition::Fits(operator, a, b) => {
                let (x, y) = (self.term(a), self.term(b));
                let parts = match operator {
                    Binary::Add => [x.bvadd_no_overflow(&y, true), x.bvadd_no_underflow(&y)],
                    Binary::Subtract => [x.bvsub_no_overflow(&y), x.bvsub_no_underflow(&y, true)],
                    Binary::Multiply => {
                        return match (a.constant(), b.constant()) {
                            (_, Some(factor)) => multiple_fits(&x, factor, a.ty),
                            (Some(factor), _) => multiple_fits(&y, factor, b.ty),
                            _ => product_fits(&x, &y),
                        };
                    }
                    // The divisor must not be zero, and the quotient must not exceed the maximum by one.
                    _ => {
                        let minus_one = number(-1, y.get_size());
                        let overflows = x.eq(least(x.get_size())) & y.eq(&minus_one);
                        let signed = a.ty.signed;
                        let fits = if signed { overflows.not() } else { Bool::from_bool(true) };
                        [y.ne(number(0, y.get_size())), fits]
                    }
                };
                Bool::and(&parts)
            }
        }
    }

    /// A term as a truth value: comparisons need no bit-vector.
    fn truth(&mut self, term: &Arc<Term>) -> Bool {
        match &term.kind {
            TermKind::Number(value) => Bool::from_bool(*value != 0),
            TermKind::Unary(Unary::Not, of) => self.truth(of).not(),
            TermKind::Binary(operator, a, b) if operator.is_comparison() => {
                let (x, y) = (self.term(a), self.term(b));
                match (operator, a.ty.signed) {
                    (Binary::Equal, _) => x.eq(&y),
                    (Binary::NotEqual, _) => x.eq(&y).not(),
                    (Binary::Less, true) => x.bvslt(&y),
                    (Binary::Less, false) => x.bvult(&y),
                    (Binary::LessEqual, true) => x.bvsle(&y),
                    (Binary::LessEqual, false) => x.bvule(&y),
                    (Binary::Greater, true) => x.bvsgt(&y),
                    (Binary::Greater, false) => x.bvugt(&y),
                    (_, true) => x.bvsge(&y),
                    (_, false) => x.bvuge(&y),
                }
            }
            _ => {
                let value = self.term(term);
                let zero = number(0, value.get_size());
                value.eq(&zero).not()
            }
        }
    }

    fn term(&mut self, term: &Arc<Term>) -> BV {
        let key = Arc::as_ptr(term);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let made = self.make(term);
        self.known.insert(key, made.clone());
        made
    }

    fn make(&mut self, term: &Arc<Term>) -> BV {
        let bits = term.ty.bits();
        match &term.kind {
            TermKind::Number(value) => number(*value, bits),
            TermKind::Input(k) => self.names.get(*k).cloned().unwrap_or_else(|| number(0, bits)),
            TermKind::Unary(Unary::Minus, of) => self.term(of).bvneg(),
            TermKind::Unary(Unary::Complement, of) => self.term(of).bvnot(),
            TermKind::Cast(of) if term.ty == IntType::BOOL => {
                let truth = self.truth(of);
                truth.ite(&number(1, bits), &number(0, bits))
            }
            TermKind::Cast(of) => {
                let value = self.term(of);
                let from = value.get_size();
                match (from.cmp(&bits), of.ty.signed) {
                    (std::cmp::Ordering::Greater, _) => value.extract(bits - 1, 0),
                    (std::cmp::Ordering::Equal, _) => value,
                    (std::cmp::Ordering::Less, true) => value.sign_ext(bits - from),
                    (std::cmp::Ordering::Less, false) => value.zero_ext(bits - from),
                }
            }
            TermKind::Choice(condition, then, other) => {
                let (then, other) = (self.term(then), self.term(other));
                self.truth(condition).ite(&then, &other)
            }
            TermKind::Binary(operator, a, b) if !operator.is_comparison() => {
                let (x, mut y) = (self.term(a), self.term(b));
                // The count of a shift may have a different width.
                if y.get_size() > x.get_size() {
                    y = y.extract(x.get_size() - 1, 0);
                } else if y.get_size() < x.get_size() {
                    y = y.zero_ext(x.get_size() - y.get_size());
                }
                arithmetic(*operator, &x, &y, a.ty.signed)
            }
            TermKind::Unary(Unary::Not, _) | TermKind::Binary(..) => {
                let truth = self.truth(term);
                truth.ite(&number(1, bits), &number(0, bits))
            }
        }
    }
}

fn arithmetic(operator: Binary, x: &BV, y: &BV, signed: bool) -> BV {
    match (operator, signed) {
        (Binary::Add, _) => x.bvadd(y),
        (Binary::Subtract, _) => x.bvsub(y),
        (Binary::Multiply, _) => x.bvmul(y),
        (Binary::Divide, true) => x.bvsdiv(y),
        (Binary::Divide, false) => x.bvudiv(y),
        (Binary::Remainder, true) => x.bvsrem(y),
        (Binary::Remainder, false) => x.bvurem(y),
        (Binary::ShiftLeft, _) => x.bvshl(y),
        (Binary::ShiftRight, true) => x.bvashr(y),
        (Binary::ShiftRight, false) => x.bvlshr(y),
        (Binary::And, _) => x.bvand(y),
        (Binary::Or, _) => x.bvor(y),
        _ => x.bvxor(y),
    }
}

#[cfg(test)]
mod tests {
    use canonical::fold;

    use super::*;

    /// Numbers of eight bits, including ones that overflow.
    const NUMBERS: [i128; 7] = [-128, -43, -3, -1, 0, 3, 127];

    /// Returns true if the condition can hold with these values of the inputs.
    fn holds(condition: Condition, inputs: &[(Arc<Term>, i128)], int: IntType) -> bool {
        let equal = |(input, value): &(Arc<Term>, i128)| {
            let number = Term::number(*value, int);
            Condition::True(Term::binary(Binary::Equal, input, &number, IntType::INT))
        };
        let all: Vec<Condition> = inputs.iter().map(equal).chain([condition]).collect();
        match solve(&all, &[int, int]) {
            Answer::Inputs(_) => true,
            Answer::None => false,
            Answer::Unknown => panic!("eight bits are too many"),
        }
    }

    #[test]
    fn arithmetic_fits_where_c_says_so() {
        let int = IntType { signed: true, ..IntType::BYTE };
        let (x, y) = (Term::input(0, int), Term::input(1, int));
        let mut wrong = Vec::new();
        for operator in [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide] {
            for a in NUMBERS {
                for b in NUMBERS {
                    let expected = fold::integers(operator, a, b, int).is_ok();
                    let of = |x: &Arc<Term>, y: &Arc<Term>| {
                        Condition::Fits(operator, Arc::clone(x), Arc::clone(y))
                    };
                    let (one, other) = (Term::number(a, int), Term::number(b, int));
                    let (first, second) = ((x.clone(), a), (y.clone(), b));
                    let found = [
                        holds(of(&x, &y), &[first.clone(), second.clone()], int),
                        holds(of(&x, &other), &[first], int),
                        holds(of(&one, &y), &[second], int),
                    ];
                    if found != [expected; 3] {
                        wrong.push(format!("{a} {operator:?} {b}: {found:?}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
