//! The verdict on a cause: which of its files the client misreads.

use super::elimination::{Elimination, Explained};
use super::test_oracle::TestOracle;
use super::workers::by_worker;
use crate::oracle::{DifferenceKind, Outcome};
use crate::records::{Cause, Convention, GIVEN, Row, Verdict, WholeFile};
use clients::contract::convention::Listed;

/// Sets the verdict of each cause, the expected picture of its file, and its results by worker. `rows` are the results
/// of the client.
pub fn judge(oracle: TestOracle<'_>, causes: &mut [Cause], rows: &[&Row]) {
    let TestOracle { subject, session, .. } = oracle;
    let on_seed = rows.iter().find(|row| row.variant == GIVEN);
    let seed_is_right = on_seed.is_some_and(|row| row.outcome() == Outcome::Same);
    let elimination = Elimination::new(oracle, rows);
    let mut assumed: Vec<(usize, Vec<(&str, Listed)>)> = Vec::new();
    for (place, cause) in causes.iter_mut().enumerate() {
        let truth = session.expectation.truth(&cause.file);
        let on_seed =
            !seed_is_right && on_seed.is_some_and(|row| cause.is_in(subject, &row.info.varied));
        cause.verdict = Some(match (&truth, cause.whole) {
            (None, _) => Verdict::ContractUnknown,
            (Some(_), _) if cause.difference == Some(DifferenceKind::LowBits) => {
                Verdict::PrecisionLost
            }
            (Some(_), WholeFile::SeedItself) => Verdict::SeedWrong,
            (Some(_), _) if is_whole(cause) && !seed_is_right => Verdict::BothWrong,
            (Some(_), _) if on_seed => Verdict::SeedWrong,
            (Some(_), _) => Verdict::FileWrong,
        });
        if truth.is_none() && cause.outcome == Outcome::Wrong {
            match elimination.explain(cause) {
                Some(Explained::Conventions(conventions)) => {
                    cause.convention = Some(Convention::of(&conventions));
                    assumed.push((place, conventions));
                }
                Some(Explained::Verdict(verdict)) => cause.verdict = Some(verdict),
                None => {}
            }
        }
        if cause.verdict == Some(Verdict::PrecisionLost) {
            cause.convention = Some(Convention::precision());
        }
        if session.is_strict() {
            cause.convention = None;
        }
        cause.workers = by_worker(subject, cause, rows);
        cause.expected = truth.map(|expected| match &cause.got {
            Some(got) => expected.nearest(got).clone(),
            None => expected.picture().clone(),
        });
    }
    // A client that follows two conventions for one property follows none.
    let all: Vec<&(&str, Listed)> = assumed.iter().flat_map(|(_, all)| all).collect();
    let differs = |one: &(&str, Listed)| all.iter().any(|o| o.0 == one.0 && o.1 != one.1);
    for (place, conventions) in &assumed {
        if conventions.iter().any(differs) {
            causes[*place].convention = None;
        }
    }
}

/// Returns true if the cause needs no choice.
fn is_whole(cause: &Cause) -> bool {
    cause.dimensions.is_empty() && cause.choices.is_empty()
}
