//! The last resort: a representation found by search.
//!
//! The normalization program itself is run on unknowns ([`explore`](crate::run::explore)) when the ensures, solved one
//! after another, yield contradictory values. Unknowns are assigned in the order in which the program needs them, and
//! the search backtracks where a run fails. It ends before anything is written, and its results are recorded as
//! choices.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;

use super::context::Context;
use super::sizes::is_length;
use super::state::Backward;
use crate::program::{FieldId, Program};
use crate::run::error::RunError;
use crate::run::explore::{Bounds, Class, Element, Matches, Options, explore};
use crate::run::store::{Array, FieldValue, Record, Slot};
use crate::solve::draw::{draw_integer, shuffle};
use crate::solve::{Choice, ChoiceSource, Choices, Domain, Purpose};

/// The dimension that records that the values of the others come from the search.
pub const SEARCH: &str = "search";

/// The maximum number of scalars and elements of a value for which a search is made. Each takes some 400 bytes of
/// memory, and the steps of a search do not suffice for more.
pub const MOST_ELEMENTS: usize = 1 << 17;

/// The maximum number of steps of one search; each is about one operation.
const STEPS: usize = 400_000;
/// The number of runs after which a search restarts with other values.
const RUNS: usize = 800;
/// The number of times that a search starts.
const STARTS: u64 = 3;

/// The result of a search.
pub enum Searched {
    /// A representation.
    Found(Class),
    /// There is no representation.
    None,
    /// The search reached a bound.
    Spent,
}

/// Values for the search: given values; otherwise the baseline's values first, or drawn ones.
struct Drawn<'a> {
    source: &'a ChoiceSource,
    start: u64,
    interesting_values: &'a [i128],
    /// The largest value that counts as small: all small values are tried.
    small: i128,
    /// True if some values of an unknown were left out.
    partial: bool,
    /// The values given for elements, by field.
    given: BTreeMap<FieldId, Option<BTreeMap<[i128; 3], i128>>>,
}

impl Options for Drawn<'_> {
    fn of(
        &mut self,
        program: &Program,
        element: Element,
        domain: &Domain,
        settled: bool,
    ) -> Vec<i128> {
        const MOST: u128 = 64;
        let f = &program.input.fields[element.field];
        if let Some(given) = self.given(program, element) {
            return if domain.contains(given) { vec![given] } else { Vec::new() };
        }
        let quotients = domain.quotients();
        if settled && quotients.len() == 1 {
            return quotients.min().map(|q| domain.member(q)).into_iter().collect();
        }
        let name = f.dimension();
        let varies = self.source.varies(name);
        let mut rng = self.source.stream_for(name, Purpose::Element(element.index, self.start));
        let mut out: Vec<i128> = if let Some(members) = domain.members(MOST) {
            members
        } else {
            self.partial = true;
            let near = self.interesting_values.iter().flat_map(|n| [n - 1, *n, n + 1]);
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
        } else if let Some(Choice::Int(n)) = self.source.default_value(name)
            && let Some(k) = out.iter().position(|m| m == n)
        {
            out[..=k].rotate_right(1);
        }
        out
    }
}

