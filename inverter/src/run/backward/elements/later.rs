//! The constraints of later ensures that connect an array with arrays chosen after it.
//!
//! An ensure assigns one array. If constraints connect it with other arrays, values that suit it alone may leave none
//! for the others. Its elements are therefore chosen together with the elements of those arrays, which later ensures
//! choose again.

use std::collections::BTreeSet;

use super::tuples::Tuples;
use crate::invert::{ConjunctId, EnsureId, EnsureKind};
use crate::program::{FieldId, Pred, Side};
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::state::Backward;
use crate::run::store::Slot;

/// Returns the constraints that ensures after `n` place on arrays that have no values yet and are connected with
/// `field`, except the conjunct of `tuples`. Empty if there are none.
pub fn later_constraints(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    tuples: Option<&Tuples>,
) -> Vec<Residual> {
    let cx = run.cx;
    let mut group = BTreeSet::from([field]);
    for other in tuples.iter().flat_map(|tuples| &tuples.fields) {
        if is_open(run, *other) {
            group.insert(*other);
        }
    }
    let apart = |m: usize, k: usize| {
        tuples.is_some_and(|tuples| tuples.conjunct == (EnsureId(m), ConjunctId(k)))
    };
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    loop {
        let before = taken.len();
        for (m, ensure) in cx.inverse.ensures.iter().enumerate().skip(n.0) {
            if matches!(ensure.kind, EnsureKind::Scalars(_)) {
                continue;
            }
            for (k, c) in ensure.conjuncts.iter().enumerate() {
                let arrays = open_arrays(run, &c.pred, field);
                if !apart(m, k)
                    && arrays.iter().any(|array| group.contains(array))
                    && taken.insert((m, k))
                {
                    group.extend(arrays);
                }
            }
        }
        if taken.len() == before {
            break;
        }
    }
    if group.len() == 1 {
        return Vec::new();
    }
    let mut out = Vec::new();
    // The caller has the constraints of ensure `n` itself.
    for (m, k) in taken.into_iter().filter(|(m, _)| *m != n.0) {
        let span = cx.inverse.ensures[EnsureId(m)].conjuncts[k].span;
        let pred = &cx.inverse.output_conditions().conjuncts[EnsureId(m)][ConjunctId(k)];
        let mut preds = Vec::new();
        // A condition that cannot be evaluated now concerns only a later ensure.
        if run.env().residual_pred(pred, span, &mut |p| preds.push(p)).is_ok() {
            let origin = Origin::Conjunct(EnsureId(m), ConjunctId(k));
            let of = |pred| Residual { pred, span, origin, once: false };
            out.extend(preds.into_iter().map(of));
        }
    }
    out
}

/// Returns true if an array has no values yet.
fn is_open(run: &Backward<'_>, field: FieldId) -> bool {
    match &run.assignment.input.slots[field] {
        Slot::Array(_, known) => known.is_clear() && !known.is_empty(),
        Slot::Unset => true,
        Slot::Scalar(_) => false,
    }
}

/// Returns the input arrays in a predicate that have no values yet, or are `field`.
fn open_arrays(run: &Backward<'_>, p: &Pred, field: FieldId) -> BTreeSet<FieldId> {
    let mut arrays = BTreeSet::new();
    p.refs(&mut |r| {
        if r.side != Side::Input || r.index.is_empty() {
            return;
        }
        if is_open(run, r.field) || r.field == field {
            arrays.insert(r.field);
        }
    });
    arrays
}
