//! Sources that aim at pairs of value classes.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::tally::{Id, State, Tally};
use crate::solve::{ChoiceSource, Choices, Value, Vary};

/// How many choices are remembered for each class.
const REMEMBERED: usize = 6;

/// Choices that were made, by the classes that occur in them.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    examples: Vec<Vec<Arc<Choices>>>,
}

impl Memory {
    /// Remembers `choices` for those of their classes that few are remembered for.
    pub fn keep(&mut self, choices: Choices, ids: &[Id]) {
        let choices = Arc::new(choices);
        for &id in ids {
            if self.examples.len() <= id {
                self.examples.resize(id + 1, Vec::new());
            }
            if self.examples[id].len() < REMEMBERED {
                self.examples[id].push(Arc::clone(&choices));
            }
        }
    }

    fn any(&self, id: Id, rng: &mut ChaCha8Rng) -> Option<&Arc<Choices>> {
        self.examples.get(id)?.choose(rng)
    }

    fn nth(&self, id: Id, k: usize) -> Option<&Arc<Choices>> {
        let all = self.examples.get(id).filter(|all| !all.is_empty())?;
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
    /// at random or as it was when one of them occurred; or one as it was when it occurred,
    /// and the other drawn.
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
        for k in 0..3 {
            let k = round * 3 + k;
            for (one, other) in [(a, b), (b, a)] {
                let Some(example) = self.memory.nth(one, k) else { continue };
                let kept = plain().with_baseline(Choices::clone(example));
                let none = Vary::Only(BTreeSet::new());
                sources.push(self.both_with(kept, example, one, other).with_vary(none));
                // A list fits where its length does: rather have it drawn there.
                let name = self.tally.name(other).to_owned();
                let mut given = Choices::new();
                if let Some(value) = example.get(self.tally.name(one)) {
                    given.set(self.tally.name(one), value.clone());
                }
                let drawn = plain().with_baseline(Choices::clone(example)).with_given(given);
                sources.push(drawn.with_vary(Vary::Only([name].into())));
            }
        }
        sources
    }

    fn both(&mut self, plain: ChoiceSource, a: Id, b: Id) -> ChoiceSource {
        let mut given = Choices::new();
        self.take(a, &mut given);
        self.take(b, &mut given);
        plain.with_given(given)
    }

    /// Both given, `one` as in `example`.
    fn both_with(
        &mut self,
        plain: ChoiceSource,
        example: &Choices,
        one: Id,
        other: Id,
    ) -> ChoiceSource {
        let mut given = Choices::new();
        if let Some(value) = example.get(self.tally.name(one)) {
            given.set(self.tally.name(one), value.clone());
        }
        self.take(other, &mut given);
        plain.with_given(given)
    }
}
