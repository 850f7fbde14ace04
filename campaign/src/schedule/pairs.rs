//! Chooses pairs of value classes to combine next, preferring pairs that are overdue.
//!
//! Two classes that are both frequent and never occurred together either exclude each other or need several other
//! values. Only trying shows which is the case: each failed try makes the next one for these two dimensions less
//! urgent. A rare class needs help to be combined with others.

use covering::{ClassId, Tally};

/// The number of most urgent pairs that are considered.
const CONSIDERED: usize = 96;

/// The number of failed tries after which two dimensions are no longer combined as part of a larger set.
const MAX_FAILURES: u32 = 2;

/// The kind of pairs to prefer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Pairs of two frequent classes.
    Frequent,
    /// Pairs of a rare class and a frequent one.
    Rare,
    /// Pairs of two rare classes, of dimensions that have few.
    BothRare,
}

/// Chooses pairs of classes, and counts the tries.
#[derive(Debug, Clone, Default)]
pub struct PairScheduler {
    /// The number of tries for each pair of classes.
    tries: PairCounts,
    /// For each pair of dimensions, the number of tries that failed or are pending.
    failures: PairCounts,
}

impl PairScheduler {
    /// Returns the most urgent pairs of classes that are `ready`, with at most `most` classes in total and at most one
    /// class of each dimension. They count as tried.
    pub fn next(
        &mut self,
        tally: &Tally,
        urgency: Urgency,
        most: usize,
        ready: impl Fn(ClassId) -> bool,
    ) -> Vec<(ClassId, ClassId)> {
        let ready: Vec<bool> = (0..tally.classes()).map(ready).collect();
        let open = tally.open_pairs().filter(|(a, b)| ready[*a] && ready[*b]);
        let mut pairs: Vec<(u64, ClassId, ClassId)> =
            open.map(|(a, b)| (self.urgency(tally, urgency, a, b), a, b)).collect();
        if pairs.len() > CONSIDERED {
            pairs.select_nth_unstable_by(CONSIDERED, |one, other| other.cmp(one));
            pairs.truncate(CONSIDERED);
        }
        pairs.sort_unstable_by(|one, other| other.cmp(one));
        let mut classes: Vec<ClassId> = Vec::new();
        let mut chosen = Vec::new();
        for (_, a, b) in pairs {
            let new: Vec<ClassId> = [a, b].into_iter().filter(|id| !classes.contains(id)).collect();
            let fits = |id: &ClassId| classes.iter().all(|other| self.fit(tally, *id, *other));
            if classes.len() + new.len() > most || !new.iter().all(fits) {
                continue;
            }
            classes.extend(new);
            chosen.push((a, b));
        }
        for &(a, b) in &chosen {
            *self.tries.entry(a, b) += 1;
            *self.failures.entry(tally.dimension(a), tally.dimension(b)) += 1;
        }
        chosen
    }

    /// Evaluates a try of `pairs`: the pairs that have occurred together succeeded.
    pub fn evaluate(&mut self, tally: &Tally, pairs: &[(ClassId, ClassId)]) {
        for &(a, b) in pairs.iter().filter(|(a, b)| tally.is_pair_covered(*a, *b)) {
            let failures = self.failures.entry(tally.dimension(a), tally.dimension(b));
            *failures = failures.saturating_sub(1);
        }
    }

    /// Returns how often the two should have occurred together, given how often each occurred, reduced for each try.
    fn urgency(&self, tally: &Tally, urgency: Urgency, a: ClassId, b: ClassId) -> u64 {
        let (one, other) = (tally.occurrences_of(a), tally.occurrences_of(b));
        let expected = match urgency {
            Urgency::Frequent => (one * other) << 16,
            Urgency::Rare => (one.max(other) << 16) / one.min(other).max(1),
            Urgency::BothRare => {
                let classes = |id| tally.of(tally.dimension(id)).len() as u64;
                (1 << 48) / (one * other * classes(a) * classes(b)).max(1)
            }
        };
        let tries = self.failures(tally, a, b) + 4 * self.tries.get(a, b);
        expected / u64::from(1 + tries).pow(2)
    }

