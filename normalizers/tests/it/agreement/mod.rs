//! Other decoders read the encoders' streams: libtiff and the crate `tiff`.

mod ccitt;
mod container;
mod lossless;
mod pictures;
mod readers;
mod streams;
mod written;

use inverter::solve::Fill;
use streams::KINDS;

/// Streams of each kind are read by all who can read them as what they stand for.
fn agree(kind: &str, streams: usize, per_file: usize) {
    let (name, make) = KINDS.into_iter().find(|(name, _)| *name == kind).unwrap();
    let program = if name == "packed bits" { "tiff2rgba" } else { "tiffcp" };
    let libtiff = readers::installed(program);
    let folder = tempfile::tempdir().unwrap();
    let mut rng = Fill::rng(0xA6);
    let mut read = [0; 3];
    for file in 0..streams.div_ceil(per_file) {
        let count = per_file.min(streams - file * per_file);
        let batch = make(&mut rng, count, (file * per_file) as u64);
        read[0] += count;
        let form = &batch.form;
        let stored: Vec<&[u8]> = batch.strips.iter().map(|(_, stored)| &**stored).collect();
        let wanted: Vec<u8> = batch.strips.iter().flat_map(|(data, _)| data).copied().collect();
        let bytes = form.file(&stored);
        let told = || format!("{name}: file {file}, {} columns", form.columns);
        if libtiff {
            let same = match &batch.samples {
                Some(samples) if form.compression == 1 => {
                    readers::libtiff_grey(form, &bytes, folder.path()) == *samples
                }
                _ => readers::libtiff(form, &bytes, folder.path()) == wanted,
            };
            assert!(same, "{}: libtiff", told());
            read[1] += count;
        }
        if batch.in_tiff_crate {
            assert!(readers::tiff_crate(form, &bytes) == wanted, "{}: the crate tiff", told());
            read[2] += count;
        }
    }
    println!("{name}: {read:?} streams read by own decoders, libtiff, the crate tiff");
}

macro_rules! kinds {
    ($($test:ident: $name:literal,)*) => {
        $(#[test] fn $test() { agree($name, 300, 25); })*

        /// A minute long: `cargo test -p repfuzz-normalizers --test it -- agreement --ignored --nocapture`.
        mod slow {
            $(#[test] #[ignore = "slow"] fn $test() { super::agree($name, 10_000, 50); })*
        }

        #[test]
        fn every_kind_is_tested() {
            assert_eq!(KINDS.map(|(name, _)| name), [$($name),*]);
        }
    };
}

kinds! {
    modified_huffman: "Modified Huffman",
    t4_one_dimensional: "T.4, one-dimensional",
    t4_two_dimensional: "T.4, two-dimensional",
    t6: "T.6",
    packbits: "PackBits",
    predictor_8: "predictor, 8 bits",
    predictor_16: "predictor, 16 bits",
    predictor_32: "predictor, 32 bits",
    predictor_64: "predictor, 64 bits",
    float_predictor_16: "floating point predictor, 16 bits",
    float_predictor_24: "floating point predictor, 24 bits",
    float_predictor_32: "floating point predictor, 32 bits",
    float_predictor_64: "floating point predictor, 64 bits",
    packed_bits: "packed bits",
    packed_bits_coded: "packed bits, Modified Huffman",
}
