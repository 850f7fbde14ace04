//! Draws from few values or solutions with about equal probabilities.
//!
//! If there are many values, draws prefer those that find bugs. If there are few, each should come up soon, so none is
//! drawn much more often than the mean. If one option has one solution and another has hundreds, the single solution is
//! drawn a little more often than each of the others, but not half of the time.

use std::sync::OnceLock;

use rand::RngExt;

use super::domain::Domain;
use super::stream::Stream;

/// The maximum number of values or solutions that count as few.
pub const FEW: usize = 512;
/// The factor by which a solution of independent parts may be drawn more often than the mean.
const SKEW: f64 = 2.0;
/// The maximum share of draws that decide one unknown after another.
const MOST_BY_UNKNOWN: f64 = 0.5;
/// The maximum number of values that are drawn without preferences, however few parts there are.
const WITHOUT_PREFERENCE: u128 = 22;

/// Returns how many times more often than the mean one solution of each of `parts` independent parts may be drawn, so
/// that the product over all parts is the limit for the whole.
pub fn skew(parts: usize) -> f64 {
    SKEW.powf(1.0 / parts.max(1) as f64)
}

/// Returns true if there are few vectors with one member of each of these domains.
pub fn are_few(domains: &[Domain]) -> bool {
    let count = domains
        .iter()
        .try_fold(1u128, |n, d| n.checked_mul(d.quotients().len()).filter(|n| *n <= FEW as u128));
    count.is_some_and(|n| n > 0)
}

/// Draws a member of a nonempty domain with few members: the ends of its intervals and `interesting_values` up to
/// `skew` times as often as the mean.
pub fn draw_few(rng: &mut Stream, domain: &Domain, interesting_values: &[i128], skew: f64) -> i128 {
    let quotients = domain.quotients();
    let size = quotients.len();
    let any = |rng: &mut Stream| {
        let q = quotients.nth(rng.random_range(0..size.max(1)));
        domain.member(q.unwrap_or_default())
    };
    if size <= WITHOUT_PREFERENCE {
        return any(rng);
    }
    let ends = quotients.spans().iter().flat_map(|(lo, hi)| [*lo, *hi]);
    let mut preferred: Vec<i128> = ends.map(|q| domain.member(q)).collect();
    let near =
        interesting_values.iter().flat_map(|n| [n.saturating_sub(1), *n, n.saturating_add(1)]);
    preferred.extend(near.filter(|n| domain.contains(*n)));
    preferred.sort_unstable();
    preferred.dedup();
    // With a share s for n preferred values among m values, each preferred one has (1 - s) / m + s / n.
    let each = preferred.len() as f64;
    let share = (skew - 1.0) * each / (size as f64 - each).max(1.0);
    match rng.random_bool(share.clamp(0.0, 0.5)) {
        true => preferred[rng.random_range(0..preferred.len())],
        false => any(rng),
    }
}

/// All solutions of a problem, which are few.
#[derive(Debug)]
pub struct Solutions {
    all: Vec<Vec<i128>>,
    /// The factor by which the likeliest solution is drawn more often than the mean, if unknowns are decided one after
    /// another.
    most: f64,
    /// For each solution, the probability that this way of drawing returns it or one before it.
    up_to: Vec<f64>,
    /// For each solution, the values in it that are choices.
    choices: Vec<OnceLock<Vec<bool>>>,
}

impl Solutions {
    /// Prepares to draw from these solutions.
    pub fn new(all: Vec<Vec<i128>>) -> Self {
        let mut likely = vec![0.0; all.len()];
        by_unknown(&all, &(0..all.len()).collect::<Vec<_>>(), 1.0, &mut likely);
        let most = all.len() as f64 * likely.iter().copied().fold(0.0, f64::max);
        let up_to = likely.iter().scan(0.0, |sum, p| {
            *sum += p;
            Some(*sum)
        });
        let up_to = up_to.collect();
        let choices = all.iter().map(|_| OnceLock::new()).collect();
        Self { all, most, up_to, choices }
    }

    /// Returns the share of draws that decide one unknown after another.
    fn by_unknown(&self, skew: Option<f64>) -> f64 {
        let Some(skew) = skew else { return 1.0 };
        let share = if self.most > skew { (skew - 1.0) / (self.most - 1.0) } else { 1.0 };
        // The remaining draws are uniform, because each solution should come up.
        share.min(MOST_BY_UNKNOWN)
    }

    /// Returns which values of a solution are choices, if unknowns are decided one after another in this fixed order;
    /// the others follow from these. `None` if it is not a solution.
    pub fn choices(&self, solution: &[i128], order: &[usize]) -> Option<&[bool]> {
        let at = self.all.iter().position(|own| own == solution)?;
        let choices = self.choices[at].get_or_init(|| {
            let mut chosen = vec![false; solution.len()];
            let mut left: Vec<&Vec<i128>> = self.all.iter().collect();
            for unknown in order.iter().copied() {
                let before = left.len();
                left.retain(|other| other[unknown] == solution[unknown]);
                chosen[unknown] = left.len() < before;
            }
            chosen
        });
        Some(choices)
    }

    /// Returns all solutions.
    pub fn all(&self) -> &[Vec<i128>] {
        &self.all
    }

