//! Conditions that say the same of each element of an array: they are looked at once.

use super::Backward;
use super::scalars::{Left, Origin, Residual};
use crate::invert::{EnsureId, Why};
use crate::program::{Expr, FieldId, Pred, Side, VarId};
use crate::run::error::RunError;
use crate::run::store::Slot;

/// Conditions on each of an array's first elements, told of element 0.
#[derive(Debug)]
pub(super) struct Alike {
    /// The input.
    pub(super) field: FieldId,
    /// How many elements.
    pub(super) count: usize,
    /// What is left of them, of element 0.
    pub(super) residuals: Vec<Residual>,
}

impl Backward<'_> {
    /// As [`Backward::residuals`], with those apart that are alike for an array of which
    /// nothing is known yet.
    pub(super) fn residuals_alike(&mut self, n: EnsureId) -> Result<(Left, Vec<Alike>), RunError> {
        let inverse = self.inverse;
        let mut alike = Vec::new();
        let left = self.residuals_but(n, |run, k| {
            let c = &inverse.ensures[n].conjuncts[k];
            let Some((var, count, inner, besides)) =
                quantified(&inverse.output_conditions().conjuncts[n][k])
            else {
                return false;
            };
            let Some(field) = one_array(inner, var) else { return false };
            let room = match &run.input.slots[field] {
                Slot::Array(array, known) if known.is_clear() => array.cells.len(),
                _ => return false,
            };
            for p in besides {
                match run.env().holds(p, c.span) {
                    Ok(true) => return true,
                    Ok(false) => {}
                    Err(_) => return false,
                }
            }
            let count = match run.env().eval(count, c.span).map(usize::try_from) {
                Ok(Ok(count)) if (1..=room).contains(&count) => count,
                _ => return false,
            };
            run.set_var(var, 0);
            let mut residuals = Vec::new();
            let mut each = |pred| {
                let (origin, once) = (Origin::Conjunct(n, k), matches!(c.why, Why::Once(_)));
                residuals.push(Residual { pred, span: c.span, origin, once });
            };
            // Where it fails, or has no value, that is found and told element by element.
            let fine = matches!(run.env().residual_pred(inner, c.span, &mut each), Ok(true));
            if fine && !residuals.is_empty() {
                alike.push(Alike { field, count, residuals });
            }
            fine
        })?;
        Ok((left, alike))
    }
}

/// The one quantifier of a conjunct, and what may hold in its place.
fn quantified(p: &Pred) -> Option<(VarId, &Expr, &Pred, Vec<&Pred>)> {
    let parts = match p {
        Pred::Or(ps) => &ps[..],
        _ => std::slice::from_ref(p),
    };
    let (all, besides): (Vec<&Pred>, Vec<&Pred>) =
        parts.iter().partition(|p| matches!(p, Pred::All(..)));
    match all[..] {
        [Pred::All(var, count, inner)] => Some((*var, count, inner, besides)),
        _ => None,
    }
}

/// The input array of which `p` says something of element `var`, if nothing else in it depends
/// on `var`.
fn one_array(p: &Pred, var: VarId) -> Option<FieldId> {
    let mut field = None;
    (says(p, var, &mut field)).then_some(field?)
}

fn says(p: &Pred, var: VarId, field: &mut Option<FieldId>) -> bool {
    match p {
        Pred::Const(_) => true,
        Pred::Cmp(_, a, b) => mentions(a, var, field) && mentions(b, var, field),
        Pred::And(ps) | Pred::Or(ps) => ps.iter().all(|p| says(p, var, field)),
        Pred::All(..) => false,
    }
}

fn mentions(e: &Expr, var: VarId, field: &mut Option<FieldId>) -> bool {
    match e {
        Expr::Int(_) => true,
        Expr::Var(v) => *v != var,
        Expr::Ref(r) if r.side == Side::Input && r.index == [Expr::Var(var)] => {
            *field.get_or_insert(r.field) == r.field
        }
        Expr::Ref(r) => r.index.iter().all(|i| mentions(i, var, field)),
        Expr::Bin(_, a, b) => mentions(a, var, field) && mentions(b, var, field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Cmp, Op, Ref, Span};

    fn at(field: FieldId, index: Expr) -> Expr {
        Expr::Ref(Ref { side: Side::Input, field, index: vec![index], span: Span::default() })
    }

    #[test]
    fn a_quantifier_is_found_beside_what_spares_it() {
        let some = Pred::Cmp(Cmp::Le, at(FieldId(1), Expr::Var(VarId(3))), Expr::Int(9));
        let all = Pred::All(VarId(3), Box::new(Expr::Int(2)), Box::new(some.clone()));
        let besides = |p: &Pred| quantified(p).map(|found| found.3.len());
        assert_eq!(besides(&all), Some(0));
        assert_eq!(besides(&Pred::Or(vec![some.clone(), all.clone(), some.clone()])), Some(2));
        assert_eq!(besides(&Pred::Or(vec![all.clone(), all])), None);
        assert_eq!(besides(&some), None);
    }

    #[test]
    fn what_depends_on_the_element_alone_is_alike() {
        let (k, j) = (VarId(3), VarId(4));
        let le = |a, b| Pred::Cmp(Cmp::Le, a, b);
        let next = Expr::Bin(Op::Add, Box::new(Expr::Var(k)), Box::new(Expr::Int(1)));
        let own = || at(FieldId(1), Expr::Var(k));
        let cases = [
            (le(own(), Expr::Int(9)), Some(FieldId(1))),
            (
                Pred::Or(vec![le(own(), at(FieldId(0), Expr::Var(j))), le(Expr::Int(4), own())]),
                Some(FieldId(1)),
            ),
            (le(own(), at(FieldId(2), Expr::Var(k))), None),
            (le(own(), Expr::Var(k)), None),
            (le(own(), at(FieldId(0), next)), None),
            (le(own(), at(FieldId(0), own())), Some(FieldId(1))),
            (le(Expr::Var(j), Expr::Int(9)), None),
            (Pred::All(j, Box::new(Expr::Int(2)), Box::new(le(own(), Expr::Int(9)))), None),
        ];
        for (p, expected) in cases {
            assert_eq!(one_array(&p, k), expected, "{p:?}");
        }
    }
}
