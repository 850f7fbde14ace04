//! Sequences of statements (paper, `InvertSequence` and `MarkDetermined`).

use std::collections::BTreeSet;

use super::inst::{Inst, InstKind, Why};
use super::simplify;
use super::state::{Level, State};
use crate::program::{
    Cmp, Diagnostic, Expr, FieldId, Length, Op, Pred, Program, Ref, Side, Span, Stmt, StmtKind,
};

/// The kinds of equations that may determine elements of arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementsBy {
    /// All that can be solved for an element.
    Equations,
    /// Equations between elements of different arrays, because an element is not a function of its neighbour.
    EquationsApart,
    /// Equations from assignments to outputs, not from assumptions.
    Assignments,
}

/// The inversion in progress.
pub struct Inverter<'p> {
    /// The normalization program.
    pub program: &'p Program,
    /// `A` at this point.
    pub state: State,
    /// The loops around this point, outermost first.
    pub nest: Vec<Level>,
    /// The obstacles.
    pub found: Vec<Diagnostic>,
    /// The arrays that are needed before they can be known; each is an obstacle.
    pub late: BTreeSet<FieldId>,
    /// Representations that the inverse cannot make, and the reasons.
    pub losses: Vec<Diagnostic>,
    /// The equations that determine elements of arrays.
    pub equations: ElementsBy,
}

