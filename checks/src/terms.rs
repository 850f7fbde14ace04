//! Translates expressions and predicates of a program to Z3 terms, with quantifiers unrolled.

use std::collections::HashMap;

use z3::ast::{Array, Bool, Int};
use z3::{Params, SatResult, Solver, Sort, with_own_context};

use inverter::program::{Expr, FieldId, Pred, Program, Ref, Side, VarId};
use inverter::solve::smt::{comparison, int, operation};

/// The distance between rows of flattened arrays: far above every index of a small instance.
const ROW: i64 = 1 << 20;

/// Symbolic values of both records and of the loop variables.
pub struct Terms<'p> {
    pub program: &'p Program,
    /// The current value of each scalar, by side.
    pub scalars: HashMap<(Side, FieldId), Int>,
    arrays: HashMap<(Side, FieldId), Array>,
    pub vars: HashMap<VarId, Int>,
    /// Facts about the values: their types' ranges, indices inside their rows.
    pub facts: Vec<Bool>,
    fresh: usize,
}

/// The steps that Z3 takes in a millisecond, about.
const STEPS: u32 = 2000;

/// Returns true if `facts` and `claim` can hold at once; `None` if Z3 does not decide this in about that time. In a
/// separate context ([`with_own_context`]) the answer is the same in every run. The limit counts steps, because the
/// timer of Z3 4.8 may block forever when it fires.
pub fn possible(facts: &[Bool], claim: &Bool, milliseconds: u32) -> Option<bool> {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", milliseconds.saturating_mul(STEPS));
    solver.set_params(&params);
    facts.iter().for_each(|f| solver.assert(f));
    solver.assert(claim);
    match solver.check() {
        SatResult::Sat => Some(true),
        SatResult::Unsat => Some(false),
        SatResult::Unknown => None,
    }
}

/// Returns true if no input satisfies all of these predicates, as far as Z3 finds out within about that time.
pub fn contradictory<'e>(
    program: &Program,
    preds: impl Iterator<Item = &'e Pred> + Send + Sync,
    milliseconds: u32,
) -> bool {
    let of_context = || {
        let mut terms = Terms::new(program);
        let mut facts: Vec<Bool> = preds.map(|p| terms.pred(p, 0)).collect();
        facts.extend(terms.facts);
        possible(&facts, &Bool::from_bool(true), milliseconds) == Some(false)
    };
    with_own_context(of_context).unwrap_or(false)
}

/// Returns values of `asked` for which `facts` and `claim` hold at once, if Z3 finds any within about that time.
pub fn values(facts: &[Bool], claim: &Bool, milliseconds: u32, asked: &[Int]) -> Option<Vec<i128>> {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", milliseconds.saturating_mul(STEPS));
    solver.set_params(&params);
    facts.iter().for_each(|f| solver.assert(f));
    solver.assert(claim);
    if solver.check() != SatResult::Sat {
        return None;
    }
    let model = solver.get_model()?;
    asked.iter().map(|term| number(&model.eval(term, true)?)).collect()
}

/// The value of a numeral.
fn number(term: &Int) -> Option<i128> {
    // Unsigned 64-bit numbers do not fit an `i64`; negative ones are `(- 5)` as text.
    let text = || term.to_string().replace(['(', ')', ' '], "").parse().ok();
    term.as_i64().map(i128::from).or_else(text)
}

impl<'p> Terms<'p> {
    /// Symbolic values that only their types constrain.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            vars: HashMap::new(),
            facts: Vec::new(),
            fresh: 0,
        }
    }

    /// Returns a new unknown within the range.
    pub fn unknown(&mut self, (lo, hi): (i128, i128)) -> Int {
        self.fresh += 1;
        let name = Int::new_const(format!("u{}", self.fresh).as_str());
        self.facts.push(name.ge(int(lo)));
        self.facts.push(name.le(int(hi)));
        name
    }

    /// A reference's value.
    pub fn load(&mut self, r: &Ref) -> Int {
        let field = self.program.field(r);
        let range = field.int.range();
        if r.index.is_empty() {
            if let Some(term) = self.scalars.get(&(r.side, r.field)) {
                return term.clone();
            }
            let term = self.unknown(range);
            self.scalars.insert((r.side, r.field), term.clone());
            return term;
        }
        let at = self.place(r);
        let name = format!("{:?}{}", r.side, r.field.0);
        let array = self
            .arrays
            .entry((r.side, r.field))
            .or_insert_with(|| Array::new_const(name.as_str(), &Sort::int(), &Sort::int()));
        let value = array.select(&at).as_int().unwrap_or_else(|| Int::from_i64(0));
        self.facts.push(value.ge(int(range.0)));
        self.facts.push(value.le(int(range.1)));
        value
    }

    /// The position of an element in its flattened array.
    fn place(&mut self, r: &Ref) -> Int {
        let mut at = Int::from_i64(0);
        for (k, index) in r.index.iter().enumerate() {
            let index = self.expr(index);
            at = if k == 0 { index } else { Int::add(&[&at.clone().mul_by(ROW), &index]) };
        }
        at
    }

    /// The condition that keeps a reference's index inside its array.
    pub fn inside(&mut self, r: &Ref) -> Bool {
        let field = self.program.field(r);
        let mut all = Vec::new();
        for (index, length) in r.index.iter().zip(&field.lengths) {
            let index = self.expr(index);
            all.push(index.ge(int(0)));
            match length {
                inverter::program::Length::Is(e) => {
                    let length = self.expr(e);
                    all.push(index.lt(&length));
                }
                inverter::program::Length::Free if r.index.len() > 1 => {
                    all.push(index.lt(Int::from_i64(ROW)));
                }
                inverter::program::Length::Free => {}
            }
        }
        Bool::and(&all)
    }

    /// An expression's value.
    pub fn expr(&mut self, e: &Expr) -> Int {
        match e {
            Expr::Int(n) => int(*n),
            Expr::Var(v) => match self.vars.get(v) {
                Some(term) => term.clone(),
                None => {
                    let term = self.unknown((0, i128::from(i64::MAX)));
                    self.vars.insert(*v, term.clone());
                    term
                }
            },
            Expr::Ref(r) => self.load(r),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                operation(*op, &a, &b)
            }
        }
    }

    /// A predicate, with quantifiers unrolled to `bound` iterations.
    pub fn pred(&mut self, p: &Pred, bound: i64) -> Bool {
        match p {
            Pred::Const(b) => Bool::from_bool(*b),
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                comparison(*cmp, &a, &b)
            }
            Pred::And(ps) => Bool::and(&ps.iter().map(|p| self.pred(p, bound)).collect::<Vec<_>>()),
            Pred::Or(ps) => Bool::or(&ps.iter().map(|p| self.pred(p, bound)).collect::<Vec<_>>()),
            Pred::All(var, count, p) => {
                let count = self.expr(count);
                let mut all = Vec::new();
                for k in 0..bound {
                    self.vars.insert(*var, Int::from_i64(k));
                    let here = self.pred(p, bound);
                    all.push(Bool::or(&[&count.le(Int::from_i64(k)), &here]));
                }
                self.vars.remove(var);
                Bool::and(&all)
            }
        }
    }
}

trait MulBy {
    fn mul_by(&self, factor: i64) -> Int;
}

impl MulBy for Int {
    fn mul_by(&self, factor: i64) -> Int {
        Int::mul(&[self, &Int::from_i64(factor)])
    }
}
