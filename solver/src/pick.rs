//! Chooses values: one method of [`ChoiceSource`] for each kind of value that a dimension can have.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::choices::Choice;
use super::dimension::IntoDimension;
use super::domain::{Domain, describe};
use super::draw::{draw_gaps, draw_integer, shuffle};
use super::evenly;
use super::interval::IntervalSet;
use super::source::{ChoiceError, ChoiceSource};

/// Returns the numbers of a list that has a member of each of `domains`.
///
/// # Errors
///
/// The reason why the value does not fit.
pub fn list_of<'v>(value: &'v Choice, domains: &[Domain]) -> Result<&'v [i128], String> {
    match value {
        Choice::List(items) if items.len() == domains.len() => {
            match items.iter().zip(domains).position(|(n, d)| !d.contains(*n)) {
                None => Ok(items),
                Some(k) => Err(format!("item {k} must be {}", domains[k].describe())),
            }
        }
        _ => Err(format!("it must be a list of {} numbers", domains.len())),
    }
}

impl ChoiceSource {
    /// Chooses an integer of `domain`, which must not be empty. `interesting_values` are values near which behaviour is
    /// likely to change (a picture's height, for rows per strip); they are drawn more often if the domain has them.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn integer(
        &mut self,
        dimension: impl IntoDimension,
        domain: &IntervalSet,
        interesting_values: &[i128],
    ) -> Result<i128, ChoiceError> {
        let dimension = self.id(dimension);
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
            |rng| Choice::Int(draw_integer(rng, domain, interesting_values)),
        )
    }

    /// Chooses an integer of `domain`, which may require a residue and must not be empty. `interesting_values` are used
    /// only if there is no residue.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn stepped(
        &mut self,
        dimension: impl IntoDimension,
        domain: &Domain,
        interesting_values: &[i128],
    ) -> Result<i128, ChoiceError> {
        if domain.modulus == 1 {
            return self.integer(dimension, &domain.set, interesting_values);
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

    /// Chooses an integer of `domain`, which must not be empty. If the domain has few values, its ends and
    /// `interesting_values` are drawn at most `skew` times as often as the mean; otherwise this is
    /// [`ChoiceSource::stepped`].
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn evenly(
        &mut self,
        dimension: impl IntoDimension,
        domain: &Domain,
        interesting_values: &[i128],
        skew: f64,
    ) -> Result<i128, ChoiceError> {
        let dimension = self.id(dimension);
        if self.is_wished(dimension) || !evenly::are_few(std::slice::from_ref(domain)) {
            return self.stepped(dimension, domain, interesting_values);
        }
        self.choose(
            dimension,
            |value| match value {
                Choice::Int(n) if domain.contains(*n) => Ok(*n),
                _ => Err(format!("it must be {}", domain.describe())),
            },
            || Choice::Int(domain.least()),
            |rng| Choice::Int(evenly::draw_few(rng, domain, interesting_values, skew)),
        )
    }

    /// Chooses one of a few named alternatives, and returns its index; the first is the simplest.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn named(
        &mut self,
        dimension: impl IntoDimension,
        names: &[&str],
    ) -> Result<usize, ChoiceError> {
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

    /// Chooses a policy: one of a few words, of which the first is the simplest, or `random:N`, the random policy with
    /// seed `N`. Half of all draws are words, the other half random policies.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn policy<T: Copy>(
        &mut self,
        dimension: impl IntoDimension,
        words: &[(&str, T)],
        random: fn(u64) -> T,
    ) -> Result<T, ChoiceError> {
        self.choose(
            dimension,
            |value| policy(value, words, random),
            || Choice::from(words.first().map_or("random:0", |(word, _)| word)),
            |rng| match words.get(rng.random_range(0..2 * words.len().max(1))) {
                Some((word, _)) => Choice::from(*word),
                None => random_word(rng),
            },
        )
    }

    /// Chooses a permutation of `0..n`; the identity is simplest. It is drawn as the identity, reversed, one swap, or
    /// shuffled.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn permutation(
        &mut self,
        dimension: impl IntoDimension,
        n: usize,
    ) -> Result<Vec<usize>, ChoiceError> {
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
                // The orders of five things are few enough that each should be drawn, but so many that they would make
                // up most of the draws.
                let any = n == 5 && rng.random_range(0..8) > 0;
                match rng.random_range(0..8) {
                    _ if any => shuffle(rng, &mut order),
                    0 => {}
                    1 => order.reverse(),
                    2 if n >= 2 => order.swap(rng.random_range(0..n), rng.random_range(0..n)),
                    _ => shuffle(rng, &mut order),
                }
                Choice::List(order)
            },
        )
    }

    /// Chooses one integer for each of `domains`, none of which may be empty: one dimension with a vector value. One
    /// rule is drawn for the whole vector: all numbers least, all greatest, or each drawn independently. If there are
    /// few vectors, the numbers are always drawn independently.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn integers(
        &mut self,
        dimension: impl IntoDimension,
        domains: &[Domain],
    ) -> Result<Vec<i128>, ChoiceError> {
        let least = || domains.iter().map(Domain::least).collect::<Vec<_>>();
        let dimension = self.id(dimension);
        let evenly = !self.is_wished(dimension) && evenly::are_few(domains);
        self.choose(
            dimension,
            |value| list_of(value, domains).map(<[i128]>::to_vec),
            || Choice::List(least()),
            |rng| {
                Choice::List(match rng.random_range(0..6) {
                    _ if evenly => {
                        domains.iter().map(|d| evenly::draw_few(rng, d, &[], 1.0)).collect()
                    }
                    0 => least(),
                    1 => {
                        let greatest = |d: &Domain| d.member(d.quotients().max().unwrap_or(0));
                        domains.iter().map(greatest).collect()
                    }
                    _ => domains
                        .iter()
                        .map(|d| d.member(draw_integer(rng, &d.quotients(), &[])))
                        .collect(),
                })
            },
        )
    }

    /// Chooses `n` amounts of at least 0 that add up to at most `budget`: the slack before each of `n` items. The
    /// simplest value has no slack. The amounts are drawn as none, one, small ones, or large ones.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn gaps(
        &mut self,
        dimension: impl IntoDimension,
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

    /// Chooses a position for each of `n` ordered items among `most` others: the number of others that come before the
    /// item, which never decreases. The simplest value has position 0 for all. A draw puts all items first, all last,
    /// all together, or spreads them.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn places(
        &mut self,
        dimension: impl IntoDimension,
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

    /// Chooses the fill of bytes that no reader interprets.
    ///
    /// # Errors
    ///
    /// Returns an error if a given value does not fit.
    pub fn fill(&mut self, dimension: impl IntoDimension) -> Result<Fill, ChoiceError> {
        let words = [("zeros", Fill::Zeros), ("ones", Fill::Ones), ("copies", Fill::Copies)];
        self.policy(dimension, &words, Fill::Random)
    }
}

/// The fill of elements that no statement assigns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Zero.
    Zeros,
    /// The greatest value of the element type.
    Ones,
    /// Copies of the array's assigned elements.
    Copies,
    /// A random stream with this seed.
    Random(u64),
}

impl Fill {
    /// Returns the generator of a random fill.
    pub fn rng(seed: u64) -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(seed)
    }
}

/// Parses a policy: one of `words`, or `random:N`.
///
/// # Errors
///
/// Returns an error if `value` is neither; the message lists the words.
pub fn policy<T: Copy>(
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

/// Returns `random:N` with `N` drawn from `rng`.
pub fn random_word(rng: &mut impl RngExt) -> Choice {
    Choice::Text(format!("random:{}", rng.random::<u32>()))
}
