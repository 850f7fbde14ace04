//! The mutator and the generator, with the state of a fuzzer.

use equivalents::{Format, equivalents};
use equivalents_libafl::{EquivalentGenerator, EquivalentMutator};
use libafl::corpus::InMemoryCorpus;
use libafl::feedbacks::ConstFeedback;
use libafl::generators::Generator;
use libafl::inputs::{BytesInput, HasMutatorBytes};
use libafl::mutators::{MutationResult, Mutator};
use libafl::state::{HasMaxSize, StdState};
use libafl_bolts::rands::StdRand;

const TINY: &[u8] = include_bytes!("../../../corpus/seeds/tiny.tif");

type State = StdState<InMemoryCorpus<BytesInput>, BytesInput, StdRand, InMemoryCorpus<BytesInput>>;

fn state(seed: u64) -> State {
    let (mut feedback, mut objective) = (ConstFeedback::new(false), ConstFeedback::new(false));
    let rand = StdRand::with_seed(seed);
    StdState::new(rand, InMemoryCorpus::new(), InMemoryCorpus::new(), &mut feedback, &mut objective)
        .unwrap()
}

fn mutated(seed: u64, most: usize) -> Vec<Vec<u8>> {
    let (mut state, mut mutator) = (state(seed), EquivalentMutator::new(Format::Tiff));
    state.set_max_size(most);
    let mut input = BytesInput::new(TINY.to_vec());
    let mut all = Vec::new();
    for _ in 0..30 {
        if mutator.mutate(&mut state, &mut input).unwrap() == MutationResult::Mutated {
            assert!(mutator.choices().iter().next().is_some());
            all.push(input.mutator_bytes().to_vec());
        }
    }
    all
}

#[test]
fn mutated_files_mean_the_same_and_fit() {
    let all = mutated(7, 2000);
    // Files grow towards the limit; there nearly all mutations fit all the same.
    assert!(all.len() > 25, "{}", all.len());
    for file in &all {
        assert!(file.len() <= 2000 && Format::Tiff.means_the_same(TINY, file));
    }
    assert_eq!(all, mutated(7, 2000));
    assert_ne!(all, mutated(8, 2000));
}

#[test]
fn other_bytes_are_skipped() {
    let (mut state, mut mutator) = (state(1), EquivalentMutator::default());
    let mut input = BytesInput::new(b"II*\0 and no file".to_vec());
    let original = input.clone();
    assert_eq!(mutator.mutate(&mut state, &mut input).unwrap(), MutationResult::Skipped);
    assert_eq!(input, original);
    let mut input = BytesInput::new(TINY.to_vec());
    state.set_max_size(10);
    assert_eq!(mutator.mutate(&mut state, &mut input).unwrap(), MutationResult::Skipped);
    assert_eq!(input.mutator_bytes(), TINY);
}

#[test]
fn generated_files_mean_the_same() {
    let files = equivalents(TINY).unwrap().fix("byte order", "MM").unwrap();
    let generated = |seed| {
        let (mut state, mut generator) = (state(seed), EquivalentGenerator::new(files.clone()));
        (0..10)
            .map(|_| {
                let input: BytesInput = generator.generate(&mut state).unwrap();
                input.mutator_bytes().to_vec()
            })
            .collect::<Vec<_>>()
    };
    let all = generated(3);
    for file in &all {
        assert!(file.starts_with(b"MM") && Format::Tiff.means_the_same(TINY, file));
    }
    assert!(all.windows(2).any(|two| two[0] != two[1]));
    assert_eq!(all, generated(3));
    assert_ne!(all, generated(4));
}