impl<'p> Inverter<'p> {
    /// Inverts `stmts` one by one, in order.
    pub fn sequence(&mut self, stmts: &[Stmt]) -> Vec<Inst> {
        let mut out = Vec::new();
        for stmt in stmts {
            self.divisors(stmt, &mut out);
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    self.assign(target, value, stmt.span, &mut out);
                }
                StmtKind::Assume(p) => self.assume(p, stmt.span, &mut out),
                StmtKind::If { cond, then, els } => {
                    self.conditional(cond, then, els, stmt.span, &mut out);
                }
                StmtKind::For { var, count, body } => {
                    self.for_loop(*var, count, body, stmt.span, &mut out);
                }
                StmtKind::Reserve { field, start, end } => {
                    self.reserve(*field, start, end, stmt.span, &mut out);
                }
                StmtKind::Decode { .. } => self.decode(stmt, &mut out),
                // Programs with walks are run, not inverted.
                StmtKind::Walk(_) => {}
            }
        }
        out
    }

    /// A divisor that could be less than 1 must be at least 1, because the statement has no value otherwise.
    fn divisors(&mut self, stmt: &Stmt, out: &mut Vec<Inst>) {
        let mut found = Vec::new();
        stmt.exprs(&mut |e| divisors(e, &mut found));
        self.at_least_one(found, stmt.span, out);
    }

    /// Requires that the lengths of input arrays have values.
    pub fn lengths(&mut self, out: &mut Vec<Inst>) {
        for field in &self.program.input.fields {
            let mut found = Vec::new();
            for length in &field.lengths {
                if let Length::Is(e) = length {
                    divisors(e, &mut found);
                }
            }
            self.at_least_one(found, field.span, out);
        }
    }

    fn at_least_one(&mut self, found: Vec<Expr>, at: Span, out: &mut Vec<Inst>) {
        for divisor in found {
            let large = Pred::cmp(Cmp::Ge, divisor, Expr::Int(1));
            if simplify::pred(self.program, &large) != Pred::Const(true) {
                let p = self.settled(&large, at, out);
                out.push(Inst { kind: InstKind::Assume(p, Why::Divisor), span: at });
            }
        }
    }

    /// `e` with the partially determined references replaced by their bindings.
    pub fn unbind(&self, e: &Expr) -> Expr {
        if self.state.partial.is_empty() {
            return e.clone();
        }
        e.substitute(|e| self.bound(e))
    }

    /// As [`unbind`](Self::unbind), for a predicate.
    pub fn unbind_pred(&self, p: &Pred) -> Pred {
        if self.state.partial.is_empty() {
            return p.clone();
        }
        p.substitute(|e| self.bound(e))
    }

    fn bound(&self, e: &Expr) -> Option<Expr> {
        let Expr::Ref(r) = e else { return None };
        if r.side == Side::Output {
            return None;
        }
        self.state.binding(r, &self.nest).map(|b| b.value.clone())
    }

    fn is_pending(&self, r: &Ref) -> bool {
        !self.state.is_determined(r, &self.nest) && !self.state.is_given(r, &self.nest)
    }

    /// Returns true if nothing has determined the reference so far.
    pub fn is_open(&self, r: &Ref) -> bool {
        self.state.is_undetermined(r, &self.nest) && !self.state.is_given(r, &self.nest)
    }

    /// The undetermined references among `refs`, each once.
    pub fn undetermined<'e>(&self, refs: impl IntoIterator<Item = &'e Ref>) -> Vec<Ref> {
        let mut out: Vec<Ref> = Vec::new();
        for r in refs {
            if r.side == Side::Input && self.is_open(r) {
                let same = |o: &Ref| {
                    super::state::Key::of(o, &self.nest) == super::state::Key::of(r, &self.nest)
                };
                if !out.iter().any(same) {
                    out.push(r.clone());
                }
            }
        }
        out
    }

    /// Moves `refs` from `U` to `D` without an assignment, because an ensure will assign them. Arrays are assigned as a
    /// whole.
    pub fn leave_to_ensure(&mut self, refs: &[Ref], at: Span, out: &mut Vec<Inst>) {
        for r in refs {
            if r.index.is_empty() {
                self.state.ensured_scalars.insert(r.field);
                self.state.determine(r, &self.nest);
            } else if !self.state.ensured_arrays.contains(&r.field) {
                if self.state.touched(r.field) {
                    let name = &self.program.input.fields[r.field].name;
                    self.late.insert(r.field);
                    self.found.push(
                        Diagnostic::new(
                            format!("`{name}` is needed here before it can be known"),
                            r.span,
                            "an index, bound, guard or assumption",
                        )
                        .help(format!(
                            "elements of `{name}` are assigned to outputs above; move this \
                             statement before those, so that the ensure gives the array as a whole"
                        )),
                    );
                }
                self.state.ensured_arrays.insert(r.field);
            }
        }
        self.settle(at, out);
    }

    /// Marks `r`, which has just been assigned, as determined, and discharges bindings that this determines (paper,
    /// `MarkDetermined`).
    pub fn mark_determined(&mut self, r: &Ref, at: Span, out: &mut Vec<Inst>) {
        self.state.determine(r, &self.nest);
        self.settle(at, out);
    }

    /// Emits every binding whose references are all determined, until none is left.
    fn settle(&mut self, at: Span, out: &mut Vec<Inst>) {
        loop {
            let ready = self
                .state
                .partial
                .values()
                .find(|b| !b.value.mentions(|r| r.side == Side::Input && self.is_pending(r)));
            let Some(binding) = ready.cloned() else { return };
            self.state.determine(&binding.target, &self.nest);
            out.push(Inst {
                kind: InstKind::Assign { target: binding.target, value: binding.value },
                span: at,
            });
        }
    }

    /// Gives every undetermined reference that a binding uses any value, then emits the bindings (paper,
    /// `EmitPRemaining`). In a loop, this applies only to the bindings made in it.
    pub fn remaining(&mut self, keep: usize, at: Span, out: &mut Vec<Inst>) {
        while self.state.partial.len() > keep {
            let Some((_, binding)) = self.state.partial.get_index(keep) else { return };
            let mut refs = Vec::new();
            binding.value.refs(&mut |r| refs.push(r.clone()));
            let open = self.undetermined(&refs);
            if open.is_empty() {
                self.settle(at, out);
                return;
            }
            for r in open {
                out.push(Inst { kind: InstKind::Free(r.clone()), span: at });
                self.mark_determined(&r, at, out);
            }
        }
    }
}

/// The divisors in `e`, however deep.
fn divisors(e: &Expr, out: &mut Vec<Expr>) {
    match e {
        Expr::Int(_) | Expr::Var(_) => {}
        Expr::Ref(r) => r.index.iter().for_each(|i| divisors(i, out)),
        Expr::Bin(op, a, b) => {
            divisors(a, out);
            divisors(b, out);
            if matches!(op, Op::Div | Op::Rem | Op::DivCeil) && !out.contains(b) {
                out.push((**b).clone());
            }
        }
    }
}
