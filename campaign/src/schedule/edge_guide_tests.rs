//! Tests of the variants that are kept, and of the steps that are made of them.

use inverter::solve::{Choice, Choices};

use super::*;
use equivalents::subject::Class;

fn id(client: usize) -> ClientId {
    ClientId::all(client + 1).last().unwrap()
}

fn info(dimension: &str) -> Arc<VariantInfo> {
    let choices: Choices = [(dimension.to_owned(), Choice::Int(1))].into_iter().collect();
    Arc::new(VariantInfo { class: Class::Baseline, size: 1, choices, varied: Vec::new() })
}

fn reached(client: usize, map: &[u8], dimension: &str) -> Reached {
    let edges = Edges::from_map(map);
    Reached { client: id(client), edges, variant: 0, info: info(dimension), same: true }
}

fn record(guide: &mut EdgeGuide, k: u64, reached: Reached) {
    guide.record(k, Reached { variant: k + 1, ..reached });
}

/// A guide of two clients, whose seed reaches the first edge of three.
fn guide() -> EdgeGuide {
    let seed = SeedEdges::Known(Edges::from_map(&[1, 0, 0]));
    let clients = [(id(0), seed.clone()), (id(1), seed)];
    EdgeGuide::new(7, &["a".to_owned(), "b".to_owned()], &clients)
}

/// The variants that the next steps are made of.
fn parents(guide: &mut EdgeGuide, steps: std::ops::Range<u64>) -> Vec<Option<u64>> {
    steps.map(|k| guide.step(k, k, 100).and_then(|step| step.from)).collect()
}

#[test]
fn only_variants_with_new_edges_are_kept() {
    let mut guide = guide();
    record(&mut guide, 0, reached(0, &[1, 0, 0], "a"));
    record(&mut guide, 1, reached(0, &[1, 1, 0], "a"));
    record(&mut guide, 2, reached(0, &[0, 1, 0], "b"));
    assert_eq!(parents(&mut guide, 100..104), [None, Some(2), None, Some(2)]);
    let finished = guide.finish();
    let expected = EdgeSummary::Known {
        build: 3,
        seed: 1,
        beyond: vec![1],
        found: vec![(2, 1)],
        places: Vec::new(),
    };
    assert_eq!(finished[0], (id(0), expected));
}

#[test]
fn the_variant_that_was_used_least_is_next() {
    let mut guide = guide();
    record(&mut guide, 0, reached(0, &[1, 1, 0], "a"));
    record(&mut guide, 1, reached(1, &[1, 1, 0], "a"));
    let odd = parents(&mut guide, 100..110).into_iter().flatten();
    assert_eq!(odd.collect::<Vec<_>>(), [2, 1, 2, 1, 2]);
    // A variant that is kept later was used less than the others.
    record(&mut guide, 2, reached(0, &[1, 0, 1], "a"));
    assert_eq!(parents(&mut guide, 110..116).into_iter().flatten().collect::<Vec<_>>(), [3, 3, 3]);
}

#[test]
fn a_step_has_the_choices_of_its_variant_and_a_few_others() {
    let mut guide = guide();
    record(&mut guide, 0, reached(0, &[1, 1, 0], "c"));
    let mut drawn = BTreeSet::new();
    for k in (101..141).step_by(2) {
        let step = guide.step(k, k, 100).unwrap();
        assert_eq!(step.overrides, info("c").choices);
        let Vary::Only(names) = &step.vary else { panic!("{step:?}") };
        assert!((1..=MOST_CHANGES).contains(&names.len()));
        drawn.extend(names.iter().map(|d| d.name().to_owned()));
        assert!(step.describe().starts_with("from 1: only "), "{}", step.describe());
    }
    // A dimension that the seed does not have is one of them.
    assert_eq!(drawn, BTreeSet::from(["a", "b", "c"].map(str::to_owned)));
}

#[test]
fn neither_the_order_of_results_nor_later_steps_matter() {
    let results = || {
        [
            (0, reached(0, &[1, 1, 0], "a")),
            (0, reached(1, &[1, 1, 1], "b")),
            (1, reached(0, &[1, 1, 1], "c")),
        ]
    };
    let mut one = guide();
    results().into_iter().for_each(|(k, reached)| record(&mut one, k, reached));
    let mut other = guide();
    results().into_iter().rev().for_each(|(k, reached)| record(&mut other, k, reached));
    record(&mut other, 50, reached(0, &[1, 1, 1], "d"));
    for k in 17..40 {
        assert_eq!(one.step(k, k, k - 15), other.step(k, k, k - 15));
    }
    assert_eq!(guide().step(17, 17, 2), None);
}

#[test]
fn failures_are_counted_and_not_kept() {
    let mut guide = guide();
    record(&mut guide, 0, Reached { same: false, ..reached(0, &[1, 1, 0], "a") });
    record(&mut guide, 1, reached(0, &[1, 1, 0], "a"));
    assert_eq!(parents(&mut guide, 100..104), [None; 4]);
    let EdgeSummary::Known { found, .. } = &guide.finish()[0].1 else { panic!() };
    assert_eq!(*found, [(1, 1)]);
}

#[test]
fn clients_without_steady_edges_guide_nothing() {
    let clients = [(id(0), SeedEdges::Unsteady), (id(1), SeedEdges::Missing)];
    let mut guide = EdgeGuide::new(7, &["a".to_owned()], &clients);
    record(&mut guide, 0, reached(0, &[1, 1, 1], "a"));
    assert_eq!(parents(&mut guide, 100..104), [None; 4]);
    assert_eq!(guide.finish(), [(id(0), EdgeSummary::Unsteady), (id(1), EdgeSummary::Missing)]);
}
