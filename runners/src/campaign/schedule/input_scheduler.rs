//! The input scheduler of guided campaigns: it requests variants in an order that finds distinct
//! causes soon.
//!
//! Requests alternate between new value classes of single dimensions, and mixtures that combine
//! classes which have not occurred together (pairwise coverage). A request depends on the steps
//! before a fixed distance only, so that it does not depend on the number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use covering::{ClassId, Tally};
use inverter::solve::{Choice, Choices, Vary};

use super::pairs::{PairScheduler, Urgency};
use super::plan::{PlanStep, Request, SelectionRule};
use super::prerequisites::Prerequisites;
use crate::campaign::records::VariantInfo;

/// The number of candidates for one variant.
const CANDIDATES: u64 = 3;

/// The number of requests in a row without a new class after which a dimension is exhausted, if it
/// has no more classes than that. The last of many classes is drawn late, so that a dimension with
/// more classes has as many requests.
const RETRIES: usize = 3;

/// The limit for a dimension that is absent from the seed and has not occurred: it may exist only
/// together with others.
const RETRIES_IF_ABSENT: usize = 1;

/// The maximum number of prerequisites of a class that is scheduled in a pair.
const MAX_PREREQUISITES: usize = 12;

/// The kinds of mixtures, in turn.
const MIXTURES: [Mixture; 6] = [
    Mixture::Share(1.0),
    Mixture::Pairs(8, Urgency::Rare),
    Mixture::Pairs(20, Urgency::Frequent),
    Mixture::Share(0.5),
    Mixture::Pairs(4, Urgency::Rare),
    Mixture::Pairs(12, Urgency::BothRare),
];

#[derive(Debug, Clone, Copy)]
enum Mixture {
    /// This share of the dimensions varies at random.
    Share(f64),
    /// Pairs of at most so many classes are given as overrides.
    Pairs(usize, Urgency),
}

/// The goal of a request.
#[derive(Debug)]
enum Goal {
    /// A new class of the dimension at this index, alone.
    Single(usize),
    /// A variant in which these pairs of classes occur, if any.
    Mixture(Vec<(ClassId, ClassId)>),
}

/// The progress in one dimension.
#[derive(Debug)]
struct Progress {
    name: String,
    /// True if the seed has no value for it: it comes with others, and varies where they do.
    absent_in_seed: bool,
    /// The number of latest requests in a row without a new class.
    failures: usize,
    /// True if a request for it alone ever had a new class.
    ever_new: bool,
    /// The number of classes that have occurred.
    classes: usize,
    /// The number of requests for it alone that had a new class, or are pending.
    requests: usize,
}

impl Progress {
    fn of(dimension: &str, own: &Choices) -> Self {
        Self {
            name: dimension.to_owned(),
            absent_in_seed: own.get(dimension).is_none(),
            failures: 0,
            ever_new: false,
            classes: 0,
            requests: 0,
        }
    }

    fn is_exhausted(&self) -> bool {
        let absent = self.absent_in_seed && self.classes == 0;
        self.failures >= if absent { RETRIES_IF_ABSENT } else { RETRIES.max(self.classes) }
    }
}

/// Decides which variant is made next.
#[derive(Debug)]
pub struct InputScheduler {
    /// The choices of the seed that differ from the base's.
    given: Choices,
    dimensions: Vec<Progress>,
    /// The number of variants of single dimensions that may still be made.
    singles_left: usize,
    /// The number of such variants that were made, or are pending.
    singles: usize,
    /// The number of mixtures that were requested.
    mixtures: usize,
    /// The goals of the steps that are not evaluated yet.
    pending: BTreeMap<u64, Goal>,
    /// The variants that these steps had; `None` for nothing new.
    results: BTreeMap<u64, Option<Arc<VariantInfo>>>,
    /// The classes that occurred, and those that occurred together.
    tally: Arc<Tally>,
    /// A tally of the variants of single dimensions only.
    singles_tally: Arc<Tally>,
    pairs: PairScheduler,
    prerequisites: Prerequisites,
}

impl InputScheduler {
    /// A scheduler for `variants` variants in all, of a base with its `own` choices. `given` are the
    /// choices of the seed that differ from the base's; none if the seed is the base.
    pub fn new(variants: usize, dimensions: &[String], own: &Choices, given: Choices) -> Self {
        Self {
            given,
            dimensions: dimensions.iter().map(|d| Progress::of(d, own)).collect(),
            singles_left: (variants / 2).max(dimensions.len()),
            singles: 0,
            mixtures: 0,
            pending: BTreeMap::new(),
            results: BTreeMap::new(),
            tally: Arc::default(),
            singles_tally: Arc::default(),
            pairs: PairScheduler::default(),
            prerequisites: Prerequisites::default(),
        }
    }

