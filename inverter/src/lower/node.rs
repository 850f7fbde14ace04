//! Statements that move data. Normalization programs and their inverses share this form, so code is generated for both
//! in the same way.

use crate::invert::{Inst, InstKind};
use crate::program::{Expr, FieldId, Pred, Ref, Stmt, StmtKind, VarId};

/// A statement for which code is generated.
#[derive(Debug, Clone)]
pub(crate) enum Node<'p> {
    Assign(&'p Ref, &'p Expr),
    Assume(&'p Pred),
    If(&'p Pred, Vec<Node<'p>>, Vec<Node<'p>>),
    For(VarId, &'p Expr, Vec<Node<'p>>),
    Reserve(FieldId, &'p Expr, &'p Expr),
}

/// Converts the statements of a normalization program; `None` if one calls a primitive.
pub(crate) fn of_program(body: &[Stmt]) -> Option<Vec<Node<'_>>> {
    let mut out = Vec::new();
    for Stmt { kind, .. } in body {
        out.push(match kind {
            StmtKind::Assign { target, value } => Node::Assign(target, value),
            StmtKind::Assume(p) => Node::Assume(p),
            StmtKind::If { cond, then, els } => Node::If(cond, of_program(then)?, of_program(els)?),
            StmtKind::For { var, count, body } => Node::For(*var, count, of_program(body)?),
            StmtKind::Reserve { field, start, end } => Node::Reserve(*field, start, end),
            StmtKind::Decode { .. } | StmtKind::Walk(_) => return None,
        });
    }
    Some(out)
}

/// Converts the statements of an inverse; `None` if one makes a choice or calls a primitive.
pub(crate) fn of_inverse(body: &[Inst]) -> Option<Vec<Node<'_>>> {
    let mut out = Vec::new();
    for Inst { kind, .. } in body {
        out.push(match kind {
            InstKind::Assign { target, value } => Node::Assign(target, value),
            InstKind::Assume(p, _) => Node::Assume(p),
            InstKind::If { cond, then, els } => Node::If(cond, of_inverse(then)?, of_inverse(els)?),
            InstKind::For { var, count, body } => Node::For(*var, count, of_inverse(body)?),
            // The interpreter does nothing here either.
            InstKind::Reserve { .. } => continue,
            InstKind::Free(r) if !r.index.is_empty() => continue,
            InstKind::Free(_) | InstKind::Ensure(_) | InstKind::Encode(_) => return None,
        });
    }
    Some(out)
}

/// Loop unswitching: moves loops into conditionals whose condition is the same in all rounds, because the remaining
/// loop may be a nest. The original may never evaluate such a condition; if it has no value, the code gives up, and the
/// interpreter decides.
pub(crate) fn unswitched(body: Vec<Node<'_>>) -> Vec<Node<'_>> {
    body.into_iter().map(Node::unswitched).collect()
}

impl<'p> Node<'p> {
    fn unswitched(self) -> Self {
        match self {
            Node::If(cond, then, els) => Node::If(cond, unswitched(then), unswitched(els)),
            Node::For(var, count, body) => {
                let mut body = unswitched(body);
                match body.pop() {
                    Some(Node::If(cond, then, els))
                        if body.is_empty()
                            && is_fixed(cond, var)
                            && !then.iter().chain(&els).any(Node::sets_scalars) =>
                    {
                        let within = |body| vec![Node::For(var, count, body)];
                        Node::If(cond, unswitched(within(then)), unswitched(within(els)))
                    }
                    last => {
                        body.extend(last);
                        Node::For(var, count, body)
                    }
                }
            }
            other => other,
        }
    }

    /// Returns an assumption for a predicate that does not occur in the spec.
    pub fn assumption(p: &'p Pred) -> Self {
        Self::Assume(p)
    }

    /// Returns the predicate `for all var in 0..count: inner` as a loop with an assumption.
    pub fn all(var: VarId, count: &'p Expr, inner: &'p Pred) -> Self {
        let body = match inner {
            Pred::All(var, count, inner) => Self::all(*var, count, inner),
            p => Self::assumption(p),
        };
        Self::For(var, count, vec![body])
    }

    /// Returns true if a scalar is assigned in it.
    fn sets_scalars(&self) -> bool {
        match self {
            Node::Assign(target, _) => target.index.is_empty(),
            Node::If(_, then, els) => then.iter().chain(els).any(Node::sets_scalars),
            Node::For(_, _, body) => body.iter().any(Node::sets_scalars),
            Node::Assume(_) | Node::Reserve(..) => false,
        }
    }

    /// Returns true if there is a loop in it.
    pub fn has_loop(&self) -> bool {
        match self {
            Node::For(..) => true,
            Node::If(_, then, els) => then.iter().chain(els).any(Node::has_loop),
            Node::Assign(..) | Node::Assume(_) | Node::Reserve(..) => false,
        }
    }

    /// Collects the arrays in which elements are reserved.
    pub fn reserved(&self, out: &mut std::collections::BTreeSet<FieldId>) {
        match self {
            Node::If(_, then, els) => then.iter().chain(els).for_each(|n| n.reserved(out)),
            Node::For(_, _, body) => body.iter().for_each(|n| n.reserved(out)),
            Node::Reserve(field, ..) => {
                out.insert(*field);
            }
            Node::Assign(..) | Node::Assume(_) => {}
        }
    }
}

/// Returns true if a condition depends only on scalars, and not on `var`.
fn is_fixed(cond: &Pred, var: VarId) -> bool {
    let mut scalars = true;
    cond.refs(&mut |r| scalars &= r.index.is_empty());
    scalars && !cond.mentions_var(var)
}
