//! Predicates over the canonical value, to be compiled and to be interpreted.

use inverter::invert::Inverse;
use inverter::program::{Pred, Side};

/// The quantified parts of an inverse's ensures in which every reference is to an output.
pub fn predicates(inverse: &Inverse) -> Vec<Pred> {
    let mut out = Vec::new();
    for conjunct in inverse.ensures.iter().flat_map(|e| &e.conjuncts) {
        closed(&conjunct.pred, &mut out);
    }
    out
}

fn closed(p: &Pred, out: &mut Vec<Pred>) {
    let mut known = true;
    p.refs(&mut |r| known &= r.side == Side::Output);
    match p {
        Pred::And(ps) | Pred::Or(ps) => {
            if known && !out.contains(p) {
                out.push(p.clone());
            }
            ps.iter().for_each(|p| closed(p, out));
        }
        Pred::All(..) if known && !out.contains(p) => out.push(p.clone()),
        Pred::All(..) | Pred::Const(_) | Pred::Cmp(..) => {}
    }
}
