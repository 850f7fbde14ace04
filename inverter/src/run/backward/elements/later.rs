//! The constraints of later ensures that connect an array with arrays that are chosen after it.
//!
//! An ensure gives one array. Where constraints connect it with others, values that suit it alone may leave
//! none for those: so its elements are chosen together with theirs, of which the later ensures then choose
//! again.

use std::collections::{BTreeMap, BTreeSet};

use crate::invert::{ConjunctId, EnsureId, EnsureKind};
use crate::program::{Expr, FieldId, Pred, Ref, Side};
use crate::run::backward::state::Backward;
use crate::run::store::Slot;

/// Returns what the ensures after `n` demand of arrays that have no values yet and are connected with
/// `field`. Empty if none is.
pub fn later_constraints(run: &mut Backward<'_>, n: EnsureId, field: FieldId) -> Vec<Pred> {
    let cx = run.cx;
    let mut group = BTreeSet::from([field]);
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    loop {
        let before = taken.len();
        for (m, ensure) in cx.inverse.ensures.iter().enumerate().skip(n.0) {
            if matches!(ensure.kind, EnsureKind::Scalars(_)) {
                continue;
            }
            for (k, c) in ensure.conjuncts.iter().enumerate() {
                let arrays = open_arrays(run, &c.pred, field);
                if arrays.iter().any(|array| group.contains(array)) && taken.insert((m, k)) {
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
    // Those of the array itself are known to the caller.
    for (m, k) in taken.into_iter().filter(|(m, _)| *m != n.0) {
        let span = cx.inverse.ensures[EnsureId(m)].conjuncts[k].span;
        let pred = &cx.inverse.output_conditions().conjuncts[EnsureId(m)][ConjunctId(k)];
        let mut preds = Vec::new();
        // A condition that cannot be evaluated now is one of a later ensure alone.
        if run.env().residual_pred(pred, span, &mut |p| preds.push(p)).is_ok() {
            out.append(&mut preds);
        }
    }
    let lengths: BTreeMap<FieldId, Vec<Option<i128>>> =
        group.into_iter().map(|array| (array, run.known_lengths(array))).collect();
    // Constraints on elements outside of their arrays are void.
    out.retain(|p| {
        let mut inside = true;
        p.refs(&mut |r| {
            inside &= lengths.get(&r.field).is_none_or(|lengths| is_inside(r, lengths))
        });
        inside
    });
    out
}

/// Returns the input arrays in a predicate that have no values yet, or are `field`.
fn open_arrays(run: &Backward<'_>, p: &Pred, field: FieldId) -> BTreeSet<FieldId> {
    let mut arrays = BTreeSet::new();
    p.refs(&mut |r| {
        if r.side != Side::Input || r.index.is_empty() {
            return;
        }
        let open = match &run.assignment.input.slots[r.field] {
            Slot::Array(_, known) => known.is_clear() && !known.is_empty(),
            Slot::Unset => true,
            Slot::Scalar(_) => false,
        };
        if open || r.field == field {
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
