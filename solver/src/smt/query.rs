//! Queries to Z3.

use z3::ast::{Bool, Int};
use z3::{Params, SatResult, Solver};

use super::problem::{Answer, Failure, Propose, Unknown};
use language::program::{Cmp, Expr, Op, Poly, Pred, Side};

/// Z3's resource limit of a query.
const RLIMIT: u32 = 20_000_000;
/// The time limit of a query, in milliseconds.
const TIMEOUT: u32 = 30_000;

/// Finds values for `unknowns` that satisfy all of `preds`, by Z3.
pub(super) fn solve(unknowns: &[Unknown], preds: &[Pred], propose: Propose<'_>) -> Answer {
    z3::with_own_context(|| query(unknowns, preds, propose))?
}

fn query(unknowns: &[Unknown], preds: &[Pred], propose: Propose<'_>) -> Answer {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", RLIMIT);
    params.set_u32("timeout", TIMEOUT);
    solver.set_params(&params);

    let names: Vec<Int> =
        (0..unknowns.len()).map(|k| Int::new_const(format!("v{k}").as_str())).collect();
    for (unknown, name) in unknowns.iter().zip(&names) {
        solver.assert(name.ge(int(unknown.range.0)));
        solver.assert(name.le(int(unknown.range.1)));
    }
    let translate = Translate { unknowns, names: &names };
    let tracks: Vec<Bool> =
        (0..preds.len()).map(|k| Bool::new_const(format!("p{k}").as_str())).collect();
    for (pred, track) in preds.iter().zip(&tracks) {
        solver.assert_and_track(translate.pred(pred), track);
    }
    match solver.check() {
        SatResult::Sat => {}
        SatResult::Unsat => {
            let core = solver.get_unsat_core();
            let clash = (0..tracks.len()).filter(|k| core.contains(&tracks[*k])).collect();
            return Err(Failure::Clash(clash));
        }
        SatResult::Unknown => {
            return Err(Failure::GaveUp(solver.get_reason_unknown().unwrap_or_default()));
        }
    }
    let mut model = read(&solver, &names);
    for k in 0..unknowns.len() {
        for n in 0.. {
            let Some(value) = propose(k, n) else { break };
            if model.as_ref().is_some_and(|m| m[k] == value) {
                break;
            }
            solver.push();
            solver.assert(names[k].eq(int(value)));
            match solver.check() {
                SatResult::Sat => {
                    model = read(&solver, &names);
                    break;
                }
                // If the wall clock decided, results would differ from machine to machine.
                SatResult::Unknown => match solver.get_reason_unknown() {
                    Some(why) if why == "timeout" => return Err(Failure::GaveUp(why)),
                    _ => solver.pop(1),
                },
                SatResult::Unsat => solver.pop(1),
            }
        }
        // Later unknowns must agree with this value.
        if let Some(m) = &model {
            solver.assert(names[k].eq(int(m[k])));
        }
    }
    model.ok_or_else(|| Failure::GaveUp("the model has a value of more than 128 bits".into()))
}

fn read(solver: &Solver, names: &[Int]) -> Option<Vec<i128>> {
    let model = solver.get_model()?;
    names.iter().map(|n| model.eval(n, true)?.to_string().parse_number()).collect()
}

trait ParseNumber {
    fn parse_number(&self) -> Option<i128>;
}

impl ParseNumber for String {
    // Z3 writes a negative number as (- 7).
    fn parse_number(&self) -> Option<i128> {
        match self.strip_prefix("(- ").and_then(|s| s.strip_suffix(')')) {
            Some(n) => n.parse::<i128>().ok().map(|n| -n),
            None => self.parse().ok(),
        }
    }
}

/// A number as a term.
pub fn int(n: i128) -> Int {
    match i64::try_from(n) {
        Ok(n) => Int::from_i64(n),
        // A decimal numeral always parses.
        Err(_) => n.to_string().parse().unwrap_or_else(|()| Int::from_i64(0)),
    }
}

