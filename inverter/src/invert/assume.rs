//! Assumptions and reservations (paper, `InvertAssume`).

use super::inst::{Inst, InstKind, Why};
use super::sequence::Inverter;
use crate::program::{Expr, Pred, Ref, Span};

impl Inverter<'_> {
    /// Inverts `assume p`.
    pub fn assume(&mut self, p: &Pred, at: Span, out: &mut Vec<Inst>) {
        let p = self.settled(p, at, out);
        out.push(Inst { kind: InstKind::Assume(p, Why::Assumed), span: at });
    }

    /// `p` with its bound references replaced and all its references determined.
    pub fn settled(&mut self, p: &Pred, at: Span, out: &mut Vec<Inst>) -> Pred {
        let p = self.unbind_pred(p);
        let mut refs: Vec<Ref> = Vec::new();
        p.refs(&mut |r| refs.push(r.clone()));
        let open = self.undetermined(&refs);
        self.leave_to_ensure(&open, at, out);
        p
    }

    /// The same for an expression: a loop's bound, an index.
    pub fn settled_expr(&mut self, e: &Expr, at: Span, out: &mut Vec<Inst>) -> Expr {
        let e = self.unbind(e);
        let mut refs: Vec<Ref> = Vec::new();
        e.refs(&mut |r| refs.push(r.clone()));
        let open = self.undetermined(&refs);
        self.leave_to_ensure(&open, at, out);
        e
    }

    /// Inverts `reserve(x.array[start..end])`.
    pub fn reserve(
        &mut self,
        field: usize,
        start: &Expr,
        end: &Expr,
        at: Span,
        out: &mut Vec<Inst>,
    ) {
        let start = self.settled_expr(start, at, out);
        let end = self.settled_expr(end, at, out);
        out.push(Inst { kind: InstKind::Reserve { field, start, end }, span: at });
    }
}
