//! Formats that a spec alone describes: files of real producers are read, and every variant of them means
//! the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use inverter::pipeline::Pipeline;
use inverter::run::{Limits, from_json, to_json};
use inverter::solve::{Choice, ChoiceSource, Choices};
use normalizers::read;
use seeds::seeds;

use crate::support::seeds;

fn pipeline(name: &str) -> Pipeline {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("specs/{name}/{name}.rs"));
    read(&path).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn numbers_that_a_spec_compares_with_are_classes() {
    let p = pipeline("bmp");
    let bytes = fs::read(&seeds("bmp")[0]).unwrap();
    let own = p.own_choices(&p.open(bytes).unwrap(), &Limits::default()).unwrap();
    let (dimension, _) = own.iter().find(|(d, _)| d.ends_with("bits")).unwrap();
    let constants = p.constants();
    let class = |n: i128| constants.value_class(dimension, &Choice::Int(n));
    assert_eq!([1, 16, 24, 32].map(class), ["1", "16", "24", "32"]);
    assert_eq!(class(25), "up to 255");
}

/// The draws for each distinct variant: there are often few ways to store little.
const DRAWS: u64 = 4;

/// The number of distinct variants of a format, the same number for each of its seeds.
const VARIANTS: u64 = 2000;

/// Makes variants of each seed; how many seeds come out as long as they are if they are written anew with
/// their own choices.
fn vary(name: &str) -> usize {
    let p = pipeline(name);
    let count = VARIANTS.div_ceil(seeds(name).len() as u64);
    let limits = Limits { slack: 64, ..Limits::default() };
    let mut as_stored = 0;
    for seed in seeds(name) {
        let file = seed.display();
        let bytes = fs::read(&seed).unwrap();
        let x = p.open(bytes.clone()).unwrap_or_else(|e| panic!("{file}: {e}"));
        let y = p.normalize(&x).unwrap_or_else(|e| panic!("{file}: {e}"));
        let own = Arc::new(p.own_choices(&x, &limits).unwrap_or_else(|e| panic!("{file}: {e}")));
        // The file as it is stored, except where choices record only its kind and for streams that no policy
        // of a primitive makes.
        let mut source = ChoiceSource::replaying(Choices::new()).with_baseline(own.clone());
        let anew = p.invert(&y, &mut source, &limits).unwrap_or_else(|e| panic!("{file}: {e}"));
        as_stored += usize::from(p.file(anew).unwrap().len() == bytes.len());
        let mut made = BTreeSet::new();
        for index in 0..DRAWS * count {
            let mut source = ChoiceSource::seeded(11, index).or_baseline(&own);
            let x = p.invert(&y, &mut source, &limits);
            let bytes = p.file(x.unwrap_or_else(|e| panic!("{file}: {index}: {e}"))).unwrap();
            let again = p.open(bytes.clone()).and_then(|x| p.normalize(&x));
            assert_eq!(
                again.unwrap_or_else(|e| panic!("{file}: {index}: {e}")),
                y,
                "{file}: {index}"
            );
            made.insert(bytes);
            if made.len() as u64 == count {
                break;
            }
        }
        assert_eq!(made.len() as u64, count, "{file}");
    }
    as_stored
}

/// Makes as many representations of a value that is not in a file: a surface in memory.
fn sample() {
    let p = pipeline("ddraw");
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/ddraw/seed.json");
    let seed = serde_json::from_str(&fs::read_to_string(seed).unwrap()).unwrap();
    let y = from_json(p.output(), &seed).unwrap();
    let limits = Limits { slack: 64, ..Limits::default() };
    let mut made = BTreeSet::new();
    for index in 0..DRAWS * VARIANTS {
        let mut source = ChoiceSource::seeded(11, index);
        let x = p.invert(&y, &mut source, &limits).unwrap_or_else(|e| panic!("{index}: {e}"));
        assert_eq!(p.normalize(&x).unwrap(), y, "{index}");
        made.insert(to_json(p.input(), &x).to_string());
        if made.len() as u64 == VARIANTS {
            break;
        }
    }
    assert_eq!(made.len() as u64, VARIANTS);
}

#[test]
fn variants_of_aiff_mean_the_same() {
    assert!(vary("aiff") > 1);
}

#[test]
fn variants_of_dbf_mean_the_same() {
    vary("dbf");
}

#[test]
fn variants_of_ico_mean_the_same() {
    assert!(vary("ico") > 1);
}

#[test]
fn variants_of_nifti_mean_the_same() {
    assert!(vary("nifti") > 1);
}

#[test]
fn variants_of_npy_mean_the_same() {
    assert!(vary("npy") > 1);
}

#[test]
fn variants_of_au_mean_the_same() {
    assert!(vary("au") > 1);
}

#[test]
fn variants_of_gif_mean_the_same() {
    assert!(vary("gif") > 1);
}

#[test]
fn variants_of_baseline_tiff_mean_the_same() {
    vary("baseline_tiff");
}

#[test]
fn variants_of_bmp_mean_the_same() {
    assert!(vary("bmp") > 1);
}

#[test]
fn variants_of_tga_mean_the_same() {
    assert!(vary("tga") > 1);
}

#[test]
fn variants_of_pnm_mean_the_same() {
    assert!(vary("pnm") > 1);
}

#[test]
fn variants_of_png_mean_the_same() {
    assert!(vary("png") > 1);
}

#[test]
fn variants_of_wav_mean_the_same() {
    vary("wav");
}

#[test]
fn variants_of_tar_mean_the_same() {
    vary("tar");
}

#[test]
fn variants_of_zip_mean_the_same() {
    vary("zip");
}

#[test]
fn variants_of_netcdf_mean_the_same() {
    assert!(vary("netcdf") > 1);
}

#[test]
fn variants_of_elf_mean_the_same() {
    vary("elf");
}

#[test]
fn surfaces_in_memory_mean_the_same() {
    sample();
}
