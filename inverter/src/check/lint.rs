//! Lints: finds conditions that others imply, and branches that are never taken, by Z3.

use std::time::Instant;

use super::terms::contradictory;
use crate::invert::Inverse;
use crate::program::print::Show;
use crate::program::{Cmp, Expr, Pred, Program, Span, Stmt, StmtKind};

/// The time limit of one query to Z3, in milliseconds.
const TIME: u32 = 500;

/// Returns the conjuncts of ensures that the other conjuncts and the types imply, as text, with
/// their places, as far as they are found until then.
pub fn implied(inverse: &Inverse, until: Instant) -> Vec<(String, Span)> {
    let mut out = Vec::new();
    for e in &inverse.ensures {
        let plain: Vec<_> =
            e.conjuncts.iter().filter(|c| !matches!(c.pred, Pred::All(..))).collect();
        let mut dropped: Vec<usize> = Vec::new();
        for k in (0..plain.len()).rev() {
            if Instant::now() >= until {
                return out;
            }
            let others = (0..plain.len()).filter(|j| *j != k && !dropped.contains(j));
            let wrong = plain[k].pred.negated();
            let all = others.map(|j| &plain[j].pred).chain([&wrong]);
            if contradictory(&inverse.program, all, TIME) {
                dropped.push(k);
                let text = Show(&inverse.program, &plain[k].pred).to_string();
                out.push((text, plain[k].span));
            }
        }
    }
    out
}

/// Returns a message and a place for each branch and loop body that is unreachable under the
/// assumptions before it, as far as they are found until then.
pub fn unreachable(program: &Program, until: Instant) -> Vec<(String, Span)> {
    let mut search = Unreachable { program, until, known: Vec::new(), out: Vec::new() };
    search.block(&program.body);
    search.out
}

struct Unreachable<'p> {
    program: &'p Program,
    until: Instant,
    /// The conditions that hold where the search is.
    known: Vec<Pred>,
    out: Vec<(String, Span)>,
}

impl Unreachable<'_> {
    fn block(&mut self, body: &[Stmt]) {
        let outer = self.known.len();
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assume(p) => self.known.push(p.clone()),
                StmtKind::If { cond, then, els } => {
                    for (name, guard, branch) in
                        [("then", cond.clone(), then), ("else", cond.negated(), els)]
                    {
                        self.known.push(guard);
                        if (name == "then" || !branch.is_empty()) && self.never() {
                            let message = format!("the `{name}` branch is never taken");
                            self.out.push((message, stmt.span));
                        } else {
                            self.block(branch);
                        }
                        self.known.pop();
                    }
                }
                StmtKind::For { var, count, body } => {
                    self.known.push(Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone()));
                    if self.never() {
                        self.out.push(("the loop never runs".to_owned(), stmt.span));
                    } else {
                        self.block(body);
                    }
                    self.known.pop();
                }
                _ => {}
            }
        }
        self.known.truncate(outer);
    }

    fn never(&self) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        contradictory(self.program, self.known.iter(), TIME)
    }
}
