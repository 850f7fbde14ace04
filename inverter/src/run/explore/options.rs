//! Values that an exploration tries for an unknown.

use std::collections::BTreeSet;

use super::class::Element;
use crate::program::{Expr, Op, Program, Stmt, StmtKind};
use crate::solve::domain::Domain;

/// Proposes the values to try for an unknown, in this order.
pub trait Options {
    /// Returns values of `element` within `domain`. `settled` is true if an equation with the canonical value leaves
    /// only the values of `domain`.
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128>;
}

/// A small window for each unknown, in ascending order, to enumerate all values.
#[derive(Debug, Clone)]
pub struct Window {
    largest: i128,
    interesting_values: Vec<i128>,
}

impl Window {
    /// The values from 0 (or -2 if signed) to `largest`, and those next to the spec's own numerals.
    pub fn new(program: &Program, largest: i128) -> Self {
        Self { largest, interesting_values: numerals(program) }
    }

    /// Returns the values within a range, in ascending order.
    pub fn within(&self, (lo, hi): (i128, i128)) -> Vec<i128> {
        let mut out: BTreeSet<i128> = (lo.max(-2)..=hi.min(self.largest)).collect();
        out.extend(self.interesting_values.iter().filter(|n| (lo..=hi).contains(n)));
        out.into_iter().collect()
    }
}

impl Options for Window {
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128> {
        const MOST: u128 = 4096;
        if let Some(members) = domain.members(MOST).filter(|_| settled) {
            return members;
        }
        let mut out = self.within(program.input.fields[element.field].int.range());
        out.retain(|n| domain.contains(*n));
        out
    }
}

/// The maximum number of numerals of a spec that are tried.
const MOST_NUMERALS: usize = 24;

/// Returns the spec's numerals beyond the smallest, and their neighbors, because behavior changes there.
fn numerals(program: &Program) -> Vec<i128> {
    let mut found = BTreeSet::new();
    in_block(&program.body, &mut found);
    let near: BTreeSet<i128> = found.iter().flat_map(|n| [n - 1, *n, n + 1]).collect();
    let beyond = |all: BTreeSet<i128>| all.into_iter().filter(|n| *n > 3).collect::<Vec<_>>();
    let near = beyond(near);
    if near.len() <= MOST_NUMERALS {
        return near;
    }
    // If there are too many, neighbors are left out; if there are still too many, evenly spaced numerals are kept.
    let exact = beyond(found);
    let step = exact.len().div_ceil(MOST_NUMERALS).max(1);
    let mut kept: Vec<i128> = exact.into_iter().rev().step_by(step).collect();
    kept.reverse();
    kept
}

fn in_block(body: &[Stmt], out: &mut BTreeSet<i128>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assume(p) => p.exprs(&mut |e| in_expr(e, out)),
            StmtKind::If { cond, then, els } => {
                cond.exprs(&mut |e| in_expr(e, out));
                in_block(then, out);
                in_block(els, out);
            }
            StmtKind::For { count, body, .. } => {
                bounds(count, out);
                in_block(body, out);
            }
            StmtKind::Assign { value, .. } => bounds(value, out),
            StmtKind::Reserve { .. } | StmtKind::Decode { .. } | StmtKind::Walk(_) => {}
        }
    }
}

/// Collects the numerals with which something may be compared.
fn in_expr(e: &Expr, out: &mut BTreeSet<i128>) {
    match e {
        Expr::Int(n) => {
            out.insert(*n);
        }
        Expr::Var(_) => {}
        Expr::Ref(r) => r.index.iter().for_each(|i| in_expr(i, out)),
        // Factors and divisors are not compared with anything.
        Expr::Bin(Op::Mul | Op::Div | Op::Rem | Op::DivCeil, a, b) => {
            for e in [a, b] {
                if !matches!(**e, Expr::Int(_)) {
                    in_expr(e, out);
                }
            }
        }
        Expr::Bin(_, a, b) => {
            in_expr(a, out);
            in_expr(b, out);
        }
    }
}

/// Collects the numerals that clip an assigned value.
fn bounds(e: &Expr, out: &mut BTreeSet<i128>) {
    if let Expr::Bin(op, a, b) = e {
        for side in [a, b] {
            match &**side {
                Expr::Int(n) if matches!(op, Op::Min | Op::Max) => {
                    out.insert(*n);
                }
                inner => bounds(inner, out),
            }
        }
    }
}
