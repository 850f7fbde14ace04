//! The ensures of formats are decided without Z3. What is asked is counted for the whole process, so
//! this is a process of its own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use inverter::run::Limits;
use inverter::solve::{ChoiceSource, counts};
use normalizers::read;
use seeds::seeds;

#[path = "it/support/seeds.rs"]
mod seeds;

const VARIANTS: u64 = 30;

#[test]
fn formats_need_no_solver() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let limits = Limits { slack: 64, ..Limits::default() };
    // Some formats are primitives alone, without ensures.
    let mut all = 0;
    for name in [
        "aiff",
        "au",
        "baseline_tiff",
        "bmp",
        "dbf",
        "elf",
        "gif",
        "ico",
        "netcdf",
        "nifti",
        "npy",
        "pnm",
        "png",
        "tar",
        "tga",
        "wav",
        "zip",
    ] {
        let p = read(&here.join(format!("specs/{name}/{name}.rs"))).unwrap();
        let before = counts();
        for seed in seeds(name) {
            let x = p.open(fs::read(&seed).unwrap()).unwrap();
            let y = p.normalize(&x).unwrap();
            let own = Arc::new(p.own_choices(&x, &limits).unwrap());
            for index in 0..VARIANTS {
                let mut source = ChoiceSource::seeded(5, index).or_baseline(&own);
                p.invert(&y, &mut source, &limits).unwrap();
            }
        }
        let after = counts();
        let ensures = after.ensures - before.ensures;
        let questions = after.queries - before.queries;
        all += ensures;
        assert_eq!(questions, 0, "{name}: asked of {ensures} ensures");
    }
    assert!(all > 100 * VARIANTS, "{all} ensures");
}
