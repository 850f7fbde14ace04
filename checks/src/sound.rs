//! Proves soundness by Z3: the program normalizes whatever the inverse returns to the canonical
//! value. The proof uses only the text of the inverse, so it is independent of the algorithm that
//! made it. It covers loops of a few iterations.

use std::time::{Duration, Instant};

use z3::ast::{Bool, Int};
use z3::with_own_context;

use super::terms::{Terms, possible};
use inverter::invert::{Inst, InstKind, Inverse, Why};
use inverter::program::{Cmp, Expr, Pred, Side, Stmt, StmtKind};
use inverter::solve::smt::int;

/// The result of the proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Soundness {
    /// The largest number of iterations for which soundness is proved; `None` if not even one.
    pub proved: Option<i64>,
    /// The reason why it is not proved for more.
    pub stopped: Stopped,
}

/// The reason why a proof stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped {
    /// The requested number of iterations was reached.
    Enough,
    /// Z3 took too long.
    Time,
    /// Z3 found values for which this line of the spec does not hold: an internal error of the
    /// inversion.
    Refuted(usize),
    /// Z3 is missing.
    NoSolver,
    /// The spec calls a primitive, whose code Z3 cannot interpret.
    Primitive,
    /// The spec has walks: each representation is checked when it is made.
    Walks,
}

/// Proves soundness for loops of 1, 2, .. up to `most` iterations, within `budget`.
pub fn soundness(inverse: &Inverse, most: i64, budget: Duration) -> Soundness {
    let began = Instant::now();
    let mut proved = None;
    if inverse.program.has_walks() {
        return Soundness { proved, stopped: Stopped::Walks };
    }
    if has_primitive(&inverse.program.body) {
        return Soundness { proved, stopped: Stopped::Primitive };
    }
    for bound in 1..=most {
        let left = budget.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Soundness { proved, stopped: Stopped::Time };
        }
        let milliseconds = u32::try_from(left.as_millis()).unwrap_or(u32::MAX);
        match with_own_context(|| for_iterations(inverse, bound, milliseconds)) {
            Ok(Ok(())) => proved = Some(bound),
            Ok(Err(stopped)) => return Soundness { proved, stopped },
            Err(_) => return Soundness { proved, stopped: Stopped::NoSolver },
        }
    }
    Soundness { proved, stopped: Stopped::Enough }
}

/// Proves soundness for loops of `bound` iterations.
fn for_iterations(inverse: &Inverse, bound: i64, milliseconds: u32) -> Result<(), Stopped> {
    let mut proof = Proof { terms: Terms::new(&inverse.program), bound, claims: Vec::new() };
    proof.backward(inverse, &inverse.body, &Bool::from_bool(true));
    proof.claims.clear();
    proof.forward(&inverse.program.body, &Bool::from_bool(true));
    let claims: Vec<Bool> = proof.claims.iter().map(|c| c.1.clone()).collect();
    let wrong = Bool::and(&claims).not();
    match possible(&proof.terms.facts, &wrong, milliseconds) {
        Some(false) => Ok(()),
        None => Err(Stopped::Time),
        Some(true) => {
            let culprit = proof.claims.iter().find(|(_, claim)| {
                possible(&proof.terms.facts, &claim.not(), milliseconds) == Some(true)
            });
            let line = culprit.map_or(0, |(span, _)| inverse.program.source.line(*span));
            Err(Stopped::Refuted(line))
        }
    }
}

fn has_primitive(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Decode { .. } => true,
        StmtKind::If { then, els, .. } => has_primitive(then) || has_primitive(els),
        StmtKind::For { body, .. } => has_primitive(body),
        _ => false,
    })
}

struct Proof<'p> {
    terms: Terms<'p>,
    bound: i64,
    /// The program's assumptions about its input and equations for its output, with their places.
    claims: Vec<(inverter::program::Span, Bool)>,
}

