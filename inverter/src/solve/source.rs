//! Choices: what an inverse is free to decide, by name.
//!
//! Every value that an `ensure` or a `:= *` gives to a variable is a *choice* of a
//! named *dimension*. All of a variant's choices come from one [`ChoiceSource`], which
//! records them: the record replays the variant ([`ChoiceSource::replaying`]), measures
//! it and shrinks it. Each dimension draws from a random stream of its own, seeded by
//! (run seed, variant index, dimension name): a dimension added to a spec changes no
//! other's values, and the order in which dimensions are asked for does not matter.
//!
//! Parts of an inverse (a stage, a primitive) ask for their dimensions by short names,
//! within a scope ([`ChoiceSource::within`]). What is given, kept and recorded, and what
//! seeds the random streams, are the whole names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use super::choices::{Choice, Choices};
use super::domain::Domain;
use super::draw::{draw_integer, shuffle};
use super::interval::IntervalSet;
use super::wish::Wishes;

/// Which dimensions are drawn at random; the others keep the baseline's value, or the
/// simplest where the baseline has none that fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Vary {
    /// Every dimension.
    All,
    /// Each dimension with this probability (0 to 1).
    Share(f64),
    /// Just these.
    Only(BTreeSet<String>),
}

/// A given value that its dimension does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("choice `{dimension}` = {value} is not possible here: {why}")]
pub struct ChoiceError {
    /// The dimension's name.
    pub dimension: String,
    /// The value that was given.
    pub value: Choice,
    /// What it would have to be.
    pub why: String,
}

/// How many dimensions a format may well have.
const MANY: usize = 64;

/// The one place that all of a variant's freedom is decided in.
#[derive(Debug, Clone)]
pub struct ChoiceSource {
    seed: u64,
    index: u64,
    vary: Arc<Vary>,
    given: Arc<Choices>,
    baseline: Arc<Choices>,
    preferred: Arc<Choices>,
    recorded: Choices,
    /// What the baseline comes to where that is told by another value here.
    likewise: Choices,
    pub(super) wishes: Option<Arc<Wishes>>,
    /// What the names of dimensions start with at the moment.
    scope: String,
}

impl ChoiceSource {
    /// The source of variant `index` of a run: every dimension varies.
    pub fn seeded(seed: u64, index: u64) -> Self {
        Self {
            seed,
            index,
            vary: Arc::new(Vary::All),
            given: Arc::default(),
            baseline: Arc::default(),
            preferred: Arc::default(),
            recorded: Choices::with_capacity(MANY),
            likewise: Choices::new(),
            wishes: None,
            scope: String::new(),
        }
    }

    /// A source that gives `choices` again, and the baseline's or the simplest value for
    /// what they leave out.
    pub fn replaying(choices: Choices) -> Self {
        Self {
            given: Arc::new(choices),
            vary: Arc::new(Vary::Only(BTreeSet::new())),
            ..Self::seeded(0, 0)
        }
    }

    /// The same, with the values that dimensions have while they do not vary: those of
    /// the seed file.
    pub fn with_baseline(mut self, baseline: impl Into<Arc<Choices>>) -> Self {
        self.baseline = baseline.into();
        self
    }

    /// The same, with `own` for a baseline unless it has brought one.
    pub fn or_baseline(mut self, own: &Arc<Choices>) -> Self {
        if self.baseline.is_empty() {
            self.baseline = Arc::clone(own);
        }
        self
    }

    /// The same, with values that are preferred to the baseline's where they fit.
    pub fn with_preferred(mut self, preferred: impl Into<Arc<Choices>>) -> Self {
        self.preferred = preferred.into();
        self
    }

    /// The same, with these choices given: each must fit, or there is no variant.
    pub fn with_given(mut self, given: impl Into<Arc<Choices>>) -> Self {
        self.given = given.into();
        self
    }

    /// The same, varying just what `vary` says.
    pub fn with_vary(mut self, vary: impl Into<Arc<Vary>>) -> Self {
        self.vary = vary.into();
        self
    }

    /// Runs `ask` with every dimension's name preceded by `prefix`. Scopes nest.
    pub fn within<T>(&mut self, prefix: &str, ask: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.len();
        self.scope.push_str(prefix);
        let answer = ask(self);
        self.scope.truncate(outer);
        answer
    }

    /// Runs `ask`, which chooses `dimension`, where the baseline's value would mean something
    /// else than it does there: `value` means the same.
    pub fn keeping<T>(
        &mut self,
        dimension: &str,
        value: Option<Choice>,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let name = self.whole(dimension).into_owned();
        match value {
            Some(value) => self.likewise.set(&name, value),
            None => drop(self.likewise.remove(&name)),
        }
        ask(self)
    }