    /// Records the variant of step `k`; `None` if it is not a new one.
    pub fn record(&mut self, k: u64, info: Option<Arc<VariantInfo>>) {
        self.results.insert(k, info);
    }

    /// The index of candidate `c` of step `k`: that of its random choices.
    pub fn index(k: u64, c: u64) -> u64 {
        k * CANDIDATES + c + 1
    }

    /// Returns the request of step `k`, which depends on the steps before `before` only. All of
    /// these must have been recorded. `k` must increase from call to call.
    pub fn request(&mut self, k: u64, before: u64) -> Request {
        self.evaluate(before);
        let index = |c: u64| Self::index(k, c);
        if self.singles <= self.mixtures
            && let Some(position) = self.next_single()
        {
            self.singles += 1;
            self.pending.insert(k, Goal::Single(position));
            let candidates =
                (0..CANDIDATES).map(|c| self.step_alone(position, c as usize, index(c)));
            let candidates = candidates.collect();
            let dimension = self.dimensions[position].name.clone();
            return Request {
                candidates,
                rule: SelectionRule::NewClass(dimension, Arc::clone(&self.singles_tally)),
            };
        }
        let mixture = MIXTURES[self.mixtures % MIXTURES.len()];
        self.mixtures += 1;
        let (pairs, candidates) = match mixture {
            Mixture::Pairs(most, urgency) => {
                let Self { pairs, tally, prerequisites, .. } = self;
                let ready = |id| {
                    let needed = prerequisites_of(tally, prerequisites, id);
                    needed.is_some_and(|needed| needed.len() <= MAX_PREREQUISITES)
                };
                let pairs = pairs.next(tally, urgency, most, ready);
                let step = self.step_toward(&pairs, index(0));
                (pairs, vec![step])
            }
            Mixture::Share(share) => {
                let vary = if share < 1.0 { Vary::Share(share) } else { Vary::All };
                let plain = |c| PlanStep::plain(index(c), vary.clone());
                (Vec::new(), (0..CANDIDATES).map(plain).collect())
            }
        };
        self.pending.insert(k, Goal::Mixture(pairs));
        Request { candidates, rule: SelectionRule::NewPairs(Arc::clone(&self.tally)) }
    }

    /// Returns candidate `c` of a step in which the dimension at `position` alone varies: on the base,
    /// on the seed, or with the prerequisites of one of its classes, in turn, as far as it may exist
    /// there.
    fn step_alone(&self, position: usize, c: usize, index: u64) -> PlanStep {
        let Progress { name, absent_in_seed, classes, .. } = &self.dimensions[position];
        let (known_elsewhere, base) = (*absent_in_seed && *classes > 0, Choices::new());
        let given = self.given.get(name).is_some() || !known_elsewhere;
        let backgrounds: Vec<&Choices> = [
            (!known_elsewhere).then_some(&base),
            given.then_some(&self.given),
            self.prerequisites.of_any(name),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut overrides = backgrounds[c % backgrounds.len()].clone();
        overrides.remove(name);
        PlanStep { index, vary: Vary::only([name]), overrides, from: None }
    }

    /// Selects the first of the dimensions with the most classes that have not occurred alone.
    fn next_single(&mut self) -> Option<usize> {
        if self.singles_left == 0 {
            return None;
        }
        let open = self.dimensions.iter_mut().enumerate().filter(|(_, d)| !d.is_exhausted());
        let (position, best) =
            open.min_by_key(|(_, d)| (d.requests as isize - d.classes as isize, d.requests))?;
        best.requests += 1;
        Some(position)
    }

    /// Returns a step in which `pairs` of classes occur together, as far as they can: each class
    /// comes with its prerequisites.
    fn step_toward(&self, pairs: &[(ClassId, ClassId)], index: u64) -> PlanStep {
        if pairs.is_empty() {
            return PlanStep::plain(index, Vary::All);
        }
        let (mut overrides, mut classes) = (Choices::new(), Choices::new());
        // The most urgent pair comes last: its prerequisites replace those of the others.
        for id in pairs.iter().rev().flat_map(|(a, b)| [*a, *b]) {
            let Some(needed) = prerequisites_of(&self.tally, &self.prerequisites, id) else {
                continue;
            };
            needed.iter().for_each(|(d, value)| overrides.set(d, value.clone()));
            let name = self.tally.name(id);
            needed.get(name).iter().for_each(|value| classes.set(name, (*value).clone()));
        }
        classes.iter().for_each(|(d, value)| overrides.set(d, value.clone()));
        let absent = self.dimensions.iter().filter(|d| d.absent_in_seed).map(|d| &d.name);
        let free = absent.filter(|d| overrides.get(*d).is_none());
        let vary = Vary::only(free);
        PlanStep { index, vary, overrides, from: None }
    }

    /// Evaluates the results of the steps before `before`.
    fn evaluate(&mut self, before: u64) {
        while let Some(entry) = self.results.first_entry().filter(|entry| *entry.key() < before) {
            let (k, info) = entry.remove_entry();
            match (self.pending.remove(&k), info) {
                (Some(Goal::Single(position)), Some(info)) => {
                    let progress = &mut self.dimensions[position];
                    (progress.failures, progress.ever_new) = (0, true);
                    self.singles_left = self.singles_left.saturating_sub(1);
                    count(&mut self.singles_tally, &info);
                    self.learn(&info);
                }
                (Some(Goal::Single(position)), None) => {
                    self.dimensions[position].failures += 1;
                    self.dimensions[position].requests -= 1;
                    self.singles -= 1;
                }
                (Some(Goal::Mixture(pairs)), info) => {
                    info.iter().for_each(|info| self.learn(info));
                    self.pairs.evaluate(&self.tally, &pairs);
                }
                // Another scheduler made the step.
                (None, info) => info.iter().for_each(|info| self.learn(info)),
            }
        }
    }

    fn learn(&mut self, info: &VariantInfo) {
        count(&mut self.tally, info);
        for (name, _) in self.prerequisites.learn(info) {
            match self.dimensions.iter_mut().find(|d| d.name == *name) {
                Some(progress) => {
                    // It exists, after all: with prerequisites, which are known now.
                    if progress.absent_in_seed && progress.classes == 0 {
                        progress.failures = 0;
                    }
                    progress.classes += 1;
                }
                None => {
                    let progress = Progress::of(name, &Choices::new());
                    self.dimensions.push(Progress { classes: 1, ..progress });
                }
            }
        }
    }
}

fn prerequisites_of<'p>(
    tally: &Tally,
    prerequisites: &'p Prerequisites,
    id: ClassId,
) -> Option<&'p Choices> {
    prerequisites.of(tally.name(id), tally.class(id))
}