impl Proof<'_> {
    /// Adds the facts that hold after a successful run of the inverse.
    fn backward(&mut self, inverse: &Inverse, body: &[Inst], here: &Bool) {
        for inst in body {
            match &inst.kind {
                InstKind::Assign { target, value } => {
                    let value = self.terms.expr(value);
                    let (lo, hi) = self.terms.program.field(target).int.range();
                    let fits = Bool::and(&[value.ge(int(lo)), value.le(int(hi))]);
                    self.fact(here, &fits);
                    if target.index.is_empty() {
                        let old = self.terms.load(target);
                        let new = here.ite(&value, &old);
                        self.terms.scalars.insert((Side::Input, target.field), new);
                    } else {
                        // The run rejects a second, different value of an element, so each
                        // written value holds at the end.
                        let inside = self.terms.inside(target);
                        self.fact(here, &inside);
                        let element = self.terms.load(target);
                        self.fact(here, &element.eq(&value));
                    }
                }
                InstKind::Assume(p, _) => {
                    let p = self.terms.pred(p, self.bound);
                    self.fact(here, &p);
                }
                InstKind::Ensure(n) => {
                    for c in &inverse.ensures[*n].conjuncts {
                        // These only keep writes disjoint; equal writes may overlap without them.
                        if matches!(c.why, Why::Once(_)) {
                            continue;
                        }
                        self.bounds(&c.pred);
                        let p = self.terms.pred(&c.pred, self.bound);
                        self.fact(here, &p);
                    }
                }
                InstKind::If { cond, then, els } => {
                    let cond = self.terms.pred(cond, self.bound);
                    self.backward(inverse, then, &Bool::and(&[here, &cond]));
                    self.backward(inverse, els, &Bool::and(&[here, &cond.not()]));
                }
                InstKind::For { var, count, body } => {
                    let count = self.terms.expr(count);
                    self.fact(here, &count.le(Int::from_i64(self.bound)));
                    for k in 0..self.bound {
                        self.terms.vars.insert(*var, Int::from_i64(k));
                        let runs = count.gt(Int::from_i64(k));
                        self.backward(inverse, body, &Bool::and(&[here, &runs]));
                    }
                    self.terms.vars.remove(var);
                }
                _ => {}
            }
        }
    }

    /// Bounds the counts of quantifiers, because they come from loops, which are bounded.
    fn bounds(&mut self, p: &Pred) {
        if let Pred::All(var, count, inner) = p {
            let count = self.terms.expr(count);
            let small = count.le(Int::from_i64(self.bound));
            self.terms.facts.push(small);
            if matches!(**inner, Pred::All(..)) {
                for k in 0..self.bound {
                    self.terms.vars.insert(*var, Int::from_i64(k));
                    self.bounds(inner);
                }
                self.terms.vars.remove(var);
            }
        }
    }

    fn fact(&mut self, here: &Bool, p: &Bool) {
        self.terms.facts.push(here.implies(p));
    }

    /// Adds the claims of the program about the representation that the inverse has made.
    fn forward(&mut self, body: &[Stmt], here: &Bool) {
        for stmt in body {
            let span = stmt.span;
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    self.divisors(value, here, span);
                    let value = self.terms.expr(value);
                    let output = self.terms.load(target);
                    self.claims.push((span, here.implies(output.eq(&value))));
                }
                StmtKind::Assume(p) => {
                    p.exprs(&mut |e| self.divisors(e, here, span));
                    let p = self.terms.pred(p, self.bound);
                    self.claims.push((span, here.implies(&p)));
                }
                StmtKind::If { cond, then, els } => {
                    let cond = self.terms.pred(cond, self.bound);
                    self.forward(then, &Bool::and(&[here, &cond]));
                    self.forward(els, &Bool::and(&[here, &cond.not()]));
                }
                StmtKind::For { var, count, body } => {
                    self.divisors(count, here, span);
                    let count = self.terms.expr(count);
                    for k in 0..self.bound {
                        self.terms.vars.insert(*var, Int::from_i64(k));
                        let runs = count.gt(Int::from_i64(k));
                        self.forward(body, &Bool::and(&[here, &runs]));
                    }
                    self.terms.vars.remove(var);
                }
                _ => {}
            }
        }
    }

    /// Claims that the divisors in `e` are at least 1.
    fn divisors(&mut self, e: &Expr, here: &Bool, span: inverter::program::Span) {
        use inverter::program::Op;
        match e {
            Expr::Bin(op, a, b) => {
                self.divisors(a, here, span);
                self.divisors(b, here, span);
                if matches!(op, Op::Div | Op::Rem | Op::DivCeil) && !matches!(**b, Expr::Int(_)) {
                    let large = Pred::cmp(Cmp::Ge, (**b).clone(), Expr::Int(1));
                    let large = self.terms.pred(&large, self.bound);
                    self.claims.push((span, here.implies(&large)));
                }
            }
            Expr::Ref(r) => r.index.iter().for_each(|i| self.divisors(i, here, span)),
            Expr::Int(_) | Expr::Var(_) => {}
        }
    }
}
