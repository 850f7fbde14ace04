//! Variants of the corpus: they mean the same, they vary, they replay.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::{ChoiceSource, Choices, Value, Vary};
use tiff_harness::{Seed, Variant, VariantError};

#[path = "support/corpus.rs"]
mod corpus;

const OWN: [&str; 4] = ["seeds/gray.tif", "seeds/rgb.tif", "seeds/square.tif", "seeds/tiny.tif"];

fn open(name: &str) -> Seed {
    Seed::open(corpus::file(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Variant `index`, if there is one.
fn variant(seed: &Seed, run: u64, index: u64) -> Option<Variant> {
    match seed.variant(ChoiceSource::seeded(run, index)) {
        Ok(variant) => Some(variant),
        Err(VariantError::Impossible(_)) => None,
        Err(defect) => panic!("variant {index}: {defect}"),
    }
}

fn through_json(choices: &Choices) -> Choices {
    serde_json::from_str(&serde_json::to_string(choices).unwrap()).unwrap()
}

#[test]
fn probe() {
    for name in corpus::all() {
        match Seed::open(corpus::file(&name)) {
            Ok(seed) => {
                let t = std::time::Instant::now();
                let mut bad = BTreeSet::new();
                for k in 0..5 {
                    if let Err(e) = seed.variant(ChoiceSource::seeded(1, k)) {
                        bad.insert(e.to_string());
                    }
                }
                println!("OK   {name} {:?} {bad:?}", t.elapsed() / 5);
            }
            Err(e) => println!("FAIL {name}: {e}"),
        }
    }
}

#[test]
fn probe_own() {
    let mut wrong: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for name in OWN.into_iter().chain(corpus::KINDS) {
        let Ok(seed) = Seed::open(corpus::file(name)) else { continue };
        for index in 0..30 {
            let Some(made) = variant(&seed, 1, index) else { continue };
            let again = seed.variant(ChoiceSource::replaying(through_json(&made.choices)));
            match again {
                Ok(again) => {
                    if again.bytes != made.bytes || again.choices != made.choices {
                        println!("REPLAY {name} {index}");
                    }
                }
                Err(e) => println!("REPLAY {name} {index} {e}"),
            }
            let twin = Seed::open(made.bytes).unwrap();
            assert!(twin.picture() == seed.picture());
            let own = twin.own_choices();
            for (dimension, value) in made.choices.iter() {
                if own.get(dimension) != Some(value) {
                    let short = |v: Option<&Value>| {
                        v.map_or("-".into(), |v| v.to_string().chars().take(60).collect::<String>())
                    };
                    let e = wrong.entry(dimension.to_owned()).or_default();
                    e.0 += 1;
                    e.1 = format!(
                        "{name} {index}: {} vs own {}",
                        short(Some(value)),
                        short(own.get(dimension))
                    );
                }
            }
        }
    }
    for (k, v) in wrong {
        println!("OWN {k} {} {}", v.0, v.1);
    }
}
