//! Derives sums from pairs of others by eliminating one unknown, as in Fourier-Motzkin elimination.
//!
//! `2a + b` and `2a - b` bound `a` only together: each by itself allows any `a`, with a suitable `b`.

use std::collections::BTreeMap;

use super::constraint::{Constraint, Terms};
use super::sum::Sum;
use language::program::eval::gcd;

/// The maximum number of unknowns of a sum that is combined with others.
const MOST_TERMS: usize = 8;
/// The maximum number of constraints on an unknown whose sums are combined.
const MOST_WATCHING: usize = 8;

/// Returns the sums that follow from two of these that share two or more unknowns.
pub fn eliminated(constraints: &[Constraint], unknowns: usize) -> Vec<Constraint> {
    let bounded = |c: &Constraint| match c {
        Constraint::Sum { terms, least, most } => {
            (2..=MOST_TERMS).contains(&terms.len()) && *least > i128::MIN && *most < i128::MAX
        }
        _ => false,
    };
    let mut watching: Vec<Vec<usize>> = vec![Vec::new(); unknowns];
    for (k, c) in constraints.iter().enumerate().filter(|(_, c)| bounded(c)) {
        c.unknowns(&mut |unknown| watching[unknown as usize].push(k));
    }
    let mut common: BTreeMap<(usize, usize), Vec<u32>> = BTreeMap::new();
    for (unknown, sums) in watching.iter().enumerate().filter(|(_, s)| s.len() <= MOST_WATCHING) {
        for (k, first) in sums.iter().enumerate() {
            for second in &sums[k + 1..] {
                common.entry((*first, *second)).or_default().push(unknown as u32);
            }
        }
    }
    let pairs = common.iter().filter(|(_, unknowns)| unknowns.len() > 1);
    pairs
        .flat_map(|((a, b), unknowns)| unknowns.iter().map(move |unknown| (a, b, unknown)))
        .filter_map(|(a, b, unknown)| combined(&constraints[*a], &constraints[*b], *unknown))
        .collect()
}

/// Returns the combination of two sums in which an unknown is eliminated.
fn combined(a: &Constraint, b: &Constraint, unknown: u32) -> Option<Constraint> {
    let (
        Constraint::Sum { terms: a, least: a_least, most: a_most },
        Constraint::Sum { terms: b, least: b_least, most: b_most },
    ) = (a, b)
    else {
        return None;
    };
    let of = |terms: &Terms| terms.iter().find(|(k, _)| *k == unknown).map(|(_, c)| *c);
    let (x, y) = (of(a)?, of(b)?);
    let common = gcd(x, y);
    // y * a - x * b
    let (y, x) = (y / common, x / common);
    let mut sum = Sum::default();
    for (own, factor) in [(a, y), (b, x.checked_neg()?)] {
        own.iter().try_for_each(|(k, c)| sum.plus(*k, c.checked_mul(factor)?))?;
    }
    let mut terms = sum.terms;
    terms.retain(|(_, c)| *c != 0);
    let (a, b) = (
        (a_least.checked_mul(y)?, a_most.checked_mul(y)?),
        (b_least.checked_mul(x)?, b_most.checked_mul(x)?),
    );
    let least = a.0.min(a.1).checked_sub(b.0.max(b.1))?;
    let most = a.0.max(a.1).checked_sub(b.0.min(b.1))?;
    (!terms.is_empty()).then_some(Constraint::Sum { terms, least, most })
}
