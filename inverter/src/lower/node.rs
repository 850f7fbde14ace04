//! Statements that move data: the part that normalization programs and their inverses share, and
//! that can therefore be compiled by one emitter.

use crate::invert::{Inst, InstKind};
use crate::program::{Expr, FieldId, Pred, Ref, Span, Stmt, StmtKind, VarId};

/// A statement that can be compiled, with its place in the spec.
#[derive(Debug, Clone)]
pub(crate) struct Node<'p> {
    pub kind: Kind<'p>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub(crate) enum Kind<'p> {
    Assign(&'p Ref, &'p Expr),
    Assume(&'p Pred),
    If(&'p Pred, Vec<Node<'p>>, Vec<Node<'p>>),
    For(VarId, &'p Expr, Vec<Node<'p>>),
    Reserve(FieldId, &'p Expr, &'p Expr),
}

/// Converts the statements of a normalization program; `None` if one calls a primitive.
pub(crate) fn of_program(body: &[Stmt]) -> Option<Vec<Node<'_>>> {
    let mut out = Vec::new();
    for Stmt { kind, span } in body {
        let kind = match kind {
            StmtKind::Assign { target, value } => Kind::Assign(target, value),
            StmtKind::Assume(p) => Kind::Assume(p),
            StmtKind::If { cond, then, els } => Kind::If(cond, of_program(then)?, of_program(els)?),
            StmtKind::For { var, count, body } => Kind::For(*var, count, of_program(body)?),
            StmtKind::Reserve { field, start, end } => Kind::Reserve(*field, start, end),
            StmtKind::Decode { .. } => return None,
        };
        out.push(Node { kind, span: *span });
    }
    Some(out)
}

/// Converts the statements of an inverse; `None` if one makes a choice or calls a primitive.
pub(crate) fn of_inverse(body: &[Inst]) -> Option<Vec<Node<'_>>> {
    let mut out = Vec::new();
    for Inst { kind, span } in body {
        let kind = match kind {
            InstKind::Assign { target, value } => Kind::Assign(target, value),
            InstKind::Assume(p, _) => Kind::Assume(p),
            InstKind::If { cond, then, els } => Kind::If(cond, of_inverse(then)?, of_inverse(els)?),
            InstKind::For { var, count, body } => Kind::For(*var, count, of_inverse(body)?),
            // The interpreter does nothing there either.
            InstKind::Reserve { .. } => continue,
            InstKind::Free(r) if !r.index.is_empty() => continue,
            InstKind::Free(_) | InstKind::Ensure(_) | InstKind::Encode(_) => return None,
        };
        out.push(Node { kind, span: *span });
    }
    Some(out)
}

/// Loop unswitching: moves loops into conditionals whose condition is the same in all rounds, since
/// the loop that remains may be a nest. The original may never evaluate such a condition; if it has
/// no value, emitted code gives up, and the interpreter decides.
pub(crate) fn unswitched(body: Vec<Node<'_>>) -> Vec<Node<'_>> {
    body.into_iter().map(Node::unswitched).collect()
}

impl<'p> Node<'p> {
    fn unswitched(self) -> Self {
        let span = self.span;
        let kind = match self.kind {
            Kind::If(cond, then, els) => Kind::If(cond, unswitched(then), unswitched(els)),
            Kind::For(var, count, body) => {
                let mut body = unswitched(body);
                match body.pop() {
                    Some(Node { kind: Kind::If(cond, then, els), .. })
                        if body.is_empty()
                            && is_fixed(cond, var)
                            && !then.iter().chain(&els).any(Node::sets_scalars) =>
                    {
                        let within = |body| vec![Node { kind: Kind::For(var, count, body), span }];
                        Kind::If(cond, unswitched(within(then)), unswitched(within(els)))
                    }
                    last => {
                        body.extend(last);
                        Kind::For(var, count, body)
                    }
                }
            }
            other => other,
        };
        Node { kind, span }
    }

    /// Returns the assumption of a predicate that stands in no spec.
    pub fn assumption(p: &'p Pred) -> Self {
        Self { kind: Kind::Assume(p), span: Span::default() }
    }

    /// Returns the predicate `for all var in 0..count: inner` as a loop with an assumption.
    pub fn all(var: VarId, count: &'p Expr, inner: &'p Pred) -> Self {
        let body = match inner {
            Pred::All(var, count, inner) => Self::all(*var, count, inner),
            p => Self::assumption(p),
        };
        Self { kind: Kind::For(var, count, vec![body]), span: Span::default() }
    }

    /// Returns true if a scalar is assigned in it.
    fn sets_scalars(&self) -> bool {
        match &self.kind {
            Kind::Assign(target, _) => target.index.is_empty(),
            Kind::If(_, then, els) => then.iter().chain(els).any(Node::sets_scalars),
            Kind::For(_, _, body) => body.iter().any(Node::sets_scalars),
            Kind::Assume(_) | Kind::Reserve(..) => false,
        }
    }

    /// Returns true if there is a loop in it.
    pub fn has_loop(&self) -> bool {
        match &self.kind {
            Kind::For(..) => true,
            Kind::If(_, then, els) => then.iter().chain(els).any(Node::has_loop),
            Kind::Assign(..) | Kind::Assume(_) | Kind::Reserve(..) => false,
        }
    }

    /// Calls `visit` on every expression in it, indices of targets included.
    pub fn exprs(&self, visit: &mut dyn FnMut(&'p Expr)) {
        match &self.kind {
            Kind::Assign(target, value) => {
                target.index.iter().for_each(&mut *visit);
                visit(value);
            }
            Kind::Assume(p) => p.exprs(visit),
            Kind::If(cond, then, els) => {
                cond.exprs(visit);
                then.iter().chain(els).for_each(|n| n.exprs(visit));
            }
            Kind::For(_, count, body) => {
                visit(count);
                body.iter().for_each(|n| n.exprs(visit));
            }
            Kind::Reserve(_, start, end) => {
                visit(start);
                visit(end);
            }
        }
    }

    /// Collects the arrays in which it reserves elements.
    pub fn reserved(&self, out: &mut std::collections::BTreeSet<FieldId>) {
        match &self.kind {
            Kind::If(_, then, els) => then.iter().chain(els).for_each(|n| n.reserved(out)),
            Kind::For(_, _, body) => body.iter().for_each(|n| n.reserved(out)),
            Kind::Reserve(field, ..) => {
                out.insert(*field);
            }
            Kind::Assign(..) | Kind::Assume(_) => {}
        }
    }
}

/// Returns true if a condition depends on scalars alone, and not on `var`.
fn is_fixed(cond: &Pred, var: VarId) -> bool {
    let mut scalars = true;
    cond.refs(&mut |r| scalars &= r.index.is_empty());
    scalars && !cond.mentions_var(var)
}
