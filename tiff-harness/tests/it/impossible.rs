//! Choices that were edited by hand: an impossible value is refused in one line that names the
//! dimension and the values that it may have.

use std::collections::BTreeMap;

use inverter::solve::{Choice, ChoiceSource, Choices};
use tiff_harness::container::Profile;
use tiff_harness::{Seed, VariantError};

use crate::support::corpus;

/// Numbers that are solved together: the message names the condition that they break.
const TOGETHER: [&str; 9] = [
    "alpha",
    "bits",
    "photometric",
    "planar",
    "rows_per_strip",
    "samples_per_pixel",
    "tile_length",
    "tile_width",
    "tiled",
];

/// Returns choices of variants that together have every dimension.
fn examples(seed: &Seed) -> BTreeMap<String, Choices> {
    let mut found: BTreeMap<String, Choices> = BTreeMap::new();
    for index in 0..40 {
        let Ok(variant) = seed.variant(ChoiceSource::seeded(2, index)) else { continue };
        for (name, _) in variant.choices.iter() {
            if !found.contains_key(name) {
                found.insert(name.to_owned(), variant.choices.clone());
            }
        }
    }
    found
}

/// Returns values that a dimension with the value `value` cannot have.
fn wrong(value: &Choice) -> Vec<Choice> {
    let text = Choice::from("nothing of the kind");
    match value {
        Choice::Int(_) => vec![Choice::Int(-1_000_000_007), text, Choice::List(vec![1])],
        Choice::Text(_) => vec![text, Choice::Int(3), Choice::from("")],
        Choice::List(list) => {
            let mut longer = list.clone();
            longer.push(0);
            vec![Choice::List(longer), Choice::List(vec![-1; list.len()]), Choice::Int(1), text]
        }
    }
}

#[test]
fn each_dimension_says_what_it_must_be() {
    let mut complaints = Vec::new();
    for name in
        ["seeds/rgb.tif", "producers/netpbm/palette4.tif", "producers/pillow/bilevel-group3.tif"]
    {
        let seed = Seed::open(corpus::file(name)).unwrap().with_profile(Profile::Wide);
        let examples = examples(&seed);
        assert!(examples.len() > 40, "{name}: {}", examples.len());
        for (dimension, choices) in examples {
            for bad in wrong(choices.get(&dimension).unwrap()) {
                let mut given = choices.clone();
                given.set(&dimension, bad.clone());
                match seed.variant(ChoiceSource::replaying(given)) {
                    Err(VariantError::Impossible(why)) => {
                        let named = why.contains(&format!("`{dimension}`"));
                        let must = why.contains("must be") || why.contains("must have");
                        let together =
                            TOGETHER.contains(&dimension.as_str()) && why.contains(&dimension);
                        let good = (named && must || together) && !why.contains('\n');
                        if !good {
                            complaints.push(format!("{name}: {dimension} = {bad}: {why}"));
                        }
                    }
                    Err(other) => complaints.push(format!("{name}: {dimension} = {bad}: {other}")),
                    Ok(_) => complaints.push(format!("{name}: {dimension} = {bad} is taken")),
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
