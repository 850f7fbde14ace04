//! Walks over expressions and predicates.
//!
//! [`Visit`] reads a tree and [`Fold`] makes a changed copy of it. Both have a method for each kind of node, which by
//! default visits the node's parts. The most frequent walks are methods of the tree itself: `refs`, `vars`, `mentions`,
//! `substitute`.

use std::ops::ControlFlow;

use super::poly::{Atom, Poly};
use super::syntax::{Expr, Pred, Ref, Stmt, StmtKind, VarId};
use super::walk::Walk;

/// The result of a visit: [`ControlFlow::Break`] ends the walk.
pub type Flow = ControlFlow<()>;

/// A walk that reads a tree, outer nodes first.
pub trait Visit<'p> {
    /// Visits a loop variable.
    fn var(&mut self, _: VarId) -> Flow {
        Flow::Continue(())
    }

    /// Visits a scalar or an element.
    fn reference(&mut self, r: &'p Ref) -> Flow {
        walk_ref(self, r)
    }

    /// Visits an expression.
    fn expr(&mut self, e: &'p Expr) -> Flow {
        walk_expr(self, e)
    }

    /// Visits a predicate.
    fn pred(&mut self, p: &'p Pred) -> Flow {
        walk_pred(self, p)
    }
}

/// Visits the indices of a reference.
pub fn walk_ref<'p, V: Visit<'p> + ?Sized>(visit: &mut V, r: &'p Ref) -> Flow {
    r.index.iter().try_for_each(|i| visit.expr(i))
}

/// Visits the parts of an expression.
pub fn walk_expr<'p, V: Visit<'p> + ?Sized>(visit: &mut V, e: &'p Expr) -> Flow {
    match e {
        Expr::Int(_) => Flow::Continue(()),
        Expr::Var(v) => visit.var(*v),
        Expr::Ref(r) => visit.reference(r),
        Expr::Bin(_, a, b) => {
            visit.expr(a)?;
            visit.expr(b)
        }
    }
}

/// Visits the parts of a predicate.
pub fn walk_pred<'p, V: Visit<'p> + ?Sized>(visit: &mut V, p: &'p Pred) -> Flow {
    match p {
        Pred::Const(_) => Flow::Continue(()),
        Pred::Cmp(_, a, b) => {
            visit.expr(a)?;
            visit.expr(b)
        }
        Pred::And(ps) | Pred::Or(ps) => ps.iter().try_for_each(|p| visit.pred(p)),
        Pred::All(_, count, p) => {
            visit.expr(count)?;
            visit.pred(p)
        }
    }
}

/// A walk that makes a changed copy of a tree.
pub trait Fold {
    /// Copies an expression.
    fn expr(&mut self, e: &Expr) -> Expr {
        fold_expr(self, e)
    }

    /// Copies a predicate.
    fn pred(&mut self, p: &Pred) -> Pred {
        fold_pred(self, p)
    }
}

/// Copies an expression with its parts folded.
pub fn fold_expr<F: Fold + ?Sized>(fold: &mut F, e: &Expr) -> Expr {
    match e {
        Expr::Int(_) | Expr::Var(_) => e.clone(),
        Expr::Ref(r) => {
            let index = r.index.iter().map(|i| fold.expr(i)).collect();
            Expr::Ref(Ref { index, ..r.clone() })
        }
        Expr::Bin(op, a, b) => Expr::bin(*op, fold.expr(a), fold.expr(b)),
    }
}

/// Copies a predicate with its parts folded.
pub fn fold_pred<F: Fold + ?Sized>(fold: &mut F, p: &Pred) -> Pred {
    match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(c, a, b) => Pred::Cmp(*c, fold.expr(a), fold.expr(b)),
        Pred::And(ps) => Pred::and(ps.iter().map(|p| fold.pred(p))),
        Pred::Or(ps) => Pred::or(ps.iter().map(|p| fold.pred(p))),
        Pred::All(v, count, p) => Pred::All(*v, Box::new(fold.expr(count)), Box::new(fold.pred(p))),
    }
}

/// Replaces each expression for which the function returns another, indices included.
struct Substitute<F>(F);

impl<F: Fn(&Expr) -> Option<Expr>> Fold for Substitute<F> {
    fn expr(&mut self, e: &Expr) -> Expr {
        if let Some(by) = self.0(e) {
            return by;
        }
        let inner = fold_expr(self, e);
        match &inner {
            // Once its indices are replaced, it may itself have a replacement.
            Expr::Ref(_) => self.0(&inner).unwrap_or(inner),
            _ => inner,
        }
    }
}

