//! Prerequisites of a dimension, found by observation.
//!
//! A dimension that is absent from some variants may need some value classes of another one. The classes with which it
//! occurred suggest which. To confirm this, the other one is changed in a variant that has the dimension; the dimension
//! must then vanish.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::{Choice, ChoiceSource, Choices, DimensionId};

use super::{Need, Samples, rank};

/// The number of other dimensions that are tried, the most likely ones first.
const TRIED: usize = 12;

/// The number of value classes of each of these dimensions that are tried.
const CLASSES: usize = 4;

/// The expected number of joint occurrences by chance above which a value class that never occurred with the dimension
/// is worth a try.
const EXPECTED: f64 = 1.0;

/// Another dimension that may be needed.
struct Candidate {
    id: DimensionId,
    /// The classes with which the dimension occurred.
    with: BTreeSet<String>,
    /// Values of other classes, the most frequent first.
    without: Vec<Choice>,
    expected: f64,
}

impl Samples<'_> {
    /// Returns the prerequisites of a dimension; empty if every variant has it.
    pub(super) fn needs(&mut self, id: DimensionId) -> Vec<Need> {
        if self.all.iter().all(|sample| sample.classes.contains_key(&id)) {
            return Vec::new();
        }
        let Some(witness) = self.with(id).map(|sample| sample.choices.clone()) else {
            return Vec::new();
        };
        let others: Vec<DimensionId> = witness.ids().filter(|other| *other != id).collect();
        let mut candidates: Vec<Candidate> =
            others.into_iter().filter_map(|other| self.candidate(id, other)).collect();
        candidates.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        candidates.truncate(TRIED);
        // For each necessary candidate, the candidates that changed together with it.
        let mut needed: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for k in 0..candidates.len() {
            if let Some(changed) = self.changed_with(id, k, &witness, &mut candidates) {
                needed.insert(k, changed);
            }
        }
        let direct = |(k, changed): (&usize, &BTreeSet<usize>)| {
            let through = |l: &usize| needed.get(l).is_some_and(|back| !back.contains(k));
            (!changed.iter().any(through)).then_some(*k)
        };
        let direct: Vec<usize> = needed.iter().filter_map(direct).collect();
        direct.into_iter().filter_map(|k| self.need(id, candidates[k].id)).collect()
    }

    /// Returns `other` as a candidate, if the dimension never occurred with some of its classes although chance alone
    /// would have shown them together.
    fn candidate(&self, id: DimensionId, other: DimensionId) -> Option<Candidate> {
        let (mut with, mut counts) = (BTreeSet::new(), BTreeMap::<&str, (usize, &Choice)>::new());
        let mut present = 0;
        for sample in &self.all[..self.looked_at.min(self.all.len())] {
            let has = sample.classes.contains_key(&id);
            let (class, value) = (sample.classes.get(&other), sample.choices.get(other));
            let (Some(class), Some(value)) = (class, value) else {
                if has {
                    return None;
                }
                continue;
            };
            counts.entry(class).or_insert((0, value)).0 += 1;
            if has {
                present += 1;
                with.insert(class.clone());
            }
        }
        let of = |inside: bool| {
            let counts = counts.iter().filter(|(class, _)| with.contains(**class) == inside);
            counts.map(|(_, count)| *count).collect::<Vec<_>>()
        };
        let (inside, mut outside) = (of(true), of(false));
        let total = |counts: &[(usize, &Choice)]| counts.iter().map(|(n, _)| n).sum::<usize>();
        let expected = total(&outside) as f64 * f64::from(present) / total(&inside).max(1) as f64;
        outside.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let without = outside.into_iter().take(CLASSES).map(|(_, value)| value.clone()).collect();
        (expected >= EXPECTED).then_some(Candidate { id: other, with, without, expected })
    }

    /// Changes candidate `k` in `witness`, which has the dimension. If the dimension vanishes, returns the other
    /// candidates whose class changed to one with which the dimension did not occur.
    fn changed_with(
        &mut self,
        id: DimensionId,
        k: usize,
        witness: &Choices,
        candidates: &mut [Candidate],
    ) -> Option<BTreeSet<usize>> {
        let mut changed: Option<BTreeSet<usize>> = None;
        for value in candidates[k].without.clone() {
            let given = Choices::from_iter([(candidates[k].id, value)]);
            let source = ChoiceSource::replaying(given).with_baseline(witness.clone());
            let Some(made) = self.make(source) else { continue };
            let classes = &self.all[made].classes;
            if classes.contains_key(&id) {
                candidates[k].with.extend(classes.get(&candidates[k].id).cloned());
                continue;
            }
            let left = |(_, other): &(usize, &Candidate)| {
                classes.get(&other.id).is_none_or(|class| !other.with.contains(class))
            };
            let others = candidates.iter().enumerate().filter(left).map(|(l, _)| l);
            let others: BTreeSet<usize> = others.filter(|l| *l != k).collect();
            // A change of a single candidate is the clearest evidence.
            changed = match changed {
                Some(known) if known.len() <= others.len() => Some(known),
                _ => Some(others),
            };
        }
        changed
    }

    /// Returns `other` as a prerequisite; `None` if the dimension occurred with all of its classes.
    fn need(&self, id: DimensionId, other: DimensionId) -> Option<Need> {
        let classes = |having: bool| -> BTreeSet<&str> {
            let of = self.all.iter().filter(|s| !having || s.classes.contains_key(&id));
            of.filter_map(|sample| sample.classes.get(&other)).map(String::as_str).collect()
        };
        let (all, with) = (classes(false), classes(true));
        if with.len() == all.len() {
            return None;
        }
        let mut with: Vec<String> = with.into_iter().map(str::to_owned).collect();
        with.sort_by(|a, b| rank(a).cmp(&rank(b)));
        Some(Need { dimension: other.name().to_owned(), classes: with })
    }
}
