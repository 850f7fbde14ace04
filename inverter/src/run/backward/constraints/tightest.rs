//! Combines many disjunctions that differ only in numerals into one. They arise if each of a thousand elements must be
//! inside a window or have a certain value.
//!
//! `top <= 3 && .. || b == 7` and `top <= 5 && .. || b == 7` are `top <= 3 && .. || b == 7`.

use crate::program::{Cmp, Expr, Pred};

/// The minimum number of constraints for which the comparisons are worthwhile.
const MANY: usize = 64;

/// The conjunctions that share one alternative, combined into one conjunction of the tightest bounds.
struct Group {
    /// The alternative.
    rest: Vec<Pred>,
    bounds: Vec<Pred>,
}

/// Returns constraints that hold if and only if all of `preds` do.
pub fn tightest(preds: Vec<Pred>) -> Vec<Pred> {
    if preds.len() < MANY {
        return preds;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut out = Vec::new();
    for pred in preds {
        let Some((bounds, rest)) = split(&pred) else {
            out.push(pred);
            continue;
        };
        // Equal elements are often adjacent.
        let group = match groups.iter_mut().rev().position(|group| group.rest == rest) {
            Some(from_end) => {
                let at = groups.len() - 1 - from_end;
                &mut groups[at]
            }
            None => {
                groups.push(Group { rest: rest.to_vec(), bounds: Vec::new() });
                let last = groups.len() - 1;
                &mut groups[last]
            }
        };
        bounds.iter().for_each(|bound| add(&mut group.bounds, bound));
    }
    out.extend(
        groups
            .into_iter()
            .map(|Group { rest, bounds }| Pred::or([Pred::and(bounds)].into_iter().chain(rest))),
    );
    out
}

/// Splits a disjunction over scalars whose first alternative is a conjunction. Elements are left alone, because each is
/// solved by itself.
fn split(p: &Pred) -> Option<(&[Pred], &[Pred])> {
    match p {
        Pred::Or(any) if !p.mentions(|r| !r.index.is_empty()) => match &any[..] {
            [Pred::And(bounds), rest @ ..] => Some((bounds, rest)),
            _ => None,
        },
        _ => None,
    }
}

/// Adds a bound to a conjunction: the tighter one if it already has a bound on the same expression.
fn add(bounds: &mut Vec<Pred>, bound: &Pred) {
    for known in bounds.iter_mut() {
        if known == bound {
            return;
        }
        if let (Some((number, upper)), Some((next, _))) = (limit(known), limit(bound))
            && alike(known, bound)
        {
            if (next < number) == upper {
                *known = bound.clone();
            }
            return;
        }
    }
    bounds.push(bound.clone());
}

/// Returns the numeral of an inequality, and whether it bounds the other side from above.
fn limit(p: &Pred) -> Option<(i128, bool)> {
    match p {
        Pred::Cmp(cmp, Expr::Int(n), _) => match cmp {
            Cmp::Ge | Cmp::Gt => Some((*n, true)),
            Cmp::Le | Cmp::Lt => Some((*n, false)),
            Cmp::Eq | Cmp::Ne => None,
        },
        Pred::Cmp(cmp, _, Expr::Int(n)) => match cmp {
            Cmp::Le | Cmp::Lt => Some((*n, true)),
            Cmp::Ge | Cmp::Gt => Some((*n, false)),
            Cmp::Eq | Cmp::Ne => None,
        },
        _ => None,
    }
}

/// Returns true if two inequalities differ only in their numerals.
fn alike(a: &Pred, b: &Pred) -> bool {
    match (a, b) {
        (Pred::Cmp(c, Expr::Int(_), e), Pred::Cmp(d, Expr::Int(_), f))
        | (Pred::Cmp(c, e, Expr::Int(_)), Pred::Cmp(d, f, Expr::Int(_))) => c == d && e == f,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::tightest;
    use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side, Span};

    fn x(field: usize) -> Expr {
        let (side, field) = (Side::Input, FieldId(field));
        Expr::Ref(Ref { side, field, index: Vec::new(), span: Span::default() })
    }

    /// Either a window of `top` and `end` contains the element `r`, or the background has the element's value.
    fn window(r: i128, value: i128) -> Pred {
        let inside =
            [Pred::cmp(Cmp::Ge, Expr::Int(r), x(0)), Pred::cmp(Cmp::Gt, x(1), Expr::Int(r))];
        Pred::or([Pred::and(inside), Pred::cmp(Cmp::Eq, Expr::Int(value), x(2))])
    }

    #[test]
    fn a_window_contains_the_first_and_the_last_of_each_value() {
        let free = Pred::cmp(Cmp::Le, x(0), Expr::Int(70));
        let all: Vec<Pred> = (5..75).map(|r| window(r, r % 2)).chain([free.clone()]).collect();
        let found = tightest(all);
        let of = |first, last, value| {
            let inside = [
                Pred::cmp(Cmp::Ge, Expr::Int(first), x(0)),
                Pred::cmp(Cmp::Gt, x(1), Expr::Int(last)),
            ];
            Pred::or([Pred::and(inside), Pred::cmp(Cmp::Eq, Expr::Int(value), x(2))])
        };
        assert_eq!(found, [free, of(5, 73, 1), of(6, 74, 0)]);
    }

    #[test]
    fn few_constraints_stay_as_they_are() {
        let all: Vec<Pred> = (0..10).map(|r| window(r, 0)).collect();
        assert_eq!(tightest(all.clone()), all);
    }
}
