//! The order of variants that finds distinct causes soon: in turn each class of each dimension
//! by itself, and mixtures in which classes meet that did not meet yet.
//!
//! What is asked for next is decided from the steps before a fixed distance only, so that it
//! does not depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use covering::{ClassId, Tally};
use inverter::solve::{Choice, Choices, Vary};

use super::pairs::{Aims, Urgency};
use super::plan::{Order, Pick, Step};
use super::prerequisites::Needs;
use crate::campaign::records::Info;

/// How many candidates there are for one variant.
const CANDIDATES: u64 = 3;

/// How often in a row a dimension may give nothing new by itself.
const DRY: usize = 3;

/// The same of one that the seed has nothing of, and that never did: it may need others.
const DRY_ELSEWHERE: usize = 1;

/// Classes that are aimed at are known to come with no more choices than this.
const SPARSE: usize = 12;

/// What mixtures are made of, in turn: shares of the dimensions that vary, or at most so many
/// classes of pairs that are wished for.
const MIXTURES: [Mixture; 6] = [
    Mixture::Share(1.0),
    Mixture::Classes(8, Urgency::Rare),
    Mixture::Classes(20, Urgency::Frequent),
    Mixture::Share(0.5),
    Mixture::Classes(4, Urgency::Rare),
    Mixture::Classes(12, Urgency::Rare),
];

#[derive(Debug, Clone, Copy)]
enum Mixture {
    Share(f64),
    Classes(usize, Urgency),
}

/// What was asked of a step.
#[derive(Debug)]
enum Asked {
    /// Something new of the dimension at this place, by itself.
    Single(usize),
    /// That these classes meet, if any.
    Mixture(Vec<(ClassId, ClassId)>),
}

/// Decides what is asked for.
#[derive(Debug)]
pub struct Guide {
    dimensions: Vec<String>,
    /// Those that the seed has nothing of: they come with others, and vary where they do.
    further: BTreeSet<String>,
    /// How often each dimension gave nothing new by itself, of late.
    dry: Vec<usize>,
    /// Whether each ever gave something.
    gave: Vec<bool>,
    /// How many classes of each dimension are known.
    classes: Vec<i64>,
    /// How many turns of each gave something new, or may.
    turns: Vec<i64>,
    /// The most variants of one dimension.
    singles: usize,
    /// How many mixtures were asked for.
    mixtures: usize,
    /// What was asked of the steps that are not counted yet.
    asked: BTreeMap<u64, Asked>,
    /// What came of them; `None` for nothing new.
    came: BTreeMap<u64, Option<Arc<Info>>>,
    knowledge: Arc<Tally>,
    /// The same of what varied by itself only.
    alone: Arc<Tally>,
    aims: Aims,
    /// How many variants of one dimension there are, or may come.
    singles_made: usize,
    needs: Needs,
}

impl Guide {
    /// Nothing known; `variants` are wanted in all, of a seed with its `own` choices.
    pub fn new(variants: usize, dimensions: &[String], own: &Choices) -> Self {
        let further = dimensions.iter().filter(|d| own.get(d).is_none()).cloned().collect();
        Self {
            further,
            dimensions: dimensions.to_vec(),
            dry: vec![0; dimensions.len()],
            gave: vec![false; dimensions.len()],
            classes: vec![0; dimensions.len()],
            turns: vec![0; dimensions.len()],
            singles: (variants / 2).max(dimensions.len()),
            mixtures: 0,
            asked: BTreeMap::new(),
            came: BTreeMap::new(),
            knowledge: Arc::default(),
            alone: Arc::default(),
            aims: Aims::default(),
            singles_made: 0,
            needs: Needs::default(),
        }
    }

    /// Step `k` came to this variant, or to none that is new.
    pub fn saw(&mut self, k: u64, info: Option<Arc<Info>>) {
        self.came.insert(k, info);
    }

    /// What step `k` asks for, judging by the steps before `before`, all of which were seen.
    /// `k` must count up from call to call.
    pub fn order(&mut self, k: u64, before: u64) -> Order {
        self.count(before);
        let index = |c: u64| k * CANDIDATES + c + 1;
        if self.singles_made <= self.mixtures
            && let Some(place) = self.next_single()
        {
            self.singles_made += 1;
            self.asked.insert(k, Asked::Single(place));
            let dimension = self.dimensions[place].clone();
            let only = Vary::Only([dimension.clone()].into());
            return Order {
                candidates: (0..CANDIDATES).map(|c| Step::plain(index(c), only.clone())).collect(),
                pick: Pick::New(dimension, Arc::clone(&self.alone)),
            };
        }
        let mixture = MIXTURES[self.mixtures % MIXTURES.len()];
        self.mixtures += 1;
        let (pairs, candidates) = match mixture {
            Mixture::Classes(most, urgency) => {
                let Self { aims, knowledge, needs, .. } = self;
                let sparse =
                    |id| need(knowledge, needs, id).is_some_and(|need| need.len() <= SPARSE);
                let pairs = aims.next(knowledge, urgency, most, sparse);
                let aimed = self.toward(&pairs, index(0));
                (pairs, vec![aimed])
            }
            Mixture::Share(share) => {
                let vary = if share < 1.0 { Vary::Share(share) } else { Vary::All };
                let plain = |c| Step::plain(index(c), vary.clone());
                (Vec::new(), (0..CANDIDATES).map(plain).collect())
            }
        };
        self.asked.insert(k, Asked::Mixture(pairs));
        Order { candidates, pick: Pick::Pairs(Arc::clone(&self.knowledge)) }
    }

