//! Programs with walks, backwards: makes a representation of a canonical value.
//!
//! Walks compute the place of each record from the lengths of earlier ones, so no place is known until everything
//! before it is. Therefore the program itself is run, in its own order, on unknown bytes: each number that it reads is
//! an unknown with a domain. Assignments and assumptions narrow domains. If the course of the run depends on an
//! unknown, a decision is made that still allows the remaining outputs to be assigned. If a round of a loop reaches a
//! dead end, it is run in another way. Like any other result, the representation is normalized again.

mod choices;
mod decide;
mod eval;
mod exec;
mod linear;
mod numbers;
mod plan;
mod rounds;
mod run;
mod solve;
mod state;
mod walker;

use choices::Numbers;
pub(super) use plan::Plan;
use state::Dead;
use walker::Walker;

use super::backward::{Limits, Prepared};
use super::error::RunError;
use super::executable::Executable;
use super::forward::{normalize_with, normalizes_to};
use super::store::{Record, Store};
use crate::solve::{Choice, ChoiceSource, Choices};

/// The random stream of all decisions.
const STREAM: &str = "walks";
/// The maximum number of times that all decisions are made again.
const ATTEMPTS: u64 = 8;

/// Returns a representation of a canonical value.
///
/// # Errors
///
/// Returns [`RunError::NoRepresentation`] if none was found, [`RunError::Choice`] if a given choice does not fit.
pub(super) fn invert(
    prepared: &Prepared<'_>,
    limits: Limits,
    source: &mut ChoiceSource,
) -> Result<Record, RunError> {
    let (inverse, y) = (prepared.inverse(), prepared.canonical());
    let before = source.recorded().len();
    let mut why = None;
    for attempt in 0..ATTEMPTS {
        let Some(mut other) = source.attempt(attempt) else { break };
        other.rewind(before);
        match draw(inverse, y, limits, &mut other) {
            Ok(x) => {
                source.adopt(other);
                return Ok(x);
            }
            Err(RunError::Choice(e)) if source.is_given(e.dimension) => return Err(e.into()),
            Err(e) => why = Some(e),
        }
    }
    let given = inverse.plan().dimensions().find(|name| source.is_given(name.as_str()));
    match (given, why) {
        (Some(name), _) => {
            let value = source.given(name.as_str()).cloned().unwrap_or(Choice::List(Vec::new()));
            let why = "no run of the spec's walks has these numbers, with the other choices";
            Err(source.refusal(name.as_str(), &value, why).into())
        }
        (None, Some(why)) => Err(why),
        (None, None) => Err(RunError::NoRepresentation("no run was tried".to_owned())),
    }
}

fn draw(
    inverse: &Executable,
    y: &Store,
    limits: Limits,
    source: &mut ChoiceSource,
) -> Result<Record, RunError> {
    let (program, plan) = (inverse.program(), inverse.plan());
    let numbers = Numbers::of(plan, source, limits.slack);
    let rng = source.stream(STREAM);
    let mut walker = Walker::new(program, plan, (y, &numbers), rng, None);
    if let Err(dead) = walker.run(plan, source) {
        let message = match dead {
            Dead::End => "no run of the walks assigns what is left of the canonical value",
            Dead::Spent => "the walks take more steps than data of this size may",
        };
        let why = RunError::at(&program.source, walker.last, message);
        return Err(RunError::NoRepresentation(why.to_string()));
    }
    walker.record(plan, source)?;
    let x = walker.finish(source)?;
    match normalizes_to(inverse, &x, y) {
        Ok(true) => Ok(x),
        Ok(false) => Err(RunError::NoRepresentation("it is of another value".to_owned())),
        Err(e) => Err(RunError::NoRepresentation(e.to_string())),
    }
}

/// Returns the choices under which [`invert`] returns `x`, except for the content of free bytes.
///
/// # Errors
///
/// Returns an error if `x` is not a representation of `y`.
pub(super) fn own_choices(
    inverse: &Executable,
    x: &Record,
    y: &Record,
    limits: &Limits,
) -> Result<Choices, RunError> {
    let (program, plan) = (inverse.program(), inverse.plan());
    let (y, numbers) = (Store::full(y), Numbers::traced(plan));
    let mut source = ChoiceSource::replaying(Choices::new());
    let rng = source.stream(STREAM);
    let mut walker = Walker::new(program, plan, (&y, &numbers), rng, Some(x));
    let run = walker.run(plan, &mut source);
    run.map_err(|_| {
        let message = "the walks do not come to this representation";
        RunError::NoRepresentation(RunError::at(&program.source, walker.last, message).to_string())
    })?;
    let mut own = walker.own(plan);
    walker.tails(&mut own);
    // Choices that a replay does not make follow from others.
    let prepared = Prepared::new(inverse, Store::into_record(y.clone()), *limits)?;
    let mut replay = ChoiceSource::replaying(Choices::new()).with_baseline(own.clone());
    match invert(&prepared, *limits, &mut replay) {
        Ok(_) => {
            let made = |name: &str| replay.recorded().get(name).is_some();
            Ok(own.iter().filter(|c| made(c.0)).map(|(k, v)| (k.to_owned(), v.clone())).collect())
        }
        Err(_) => Ok(own),
    }
}

/// Returns an input that the program accepts, with its canonical value, which is arbitrary; `None` if none was found.
pub fn any_walk(inverse: &Executable, source: &mut ChoiceSource) -> Option<(Record, Record)> {
    let (program, plan) = (inverse.program(), inverse.plan());
    let numbers = Numbers::of(plan, source, 0);
    let y = Store::unset(&program.output);
    let mut walker = Walker::new(program, plan, (&y, &numbers), source.stream(STREAM), None);
    walker.any = true;
    walker.run(plan, source).ok()?;
    let x = walker.finish(source).ok()?;
    let y = normalize_with(inverse, &x).ok()?;
    Some((x, y))
}
