//! Covering by pairs: few sets of choices in which every value class of every dimension
//! occurs, together with every class of every other dimension that it can occur with. Most
//! faults need one or two settings to show; few need more.
//!
//! What can be made is not known in advance: it is tried. Candidates are drawn at random and
//! towards pairs that are still open, and the one that covers most is kept, until what is
//! left is rare; then each open pair is aimed at by itself, with concrete values of both
//! classes. A pair that every attempt is refused for is *impossible*, for the reason that the
//! refusal names. That is no proof: only the attempts are.
//!
//! Everything here is a function of [`Settings::seed`] and of what the choices come out as.

mod aim;
mod tally;

use std::collections::{BTreeMap, BTreeSet};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::aim::{Aim, Memory};
use self::tally::State;
pub use self::tally::{Id, Tally};
use crate::solve::{ChoiceSource, Choices, Value, Vary};

/// How a covering is made.
#[derive(Debug, Clone)]
pub struct Settings {
    /// All randomness comes from it.
    pub seed: u64,
    /// The most sets of choices.
    pub most: usize,
    /// How many candidates are drawn before the first is kept: the classes that occur in
    /// them are those to be covered (and what turns up later).
    pub first: usize,
    /// How many candidates are drawn for each that is kept.
    pub fresh: usize,
    /// How often a pair is aimed at, about 15 attempts each time, before it is impossible.
    pub rounds: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { seed: 1, most: 600, first: 256, fresh: 24, rounds: 4 }
    }
}

/// Candidates that are remembered; those that would cover least are forgotten first.
const POOL: usize = 256;

/// Candidates that cover fewer open pairs are not kept before open pairs have been aimed at.
const FEW: usize = 4;

/// After so many impossible pairs of two dimensions that never occur together, the others of
/// these two are taken to be so as well.
const NEVER: usize = 3;

/// Two value classes of two dimensions that do not occur together.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Impossible {
    /// Dimension and class.
    pub one: (String, String),
    /// The other's.
    pub other: (String, String),
    /// What the last attempt was refused for; it names the constraint.
    pub why: String,
}

struct Candidate {
    source: ChoiceSource,
    choices: Choices,
    ids: Vec<Id>,
    /// At most so many open pairs: as many as when it was last counted.
    gain: usize,
}

/// A covering in the making. `C` gives the class of a dimension's value.
pub struct Cover<C> {
    settings: Settings,
    class: C,
    tally: Tally,
    memory: Memory,
    pool: Vec<Candidate>,
    rng: ChaCha8Rng,
    /// The index of the next source.
    next: u64,
    kept: usize,
    /// Pairs of dimensions that occurred together.
    together: BTreeSet<(usize, usize)>,
    /// Pairs of other dimensions, with their impossible pairs and why the last is.
    never: BTreeMap<(usize, usize), (usize, String)>,
    impossible: Vec<Impossible>,
}

