//! Decides which causes are the same fault, and how certain that is.
//!
//! Two causes may be the same fault if the remaining functions of the library, their order, and the outcome are the
//! same. That alone proves nothing: all faults of one function could look the same. Another run must support it.

use std::io;

use interfaces::graph::Call;
use interfaces::suite::Sequence;

use super::driver::Kind;
use super::finding::is_part;
use super::probe::Probe;
use super::result::{Cause, Sure};
use campaign::Budget;
use clients::message::shape;

/// The number of other sequences on which two causes are compared. If each sequence needs a new process, fewer are
/// used.
const COMPARED: usize = 24;
const COMPARED_CRASHES: usize = 4;

/// A cause, with the probe that runs its sequence.
pub(super) struct Case<'a> {
    pub cause: Cause,
    pub probe: Probe<'a>,
}

/// Merges each cause into the first cause that is the same fault. Once the time for reduction is over, merges only
/// causes for which no other run is needed, and marks others that may be the same fault.
///
/// # Errors
///
/// A driver cannot be run.
pub(super) fn merged<'a>(cases: Vec<Case<'a>>, budget: &Budget) -> io::Result<Vec<Case<'a>>> {
    let mut out: Vec<Case<'a>> = Vec::new();
    for case in cases {
        let mut best: Option<(usize, Sure)> = None;
        let mut not_compared = None;
        for (place, known) in out.iter().enumerate() {
            if best.is_some_and(|(_, sure)| sure == Sure::Sure) {
                break;
            }
            let found = match budget.ends_reduction() {
                true => known_support(&known.cause, &case.cause),
                false => support(known, &case)?,
            };
            match found {
                Some(sure) => {
                    best = best.filter(|(_, before)| *before >= sure).or(Some((place, sure)));
                }
                None if budget.ends_reduction() && may_be_one(&known.cause, &case.cause) => {
                    not_compared = not_compared.or(Some(place + 1));
                }
                None => {}
            }
        }
        match best {
            Some((place, sure)) => out[place].cause.take(case.cause, sure),
            None => {
                let cause = Cause { not_compared, ..case.cause };
                out.push(Case { cause, ..case });
            }
        }
    }
    for place in 1..out.len() {
        let (before, from) = out.split_at(place);
        let cause = &from[0].cause;
        out[place].cause.like = before.iter().position(|b| is_like(&b.cause, cause)).map(|p| p + 1);
    }
    Ok(out)
}

/// Returns true if two causes fail in the same function with the same message, so their faults may have a common root.
fn is_like(one: &Cause, other: &Cause) -> bool {
    one.outcome == other.outcome
        && one.library.last() == other.library.last()
        && same_words(one, other)
}

fn same_words(one: &Cause, other: &Cause) -> bool {
    one.kind != Kind::Differs && !one.why.is_empty() && shape(&one.why) == shape(&other.why)
}

/// Returns the evidence, available without a run, that two causes are the same fault.
fn known_support(a: &Cause, b: &Cause) -> Option<Sure> {
    if a.library != b.library || a.outcome != b.outcome {
        return None;
    }
    match (a.outcome.says_where(), a.sequence == b.sequence) {
        (true, true) => Some(Sure::Sure),
        (true, false) => Some(Sure::Likely),
        (false, _) => same_words(a, b).then_some(Sure::Likely),
    }
}

/// Returns true if two causes that were not compared may be the same fault: the outcome is the same, and the functions
/// of the library are the same or the calls of one cause are among those of the other, which may be longer than needed.
fn may_be_one(a: &Cause, b: &Cause) -> bool {
    let last = |c: &Cause| c.sequence.last().map(|call| call.function);
    let inside = is_part(&a.sequence, &b.sequence) || is_part(&b.sequence, &a.sequence);
    a.outcome == b.outcome && (a.library == b.library || (last(a) == last(b) && inside))
}

/// Returns the evidence that two causes are the same fault; `None` if there is none.
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

/// Returns true if the sequence of `one` shows its fault on the file of `other`, unchanged or from the place in the
/// file where the sequence of `other` begins. If the sequence were that of `other` itself, this would prove nothing.
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

/// Returns true if other sequences that end with the same call show the fault on the files of both causes or of
/// neither. Tries longer sequences that contain the calls of one of the two causes first, then any others.
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

/// Returns at most `most` sequences, taken evenly from the list.
fn spread(all: Vec<Vec<Call>>, most: usize) -> Vec<Vec<Call>> {
    let step = all.len().div_ceil(most.max(1)).max(1);
    all.into_iter().step_by(step).take(most).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use inverter::solve::Choices;

    use super::super::driver::Driver;
    use super::super::model::Model;
    use super::super::outcome::Outcome;
    use super::*;
    use campaign::Stop;
    use clients::Sandbox;

    fn cause(functions: &[usize], library: &[&str], why: &str) -> Cause {
        let call = |function: &usize| Call { function: *function, arguments: Vec::new() };
        Cause {
            seed: "a.tif".to_owned(),
            driver: "tiff".to_owned(),
            kind: Kind::Refused,
            fault: String::new(),
            library: library.iter().map(|&word| word.to_owned()).collect(),
            calls: Vec::new(),
            any: Vec::new(),
            why: why.to_owned(),
            choices: Choices::new(),
            explains: 1,
            files: 1,
            evidence: Vec::new(),
            like: None,
            not_compared: None,
            unfinished: false,
            shown_by: String::new(),
            file: Vec::new(),
            sequence: functions.iter().map(call).collect(),
            outcome: Outcome::of(Kind::Refused, why),
            seen: BTreeSet::new(),
        }
    }

    #[test]
    fn without_time_what_is_known_is_merged_and_the_rest_is_marked() {
        let Ok(suite) = Model::load("tiff").and_then(|model| model.suite(1)) else { return };
        let model = Model::load("tiff").unwrap();
        let (drivers, _) = Driver::of(&model, &[], &Sandbox::off());
        let probe = Probe { driver: &drivers[0], suite: &suite };
        let budget = Budget::new(&Stop::default(), None).with_reduce_time(Some(Duration::ZERO));
        budget.begin_reduction();
        let causes = [
            cause(&[0, 1], &["read"], "no row 3 here"),
            // `read` reports the message of the first one, for another row.
            cause(&[0, 2, 1], &["read"], "no row 4 here"),
            // `read` reports other words: it may be the same fault.
            cause(&[0, 3, 1], &["read"], "not enough data"),
            // This sequence is longer than it must be.
            cause(&[0, 2, 3, 1], &["seek", "read"], "no row 3 here"),
            cause(&[0, 1, 4], &["read", "look"], "nothing to see"),
        ];
        let cases = causes.map(|cause| Case { cause, probe }).into_iter().collect();
        let out = merged(cases, &budget).unwrap();
        let told: Vec<(usize, Option<usize>)> =
            out.iter().map(|c| (c.cause.evidence.len(), c.cause.not_compared)).collect();
        assert_eq!(told, [(1, None), (0, Some(1)), (0, Some(1)), (0, None)]);
        assert_eq!(out[0].cause.evidence[0].sure, Sure::Likely);
    }
}
