//! Selection among the solutions of a network: draws, or values near to others.

use rand::RngExt;

use super::search::{FEW, FEW_UNKNOWNS};
use crate::domain::Domain;
use crate::draw::{draw_integer, shuffle};
use crate::evenly::Solutions;
use crate::interval::IntervalSet;
use crate::stream::Stream;

/// The value that an unknown should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// This value, whatever the others are.
    Value(i128),
    /// This value, unless an unknown that is decided earlier rules it out.
    Near(i128),
    /// The least.
    Least,
    /// One that is drawn.
    Any,
}

/// Selects among the solutions of a network.
pub trait Pick {
    /// Returns the value that an unknown should have.
    fn wish(&self, unknown: u32) -> Preference;

    /// Draws one of `some` of the solutions of a part; `None` stands for all of them. `few` is true if the whole
    /// network has few solutions.
    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        some: Option<Vec<&'s [i128]>>,
        few: bool,
    ) -> Option<&'s [i128]>;

    /// Returns true if only the constraints rule out values.
    fn is_free(&self) -> bool {
        true
    }

    /// Returns values to try for a drawn unknown, from those that it may have.
    fn values(&mut self, unknown: u32, of: &Domain) -> Vec<i128>;

    /// Returns the values of an unknown that are excluded for other reasons, if there are any.
    fn ruled_out(&self, _unknown: u32) -> Option<&IntervalSet> {
        None
    }

    /// Returns true if these values of some unknowns are ruled out otherwise.
    fn refuses(&self, _unknowns: &[u32], _values: &[i128]) -> bool {
        false
    }

    /// Puts many drawn unknowns into the order in which they are drawn; false if those with fewer values come first, as
    /// for few unknowns.
    fn shuffle(&mut self, unknowns: &mut [u32]) -> bool;
}

/// The number of values that are drawn for an unknown that has more than [`FEW`] values.
const DRAWS: usize = 3;
/// This number in a network of few unknowns.
const MANY_DRAWS: usize = 24;
/// The factor by which one solution may be drawn more often than the mean.
const EVENLY: f64 = 1.0;

/// Values as near as possible to others.
pub struct Nearest<'v>(pub &'v [i128]);

impl Pick for Nearest<'_> {
    fn wish(&self, unknown: u32) -> Preference {
        match self.0.get(unknown as usize) {
            None | Some(&i128::MIN) => Preference::Least,
            Some(own) => Preference::Value(*own),
        }
    }

    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        _: Option<Vec<&'s [i128]>>,
        _: bool,
    ) -> Option<&'s [i128]> {
        all.all().first().map(Vec::as_slice)
    }

    fn values(&mut self, _: u32, _: &Domain) -> Vec<i128> {
        Vec::new()
    }

    fn shuffle(&mut self, _: &mut [u32]) -> bool {
        true
    }
}

/// The rule by which one draw selects values.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Each has its least value.
    Least,
    /// Each the greatest.
    Greatest,
    /// Most have the least value that is possible beside the first.
    Close,
    /// Each anywhere.
    Anywhere,
}

/// Values that are drawn.
pub struct Anywhere<'r> {
    rng: &'r mut Stream,
    rule: Rule,
    /// True if there are few unknowns.
    few: bool,
    first: bool,
}

impl<'r> Anywhere<'r> {
    /// Creates the rule of one draw.
    pub fn new(rng: &'r mut Stream, unknowns: usize) -> Self {
        let few = unknowns <= FEW_UNKNOWNS;
        // A few unknowns are drawn from anywhere, because each solution should come up as often as the others.
        let rule = match rng.random_range(0..8) {
            _ if few => Rule::Anywhere,
            0 => Rule::Least,
            1 => Rule::Greatest,
            2 | 3 => Rule::Close,
            _ => Rule::Anywhere,
        };
        Self { rng, rule, few, first: true }
    }
}

impl Pick for Anywhere<'_> {
    fn wish(&self, _: u32) -> Preference {
        Preference::Any
    }

    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        some: Option<Vec<&'s [i128]>>,
        few: bool,
    ) -> Option<&'s [i128]> {
        let skew = few.then_some(EVENLY);
        let every = || all.all().iter().map(Vec::as_slice).collect();
        let least = match self.rule {
            Rule::Least => true,
            Rule::Close => !std::mem::take(&mut self.first) && self.rng.random_range(0..4) > 0,
            Rule::Greatest => return some.unwrap_or_else(every).into_iter().max(),
            Rule::Anywhere => false,
        };
        match (least, some) {
            (true, some) => some.unwrap_or_else(every).into_iter().min(),
            (false, Some(some)) => all.draw(self.rng, some, skew),
            (false, None) => all.draw_any(self.rng, skew),
        }
    }

    fn values(&mut self, _: u32, of: &Domain) -> Vec<i128> {
        let any = |rng: &mut Stream, of: &Domain| {
            let quotients = of.quotients();
            (!quotients.is_empty()).then(|| of.member(draw_integer(rng, &quotients, &[])))
        };
        match self.rule {
            Rule::Least => Vec::new(),
            Rule::Greatest => of.ends().map(|(_, most)| most).into_iter().collect(),
            Rule::Close if !std::mem::take(&mut self.first) => {
                if self.rng.random_range(0..4) > 0 {
                    return Vec::new();
                }
                let lo = of.set.min().unwrap_or(0);
                let near = IntervalSet::range(lo, lo.saturating_add(8));
                let near = Domain { set: of.set.intersect(&near), ..*of };
                any(self.rng, &near).into_iter().collect()
            }
            Rule::Close | Rule::Anywhere => {
                if let Some(mut all) = of.members(FEW) {
                    shuffle(self.rng, &mut all);
                    return all;
                }
                let draws = if self.few { MANY_DRAWS } else { DRAWS };
                (0..draws).filter_map(|_| any(self.rng, of)).collect()
            }
        }
    }

    fn shuffle(&mut self, unknowns: &mut [u32]) -> bool {
        // In a random order, each value is drawn between two fixed ones, as in bisecting a list. Each step halves the
        // range that is narrowed, so no end of a chain takes all the room.
        shuffle(self.rng, unknowns);
        true
    }
}
