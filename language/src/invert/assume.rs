//! Assumptions and reservations (paper, `InvertAssume`).

use super::digits::digits;
use super::inst::{Inst, InstKind, Why};
use super::sequence::{ElementsBy, Inverter};
use crate::program::{Atom, Cmp, Expr, FieldId, Poly, Pred, Ref, Span};

impl Inverter<'_> {
    /// Inverts `assume p`.
    ///
    /// An equation with one element of an array that is not yet known determines that element.
    pub fn assume(&mut self, p: &Pred, at: Span, out: &mut Vec<Inst>) {
        if let Some((target, value)) = self.given_by(p) {
            let kind = InstKind::Assign { target: target.clone(), value };
            out.push(Inst { kind, span: at });
            self.mark_determined(&target, at, out);
            return;
        }
        if let Some((number, value)) = self.digits_equation(p) {
            // The number and the indices of its digits come first.
            let number = self.settled_expr(&number, at, out);
            let mut refs = Vec::new();
            value.top_refs(&mut |r| {
                r.index.iter().for_each(|i| i.refs(&mut |r| refs.push(r.clone())))
            });
            let needed = self.undetermined_or_bound(&refs);
            self.leave_to_ensure(&needed, at, out);
            let value = self.unbind(&value);
            let mut open = Vec::new();
            value.top_refs(&mut |r| open.push(r.clone()));
            let open = self.undetermined(&open);
            for (target, value) in
                digits(self.program, &number, &value, &open).into_iter().flatten()
            {
                let kind = InstKind::Assign { target: target.clone(), value };
                out.push(Inst { kind, span: at });
                self.mark_determined(&target, at, out);
            }
            return;
        }
        let p = self.settled(p, at, out);
        out.push(Inst { kind: InstKind::Assume(p, Why::Assumed), span: at });
    }

    /// Both sides of an equation between a number, made of scalars and known elements, and the unknown elements that
    /// are its digits.
    fn digits_equation(&self, p: &Pred) -> Option<(Expr, Expr)> {
        let Pred::Cmp(Cmp::Eq, a, b) = p else { return None };
        let elements = |e: &Expr| {
            let mut found = Vec::new();
            let open = |r: &Ref| !r.index.is_empty() && self.is_open(r);
            e.refs(&mut |r| found.extend(open(r).then(|| r.clone())));
            found
        };
        let (number, value) = if elements(b).is_empty() { (b, a) } else { (a, b) };
        let open = elements(value);
        let mut top = Vec::new();
        value.top_refs(&mut |r| top.push(r.clone()));
        // Some of the digits may be known.
        let known = |r: &Ref| self.state.is_determined(r, &self.nest);
        let holds = self.equations != ElementsBy::Assignments
            && elements(number).is_empty()
            && !open.is_empty()
            && open.iter().all(|r| top.contains(r))
            && top.iter().all(|r| open.contains(r) || !r.index.is_empty() && known(r))
            && self.undetermined(&open).len() == open.len()
            && open.iter().all(|r| r.index.iter().all(|i| self.plain(i)))
            && digits(self.program, number, value, &open).is_some();
        holds.then(|| (number.clone(), value.clone()))
    }

    /// The one unknown element that `p` determines, and its value.
    fn given_by(&self, p: &Pred) -> Option<(Ref, Expr)> {
        let Pred::Cmp(Cmp::Eq, a, b) = p else { return None };
        let (a, b) = (self.unbind(a), self.unbind(b));
        let mut refs: Vec<Ref> = Vec::new();
        a.refs(&mut |r| refs.push(r.clone()));
        b.refs(&mut |r| refs.push(r.clone()));
        let open = self.undetermined(&refs);
        let [r] = open.as_slice() else { return None };
        if self.equations == ElementsBy::Assignments
            || r.index.is_empty()
            || !r.index.iter().all(|i| self.plain(i))
        {
            return None;
        }
        let (coefficient, rest) = Poly::of(&a).sub(&Poly::of(&b)).linear_in(&Poly::ref_atom(r))?;
        match coefficient.as_int()? {
            1 => Some((r.clone(), rest.scale(-1).to_expr())),
            -1 => Some((r.clone(), rest.to_expr())),
            _ => None,
        }
    }

    /// Returns true if an index is a base, which may be an element, plus an offset in which each loop variable has a
    /// separate coefficient. Only then is it decidable that no element is written twice.
    fn plain(&self, index: &Expr) -> bool {
        let mut offset = Poly::of(index);
        index.top_refs(&mut |r| {
            let atom = Poly::ref_atom(r);
            if !r.index.is_empty()
                && let Some((coefficient, rest)) = offset.linear_in(&atom)
                && coefficient.as_int().is_some_and(|scale| scale >= 1)
            {
                offset = rest;
            }
        });
        let varies = |a: &Atom| match a {
            Atom::Var(_) => true,
            Atom::Ref(_, _, index) => !index.is_empty(),
            _ => false,
        };
        self.nest.iter().all(|level| {
            let linear = offset.linear_in(&Atom::Var(level.var));
            linear.is_some_and(|(coefficient, _)| !coefficient.any_atom(&mut |a| varies(a)))
        })
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

    /// Like [`settled`](Self::settled), for an expression: a loop's bound, an index.
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
        field: FieldId,
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
