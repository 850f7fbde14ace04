//! Draws random values, biased toward those that find bugs: boundaries, small values, interesting values,
//! and all orders of magnitude.

use rand::{Rng, RngExt};

use super::domain::Domain;
use super::interval::IntervalSet;

/// The number of smallest members of an integer domain that count as small.
const SMALL: u128 = 16;

/// Shuffles `items`.
pub fn shuffle<T>(rng: &mut impl Rng, items: &mut [T]) {
    for k in (1..items.len()).rev() {
        items.swap(k, rng.random_range(0..=k));
    }
}

/// Draws a member with equal probabilities; `None` if there is none.
pub fn draw_member(rng: &mut impl Rng, domain: &Domain) -> Option<i128> {
    let quotients = domain.quotients();
    let n = rng.random_range(0..quotients.len().max(1));
    quotients.nth(n).map(|q| domain.member(q))
}

/// Draws a member of a nonempty domain: a boundary, a small one, one near an interesting value, one of a
/// random magnitude, or any.
pub fn draw_integer(rng: &mut impl Rng, domain: &IntervalSet, interesting_values: &[i128]) -> i128 {
    let size = domain.len();
    let nth = |n| domain.nth(n).or(domain.min()).unwrap_or_default();
    if size <= SMALL {
        return nth(rng.random_range(0..size.max(1)));
    }
    let interesting = (!interesting_values.is_empty())
        .then(|| interesting_values[rng.random_range(0..interesting_values.len())]);
    match (rng.random_range(0..6), interesting) {
        (0, _) => {
            let (lo, hi) = domain.spans()[rng.random_range(0..domain.spans().len())];
            if rng.random() { lo } else { hi }
        }
        (1, _) => nth(rng.random_range(0..SMALL)),
        (2, Some(mark)) => {
            let near = mark + rng.random_range(-1..=1);
            if domain.contains(near) { near } else { nth(rng.random_range(0..SMALL)) }
        }
        (3 | 4, Some(mark)) if domain.contains(mark) => {
            let (lo, _) = domain.spans()[0];
            let value = rng.random_range(lo.min(mark)..=mark.max(lo));
            if domain.contains(value) { value } else { mark }
        }
        (2 | 3, _) => of_magnitude(rng, domain),
        _ => nth(rng.random_range(0..size)),
    }
}

/// Draws a member of a nonempty domain whose place among the members is of a random magnitude.
fn of_magnitude(rng: &mut impl Rng, domain: &IntervalSet) -> i128 {
    let size = domain.len();
    let bits = rng.random_range(0..=(127 - size.leading_zeros().min(127)));
    let place = rng.random_range(0..(1u128 << bits).max(1)).min(size.max(1) - 1);
    domain.nth(place).unwrap_or_default()
}

/// Draws members of a nonempty domain to be tried one after the other. Only the first is drawn as by [`draw_integer`], then
/// magnitudes and any members take turns: boundaries and small members are the likeliest to be possible, and would be most of
/// what is found.
pub fn draw_tries<R: Rng>(
    rng: &mut R,
    domain: &IntervalSet,
    interesting_values: &[i128],
    count: usize,
) -> Vec<i128> {
    let any = |rng: &mut R| domain.nth(rng.random_range(0..domain.len().max(1)));
    let draw = |k: usize| match k {
        0 => draw_integer(rng, domain, interesting_values),
        _ if k % 2 == 1 => of_magnitude(rng, domain),
        _ => any(rng).unwrap_or_default(),
    };
    (0..count).map(draw).collect()
}

/// Draws `n` gaps that add up to at most `budget`: none, one, small ones, or larger ones.
pub fn draw_gaps<R: Rng>(rng: &mut R, n: usize, budget: u64) -> Vec<i128> {
    let mut gaps = vec![0i128; n];
    if n == 0 || budget == 0 {
        return gaps;
    }
    let mut left = budget;
    let mut give = |rng: &mut R, most: u64| {
        let gap = rng.random_range(0..=most.min(left));
        left -= gap;
        i128::from(gap)
    };
    match rng.random_range(0..6) {
        0 | 1 => {}
        2 => gaps[rng.random_range(0..n)] = give(rng, 64),
        3 => gaps[rng.random_range(0..n)] = give(rng, 4096),
        4 => gaps.iter_mut().for_each(|g| *g = give(rng, 3)),
        _ => gaps.iter_mut().for_each(|g| *g = give(rng, 64)),
    }
    gaps
}
