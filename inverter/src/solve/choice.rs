//! Choices: what an inverse is free to decide, by name.
//!
//! Every value that an `ensure` or a `:= *` gives to a variable is a *choice* of a
//! named *dimension*. All of a variant's choices come from one [`ChoiceSource`], which
//! records them: the record replays the variant ([`ChoiceSource::replaying`]), measures
//! it and shrinks it. Each dimension draws from a random stream of its own, seeded by
//! (run seed, variant index, dimension name): a dimension added to a spec changes no
//! other's values, and the order in which dimensions are asked for does not matter.

use std::collections::BTreeSet;
use std::fmt;

use indexmap::IndexMap;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::domain::Domain;
use super::interval::IntervalSet;

/// The value of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "serde_json::Value")]
pub enum Value {
    /// A number: a scalar of the representation.
    Int(i128),
    /// A list of numbers: a permutation, gaps, one value an element.
    List(Vec<i128>),
    /// A word: one of a few named alternatives, or a fill.
    Text(String),
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        // Every type of the language is at most 64 bits wide.
        let number = |n: i128| match u64::try_from(n) {
            Ok(n) => serde_json::Value::from(n),
            Err(_) => serde_json::Value::from(n as i64),
        };
        match value {
            Value::Int(n) => number(n),
            Value::List(items) => items.into_iter().map(number).collect(),
            Value::Text(t) => t.into(),
        }
    }
}

impl TryFrom<serde_json::Value> for Value {
    type Error = String;