/// A comparison of terms.
pub fn comparison(cmp: Cmp, a: &Int, b: &Int) -> Bool {
    match cmp {
        Cmp::Eq => a.eq(b),
        Cmp::Ne => a.eq(b).not(),
        Cmp::Lt => a.lt(b),
        Cmp::Le => a.le(b),
        Cmp::Gt => a.gt(b),
        Cmp::Ge => a.ge(b),
    }
}

/// An operation on terms.
pub fn operation(op: Op, a: &Int, b: &Int) -> Int {
    match op {
        Op::Add => Int::add(&[a, b]),
        Op::Sub => Int::sub(&[a, b]),
        Op::Mul => Int::mul(&[a, b]),
        Op::Min => a.le(b).ite(a, b),
        Op::Max => a.ge(b).ite(a, b),
        // For positive divisors, Z3's quotient and remainder agree with floor division.
        Op::Div => a.div(b),
        Op::Rem => a.modulo(b),
        Op::DivCeil => Int::add(&[a, b, &int(-1)]).div(b),
    }
}

struct Translate<'a> {
    unknowns: &'a [Unknown],
    names: &'a [Int],
}

impl Translate<'_> {
    fn pred(&self, p: &Pred) -> Bool {
        match p {
            Pred::Const(b) => Bool::from_bool(*b),
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                comparison(*cmp, &a, &b)
            }
            Pred::And(ps) => Bool::and(&ps.iter().map(|p| self.pred(p)).collect::<Vec<_>>()),
            Pred::Or(ps) => Bool::or(&ps.iter().map(|p| self.pred(p)).collect::<Vec<_>>()),
            // Callers expand quantifiers beforehand.
            Pred::All(_, _, p) => self.pred(p),
        }
    }

    fn expr(&self, e: &Expr) -> Int {
        match e {
            Expr::Int(n) => int(*n),
            Expr::Ref(r) if r.side == Side::Input => {
                let atom = Poly::ref_atom(r);
                match self.unknowns.iter().position(|u| u.atom == atom) {
                    Some(k) => self.names[k].clone(),
                    None => int(0),
                }
            }
            Expr::Var(_) | Expr::Ref(_) => int(0),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                operation(*op, &a, &b)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::program::{FieldId, Ref, Span};

    fn x(field: usize) -> Ref {
        Ref { side: Side::Input, field: FieldId(field), index: Vec::new(), span: Span::default() }
    }

    fn unknowns(n: usize) -> Vec<Unknown> {
        (0..n).map(|k| Unknown { atom: Poly::ref_atom(&x(k)), range: (0, 1000) }).collect()
    }

    fn product_is(n: i128) -> Pred {
        let product = Expr::bin(Op::Mul, Expr::Ref(x(0)), Expr::Ref(x(1)));
        Pred::cmp(Cmp::Eq, product, Expr::Int(n))
    }

    #[test]
    fn proposals_are_taken_where_they_can_be_completed() {
        let propose = &mut |k: usize, n: usize| match (k, n) {
            (0, 0) => Some(5),
            (0, 1) => Some(17),
            _ => None,
        };
        assert_eq!(solve(&unknowns(2), &[product_is(391)], propose), Ok(vec![17, 23]));
    }

    #[test]
    fn a_clash_names_the_contradictory_predicates() {
        let small = Pred::cmp(Cmp::Lt, Expr::Ref(x(0)), Expr::Int(5));
        let large = Pred::cmp(Cmp::Gt, Expr::Ref(x(0)), Expr::Int(7));
        let other = Pred::cmp(Cmp::Gt, Expr::Ref(x(1)), Expr::Int(7));
        let clash = solve(&unknowns(2), &[small, other, large], &mut |_, _| None);
        assert_eq!(clash, Err(Failure::Clash(vec![0, 2])));
    }

    #[test]
    fn large_and_negative_numbers_survive() {
        let wide =
            Unknown { atom: Poly::ref_atom(&x(0)), range: (i64::MIN.into(), u64::MAX.into()) };
        for n in [i128::from(u64::MAX), i128::from(i64::MIN), -1] {
            let is = Pred::cmp(Cmp::Eq, Expr::Ref(x(0)), Expr::Int(n));
            assert_eq!(solve(std::slice::from_ref(&wide), &[is], &mut |_, _| None), Ok(vec![n]));
        }
    }
}
