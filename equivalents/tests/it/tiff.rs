//! Equivalents of TIFF files: they mean the same, shrink, and mutate.

use equivalents::{
    Equivalent, Format, Mutator, Shrinking, equivalent_to, equivalents, mutate, shrink,
};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestError, TestRunner};

const SEED: &[u8] = include_bytes!("../../../corpus/seeds/tiny.tif");

/// A reader that fails on big-endian files with more than one strip.
fn fails(file: &[u8]) -> bool {
    let big = file.starts_with(b"MM");
    let number = |at: usize, n: usize| {
        let bytes = &file[at..at + n];
        let digits: Vec<u64> = bytes.iter().map(|b| u64::from(*b)).collect();
        let join = |all: u64, digit: &u64| all << 8 | digit;
        match big {
            true => digits.iter().fold(0, join),
            false => digits.iter().rev().fold(0, join),
        }
    };
    let classic = number(2, 2) == 42;
    let (place, size, head) = if classic { (4, 12, 2) } else { (8, 20, 8) };
    let directory = number(place, if classic { 4 } else { 8 }) as usize;
    let entries = number(directory, head) as usize;
    let strips = (0..entries).map(|k| directory + head + k * size).find(|at| number(*at, 2) == 273);
    big && strips.is_some_and(|at| number(at + 4, if classic { 4 } else { 8 }) > 1)
}

fn dimensions(file: &Equivalent) -> Vec<&str> {
    let mut names: Vec<&str> = file.choices.iter().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

#[test]
fn they_mean_the_same_and_come_again() {
    let some: Vec<_> = equivalents(SEED).unwrap().take(30).collect();
    for file in &some {
        assert!(Format::Tiff.means_the_same(SEED, file), "{file:?}");
    }
    assert!(some.iter().any(|file| fails(file)));
    assert_eq!(some, equivalents(SEED).unwrap().take(30).collect::<Vec<_>>());
    assert_ne!(some[0], equivalents(SEED).unwrap().of_run(2).next().unwrap());
    let error = equivalents(b"II*\0").err().unwrap().to_string();
    assert!(!error.is_empty() && !error.contains('\n'), "{error}");
}

#[test]
fn what_fails_is_shrunk_to_what_it_takes() {
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(
            proptest::test_runner::RngAlgorithm::ChaCha,
        ),
    );
    let failed = runner.run(&equivalent_to(SEED).unwrap(), |file| {
        proptest::prop_assert!(!fails(&file));
        Ok(())
    });
    let Err(TestError::Fail(_, least)) = failed else { panic!("{failed:?}") };
    assert!(fails(&least) && Format::Tiff.means_the_same(SEED, &least));
    assert_eq!(dimensions(&least), ["byte order", "rows_per_strip"], "{least:?}");
}

#[test]
fn a_tree_ends_at_the_last_file_that_failed() {
    let mut runner = TestRunner::deterministic();
    for fails in [|_: &[u8]| true, |_: &[u8]| false, |file: &[u8]| file.starts_with(b"MM")] {
        let mut tree = equivalent_to(SEED).unwrap().new_tree(&mut runner).unwrap();
        let (mut last, mut steps) = (tree.current(), 0);
        let mut more = tree.simplify();
        while more {
            steps += 1;
            assert!(steps < 500);
            let file = tree.current();
            more = match fails(&file) {
                true => {
                    last = file;
                    tree.simplify()
                }
                false => tree.complicate(),
            };
        }
        assert_eq!(tree.current(), last);
    }
}

#[test]
fn dimensions_can_be_kept() {
    let strategy = equivalent_to(SEED).unwrap().keeping(["orientation", "byte order"]);
    let mut runner = TestRunner::deterministic();
    for _ in 0..20 {
        let file = strategy.new_tree(&mut runner).unwrap().current();
        let kept = |name| file.choices.get(name).is_none();
        assert!(kept("orientation") && kept("byte order") && !file.choices.is_empty(), "{file:?}");
    }
}

#[test]
fn a_file_that_was_found_is_shrunk() {
    let found = equivalents(SEED).unwrap().take(100).find(|file| fails(file)).unwrap();
    let least = shrink(&Format::Tiff, SEED, &found, fails).unwrap().unwrap();
    assert_eq!(dimensions(&least), ["byte order", "planar"], "{least:?}");
    // A file that does not fail is not shrunk, nor one that means something else.
    assert_eq!(shrink(&Format::Tiff, SEED, &found, |_| false).unwrap(), None);
    let other = include_bytes!("../../../corpus/seeds/rgb.tif");
    assert_eq!(shrink(&Format::Tiff, SEED, other, |_| true).unwrap(), None);
}

#[test]
fn a_mutation_means_the_same_and_fits() {
    let mut data = vec![0; 1 << 16];
    data[..SEED.len()].copy_from_slice(SEED);
    let (mut size, mut mutated) = (SEED.len(), 0);
    for seed in 0..25 {
        let before = data[..size].to_vec();
        let most = if seed % 2 == 0 { 4000 } else { 1 << 20 };
        let Some(now) = mutate(&mut data, size, most, seed) else {
            assert_eq!(data[..size], before);
            continue;
        };
        assert!(now <= most.min(1 << 16));
        assert!(data[..now] != before && Format::Tiff.means_the_same(SEED, &data[..now]), "{seed}");
        (size, mutated) = (now, mutated + 1);
    }
    assert!(mutated > 15, "{mutated}");
    assert_eq!(mutate(&mut data, 7, 1 << 16, 1), None, "no file");
    assert_eq!(mutate(&mut data, 1 << 20, 1 << 20, 1), None, "no such size");
}

#[test]
fn files_that_were_made_elsewhere_shrink() {
    for file in equivalents(SEED).unwrap().take(60) {
        let search = Shrinking::of(&Format::Tiff, SEED, &file).unwrap().expect("it is equivalent");
        // Places and codes are no part of a baseline; the byte order and the version are.
        assert_eq!(search.best()[..4], file[..4]);
    }
}

#[test]
fn variants_of_the_same_seed_read_again_shrink_by_their_choices() {
    let files = equivalents(SEED).unwrap();
    for file in files.clone().of_run(2).take(40) {
        let search = Shrinking::of_equivalent(&Format::Tiff, &files, file.clone()).unwrap();
        assert_eq!(search.expect("it is equivalent").best(), &file);
    }
}

#[test]
fn files_that_are_nearly_too_large_are_mutated() {
    let (most, mut mutated) = (2000, 0);
    for chain in 0..10 {
        let mut mutator = Mutator::new(Format::Tiff);
        let mut file = SEED.to_vec();
        for step in 0..30 {
            if let Some(made) = mutator.mutate(&file, most, 1000 * chain + step) {
                assert!(made.bytes.len() <= most && Format::Tiff.means_the_same(SEED, &made.bytes));
                (file, mutated) = (made.bytes, mutated + 1);
            }
        }
    }
    assert!(mutated > 280, "{mutated} of 300");
}
