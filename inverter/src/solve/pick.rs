//! The kinds of value that a dimension can have, and how each is picked.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::choices::Choice;
use super::domain::{Domain, describe};
use super::draw::{draw_gaps, draw_integer, shuffle};
use super::interval::IntervalSet;
use super::source::{ChoiceError, ChoiceSource};

impl ChoiceSource {
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
            return Err(self.refusal(dimension, &Choice::from("none"), "no value is possible"));
        };
        self.choose(
            dimension,
            |value| match value {
                Choice::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {}", describe(domain))),
            },
            || Choice::Int(simplest),
            |rng| Choice::Int(draw_integer(rng, domain, landmarks)),
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
                Choice::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {}", domain.describe())),
            },
            || Choice::Int(simplest),
            |rng| Choice::Int(domain.member(draw_integer(rng, &quotients, &[]))),
        )
    }

    /// One of a few named alternatives, by its place in `names`; the first is simplest.
    pub fn named(&mut self, dimension: &str, names: &[&str]) -> Result<usize, ChoiceError> {
        self.choose(
            dimension,
            |value| {
                match value {
                    Choice::Text(t) => names.iter().position(|n| n == t),
                    _ => None,
                }
                .ok_or_else(|| format!("it must be one of {}", names.join(", ")))
            },
            || Choice::from(names[0]),
            |rng| Choice::from(names[rng.random_range(0..names.len())]),
        )
    }

    /// One of a few words, of which the first is simplest, or `random:N`, from whose number
    /// `random` makes a value. Words and random ones are drawn equally often.
    pub fn habit<T: Copy>(
        &mut self,
        dimension: &str,
        words: &[(&str, T)],
        random: fn(u64) -> T,
    ) -> Result<T, ChoiceError> {
        self.choose(
            dimension,
            |value| habit(value, words, random),
            || Choice::from(words.first().map_or("random:0", |(word, _)| word)),
            |rng| match words.get(rng.random_range(0..2 * words.len().max(1))) {
                Some((word, _)) => Choice::from(*word),
                None => random_word(rng),
            },
        )
    }

    /// A permutation of `0..n`; the identity is simplest. Drawn as one of: identity,
    /// reversed, one swap, shuffled.
    pub fn permutation(&mut self, dimension: &str, n: usize) -> Result<Vec<usize>, ChoiceError> {
        let identity = move || (0..n as i128).collect::<Vec<_>>();
        self.choose(
            dimension,
            |value| {
                let Choice::List(items) = value else {
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
            || Choice::List(identity()),
            |rng| {
                let mut order = identity();
                match rng.random_range(0..8) {
                    0 => {}
                    1 => order.reverse(),
                    2 if n >= 2 => order.swap(rng.random_range(0..n), rng.random_range(0..n)),
                    _ => shuffle(rng, &mut order),
                }
                Choice::List(order)
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
                Choice::List(items) if items.len() == domains.len() => {
                    match items.iter().zip(domains).position(|(n, d)| !d.contains(*n)) {
                        None => Ok(items.clone()),
                        Some(k) => Err(format!("item {k} must be {}", domains[k].describe())),
                    }
                }
                _ => Err(format!("it must be a list of {} numbers", domains.len())),
            },
            || Choice::List(least()),
            |rng| {
                Choice::List(match rng.random_range(0..6) {
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
                let Choice::List(items) = value else {
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
            || Choice::List(vec![0; n]),
            |rng| Choice::List(draw_gaps(rng, n, budget)),
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
                let Choice::List(items) = value else {
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
            || Choice::List(vec![0; n]),
            |rng| {
                let most = most as i128;
                Choice::List(match rng.random_range(0..6) {
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
        let words = [("zeros", Fill::Zeros), ("ones", Fill::Ones), ("copies", Fill::Copies)];
        self.habit(dimension, &words, Fill::Random)
    }
}

/// What the elements that no statement assigns are filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Zero.
    Zeros,
    /// The greatest value of the element type.
    Ones,
    /// The array's assigned elements, over and over.
    Copies,
    /// A random stream of this seed.
    Random(u64),
}

impl Fill {
    /// The generator of a random fill.
    pub fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }
}
/// What `value` means that is one of `words`, or `random:N`.
///
/// # Errors
///
/// What it must be.
pub fn habit<T: Copy>(
    value: &Choice,
    words: &[(&str, T)],
    random: fn(u64) -> T,
) -> Result<T, String> {
    let meaning = || {
        let Choice::Text(text) = value else { return None };
        let word = words.iter().find(|(word, _)| word == text).map(|(_, meaning)| *meaning);
        word.or_else(|| Some(random(text.strip_prefix("random:")?.parse().ok()?)))
    };
    meaning().ok_or_else(|| {
        let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("it must be {} or random:NUMBER", words.join(", "))
    })
}

/// `random:N` with an `N` of `rng`.
pub fn random_word(rng: &mut impl RngExt) -> Choice {
    Choice::Text(format!("random:{}", rng.random::<u32>()))
}
