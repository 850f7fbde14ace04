//! Assignments (paper, `InvertAssign` and `LocalInvert`).

use super::digits::{PartDigits, digits, digits_of_part};
use super::inst::{Inst, InstKind, Why};
use super::sequence::{ElementsBy, Inverter};
use super::simplify::shortened;
use super::state::{Binding, Key};
use crate::program::fold::{replacing, statements};
use crate::program::{Atom, Cmp, Expr, Op, Poly, Pred, Ref, Span, StmtKind, range};

/// `y = e` solved for a reference.
pub struct Solved {
    /// The value: equal to the reference if and only if `y = e` (and `divides`).
    pub value: Expr,
    /// The dividend and the divisor that must divide it, for the solution to exist.
    pub divides: Option<(Expr, i128)>,
}

/// A dividend, and the expression that divides it.
struct Quotient {
    dividend: Expr,
    factor: Expr,
}

impl Inverter<'_> {
    /// Inverts `y := e`.
    pub fn assign(&mut self, target: &Ref, value: &Expr, at: Span, out: &mut Vec<Inst>) {
        // Everything in an index must be known to identify the element.
        let mut inner = Vec::new();
        value
            .top_refs(&mut |r| r.index.iter().for_each(|i| i.refs(&mut |r| inner.push(r.clone()))));
        target.index.iter().for_each(|i| i.refs(&mut |r| inner.push(r.clone())));
        let needed = self.undetermined_or_bound(&inner);
        self.leave_to_ensure(&needed, at, out);

        let value = shortened(self.unbind(value));
        let mut top = Vec::new();
        value.top_refs(&mut |r| top.push(r.clone()));
        let open = self.undetermined(&top);
        // An equation is not solved for a reference on which the element of another undetermined reference depends.
        let solutions: Vec<(Ref, Solved)> = open
            .iter()
            .filter_map(|r| Some((r.clone(), local_invert(target, &value, r)?)))
            .collect();
        let equation = || Pred::cmp(Cmp::Eq, Expr::Ref(target.clone()), value.clone());

        if open.len() > 1 {
            let number = Expr::Ref(target.clone());
            let found = digits(self.program, &number, &value, &open)
                .map(|digits| PartDigits { digits, dropped: Vec::new() })
                .or_else(|| digits_of_part(self.program, &number, &value, &open));
            if let Some(PartDigits { digits, dropped }) = found {
                for (target, value) in digits {
                    let kind = InstKind::Assign { target: target.clone(), value };
                    out.push(Inst { kind, span: at });
                    self.mark_determined(&target, at, out);
                }
                // These are read but not yet known; another statement may still determine them.
                out.extend(dropped.into_iter().map(|r| Inst { kind: InstKind::Free(r), span: at }));
                return;
            }
        }
        let solution = solutions.into_iter().next().filter(|(r, _)| !self.is_neighbour(r, &open));
        match (open.len(), solution) {
            (0, _) => out.push(Inst { kind: InstKind::Assume(equation(), Why::Settled), span: at }),
            (_, None) if let Some((r, quotient)) = self.scaled(target, &value, &open) => {
                let others: Vec<Ref> = open.into_iter().filter(|o| *o != r).collect();
                self.leave_to_ensure(&others, at, out);
                self.divide(&r, quotient, at, out);
            }
            (_, None) => {
                // The equation cannot be solved for any of them, so the ensure finds values.
                self.leave_to_ensure(&open, at, out);
                out.push(Inst { kind: InstKind::Assume(equation(), Why::Settled), span: at });
            }
            (n, Some((r, solved))) => {
                if let Some((dividend, divisor)) = solved.divides {
                    // The remainder depends on the other references, so they come first.
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

    /// Returns true if the equation would make an element a function of another element of the same array that is
    /// undetermined as well.
    fn is_neighbour(&self, r: &Ref, open: &[Ref]) -> bool {
        self.equations == ElementsBy::EquationsApart
            && open.iter().any(|o| o.field == r.field && o != r)
    }

    /// Returns the element for which the equation is solved if its coefficient is an expression:
    /// `y = x.scale * x.raw[k]`. Everything else in the equation is a scalar, which an ensure assigns.
    fn scaled(&self, y: &Ref, e: &Expr, open: &[Ref]) -> Option<(Ref, Quotient)> {
        let mut elements = open.iter().filter(|r| !r.index.is_empty());
        let (r, None) = (elements.next()?, elements.next()) else { return None };
        // Reserved elements are left to an ensure, which avoids them.
        let mut reserved = false;
        statements(&self.program.body, &mut |s| {
            reserved |= matches!(s.kind, StmtKind::Reserve { field, .. } if field == r.field);
        });
        if reserved {
            return None;
        }
        let (factor, rest) = Poly::of(e).linear_in(&Poly::ref_atom(r))?;
        let dividend = Poly::atom(Poly::ref_atom(y)).sub(&rest).to_expr();
        let factor = factor.as_int().is_none().then(|| factor.to_expr())?;
        Some((r.clone(), Quotient { dividend, factor }))
    }

    /// Assigns the quotient to `target`. If the factor is 0, the value is 0, one of the values that satisfy the
    /// equation.
    fn divide(&mut self, target: &Ref, quotient: Quotient, at: Span, out: &mut Vec<Inst>) {
        let Quotient { dividend, factor } = quotient;
        let (lo, _) = range::of(self.program, &factor);
        // A divisor is at least 1: signs are moved to the dividend.
        let (divided, divisor) = if lo >= 1 {
            (dividend.clone(), factor.clone())
        } else {
            let negative = Expr::bin(Op::Sub, Expr::Int(0), factor.clone());
            let sign = Expr::bin(Op::Max, factor.clone(), Expr::Int(-1));
            let sign = Expr::bin(Op::Min, sign, Expr::Int(1));
            let size = Expr::bin(Op::Max, factor.clone(), negative);
            let size = if lo >= 0 { factor.clone() } else { size };
            let divided = match lo >= 0 {
                true => dividend.clone(),
                false => Expr::bin(Op::Mul, dividend.clone(), sign),
            };
            (divided, Expr::bin(Op::Max, size, Expr::Int(1)))
        };
        let remainder = Expr::bin(Op::Rem, divided.clone(), divisor.clone());
        let even = Pred::cmp(Cmp::Eq, remainder, Expr::Int(0));
        let value = Expr::bin(Op::Div, divided, divisor);
        if lo < 1 {
            // The element is written in any case, so it has to be inside its array.
            let zero = Pred::cmp(Cmp::Eq, dividend, Expr::Int(0));
            let scaled = Pred::or([Pred::cmp(Cmp::Ne, factor, Expr::Int(0)), zero]);
            out.push(Inst { kind: InstKind::Assume(scaled, Why::Settled), span: at });
        }
        out.push(Inst { kind: InstKind::Assume(even, Why::Even), span: at });
        let kind = InstKind::Assign { target: target.clone(), value };
        out.push(Inst { kind, span: at });
        self.mark_determined(target, at, out);
    }

    /// References in `refs` that are not yet determined, whether bound or not.
    pub fn undetermined_or_bound(&self, refs: &[Ref]) -> Vec<Ref> {
        let mut needed = self.undetermined(refs);
        // A bound reference is known as soon as the references in its binding are.
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
            binding.value = shortened(binding.value.substitute(&by));
        }
    }
}

/// Solves `y = e` for `r`, if `r` occurs linearly with a numeral as its coefficient.
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

/// Returns the output itself, as written, if it is the solution.
fn tidy(solution: &Poly, y: &Ref) -> Expr {
    match solution.as_atom() {
        Some(atom @ Atom::Ref(..)) if *atom == Poly::ref_atom(y) => Expr::Ref(y.clone()),
        _ => solution.to_expr(),
    }
}
