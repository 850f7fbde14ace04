//! Witnesses: finds the iteration that writes a given element, by solving the index for the loop
//! variables.

use std::collections::BTreeSet;

use super::collect::{Step, Write};
use super::logic::{Env, Logic};
use crate::invert::simplify;
use crate::program::{Atom, Expr, Op, Poly, Program, VarId};

/// The maximum number of guesses for one statement.
const MOST: usize = 8;

/// Guesses the iteration in which `write` assigns `element`, best guess first. A wrong guess is harmless, because a
/// proof with it fails.
pub fn witnesses(
    program: &Program,
    logic: &Logic<'_>,
    write: &Write,
    element: &[Poly],
) -> Vec<Env> {
    let mut nest = Vec::new();
    for step in &write.path {
        if let Step::Loop(var, count) = step {
            nest.push((*var, count));
        }
    }
    let index = write.index.iter().map(|e| logic.poly(e, &Env::new())).collect();
    let search = Search { program, logic, nest, index, element };
    let mut out = Vec::new();
    let open: Vec<usize> = (0..search.index.len()).collect();
    search.solve(&Env::new(), &open, &mut out);
    out
}

struct Search<'a> {
    program: &'a Program,
    logic: &'a Logic<'a>,
    nest: Vec<(VarId, &'a Expr)>,
    index: Vec<Poly>,
    element: &'a [Poly],
}

impl Search<'_> {
    /// Solves the dimensions that are left, one by one.
    fn solve(&self, env: &Env, open: &[usize], out: &mut Vec<Env>) {
        if out.len() >= MOST {
            return;
        }
        let unsolved = |k: &usize| self.unsolved(&self.index[*k], env).len();
        let next = open.iter().copied().filter(|k| unsolved(k) > 0).min_by_key(unsolved);
        let Some(next) = next else {
            out.extend(self.indifferent(env));
            return;
        };
        let left: Vec<usize> = open.iter().copied().filter(|k| *k != next).collect();
        let Some(strides) = self.strides(next, env) else { return };
        for order in orders(strides.len()) {
            if let Some(env) = self.divide(next, &strides, &order, env) {
                self.solve(&env, &left, out);
            }
        }
    }

    /// Returns the loop variables in `p` that have no value.
    fn unsolved(&self, p: &Poly, env: &Env) -> Vec<VarId> {
        let open = |v: &VarId| !env.contains_key(v) && p.mentions(&Atom::Var(*v));
        self.nest.iter().map(|(v, _)| *v).filter(open).collect()
    }

    /// Substitutes the known values.
    fn known(&self, p: &Poly, env: &Env) -> Poly {
        env.iter().fold(p.clone(), |p, (v, value)| p.replace(&Atom::Var(*v), value))
    }

    /// Returns the unsolved variables of a dimension with their coefficients, the largest first.
    fn strides(&self, dimension: usize, env: &Env) -> Option<Vec<(VarId, Poly)>> {
        let index = self.known(&self.index[dimension], env);
        let mut out = Vec::new();
        for v in self.unsolved(&index, env) {
            let (coefficient, _) = index.linear_in(&Atom::Var(v))?;
            if !self.unsolved(&coefficient, env).is_empty() {
                return None;
            }
            out.push((v, coefficient));
        }
        out.sort_by_key(|(_, c)| {
            let degree = c.terms().map(|(m, _)| m.len()).max().unwrap_or(0);
            std::cmp::Reverse((degree, c.as_int().map(i128::abs)))
        });
        Some(out)
    }

    /// Solves the variables in the given order: each is the quotient of the rest by its
    /// coefficient.
    fn divide(
        &self,
        dimension: usize,
        strides: &[(VarId, Poly)],
        order: &[usize],
        env: &Env,
    ) -> Option<Env> {
        let mut env = env.clone();
        let mut rest = self.element[dimension].sub(&self.known(&self.index[dimension], &env));
        for (v, _) in strides {
            rest = rest.replace(&Atom::Var(*v), &Poly::default());
        }
        for (n, k) in order.iter().enumerate() {
            let (v, coefficient) = &strides[*k];
            let last = n + 1 == order.len();
            let value = match coefficient.as_int() {
                Some(1) if last => rest.clone(),
                Some(-1) if last => rest.scale(-1),
                _ => match simplify::sign(self.program, coefficient)? {
                    1 => Poly::apply(Op::Div, rest.clone(), coefficient.clone()),
                    // Counted from the last iteration, the index rises.
                    _ => {
                        let top = self.top(*v, &env)?;
                        let up = coefficient.scale(-1);
                        let from_top = rest.add(&up.mul(&top));
                        top.sub(&Poly::apply(Op::Div, from_top, up))
                    }
                },
            };
            rest = rest.sub(&coefficient.mul(&value));
            env.insert(*v, value);
        }
        Some(env)
    }

    /// Returns an upper bound of a loop variable.
    fn top(&self, v: VarId, env: &Env) -> Option<Poly> {
        let (_, count) = self.nest.iter().find(|(w, _)| *w == v)?;
        let count = self.logic.poly(count, env);
        let open: BTreeSet<VarId> = self.unsolved(&count, env).into_iter().collect();
        let loose = |a: &Atom| matches!(a, Atom::Var(v) if open.contains(v));
        Some(simplify::upper_bound(&count, &loose)?.sub(&Poly::int(1)))
    }

    /// Completes an iteration with the variables on which the index does not depend: all of them first, or all last.
    fn indifferent(&self, env: &Env) -> Vec<Env> {
        let mut first = env.clone();
        let mut last = env.clone();
        for (v, count) in &self.nest {
            if env.contains_key(v) {
                continue;
            }
            first.insert(*v, Poly::default());
            let top = self.logic.poly(count, &last).sub(&Poly::int(1));
            last.insert(*v, top);
        }
        if first == last { vec![first] } else { vec![first, last] }
    }
}

/// Returns orders in which to try `n` things: the given one, then the reverse.
fn orders(n: usize) -> Vec<Vec<usize>> {
    match n {
        0 | 1 => vec![(0..n).collect()],
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => vec![(0..n).collect(), (0..n).rev().collect()],
    }
}
