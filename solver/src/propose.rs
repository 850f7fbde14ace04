//! Proposes values to a solver, which takes the first that can be completed.
//!
//! Proposals follow the precedence of [`Origin`](super::Origin). They are not recorded: the solver
//! records the value that it takes ([`ChoiceSource::fix`]).

use super::choices::Choice;
use super::dimension::{DimensionId, IntoDimension};
use super::domain::Domain;
use super::draw::{draw_integer, draw_tries, shuffle};
use super::interval::IntervalSet;
use super::source::ChoiceSource;
use super::stream::Stream;

impl ChoiceSource {
    /// Returns the `members` of a small domain in the order in which to try them: only the given
    /// one, or all with the default first, or all shuffled. Those that satisfy a soft constraint
    /// come first.
    pub fn preference(&self, dimension: impl IntoDimension, members: &[i128]) -> Vec<i128> {
        let id = self.id(dimension);
        let place = |value: &Choice| members.iter().position(|m| *value == Choice::Int(*m));
        let mut order = members.to_vec();
        if let Some(given) = self.given(id) {
            return place(given).map(|k| members[k]).into_iter().collect();
        }
        if self.varies(id) {
            shuffle(&mut self.stream(id), &mut order);
        } else if let Some(k) = self.default_value(id).and_then(place) {
            order[..=k].rotate_right(1);
        }
        self.prefer_softly(id, &mut order);
        order
    }

    /// Returns values of a domain to propose, best first: the given one, the default, or a few draws, some of them near
    /// `interesting_values`.
    pub fn candidates(
        &self,
        dimension: impl IntoDimension,
        domain: &IntervalSet,
        interesting_values: &[i128],
    ) -> Vec<i128> {
        let id = self.id(dimension);
        match self.settled(id) {
            Some(Choice::Int(n)) => vec![*n],
            _ if domain.is_empty() || !self.varies(id) => Vec::new(),
            _ => {
                let draw = |rng: &mut Stream| draw_integer(rng, domain, interesting_values);
                let soft = self.softly_integer(id, |n| domain.contains(n), draw);
                let mut rng = self.stream(id);
                soft.into_iter().chain((0..4).map(|_| draw(&mut rng))).collect()
            }
        }
    }

    /// Returns members of a large domain to try, best first: the given one, or the default and the
    /// simplest, or `draws` random ones.
    pub fn proposals(
        &self,
        dimension: impl IntoDimension,
        domain: &Domain,
        interesting_values: &[i128],
        draws: usize,
    ) -> Vec<i128> {
        let id = self.id(dimension);
        let int = |value: &Choice| match value {
            Choice::Int(n) if domain.contains(*n) => Some(*n),
            _ => None,
        };
        if let Some(given) = self.given(id) {
            return int(given).into_iter().collect();
        }
        let quotients = domain.quotients();
        if !self.varies(id) {
            let simplest = quotients.min().map(|q| domain.member(q));
            return self.default_value(id).and_then(int).into_iter().chain(simplest).collect();
        }
        if quotients.is_empty() {
            return Vec::new();
        }
        let interesting_values = if domain.modulus == 1 { interesting_values } else { &[] };
        let draw =
            |rng: &mut Stream| domain.member(draw_integer(rng, &quotients, interesting_values));
        let soft = self.softly_integer(id, |n| domain.contains(n), draw);
        let tries = draw_tries(&mut self.stream(id), &quotients, interesting_values, draws);
        soft.into_iter().chain(tries.into_iter().map(|q| domain.member(q))).collect()
    }

    /// Returns one value to propose for each of `domains`.
    pub fn candidate_list(&self, dimension: impl IntoDimension, domains: &[Domain]) -> Vec<i128> {
        let id = self.id(dimension);
        let one = |rng: &mut Stream, domain: &Domain| {
            let quotients = domain.quotients();
            let empty = quotients.is_empty();
            domain.member(if empty { 0 } else { draw_integer(rng, &quotients, &[]) })
        };
        let draw =
            |rng: &mut Stream| -> Vec<i128> { domains.iter().map(|d| one(rng, d)).collect() };
        let fits =
            |value: &Choice| matches!(value, Choice::List(items) if items.len() == domains.len());
        if let Some(Choice::List(values)) = self.settled(id).filter(|value| fits(value)) {
            return values.clone();
        }
        match self.softly(id, fits, |rng| Choice::List(draw(rng))) {
            Some(Choice::List(values)) => values,
            _ => draw(&mut self.stream(id)),
        }
    }

    /// Returns the value of `domain` that a solver must or should find for a dimension: the given one, the default of a
    /// dimension that does not vary, or one that satisfies a soft constraint.
    pub fn preferred(
        &self,
        dimension: impl IntoDimension,
        domain: &IntervalSet,
        interesting_values: &[i128],
    ) -> Option<i128> {
        let id = self.id(dimension);
        match self.settled(id) {
            Some(Choice::Int(n)) => Some(*n),
            _ if domain.is_empty() || !self.varies(id) => None,
            _ => {
                let draw = |rng: &mut Stream| draw_integer(rng, domain, interesting_values);
                self.softly_integer(id, |n| domain.contains(n), draw)
            }
        }
    }

    /// Returns the values that a solver must or should find for a dimension with `len` values: the given ones, or the
    /// default of a dimension that does not vary. A single value may be an integer.
    pub fn settled_list(&self, dimension: impl IntoDimension, len: usize) -> Option<Vec<i128>> {
        match self.settled(self.id(dimension))? {
            Choice::List(values) if values.len() == len => Some(values.clone()),
            Choice::Int(n) if len == 1 => Some(vec![*n]),
            _ => None,
        }
    }

    /// Returns the given value, or the default of a dimension that does not vary.
    fn settled(&self, id: DimensionId) -> Option<&Choice> {
        match self.given(id) {
            Some(value) => Some(value),
            None if self.varies(id) => None,
            None => self.default_value(id),
        }
    }

    /// Returns an integer that satisfies both the soft constraint of a dimension and `fits`.
    fn softly_integer(
        &self,
        id: DimensionId,
        fits: impl Fn(i128) -> bool,
        mut draw: impl FnMut(&mut Stream) -> i128,
    ) -> Option<i128> {
        let fits = |value: &Choice| matches!(value, Choice::Int(n) if fits(*n));
        match self.softly(id, fits, |rng| Choice::Int(draw(rng)))? {
            Choice::Int(n) => Some(n),
            _ => None,
        }
    }
}
