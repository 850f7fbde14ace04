//! The verdict on wrong pictures of a client whose conventions for them are unknown: tries each documented one.

use std::cell::OnceCell;

use super::test_oracle::TestOracle;
use crate::oracle::Outcome;
use crate::records::{Cause, Row, Verdict};
use clients::contract::convention::Listed;
use clients::contract::{Contract, Facts};
use tiff_harness::{Picture, dimension};

/// The maximum number of pixels for which all conventions are computed; larger files are left undecided.
const MOST_PIXELS: usize = 1 << 26;

/// Dimensions that change only the facts on which conventions may depend.
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
    /// These conventions, each with its property, explain all pictures, so there is no bug.
    Conventions(Vec<(&'static str, Listed)>),
    /// At most one of the pictures is explained.
    Verdict(Verdict),
}

/// Tries documented conventions on the output of one client.
pub struct Elimination<'a, 'r> {
    oracle: TestOracle<'a>,
    rows: &'r [&'r Row],
    /// The files for which the client shows the same picture as for the reference file.
    same: OnceCell<Vec<Vec<u8>>>,
}

impl<'a, 'r> Elimination<'a, 'r> {
    /// Creates the elimination for the client of `oracle`, whose results are `rows`.
    pub fn new(oracle: TestOracle<'a>, rows: &'r [&'r Row]) -> Self {
        Self { oracle, rows, same: OnceCell::new() }
    }

    /// Tries all documented conventions on the pictures that the client shows of the file of `cause` and of the
    /// reference file. A convention must agree with every file that the client read like the reference, because it
    /// treats all files of a kind alike. `None` if the client shows no picture of the file, or both pictures are
    /// explained, but by no common convention.
    pub fn explain(&self, cause: &Cause) -> Option<Explained> {
        let got = cause.got.as_ref()?;
        let expectation = self.oracle.session.expectation;
        let seed = self.oracle.subject.seed_bytes();
        let (completions, canonical) = expectation.completions([&cause.file, seed])?;
        if completions.len() * canonical.rgba().len() / 4 > MOST_PIXELS {
            return None;
        }
        let shows = |contract: &Contract, file: &[u8], picture: &Picture| {
            contract.expected_of(canonical, file).is_some_and(|e| e.matches(picture))
        };
        let reference = expectation.reference();
        let (mut of_file, mut of_seed, mut of_both) = (false, false, Vec::new());
        for completion in &completions {
            let on_file = shows(completion, &cause.file, got);
            let on_seed = shows(completion, seed, reference);
            if on_file && on_seed {
                of_both.push(completion);
            }
            of_file |= on_file;
            of_seed |= on_seed;
        }
        let verdict = match (of_file, of_seed) {
            (false, true) => Verdict::FileUnexplained,
            (true, false) => Verdict::SeedUnexplained,
            (true, true) => return self.convention(cause, canonical, &of_both),
            (false, false) => return None,
        };
        Some(Explained::Verdict(verdict))
    }

    /// Returns the convention that assumes least among `contracts`, which explain the pictures of a cause.
    fn convention(
        &self,
        cause: &Cause,
        canonical: &Picture,
        contracts: &[&Contract],
    ) -> Option<Explained> {
        if !cause.dimensions.iter().all(|d| OF_FACTS.contains(&&**d)) {
            return None;
        }
        let expectation = self.oracle.session.expectation;
        let (known, reference) = (expectation.known(), expectation.reference());
        let mut contracts = contracts.to_vec();
        contracts.sort_by_key(|contract| known.assumed(contract).len());
        let agrees = |contract: &&&Contract| {
            let is_same = |file: &Vec<u8>| {
                contract.expected_of(canonical, file).is_none_or(|e| e.matches(reference))
            };
            self.same_files().iter().all(is_same)
        };
        let contract = contracts.iter().find(agrees)?;
        let assumed = known.assumed(contract);
        (!assumed.is_empty()).then_some(Explained::Conventions(assumed))
    }

    /// Returns files for which the client shows the picture of the reference file, and about which its contract says
    /// nothing: one for each set of facts.
    fn same_files(&self) -> &[Vec<u8>] {
        self.same.get_or_init(|| {
            let TestOracle { subject, session, .. } = self.oracle;
            let same = self.rows.iter().filter(|row| row.outcome() == Outcome::Same);
            let files = same.filter_map(|row| Some(subject.replay(&row.info.choices).ok()?.bytes));
            let mut seen = Vec::new();
            let mut is_new = |file: &Vec<u8>| {
                let facts = Facts::of_file(file);
                let is_new = !seen.contains(&facts);
                seen.push(facts);
                is_new
            };
            let files = files.filter(|file| is_new(file));
            files.filter(|file| session.expectation.truth(file).is_none()).collect()
        })
    }
}