impl Drawn<'_> {
    fn given(&mut self, program: &Program, Element { field, index }: Element) -> Option<i128> {
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

/// Searches for a representation.
pub fn search(cx: Context<'_>, source: &ChoiceSource) -> Searched {
    if cx.prepared.elements > MOST_ELEMENTS {
        return Searched::Spent;
    }
    let Some(y) = cx.output.value() else { return Searched::Spent };
    let extent = |d: &FieldValue| match d {
        FieldValue::Scalar(_) => 0,
        FieldValue::Array(a) => a.cells.len() as i128,
    };
    let most = y.fields.iter().map(extent).fold(0, i128::max);
    let mut steps = STEPS;
    for start in 0..STARTS {
        let mut options = Drawn {
            source,
            start,
            interesting_values: cx.interesting_values,
            small: (most + 8).min(64),
            partial: false,
            given: BTreeMap::new(),
        };
        let mut found: Option<Class> = None;
        let bounds = Bounds { runs: RUNS, steps: steps / 2 };
        steps -= steps / 2;
        let goal = Matches::of(&y);
        let whole = explore(cx.program, &goal, &mut options, bounds, &mut |_, class| {
            found = Some(class);
            false
        });
        match found {
            Some(class) => return Searched::Found(class),
            None if whole && !options.partial => return Searched::None,
            None => {}
        }
    }
    Searched::Spent
}

/// Returns the message that an array would be too large: the array of which an element beyond the limit is used.
fn largest(program: &Program, class: &Class) -> String {
    let last = |e: &&Element| e.index.into_iter().max().unwrap_or(0);
    match class.known.keys().max_by_key(last) {
        Some(e) => {
            let f = &program.input.fields[e.field];
            let name = e.name(&program.input_name(e.field), f.lengths.len());
            format!("an array would be too large: {name} is used")
        }
        None => "an array would be too large".to_owned(),
    }
}

/// Assigns and records the results of the search.
pub fn take_over(run: &mut Backward<'_>, class: &Class) -> Result<(), RunError> {
    let cx = run.cx;
    let program = cx.program;
    for (name, value) in choices_of(program, class).iter() {
        run.choices.source.fix(name, value.clone(), String::new)?;
    }
    let too_large = |what: String| RunError::NoRepresentation(what);
    let least = class.value(program).ok_or_else(|| too_large(largest(program, class)))?;
    for (field, f) in program.input.indexed() {
        match &least.fields[field] {
            FieldValue::Scalar(n) => {
                if f.lengths.is_empty() && class.known.keys().any(|e| e.field == field) {
                    run.assignment.assign(field, *n);
                }
            }
            FieldValue::Array(small) => {
                let mut lengths = small.lengths.clone();
                for k in 0..f.lengths.len() {
                    if program.has_tail(field, k) {
                        lengths[k] += run.tail(&f.tail(k))? as usize;
                    }
                }
                let size = lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
                let name = program.input_name(field);
                let what = format!("{name} would be too large: {size} elements");
                let mut array = Array::zeros(f.int, lengths).ok_or_else(|| too_large(what))?;
                let mut set = FixedBitSet::with_capacity(array.cells.len());
                for (e, n) in class.known.iter().filter(|(e, _)| e.field == field) {
                    if let Some(at) = array.place(&e.index[..f.lengths.len()]) {
                        array.cells.set(at, *n);
                        set.insert(at);
                    }
                }
                run.assignment.input.slots[field] = Slot::Array(array, set);
            }
        }
    }
    // A scalar that nothing reads may still be the length of an array.
    for (field, f) in program.input.indexed() {
        if f.is_scalar()
            && run.assignment.is_unset(field)
            && is_length(program, field)
            && let FieldValue::Scalar(n) = least.fields[field]
        {
            run.assignment.assign(field, n);
        }
    }
    Ok(())
}

/// Returns the choices by which a search would find `x`, with the tails of its arrays.
pub fn choices_for(program: &Program, class: &Class, x: &Record) -> Choices {
    let mut out = choices_of(program, class);
    let Some(least) = class.value(program) else { return out };
    for (field, f) in program.input.indexed() {
        let (FieldValue::Array(long), FieldValue::Array(short)) =
            (&x.fields[field], &least.fields[field])
        else {
            continue;
        };
        for k in 0..f.lengths.len() {
            if program.has_tail(field, k) {
                out.set(f.tail(k), long.lengths[k] as i128 - short.lengths[k] as i128);
            }
        }
    }
    out
}

/// Returns the result of a search as choices: every scalar and element that was read.
fn choices_of(program: &Program, class: &Class) -> Choices {
    let mut out = Choices::new();
    out.set(SEARCH, Choice::from("yes"));
    for (field, f) in program.input.indexed() {
        if f.is_scalar() {
            if let Some(n) = class.known.get(&Element::scalar(field)) {
                out.set(f.dimension(), *n);
            }
            continue;
        }
        let own = class.known.iter().filter(|(e, _)| e.field == field);
        let text: Vec<String> = own
            .map(|(e, n)| {
                let index: Vec<String> =
                    e.index[..f.lengths.len()].iter().map(ToString::to_string).collect();
                format!("{}={n}", index.join("."))
            })
            .collect();
        if !text.is_empty() {
            out.set(format!("{} elements", f.dimension()), Choice::Text(text.join(" ")));
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
