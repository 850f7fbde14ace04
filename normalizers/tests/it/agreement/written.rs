//! Strips that libtiff compresses, with each of its predictors.

use inverter::primitive::Primitive;
use inverter::solve::Fill;
use normalizers::primitive::{Deflate, FloatPredictor, Predictor};
use rand::Rng;

use super::container::{SAMPLE_FORMAT, strips};
use super::readers;
use super::streams::{bytes, predictor_arguments, sampled};

/// Writes random samples of `size` bytes by tiffcp with predictor `number`, and decodes its strips.
fn written(rng: &mut dyn Rng, size: usize, number: u32, predictor: &dyn Primitive) {
    let mut form = sampled(rng, size);
    form.compression = 1;
    if number == 3 {
        // In the other byte order, libtiff swapped the numbers before it differenced them, and did not
        // read its own files (until 4.7.1).
        form.big_endian = cfg!(target_endian = "big");
    }
    // Unsigned integers, or floating point numbers.
    let format = if number == 3 || rng.next_u32().is_multiple_of(2) { 3 } else { 1 };
    form.more.push((SAMPLE_FORMAT, format));
    let plain: Vec<Vec<u8>> =
        (0..3).map(|_| bytes(rng, form.row_bytes() * form.rows_per_strip)).collect();
    let file = form.file(&plain.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let order = if form.big_endian { "-B" } else { "-L" };
    let (compression, rows) = (format!("zip:{number}"), form.rows_per_strip.to_string());
    let options = ["-c", &compression, "-r", &rows, order];
    let folder = tempfile::tempdir().unwrap();
    let theirs = readers::run("tiffcp", &options, &file, folder.path());
    let args = predictor_arguments(&form);
    let stored = strips(&theirs, 8);
    assert_eq!(stored.len(), plain.len());
    for (stored, plain) in stored.into_iter().zip(plain) {
        let differences = Deflate.decode(stored, &[], plain.len()).unwrap();
        let samples = predictor.decode(&differences, &args, plain.len());
        assert!(samples.as_ref() == Ok(&plain), "predictor {number}, format {format}: {args:?}");
    }
}

#[test]
fn what_libtiff_compresses_is_decoded() {
    if !readers::installed("tiffcp") {
        return;
    }
    let mut rng = Fill::rng(0x317);
    for _ in 0..8 {
        for size in [1, 2, 4, 8] {
            written(&mut rng, size, 2, &Predictor);
        }
        for size in [2, 3, 4, 8] {
            written(&mut rng, size, 3, &FloatPredictor);
        }
    }
}
