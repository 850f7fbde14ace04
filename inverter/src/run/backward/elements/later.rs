//! The constraints of later ensures that connect an array with arrays that are chosen after it.
//!
//! An ensure gives one array. Where constraints connect it with others, values that suit it alone may leave
//! none for those: so its elements are chosen together with theirs, of which the later ensures then choose
//! again.

use std::collections::{BTreeMap, BTreeSet};

use super::tuples::Tuples;
use crate::invert::{ConjunctId, EnsureId, EnsureKind};
use crate::program::{Expr, FieldId, Pred, Ref, Side, Span};
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::state::Backward;
use crate::run::store::Slot;

/// The most rounds of a loop whose constraints are taken into account, for each element, and in any case. A loop
/// over all pairs has more: each array is then chosen as if there were values for the others.
const MOST_ROUNDS: (i128, i128) = (8, 500);

/// Returns what the ensures after `n` demand of arrays that have no values yet and are connected with
/// `field`, but for the conjunct of `tuples`. Empty if none is.
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
    let lengths: BTreeMap<FieldId, Vec<Option<i128>>> =
        group.into_iter().map(|array| (array, run.known_lengths(array))).collect();
    let elements = lengths.values().map(|of| of.iter().map(|n| n.unwrap_or(0)).product::<i128>());
    let most = MOST_ROUNDS.0 * elements.sum::<i128>() + MOST_ROUNDS.1;
    let mut out = Vec::new();
    // Those of the array itself are known to the caller.
    for (m, k) in taken.into_iter().filter(|(m, _)| *m != n.0) {
        let span = cx.inverse.ensures[EnsureId(m)].conjuncts[k].span;
        let pred = &cx.inverse.output_conditions().conjuncts[EnsureId(m)][ConjunctId(k)];
        if rounds(run, pred, span) > most {
            continue;
        }
        let mut preds = Vec::new();
        // A condition that cannot be evaluated now is one of a later ensure alone.
        if run.env().residual_pred(pred, span, &mut |p| preds.push(p)).is_ok() {
            let origin = Origin::Conjunct(EnsureId(m), ConjunctId(k));
            let of = |pred| Residual { pred, span, origin, once: false };
            out.extend(preds.into_iter().map(of));
        }
    }
    // Constraints on elements outside of their arrays are void.
    out.retain(|residual: &Residual| {
        let mut inside = true;
        residual.pred.refs(&mut |r| {
            inside &= lengths.get(&r.field).is_none_or(|lengths| is_inside(r, lengths))
        });
        inside
    });
    out
}

/// Returns the rounds of the loops in a predicate, about.
fn rounds(run: &mut Backward<'_>, p: &Pred, span: Span) -> i128 {
    match p {
        Pred::Const(_) | Pred::Cmp(..) => 1,
        Pred::And(ps) | Pred::Or(ps) => ps.iter().map(|p| rounds(run, p, span)).max().unwrap_or(1),
        Pred::All(var, count, inner) => {
            let count = run.env().eval(count, span).unwrap_or(1).max(0);
            // In the middle, an inner loop below this variable has its mean length.
            run.set_var(*var, count / 2);
            count.saturating_mul(rounds(run, inner, span).max(1))
        }
    }
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

/// Returns false if an element lies outside of its array, as far as the lengths are known.
fn is_inside(r: &Ref, lengths: &[Option<i128>]) -> bool {
    r.index.iter().zip(lengths).all(|(e, length)| match e {
        Expr::Int(at) => *at >= 0 && length.is_none_or(|length| *at < length),
        _ => true,
    })
}
