//! Specs of whole formats do the same by code and interpreted.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use inverter::pipeline::{Pipeline, Stage};
use inverter::run::Limits;
use inverter::solve::ChoiceSource;
use normalizers::read;
use seeds::seeds;

use crate::support::seeds;

const FORMATS: [&str; 12] =
    ["aiff", "au", "bmp", "elf", "gif", "ico", "nifti", "npy", "png", "pnm", "tga", "wav"];
const VARIANTS: u64 = 40;

/// The spec of a format, by code and interpreted.
fn both(name: &str) -> [Pipeline; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("specs/{name}/{name}.rs"));
    let by_code = read(&path).unwrap();
    let interpreted =
        |stage: &Stage| Stage::new(stage.name(), stage.inverse().clone().interpreted());
    let stages: Vec<Stage> = by_code.stages().iter().map(interpreted).collect();
    let interpreted = match stages.len() {
        1 => Pipeline::single(stages[0].inverse().clone()),
        _ => Pipeline::new(stages).unwrap(),
    };
    [by_code, interpreted]
}

#[test]
fn variants_are_the_same() {
    let limits = Limits { slack: 64, ..Limits::default() };
    for name in FORMATS {
        let [one, other] = both(name);
        for seed in seeds(name) {
            let file = seed.display();
            let x = one.open(fs::read(&seed).unwrap()).unwrap();
            let y = one.normalize(&x).unwrap();
            assert_eq!(other.normalize(&x).unwrap(), y, "{file}");
            let own = Arc::new(one.own_choices(&x, &limits).unwrap());
            for index in 0..VARIANTS {
                let [made, again] = [&one, &other].map(|p| {
                    let mut source = ChoiceSource::seeded(7, index).or_baseline(&own);
                    let x = p.invert(&y, &mut source, &limits).unwrap();
                    (x, source.into_recorded())
                });
                assert!(made == again, "{file}: {index}");
                assert_eq!(one.normalize(&made.0).unwrap(), y, "{file}: {index}");
                assert_eq!(other.normalize(&made.0).unwrap(), y, "{file}: {index}");
            }
        }
    }
}
