//! Queries to Z3 about polynomials, in linear arithmetic: products and quotients are uninterpreted functions,
//! constrained only by the laws asserted here. Z3 can decide such queries, and every contradiction in them is also a
//! contradiction over the integers.

use std::collections::{BTreeMap, BTreeSet};

use z3::ast::{Ast, Bool, Int};
use z3::{FuncDecl, Params, SatResult, Solver, Sort, StatisticsValue};

use super::collect::Step;
use crate::program::{Atom, Cmp, Expr, FieldId, Monomial, Op, Poly, Pred, Program, Side, VarId};
use crate::solve::smt::{comparison, int};

/// Z3's resource limit of one query, the same on every machine.
const RLIMIT: u32 = 4_000_000;
/// The limit of a query that is followed by others if it is undecided: most decidable queries take less.
pub const FEW: u32 = 400_000;
/// The maximum number of laws of products in one query.
const MOST_LAWS: usize = 600;

/// The values of loop variables.
pub type Env = BTreeMap<VarId, Poly>;

/// One query to Z3: can all assertions hold together?
pub struct Logic<'p> {
    program: &'p Program,
    /// The values of output scalars.
    outputs: &'p BTreeMap<FieldId, Poly>,
    terms: BTreeMap<Atom, Int>,
    said: Vec<Bool>,
    products: BTreeSet<Monomial>,
    /// True if a coefficient overflowed, so that nothing may be concluded.
    saturated: bool,
    /// True if the laws of products also cover factors that are products themselves.
    compound: bool,
}

impl<'p> Logic<'p> {
    /// A query without assertions. The range of a reference is asserted when it is first used.
    pub fn new(program: &'p Program, outputs: &'p BTreeMap<FieldId, Poly>) -> Self {
        Self {
            program,
            outputs,
            terms: BTreeMap::new(),
            said: Vec::new(),
            products: BTreeSet::new(),
            saturated: false,
            compound: false,
        }
    }

    /// A query in which the laws of products also cover factors that are products themselves, so that `k < h * w`
    /// bounds `k * b`. This adds many laws, which most proofs do not need.
    pub fn with_compound_laws(self, compound: bool) -> Self {
        Self { compound, ..self }
    }

