//! Solves elements that constraints connect as a network: chains, sums, small systems.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::program::{Expr, FieldId, Pred, Ref, Side};
use crate::run::backward::constraints::by_cell::position;
use crate::run::error::RunError;
use crate::solve::draw::draw_integer;
use crate::solve::network::{Found, Network, Tables};
use crate::solve::{Choice, ChoiceSource, DimensionId, Domain, Stream, list_of};

/// An element of an array, by field and indices.
type Element = (FieldId, [i128; 3]);

/// The values of elements, as far as they are known.
pub type Values<'v> = dyn Fn(&Ref) -> Option<i128> + 'v;

/// The elements of an array that constraints connect, and the connected elements of arrays that are chosen later.
#[derive(Debug)]
pub struct Connected {
    network: Network,
    /// The number of each unknown in the network.
    numbers: FxHashMap<Element, u32>,
    /// The elements of the array itself, which are the first unknowns, by position among its cells.
    cells: Vec<usize>,
    /// The least solution, if it is found without a search.
    simplest: OnceLock<Option<Vec<i128>>>,
}

/// The array whose elements are chosen.
pub struct Chosen<'s> {
    /// The array.
    pub field: FieldId,
    /// Its lengths.
    pub lengths: &'s [usize],
    /// The values that each element may have, apart from the others.
    pub domains: &'s [Domain],
}

impl Connected {
    /// Creates the network of constraints that connect elements of an array, with each other and with
    /// elements of other arrays, whose values are `later`; `None` if a constraint mentions anything else.
    pub fn new(
        chosen: &Chosen<'_>,
        preds: &[&Pred],
        later: impl Fn(FieldId) -> Option<Domain>,
        tables: &Tables,
    ) -> Option<Self> {
        let mut own: Vec<(usize, Element)> = Vec::new();
        let mut others: Vec<Element> = Vec::new();
        let mut numbers: FxHashMap<Element, u32> = FxHashMap::default();
        let mut plain = true;
        for p in preds {
            p.refs(&mut |r| {
                let Some(e) = element(r) else {
                    plain = false;
                    return;
                };
                if numbers.insert(e, 0).is_some() {
                    return;
                }
                match position(&r.index, chosen.lengths).filter(|_| r.field == chosen.field) {
                    Some(at) => own.push((at, e)),
                    None => others.push(e),
                }
            });
        }
        if !plain {
            return None;
        }
        // Unknowns are numbered in the order of the arrays, which most chains follow.
        own.sort_unstable();
        others.sort_unstable();
        let mut domains = Vec::with_capacity(numbers.len());
        for (at, _) in &own {
            domains.push(chosen.domains.get(*at)?.clone());
        }
        for (field, _) in &others {
            domains.push(later(*field).filter(|_| *field != chosen.field)?);
        }
        numbers.extend(own.iter().map(|(_, e)| *e).chain(others).zip(0..));
        let number = |r: &Ref| numbers.get(&element(r)?).copied();
        let network = Network::new(domains, preds.iter().copied(), &number, tables)?;
        let cells = own.into_iter().map(|(at, _)| at).collect();
        Some(Self { network, numbers, cells, simplest: OnceLock::new() })
    }

    /// Chooses the values of all elements; unconnected ones have separate `domains`. `None` if no solution was found
    /// without a solver. If given values do not fit, `broken` describes a constraint that they violate.
    pub fn choose(
        &self,
        name: DimensionId,
        domains: &[Domain],
        broken: &dyn Fn(&Values<'_>) -> Option<String>,
        source: &mut ChoiceSource,
    ) -> Result<Option<Vec<i128>>, RunError> {
        let Some(simplest) = self.simplest() else { return Ok(None) };
        let fit = |value: &Choice| {
            let values = list_of(value, domains)?;
            match self.extends(values) {
                true => Ok(values.to_vec()),
                false => Err(self.broken(values, broken)),
            }
        };
        let simplest_of_all = || self.with(domains.iter().map(Domain::least).collect(), simplest);
        let chosen = source.choose(
            name,
            fit,
            || Choice::List(simplest_of_all()),
            |rng| {
                let own = self.draw(rng);
                let own = own.as_deref().unwrap_or(simplest);
                let any = |d: &Domain| d.member(draw_integer(rng, &d.quotients(), &[]));
                Choice::List(self.with(domains.iter().map(any).collect(), own))
            },
        )?;
        Ok(Some(chosen))
    }

    /// Returns values of all elements with those of the network replaced.
    fn with(&self, mut values: Vec<i128>, own: &[i128]) -> Vec<i128> {
        self.cells.iter().zip(own).for_each(|(at, value)| values[*at] = *value);
        values
    }

    /// Returns true if the other unknowns have values that fit these values of the array.
    fn extends(&self, values: &[i128]) -> bool {
        let own: Vec<i128> = self.cells.iter().map(|at| values[*at]).collect();
        if own.len() == self.network.unknowns() {
            return self.network.holds(&own);
        }
        matches!(self.network.near(&own), Found::Values(found) if found.starts_with(&own))
    }

    fn simplest(&self) -> Option<&[i128]> {
        self.simplest.get_or_init(|| values(self.network.near(&[]))).as_deref()
    }

    fn draw(&self, rng: &mut Stream) -> Option<Vec<i128>> {
        values(self.network.draw(rng))
    }

    /// Explains why values of the array do not fit.
    fn broken(&self, values: &[i128], broken: &dyn Fn(&Values<'_>) -> Option<String>) -> String {
        let value = |r: &Ref| {
            let number = *self.numbers.get(&element(r)?)? as usize;
            values.get(*self.cells.get(number)?).copied()
        };
        match broken(&value) {
            Some(constraint) => format!("with it this does not hold: {constraint}"),
            None => "with it there is no solution of the constraints".to_owned(),
        }
    }
}

fn values(found: Found) -> Option<Vec<i128>> {
    match found {
        Found::Values(values) => Some(values),
        Found::Nothing | Found::Spent => None,
    }
}

/// Returns the element to which a reference with numerals as indices refers.
fn element(r: &Ref) -> Option<Element> {
    let mut index = [0; 3];
    for (slot, e) in index.iter_mut().zip(&r.index) {
        let Expr::Int(n) = e else { return None };
        *slot = *n;
    }
    (r.side == Side::Input).then_some((r.field, index))
}
