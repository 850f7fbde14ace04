//! Loops: the structure is copied and the body inverted in place, with references in the
//! role of variables (paper, section 3.2).

use super::inst::{Inst, InstKind};
use super::sequence::Inverter;
use super::state::{Given, Level, loops};
use crate::program::{Expr, Poly, Pred, Ref, Side, Span, Stmt, StmtKind, VarId};

impl Inverter<'_> {
    /// Inverts `for var in 0..count { body }`.
    pub fn for_loop(
        &mut self,
        var: VarId,
        count: &Expr,
        body: &[Stmt],
        at: Span,
        out: &mut Vec<Inst>,
    ) {
        let count = self.settled_expr(count, at, out);
        // One value must serve all iterations, so scalars are settled before the loop, and so are the arrays that
        // determine places or select actions.
        let mut needed = Vec::new();
        controls(body, &mut needed);
        let needed = self.undetermined_or_bound(&needed);
        self.leave_to_ensure(&needed, at, out);

        let bound_before = self.state.partial.len();
        self.nest.push(Level { var, count: count.clone() });
        let mut insts = self.sequence(body);
        self.remaining(bound_before, at, &mut insts);
        self.nest.pop();
        if self.nest.is_empty() {
            let given = given(var, &count, &insts);
            self.state.given.extend(given);
        }
        out.push(Inst { kind: InstKind::For { var, count, body: insts }, span: at });
    }
}

/// Returns the elements that a loop assigns, and loops that form its entire body. The precondition knows these after
/// the loop.
fn given(var: VarId, count: &Expr, body: &[Inst]) -> Vec<Given> {
    let (nest, innermost) = perfect_nest(var, count, body);
    let nest = loops(&nest);
    let targets = innermost.iter().filter_map(|inst| match &inst.kind {
        InstKind::Assign { target, .. } if !target.index.is_empty() => Some(target),
        _ => None,
    });
    let of = |target: &Ref| Given {
        field: target.field,
        index: target.index.iter().map(Poly::of).collect(),
        nest: nest.clone(),
    };
    targets.map(of).collect()
}

/// Returns a loop with the loops that form its entire body, outermost first, and the statements of the innermost one.
pub fn perfect_nest<'i>(var: VarId, count: &Expr, body: &'i [Inst]) -> (Vec<Level>, &'i [Inst]) {
    let mut nest = vec![Level { var, count: count.clone() }];
    let mut level = body;
    while let [Inst { kind: InstKind::For { var, count, body }, .. }] = level {
        nest.push(Level { var: *var, count: count.clone() });
        level = body;
    }
    (nest, level)
}

/// Collects the references that must be determined before a loop: every scalar in its body, and every
/// array in an index, a bound or a guard.
fn controls(body: &[Stmt], out: &mut Vec<Ref>) {
    fn control(e: &Expr, out: &mut Vec<Ref>) {
        e.refs(&mut |r| out.push(r.clone()));
    }
    fn data(e: &Expr, out: &mut Vec<Ref>) {
        e.top_refs(&mut |r| {
            if r.index.is_empty() {
                out.push(r.clone());
            }
            r.index.iter().for_each(|i| control(i, out));
        });
    }
    fn guard(p: &Pred, out: &mut Vec<Ref>) {
        p.refs(&mut |r| out.push(r.clone()));
    }
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter().for_each(|i| control(i, out));
                data(value, out);
            }
            StmtKind::Assume(p) => p.exprs(&mut |e| data(e, out)),
            StmtKind::If { cond, then, els } => {
                guard(cond, out);
                controls(then, out);
                controls(els, out);
            }
            StmtKind::For { count, body, .. } => {
                control(count, out);
                controls(body, out);
            }
            StmtKind::Reserve { start, end, .. } => {
                control(start, out);
                control(end, out);
            }
            StmtKind::Decode { args, .. } => args.iter().for_each(|e| control(e, out)),
            StmtKind::Walk(_) => {}
        }
    }
    out.retain(|r| r.side == Side::Input);
}
