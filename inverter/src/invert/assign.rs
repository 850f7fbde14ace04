//! Assignments (paper, `InvertAssign` and `LocalInvert`).

use super::digits::digits;
use super::inst::{Inst, InstKind, Why};
use super::sequence::Inverter;
use super::state::{Binding, Key};
use crate::program::fold::replacing;
use crate::program::{Atom, Cmp, Expr, Op, Poly, Pred, Ref, Span};

/// `y = e` solved for a reference.
pub struct Solved {
    /// The value: equal to the reference if and only if `y = e` (and `divides`).
    pub value: Expr,
    /// The dividend and the divisor that must divide it, for the solution to exist.
    pub divides: Option<(Expr, i128)>,
}

impl Inverter<'_> {
    /// Inverts `y := e`.
    pub fn assign(&mut self, target: &Ref, value: &Expr, at: Span, out: &mut Vec<Inst>) {
        // Whatever an index is made of is needed to know which element is meant.
        let mut inner = Vec::new();
        value
            .top_refs(&mut |r| r.index.iter().for_each(|i| i.refs(&mut |r| inner.push(r.clone()))));
        target.index.iter().for_each(|i| i.refs(&mut |r| inner.push(r.clone())));
        let needed = self.undetermined_or_bound(&inner);
        self.leave_to_ensure(&needed, at, out);

        let value = self.unbind(value);
        let mut top = Vec::new();
        value.top_refs(&mut |r| top.push(r.clone()));
        let open = self.undetermined(&top);
        let solutions: Vec<(Ref, Solved)> = open
            .iter()
            .filter_map(|r| Some((r.clone(), local_invert(target, &value, r)?)))
            // A reference whose element another open one is part of cannot come first.
            .collect();
        let equation = || Pred::cmp(Cmp::Eq, Expr::Ref(target.clone()), value.clone());

        if open.len() > 1
            && let Some(digits) = digits(self.program, &Expr::Ref(target.clone()), &value, &open)
        {
            for (target, value) in digits {
                let kind = InstKind::Assign { target: target.clone(), value };
                out.push(Inst { kind, span: at });
                self.mark_determined(&target, at, out);
            }
            return;
        }
        match (open.len(), solutions.into_iter().next()) {
            (0, _) => out.push(Inst { kind: InstKind::Assume(equation(), Why::Settled), span: at }),
            (_, None) => {
                // Not invertible for any of them: the ensure finds values instead.
                self.leave_to_ensure(&open, at, out);
                out.push(Inst { kind: InstKind::Assume(equation(), Why::Settled), span: at });
            }
            (n, Some((r, solved))) => {
                if let Some((dividend, divisor)) = solved.divides {
                    // The remainder is over what other references are, so they come first.
                    if n > 1 {
                        self.leave_to_ensure(&open, at, out);
                        out.push(Inst {
                            kind: InstKind::Assume(equation(), Why::Settled),
                            span: at,
                        });
                        return;
                    }
                    let remainder = Expr::bin(Op::Rem, dividend, Expr::Int(divisor));
                    let even = Pred::cmp(Cmp::Eq, remainder, Expr::Int(0));
                    out.push(Inst { kind: InstKind::Assume(even, Why::Even), span: at });
                }
                if n == 1 {
                    let kind = InstKind::Assign { target: r.clone(), value: solved.value };
                    out.push(Inst { kind, span: at });
                    self.mark_determined(&r, at, out);
                } else {
                    let key = Key::of(&r, &self.nest);
                    let binding = Binding { target: r, value: solved.value };
                    self.rebind(&binding);
                    self.state.partial.insert(key, binding);
                }
            }
        }
    }

    /// References in `refs` that are not yet determined, whether bound or not.
    pub fn undetermined_or_bound(&self, refs: &[Ref]) -> Vec<Ref> {
        let mut needed = self.undetermined(refs);
        // A bound reference is known as soon as what it is bound to is known.
        for r in refs {
            if let Some(binding) = self.state.binding(r, &self.nest) {
                let mut inner = Vec::new();
                binding.value.refs(&mut |r| inner.push(r.clone()));
                needed.extend(self.undetermined(&inner));
            }
        }
        needed
    }

    /// Existing bindings are kept free of partially determined references.
    fn rebind(&mut self, new: &Binding) {
        let atom = Poly::ref_atom(&new.target);
        let by = replacing(atom, new.value.clone());
        for binding in self.state.partial.values_mut() {
            binding.value = binding.value.substitute(&by);
        }
    }
}

/// Solves `y = e` for `r`, if it occurs linearly with a numeral as coefficient.
pub fn local_invert(y: &Ref, e: &Expr, r: &Ref) -> Option<Solved> {
    let atom = Poly::ref_atom(r);
    let (coefficient, rest) = Poly::of(e).linear_in(&atom)?;
    let y_poly = Poly::atom(Poly::ref_atom(y));
    let right = y_poly.sub(&rest);
    match coefficient.as_int()? {
        0 => None,
        1 => Some(Solved { value: tidy(&right, y), divides: None }),
        -1 => Some(Solved { value: right.scale(-1).to_expr(), divides: None }),
        c => {
            let dividend = if c < 0 { right.scale(-1) } else { right }.to_expr();
            let divisor = c.abs();
            Some(Solved {
                value: Expr::bin(Op::Div, dividend.clone(), Expr::Int(divisor)),
                divides: Some((dividend, divisor)),
            })
        }
    }
}

/// The output itself where the solution is just that, as it was written.
fn tidy(solution: &Poly, y: &Ref) -> Expr {
    match solution.as_atom() {
        Some(atom @ Atom::Ref(..)) if *atom == Poly::ref_atom(y) => Expr::Ref(y.clone()),
        _ => solution.to_expr(),
    }
}
