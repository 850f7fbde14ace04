//! What is known of all choices that were made, kept or not: which classes occurred
//! together, how often, and examples.

use std::sync::Arc;

use fixedbitset::FixedBitSet;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::combos::Id;
use super::tally::Tally;
use crate::solve::{Choice, Choices, Classify, Wish, Wishes};

/// How many choices are remembered for each class, beside those that showed something new.
const REMEMBERED: usize = 12;

/// How many values are proposed where a class is wished for.
const EXAMPLES: usize = 3;

/// Choices that were made, and the ids of their classes, which ascend.
#[derive(Debug)]
pub(super) struct Sample {
    pub choices: Choices,
    pub ids: Vec<Id>,
}

impl Sample {
    /// Whether all of these classes occur in it.
    pub fn has(&self, ids: &[Id]) -> bool {
        ids.iter().all(|id| self.ids.binary_search(id).is_ok())
    }
}

/// All that was learnt.
pub(super) struct Known {
    /// The classes, and what those choices cover that were kept.
    pub tally: Tally,
    classify: Classify,
    /// By class: those that it occurred together with.
    together: Vec<FixedBitSet>,
    /// By class: in how many choices it occurred.
    times: Vec<u64>,
    /// By dimension: in how many choices it was.
    present: Vec<u64>,
    total: u64,
    /// The first in which two classes occurred together.
    first: Vec<Arc<Sample>>,
    /// The first of all.
    some: Option<Arc<Sample>>,
    /// By class: the last.
    last: Vec<Vec<Arc<Sample>>>,
    /// How often something new was learnt of classes that occur together.
    news: u64,
}

impl Known {
    pub fn new(strength: usize, classify: Classify) -> Self {
        Self {
            tally: Tally::of_strength(strength),
            classify,
            together: Vec::new(),
            times: Vec::new(),
            present: Vec::new(),
            total: 0,
            first: Vec::new(),
            some: None,
            last: Vec::new(),
            news: 0,
        }
    }

    /// Learns from choices that were made.
    pub fn learn(&mut self, choices: Choices) -> Arc<Sample> {
        let ids = self.tally.classify(&choices, &*self.classify);
        let (classes, width) = (self.tally.classes(), self.tally.width());
        self.together.resize_with(classes, FixedBitSet::new);
        self.last.resize_with(classes, Vec::new);
        self.times.resize(classes, 0);
        self.present.resize(width, 0);
        self.total += 1;
        let sample = Arc::new(Sample { choices, ids });
        self.some.get_or_insert_with(|| Arc::clone(&sample));
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

    /// Counts choices that are kept. Gives the ids of their classes.
    pub fn keep(&mut self, choices: &Choices) -> Vec<Id> {
        self.tally.count(choices, &*self.classify)
    }

    /// The class of a value, in words.
    pub fn class(&self, name: &str, value: &Choice) -> String {
        (self.classify)(name, value)
    }

    /// Those that occurred together with a class.
    pub fn together(&self, id: Id) -> &FixedBitSet {
        &self.together[id]
    }

    /// In how many choices a class occurred.
    pub fn times(&self, id: Id) -> u64 {
        self.times[id]
    }

    /// In how many choices a dimension was.
    pub fn present(&self, dimension: usize) -> u64 {
        self.present[dimension]
    }

    /// How many choices were made.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// It grows when classes occur together that did not before.
    pub fn news(&self) -> u64 {
        self.news
    }

    /// Whether a class occurred together with any of a dimension.
    pub fn meets(&self, id: Id, dimension: usize) -> bool {
        self.tally.of(dimension).iter().any(|other| self.together[id].contains(*other))
    }

    /// One of the last choices with a class.
    pub fn example(&self, id: Id, rng: &mut ChaCha8Rng) -> Option<&Arc<Sample>> {
        let last = &self.last[id];
        (!last.is_empty()).then(|| &last[rng.random_range(0..last.len())])
    }

    /// Choices in which all of these classes occur.
    pub fn witness(&self, ids: &[Id]) -> Option<&Arc<Sample>> {
        let last = ids.iter().flat_map(|id| &self.last[*id]);
        last.chain(&self.first).find(|sample| sample.has(ids))
    }

    /// Whether these dimensions and classes occurred together in pairs, if they are two, or in
    /// choices that were kept.
    pub fn met(&self, classes: &[(String, String)]) -> bool {
        let ids: Option<Vec<Id>> = classes.iter().map(|(d, c)| self.tally.find(d, c)).collect();
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

    /// Choices with a class that was not kept yet; or if any will do, any.
    pub fn lonely(&self, any: bool) -> Option<&Arc<Sample>> {
        let lonely = (0..self.tally.classes()).find(|id| self.tally.times_of(*id) == 0);
        let with = lonely.and_then(|id| self.last[id].first());
        with.or(self.some.as_ref().filter(|_| any))
    }

    /// A value of a class, from one of the last choices with it.
    pub fn value(&self, id: Id, rng: &mut ChaCha8Rng) -> Option<&Choice> {
        self.example(id, rng)?.choices.get(self.tally.name(id))
    }

    /// No wishes.
    pub fn no_wishes(&self) -> Wishes {
        Wishes::new(Arc::clone(&self.classify))
    }

    /// Wishes for these classes.
    pub fn wishes(&self, ids: &[Id], rng: &mut ChaCha8Rng) -> Wishes {
        let mut wishes = self.no_wishes();
        for &id in ids {
            let name = self.tally.name(id);
            let last = &self.last[id];
            let from = if last.is_empty() { 0 } else { rng.random_range(0..last.len()) };
            let some = last.iter().cycle().skip(from).take(EXAMPLES.min(last.len()));
            let examples = some.filter_map(|sample| sample.choices.get(name)).cloned().collect();
            let class = self.tally.class(id).to_owned();
            wishes.add(name, Wish { class, examples });
        }
        wishes
    }
}
