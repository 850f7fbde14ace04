//! Values that equations with places leave to scalars that are chosen before the places.
//!
//! `check = n + at % 100` is solved for the place `at` once `check` has a value. Most values of `check` would leave it none, and a
//! search for others would find the same few again and again.

use super::constraint::{Origin, Residual};
use crate::invert::{ConjunctId, EnsureId, EnsureKind, Inverse};
use crate::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side, Span};
use crate::run::backward::context::Context;
use crate::run::eval::Env;
use crate::solve::Domain;
use crate::solve::network::{Network, Tables};

/// Returns the equations of scalars with bases of segments.
pub fn equations(inverse: &Inverse) -> impl Iterator<Item = (EnsureId, ConjunctId, &Pred)> {
    inverse.ensures.iter().enumerate().flat_map(|(n, ensure)| {
        let bases = match &ensure.kind {
            EnsureKind::Places { bases, .. } => &bases[..],
            _ => &[],
        };
        let equation = |p: &Pred| {
            matches!(p, Pred::Cmp(Cmp::Eq, ..))
                && p.mentions(|r| r.side == Side::Input && bases.contains(&r.field))
                && !p.mentions(|r| !r.index.is_empty())
        };
        let own = ensure.conjuncts.iter().enumerate().filter(move |(_, c)| equation(&c.pred));
        own.map(move |(k, c)| (EnsureId(n), ConjunctId(k), &c.pred))
    })
}

/// Returns the bounds and residues that these equations leave to the scalars in `open`, whatever the places are.
pub fn projected(cx: Context<'_>, env: &mut Env<'_>, open: &[FieldId]) -> Vec<Residual> {
    let mut out = Vec::new();
    for (n, k, pred) in equations(cx.inverse) {
        let span = cx.inverse.ensures[n].conjuncts[k].span;
        let mut left = Vec::new();
        if !matches!(env.residual_pred(pred, span, &mut |p| left.push(p)), Ok(true)) {
            continue;
        }
        for (field, domain) in left.iter().flat_map(|p| of_each(cx, p)) {
            if open.contains(&field) {
                let preds = within(field, &domain, cx.range(field));
                let origin = Origin::Conjunct(n, k);
                out.extend(preds.map(|pred| Residual { pred, span, origin, once: false }));
            }
        }
    }
    out
}

/// Returns the values that an equation leaves to each of its unknowns, or more.
fn of_each(cx: Context<'_>, equation: &Pred) -> Vec<(FieldId, Domain)> {
    let mut fields: Vec<FieldId> = Vec::new();
    equation.refs(&mut |r| {
        if r.side == Side::Input && !fields.contains(&r.field) {
            fields.push(r.field);
        }
    });
    let number = |r: &Ref| u32::try_from(fields.iter().position(|f| *f == r.field)?).ok();
    let domains = fields.iter().map(|f| Domain::range(cx.range(*f))).collect();
    let network = Network::new(domains, [equation], &number, &Tables::default());
    let values = |k: usize| network.as_ref()?.values_of(k);
    (0..fields.len()).filter_map(|k| Some((fields[k], values(k)?))).collect()
}

/// Returns the predicates that a scalar is between the ends of a domain, as far as these are not those of its type, and has
/// its residue.
fn within(
    field: FieldId,
    domain: &Domain,
    range: (i128, i128),
) -> impl Iterator<Item = Pred> + use<> {
    let scalar =
        || Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span: Span::default() });
    let (least, most) = domain.ends().unwrap_or((1, 0));
    let residue = (domain.modulus > 1).then(|| {
        let rem = Expr::bin(Op::Rem, scalar(), Expr::Int(domain.modulus));
        Pred::cmp(Cmp::Eq, rem, Expr::Int(domain.residue))
    });
    let from = (least > range.0).then(|| Pred::cmp(Cmp::Ge, scalar(), Expr::Int(least)));
    let to = (most < range.1).then(|| Pred::cmp(Cmp::Le, scalar(), Expr::Int(most)));
    from.into_iter().chain(to).chain(residue)
}