    /// The whole name of `dimension`, as it is recorded.
    pub(super) fn whole<'n>(&self, dimension: &'n str) -> Cow<'n, str> {
        match self.scope.as_str() {
            "" => Cow::Borrowed(dimension),
            scope => Cow::Owned(format!("{scope}{dimension}")),
        }
    }

    /// The refusal of `value` for `dimension`.
    pub fn refusal(&self, dimension: &str, value: &Choice, why: impl Into<String>) -> ChoiceError {
        let dimension = self.whole(dimension).into_owned();
        ChoiceError { dimension, value: value.clone(), why: why.into() }
    }

    /// The value that is given for `dimension`.
    pub fn given(&self, dimension: &str) -> Option<&Choice> {
        self.given.get(&self.whole(dimension))
    }

    /// The value that `dimension` has while it does not vary.
    pub fn kept(&self, dimension: &str) -> Option<&Choice> {
        let name = self.whole(dimension);
        self.preferred
            .get(&name)
            .or_else(|| self.likewise.get(&name))
            .or_else(|| self.own(dimension))
    }

    /// The value that `dimension` has in the baseline.
    pub fn own(&self, dimension: &str) -> Option<&Choice> {
        self.baseline.get(&self.whole(dimension))
    }

    /// What the baseline comes to where that is told by another value: where a place counts
    /// more or fewer things before it.
    pub fn likewise(&self) -> &Choices {
        &self.likewise
    }

    /// What has been chosen so far, by whole names.
    pub fn recorded(&self) -> &Choices {
        &self.recorded
    }

    /// What has been chosen.
    pub fn into_recorded(self) -> Choices {
        self.recorded
    }

    /// Given choices that no dimension asked for: misspelt, or without meaning here.
    pub fn unused(&self) -> Vec<&str> {
        self.given.iter().map(|(k, _)| k).filter(|k| self.recorded.get(k).is_none()).collect()
    }

    /// Forgets what was recorded for `dimension`, so that it can be chosen again.
    pub fn retract(&mut self, dimension: &str) {
        let name = self.whole(dimension);
        self.recorded.remove(&name);
    }

    /// Records a value that a solver settled on.
    ///
    /// # Errors
    ///
    /// If another value was given: `why` says what the given one breaks.
    pub fn settle(
        &mut self,
        dimension: &str,
        value: Choice,
        why: impl FnOnce() -> String,
    ) -> Result<(), ChoiceError> {
        match self.given(dimension) {
            Some(given) if *given != value => {
                let why = format!("with it there is no solution of {}", why());
                Err(self.refusal(dimension, given, why))
            }
            _ => {
                let name = self.whole(dimension);
                self.recorded.set(&name, value);
                Ok(())
            }
        }
    }

    /// Forgets all but the first `len` dimensions that were recorded, so that the others can
    /// be chosen again.
    pub fn rewind(&mut self, len: usize) {
        self.recorded.truncate(len);
    }

    /// What has been chosen for `dimension`, if anything.
    pub fn chosen(&self, dimension: &str) -> Option<&Choice> {
        self.recorded.get(&self.whole(dimension))
    }

    /// Whether a value is given for `dimension`.
    pub fn is_given(&self, dimension: &str) -> bool {
        self.given(dimension).is_some()
    }

    /// The `members` of a small domain in the order in which they are to be tried: only the
    /// given one, or the baseline's first, or shuffled.
    pub fn preference(&self, dimension: &str, members: &[i128]) -> Vec<i128> {
        let first = |value: &Choice| members.iter().position(|m| *value == Choice::Int(*m));
        let mut order = members.to_vec();
        if let Some(given) = self.given(dimension) {
            return first(given).map(|k| members[k]).into_iter().collect();
        }
        if self.varies(dimension) {
            shuffle(&mut self.stream(dimension), &mut order);
        } else if let Some(k) = self.kept(dimension).and_then(first) {
            order[..=k].rotate_right(1);
        }
        self.prefer_wished(dimension, &mut order);
        order
    }

    /// Values to propose to a solver, best first: the given one, else the baseline's, else
    /// a few draws.
    pub fn candidates(
        &self,
        dimension: &str,
        domain: &IntervalSet,
        landmarks: &[i128],
    ) -> Vec<i128> {
        let kept = match self.given(dimension) {
            Some(value) => Some(value),
            None if self.varies(dimension) => None,
            None => self.kept(dimension),
        };
        match kept {
            Some(Choice::Int(n)) => vec![*n],
            _ if domain.is_empty() || !self.varies(dimension) => Vec::new(),
            _ => {
                let draw = |rng: &mut ChaCha8Rng| draw_integer(rng, domain, landmarks);
                let wished = self.wished_integer(dimension, |n| domain.contains(n), draw);
                let mut rng = self.stream(dimension);
                wished.into_iter().chain((0..4).map(|_| draw(&mut rng))).collect()
            }
        }
    }

    /// Members of a large domain to be tried, best first: the given one, or the baseline's
    /// and the simplest, or `draws` random ones.
    pub fn proposals(
        &self,
        dimension: &str,
        domain: &Domain,
        landmarks: &[i128],
        draws: usize,
    ) -> Vec<i128> {
        let int = |value: &Choice| match value {
            Choice::Int(n) if domain.contains(*n) => Some(*n),
            _ => None,
        };
        if let Some(given) = self.given(dimension) {
            return int(given).into_iter().collect();
        }
        let quotients = domain.quotients();
        if !self.varies(dimension) {
            let simplest = quotients.min().map(|q| domain.member(q));
            return self.kept(dimension).and_then(int).into_iter().chain(simplest).collect();
        }
        if quotients.is_empty() {
            return Vec::new();
        }
        let landmarks = if domain.modulus == 1 { landmarks } else { &[] };
        let draw = |rng: &mut ChaCha8Rng| domain.member(draw_integer(rng, &quotients, landmarks));
        let wished = self.wished_integer(dimension, |n| domain.contains(n), draw);
        let mut rng = self.stream(dimension);
        wished.into_iter().chain((0..draws).map(|_| draw(&mut rng))).collect()
    }

    /// One value to propose for each of `domains`, in the same way.
    pub fn candidate_list(&self, dimension: &str, domains: &[Domain]) -> Vec<i128> {
        let kept = match self.given(dimension) {
            Some(value) => Some(value),
            None if self.varies(dimension) => None,
            None => self.kept(dimension),
        };
        match kept {
            Some(Choice::List(values)) if values.len() == domains.len() => values.clone(),
            _ => {
                let one = |rng: &mut ChaCha8Rng, d: &Domain| {
                    let quotients = d.quotients();
                    d.member(if quotients.is_empty() {
                        0
                    } else {
                        draw_integer(rng, &quotients, &[])
                    })
                };
                let draw = |rng: &mut ChaCha8Rng| -> Vec<i128> {
                    domains.iter().map(|d| one(rng, d)).collect()
                };
                let fits = |value: &Choice| matches!(value, Choice::List(items) if items.len() == domains.len());
                match self.wished(dimension, fits, |rng| Choice::List(draw(rng))) {
                    Some(Choice::List(values)) => values,
                    _ => draw(&mut self.stream(dimension)),
                }
            }
        }
    }

    /// The random stream of `dimension`.
    pub fn stream(&self, dimension: &str) -> ChaCha8Rng {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(self.index.to_le_bytes());
        hash.update(self.whole(dimension).as_bytes());
        ChaCha8Rng::from_seed(hash.finalize().into())
    }

    /// Whether `dimension` is drawn at random, and not given, kept or simplest.
    pub fn varies(&self, dimension: &str) -> bool {
        if self.given(dimension).is_some() {
            return false;
        }
        match &*self.vary {
            Vary::All => true,
            Vary::Only(names) => names.contains(&*self.whole(dimension)),
            Vary::Share(share) => {
                let name = format!("{dimension}: varies");
                self.stream(&name).random_bool(share.clamp(0.0, 1.0))
            }
        }
    }

    /// Whether `dimension` is told to be `value`, if that fits: it is given, or it does not vary
    /// and keeps it.
    pub fn stays(&self, dimension: &str, value: &Choice) -> bool {
        match self.given(dimension) {
            Some(given) => given == value,
            None => {
                !self.is_wished(dimension)
                    && !self.varies(dimension)
                    && self.kept(dimension) == Some(value)
            }
        }
    }

    /// The one way every choice is made: given, else wished for, else kept, else drawn. `fit` turns a
    /// value into the caller's form, or says what a value would have to be. What was chosen before
    /// stays, if it fits: who asks again is told the same.
    pub fn choose<T>(
        &mut self,
        dimension: &str,
        fit: impl Fn(&Choice) -> Result<T, String>,
        simplest: impl FnOnce() -> Choice,
        mut draw: impl FnMut(&mut ChaCha8Rng) -> Choice,
    ) -> Result<T, ChoiceError> {
        if let Some(Ok(fitted)) = self.chosen(dimension).map(&fit) {
            return Ok(fitted);
        }
        let value = if let Some(value) = self.given(dimension) {
            value.clone()
        } else if let Some(value) = self.wished(dimension, |v| fit(v).is_ok(), &mut draw) {
            value
        } else if self.varies(dimension) {
            draw(&mut self.stream(dimension))
        } else {
            let name = self.whole(dimension);
            let kept = [&*self.preferred, &self.likewise, &*self.baseline].map(|c| c.get(&name));
            let fitting = kept.into_iter().flatten().find(|value| fit(value).is_ok());
            fitting.cloned().unwrap_or_else(simplest)
        };
        let fitted = fit(&value).map_err(|why| self.refusal(dimension, &value, why))?;
        let name = self.whole(dimension);
        self.recorded.set(&name, value);
        Ok(fitted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dimension_added_changes_no_other() {
        let all = IntervalSet::range(0, u32::MAX.into());
        let mut a = ChoiceSource::seeded(1, 2);
        let mut b = ChoiceSource::seeded(1, 2);
        b.integer("new", &all, &[]).unwrap();
        assert_eq!(a.integer("old", &all, &[]), b.integer("old", &all, &[]));
    }

    #[test]
    fn replay_gives_the_same_and_names_what_it_cannot_use() {
        let mut first = ChoiceSource::seeded(7, 0);
        let order = first.permutation("strip order", 9).unwrap();
        let gaps = first.gaps("strip gaps", 9, 1000).unwrap();
        let text = serde_json::to_string(first.recorded()).unwrap();
        let mut again = ChoiceSource::replaying(serde_json::from_str(&text).unwrap());
        assert_eq!(again.permutation("strip order", 9).unwrap(), order);
        assert_eq!(again.unused(), ["strip gaps"]);
        assert_eq!(again.gaps("strip gaps", 9, 1000).unwrap(), gaps);
    }

    #[test]
    fn a_given_value_that_does_not_fit_is_refused_in_words() {
        let mut given = Choices::new();
        given.set("orientation", 9);
        let mut source = ChoiceSource::replaying(given);
        let error = source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "choice `orientation` = 9 is not possible here: it must be 1 to 8"
        );
    }

    #[test]
    fn scopes_nest_and_end() {
        let all = IntervalSet::range(0, u32::MAX.into());
        let mut source = ChoiceSource::seeded(5, 6);
        let ask = |s: &mut ChoiceSource| s.integer("c", &all, &[]);
        let inner = source.within("a: ", |s| s.within("b ", ask)).unwrap();
        source.integer("c", &all, &[]).unwrap();
        let names: Vec<&str> = source.recorded().iter().map(|c| c.0).collect();
        assert_eq!(names, ["a: b c", "c"]);
        // A scope is nothing but a part of the name.
        assert_eq!(ChoiceSource::seeded(5, 6).integer("a: b c", &all, &[]).unwrap(), inner);
        let mut again = ChoiceSource::replaying(source.into_recorded());
        assert_eq!(again.within("a: ", |s| s.within("b ", ask)).unwrap(), inner);
        assert_eq!(again.unused(), ["c"]);
        let error = again.within("a: ", |s| s.named("b c", &["x"])).unwrap_err();
        assert!(error.to_string().starts_with("choice `a: b c` = "), "{error}");
    }

    #[test]
    fn what_does_not_vary_keeps_the_baseline() {
        let mut own = Choices::new();
        own.set("a", 5);
        own.set("b", 500);
        let domain = IntervalSet::range(0, 100);
        let mut source =
            ChoiceSource::seeded(3, 3).with_baseline(own).with_vary(Vary::Only(BTreeSet::new()));
        assert_eq!(source.integer("a", &domain, &[]).unwrap(), 5);
        assert_eq!(source.integer("b", &domain, &[]).unwrap(), 0, "500 does not fit");
    }

    #[test]
    fn drawn_values_fit_their_domain() {
        let domain = IntervalSet::from_spans([(3, 5), (100, 100), (1 << 20, 1 << 40)]);
        for index in 0..2000 {
            let mut source = ChoiceSource::seeded(0, index);
            source.integer("v", &domain, &[4, 100, 7, 1 << 21]).unwrap();
            source.permutation("p", index as usize % 7).unwrap();
            source.gaps("g", index as usize % 7, index % 50).unwrap();
        }
    }
}
