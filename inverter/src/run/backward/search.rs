//! The last resort: a representation found by search.
//!
//! Where the ensures, solved one after the other, come to values that do not go together,
//! the normalization program is run on unknowns ([`explore`](crate::run::explore)), which
//! get their values in the order in which it needs them and are taken back where they lead
//! nowhere. The search decides before anything is written; what it decides are choices like
//! all others.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::Backward;
use crate::program::{FieldId, Length, Program};
use crate::run::error::RunError;
use crate::run::explore::{Bounds, Class, Found, Goal, Options, Place, explore};
use crate::run::store::{Array, Datum, Slot, Value};
use crate::solve::draw::{draw_integer, shuffle};
use crate::solve::{Choice, ChoiceSource, Choices, Domain};

/// The dimension that says that the search has found the values of the others.
pub const SEARCH: &str = "search";

/// The most scalars and elements of what is searched for: each takes some 400 bytes of memory,
/// and more than these are beyond the steps of a search.
pub const MOST_ELEMENTS: usize = 1 << 17;

/// Steps of one search; each is an operation or so.
const STEPS: usize = 400_000;
/// Runs after which it starts anew with other values.
const RUNS: usize = 800;
/// How often it does.
const STARTS: u64 = 3;

/// What came of a search.
pub(super) enum Searched {
    /// A representation.
    Found(Class),
    /// There is none.
    None,
    /// It was over its bounds.
    Spent,
}

/// Values for the search: those given, else the baseline's first, else drawn.
struct Drawn<'a> {
    source: &'a ChoiceSource,
    start: u64,
    landmarks: &'a [i128],
    /// The largest small value: beyond it only what is drawn.
    small: i128,
    /// Whether some values of an unknown were left out.
    partial: bool,
    /// The values given for elements, by field.
    given: BTreeMap<FieldId, Option<BTreeMap<[i128; 3], i128>>>,
}

impl Options for Drawn<'_> {
    fn of(&mut self, program: &Program, place: Place, domain: &Domain, settled: bool) -> Vec<i128> {
        const MOST: u128 = 64;
        let f = &program.input.fields[place.0];
        if let Some(given) = self.given(program, place) {
            return if domain.contains(given) { vec![given] } else { Vec::new() };
        }
        let quotients = domain.quotients();
        if settled && quotients.len() == 1 {
            return quotients.min().map(|q| domain.member(q)).into_iter().collect();
        }
        let name = f.dimension();
        let varies = self.source.varies(name);
        let mut rng = self.source.stream(&format!("{name} {:?} {}", place.1, self.start));
        let mut out: Vec<i128> = if let Some(members) = domain.members(MOST) {
            members
        } else {
            self.partial = true;
            let near = self.landmarks.iter().flat_map(|n| [n - 1, *n, n + 1]);
            let ends = quotients.min().into_iter().chain(quotients.max());
            let ends: Vec<i128> = ends.map(|q| domain.member(q)).collect();
            let drawn: Vec<i128> =
                (0..4).map(|_| domain.member(draw_integer(&mut rng, &quotients, &[]))).collect();
            let all = (0..=self.small).chain(near).chain(ends).chain(drawn);
            let mut all: Vec<i128> = all.filter(|n| domain.contains(*n)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        if varies {
            shuffle(&mut rng, &mut out);
        } else if let Some(Choice::Int(n)) = self.source.kept(name)
            && let Some(k) = out.iter().position(|m| m == n)
        {
            out[..=k].rotate_right(1);
        }
        out
    }
}

impl Drawn<'_> {
    fn given(&mut self, program: &Program, (field, index): Place) -> Option<i128> {
        let f = &program.input.fields[field];
        if f.is_scalar() {
            return match self.source.given(f.dimension()) {
                Some(Choice::Int(n)) => Some(*n),
                _ => None,
            };
        }
        let elements = self.given.entry(field).or_insert_with(|| {
            match self.source.given(&format!("{} elements", f.dimension())) {
                Some(Choice::Text(text)) => elements_from_text(text),
                _ => None,
            }
        });
        elements.as_ref()?.get(&index).copied()
    }
}

