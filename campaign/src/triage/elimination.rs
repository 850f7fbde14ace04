//! The verdict on wrong pictures of a client whose conventions for them are unknown: by trying each documented one.

use super::test_oracle::TestOracle;
use crate::records::{Cause, Convention, Verdict};
use clients::contract::Contract;
use tiff_harness::dimension;

/// The most pixels that all conventions are computed on; beyond, the file is left undecided.
const MOST_PIXELS: usize = 1 << 26;

/// Dimensions that change the facts on which conventions may depend, and nothing else of a file.
const OF_FACTS: [&str; 6] = [
    dimension::ORIENTATION,
    dimension::PHOTOMETRIC,
    dimension::BITS,
    dimension::ALPHA,
    dimension::SAMPLES_PER_PIXEL,
    dimension::FURTHER_PAGES,
];

/// The result of trying all conventions.
pub enum Explained {
    /// One explains both pictures: no bug.
    Convention(Convention),
    /// At most one of the pictures is explained.
    Verdict(Verdict),
}

/// Tries all documented conventions on the pictures that the client shows of the file of `cause` and of the reference
/// file. `None` if the client shows no picture of it, or both pictures are explained, but by no common convention.
pub fn by_elimination(oracle: TestOracle<'_>, cause: &Cause) -> Option<Explained> {
    let got = cause.got.as_ref()?;
    let expectation = oracle.session.expectation;
    let seed = oracle.subject.seed_bytes();
    let (completions, canonical) = expectation.completions([&cause.file, seed])?;
    if completions.len() * canonical.rgba().len() / 4 > MOST_PIXELS {
        return None;
    }
    let shows = |contract: &Contract, file: &[u8], picture| {
        contract.expected_of(canonical, file).is_some_and(|expected| expected.matches(picture))
    };
    let (mut of_file, mut of_seed) = (false, false);
    for completion in &completions {
        let on_file = shows(completion, &cause.file, got);
        let on_seed = shows(completion, seed, expectation.reference());
        if on_file && on_seed && cause.dimensions.iter().all(|d| OF_FACTS.contains(&&**d)) {
            let nothing = Contract::default();
            let assumed = expectation.contract().unwrap_or(&nothing).assumed(completion);
            return (!assumed.is_empty()).then(|| Explained::Convention(Convention::of(&assumed)));
        }
        of_file |= on_file;
        of_seed |= on_seed;
    }
    let verdict = match (of_file, of_seed) {
        (false, true) => Verdict::FileUnexplained,
        (true, false) => Verdict::SeedUnexplained,
        _ => return None,
    };
    Some(Explained::Verdict(verdict))
}