fn count(tally: &mut Arc<Tally>, info: &VariantInfo) {
    let class_of = |dimension: &str, value: &Choice| -> String {
        let known = info.varied.iter().find(|(d, _)| d == dimension);
        known.map_or_else(|| value.to_string(), |(_, class)| class.clone())
    };
    Arc::make_mut(tally).add(&info.choices, class_of);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;

    fn info(pairs: &[(&str, i128)]) -> Option<Arc<VariantInfo>> {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
        let varied = pairs.iter().map(|(d, n)| ((*d).to_owned(), n.to_string())).collect();
        Some(Arc::new(VariantInfo { class: subject::Class::Baseline, size: 1, choices, varied }))
    }

    #[test]
    fn dimensions_have_their_turns_until_they_give_nothing_new() {
        let names = ["a".to_owned(), "b".to_owned()];
        let mut scheduler = InputScheduler::new(40, &names, &Choices::new(), Choices::new());
        let mut requested = Vec::new();
        for k in 0..20 {
            if let SelectionRule::NewClass(dimension, _) = scheduler.request(k, k).rule {
                requested.push(dimension);
            }
            // Only `a` has anything, twice.
            scheduler.record(k, info(&[("a", k.into())]).filter(|_| k == 0 || k == 4));
        }
        assert_eq!(requested, ["a", "b", "a", "a", "a", "a", "a"]);
    }

    #[test]
    fn what_occurred_in_mixtures_only_is_new_by_itself() {
        let own = Choices::from_iter([("a".to_owned(), Choice::Int(0))]);
        let mut scheduler = InputScheduler::new(40, &["a".to_owned()], &own, Choices::new());
        for k in 0..2 {
            scheduler.request(k, k);
        }
        scheduler.record(0, None);
        scheduler.record(1, info(&[("a", 1), ("b", 1)]));
        let SelectionRule::NewClass(_, known) = scheduler.request(2, 2).rule else { panic!() };
        assert_eq!(known.occurrences("a", "1"), 0);
    }

    #[test]
    fn mixtures_combine_classes_that_did_not_meet() {
        let mut scheduler = InputScheduler::new(0, &[], &Choices::new(), Choices::new());
        let seen = [info(&[("a", 7)]), info(&[("b", 8), ("c", 9)]), info(&[("a", 7)])];
        for (k, info) in (0..).zip(seen) {
            scheduler.request(k, k);
            scheduler.record(k, info);
        }
        let steps: Vec<PlanStep> =
            (3..9).flat_map(|k| scheduler.request(k, k).candidates).collect();
        let overrides = steps.iter().map(|s| &s.overrides).find(|w| !w.is_empty()).unwrap();
        let both = [("a", 7), ("b", 8), ("c", 9)].map(|(d, n)| (d.to_owned(), Choice::Int(n)));
        assert_eq!(*overrides, both.into_iter().collect());
    }
}