    fn failures(&self, tally: &Tally, a: ClassId, b: ClassId) -> u32 {
        self.failures.get(tally.dimension(a), tally.dimension(b))
    }

    fn fit(&self, tally: &Tally, a: ClassId, b: ClassId) -> bool {
        tally.dimension(a) != tally.dimension(b)
            && (tally.is_pair_covered(a, b) || self.failures(tally, a, b) < MAX_FAILURES)
    }
}

/// A counter for each unordered pair of numbers, indexed by the greater, then by the lesser.
#[derive(Debug, Clone, Default)]
struct PairCounts(Vec<Vec<u32>>);

impl PairCounts {
    fn get(&self, a: usize, b: usize) -> u32 {
        self.0.get(a.max(b)).and_then(|row| row.get(a.min(b))).copied().unwrap_or(0)
    }

    fn entry(&mut self, a: usize, b: usize) -> &mut u32 {
        let (high, low) = (a.max(b), a.min(b));
        if self.0.len() <= high {
            self.0.resize_with(high + 1, Vec::new);
        }
        let row = &mut self.0[high];
        if row.len() <= low {
            row.resize(low + 1, 0);
        }
        &mut row[low]
    }
}

#[cfg(test)]
mod tests {
    use inverter::solve::{Choice, Choices, value_class};

    use super::*;

    fn tally(sets: &[&[(&str, i128)]]) -> Tally {
        let mut tally = Tally::new();
        for set in sets {
            let set: Choices =
                set.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
            tally.add(&set, value_class);
        }
        tally
    }

    fn named(tally: &Tally, pairs: &[(ClassId, ClassId)]) -> Vec<[String; 2]> {
        let name = |id: ClassId| format!("{} {}", tally.name(id), tally.class(id));
        pairs.iter().map(|(a, b)| [name(*a), name(*b)]).collect()
    }

    #[test]
    fn what_should_have_met_is_first_until_it_was_tried() {
        let often: &[(&str, i128)] = &[("a", 1)];
        let other: &[(&str, i128)] = &[("b", 1)];
        let tally = tally(&[often, often, often, other, other, &[("c", 1), ("d", 1)]]);
        let mut scheduler = PairScheduler::default();
        assert_eq!(
            named(&tally, &scheduler.next(&tally, Urgency::Frequent, 2, |_| true)),
            [["b 1", "a 1"]]
        );
        // The pair has not occurred, so the next pairs are others: all that fit.
        let next = named(&tally, &scheduler.next(&tally, Urgency::Frequent, 3, |_| true));
        assert_eq!(next[0], ["d 1", "a 1"]);
        assert_eq!(next.len(), 2);
    }

    #[test]
    fn rare_classes_meet_frequent_ones() {
        let tally = tally(&[&[("a", 1)], &[("a", 1)], &[("b", 1)], &[("b", 1)], &[("c", 1)]]);
        let pairs = PairScheduler::default().next(&tally, Urgency::Rare, 2, |_| true);
        assert_eq!(named(&tally, &pairs), [["c 1", "b 1"]]);
    }

    #[test]
    fn what_is_possible_stays_as_urgent() {
        let mut tally = tally(&[&[("a", 1)], &[("b", 1)]]);
        let mut scheduler = PairScheduler::default();
        let pairs = scheduler.next(&tally, Urgency::Frequent, 2, |_| true);
        let both = [("a", 1), ("b", 1)].map(|(d, n)| (d.to_owned(), Choice::Int(n)));
        tally.add(&both.into_iter().collect(), value_class);
        scheduler.evaluate(&tally, &pairs);
        assert_eq!(scheduler.failures(&tally, pairs[0].0, pairs[0].1), 0);
        assert!(scheduler.next(&tally, Urgency::Frequent, 2, |_| true).is_empty());
    }
}