impl Backward<'_> {
    /// Looks for a representation.
    pub(super) fn search(&self) -> Searched {
        if self.prepared.elements > MOST_ELEMENTS {
            return Searched::Spent;
        }
        let Some(y) = self.output.value() else { return Searched::Spent };
        let program = &self.inverse.program;
        let extent = |d: &Datum| match d {
            Datum::Scalar(_) => 0,
            Datum::Array(a) => a.cells.len() as i128,
        };
        let most = y.fields.iter().map(extent).fold(0, i128::max);
        let mut steps = STEPS;
        for start in 0..STARTS {
            let mut options = Drawn {
                source: self.source,
                start,
                landmarks: self.landmarks,
                small: (most + 8).min(64),
                partial: false,
                given: BTreeMap::new(),
            };
            let mut found: Option<Class> = None;
            let bounds = Bounds { runs: RUNS, steps: steps / 2 };
            steps -= steps / 2;
            let whole = explore(program, Goal::Match(&y), &mut options, bounds, &mut |f| match f {
                Found::Class(class) => {
                    found = Some(class);
                    false
                }
                Found::Wrong(..) => true,
            });
            match found {
                Some(class) => return Searched::Found(class),
                None if whole && !options.partial => return Searched::None,
                None => {}
            }
        }
        Searched::Spent
    }

    /// Takes over what the search has found, as choices.
    pub(super) fn take(&mut self, class: &Class) -> Result<(), RunError> {
        for (name, value) in choices_of(self.program, class).iter() {
            self.source.settle(name, value.clone(), String::new)?;
        }
        let least = class.value(self.program);
        let Some(least) = least else {
            return Err(RunError::NoRepresentation("an array would be too large".into()));
        };
        for (field, f) in self.program.input.indexed() {
            let known = |k: &Place| k.0 == field;
            match &least.fields[field] {
                Datum::Scalar(n) => {
                    if f.lengths.is_empty() && class.known.keys().any(known) {
                        self.give(field, *n);
                    }
                }
                Datum::Array(small) => {
                    let mut lengths = small.lengths.clone();
                    for (k, length) in f.lengths.iter().enumerate() {
                        if *length == Length::Free {
                            let name = f.tail(k);
                            lengths[k] += self.tail(&name)? as usize;
                        }
                    }
                    let Some(mut array) = Array::zeros(f.int, lengths) else {
                        return Err(RunError::NoRepresentation(
                            "an array would be too large".into(),
                        ));
                    };
                    let mut set = FixedBitSet::with_capacity(array.cells.len());
                    for ((_, index), n) in class.known.iter().filter(|(k, _)| known(k)) {
                        if let Some(at) = array.place(&index[..f.lengths.len()]) {
                            array.cells.set(at, *n);
                            set.insert(at);
                        }
                    }
                    self.input.slots[field] = Slot::Array(array, set);
                }
            }
        }
        // A scalar that nothing reads may still say how long an array is.
        for (field, f) in self.program.input.indexed() {
            if f.is_scalar()
                && self.input.slots[field] == Slot::Unset
                && self.is_length(field)
                && let Datum::Scalar(n) = least.fields[field]
            {
                self.give(field, n);
            }
        }
        Ok(())
    }
}

/// What a search would have to find to come to `x`, with the tails of its arrays.
pub fn choices_for(program: &Program, class: &Class, x: &Value) -> Choices {
    let mut out = choices_of(program, class);
    let Some(least) = class.value(program) else { return out };
    for (f, both) in program.input.fields.iter().zip(x.fields.iter().zip(&least.fields)) {
        let (Datum::Array(long), Datum::Array(short)) = both else { continue };
        for (k, length) in f.lengths.iter().enumerate() {
            if *length == Length::Free {
                let name = f.tail(k);
                out.set(&name, long.lengths[k] as i128 - short.lengths[k] as i128);
            }
        }
    }
    out
}

/// What a search has found, as choices: every scalar and element that was read.
fn choices_of(program: &Program, class: &Class) -> Choices {
    let mut out = Choices::new();
    out.set(SEARCH, Choice::from("yes"));
    for (field, f) in program.input.indexed() {
        if f.is_scalar() {
            if let Some(n) = class.known.get(&(field, [0; 3])) {
                out.set(f.dimension(), *n);
            }
            continue;
        }
        // The values of a large array follow from its places.
        let own = class.known.iter().filter(|(k, _)| k.0 == field);
        let text: Vec<String> = own
            .map(|((_, index), n)| {
                let index: Vec<String> =
                    index[..f.lengths.len()].iter().map(ToString::to_string).collect();
                format!("{}={n}", index.join("."))
            })
            .collect();
        if !text.is_empty() {
            out.set(&format!("{} elements", f.dimension()), Choice::Text(text.join(" ")));
        }
    }
    out
}

fn elements_from_text(text: &str) -> Option<BTreeMap<[i128; 3], i128>> {
    let mut out = BTreeMap::new();
    for word in text.split(' ') {
        let (index, value) = word.split_once('=')?;
        let mut at = [0; 3];
        for (slot, part) in at.iter_mut().zip(index.split('.')) {
            *slot = part.parse().ok()?;
        }
        out.insert(at, value.parse().ok()?);
    }
    Some(out)
}
