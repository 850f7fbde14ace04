//! The order of variants that finds distinct causes soon: each class of each dimension by
//! itself, then mixtures in which many classes meet that did not meet yet.
//!
//! What is asked for next is decided from the steps before a fixed distance only, so that it
//! does not depend on the number of threads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use inverter::solve::cover::Tally;
use inverter::solve::{ChoiceSource, Choices, Value, Vary};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::plan::{Order, Pick, Step};
use super::row::Info;

/// How many candidates there are for one variant.
const CANDIDATES: u64 = 3;

/// How often in a row a dimension may give nothing new by itself.
const DRY: usize = 3;

/// What mixtures are made of, in turn: shares of the dimensions that vary, or so many
/// classes that are wished for.
const MIXTURES: [Mixture; 6] = [
    Mixture::Share(1.0),
    Mixture::Classes(4),
    Mixture::Classes(20),
    Mixture::Share(0.5),
    Mixture::Classes(8),
    Mixture::Classes(14),
];

/// Of so many classes the rarest is the one that others are to meet.
const DRAWN: usize = 8;

/// How often a class that did not meet it yet is looked for.
const LOOKS: usize = 8;

#[derive(Debug, Clone, Copy)]
enum Mixture {
    Share(f64),
    Classes(usize),
}

/// A dimension and a class of its values.
type Class = (String, String);

/// Which classes occurred, and which of them together.
pub type Knowledge = Tally;

/// Decides what is asked for.
#[derive(Debug)]
pub struct Guide {
    seed: u64,
    dimensions: Vec<String>,
    /// Those that the seed has nothing of: they come with others, and vary where they do.
    further: BTreeSet<String>,
    /// How often each dimension gave nothing new by itself, of late.
    dry: Vec<usize>,
    /// The dimension whose turn it is.
    turn: usize,
    /// The most variants of one dimension.
    singles: usize,
    /// What was asked of the steps that are not counted yet: the dimension by itself.
    asked: BTreeMap<u64, Option<usize>>,
    /// What came of them; `None` for nothing new.
    came: BTreeMap<u64, Option<Arc<Info>>>,
    knowledge: Arc<Knowledge>,
    /// The fewest differences from the seed with each class.
    examples: BTreeMap<Class, Choices>,
}

