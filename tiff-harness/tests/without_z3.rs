//! Variants of TIFF files are made without Z3. Queries are counted for the whole process, so this is a process of its
//! own.

use std::fs;
use std::path::Path;

use inverter::solve::{ChoiceSource, counts};
use tiff_harness::Seed;

const VARIANTS: u64 = 60;

#[test]
fn variants_need_no_solver() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
    let mut seeds: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    seeds.retain(|path| path.extension().is_some_and(|e| e == "tif" || e == "tiff"));
    seeds.sort();
    let mut made = 0;
    for path in &seeds {
        let seed = Seed::open(fs::read(path).unwrap()).unwrap();
        for index in 0..VARIANTS {
            made += u64::from(seed.variant(ChoiceSource::seeded(9, index)).is_ok());
        }
    }
    assert!(made >= VARIANTS, "{made} variants of {} seeds", seeds.len());
    assert_eq!(counts().queries, 0, "of {} ensures", counts().ensures);
}
