//! Causes that are one fault, and how sure that is.
//!
//! Two causes may be one fault if the functions of the library that remain are the same, in the same
//! order, and the outcome is. That alone proves nothing, as faults of one function would be one: another
//! run must support it.

use std::io;

use interfaces::graph::Call;
use interfaces::suite::Sequence;

use super::driver::Kind;
use super::finding::is_part;
use super::probe::Probe;
use super::result::{Cause, Sure};
use crate::campaign::Budget;
use crate::client::message::shape;

/// Other sequences on which two causes are compared; fewer where each needs a new process.
const COMPARED: usize = 24;
const COMPARED_CRASHES: usize = 4;

/// A cause with what runs its sequence.
pub(super) struct Case<'a> {
    pub cause: Cause,
    pub probe: Probe<'a>,
}

/// Merges causes that are one fault into the first of them.
///
/// # Errors
///
/// A driver cannot be run.
pub(super) fn merged<'a>(cases: Vec<Case<'a>>, budget: &Budget) -> io::Result<Vec<Case<'a>>> {
    let mut out: Vec<Case<'a>> = Vec::new();
    for case in cases {
        let mut best: Option<(usize, Sure)> = None;
        for (place, known) in out.iter().enumerate() {
            if budget.ends_reduction() || best.is_some_and(|(_, sure)| sure == Sure::Sure) {
                break;
            }
            if let Some(sure) = support(known, &case)? {
                best = best.filter(|(_, before)| *before >= sure).or(Some((place, sure)));
            }
        }
        match best {
            Some((place, sure)) => out[place].cause.take(case.cause, sure),
            None => out.push(case),
        }
    }
    for place in 1..out.len() {
        let (before, from) = out.split_at(place);
        let cause = &from[0].cause;
        out[place].cause.like = before.iter().position(|b| is_like(&b.cause, cause)).map(|p| p + 1);
    }
    Ok(out)
}

/// True if two causes fail in one function with the same words: their faults may have a common root.
fn is_like(one: &Cause, other: &Cause) -> bool {
    one.outcome == other.outcome
        && one.library.last() == other.library.last()
        && same_words(one, other)
}

fn same_words(one: &Cause, other: &Cause) -> bool {
    one.kind != Kind::Differs && !one.why.is_empty() && shape(&one.why) == shape(&other.why)
}

/// The support for two causes being one fault; `None` if there is none.
fn support(one: &Case<'_>, other: &Case<'_>) -> io::Result<Option<Sure>> {
    let (a, b) = (&one.cause, &other.cause);
    if a.library != b.library || a.outcome != b.outcome {
        return Ok(None);
    }
    let named = a.outcome.says_where();
    if a.sequence == b.sequence {
        let alike = alike(one, other)?;
        let sure = if named || alike { Sure::Sure } else { Sure::Likely };
        return Ok((named || alike || same_words(a, b)).then_some(sure));
    }
    let (there, here) = (shows_on(one, other)?, shows_on(other, one)?);
    if !there && !here {
        return Ok(None);
    }
    let sure = named || (there && here && alike(one, other)?);
    Ok(Some(if sure { Sure::Sure } else { Sure::Likely }))
}

/// True if the sequence of `one` shows its fault on the file of `other`, as it is, or from the place in
/// the file where the sequence of `other` begins. Its own sequence would prove nothing.
fn shows_on(one: &Case<'_>, other: &Case<'_>) -> io::Result<bool> {
    let (from, to) = (&one.cause.sequence, &other.cause.sequence);
    let suite = other.probe.suite;
    let moved = [suite.opening(to), &from[suite.opening(from).len()..]].concat();
    for calls in [from.clone(), moved] {
        if calls != *to
            && other.probe.allows(&calls)
            && other.probe.shows(&one.cause.outcome, &calls, &other.cause.file)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if other sequences that end with the same call show the fault on the files of both, or on those of
/// neither: longer ones that contain the calls of one of the two, and then any.
fn alike(one: &Case<'_>, other: &Case<'_>) -> io::Result<bool> {
    let most = match one.cause.kind {
        Kind::Crash | Kind::Hang => COMPARED_CRASHES,
        Kind::Differs | Kind::Refused => COMPARED,
    };
    let (calls, others) = (&one.cause.sequence, &other.cause.sequence);
    let comparable = |sequence: &&Sequence| {
        let all = &sequence.calls;
        !sequence.fails
            && all != calls
            && all != others
            && all.last().map(|c| c.function) == calls.last().map(|c| c.function)
            && other.probe.allows(all)
    };
    let all = one.probe.suite.sequences.iter().filter(comparable).map(|s| s.calls.clone());
    let (longer, rest): (Vec<_>, Vec<_>) =
        all.partition(|all| is_part(calls, all) || is_part(others, all));
    let mut some = spread(longer, most);
    let missing = most - some.len();
    some.extend(spread(rest, missing));
    let shown = |case: &Case<'_>| -> io::Result<Vec<bool>> {
        let seen = case.probe.all(&some, &case.cause.file)?;
        let same = |seen: Option<(_, String)>| seen.is_some_and(|(o, _)| o == one.cause.outcome);
        Ok(seen.into_iter().map(same).collect())
    };
    Ok(!some.is_empty() && shown(one)? == shown(other)?)
}

/// At most `most` of some sequences, from all parts of the list.
fn spread(all: Vec<Vec<Call>>, most: usize) -> Vec<Vec<Call>> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).take(most).collect()
}
