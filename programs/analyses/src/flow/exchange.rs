//! Converts between abstract states and formulas.

use std::collections::BTreeMap;

use super::state::State;
use crate::numbers::{Linear, Numbers, Ranges, Sign};
use crate::protocol::{Dereference, Formula, Relation, Term};
use crate::unfold::memory::CellId;

/// A description of a state by the dereferences of some cells.
pub fn describe<N: Numbers>(
    state: &State<N>,
    names: &BTreeMap<CellId, Dereference>,
    ranges: &Ranges,
) -> Formula {
    let cells: Vec<CellId> = names.keys().copied().collect();
    let parts = state.numbers.constraints(&cells, ranges).into_iter().filter_map(|form| {
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (cell, factor) in &form.terms {
            let value = Term::Dereference(names.get(cell)?.clone());
            let side = if *factor > 0 { &mut left } else { &mut right };
            side.push(match factor.abs() {
                1 => value,
                k => Term::Multiply(vec![Term::Number(k), value]),
            });
        }
        // If some number of the interval makes the form zero or negative, the least number does.
        let side = if form.rest.lo > 0 { &mut left } else { &mut right };
        if form.rest.lo != 0 {
            side.push(Term::Number(form.rest.lo.abs()));
        }
        let sum = |mut terms: Vec<Term>| match terms.len() {
            0 => Term::Number(0),
            1 => terms.remove(0),
            _ => Term::Add(terms),
        };
        // A lone negative side reads better as a lower bound.
        Some(match (left.as_slice(), right.is_empty()) {
            ([Term::Number(n)], false) => {
                Formula::Compare(Relation::GreaterEqual, sum(right), Term::Number(*n))
            }
            ([], false) if form.rest.lo == 0 => {
                Formula::Compare(Relation::GreaterEqual, sum(right), Term::Number(0))
            }
            ([], false) if form.rest.lo < 0 && right.len() == 2 => {
                right.pop();
                Formula::Compare(Relation::GreaterEqual, sum(right), Term::Number(form.rest.lo))
            }
            ([.., Term::Number(n)], true) => {
                let n = -*n;
                left.pop();
                Formula::Compare(Relation::LessEqual, sum(left), Term::Number(n))
            }
            _ => Formula::Compare(Relation::LessEqual, sum(left), sum(right)),
        })
    });
    Formula::and(parts.collect())
}

/// Returns the memories of a state in which a formula holds; `None` if there are none. Ignores dereferences that are
/// not cells, and terms that are not linear.
pub fn meet<N: Numbers>(
    state: &State<N>,
    formula: &Formula,
    cells: &BTreeMap<Dereference, CellId>,
    ranges: &Ranges,
) -> Option<State<N>> {
    signed(state, formula, true, cells, ranges)
}

/// As [`meet`], for a formula or its negation.
fn signed<N: Numbers>(
    state: &State<N>,
    formula: &Formula,
    holds: bool,
    cells: &BTreeMap<Dereference, CellId>,
    ranges: &Ranges,
) -> Option<State<N>> {
    let some = |parts: &[Formula]| {
        let mut found: Option<State<N>> = None;
        for part in parts {
            if let Some(kept) = signed(state, part, holds, cells, ranges) {
                found = Some(found.map_or_else(|| kept.clone(), |known| known.join(&kept, ranges)));
            }
        }
        found
    };
    match (formula, holds) {
        (Formula::True, true) | (Formula::False, false) => Some(state.clone()),
        (Formula::True, false) | (Formula::False, true) => None,
        (Formula::Not(inner), _) => signed(state, inner, !holds, cells, ranges),
        (Formula::And(parts), true) | (Formula::Or(parts), false) => {
            let mut kept = state.clone();
            for part in parts {
                kept = signed(&kept, part, holds, cells, ranges)?;
            }
            Some(kept)
        }
        (Formula::And(parts), false) | (Formula::Or(parts), true) => some(parts),
        (Formula::Compare(relation, a, b), _) => {
            let mut kept = state.clone();
            let (Some(a), Some(b)) = (linear(a, cells), linear(b, cells)) else {
                return Some(kept);
            };
            let one = Linear::point(1);
            let less = |a: &Linear, b: &Linear| a.add(b, -1);
            let (form, sign) = match (relation, holds) {
                (Relation::Equal, true) => (less(&a, &b), Sign::Zero),
                (Relation::Equal, false) => (less(&a, &b), Sign::NotZero),
                (Relation::LessEqual, true) | (Relation::Greater, false) => {
                    (less(&a, &b), Sign::NotPositive)
                }
                (Relation::GreaterEqual, true) | (Relation::Less, false) => {
                    (less(&b, &a), Sign::NotPositive)
                }
                (Relation::Less, true) | (Relation::GreaterEqual, false) => {
                    (less(&a, &b).and_then(|form| form.add(&one, 1)), Sign::NotPositive)
                }
                (Relation::Greater, true) | (Relation::LessEqual, false) => {
                    (less(&b, &a).and_then(|form| form.add(&one, 1)), Sign::NotPositive)
                }
            };
            let Some(form) = form else { return Some(kept) };
            kept.numbers.constrain(&form, sign, ranges).then_some(kept)
        }
    }
}

/// Returns a term as a linear form; `None` if it is not linear or has a dereference that is not a cell.
fn linear(term: &Term, cells: &BTreeMap<Dereference, CellId>) -> Option<Linear> {
    let small = |n: i128| (n.unsigned_abs() < 1 << 100).then_some(n);
    match term {
        Term::Number(n) => Some(Linear::point(small(*n)?)),
        Term::Dereference(dereference) => cells.get(dereference).map(|cell| Linear::cell(*cell)),
        Term::Add(terms) => {
            terms.iter().try_fold(Linear::point(0), |sum, term| sum.add(&linear(term, cells)?, 1))
        }
        Term::Subtract(terms) => match terms.as_slice() {
            [only] => Linear::point(0).add(&linear(only, cells)?, -1),
            [first, rest @ ..] => rest
                .iter()
                .try_fold(linear(first, cells)?, |sum, term| sum.add(&linear(term, cells)?, -1)),
            [] => None,
        },
        Term::Multiply(terms) => terms.iter().try_fold(Linear::point(1), |product, term| {
            let factor = linear(term, cells)?;
            match (product.constant(), factor.constant()) {
                (Some(k), _) => Linear::point(0).add(&factor, k),
                (_, Some(k)) => Linear::point(0).add(&product, k),
                _ => None,
            }
        }),
    }
}
