//! Loops narrowed by the guards inside them.
//!
//! In `for c in 0..w { if c >= a && c < a + n { .. } }` the body runs only for `c` from `a` to `a + n - 1`, so an index
//! `c - a` ranges from 0 to `n - 1` whatever `w` is.

use super::state::Level;
use crate::program::{Atom, Cmp, Expr, Op, Poly, Pred, VarId};

/// The maximum number of combinations of bounds.
const MOST: usize = 16;

/// An index and its loops, with each loop variable counted from one of its lower bounds to one of its
/// upper bounds. The body runs in no other iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Narrowed {
    /// The index.
    pub index: Poly,
    /// The loops.
    pub nest: Vec<Level>,
}

/// Returns `index` and `nest` under each combination of the bounds that loops and guards set, except
/// for that of the loops alone. Empty if no guard bounds a loop variable.
pub fn narrowed(index: &Poly, nest: &[Level], guards: &[Pred]) -> Vec<Narrowed> {
    let mut found = vec![Narrowed { index: index.clone(), nest: nest.to_vec() }];
    for (depth, level) in nest.iter().enumerate() {
        let (lowers, uppers) = bounds(level.var, nest, guards);
        let more = |n: &Narrowed| -> Vec<Narrowed> {
            let own = Poly::of(&n.nest[depth].count);
            let mut all = Vec::new();
            for from in std::iter::once(&Poly::default()).chain(&lowers) {
                for to in std::iter::once(&own).chain(&uppers) {
                    all.push(n.between(depth, from, to));
                }
            }
            all
        };
        found = found.iter().flat_map(more).take(MOST).collect();
    }
    found.remove(0);
    found
}

/// Returns `index` and `nest` with each loop variable counted from the greatest of its lower bounds to the least of its
/// upper bounds: the body runs only in these iterations. `usable` rewrites a bound, or returns `None` for one that is
/// left out.
pub fn tightest(
    index: &Poly,
    nest: &[Level],
    guards: &[Pred],
    usable: &dyn Fn(&Poly) -> Option<Poly>,
) -> Narrowed {
    let mut found = Narrowed { index: index.clone(), nest: nest.to_vec() };
    for (depth, level) in nest.iter().enumerate() {
        let (lowers, uppers) = bounds(level.var, nest, guards);
        let of = |op: Op, first: Poly, others: Vec<Poly>| {
            others.iter().filter_map(usable).fold(first, |a, b| tighter(op, a, b))
        };
        let from = of(Op::Max, Poly::default(), lowers);
        let own = Poly::of(&found.nest[depth].count);
        let to = of(Op::Min, own.clone(), uppers);
        if to != own || from != Poly::default() {
            found = found.between(depth, &from, &to);
        }
    }
    found
}

/// Returns the lesser or the greater of two bounds.
fn tighter(op: Op, a: Poly, b: Poly) -> Poly {
    match (a.as_int(), b.as_int()) {
        (Some(x), Some(y)) => Poly::int(if op == Op::Min { x.min(y) } else { x.max(y) }),
        _ if a == b => a,
        _ => Poly::of(&Expr::bin(op, a.to_expr(), b.to_expr())),
    }
}

impl Narrowed {
    /// Counts the variable of the loop at `depth` from `from` to below `to`.
    fn between(&self, depth: usize, from: &Poly, to: &Poly) -> Narrowed {
        let var = Atom::Var(self.nest[depth].var);
        let shifted = Poly::atom(var.clone()).add(from);
        let mut nest = self.nest.clone();
        nest[depth].count = to.sub(from).to_expr();
        for inner in &mut nest[depth + 1..] {
            inner.count = Poly::of(&inner.count).replace(&var, &shifted).to_expr();
        }
        Narrowed { index: self.index.replace(&var, &shifted), nest }
    }
}

/// Returns the lower bounds, and the exclusive upper bounds, that guards set for a loop variable in terms of values
/// outside the loops.
fn bounds(var: VarId, nest: &[Level], guards: &[Pred]) -> (Vec<Poly>, Vec<Poly>) {
    let (mut lowers, mut uppers) = (Vec::new(), Vec::new());
    let own = nest.iter().find(|level| level.var == var);
    let last = own.map(|level| Poly::of(&level.count).sub(&Poly::int(1)));
    let mut open: Vec<&Pred> = guards.iter().collect();
    while let Some(guard) = open.pop() {
        match guard {
            Pred::And(all) => open.extend(all),
            Pred::Cmp(cmp, a, b) => {
                let difference = Poly::of(a).sub(&Poly::of(b));
                let Some((coefficient, rest)) = difference.linear_in(&Atom::Var(var)) else {
                    continue;
                };
                if nest.iter().any(|level| rest.mentions(&Atom::Var(level.var))) {
                    continue;
                }
                // The condition, in the form `var cmp bound`.
                let (cmp, bound) = match coefficient.as_int() {
                    Some(1) => (*cmp, rest.scale(-1)),
                    Some(-1) => (cmp.mirrored(), rest),
                    _ => continue,
                };
                let next = || bound.add(&Poly::int(1));
                match cmp {
                    Cmp::Ge => lowers.push(bound),
                    Cmp::Gt => lowers.push(next()),
                    Cmp::Lt => uppers.push(bound),
                    Cmp::Le => uppers.push(next()),
                    Cmp::Eq => {
                        uppers.push(next());
                        lowers.push(bound);
                    }
                    // An inequality excludes the first iteration, or the last one.
                    Cmp::Ne if bound == Poly::default() => lowers.push(next()),
                    Cmp::Ne if last.as_ref() == Some(&bound) => uppers.push(bound),
                    Cmp::Ne => {}
                }
            }
            _ => {}
        }
    }
    (lowers, uppers)
}
