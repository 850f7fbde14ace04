//! Uniform constraints: a quantified conjunct that constrains each element of one array in the
//! same way is reduced once, for element 0, instead of once per element.

use super::constraint::{Origin, Residual, Residuals};
use super::residual::residuals_except;
use crate::invert::{EnsureId, Why};
use crate::program::{Expr, FieldId, Pred, Side, VarId};
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::eval::Env;
use crate::run::store::Slot;

/// Constraints that apply to each of the first elements of an array.
#[derive(Debug)]
pub struct Uniform {
    /// The array.
    pub field: FieldId,
    /// The number of elements.
    pub count: usize,
    /// The constraints, on element 0.
    pub residuals: Vec<Residual>,
}

/// Computes the residual constraints of ensure `n`. Those that are uniform over an array without values are returned
/// separately.
pub fn residuals_and_uniform(
    cx: Context<'_>,
    env: &mut Env<'_>,
    n: EnsureId,
) -> Result<(Residuals, Vec<Uniform>), RunError> {
    let mut uniform = Vec::new();
    let left = residuals_except(cx, env, n, |env, k| {
        let c = &cx.inverse.ensures[n].conjuncts[k];
        let Some((var, count, inner, alternatives)) =
            quantified(&cx.inverse.output_conditions().conjuncts[n][k])
        else {
            return false;
        };
        let Some(field) = one_array(inner, var) else { return false };
        let room = match &env.input.slots[field] {
            Slot::Array(array, known) if known.is_clear() => array.cells.len(),
            _ => return false,
        };
        for p in alternatives {
            match env.holds(p, c.span) {
                Ok(true) => return true,
                Ok(false) => {}
                Err(_) => return false,
            }
        }
        let count = match env.eval(count, c.span).map(usize::try_from) {
            Ok(Ok(count)) if (1..=room).contains(&count) => count,
            _ => return false,
        };
        env.set_var(var, 0);
        let mut residuals = Vec::new();
        let mut each = |pred| {
            let (origin, once) = (Origin::Conjunct(n, k), matches!(c.why, Why::Once(_)));
            residuals.push(Residual { pred, span: c.span, origin, once });
        };
        // A failure, or a missing value, is found and reported element by element.
        let fine = matches!(env.residual_pred(inner, c.span, &mut each), Ok(true));
        if fine && !residuals.is_empty() {
            uniform.push(Uniform { field, count, residuals });
        }
        fine
    })?;
    Ok((left, uniform))
}

/// Returns the only quantifier of a conjunct: its variable, bound and body, and the other disjuncts.
fn quantified(p: &Pred) -> Option<(VarId, &Expr, &Pred, Vec<&Pred>)> {
    let parts = match p {
        Pred::Or(ps) => &ps[..],
        _ => std::slice::from_ref(p),
    };
    let (all, alternatives): (Vec<&Pred>, Vec<&Pred>) =
        parts.iter().partition(|p| matches!(p, Pred::All(..)));
    match all[..] {
        [Pred::All(var, count, inner)] => Some((*var, count, inner, alternatives)),
        _ => None,
    }
}

/// Returns the input array whose element `var` is constrained by `p`, if nothing else in `p`
/// depends on `var`.
fn one_array(p: &Pred, var: VarId) -> Option<FieldId> {
    let mut field = None;
    is_uniform(p, var, &mut field).then_some(field?)
}

fn is_uniform(p: &Pred, var: VarId, field: &mut Option<FieldId>) -> bool {
    match p {
        Pred::Const(_) => true,
        Pred::Cmp(_, a, b) => has_uniform_refs(a, var, field) && has_uniform_refs(b, var, field),
        Pred::And(ps) | Pred::Or(ps) => ps.iter().all(|p| is_uniform(p, var, field)),
        Pred::All(..) => false,
    }
}

fn has_uniform_refs(e: &Expr, var: VarId, field: &mut Option<FieldId>) -> bool {
    match e {
        Expr::Int(_) => true,
        Expr::Var(v) => *v != var,
        Expr::Ref(r) if r.side == Side::Input && r.index == [Expr::Var(var)] => {
            *field.get_or_insert(r.field) == r.field
        }
        Expr::Ref(r) => r.index.iter().all(|i| has_uniform_refs(i, var, field)),
        Expr::Bin(_, a, b) => has_uniform_refs(a, var, field) && has_uniform_refs(b, var, field),
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
    fn a_quantifier_is_found_beside_its_alternatives() {
        let some = Pred::Cmp(Cmp::Le, at(FieldId(1), Expr::Var(VarId(3))), Expr::Int(9));
        let all = Pred::All(VarId(3), Box::new(Expr::Int(2)), Box::new(some.clone()));
        let alternatives = |p: &Pred| quantified(p).map(|found| found.3.len());
        assert_eq!(alternatives(&all), Some(0));
        assert_eq!(alternatives(&Pred::Or(vec![some.clone(), all.clone(), some.clone()])), Some(2));
        assert_eq!(alternatives(&Pred::Or(vec![all.clone(), all])), None);
        assert_eq!(alternatives(&some), None);
    }

    #[test]
    fn what_depends_on_the_element_alone_is_uniform() {
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
