//! What is done with the causes of a client once all are known: complete lists of values,
//! simple ones, and words for them.

use equivalents::reduce::Verdict;
use inverter::solve::{Choice, Choices};

use super::deduplicate::Finder;
use super::enumerate_values::Values;
use super::shrink::Shrinker;
use super::simplify::Simplifier;
use super::test_oracle::{Prober, ReduceError};
use crate::campaign::records::{Cause, Depth, Edge, Purpose, Row, words};
use crate::campaign::runtime::map;
use crate::oracle::Outcome;
use crate::subject::Subject;

/// The causes of `finder`, whose client has these `rows`, complete, simple, on small
/// pictures and in words.
///
/// # Errors
///
/// [`ReduceError::Defect`].
pub fn settle(
    mut finder: Finder<'_>,
    rows: &[&Row],
    values: &Values,
) -> Result<Vec<Cause>, ReduceError> {
    let fine = |dimension: &str| -> Vec<Choice> {
        let same = rows.iter().filter(|r| r.outcome() == Outcome::Same);
        same.filter_map(|r| r.info.choices.get(dimension)).cloned().collect()
    };
    if let Err(defect @ ReduceError::Defect { .. }) = finder.complete(values, &fine) {
        return Err(defect);
    }
    let Finder { prober, mut causes, .. } = finder;
    count(prober.subject, &mut causes, rows);
    // Causes are simplified each by itself.
    let simple = map(prober.gate.size(), &causes, |_, cause| {
        let mut cause = cause.clone();
        match simplify(prober, &mut cause, values).and_then(|()| shrink(prober, &mut cause)) {
            Err(defect @ ReduceError::Defect { .. }) => Err(defect),
            _ => Ok(cause),
        }
    });
    let mut causes = simple.into_iter().collect::<Result<Vec<Cause>, ReduceError>>()?;
    for cause in &mut causes {
        name(prober.subject, cause, &fine);
    }
    Ok(causes)
}

/// Counts what shows the causes that were met beyond the plan: variants with it, whose
/// difference was put down to another cause, or at least the file that it was met in.
fn count(subject: &dyn Subject, causes: &mut [Cause], rows: &[&Row]) {
    for cause in causes.iter_mut().filter(|cause| cause.count == 0) {
        let shows =
            |row: &&&Row| row.outcome() == cause.outcome && cause.is_in(subject, &row.info.varied);
        cause.count = rows.iter().filter(shows).count().max(1);
    }
}

/// Gives the kept example of `cause` simpler values.
fn simplify(prober: Prober<'_>, cause: &mut Cause, values: &Values) -> Result<(), ReduceError> {
    if cause.depth != Depth::Minimal || cause.choices.is_empty() {
        return Ok(());
    }
    let (subject, outcome) = (prober.subject, cause.outcome);
    let mut simplifier = Simplifier { prober, outcome, tried: Vec::new() };
    let Some(trial) = prober.probe(&cause.choices, Purpose::Simplify)? else {
        return Ok(());
    };
    if trial.judged.outcome != outcome {
        return Ok(());
    }
    let amounts = |dimension: &str| !values.are_codes(subject, dimension);
    let simple = simplifier.simplify(&cause.choices, trial, &amounts)?;
    if simple.choices != cause.choices {
        let confirmed = prober.confirm(&simple.trial, &simple.choices)?;
        if !confirmed.agrees {
            return Ok(());
        }
        cause.keep(subject, simple.trial, simple.choices, confirmed.picture);
    }
    cause.edges = simple.edges;
    for (choices, verdict) in simplifier.tried {
        match (verdict, &cause.dimensions[..]) {
            (Verdict::Passes, [dimension]) => cause.passed.extend(choices.get(dimension).cloned()),
            (Verdict::Fails, dimensions) if choices.len() == dimensions.len() => {
                cause.example(&choices);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Looks for a smaller picture that shows `cause`.
fn shrink(prober: Prober<'_>, cause: &mut Cause) -> Result<(), ReduceError> {
    if cause.depth == Depth::Minimal {
        cause.small = Shrinker::new(prober, cause.outcome, &cause.choices).shrink()?;
    }
    Ok(())
}

/// Puts the values of `cause` into words.
fn name(subject: &dyn Subject, cause: &mut Cause, fine: &dyn Fn(&str) -> Vec<Choice>) {
    cause.examples.sort_by_cached_key(words::order);
    if cause.depth > Depth::Partly {
        return;
    }
    // What fails beside the edge, or is fine beyond it, makes it none.
    let all: Vec<Choices> = cause.examples.clone();
    let one = cause.dimensions.len() == 1;
    cause.edges.retain(|(dimension, edge)| {
        let number = |v: &Choice| if let Choice::Int(n) = v { Some(*n) } else { None };
        let failing = all.iter().filter_map(|e| number(e.get(dimension)?));
        let passing = fine(dimension).into_iter().filter(|_| one);
        failing.into_iter().all(|n| edge.covers(n))
            && passing.filter_map(|v| number(&v)).all(|n| !edge.covers(n))
    });
    let edges: &[(String, Edge)] = &cause.edges;
    if let [dimension] = &cause.dimensions[..] {
        let mut fine = fine(dimension);
        fine.extend(cause.passed.iter().cloned());
        fine.sort_by_cached_key(words::value_order);
        let fine: Vec<&Choice> = fine.iter().collect();
        let failing: Vec<&Choice> =
            cause.examples.iter().filter_map(|c| c.get(dimension)).collect();
        let kept = cause.choices.get(dimension);
        cause.values = match edges.iter().find(|(d, _)| d == dimension) {
            Some((_, edge)) => vec![words::edge(*edge)],
            None => words::failing(subject, dimension, kept, &failing, &fine),
        };
        cause.fine = words::passing(subject, dimension, &fine, &failing);
        cause.fine.retain(|label| !cause.values.contains(label));
    } else {
        let kept = &cause.choices;
        cause.values =
            words::combinations(subject, &cause.dimensions, &cause.examples, kept, edges);
    }
}
