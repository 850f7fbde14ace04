//! Completes the causes of a client: all values, simple examples, small pictures, words, and verdicts.

use equivalents::reduce::Verdict;
use inverter::solve::{Choice, Choices};

use super::appearances::relate;
use super::deduplicate::Triage;
use super::enumerate_values::ObservedValues;
use super::judge::judge;
use super::shrink::Shrinker;
use super::simplify::Simplifier;
use super::test_oracle::{ReduceError, TestOracle};
use crate::oracle::Outcome;
use crate::records::{Boundary, Cause, CauseForm, Depth, Purpose, Row, words};
use crate::runtime::map;
use equivalents::subject::Subject;

/// Returns the completed causes of `triage`, as far as the reduction's time and the client permit. `rows` are the
/// results of its client.
pub fn finalize(mut triage: Triage<'_>, rows: &[&Row], values: &ObservedValues) -> Vec<Cause> {
    let fine = |dimension: &str| -> Vec<Choice> {
        let same = rows.iter().filter(|r| r.outcome() == Outcome::Same);
        same.filter_map(|r| r.info.choices.get(dimension)).cloned().collect()
    };
    // Values that were not enumerated stay as they were found.
    let _ = triage.enumerate_values(values, &fine);
    let Triage { oracle, mut causes, .. } = triage;
    count(oracle.subject, &mut causes, rows);
    // The following steps treat each cause independently.
    let mut causes = map(oracle.gate.size(), &causes, |_, cause| {
        let mut cause = cause.clone();
        let _ = simplify(oracle, &mut cause, values).and_then(|()| shrink(oracle, &mut cause));
        cause
    });
    unite(&mut causes);
    // Causes that were not compared remain separate.
    let _ = relate(oracle, &mut causes, values);
    for cause in &mut causes {
        put_into_words(oracle.subject, cause, &fine);
    }
    judge(oracle, &mut causes, rows);
    causes
}

/// Merges causes that have become one, because simpler values of their choices give the same file and a similar
/// difference.
fn unite(causes: &mut Vec<Cause>) {
    for place in (1..causes.len()).rev() {
        let cause = &causes[place];
        let is_same = |other: &Cause| {
            cause.depth == Depth::Minimal
                && other.depth == Depth::Minimal
                && !cause.choices.is_empty()
                && other.choices == cause.choices
                && other.signature().resembles(cause.signature())
        };
        if let Some(same) = causes[..place].iter().position(is_same) {
            let Cause { count, examples, passed, boundaries, varies, .. } = causes.remove(place);
            let kept = &mut causes[same];
            kept.count += count;
            kept.varies |= varies;
            kept.passed.extend(passed);
            kept.boundaries.retain(|boundary| boundaries.contains(boundary));
            examples.iter().for_each(|example| kept.add_example(example));
        }
    }
}

/// Counts the findings of causes that were found outside the plan: the variants that contain them, although their
/// difference was attributed to another cause. The count is at least 1.
fn count(subject: &dyn Subject, causes: &mut [Cause], rows: &[&Row]) {
    for cause in causes.iter_mut().filter(|cause| cause.count == 0) {
        let shows = |row: &&&Row| {
            row.signature().resembles(cause.signature()) && cause.is_in(subject, &row.info.varied)
        };
        cause.count = rows.iter().filter(shows).count().max(1);
    }
}

