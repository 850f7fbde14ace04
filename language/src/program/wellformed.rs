//! Well-formedness: the rules that a spec must obey before it is checked further or inverted.

use super::diagnostic::Diagnostic;
use super::fold::statements;
use super::source::Span;
use super::syntax::{Expr, IntType, Length, Op, Pred, Program, Ref, Side, Stmt, StmtKind};
use super::{streams, views};

/// The maximum number of terms of an expression after it is multiplied out.
const MAX_TERMS: usize = 1000;

/// Returns all violations.
pub fn check(program: &Program) -> Vec<Diagnostic> {
    let mut check =
        Check { program, found: Vec::new(), assigned: vec![false; program.output.fields.len()] };
    check.lengths();
    check.names();
    check.walks();
    check.block(&program.body);
    check.unassigned();
    streams::check(program, &mut check.found);
    views::check(program, &mut check.found);
    check.found
}

struct Check<'p> {
    program: &'p Program,
    found: Vec<Diagnostic>,
    assigned: Vec<bool>,
}

impl Check<'_> {
    /// Checks that output arrays have lengths; otherwise, an unassigned element could not be detected.
    fn lengths(&mut self) {
        for field in &self.program.output.fields {
            if field.lengths.contains(&Length::Free) {
                let message =
                    format!("the output array `{}` does not say how long it is", field.name);
                self.found.push(Diagnostic::new(message, field.span, "no length").help(
                    "give each dimension its length in terms of the record's scalars: \
                         `rows: [[u8; width]; height]`, with the scalars declared before it",
                ));
            }
        }
    }

    /// Checks that no two inputs have the same name in the names of dimensions, because these names identify
    /// dimensions.
    fn names(&mut self) {
        let fields = &self.program.input.fields;
        for (k, field) in fields.iter().enumerate() {
            let name = field.dimension();
            if fields[..k].iter().any(|f| f.dimension() == name) {
                let message = format!("two inputs are called `{name}` in the names of dimensions");
                self.found.push(
                    Diagnostic::new(message, field.span, "the second")
                        .help("give each its own #[element(\"..\")], unlike any field's name"),
                );
            }
        }
    }

    fn unassigned(&mut self) {
        for (field, assigned) in self.program.output.fields.iter().zip(&self.assigned) {
            if !assigned {
                let message = format!("the output `{}` is never assigned", field.name);
                self.found.push(Diagnostic::new(message, field.span, "declared here"));
            }
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    self.assigned[target.field] = true;
                    target.index.iter().for_each(|i| self.expr(i, target.span));
                    self.expr(value, stmt.span);
                }
                StmtKind::Assume(p) => self.pred(p, stmt.span),
                StmtKind::If { cond, then, els } => {
                    self.pred(cond, stmt.span);
                    self.block(then);
                    self.block(els);
                }
                StmtKind::For { count, body, .. } => {
                    self.expr(count, stmt.span);
                    self.block(body);
                }
                StmtKind::Reserve { start, end, .. } => {
                    self.expr(start, stmt.span);
                    self.expr(end, stmt.span);
                }
                StmtKind::Decode { target, args, .. } => {
                    self.assigned[*target] = true;
                    if let Some(count) = streams::counted_by(self.program, *target) {
                        self.assigned[count] = true;
                    }
                    args.iter().for_each(|e| self.expr(e, stmt.span));
                }
                StmtKind::Walk(_) => {
                    stmt.exprs(&mut |e| self.expr(e, stmt.span));
                    stmt.blocks().for_each(|block| self.block(block));
                }
            }
        }
    }

    /// Checks that a program with walks takes only bytes, because its inverse can make nothing else.
    fn walks(&mut self) {
        let program = self.program;
        if !program.has_walks() {
            return;
        }
        let declared = program.input.fields.len() - program.views.len();
        for field in &program.input.fields[..declared] {
            let bytes = field.int == IntType::U8 && field.lengths.len() == 1;
            let free = |length: &Length| match length {
                Length::Free => true,
                Length::Is(Expr::Ref(r)) => program.is_hidden(r.field),
                Length::Is(_) => false,
            };
            if !(bytes && field.lengths.iter().all(free)) {
                let message = "a program with walks takes arrays of bytes";
                self.found.push(Diagnostic::new(message, field.span, "not one").help(
                    "declare `file: [u8]`, and make what comes after the walks a function of its own",
                ));
            }
        }
        statements(&program.body, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Decode { .. } | StmtKind::Reserve { .. }) {
                let message = "this does not stand beside walks";
                self.found.push(Diagnostic::new(message, stmt.span, "here").help(
                    "a function with walks assigns and assumes; call primitives in a function of \
                     its own, which takes what this one assigns",
                ));
            }
        });
    }

    fn pred(&mut self, p: &Pred, at: Span) {
        let mut exprs = Vec::new();
        p.exprs(&mut |e| exprs.push(e));
        exprs.into_iter().for_each(|e| self.expr(e, at));
    }

    fn expr(&mut self, e: &Expr, at: Span) {
        if terms(e) > MAX_TERMS {
            self.found.push(Diagnostic::new("this product is too large", at, "here").help(
                format!(
                    "multiplied out it has more than {MAX_TERMS} terms; assume that an input \
                     field equals a part of it, and use that field"
                ),
            ));
            return;
        }
        match e {
            Expr::Int(_) | Expr::Var(_) => {}
            Expr::Ref(r) => self.read(r),
            Expr::Bin(op, a, b) => {
                self.expr(a, at);
                self.expr(b, at);
                if *op == Op::Mul && has_element(a) && has_element(b) {
                    self.found.push(
                        Diagnostic::new("a product of two array elements", at, "not affine").help(
                            "a product needs a factor that is a numeral, a loop variable or a \
                             scalar field",
                        ),
                    );
                }
            }
        }
    }

    fn read(&mut self, r: &Ref) {
        if r.side == Side::Output {
            let d = Diagnostic::new("an output is read", r.span, "an output")
                .help("outputs are only assigned; read the input it was made of");
            self.found.push(d);
        }
        r.index.iter().for_each(|i| self.expr(i, r.span));
    }
}

/// Returns the maximum number of terms that `e` can have after it is multiplied out.
fn terms(e: &Expr) -> usize {
    match e {
        Expr::Int(_) | Expr::Var(_) | Expr::Ref(_) => 1,
        Expr::Bin(Op::Add | Op::Sub, a, b) => terms(a).saturating_add(terms(b)),
        Expr::Bin(Op::Mul, a, b) => terms(a).saturating_mul(terms(b)),
        Expr::Bin(_, a, b) => terms(a).max(terms(b)),
    }
}

fn has_element(e: &Expr) -> bool {
    let mut found = false;
    e.top_refs(&mut |r| found |= !r.index.is_empty());
    found
}
