//! Specs of whole formats do the same compiled and interpreted, and were compiled as what they are.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use inverter::emit::module;
use inverter::pipeline::{Pipeline, read as interpreted};
use inverter::run::Limits;
use inverter::solve::ChoiceSource;
use normalizers::{primitives, read};
use seeds::seeds;

use crate::support::seeds;

const FORMATS: [&str; 13] =
    ["aiff", "au", "bmp", "ddraw", "elf", "gif", "ico", "nifti", "npy", "png", "pnm", "tga", "wav"];
const VARIANTS: u64 = 40;

/// The spec of a format, compiled and interpreted.
fn both(name: &str) -> [Pipeline; 2] {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("specs/{name}/{name}.rs"));
    [read(&path).unwrap(), interpreted(&path, &primitives()).unwrap()]
}

#[test]
fn stages_are_those_that_were_compiled() {
    for name in FORMATS {
        let out = Path::new(env!("OUT_DIR")).join(format!("{name}.rs"));
        let out = fs::read_to_string(out).unwrap();
        let [compiled, interpreted] = both(name);
        for (stage, plain) in compiled.stages().iter().zip(interpreted.stages()) {
            assert!(stage.inverse().compiled().is_some(), "{name}: {}", stage.name());
            // The build knows less of primitives than there is to know.
            let text = module(plain.inverse());
            let (_, text) = text.split_once("\n\n").unwrap();
            assert!(out.contains(text), "{name}: {} is compiled as something else", stage.name());
        }
    }
}

#[test]
fn variants_are_the_same() {
    let limits = Limits { slack: 64, ..Limits::default() };
    for name in FORMATS.into_iter().filter(|name| *name != "ddraw") {
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
