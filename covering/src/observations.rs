//! Records what was observed of all choices made so far, kept or not: which classes occurred
//! together, how often, and in which samples. Designs and attempts are derived from it.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::combinations::ClassId;
use crate::tally::Tally;
use inverter::solve::{Choice, Choices, Classify, SoftConstraint, SoftConstraints};

/// The number of samples remembered for each class, in addition to those that showed something new.
const REMEMBERED: usize = 12;

/// The number of example values in each soft constraint.
const EXAMPLES: usize = 3;

/// Choices that were made.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The choices.
    pub choices: Choices,
    /// The ids of their classes, ascending.
    pub ids: Vec<ClassId>,
}

impl Sample {
    /// Returns true if all of these classes occur in the sample.
    pub fn has(&self, ids: &[ClassId]) -> bool {
        ids.iter().all(|id| self.ids.binary_search(id).is_ok())
    }
}

/// Everything observed.
pub(crate) struct Observations {
    /// All classes, and the combinations that the rows cover.
    pub tally: Tally,
    classify: Classify,
    /// For each class, the classes with which it occurred.
    together: Vec<FixedBitSet>,
    /// For each class, the number of samples with it.
    times: Vec<u64>,
    /// For each dimension, the number of samples with it.
    present: Vec<u64>,
    total: u64,
    /// The samples in which two classes occurred together for the first time.
    first: Vec<Arc<Sample>>,
    /// The first sample.
    any: Option<Arc<Sample>>,
    /// For each class, the latest samples with it.
    last: Vec<Vec<Arc<Sample>>>,
    /// The number of samples in which classes occurred together for the first time.
    news: u64,
}

impl Observations {
    /// An empty record, for combinations of `strength` classes: 2 or 3.
    pub fn new(strength: usize, classify: Classify) -> Self {
        Self {
            tally: Tally::of_strength(strength),
            classify,
            together: Vec::new(),
            times: Vec::new(),
            present: Vec::new(),
            total: 0,
            first: Vec::new(),
            any: None,
            last: Vec::new(),
            news: 0,
        }
    }

    /// Records choices that were made.
    pub fn learn(&mut self, choices: Choices) -> Arc<Sample> {
        let ids = self.tally.classify(&choices, &*self.classify);
        let (classes, width) = (self.tally.classes(), self.tally.width());
        self.together.resize_with(classes, FixedBitSet::new);
        self.last.resize_with(classes, Vec::new);
        self.times.resize(classes, 0);
        self.present.resize(width, 0);
        self.total += 1;
        let sample = Arc::new(Sample { choices, ids });
        self.any.get_or_insert_with(|| Arc::clone(&sample));
        let mut new = false;
        for (k, &id) in sample.ids.iter().enumerate() {
            let last = &mut self.last[id];
            if last.len() < REMEMBERED {
                last.push(Arc::clone(&sample));
            } else {
                last[self.times[id] as usize % REMEMBERED] = Arc::clone(&sample);
            }
            self.times[id] += 1;
            self.present[self.tally.dimension(id)] += 1;
            for &other in &sample.ids[..k] {
                new |= !self.together[id].contains(other);
                self.together[id].grow_and_insert(other);
                self.together[other].grow_and_insert(id);
            }
        }
        if new {
            self.news += 1;
            self.first.push(Arc::clone(&sample));
        }
        sample
    }

    /// Counts the choices of a row as covered.
    pub fn keep(&mut self, choices: &Choices) {
        self.tally.add(choices, &*self.classify);
    }

    /// The class of a value.
    pub fn class(&self, name: &str, value: &Choice) -> String {
        (self.classify)(name, value)
    }

    /// The classes that occurred together with a class.
    pub fn together(&self, id: ClassId) -> &FixedBitSet {
        &self.together[id]
    }

    /// The number of samples with a class.
    pub fn times(&self, id: ClassId) -> u64 {
        self.times[id]
    }

    /// The number of samples with a dimension.
    pub fn present(&self, dimension: usize) -> u64 {
        self.present[dimension]
    }

    /// The number of samples.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// A number that grows whenever classes occur together for the first time.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// Returns true if a class occurred together with any class of a dimension.
    pub fn meets(&self, id: ClassId, dimension: usize) -> bool {
        self.tally.of(dimension).iter().any(|other| self.together[id].contains(*other))
    }

    /// One of the latest samples with a class.
    pub fn example(&self, id: ClassId, rng: &mut ChaCha8Rng) -> Option<&Arc<Sample>> {
        let last = &self.last[id];
        (!last.is_empty()).then(|| &last[rng.random_range(0..last.len())])
    }

    /// A sample in which all of these classes occur.
    pub fn witness(&self, ids: &[ClassId]) -> Option<&Arc<Sample>> {
        let last = ids.iter().flat_map(|id| &self.last[*id]);
        last.chain(&self.first).find(|sample| sample.has(ids))
    }

    /// Returns true if these dimensions and classes occurred together: for a pair in any sample, for a triple in a row.
    pub fn met(&self, classes: &[(String, String)]) -> bool {
        let ids: Option<Vec<ClassId>> =
            classes.iter().map(|(d, c)| self.tally.find(d, c)).collect();
        match ids.as_deref() {
            Some(&[a, b]) => self.together[a].contains(b),
            Some(ids) => {
                let mut ids = ids.to_vec();
                ids.sort_unstable();
                self.tally.is_covered(&ids)
            }
            None => false,
        }
    }

    /// A sample with a class that no row has; otherwise, any sample if `any`.
    pub fn lonely(&self, any: bool) -> Option<&Arc<Sample>> {
        let lonely = (0..self.tally.classes()).find(|id| self.tally.occurrences_of(*id) == 0);
        let with = lonely.and_then(|id| self.last[id].first());
        with.or(self.any.as_ref().filter(|_| any))
    }

    /// A value of a class, from one of the latest samples with it.
    pub fn value(&self, id: ClassId, rng: &mut ChaCha8Rng) -> Option<&Choice> {
        self.example(id, rng)?.choices.get(self.tally.name(id))
    }

    /// Soft constraints for these classes.
    pub fn soft_constraints(&self, ids: &[ClassId], rng: &mut ChaCha8Rng) -> SoftConstraints {
        let mut wishes = SoftConstraints::new(Arc::clone(&self.classify));
        for &id in ids {
            let name = self.tally.name(id);
            let last = &self.last[id];
            let from = if last.is_empty() { 0 } else { rng.random_range(0..last.len()) };
            let some = last.iter().cycle().skip(from).take(EXAMPLES.min(last.len()));
            let examples = some.filter_map(|sample| sample.choices.get(name)).cloned().collect();
            let class = self.tally.class(id).to_owned();
            wishes.add(name, SoftConstraint { class, examples });
        }
        wishes
    }
}