/// Returns the function that replaces a variable or a reference, for [`Expr::substitute`].
pub fn replacing(atom: Atom, by: Expr) -> impl Fn(&Expr) -> Option<Expr> {
    move |e| {
        let same = match (e, &atom) {
            (Expr::Var(v), Atom::Var(a)) => v == a,
            (Expr::Ref(r), Atom::Ref(side, field, _)) => {
                r.side == *side && r.field == *field && Poly::ref_atom(r) == atom
            }
            _ => false,
        };
        same.then(|| by.clone())
    }
}

/// Calls a function for each reference, outer before inner.
struct Refs<F>(F);

impl<'p, F: FnMut(&'p Ref) -> Flow> Visit<'p> for Refs<F> {
    fn reference(&mut self, r: &'p Ref) -> Flow {
        self.0(r)?;
        walk_ref(self, r)
    }
}

/// Calls a function for each reference that is in no index.
struct TopRefs<F>(F);

impl<'p, F: FnMut(&'p Ref) -> Flow> Visit<'p> for TopRefs<F> {
    fn reference(&mut self, r: &'p Ref) -> Flow {
        self.0(r)
    }
}

/// Calls a function for each loop variable.
struct Vars<F>(F);

impl<F: FnMut(VarId) -> Flow> Visit<'_> for Vars<F> {
    fn var(&mut self, v: VarId) -> Flow {
        self.0(v)
    }
}

/// Calls a function for each expression of a predicate as a whole.
struct Exprs<F>(F);

impl<'p, F: FnMut(&'p Expr)> Visit<'p> for Exprs<F> {
    fn expr(&mut self, e: &'p Expr) -> Flow {
        self.0(e);
        Flow::Continue(())
    }
}

/// Ends a walk if `found` is true.
fn until(found: bool) -> Flow {
    if found { Flow::Break(()) } else { Flow::Continue(()) }
}

impl Expr {
    /// Calls `visit` on every reference, outer before inner (a reference's own index
    /// expressions come after it).
    pub fn refs<'e>(&'e self, visit: &mut dyn FnMut(&'e Ref)) {
        let _ = Refs(|r| {
            visit(r);
            Flow::Continue(())
        })
        .expr(self);
    }

    /// Calls `visit` on the references that are not inside another's index.
    pub fn top_refs<'e>(&'e self, visit: &mut dyn FnMut(&'e Ref)) {
        let _ = TopRefs(|r| {
            visit(r);
            Flow::Continue(())
        })
        .expr(self);
    }

    /// Calls `visit` on every loop variable, however deep.
    pub fn vars(&self, visit: &mut dyn FnMut(VarId)) {
        let _ = Vars(|v| {
            visit(v);
            Flow::Continue(())
        })
        .expr(self);
    }

    /// Returns true if it contains a reference for which `found` is true, at any depth.
    pub fn mentions(&self, mut found: impl FnMut(&Ref) -> bool) -> bool {
        Refs(|r: &Ref| until(found(r))).expr(self).is_break()
    }

    /// Returns true if the variable occurs in it, however deep.
    pub fn mentions_var(&self, var: VarId) -> bool {
        Vars(|v| until(v == var)).expr(self).is_break()
    }

    /// Returns a copy in which everything is replaced for which `replacement` returns something, including indices.
    #[must_use]
    pub fn substitute(&self, replacement: impl Fn(&Expr) -> Option<Expr>) -> Expr {
        Substitute(replacement).expr(self)
    }
}

impl Pred {
    /// Calls `visit` on every expression of a comparison or a quantifier, as a whole.
    pub fn exprs<'p>(&'p self, visit: &mut dyn FnMut(&'p Expr)) {
        let _ = Exprs(visit).pred(self);
    }

    /// Calls `visit` on every reference, outer before inner.
    pub fn refs<'p>(&'p self, visit: &mut dyn FnMut(&'p Ref)) {
        let _ = Refs(|r| {
            visit(r);
            Flow::Continue(())
        })
        .pred(self);
    }

    /// Returns true if it contains a reference for which `found` is true, at any depth.
    pub fn mentions(&self, mut found: impl FnMut(&Ref) -> bool) -> bool {
        Refs(|r: &Ref| until(found(r))).pred(self).is_break()
    }