impl Guide {
    /// Nothing known; `variants` are wanted in all, of a seed with its `own` choices.
    pub fn new(variants: usize, dimensions: &[String], own: &Choices, seed: u64) -> Self {
        let further = dimensions.iter().filter(|d| own.get(d).is_none()).cloned().collect();
        Self {
            seed,
            further,
            dimensions: dimensions.to_vec(),
            dry: vec![0; dimensions.len()],
            turn: 0,
            singles: (variants / 2).max(dimensions.len()),
            asked: BTreeMap::new(),
            came: BTreeMap::new(),
            knowledge: Arc::default(),
            examples: BTreeMap::new(),
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
        if let Some(place) = self.next_single() {
            self.asked.insert(k, Some(place));
            let dimension = self.dimensions[place].clone();
            let only = Vary::Only([dimension.clone()].into());
            return Order {
                candidates: (0..CANDIDATES).map(|c| Step::plain(index(c), only.clone())).collect(),
                pick: Pick::New(dimension, Arc::clone(&self.knowledge)),
            };
        }
        self.asked.insert(k, None);
        let mixture = MIXTURES[(k % MIXTURES.len() as u64) as usize];
        let mut rng = ChoiceSource::seeded(self.seed, index(0)).stream("guide");
        let rare = self.rare(&mut rng);
        let candidates =
            (0..CANDIDATES).map(|c| self.mixed(mixture, rare, index(c), &mut rng)).collect();
        Order { candidates, pick: Pick::Pairs(Arc::clone(&self.knowledge)) }
    }

    /// The next dimension that may have something new by itself.
    fn next_single(&mut self) -> Option<usize> {
        if self.singles == 0 {
            return None;
        }
        let n = self.dimensions.len();
        let place = (0..n).map(|k| (self.turn + k) % n).find(|place| self.dry[*place] < DRY)?;
        self.turn = (place + 1) % n;
        Some(place)
    }

    fn mixed(
        &self,
        mixture: Mixture,
        rare: Option<(&Class, &Choices)>,
        index: u64,
        rng: &mut ChaCha8Rng,
    ) -> Step {
        match (mixture, rare) {
            (Mixture::Share(share), _) if share < 1.0 => Step::plain(index, Vary::Share(share)),
            (Mixture::Classes(count), Some((class, example))) => {
                let mut wishes = Choices::new();
                for other in (1..count).filter_map(|_| self.stranger(class, rng)) {
                    other.iter().for_each(|(d, value)| wishes.set(d, value.clone()));
                }
                // Last, for it must not be lost.
                example.iter().for_each(|(d, value)| wishes.set(d, value.clone()));
                let free = |d: &&String| wishes.get(d).is_none();
                let vary = Vary::Only(self.further.iter().filter(free).cloned().collect());
                Step { index, vary, wishes }
            }
            _ => Step::plain(index, Vary::All),
        }
    }

    /// A class and its example: of several at random, the one that occurred least.
    fn rare(&self, rng: &mut ChaCha8Rng) -> Option<(&Class, &Choices)> {
        let drawn: Vec<_> = (0..DRAWN).filter_map(|_| self.any(rng)).collect();
        drawn.into_iter().min_by_key(|(class, _)| self.knowledge.times(&class.0, &class.1))
    }

    /// The example of a class that did not meet `class` yet, if there is one soon.
    fn stranger(&self, class: &Class, rng: &mut ChaCha8Rng) -> Option<&Choices> {
        let met = |other: &Class| {
            other.0 == class.0 || self.knowledge.met((&class.0, &class.1), (&other.0, &other.1))
        };
        let looks: Vec<_> = (0..LOOKS).filter_map(|_| self.any(rng)).collect();
        looks.into_iter().find(|(other, _)| !met(other)).map(|(_, example)| example)
    }

    /// A class of a dimension, both at random, and its example.
    fn any(&self, rng: &mut ChaCha8Rng) -> Option<(&Class, &Choices)> {
        let dimension = self.dimensions.choose(rng)?;
        let low = (dimension.clone(), String::new());
        let all = self.examples.range(low..).take_while(|((d, _), _)| d == dimension);
        all.collect::<Vec<_>>().choose(rng).copied()
    }

    /// Counts the steps before `before`.
    fn count(&mut self, before: u64) {
        while let Some(entry) = self.came.first_entry().filter(|entry| *entry.key() < before) {
            let (k, info) = entry.remove_entry();
            let single = self.asked.remove(&k).flatten();
            if let Some(place) = single {
                match &info {
                    Some(_) => {
                        self.dry[place] = 0;
                        self.singles = self.singles.saturating_sub(1);
                    }
                    None => self.dry[place] += 1,
                }
            }
            if let Some(info) = info {
                self.learn(&info);
            }
        }
    }

    fn learn(&mut self, info: &Info) {
        let class_of = |dimension: &str, value: &Value| -> String {
            let known = info.varied.iter().find(|(d, _)| d == dimension);
            known.map_or_else(|| value.to_string(), |(_, class)| class.clone())
        };
        Arc::make_mut(&mut self.knowledge).count(&info.choices, class_of);
        for class in &info.varied {
            let known = self.examples.get(class);
            if known.is_none_or(|known| info.choices.len() < known.len()) {
                self.examples.insert(class.clone(), info.choices.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject;

    fn info(pairs: &[(&str, i128)]) -> Option<Arc<Info>> {
        let choices: Choices =
            pairs.iter().map(|(d, n)| ((*d).to_owned(), Value::Int(*n))).collect();
        let varied = pairs.iter().map(|(d, n)| ((*d).to_owned(), n.to_string())).collect();
        Some(Arc::new(Info { class: subject::Class::Baseline, size: 1, choices, varied }))
    }

    #[test]
    fn dimensions_have_their_turns_until_they_give_nothing_new() {
        let names = ["a".to_owned(), "b".to_owned()];
        let mut guide = Guide::new(40, &names, &Choices::new(), 1);
        let mut asked = Vec::new();
        for k in 0..12 {
            match guide.order(k, k).pick {
                Pick::New(dimension, _) => asked.push(dimension),
                _ => asked.push("mixture".to_owned()),
            }
            // Only `a` has anything, twice.
            guide.saw(k, info(&[("a", k.into())]).filter(|_| k == 0 || k == 2));
        }
        assert_eq!(asked[..8], ["a", "b", "a", "b", "a", "b", "a", "a"]);
        assert_eq!(asked[8..], ["mixture"; 4]);
    }

    #[test]
    fn mixtures_are_made_of_what_was_seen() {
        let mut guide = Guide::new(0, &[], &Choices::new(), 1);
        guide.dimensions = vec!["a".to_owned(), "b".to_owned()];
        guide.saw(0, info(&[("a", 7)]));
        guide.saw(1, info(&[("a", 7), ("b", 8)]));
        let steps: Vec<Step> = (2..8).flat_map(|k| guide.order(k, k).candidates).collect();
        let wishes: Vec<&Choices> =
            steps.iter().map(|s| &s.wishes).filter(|w| !w.is_empty()).collect();
        assert!(!wishes.is_empty());
        assert!(wishes.iter().all(|w| w.get("a") == Some(&Value::Int(7))));
    }
}