/// Replaces the values of the kept example of `cause` by simpler ones.
fn simplify(
    oracle: TestOracle<'_>,
    cause: &mut Cause,
    values: &ObservedValues,
) -> Result<(), ReduceError> {
    if cause.depth != Depth::Minimal || cause.choices.is_empty() {
        return Ok(());
    }
    let subject = oracle.subject;
    let Some(trial) = oracle.test(&cause.choices, Purpose::Simplify)? else {
        return Ok(());
    };
    let signature = trial.judgment.signature();
    if !signature.resembles(cause.signature()) {
        return Ok(());
    }
    let mut simplifier = Simplifier { oracle, signature, tried: Vec::new() };
    let amounts = |dimension: &str| !values.are_codes(subject, dimension);
    let simple = simplifier.simplify(&cause.choices, trial, &amounts)?;
    if simple.choices != cause.choices {
        let confirmation = oracle.confirm(&simple.trial, &simple.choices)?;
        if !confirmation.agrees {
            return Ok(());
        }
        let shown = (confirmation.picture, confirmation.judgment.message);
        cause.keep(subject, simple.trial, simple.choices, shown);
    }
    cause.boundaries = simple.boundaries;
    for (choices, verdict) in simplifier.tried {
        match (verdict, &cause.dimensions[..]) {
            (Verdict::Passes, [dimension]) => cause.passed.extend(choices.get(dimension).cloned()),
            (Verdict::Fails, dimensions) if choices.len() == dimensions.len() => {
                cause.add_example(&choices);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Searches for a smaller picture that shows `cause`.
fn shrink(oracle: TestOracle<'_>, cause: &mut Cause) -> Result<(), ReduceError> {
    if cause.depth != Depth::Minimal || cause.choices.is_empty() {
        return Ok(());
    }
    // The kind of the kept example; other examples may have another one.
    if let Some(trial) = oracle.test(&cause.choices, Purpose::Shrink)? {
        let signature = trial.judgment.signature();
        cause.small = Shrinker::new(oracle, signature, &cause.choices).shrink()?;
    }
    Ok(())
}

/// Puts the values of `cause` into words. `fine` returns the values in variants without a
/// difference.
fn put_into_words(subject: &dyn Subject, cause: &mut Cause, fine: &dyn Fn(&str) -> Vec<Choice>) {
    cause.examples.sort_by_cached_key(words::order);
    cause.forms = forms(subject, &cause.examples);
    if cause.depth > Depth::Partly {
        return;
    }
    retain_true_boundaries(cause, fine);
    let boundaries: &[(String, Boundary)] = &cause.boundaries;
    if let [dimension] = &cause.dimensions[..] {
        let mut fine = fine(dimension);
        fine.extend(cause.passed.iter().cloned());
        fine.sort_by_cached_key(words::value_order);
        let fine: Vec<&Choice> = fine.iter().collect();
        let failing: Vec<&Choice> =
            cause.examples.iter().filter_map(|c| c.get(dimension)).collect();
        let kept = cause.choices.get(dimension);
        cause.values = match boundaries.iter().find(|(d, _)| d == dimension) {
            Some((_, boundary)) => vec![words::boundary(*boundary)],
            None => words::failing(subject, dimension, kept, &failing, &fine),
        };
        cause.fine = words::passing(subject, dimension, &fine, &failing);
        cause.fine.retain(|label| !cause.values.contains(label));
    } else {
        let kept = &cause.choices;
        cause.values =
            words::combinations(subject, &cause.dimensions, &cause.examples, kept, boundaries);
    }
}

/// The maximum number of files of one value class that are kept.
const FILES: usize = 4;

/// Returns the files of `examples`, with their value classes.
fn forms(subject: &dyn Subject, examples: &[Choices]) -> Vec<CauseForm> {
    let mut forms: Vec<CauseForm> = Vec::new();
    for example in examples {
        let classes = words::classes(subject, example);
        if forms.iter().filter(|form| form.classes == classes).count() == FILES {
            continue;
        }
        if let Ok(variant) = subject.replay(example) {
            let choices = variant.differing_from(subject.own_choices());
            forms.push(CauseForm { classes, choices });
        }
    }
    forms
}

/// Removes the boundaries that are contradicted by a failing value below or a passing value above.
fn retain_true_boundaries(cause: &mut Cause, fine: &dyn Fn(&str) -> Vec<Choice>) {
    let Cause { examples, dimensions, boundaries, .. } = cause;
    boundaries.retain(|(dimension, boundary)| {
        let number = |v: &Choice| if let Choice::Int(n) = v { Some(*n) } else { None };
        let failing = examples.iter().filter_map(|e| number(e.get(dimension)?));
        let passing = fine(dimension).into_iter().filter(|_| dimensions.len() == 1);
        failing.into_iter().all(|n| boundary.covers(n))
            && passing.filter_map(|v| number(&v)).all(|n| !boundary.covers(n))
    });
}
