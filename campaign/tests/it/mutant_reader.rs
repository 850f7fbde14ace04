//! The reader of the mutants, without a fault, reads every variant as the harness means it. Where
//! the two disagree, one of them is wrong.

use crate::mutants::{Mutant, Source};
use clients::{Client, Reply};
use equivalents::subject::{Subject, VariantError};
use inverter::solve::Vary;

/// Checks that the reader shows the harness's picture of the variants `indices` of run `seed`.
fn agree(source: Source, seed: u64, indices: impl Iterator<Item = u64>) {
    let (subject, reader) = (source.seed(), Mutant::correct());
    let expected = Reply::Picture(subject.picture().clone());
    assert_eq!(reader.run(subject.bytes()).unwrap(), expected, "{source:?}");
    for index in indices {
        let share = [Vary::All, Vary::Share(0.5), Vary::Share(0.1)][index as usize % 3].clone();
        match Subject::variant(&subject, seed, index, share) {
            Ok(variant) => {
                let reply = reader.run(&variant.bytes).unwrap();
                let choices = serde_json::to_string(&variant.choices).unwrap();
                assert!(reply == expected, "{source:?} {seed} {index}: {reply:?}\n{choices}");
            }
            Err(VariantError::Impossible(_)) => {}
            Err(defect) => panic!("{source:?} {seed} {index}: {defect}"),
        }
    }
}

#[test]
fn it_reads_some_variants_as_they_are_meant() {
    for source in Source::ALL {
        agree(source, 1, 0..40);
    }
}

#[test]
#[ignore = "slow: 28,000 variants"]
fn it_reads_all_variants_as_they_are_meant() {
    for (source, seed) in Source::ALL.into_iter().flat_map(|s| (1..8).map(move |n| (s, n))) {
        agree(source, seed, 0..1000);
    }
}