    /// An expression's polynomial.
    pub fn poly(&self, e: &Expr, env: &Env) -> Poly {
        match e {
            Expr::Int(n) => Poly::int(*n),
            Expr::Var(v) => env.get(v).cloned().unwrap_or_else(|| Poly::atom(Atom::Var(*v))),
            Expr::Ref(r) => {
                if r.side == Side::Output
                    && r.index.is_empty()
                    && let Some(value) = self.outputs.get(&r.field)
                {
                    return value.clone();
                }
                let index = r.index.iter().map(|i| self.poly(i, env)).collect();
                Poly::atom(Atom::Ref(r.side, r.field, index))
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.poly(a, env), self.poly(b, env));
                Poly::apply(*op, a, b)
            }
        }
    }

    /// Asserts `p`.
    pub fn say(&mut self, p: Bool) {
        self.said.push(p);
    }

    /// Returns the term `a cmp 0`.
    pub fn compare(&mut self, cmp: Cmp, a: &Poly) -> Bool {
        let a = self.term(a);
        comparison(cmp, &a, &int(0))
    }

    /// A predicate.
    pub fn pred(&mut self, p: &Pred, env: &Env) -> Bool {
        match p {
            Pred::Const(b) => Bool::from_bool(*b),
            Pred::Cmp(cmp, a, b) => {
                let difference = self.poly(a, env).sub(&self.poly(b, env));
                self.compare(*cmp, &difference)
            }
            Pred::And(ps) => Bool::and(&ps.iter().map(|p| self.pred(p, env)).collect::<Vec<_>>()),
            Pred::Or(ps) => Bool::or(&ps.iter().map(|p| self.pred(p, env)).collect::<Vec<_>>()),
            // Specs have no quantifiers.
            Pred::All(..) => Bool::from_bool(true),
        }
    }

    /// Returns the condition under which the iteration `env` of a path is reached.
    pub fn path(&mut self, path: &[Step], env: &Env) -> Bool {
        let mut all = Vec::new();
        for step in path {
            match step {
                Step::Loop(var, count) => {
                    let var = self.poly(&Expr::Var(*var), env);
                    let count = self.poly(count, env);
                    all.push(self.compare(Cmp::Ge, &var));
                    all.push(self.compare(Cmp::Lt, &var.sub(&count)));
                }
                Step::Guard(p) => all.push(self.pred(p, env)),
            }
        }
        Bool::and(&all)
    }

    /// Returns the elements of input arrays that occur in the assertions so far.
    pub fn elements(&self) -> impl Iterator<Item = (FieldId, &Vec<Poly>)> {
        self.terms.keys().filter_map(|a| match a {
            Atom::Ref(Side::Input, field, index) if !index.is_empty() => Some((*field, index)),
            _ => None,
        })
    }

    /// Returns true if the assertions are proved to be contradictory.
    pub fn contradictory(mut self, solver: &Solver) -> bool {
        self.laws();
        if self.saturated {
            return false;
        }
        solver.push();
        self.said.iter().for_each(|p| solver.assert(p));
        let answer = solver.check();
        solver.pop(1);
        answer == SatResult::Unsat
    }

    fn term(&mut self, p: &Poly) -> Int {
        let mut sum = Vec::new();
        for (monomial, c) in p.terms() {
            self.saturated |= c.checked_abs().is_none_or(|c| c == i128::MAX);
            let product = self.product(monomial);
            sum.push(if c == 1 { product } else { Int::mul(&[&int(c), &product]) });
        }
        match &sum[..] {
            [] => int(0),
            [one] => one.clone(),
            _ => Int::add(&sum.iter().collect::<Vec<_>>()),
        }
    }

    fn product(&mut self, monomial: &Monomial) -> Int {
        let factors: Vec<Int> = monomial.iter().map(|a| self.atom(a)).collect();
        if factors.len() > 1 {
            self.products.insert(monomial.clone());
        }
        factors.into_iter().reduce(|a, b| function("product", &[a, b])).unwrap_or_else(|| int(1))
    }

    fn atom(&mut self, atom: &Atom) -> Int {
        if let Some(term) = self.terms.get(atom) {
            return term.clone();
        }
        match atom {
            Atom::Var(v) => {
                let term = Int::new_const(format!("i{}", v.0).as_str());
                self.terms.insert(atom.clone(), term.clone());
                term
            }
            Atom::Ref(side, field, index) => {
                let arguments: Vec<Int> = index.iter().map(|p| self.term(p)).collect();
                let term = function(&format!("{side:?}{}", field.0), &arguments);
                self.terms.insert(atom.clone(), term.clone());
                let (lo, hi) = self.program.record(*side).fields[*field].int.range();
                self.said.push(term.ge(int(lo)));
                self.said.push(term.le(int(hi)));
                term
            }
            Atom::Op(op, a, b) => {
                let arguments = [self.term(a), self.term(b)];
                let term = function(&format!("{op:?}"), &arguments);
                self.terms.insert(atom.clone(), term.clone());
                let [a_term, b_term] = &arguments;
                let quotient = Poly::atom(atom.clone());
                match op {
                    Op::Min => {
                        self.said.push(Bool::or(&[term.eq(a_term), term.eq(b_term)]));
                        self.said.push(Bool::and(&[term.le(a_term), term.le(b_term)]));
                    }
                    Op::Max => {
                        self.said.push(Bool::or(&[term.eq(a_term), term.eq(b_term)]));
                        self.said.push(Bool::and(&[term.ge(a_term), term.ge(b_term)]));
                    }
                    Op::Div => {
                        let rest = a.sub(&b.mul(&quotient));
                        self.divides(&rest, b);
                    }
                    Op::DivCeil => {
                        let rest = b.mul(&quotient).sub(a);
                        self.divides(&rest, b);
                    }
                    Op::Rem => {
                        let by = Poly::atom(Atom::Op(Op::Div, a.clone(), b.clone()));
                        let rest = self.term(&a.sub(&b.mul(&by)));
                        let positive = b_term.ge(int(1));
                        self.said.push(positive.implies(term.eq(rest)));
                    }
                    Op::Add | Op::Sub | Op::Mul => {}
                }
                term
            }
        }
    }

    /// Asserts `0 <= rest < b`, provided that `b` is at least 1.
    fn divides(&mut self, rest: &Poly, b: &Poly) {
        let (rest, b) = (self.term(rest), self.term(b));
        let between = Bool::and(&[rest.ge(int(0)), rest.lt(&b)]);
        self.said.push(b.ge(int(1)).implies(between));
    }

    /// Asserts laws of products: multiplication by a nonnegative factor preserves the order, and
    /// the products of different numbers differ by at least that factor.
    fn laws(&mut self) {
        let mut cofactors: BTreeMap<Monomial, BTreeSet<Monomial>> = BTreeMap::new();
        let mut whole: BTreeSet<Monomial> = self.products.clone();
        while let Some(monomial) = whole.pop_last() {
            for (k, atom) in monomial.iter().enumerate() {
                let mut others = monomial.clone();
                others.remove(k);
                if others.len() > 1 && !self.products.contains(&others) {
                    self.products.insert(others.clone());
                    whole.insert(others.clone());
                }
                let atom: Monomial = [atom.clone()].into_iter().collect();
                if self.compound && others.len() > 1 {
                    cofactors.entry(atom.clone()).or_default().insert(others.clone());
                }
                cofactors.entry(others).or_default().insert(atom);
            }
        }
        let mut laws = 0;
        for (by, factors) in &cofactors {
            let multiplier = self.product(by);
            let positive = multiplier.ge(int(0));
            // Each other factor with its product, 0 included.
            let mut scaled = vec![(int(0), int(0))];
            for factor in factors {
                let mut monomial: Monomial = by.clone();
                monomial.extend(factor.iter().cloned());
                monomial.sort();
                let pair = (self.product(factor), self.product(&monomial));
                scaled.push(pair);
            }
            for (k, (a, a_scaled)) in scaled.iter().enumerate() {
                for (b, b_scaled) in &scaled[..k] {
                    for (a, a_scaled, b, b_scaled) in
                        [(a, a_scaled, b, b_scaled), (b, b_scaled, a, a_scaled)]
                    {
                        laws += 1;
                        if laws > MOST_LAWS {
                            return;
                        }
                        let less = Bool::and(&[positive.clone(), a.lt(b)]);
                        let further = Int::add(&[a_scaled, &multiplier]).le(b_scaled);
                        self.said.push(less.implies(further));
                    }
                    self.said.push(a.eq(b).implies(a_scaled.eq(b_scaled)));
                }
            }
        }
    }
}

/// An uninterpreted function.
fn function(name: &str, arguments: &[Int]) -> Int {
    let sort = Sort::int();
    let domain = vec![&sort; arguments.len()];
    let function = FuncDecl::new(name, &domain, &sort);
    let arguments: Vec<&dyn Ast> = arguments.iter().map(|a| a as &dyn Ast).collect();
    function.apply(&arguments).as_int().unwrap_or_else(|| int(0))
}

/// Returns a solver for all queries of one program: setting one up takes longer than a query.
pub fn solver() -> Solver {
    solver_within(RLIMIT)
}

/// Returns a [`solver`](fn@solver) with another resource limit per query.
pub fn solver_within(limit: u32) -> Solver {
    let solver = Solver::new();
    let mut params = Params::new();
    params.set_u32("rlimit", limit);
    solver.set_params(&params);
    solver
}

/// Returns the number of steps, as Z3 counts them, of all queries so far.
pub fn steps(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(n)) => n.into(),
        // A count beyond 32 bits.
        Some(StatisticsValue::Double(_)) => u64::MAX,
        None => 0,
    }
}
