//! Bounds on single elements, of which only the tightest are kept: a loop that looks up the bucket of each key
//! leaves hundreds of bounds on each.

use rustc_hash::FxHashMap;

use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side};

/// An element, and true for a bound from above.
type End = (FieldId, [i128; 3], bool);

/// Predicates, without those that others on the same element imply.
#[derive(Default)]
pub struct Ends {
    preds: Vec<Pred>,
    /// The places among them of the bounds on elements.
    ends: FxHashMap<End, usize>,
}

impl Ends {
    /// Adds a predicate.
    pub fn push(&mut self, p: Pred) {
        let Some((end, limit)) = bound(&p) else {
            self.preds.push(p);
            return;
        };
        match self.ends.get(&end) {
            None => {
                self.ends.insert(end, self.preds.len());
                self.preds.push(p);
            }
            Some(at) => {
                let upper = end.2;
                let known = &mut self.preds[*at];
                if bound(known).is_some_and(|(_, own)| own != limit && (limit < own) == upper) {
                    *known = p;
                }
            }
        }
    }

    /// Returns the predicates, in the order in which each was first added.
    pub fn into_preds(self) -> Vec<Pred> {
        self.preds
    }
}

/// Returns the end that an inequality bounds, and the greatest or least value.
fn bound(p: &Pred) -> Option<(End, i128)> {
    let (cmp, r, n) = match p {
        Pred::Cmp(cmp, Expr::Ref(r), Expr::Int(n)) => (*cmp, r, *n),
        Pred::Cmp(cmp, Expr::Int(n), Expr::Ref(r)) => (cmp.mirrored(), r, *n),
        _ => return None,
    };
    let (upper, limit) = match cmp {
        Cmp::Le => (true, n),
        Cmp::Lt => (true, n.checked_sub(1)?),
        Cmp::Ge => (false, n),
        Cmp::Gt => (false, n.checked_add(1)?),
        Cmp::Eq | Cmp::Ne => return None,
    };
    Some(((r.field, place(r)?, upper), limit))
}

fn place(r: &Ref) -> Option<[i128; 3]> {
    let mut index = [0; 3];
    if r.side != Side::Input || r.index.is_empty() {
        return None;
    }
    for (slot, e) in index.iter_mut().zip(&r.index) {
        let Expr::Int(n) = e else { return None };
        *slot = *n;
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::Ends;
    use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side, Span};

    fn x(at: i128) -> Expr {
        let (side, index) = (Side::Input, vec![Expr::Int(at)]);
        Expr::Ref(Ref { side, field: FieldId(0), index, span: Span::default() })
    }

    #[test]
    fn the_tightest_bounds_of_each_element_are_left() {
        let le = |at, n| Pred::Cmp(Cmp::Le, x(at), Expr::Int(n));
        let lt = |at, n| Pred::Cmp(Cmp::Lt, x(at), Expr::Int(n));
        let from = |n, at| Pred::Cmp(Cmp::Le, Expr::Int(n), x(at));
        let differs = Pred::Cmp(Cmp::Ne, x(0), Expr::Int(4));
        let mut ends = Ends::default();
        for p in [
            le(0, 9),
            differs.clone(),
            from(2, 0),
            lt(1, 7),
            lt(0, 9),
            le(0, 8),
            from(1, 0),
            from(3, 0),
            le(1, 7),
        ] {
            ends.push(p);
        }
        assert_eq!(ends.into_preds(), [lt(0, 9), differs, from(3, 0), lt(1, 7)]);
    }
}
