//! Connected scalars that have few solutions: all are listed, and each is drawn about as often as the others.
//!
//! A search decides one unknown after the other, so that it draws a solution that shares its values with none
//! much more often than those that share them with many. Listing is bounded by work, which is small where the
//! unknowns have many values: those have too many solutions, or would take too long.

use super::backtrack::{assign_found, has_many};
use super::connected::{agrees_with_given, network, preferences};
use super::plan::Component;
use crate::program::FieldId;
use crate::run::backward::assignment::Assignment;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::evenly::{FEW, Solutions};
use crate::solve::network::Preference;
use crate::solve::{ChoiceSource, IntervalSet, Purpose};

/// The effort of listing the solutions of a component.
const EFFORT: u64 = 100_000;

/// Values of some unknowns that do not go together, whatever the others are.
pub type Combination = Vec<(FieldId, i128)>;

/// Assigns the unknowns of a component that has few solutions, without the `refused` combinations of values;
/// `skew` bounds how often one is drawn. Returns false, with nothing assigned, if nothing is to be drawn, or the
/// solutions are many or none.
pub fn solve(
    cx: Context<'_>,
    component: &Component,
    excluded: &[&IntervalSet],
    (refused, skew): (&[Combination], f64),
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<bool, RunError> {
    let fields = &component.fields;
    if !fields.iter().any(|field| source.varies(cx.dimension(*field))) {
        return Ok(false);
    }
    let few = component.few.get_or_init(|| {
        if has_many(cx, component, FEW as u128) {
            return None;
        }
        let all = network(cx, component, &[])?.all(FEW, EFFORT)?;
        (!all.is_empty()).then(|| Solutions::new(all))
    });
    let Some(few) = few else { return Ok(false) };
    let preferences = preferences(cx, fields, source);
    let suits = |values: &&[i128]| {
        let mut each = values.iter().zip(&preferences).zip(excluded);
        each.all(|((value, wish), excluded)| {
            !excluded.contains(*value) && !matches!(wish, Preference::Value(own) if own != value)
        }) && !refused.iter().any(|combination| has(fields, values, combination))
    };
    let suitable: Vec<&[i128]> = few.all().iter().map(Vec::as_slice).filter(suits).collect();
    let mut rng = source.stream_for(cx.dimension(fields[0]), Purpose::Few);
    let Some(drawn) = few.draw(&mut rng, suitable.clone(), skew) else { return Ok(false) };
    let values = simplest(drawn, suitable, &preferences);
    if !agrees_with_given(cx, fields, values, source) {
        return Ok(false);
    }
    assign_found(cx, component, values, &String::new, assignment, source)?;
    Ok(true)
}

/// Returns true if values of these fields have all of a combination.
fn has(fields: &[FieldId], values: &[i128], combination: &Combination) -> bool {
    combination.iter().all(|(field, value)| {
        fields.iter().position(|f| f == field).is_some_and(|at| values[at] == *value)
    })
}

/// Returns the solution that has the drawn values where these are to be drawn, and the least otherwise.
fn simplest<'s>(
    drawn: &'s [i128],
    suitable: Vec<&'s [i128]>,
    preferences: &[Preference],
) -> &'s [i128] {
    let chosen = |values: &&[i128]| {
        let mut each = values.iter().zip(drawn).zip(preferences);
        each.all(|((value, drawn), wish)| *wish != Preference::Any || value == drawn)
    };
    // The others have the same value in all that are left, or should have the least.
    suitable.into_iter().filter(chosen).min().unwrap_or(drawn)
}