    fn try_from(json: serde_json::Value) -> Result<Self, String> {
        let number = |json: &serde_json::Value| -> Option<i128> {
            json.as_u64().map(i128::from).or_else(|| json.as_i64().map(i128::from))
        };
        let value = match &json {
            serde_json::Value::String(t) => Some(Value::Text(t.clone())),
            serde_json::Value::Array(items) => {
                items.iter().map(number).collect::<Option<_>>().map(Value::List)
            }
            _ => number(&json).map(Value::Int),
        };
        value.ok_or_else(|| {
            format!("{json} is no choice: expected an integer, a list of integers or a text")
        })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(n) => write!(f, "{n}"),
            Value::Text(t) => f.write_str(t),
            Value::List(items) => {
                f.write_str("[")?;
                for (k, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if k == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl From<i128> for Value {
    fn from(n: i128) -> Self {
        Value::Int(n)
    }
}

impl From<&str> for Value {
    fn from(t: &str) -> Self {
        Value::Text(t.to_owned())
    }
}

/// A variant's choices: dimension name to value, in the order they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Choices(IndexMap<String, Value>);

impl Choices {
    /// No choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of `dimension`, if it was chosen.
    pub fn get(&self, dimension: &str) -> Option<&Value> {
        self.0.get(dimension)
    }

    /// Sets the value of `dimension`, keeping its place if it had one.
    pub fn set(&mut self, dimension: &str, value: impl Into<Value>) {
        self.0.insert(dimension.to_owned(), value.into());
    }

    /// Takes `dimension` out, keeping the order of the rest.
    pub fn remove(&mut self, dimension: &str) -> Option<Value> {
        self.0.shift_remove(dimension)
    }

    /// The pairs, in the order the choices were made.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }

    /// How many dimensions have a value.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The choices of `self` that `other` lacks or has another value for.
    pub fn differing_from(&self, other: &Choices) -> Choices {
        let differs = |(k, v): &(&String, &Value)| other.0.get(*k) != Some(*v);
        Choices(self.0.iter().filter(differs).map(|(k, v)| (k.clone(), v.clone())).collect())
    }
}

impl FromIterator<(String, Value)> for Choices {
    fn from_iter<T: IntoIterator<Item = (String, Value)>>(iter: T) -> Self {
        Choices(iter.into_iter().collect())
    }
}

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
    pub value: Value,
    /// What it would have to be.
    pub why: String,
}

/// The one place that all of a variant's freedom is decided in.
#[derive(Debug, Clone)]
pub struct ChoiceSource {
    seed: u64,
    index: u64,
    vary: Vary,
    given: Choices,
    baseline: Choices,
    recorded: Choices,
}

/// The number of smallest members of an integer domain that count as small.
const SMALL: u128 = 16;

impl ChoiceSource {
    /// The source of variant `index` of a run: every dimension varies.
    pub fn seeded(seed: u64, index: u64) -> Self {
        Self {
            seed,
            index,
            vary: Vary::All,
            given: Choices::new(),
            baseline: Choices::new(),
            recorded: Choices::new(),
        }
    }

    /// A source that gives `choices` again, and the baseline's or the simplest value for
    /// what they leave out.
    pub fn replaying(choices: Choices) -> Self {
        Self { given: choices, vary: Vary::Only(BTreeSet::new()), ..Self::seeded(0, 0) }
    }

    /// The same, with the values that dimensions have while they do not vary: those of
    /// the seed file.
    pub fn with_baseline(mut self, baseline: Choices) -> Self {
        self.baseline = baseline;
        self
    }

    /// The same, varying just what `vary` says.
    pub fn with_vary(mut self, vary: Vary) -> Self {
        self.vary = vary;
        self
    }

    /// What has been chosen so far.
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
        self.recorded.remove(dimension);
    }

    /// Records a value that a solver settled on.
    ///
    /// # Errors
    ///
    /// If another value was given: `why` says what the given one breaks.
    pub fn settle(
        &mut self,
        dimension: &str,
        value: Value,
        why: impl FnOnce() -> String,
    ) -> Result<(), ChoiceError> {
        match self.given.get(dimension) {
            Some(given) if *given != value => Err(ChoiceError {
                dimension: dimension.to_owned(),
                value: given.clone(),
                why: format!("with it there is no solution of {}", why()),
            }),
            _ => {
                self.recorded.set(dimension, value);
                Ok(())
            }
        }
    }

    /// Whether a value is given for `dimension`.
    pub fn is_given(&self, dimension: &str) -> bool {
        self.given.get(dimension).is_some()
    }

    /// The `members` of a small domain in the order in which they are to be tried: only the
    /// given one, or the baseline's first, or shuffled.
    pub fn preference(&self, dimension: &str, members: &[i128]) -> Vec<i128> {
        let first = |value: &Value| members.iter().position(|m| *value == Value::Int(*m));
        let mut order = members.to_vec();
        if let Some(given) = self.given.get(dimension) {
            return first(given).map(|k| members[k]).into_iter().collect();
        }
        if self.varies(dimension) {
            shuffle(&mut self.stream(dimension), &mut order);
        } else if let Some(k) = self.baseline.get(dimension).and_then(first) {
            order[..=k].rotate_right(1);
        }
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
        let kept = match self.given.get(dimension) {
            Some(value) => Some(value),
            None if self.varies(dimension) => None,
            None => self.baseline.get(dimension),
        };
        match kept {
            Some(Value::Int(n)) => vec![*n],
            _ if domain.is_empty() || !self.varies(dimension) => Vec::new(),
            _ => {
                let mut rng = self.stream(dimension);
                (0..4).map(|_| draw_integer(&mut rng, domain, landmarks)).collect()
            }
        }
    }

    /// One value to propose for each of `domains`, in the same way.
    pub fn candidate_list(&self, dimension: &str, domains: &[Domain]) -> Vec<i128> {
        let kept = match self.given.get(dimension) {
            Some(value) => Some(value),
            None if self.varies(dimension) => None,
            None => self.baseline.get(dimension),
        };
        match kept {
            Some(Value::List(values)) if values.len() == domains.len() => values.clone(),
            _ => {
                let mut rng = self.stream(dimension);
                let draw = |d: &Domain| {
                    let quotients = d.quotients();
                    d.member(if quotients.is_empty() {
                        0
                    } else {
                        draw_integer(&mut rng, &quotients, &[])
                    })
                };
                domains.iter().map(draw).collect()
            }
        }
    }

    /// The random stream of `dimension`.
    pub fn stream(&self, dimension: &str) -> ChaCha8Rng {
        let mut hash = Sha256::new();
        hash.update(self.seed.to_le_bytes());
        hash.update(self.index.to_le_bytes());
        hash.update(dimension.as_bytes());
        ChaCha8Rng::from_seed(hash.finalize().into())
    }

    /// Whether `dimension` is drawn at random, and not given, kept or simplest.
    pub fn varies(&self, dimension: &str) -> bool {
        if self.given.get(dimension).is_some() {
            return false;
        }
        match &self.vary {
            Vary::All => true,
            Vary::Only(names) => names.contains(dimension),
            Vary::Share(share) => {
                let name = format!("{dimension}: varies");
                self.stream(&name).random_bool(share.clamp(0.0, 1.0))
            }
        }
    }

    /// The one way every choice is made: given, else kept, else drawn. `fit` turns a
    /// value into the caller's form, or says what a value would have to be.
    pub fn choose<T>(
        &mut self,
        dimension: &str,
        fit: impl Fn(&Value) -> Result<T, String>,
        simplest: impl FnOnce() -> Value,
        draw: impl FnOnce(&mut ChaCha8Rng) -> Value,
    ) -> Result<T, ChoiceError> {
        let error = |value: &Value, why| ChoiceError {
            dimension: dimension.to_owned(),
            value: value.clone(),
            why,
        };
        let value = if let Some(value) = self.given.get(dimension) {
            fit(value).map_err(|why| error(value, why))?;
            value.clone()
        } else if self.varies(dimension) {
            draw(&mut self.stream(dimension))
        } else {
            match self.baseline.get(dimension) {
                Some(value) if fit(value).is_ok() => value.clone(),
                _ => simplest(),
            }
        };
        let fitted = fit(&value).map_err(|why| error(&value, why))?;
        self.recorded.set(dimension, value);
        Ok(fitted)
    }

    /// An integer of `domain`, which must not be empty. `landmarks` are values about
    /// which behaviour is likely to change (a picture's height, for rows per strip);
    /// they are favoured where the domain has them.
    pub fn integer(
        &mut self,
        dimension: &str,
        domain: &IntervalSet,
        landmarks: &[i128],
    ) -> Result<i128, ChoiceError> {
        let Some(simplest) = domain.min() else {
            return Err(ChoiceError {
                dimension: dimension.to_owned(),
                value: Value::Text("none".into()),
                why: "no value is possible".into(),
            });
        };
        self.choose(
            dimension,
            |value| match value {
                Value::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {}", describe(domain))),
            },
            || Value::Int(simplest),
            |rng| Value::Int(draw_integer(rng, domain, landmarks)),
        )
    }

    /// An integer of a domain with a residue, which must not be empty.
    pub fn stepped(
        &mut self,
        dimension: &str,
        domain: &Domain,
        landmarks: &[i128],
    ) -> Result<i128, ChoiceError> {
        if domain.modulus == 1 {
            return self.integer(dimension, &domain.set, landmarks);
        }
        let quotients = domain.quotients();
        let simplest = domain.member(quotients.min().unwrap_or(0));
        self.choose(
            dimension,
            |value| match value {
                Value::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {}", domain.describe())),
            },
            || Value::Int(simplest),
            |rng| Value::Int(domain.member(draw_integer(rng, &quotients, &[]))),
        )
    }

    /// One of a few named alternatives, by its place in `names`; the first is simplest.
    pub fn named(&mut self, dimension: &str, names: &[&str]) -> Result<usize, ChoiceError> {
        self.choose(
            dimension,
            |value| {
                match value {
                    Value::Text(t) => names.iter().position(|n| n == t),
                    _ => None,
                }
                .ok_or_else(|| format!("it must be one of {}", names.join(", ")))
            },
            || Value::from(names[0]),
            |rng| Value::from(names[rng.random_range(0..names.len())]),
        )
    }

    /// A permutation of `0..n`; the identity is simplest. Drawn as one of: identity,
    /// reversed, one swap, shuffled.
    pub fn permutation(&mut self, dimension: &str, n: usize) -> Result<Vec<usize>, ChoiceError> {
        let identity = move || (0..n as i128).collect::<Vec<_>>();
        self.choose(
            dimension,
            |value| {
                let Value::List(items) = value else {
                    return Err(format!("it must be a list: an order of 0 to {}", n as i128 - 1));
                };
                let mut seen = vec![false; n];
                let fits = |&item: &i128| -> Option<usize> {
                    let item = usize::try_from(item).ok().filter(|k| *k < n)?;
                    (!std::mem::replace(&mut seen[item], true)).then_some(item)
                };
                let order: Option<Vec<usize>> = items.iter().map(fits).collect();
                order
                    .filter(|order| order.len() == n)
                    .ok_or_else(|| format!("it must have each of 0 to {} once", n as i128 - 1))
            },
            || Value::List(identity()),
            |rng| {
                let mut order = identity();
                match rng.random_range(0..8) {
                    0 => {}
                    1 => order.reverse(),
                    2 if n >= 2 => order.swap(rng.random_range(0..n), rng.random_range(0..n)),
                    _ => shuffle(rng, &mut order),
                }
                Value::List(order)
            },
        )
    }

    /// One integer for each of `domains`, none of which may be empty: one dimension with
    /// a vector value. Drawn with one habit for the whole vector (all least, all
    /// greatest, each by itself).
    pub fn integers(
        &mut self,
        dimension: &str,
        domains: &[Domain],
    ) -> Result<Vec<i128>, ChoiceError> {
        let end = |d: &Domain, q: Option<i128>| d.member(q.unwrap_or(0));
        let least = || domains.iter().map(|d| end(d, d.quotients().min())).collect::<Vec<_>>();
        self.choose(
            dimension,
            |value| match value {
                Value::List(items) if items.len() == domains.len() => {
                    match items.iter().zip(domains).position(|(n, d)| !d.contains(*n)) {
                        None => Ok(items.clone()),
                        Some(k) => Err(format!("item {k} must be {}", domains[k].describe())),
                    }
                }
                _ => Err(format!("it must be a list of {} numbers", domains.len())),
            },
            || Value::List(least()),
            |rng| {
                Value::List(match rng.random_range(0..6) {
                    0 => least(),
                    1 => domains.iter().map(|d| end(d, d.quotients().max())).collect(),
                    _ => domains
                        .iter()
                        .map(|d| d.member(draw_integer(rng, &d.quotients(), &[])))
                        .collect(),
                })
            },
        )
    }

    /// `n` amounts of at least 0 that add up to at most `budget`: the slack before each
    /// of `n` things. None is simplest. Drawn as none, one, small ones, or large ones.
    pub fn gaps(
        &mut self,
        dimension: &str,
        n: usize,
        budget: u64,
    ) -> Result<Vec<u64>, ChoiceError> {
        self.choose(
            dimension,
            |value| {
                let Value::List(items) = value else {
                    return Err(format!("it must be a list of {n} amounts"));
                };
                let gaps: Vec<u64> = items.iter().filter_map(|g| u64::try_from(*g).ok()).collect();
                if gaps.len() != n || items.len() != n {
                    return Err(format!("it must be a list of {n} amounts of at least 0"));
                }
                match gaps.iter().try_fold(0u64, |sum, g| sum.checked_add(*g)) {
                    Some(sum) if sum <= budget => Ok(gaps),
                    _ => Err(format!("the amounts may add up to at most {budget}")),
                }
            },
            || Value::List(vec![0; n]),
            |rng| Value::List(draw_gaps(rng, n, budget)),
        )
    }

    /// For each of `n` things in order, how many of `most` others in order come before it:
    /// never fewer than before the one before it. None before any is simplest. Drawn as
    /// all in front, all behind, all together, or spread.
    pub fn places(
        &mut self,
        dimension: &str,
        n: usize,
        most: usize,
    ) -> Result<Vec<usize>, ChoiceError> {
        self.choose(
            dimension,
            |value| {
                let Value::List(items) = value else {
                    return Err(format!("it must be a list of {n} places"));
                };
                let places: Vec<usize> =
                    items.iter().filter_map(|p| usize::try_from(*p).ok()).collect();
                let fits = places.len() == n
                    && items.len() == n
                    && places.iter().all(|p| *p <= most)
                    && places.is_sorted();
                fits.then_some(places)
                    .ok_or_else(|| format!("it must be {n} ascending places from 0 to {most}"))
            },
            || Value::List(vec![0; n]),
            |rng| {
                let most = most as i128;
                Value::List(match rng.random_range(0..6) {
                    0 => vec![0; n],
                    1 => vec![most; n],
                    2 => vec![rng.random_range(0..=most); n],
                    _ => {
                        let mut places: Vec<i128> =
                            (0..n).map(|_| rng.random_range(0..=most)).collect();
                        places.sort_unstable();
                        places
                    }
                })
            },
        )
    }

    /// What bytes nobody reads are filled with.
    pub fn fill(&mut self, dimension: &str) -> Result<Fill, ChoiceError> {
        self.choose(
            dimension,
            |value| {
                match value {
                    Value::Text(t) => Fill::parse(t),
                    _ => None,
                }
                .ok_or_else(|| "it must be zeros, ones, copies or random:NUMBER".to_owned())
            },
            || Value::from("zeros"),
            |rng| match rng.random_range(0..6) {
                0 => Value::from("zeros"),
                1 => Value::from("ones"),
                2 => Value::from("copies"),
                _ => Value::Text(format!("random:{}", rng.random::<u32>())),
            },
        )
    }
}

/// What the elements that no statement assigns are filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// The least value of the element type.
    Zeros,
    /// The greatest value of the element type.
    Ones,
    /// The array's assigned elements, over and over.
    Copies,
    /// A random stream of this seed.
    Random(u64),
}

impl Fill {
    fn parse(text: &str) -> Option<Fill> {
        Some(match text {
            "zeros" => Fill::Zeros,
            "ones" => Fill::Ones,
            "copies" => Fill::Copies,
            _ => Fill::Random(text.strip_prefix("random:")?.parse().ok()?),
        })
    }