    /// Draws from all solutions, as [`Solutions::draw`] does. `None` if there are none.
    pub fn draw_any(&self, rng: &mut Stream, skew: Option<f64>) -> Option<&[i128]> {
        let at = match rng.random_bool(self.by_unknown(skew).clamp(0.0, 1.0)) {
            true => {
                let p: f64 = rng.random();
                self.up_to.partition_point(|up_to| *up_to <= p).min(self.all.len().max(1) - 1)
            }
            false => rng.random_range(0..self.all.len().max(1)),
        };
        self.all.get(at).map(Vec::as_slice)
    }

    /// Draws one of `some` of these solutions. Most draws are uniform; the others draw a value of one unknown after
    /// another, starting with the unknown that has the fewest values. Among all solutions, none is drawn more than
    /// `skew` times as often as the mean; without a `skew` all draws are uniform. `None` if there are none.
    pub fn draw<'s>(
        &self,
        rng: &mut Stream,
        mut some: Vec<&'s [i128]>,
        skew: Option<f64>,
    ) -> Option<&'s [i128]> {
        if rng.random_bool(self.by_unknown(skew).clamp(0.0, 1.0)) {
            while let Some((unknown, values)) = fewest_values(&some) {
                let value = values[rng.random_range(0..values.len())];
                some.retain(|solution| solution[unknown] == value);
            }
        }
        let n = rng.random_range(0..some.len().max(1));
        some.get(n).copied()
    }
}

/// Returns the unknown with the fewest values among several, and these values; `None` if each has one.
fn fewest_values<S: AsRef<[i128]>>(some: &[S]) -> Option<(usize, Vec<i128>)> {
    let unknowns = some.first().map_or(0, |first| first.as_ref().len());
    let mut best: Option<(usize, Vec<i128>)> = None;
    for unknown in 0..unknowns {
        let least = best.as_ref().map_or(usize::MAX, |(_, least)| least.len());
        let mut values: Vec<i128> = Vec::new();
        let mut before = None;
        for value in some.iter().map(|s| s.as_ref()[unknown]) {
            // Solutions are listed in lexicographic order, so many consecutive ones have the same value.
            if before.replace(value) == Some(value) {
                continue;
            }
            if let Err(at) = values.binary_search(&value) {
                values.insert(at, value);
            }
            // Another unknown has no more values than this one.
            if values.len() == least {
                break;
            }
        }
        if (2..least).contains(&values.len()) {
            best = Some((unknown, values));
        }
    }
    best
}

/// Adds the probability with which each of `some` solutions, identified by index, is drawn when unknowns are decided
/// one after another, if one of them is drawn with probability `p`.
fn by_unknown(all: &[Vec<i128>], some: &[usize], p: f64, likely: &mut [f64]) {
    let solutions: Vec<&Vec<i128>> = some.iter().map(|at| &all[*at]).collect();
    let Some((unknown, values)) = fewest_values(&solutions) else {
        some.iter().for_each(|at| likely[*at] += p / some.len() as f64);
        return;
    };
    for value in &values {
        let with: Vec<usize> =
            some.iter().copied().filter(|at| all[*at][unknown] == *value).collect();
        by_unknown(all, &with, p / values.len() as f64, likely);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::SeedableRng;

    use super::*;
    use crate::IntervalSet;

    fn counts(
        draws: u64,
        mut draw: impl FnMut(&mut Stream) -> Vec<i128>,
    ) -> BTreeMap<Vec<i128>, u64> {
        let mut rng = Stream::seed_from_u64(3);
        let mut out = BTreeMap::new();
        (0..draws).for_each(|_| *out.entry(draw(&mut rng)).or_default() += 1);
        out
    }

    fn of(solutions: &Solutions) -> Vec<&[i128]> {
        solutions.all().iter().map(Vec::as_slice).collect()
    }

    #[test]
    fn an_option_with_one_solution_is_preferred_within_bounds() {
        let all = |n: i128| std::iter::once(vec![0, 0]).chain((1..n).map(|k| vec![1, k])).collect();
        let few = Solutions::new(all(4));
        let drawn = counts(4000, |rng| few.draw(rng, of(&few), Some(SKEW)).unwrap().to_vec());
        assert!((1300..1700).contains(&drawn[&vec![0, 0]]), "three eighths: {drawn:?}");
        let many = Solutions::new(all(400));
        let drawn = counts(40_000, |rng| many.draw(rng, of(&many), Some(SKEW)).unwrap().to_vec());
        assert!((140..270).contains(&drawn[&vec![0, 0]]), "twice the mean: {drawn:?}");
        assert_eq!(drawn.len(), 400);
    }

    #[test]
    fn the_ends_of_a_domain_are_preferred_within_bounds() {
        let domain = Domain::of(IntervalSet::range(0, 255));
        let drawn = counts(25_600, |rng| vec![draw_few(rng, &domain, &[77], SKEW)]);
        assert_eq!(drawn.len(), 256);
        for (value, count) in drawn {
            let preferred = [0, 76, 77, 78, 255].contains(&value[0]);
            let range = if preferred { 140..260 } else { 50..150 };
            assert!(range.contains(&count), "{value:?}: {count}");
        }
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        let none = Solutions::new(Vec::new());
        assert_eq!(none.draw(&mut Stream::seed_from_u64(1), Vec::new(), Some(SKEW)), None);
    }
}
