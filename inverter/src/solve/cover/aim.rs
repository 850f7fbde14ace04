//! Sources that aim at pairs of value classes.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::tally::{Id, State, Tally};
use crate::solve::{ChoiceSource, Choices, Value, Vary};

/// How many choices are remembered for each class.
const REMEMBERED: usize = 12;

/// How many mixtures are tried in each round.
const MIXED: usize = 8;

/// Choices that were made, by the classes that occur in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    /// By class: how many there were, and the last of them.
    examples: Vec<(usize, Vec<Arc<Choices>>)>,
}

impl Memory {
    /// Remembers `choices` for each of their classes, and forgets the oldest.
    pub fn keep(&mut self, choices: Choices, ids: &[Id]) {
        let choices = Arc::new(choices);
        for &id in ids {
            if self.examples.len() <= id {
                self.examples.resize(id + 1, (0, Vec::new()));
            }
            let (count, last) = &mut self.examples[id];
            if last.len() < REMEMBERED {
                last.push(Arc::clone(&choices));
            } else {
                last[*count % REMEMBERED] = Arc::clone(&choices);
            }
            *count += 1;
        }
    }

    fn any(&self, id: Id, rng: &mut ChaCha8Rng) -> Option<&Arc<Choices>> {
        self.examples.get(id)?.1.choose(rng)
    }

    fn nth(&self, id: Id, k: usize) -> Option<&Arc<Choices>> {
        let (_, all) = self.examples.get(id).filter(|(_, all)| !all.is_empty())?;
        all.get(k % all.len())
    }
}

/// What sources are made of.
pub(super) struct Aim<'a> {
    pub tally: &'a Tally,
    pub memory: &'a Memory,
    pub rng: &'a mut ChaCha8Rng,
}

impl Aim<'_> {
    /// `plain` with `wanted` given, and the classes of other dimensions such that many open
    /// pairs occur, where their values fit; the rest at random. With `lists`, lists are
    /// wished for as well: they fit only where their lengths do.
    pub fn wishing(&mut self, plain: ChoiceSource, wanted: &[Id], lists: bool) -> ChoiceSource {
        let mut chosen = wanted.to_vec();
        let mut given = Choices::new();
        let mut wishes = Choices::new();
        for &id in wanted {
            self.take(id, &mut given);
        }
        let mut dimensions: Vec<usize> = (0..self.tally.names().count()).collect();
        dimensions.shuffle(self.rng);
        for dimension in dimensions {
            if chosen.iter().any(|id| self.tally.dimension(*id) == dimension) {
                continue;
            }
            let open = |id: Id| {
                chosen.iter().filter(|other| self.tally.state(id, **other) == State::Open).count()
            };
            let mut classes: Vec<Id> = self.tally.of(dimension).to_vec();
            classes.shuffle(self.rng);
            let best = classes.into_iter().max_by_key(|id| open(*id)).filter(|id| open(*id) > 0);
            if let Some(id) = best {
                let value = self.take(id, &mut wishes);
                if !lists && matches!(value, Some(Value::List(_))) {
                    wishes.remove(self.tally.name(id));
                }
                chosen.push(id);
            }
        }
        let free = self.tally.names().filter(|name| wishes.get(name).is_none());
        let free: BTreeSet<String> = free.map(str::to_owned).collect();
        plain.with_given(given).with_baseline(wishes).with_vary(Vary::Only(free))
    }

    /// Takes over a remembered value of a class.
    fn take(&mut self, id: Id, into: &mut Choices) -> Option<Value> {
        let name = self.tally.name(id);
        let value = self.memory.any(id, self.rng)?.get(name)?.clone();
        into.set(name, value.clone());
        Some(value)
    }

    /// The sources of attempt `round` at two classes: both given, and all else wished for,
    /// at random, as it was when one of them occurred, or a mixture of that and of what it
    /// was when the other did; or one as it was when it occurred, and the other drawn.
    pub fn at(
        &mut self,
        (a, b): (Id, Id),
        round: usize,
        mut plain: impl FnMut() -> ChoiceSource,
    ) -> Vec<ChoiceSource> {
        let mut sources = vec![
            self.wishing(plain(), &[a, b], true),
            self.wishing(plain(), &[a, b], false),
            self.both(plain(), a, b).with_vary(Vary::Share(0.3)),
        ];
        for (one, other) in [(a, b), (b, a)] {
            let Some(example) = self.memory.nth(one, round) else { continue };
            // A list fits where its length does: rather have it drawn there.
            let mut given = Choices::new();
            self.copy(one, example, &mut given);
            let drawn = plain().with_baseline(Choices::clone(example)).with_given(given.clone());
            sources.push(drawn.with_vary(Vary::Only([self.tally.name(other).to_owned()].into())));
            self.take(other, &mut given);
            let kept = plain().with_baseline(Choices::clone(example)).with_given(given);
            sources.push(kept.with_vary(Vary::Only(BTreeSet::new())));
        }
        sources.extend((0..MIXED).filter_map(|_| self.mixed(plain(), a, b)));
        sources
    }

    fn both(&mut self, plain: ChoiceSource, a: Id, b: Id) -> ChoiceSource {
        let mut given = Choices::new();
        self.take(a, &mut given);
        self.take(b, &mut given);
        plain.with_given(given)
    }

    /// Both given as in one example of each, and every other dimension as in either: what a
    /// class needs of others may so come along.
    fn mixed(&mut self, plain: ChoiceSource, a: Id, b: Id) -> Option<ChoiceSource> {
        let one = self.memory.any(a, self.rng)?;
        let other = self.memory.any(b, self.rng)?;
        let mut given = Choices::new();
        self.copy(a, one, &mut given);
        self.copy(b, other, &mut given);
        let mut baseline = Choices::clone(one);
        for (name, value) in other.iter() {
            if one.get(name).is_none() || self.rng.random_bool(0.5) {
                baseline.set(name, value.clone());
            }
        }
        let source = plain.with_given(given).with_baseline(baseline);
        Some(source.with_vary(Vary::Only(BTreeSet::new())))
    }

    fn copy(&self, id: Id, example: &Choices, into: &mut Choices) {
        let name = self.tally.name(id);
        if let Some(value) = example.get(name) {
            into.set(name, value.clone());
        }
    }
}