    /// The generator of a random fill.
    pub fn rng(seed: u64) -> impl Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }
}

/// A domain in words, for messages: `1 to 8`, `2 or 4`.
pub fn describe(domain: &IntervalSet) -> String {
    let span = |&(lo, hi): &(i128, i128)| match hi - lo {
        0 => format!("{lo}"),
        1 => format!("{lo} or {hi}"),
        _ => format!("{lo} to {hi}"),
    };
    match domain.spans() {
        [] => "impossible".to_owned(),
        spans => {
            let (shown, rest) = spans.split_at(spans.len().min(8));
            let mut text = shown.iter().map(span).collect::<Vec<_>>().join(" or ");
            if !rest.is_empty() {
                text.push_str(" or …");
            }
            text
        }
    }
}

fn shuffle(rng: &mut ChaCha8Rng, items: &mut [i128]) {
    for k in (1..items.len()).rev() {
        items.swap(k, rng.random_range(0..=k));
    }
}

/// A member of a domain that is not empty: by boundary, small, about a landmark, of any
/// magnitude, or any.
fn draw_integer(rng: &mut ChaCha8Rng, domain: &IntervalSet, landmarks: &[i128]) -> i128 {
    let size = domain.len();
    let nth = |n| domain.nth(n).or(domain.min()).unwrap_or_default();
    if size <= SMALL {
        return nth(rng.random_range(0..size.max(1)));
    }
    let landmark = (!landmarks.is_empty()).then(|| landmarks[rng.random_range(0..landmarks.len())]);
    match (rng.random_range(0..6), landmark) {
        (0, _) => {
            let (lo, hi) = domain.spans()[rng.random_range(0..domain.spans().len())];
            if rng.random() { lo } else { hi }
        }
        (1, _) => nth(rng.random_range(0..SMALL)),
        (2, Some(mark)) => {
            let near = mark + rng.random_range(-1..=1);
            if domain.contains(near) { near } else { nth(rng.random_range(0..SMALL)) }
        }
        (3 | 4, Some(mark)) if domain.contains(mark) => {
            let (lo, _) = domain.spans()[0];
            let value = rng.random_range(lo.min(mark)..=mark.max(lo));
            if domain.contains(value) { value } else { mark }
        }
        (2 | 3, _) => {
            let bits = rng.random_range(0..=(127 - size.leading_zeros().min(127)));
            nth(rng.random_range(0..(1u128 << bits).max(1)).min(size - 1))
        }
        _ => nth(rng.random_range(0..size)),
    }
}

/// `n` gaps that add up to at most `budget`: none, one, small ones, or larger ones.
pub(crate) fn draw_gaps(rng: &mut ChaCha8Rng, n: usize, budget: u64) -> Vec<i128> {
    let mut gaps = vec![0i128; n];
    if n == 0 || budget == 0 {
        return gaps;
    }
    let mut left = budget;
    let mut give = |rng: &mut ChaCha8Rng, most: u64| {
        let gap = rng.random_range(0..=most.min(left));
        left -= gap;
        i128::from(gap)
    };
    match rng.random_range(0..6) {
        0 | 1 => {}
        2 => gaps[rng.random_range(0..n)] = give(rng, 64),
        3 => gaps[rng.random_range(0..n)] = give(rng, 4096),
        4 => gaps.iter_mut().for_each(|g| *g = give(rng, 3)),
        _ => gaps.iter_mut().for_each(|g| *g = give(rng, 64)),
    }
    gaps
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