    /// The dimension that has most classes which did not vary by themselves yet, as far as is
    /// known, and may have one more; the first of several.
    fn next_single(&mut self) -> Option<usize> {
        if self.singles == 0 {
            return None;
        }
        let places = (0..self.dimensions.len()).rev().filter(|place| !self.is_dry(*place));
        let need = |place: &usize| self.classes[*place] - self.turns[*place];
        let best = places.max_by_key(|place| (need(place), -self.turns[*place]))?;
        self.turns[best] += 1;
        Some(best)
    }

    fn is_dry(&self, place: usize) -> bool {
        let dimension = &self.dimensions[place];
        let elsewhere = self.further.contains(dimension) && !self.gave[place];
        self.dry[place] >= if elsewhere { DRY_ELSEWHERE } else { DRY }
    }

    /// A step in which `pairs` of classes meet, as far as they can: each class comes with what
    /// it always came with.
    fn toward(&self, pairs: &[(ClassId, ClassId)], index: u64) -> Step {
        if pairs.is_empty() {
            return Step::plain(index, Vary::All);
        }
        let (mut wishes, mut classes) = (Choices::new(), Choices::new());
        // The most urgent last, for what comes with these must not be lost.
        for id in pairs.iter().rev().flat_map(|(a, b)| [*a, *b]) {
            let Some(need) = need(&self.knowledge, &self.needs, id) else { continue };
            need.iter().for_each(|(d, value)| wishes.set(d, value.clone()));
            let name = self.knowledge.name(id);
            need.get(name).iter().for_each(|value| classes.set(name, (*value).clone()));
        }
        classes.iter().for_each(|(d, value)| wishes.set(d, value.clone()));
        let free = |d: &&String| wishes.get(d).is_none();
        let vary = Vary::Only(self.further.iter().filter(free).cloned().collect());
        Step { index, vary, wishes }
    }

    /// Counts the steps before `before`.
    fn count(&mut self, before: u64) {
        while let Some(entry) = self.came.first_entry().filter(|entry| *entry.key() < before) {
            let (k, info) = entry.remove_entry();
            match self.asked.remove(&k) {
                Some(Asked::Single(place)) => match &info {
                    Some(info) => {
                        (self.dry[place], self.gave[place]) = (0, true);
                        self.singles = self.singles.saturating_sub(1);
                        learn(&mut self.alone, info);
                        self.learn(info);
                    }
                    None => {
                        self.dry[place] += 1;
                        self.turns[place] -= 1;
                        self.singles_made -= 1;
                    }
                },
                Some(Asked::Mixture(pairs)) => {
                    info.iter().for_each(|info| self.learn(info));
                    self.aims.came(&self.knowledge, &pairs);
                }
                None => {}
            }
        }
    }

    fn learn(&mut self, info: &Info) {
        learn(&mut self.knowledge, info);
        for (dimension, _) in self.needs.learn(info) {
            if let Some(place) = self.dimensions.iter().position(|d| d == dimension) {
                self.classes[place] += 1;
            }
        }
    }
}

fn need<'n>(knowledge: &Tally, needs: &'n Needs, id: ClassId) -> Option<&'n Choices> {
    needs.of(knowledge.name(id), knowledge.class(id))
}

fn learn(knowledge: &mut Arc<Tally>, info: &Info) {
    let class_of = |dimension: &str, value: &Choice| -> String {
        let known = info.varied.iter().find(|(d, _)| d == dimension);
        known.map_or_else(|| value.to_string(), |(_, class)| class.clone())
    };
    Arc::make_mut(knowledge).add(&info.choices, class_of);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;

    fn info(pairs: &[(&str, i128)]) -> Option<Arc<Info>> {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Choice::Int(*n))).collect();
        let varied = pairs.iter().map(|(d, n)| ((*d).to_owned(), n.to_string())).collect();
        Some(Arc::new(Info { class: subject::Class::Baseline, size: 1, choices, varied }))
    }

    #[test]
    fn dimensions_have_their_turns_until_they_give_nothing_new() {
        let names = ["a".to_owned(), "b".to_owned()];
        let mut guide = Guide::new(40, &names, &Choices::new());
        let mut asked = Vec::new();
        for k in 0..20 {
            if let Pick::New(dimension, _) = guide.order(k, k).pick {
                asked.push(dimension);
            }
            // Only `a` has anything, twice.
            guide.saw(k, info(&[("a", k.into())]).filter(|_| k == 0 || k == 4));
        }
        assert_eq!(asked, ["a", "b", "a", "a", "a", "a", "a"]);
    }

    #[test]
    fn what_occurred_in_mixtures_only_is_new_by_itself() {
        let own = Choices::from_iter([("a".to_owned(), Choice::Int(0))]);
        let mut guide = Guide::new(40, &["a".to_owned()], &own);
        for k in 0..2 {
            guide.order(k, k);
        }
        guide.saw(0, None);
        guide.saw(1, info(&[("a", 1), ("b", 1)]));
        let Pick::New(_, known) = guide.order(2, 2).pick else { panic!() };
        assert_eq!(known.occurrences("a", "1"), 0);
    }

    #[test]
    fn mixtures_are_aimed_at_what_did_not_meet() {
        let mut guide = Guide::new(0, &[], &Choices::new());
        let seen = [info(&[("a", 7)]), info(&[("b", 8), ("c", 9)]), info(&[("a", 7)])];
        for (k, info) in (0..).zip(seen) {
            guide.order(k, k);
            guide.saw(k, info);
        }
        let steps: Vec<Step> = (3..9).flat_map(|k| guide.order(k, k).candidates).collect();
        let wishes = steps.iter().map(|s| &s.wishes).find(|w| !w.is_empty()).unwrap();
        let both = [("a", 7), ("b", 8), ("c", 9)].map(|(d, n)| (d.to_owned(), Choice::Int(n)));
        assert_eq!(*wishes, both.into_iter().collect());
    }
}