impl<C: Fn(&str, &Value) -> String> Cover<C> {
    /// Nothing made yet.
    pub fn new(settings: Settings, class: C) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(settings.seed);
        Self {
            settings,
            class,
            tally: Tally::new(),
            memory: Memory::default(),
            pool: Vec::new(),
            rng,
            next: 0,
            kept: 0,
            together: BTreeSet::new(),
            never: BTreeMap::new(),
            impossible: Vec::new(),
        }
    }

    /// What the sets of choices that were kept cover.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The pairs that were found to be impossible.
    pub fn impossible(&self) -> &[Impossible] {
        &self.impossible
    }

    /// The same, where no more is to be made.
    pub fn into_impossible(self) -> Vec<Impossible> {
        self.impossible
    }

    /// The source of the next set of choices to keep, and these choices, which it gives
    /// again; none when all is covered that can be, or there are [`Settings::most`]. `make`
    /// says, for each of a list of sources, which choices come out, or why none do. Sources
    /// bring a baseline of their own, which must not be replaced.
    ///
    /// # Errors
    ///
    /// Those of `make`, which end it all.
    pub fn next_kept<E>(
        &mut self,
        mut make: impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<Option<(ChoiceSource, Choices)>, E> {
        if self.kept >= self.settings.most {
            return Ok(None);
        }
        let sources = if self.next == 0 {
            (0..self.settings.first).map(|_| self.plain()).collect()
        } else {
            self.fresh()
        };
        self.tried(sources, &mut make)?;
        if self.pool.len() > POOL {
            self.pool.sort_by_key(|candidate| std::cmp::Reverse(candidate.gain));
            self.pool.truncate(POOL);
        }
        let enough = if self.kept == 0 { 0 } else { FEW };
        loop {
            if let Some(best) = self.best(enough) {
                return Ok(Some(self.keep(best)));
            }
            let Some(pair) = self.target() else {
                let best = self.best(1);
                return Ok(best.map(|best| self.keep(best)));
            };
            if let Some(best) = self.aim(pair, &mut make)? {
                return Ok(Some(self.keep(best)));
            }
        }
    }

    fn plain(&mut self) -> ChoiceSource {
        let source = ChoiceSource::seeded(self.settings.seed, self.next);
        self.next += 1;
        source
    }

    /// Sources towards open pairs, and some of no aim.
    fn fresh(&mut self) -> Vec<ChoiceSource> {
        let plain: Vec<ChoiceSource> = (0..self.settings.fresh).map(|_| self.plain()).collect();
        let mut aim = Aim { tally: &self.tally, memory: &self.memory, rng: &mut self.rng };
        let one = |(k, source): (usize, ChoiceSource)| match k % 4 {
            0 => source,
            1 => source.with_vary(Vary::Share(0.5)),
            k => aim.wishing(source, &[], k == 2),
        };
        plain.into_iter().enumerate().map(one).collect()
    }

    /// Makes what `sources` decide on, and remembers it. Gives why some could not be made.
    fn tried<E>(
        &mut self,
        sources: Vec<ChoiceSource>,
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<Vec<Option<String>>, E> {
        let made = make(sources.clone())?;
        let mut came = Vec::new();
        for (source, made) in sources.into_iter().zip(made) {
            let choices = match made {
                Ok(choices) => choices,
                Err(why) => {
                    came.push(Some(why));
                    continue;
                }
            };
            let ids = self.tally.classify(&choices, &self.class);
            self.memory.keep(choices.clone(), &ids);
            for (k, &id) in ids.iter().enumerate() {
                for &other in &ids[..k] {
                    self.together.insert(self.dimensions(id, other));
                }
            }
            came.push(None);
            let gain = self.tally.gain(&ids);
            if gain > 0 || self.kept == 0 {
                self.pool.push(Candidate { source, choices, ids, gain });
            }
        }
        Ok(came)
    }

    /// The candidate that covers most, if that is at least so much.
    fn best(&mut self, enough: usize) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (k, candidate) in self.pool.iter_mut().enumerate() {
            if candidate.gain < enough || best.is_some_and(|(_, gain)| candidate.gain <= gain) {
                continue;
            }
            candidate.gain = self.tally.gain(&candidate.ids);
            if candidate.gain >= enough && best.is_none_or(|(_, gain)| candidate.gain > gain) {
                best = Some((k, candidate.gain));
            }
        }
        best.map(|(k, _)| k)
    }

    fn keep(&mut self, best: usize) -> (ChoiceSource, Choices) {
        let candidate = self.pool.swap_remove(best);
        self.tally.count(&candidate.choices, &self.class);
        self.kept += 1;
        (candidate.source, candidate.choices)
    }

    /// An open pair that no candidate covers.
    fn target(&self) -> Option<(Id, Id)> {
        let held: BTreeSet<(Id, Id)> = self
            .pool
            .iter()
            .filter(|candidate| candidate.gain > 0)
            .flat_map(|candidate| {
                let ids = &candidate.ids;
                let below = move |k: usize| ids[..k].iter().map(move |b| (ids[k], *b));
                (0..ids.len()).flat_map(below).map(|(a, b)| (a.max(b), a.min(b)))
            })
            .filter(|(a, b)| self.tally.state(*a, *b) == State::Open)
            .collect();
        self.tally.open().find(|pair| !held.contains(pair))
    }

    /// Aims at a pair until a candidate covers it, which is the one to keep, or it is
    /// impossible.
    fn aim<E>(
        &mut self,
        (a, b): (Id, Id),
        make: &mut impl FnMut(Vec<ChoiceSource>) -> Result<Vec<Result<Choices, String>>, E>,
    ) -> Result<Option<usize>, E> {
        let dimensions = self.dimensions(a, b);
        let known = self.never.get(&dimensions).filter(|_| !self.together.contains(&dimensions));
        if let Some((NEVER.., why)) = known {
            let why = why.clone();
            self.give_up(a, b, why);
            return Ok(None);
        }
        let (mut refused, mut attempts) = (None, 0);
        for round in 0..self.settings.rounds {
            let (seed, next) = (self.settings.seed, &mut self.next);
            let plain = || {
                *next += 1;
                ChoiceSource::seeded(seed, *next - 1)
            };
            let mut aim = Aim { tally: &self.tally, memory: &self.memory, rng: &mut self.rng };
            let sources = aim.at((a, b), round, plain);
            let both: Vec<bool> = sources
                .iter()
                .map(|s| [a, b].iter().all(|id| s.is_given(self.tally.name(*id))))
                .collect();
            let came = self.tried(sources, make)?;
            attempts += came.len();
            for (came, both) in came.into_iter().zip(both) {
                match came {
                    // Only then the pair may be to blame.
                    Some(why) if both => refused = Some(why),
                    _ => {}
                }
            }
            let here = |c: &Candidate| c.ids.contains(&a) && c.ids.contains(&b);
            let covering = (0..self.pool.len()).filter(|k| here(&self.pool[*k]));
            if let Some(best) = covering.max_by_key(|k| self.pool[*k].gain) {
                return Ok(Some(best));
            }
        }
        let why = refused.unwrap_or_else(|| format!("{attempts} attempts came out otherwise"));
        let never = self.never.entry(dimensions).or_default();
        *never = (never.0 + 1, why.clone());
        self.give_up(a, b, why);
        Ok(None)
    }

    fn give_up(&mut self, a: Id, b: Id, why: String) {
        self.tally.set(a, b, State::Impossible);
        let told = |id| (self.tally.name(id).to_owned(), self.tally.class(id).to_owned());
        let (one, other) = if self.tally.dimension(a) < self.tally.dimension(b) {
            (told(a), told(b))
        } else {
            (told(b), told(a))
        };
        self.impossible.push(Impossible { one, other, why });
    }

    fn dimensions(&self, a: Id, b: Id) -> (usize, usize) {
        let (a, b) = (self.tally.dimension(a), self.tally.dimension(b));
        (a.min(b), a.max(b))
    }
}

#[cfg(test)]
mod tests;
