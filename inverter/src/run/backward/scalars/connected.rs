//! Solves scalars that constraints connect as a network: lists all solutions if there are few; otherwise a search gives
//! each scalar the value of its own dimension if that leads to a solution.

use rand::RngExt;
use rand::seq::SliceRandom;

use crate::program::{FieldId, Ref};
use crate::run::backward::assignment::Assignment;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::evenly::Solutions;
use crate::solve::network::{FEW, Found, Network, Pick, Preference};
use crate::solve::{Choice, ChoiceSource, DimensionId, Domain, IntervalSet, Purpose, Stream};

use super::plan::Component;

/// Values of some unknowns that do not go together, whatever the others are.
pub type Combination = Vec<(FieldId, i128)>;

/// The values that are excluded in addition to the constraints, and the evenness of draws among few solutions.
#[derive(Clone, Copy)]
pub struct Ruled<'r> {
    /// For each unknown, the values that were already tried.
    pub excluded: &'r [&'r IntervalSet],
    /// Combinations of values that were already tried.
    pub refused: &'r [Combination],
    /// The factor by which one of few solutions may be drawn more often than the mean.
    pub skew: f64,
}

impl Component {
    /// Returns the component as a network; `None` if a constraint mentions anything but its unknowns.
    pub fn network(&self, cx: Context<'_>) -> Option<&Network> {
        let network = || {
            let domains = self.fields.iter().map(|f| Domain::range(cx.range(*f))).collect();
            let number = |r: &Ref| {
                let at = self.fields.iter().position(|f| *f == r.field && r.index.is_empty())?;
                u32::try_from(at).ok()
            };
            let tables = &cx.prepared.runner.cache.tables;
            Network::new(domains, self.preds.iter().map(|r| &r.pred), &number, tables)
        };
        self.network.get_or_init(network).as_ref()
    }
}

/// Assigns the unknowns of a component. Nothing is assigned if no solution is found, or none with the given values.
pub fn solve(
    cx: Context<'_>,
    component: &Component,
    ruled: Ruled<'_>,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<Found, RunError> {
    let Some(network) = component.network(cx) else { return Ok(Found::Spent) };
    let fields = &component.fields;
    let found = network.pick(&mut BySource::new(cx, fields, ruled, source));
    match &found {
        Found::Values(values) => {
            let given = |(field, value): (&FieldId, &i128)| {
                let given = source.given(cx.dimension(*field));
                given.is_none_or(|given| *given == Choice::Int(*value))
            };
            if !fields.iter().zip(values).all(given) {
                return Ok(Found::Spent);
            }
            assign_found(cx, component, values, &String::new, assignment, source)?;
            Ok(found)
        }
        // If other values were given, there might be a solution.
        Found::Nothing | Found::Spent => Ok(found),
    }
}

/// Assigns the values of a component's unknowns, in the order of `fields`. A value that the others force is not a
/// choice, so numbers that a spec computes from others are not separate dimensions. `why` states the constraint that a
/// different given value would violate.
pub fn assign_found(
    cx: Context<'_>,
    component: &Component,
    values: &[i128],
    why: &dyn Fn() -> String,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    let choices = component.network(cx).map(|network| network.choices(values));
    for (k, (field, value)) in component.fields.iter().zip(values).enumerate() {
        let name = cx.dimension(*field);
        if choices.as_ref().is_none_or(|choices| choices[k]) || source.is_given(name) {
            source.fix(name, Choice::Int(*value), why)?;
        }
        assignment.assign(*field, *value);
    }
    Ok(())
}

/// Values by the dimensions of scalars.
struct BySource<'s> {
    cx: Context<'s>,
    fields: &'s [FieldId],
    wishes: Vec<Preference>,
    ruled: Ruled<'s>,
    source: &'s ChoiceSource,
    /// For each unknown, the stream that selects halves of its values.
    halves: Vec<Option<Stream>>,
}

impl<'s> BySource<'s> {
    fn new(
        cx: Context<'s>,
        fields: &'s [FieldId],
        ruled: Ruled<'s>,
        source: &'s ChoiceSource,
    ) -> Self {
        let wish = |field: &FieldId| {
            let (name, (lo, hi)) = (cx.dimension(*field), cx.range(*field));
            let range = IntervalSet::range(lo, hi);
            let preferred = source.preferred(name, &range, cx.interesting_values);
            match preferred {
                Some(value) if source.is_given(name) => Preference::Value(value),
                Some(value) => Preference::Near(value),
                None if source.varies(name) => Preference::Any,
                None => Preference::Least,
            }
        };
        let wishes = fields.iter().map(wish).collect();
        Self { cx, fields, wishes, ruled, source, halves: vec![None; fields.len()] }
    }

    fn name(&self, unknown: u32) -> DimensionId {
        self.cx.dimension(self.fields[unknown as usize])
    }
}

impl Pick for BySource<'_> {
    fn wish(&self, unknown: u32) -> Preference {
        self.wishes[unknown as usize]
    }

    fn solution<'a>(
        &mut self,
        all: &'a Solutions,
        some: Option<Vec<&'a [i128]>>,
        few: bool,
    ) -> Option<&'a [i128]> {
        let skew = few.then_some(self.ruled.skew);
        let rng = &mut self.source.stream_for(self.name(0), Purpose::Few);
        match some {
            Some(some) => all.draw(rng, some, skew),
            None => all.draw_any(rng, skew),
        }
    }

    fn is_free(&self) -> bool {
        self.ruled.refused.is_empty() && self.ruled.excluded.iter().all(|set| set.is_empty())
    }

    fn values(&mut self, unknown: u32, of: &Domain, draws: usize) -> Vec<i128> {
        let name = self.name(unknown);
        match of.members(FEW) {
            Some(members) => self.source.preference(name, &members),
            None => self.source.proposals(name, of, self.cx.interesting_values, draws),
        }
    }

    fn greater_first(&mut self, unknown: u32) -> bool {
        let name = self.name(unknown);
        let stream = &mut self.halves[unknown as usize];
        stream.get_or_insert_with(|| self.source.stream_for(name, Purpose::Halves)).random()
    }

    fn ruled_out(&self, unknown: u32) -> Option<&IntervalSet> {
        self.ruled.excluded.get(unknown as usize).copied().filter(|set| !set.is_empty())
    }

    fn refuses(&self, unknowns: &[u32], values: &[i128]) -> bool {
        let value = |field: FieldId| {
            let at = unknowns.iter().position(|k| self.fields[*k as usize] == field)?;
            Some(values[at])
        };
        let excluded = |(k, value): (&u32, &i128)| {
            self.ruled.excluded.get(*k as usize).is_some_and(|set| set.contains(*value))
        };
        let has = |own: &(FieldId, i128)| value(own.0) == Some(own.1);
        unknowns.iter().zip(values).any(excluded)
            || self.ruled.refused.iter().any(|all| !all.is_empty() && all.iter().all(has))
    }

    fn shuffle(&mut self, unknowns: &mut [u32]) -> bool {
        unknowns.shuffle(&mut self.source.stream_for(self.name(0), Purpose::Few));
        false
    }
}
