//! Lints: finds conditions that others imply, and branches that are never taken, by Z3.

use z3::ast::Bool;

use super::terms::{Terms, possible};
use crate::invert::Inverse;
use crate::program::print::Show;
use crate::program::{Cmp, Expr, Pred, Program, Span, Stmt, StmtKind};

/// The time limit of one query to Z3, in milliseconds.
const TIME: u32 = 500;

/// Returns the conjuncts of ensures that the other conjuncts and the types imply, as text, with
/// their places.
pub fn implied(inverse: &Inverse) -> Vec<(String, Span)> {
    let mut out = Vec::new();
    for e in &inverse.ensures {
        let plain: Vec<_> =
            e.conjuncts.iter().filter(|c| !matches!(c.pred, Pred::All(..))).collect();
        let mut dropped: Vec<usize> = Vec::new();
        for k in (0..plain.len()).rev() {
            let mut terms = Terms::new(&inverse.program);
            let mut facts: Vec<Bool> = Vec::new();
            for (j, c) in plain.iter().enumerate() {
                if j != k && !dropped.contains(&j) {
                    facts.push(terms.pred(&c.pred, 0));
                }
            }
            let wrong = terms.pred(&plain[k].pred, 0).not();
            facts.extend(terms.facts);
            if possible(&facts, &wrong, TIME) == Some(false) {
                dropped.push(k);
                let text = Show(&inverse.program, &plain[k].pred).to_string();
                out.push((text, plain[k].span));
            }
        }
    }
    out
}

/// Returns a message and a place for each branch and loop body that is unreachable under the
/// assumptions before it.
pub fn unreachable(program: &Program) -> Vec<(String, Span)> {
    let mut out = Vec::new();
    block(program, &program.body, &mut Vec::new(), &mut out);
    out
}

fn block(program: &Program, body: &[Stmt], known: &mut Vec<Pred>, out: &mut Vec<(String, Span)>) {
    let outer = known.len();
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assume(p) => known.push(p.clone()),
            StmtKind::If { cond, then, els } => {
                for (name, guard, branch) in
                    [("then", cond.clone(), then), ("else", cond.negated(), els)]
                {
                    known.push(guard);
                    if (name == "then" || !branch.is_empty()) && never(program, known) {
                        out.push((format!("the `{name}` branch is never taken"), stmt.span));
                    } else {
                        block(program, branch, known, out);
                    }
                    known.pop();
                }
            }
            StmtKind::For { var, count, body } => {
                known.push(Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone()));
                if never(program, known) {
                    out.push(("the loop never runs".to_owned(), stmt.span));
                } else {
                    block(program, body, known, out);
                }
                known.pop();
            }
            _ => {}
        }
    }
    known.truncate(outer);
}

fn never(program: &Program, known: &[Pred]) -> bool {
    let mut terms = Terms::new(program);
    let mut facts: Vec<Bool> = known.iter().map(|p| terms.pred(p, 0)).collect();
    facts.extend(terms.facts);
    possible(&facts, &Bool::from_bool(true), TIME) == Some(false)
}
