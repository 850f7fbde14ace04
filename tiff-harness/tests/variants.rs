//! Variants of the project's own seeds: they mean the same, they vary, they replay.

use std::collections::BTreeSet;

use inverter::solve::{ChoiceSource, Choices, Vary};
use tiff_harness::Seed;
use tiff_harness::container::choices::UNTOLD;

fn seed(name: &str) -> Seed {
    let path = format!("{}/../corpus/seeds/{name}", env!("CARGO_MANIFEST_DIR"));
    Seed::open(std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn variants_normalize_to_the_seed_and_replay_byte_for_byte() {
    for name in ["tiny.tif", "gray.tif", "rgb.tif"] {
        let seed = seed(name);
        for index in 0..40 {
            let made = seed.variant(ChoiceSource::seeded(1, index)).unwrap();
            let text = serde_json::to_string(&made.choices).unwrap();
            let choices: Choices = serde_json::from_str(&text).unwrap();
            let again = seed.variant(ChoiceSource::replaying(choices)).unwrap();
            assert!(again.bytes == made.bytes, "{name} {index}");
            assert_eq!(again.choices, made.choices);
            // The variant of a variant is a variant of the seed, and knows its own choices.
            let twin = Seed::open(made.bytes).unwrap();
            assert_eq!(twin.picture(), seed.picture(), "{name} {index}");
            let own = twin.own_choices();
            // The place of an entry that is left out is seen as slack.
            let shorter = made.choices.get("default of RowsPerStrip") == Some(&"absent".into());
            if shorter {
                continue;
            }
            for (dimension, value) in made.choices.iter() {
                // What free bytes are filled with is not seen in them for sure.
                let untold = dimension == "spare value bytes" || UNTOLD.contains(&dimension);
                if !dimension.ends_with(" fill") && !untold {
                    assert_eq!(own.get(dimension), Some(value), "{name} {index}: {dimension}");
                }
            }
        }
    }
}

#[test]
fn without_choices_a_replay_is_as_the_seed() {
    for name in ["tiny.tif", "gray.tif", "rgb.tif", "square.tif"] {
        let seed = seed(name);
        let same = seed.variant(ChoiceSource::replaying(Choices::new())).unwrap();
        assert!(same.bytes == seed.bytes(), "{name}: {:?} {:?}", same.choices, seed.own_choices());
    }
}

#[test]
fn every_dimension_varies() {
    let seed = seed("rgb.tif");
    for dimension in seed.dimensions() {
        // RowsPerStrip has its default only where a strip has all rows.
        let more = (dimension == "default of RowsPerStrip").then(|| "rows_per_strip".to_owned());
        let only = Vary::Only(more.into_iter().chain([dimension.clone()]).collect());
        let values: BTreeSet<String> = (0..60)
            .filter_map(|index| {
                let source = ChoiceSource::seeded(5, index).with_vary(only.clone());
                let variant = seed.variant(source).ok()?;
                Some(variant.choices.get(dimension)?.to_string())
            })
            .collect();
        assert!(values.len() >= 2, "{dimension}: {values:?}");
    }
}
