//! The order that constraints impose on segments: `off[i] + len[i] <= off[i + 1]` puts one before another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::problem::{Base, Problem};
use crate::program::{Atom, Cmp, Poly, Pred};
use crate::solve::layout::Segment;

/// Returns the segments in an order that the constraints between two bases allow: as in `order`, but each
/// after those that have to lie before it. `base` returns the base that an atom is.
pub fn allowed_order(
    problem: &Problem,
    order: &[usize],
    base: &dyn Fn(&Atom) -> Option<Base>,
) -> Vec<usize> {
    let number: BTreeMap<Base, usize> =
        problem.slots.slots.iter().enumerate().map(|(k, slot)| (slot.base, k)).collect();
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
    let mut waiting = vec![0usize; order.len()];
    for r in &problem.coupled {
        let segment = |atom: &Atom| number.get(&base(atom)?).copied();
        if let Some((first, second)) = precedence(problem, &r.pred, &segment) {
            after[first].push(second);
            waiting[second] += 1;
        }
    }
    let mut rank = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, k)| rank[*k] = at);
    let free = |waiting: &[usize]| -> BinaryHeap<Reverse<(usize, usize)>> {
        order.iter().filter(|k| waiting[**k] == 0).map(|k| Reverse((rank[*k], *k))).collect()
    };
    let mut ready = free(&waiting);
    let mut out = Vec::with_capacity(order.len());
    while let Some(Reverse((_, k))) = ready.pop() {
        out.push(k);
        for next in &after[k] {
            waiting[*next] -= 1;
            if waiting[*next] == 0 {
                ready.push(Reverse((rank[*next], *next)));
            }
        }
    }
    // Of a circle, nothing comes first: such constraints have no solution in any order.
    if out.len() == order.len() { out } else { order.to_vec() }
}

/// Returns two segments of which the first has to lie before the second: a constraint bounds the
/// difference of their starts.
fn precedence(
    problem: &Problem,
    pred: &Pred,
    segment: &dyn Fn(&Atom) -> Option<usize>,
) -> Option<(usize, usize)> {
    let Pred::Cmp(cmp, a, b) = pred else { return None };
    let difference = Poly::of(a).sub(&Poly::of(b));
    let (mut plus, mut minus) = (None, None);
    for (monomial, c) in difference.terms() {
        let slot = match (&monomial[..], c) {
            ([], _) => continue,
            ([atom], 1) => plus.replace(segment(atom)?),
            ([atom], -1) => minus.replace(segment(atom)?),
            _ => return None,
        };
        if slot.is_some() {
            return None;
        }
    }
    let (plus, minus) = (plus?, minus?);
    let lo = |k: usize| problem.slots.slots[k].lo;
    let filled = |k: usize| {
        let Segment { len, .. } = problem.segments[k];
        len > 0 && problem.slots.slots[k].scale == 1
    };
    if !filled(plus) || !filled(minus) {
        return None;
    }
    // start(plus) - start(minus) cmp to
    let to = lo(plus) - lo(minus) - difference.constant();
    match cmp {
        Cmp::Le if to <= 0 => Some((plus, minus)),
        Cmp::Lt if to <= 1 => Some((plus, minus)),
        Cmp::Eq if to < 0 => Some((plus, minus)),
        Cmp::Ge if to >= 0 => Some((minus, plus)),
        Cmp::Gt if to >= -1 => Some((minus, plus)),
        Cmp::Eq if to > 0 => Some((minus, plus)),
        _ => None,
    }
}
