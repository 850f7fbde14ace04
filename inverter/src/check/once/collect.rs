//! Collects the subject of the proof: the writes of a program, and the facts about its inputs.

use crate::program::streams::counted_by;
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Program, Stmt, StmtKind, VarId, range};

/// A loop or a guard around a statement.
#[derive(Debug, Clone)]
pub enum Step {
    /// A loop.
    Loop(VarId, Expr),
    /// A guard that holds.
    Guard(Pred),
}

/// The loop variables of a path, outermost first.
pub fn loops(path: &[Step]) -> impl Iterator<Item = VarId> {
    path.iter().filter_map(|s| match s {
        Step::Loop(var, _) => Some(*var),
        Step::Guard(_) => None,
    })
}

/// An assignment of a scalar, of an element, or of a whole array.
#[derive(Debug, Clone)]
pub struct Write {
    /// The output.
    pub field: FieldId,
    /// The loops and guards around it.
    pub path: Vec<Step>,
    /// The element's index; empty for scalars and whole arrays.
    pub index: Vec<Expr>,
    /// The assigned value; `None` if a primitive computes it.
    pub value: Option<Expr>,
}

/// A fact about every accepted input: `pred` holds in each iteration of `path`.
#[derive(Debug, Clone)]
pub struct Fact {
    /// The loops and guards around it.
    pub path: Vec<Step>,
    /// The predicate that holds.
    pub pred: Pred,
}

/// The writes of a program, in its order, and the facts.
#[derive(Debug, Default)]
pub struct Collected {
    /// In the order of the program.
    pub writes: Vec<Write>,
    /// Assumptions, and the facts that divisors are at least 1 and that scalars are within their types. The fact that
    /// reads are inside their arrays is not included, because a loop that writes too far is an error even if it also
    /// reads too far.
    pub facts: Vec<Fact>,
}

/// Collects the writes and facts of a program.
pub fn collect(program: &Program) -> Collected {
    let mut walk = Walk { program, path: Vec::new(), out: Collected::default() };
    walk.block(&program.body);
    walk.out
}

struct Walk<'p> {
    program: &'p Program,
    path: Vec<Step>,
    out: Collected,
}

impl Walk<'_> {
    fn block(&mut self, body: &[Stmt]) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    target.index.iter().for_each(|e| self.evaluated(e));
                    self.evaluated(value);
                    let field = self.program.field(target);
                    let (lo, hi) = field.int.range();
                    if field.is_scalar() && !range::within(self.program, value, (lo, hi)) {
                        self.fact(Pred::cmp(Cmp::Ge, value.clone(), Expr::Int(lo)));
                        self.fact(Pred::cmp(Cmp::Le, value.clone(), Expr::Int(hi)));
                    }
                    self.write(target.field, target.index.clone(), Some(value.clone()));
                }
                StmtKind::Assume(p) => {
                    self.decided(p);
                    self.fact(p.clone());
                }
                StmtKind::If { cond, then, els } => {
                    self.decided(cond);
                    self.under(Step::Guard(cond.clone()), |walk| walk.block(then));
                    self.under(Step::Guard(cond.negated()), |walk| walk.block(els));
                }
                StmtKind::For { var, count, body } => {
                    self.evaluated(count);
                    self.under(Step::Loop(*var, count.clone()), |walk| walk.block(body));
                }
                StmtKind::Reserve { start, end, .. } => {
                    self.evaluated(start);
                    self.evaluated(end);
                }
                StmtKind::Decode { target, args, .. } => {
                    args.iter().for_each(|e| self.evaluated(e));
                    if let Some(count) = counted_by(self.program, *target) {
                        self.write(count, Vec::new(), None);
                    }
                    self.write(*target, Vec::new(), None);
                }
                // Nothing is proved about a program with walks.
                StmtKind::Walk(_) => {}
            }
        }
    }

    fn under(&mut self, step: Step, go: impl FnOnce(&mut Self)) {
        self.path.push(step);
        go(self);
        self.path.pop();
    }

    fn write(&mut self, field: FieldId, index: Vec<Expr>, value: Option<Expr>) {
        self.out.writes.push(Write { field, path: self.path.clone(), index, value });
    }

    fn fact(&mut self, pred: Pred) {
        self.out.facts.push(Fact { path: self.path.clone(), pred });
    }

    /// Adds the facts that follow from the evaluation of an expression.
    fn evaluated(&mut self, e: &Expr) {
        match e {
            Expr::Int(_) | Expr::Var(_) => {}
            Expr::Ref(r) => r.index.iter().for_each(|i| self.evaluated(i)),
            Expr::Bin(op, a, b) => {
                self.evaluated(a);
                self.evaluated(b);
                if matches!(op, Op::Div | Op::Rem | Op::DivCeil) && !matches!(**b, Expr::Int(_)) {
                    self.fact(Pred::cmp(Cmp::Ge, (**b).clone(), Expr::Int(1)));
                }
            }
        }
    }

    /// Like [`evaluated`](Self::evaluated), for a predicate: evaluation ends when it is decided.
    fn decided(&mut self, p: &Pred) {
        let depth = self.path.len();
        match p {
            Pred::Const(_) | Pred::All(..) => {}
            Pred::Cmp(_, a, b) => {
                self.evaluated(a);
                self.evaluated(b);
            }
            Pred::And(ps) => {
                for p in ps {
                    self.decided(p);
                    self.path.push(Step::Guard(p.clone()));
                }
            }
            Pred::Or(ps) => {
                for p in ps {
                    self.decided(p);
                    self.path.push(Step::Guard(p.negated()));
                }
            }
        }
        self.path.truncate(depth);
    }
}