    /// Returns true if the variable occurs in one of its expressions, at any depth.
    pub fn mentions_var(&self, var: VarId) -> bool {
        Vars(|v| until(v == var)).pred(self).is_break()
    }

    /// Returns true if a quantifier occurs in it.
    pub fn has_quantifier(&self) -> bool {
        match self {
            Pred::Const(_) | Pred::Cmp(..) => false,
            Pred::And(ps) | Pred::Or(ps) => ps.iter().any(Pred::has_quantifier),
            Pred::All(..) => true,
        }
    }

    /// Returns the number of numerals, variables, references and operators in its expressions.
    pub fn size(&self) -> usize {
        let mut size = 0;
        self.exprs(&mut |e| size += e.size());
        size
    }

    /// Returns a copy in which everything is replaced for which `replacement` returns something, including indices.
    #[must_use]
    pub fn substitute(&self, replacement: impl Fn(&Expr) -> Option<Expr>) -> Pred {
        Substitute(replacement).pred(self)
    }
}

impl Stmt {
    /// Calls `visit` on every expression of the statement itself, excluding nested statements: the indices of a target,
    /// then from left to right.
    pub fn exprs<'s>(&'s self, visit: &mut dyn FnMut(&'s Expr)) {
        match &self.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter().for_each(&mut *visit);
                visit(value);
            }
            StmtKind::Assume(p) | StmtKind::If { cond: p, .. } => p.exprs(visit),
            StmtKind::For { count, .. } => visit(count),
            StmtKind::Reserve { start, end, .. } => {
                visit(start);
                visit(end);
            }
            StmtKind::Decode { args, .. } => args.iter().for_each(visit),
            StmtKind::Walk(walk) => match walk {
                Walk::Set { value, .. } => visit(value),
                Walk::Read(read) => visit(&read.at),
                Walk::While { cond, .. } => cond.exprs(visit),
                Walk::Sum { number, of } => {
                    [number, &of.start, &of.end].into_iter().for_each(visit);
                }
            },
        }
    }

    /// Returns the blocks inside the statement: the two branches of a conditional, the body of a
    /// loop.
    pub fn blocks(&self) -> impl Iterator<Item = &[Stmt]> {
        let (first, second): (&[Stmt], &[Stmt]) = match &self.kind {
            StmtKind::If { then, els, .. } => (then, els),
            StmtKind::For { body, .. } | StmtKind::Walk(Walk::While { body, .. }) => (body, &[]),
            _ => (&[], &[]),
        };
        [first, second].into_iter()
    }
}

/// Calls `visit` on every statement, nested ones included, in the order written.
pub fn statements<'s>(body: &'s [Stmt], visit: &mut dyn FnMut(&'s Stmt)) {
    for stmt in body {
        visit(stmt);
        stmt.blocks().for_each(|block| statements(block, visit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{FieldId, Op, Side, Span};

    fn scalar(field: usize) -> Ref {
        Ref { side: Side::Input, field: FieldId(field), index: Vec::new(), span: Span::default() }
    }

    /// `x2[x0 + i] * x1`
    fn product() -> Expr {
        let index = Expr::bin(Op::Add, Expr::Ref(scalar(0)), Expr::Var(VarId(0)));
        let element = Ref { index: vec![index], ..scalar(2) };
        Expr::bin(Op::Mul, Expr::Ref(element), Expr::Ref(scalar(1)))
    }

    #[test]
    fn references_are_visited_outer_before_inner() {
        let e = product();
        let (mut all, mut top) = (Vec::new(), Vec::new());
        e.refs(&mut |r| all.push(r.field.0));
        e.top_refs(&mut |r| top.push(r.field.0));
        assert_eq!((all, top), (vec![2, 0, 1], vec![2, 1]));
        assert!(e.mentions(|r| r.field == FieldId(0)) && !e.mentions(|r| r.field == FieldId(3)));
        assert!(e.mentions_var(VarId(0)) && !e.mentions_var(VarId(1)));
    }

    #[test]
    fn substitution_reaches_into_indices() {
        let zero = |e: &Expr| matches!(e, Expr::Var(_)).then_some(Expr::Int(0));
        assert!(!product().substitute(zero).mentions_var(VarId(0)));
        let by = replacing(Poly::ref_atom(&scalar(0)), Expr::Int(7));
        assert!(!product().substitute(by).mentions(|r| r.field == FieldId(0)));
    }
}
