//! Streams of the primitives mean the same to other decoders: ours, the `tiff` crate's and
//! libtiff's agree with the data, for random streams.
//!
//! Many streams at a time are the strips of one small file. libtiff is asked by `tiffcp`;
//! where that is not installed, or libtiff was built without a codec, this is said, and the
//! others are compared. The `tiff` crate is asked about LZW and Deflate only: of the others
//! it uses the same crates as the primitives, or none.

use inverter::primitive::{Encoding, Primitive};
use inverter::solve::{ChoiceSource, Fill};
use normalizers::primitive::{Deflate, Lzma, Lzw, WebpLossless, Zstd};
use rand::{Rng, RngExt};

use super::container::Form;
use super::readers;

/// A primitive, and the value of TIFF's tag Compression that stands for it.
struct Codec {
    primitive: &'static dyn Primitive,
    compression: u16,
    samples: usize,
    /// True if the `tiff` crate decodes it.
    crate_too: bool,
}

impl Codec {
    const fn new(primitive: &'static dyn Primitive, compression: u16) -> Self {
        Self { primitive, compression, samples: 1, crate_too: matches!(compression, 5 | 8 | 32946) }
    }
}

const LZW: Codec = Codec::new(&Lzw, 5);
const DEFLATE: Codec = Codec::new(&Deflate, 8);
const OLD_DEFLATE: Codec = Codec::new(&Deflate, 32946);
const ZSTD: Codec = Codec::new(&Zstd, 50000);
const LZMA: Codec = Codec::new(&Lzma, 34925);
const WEBP: Codec = Codec::new(&WebpLossless, 50001);

/// The number of streams in one file.
const STRIPS: u64 = 200;

#[test]
fn streams_of_lzw_agree() {
    agree(&LZW, 600, 0);
}

#[test]
fn streams_of_deflate_agree() {
    agree(&DEFLATE, 600, 0);
    agree(&OLD_DEFLATE, 200, 1000);
}

#[test]
fn streams_of_zstd_agree() {
    agree(&ZSTD, 600, 0);
}

#[test]
fn streams_of_lzma_agree() {
    agree(&LZMA, 600, 0);
}

#[test]
fn streams_of_webp_agree() {
    agree(&Codec { samples: 3, ..WEBP }, 400, 0);
    agree(&Codec { samples: 4, ..WEBP }, 400, 1000);
}

#[test]
#[ignore = "slow: ten thousand streams"]
fn many_streams_of_lzw_agree() {
    agree(&LZW, 10_000, 1_000_000);
}

#[test]
#[ignore = "slow: ten thousand streams"]
fn many_streams_of_deflate_agree() {
    agree(&DEFLATE, 10_000, 1_000_000);
}

/// `count` streams, seeded from `first` on, are decoded alike by all.
fn agree(codec: &Codec, count: u64, first: u64) {
    let folder = tempfile::tempdir().unwrap();
    let name = codec.primitive.name();
    let mut libtiff = readers::installed("tiffcp");
    let (mut streams, mut bytes) = (0, 0);
    for file in 0..count.div_ceil(STRIPS) {
        let mut rng = Fill::rng(first + file);
        let width = width(&mut rng, file);
        let length = width * codec.samples;
        let rows: Vec<Vec<u8>> = (0..STRIPS).map(|_| row(&mut rng, length)).collect();
        let seeds = first + file * STRIPS..;
        let strips: Vec<Vec<u8>> =
            seeds.zip(&rows).map(|(seed, row)| stream(codec, row, width, seed)).collect();
        let expected = rows.concat();
        let form = form(codec, width);
        let stored: Vec<&[u8]> = strips.iter().map(Vec::as_slice).collect();
        let bytes_of_file = form.file(&stored);
        let differing = |seen: &[u8]| differing(seen, &expected, length);
        if codec.crate_too {
            let seen = readers::tiff_crate(&form, &bytes_of_file);
            assert_eq!(differing(&seen), [0; 0], "{name} in file {file}: tiff crate");
        }
        if libtiff {
            match readers::libtiff_if_configured(&form, &bytes_of_file, folder.path()) {
                Ok(seen) => assert_eq!(differing(&seen), [0; 0], "{name} in file {file}: libtiff"),
                Err(said) => {
                    eprintln!("skipped: libtiff's decoder of {name}: {said}");
                    libtiff = false;
                    continue;
                }
            }
        }
        streams += strips.len();
        bytes += expected.len();
    }
    let asked = |asked, name| if asked { name } else { "" };
    let others = [asked(codec.crate_too, "tiff crate"), asked(libtiff, "libtiff")];
    println!("{streams} streams of {name}, {bytes} bytes of data, asked too: {others:?}");
}

/// A stream that stands for a row, drawn from `seed`, and decoded again.
fn stream(codec: &Codec, row: &[u8], width: usize, seed: u64) -> Vec<u8> {
    let Codec { primitive, samples, .. } = codec;
    let args = [width as i128, 1, *samples as i128];
    let args = &args[..primitive.arity()];
    let mut source = ChoiceSource::seeded(77, seed);
    let stored = primitive.encode(row, Encoding::any_length(args, &mut source)).unwrap();
    let back = primitive.decode(&stored, args, row.len());
    let (name, choices) = (primitive.name(), source.recorded());
    assert!(back.is_ok_and(|back| back == row), "{name}, stream {seed}: {choices:?}");
    stored
}

/// The length of a file's rows: of all sizes; now and then so much that LZW's table is full
/// more than once.
fn width(rng: &mut impl Rng, file: u64) -> usize {
    match file % 5 {
        0 => rng.random_range(1..=40),
        1 => rng.random_range(200..=1100),
        2 => rng.random_range(1000..=6000),
        3 => 1 << rng.random_range(0..=12),
        _ => rng.random_range(6000..=16_000),
    }
}

/// Data of one of a few habits.
fn row(rng: &mut impl Rng, width: usize) -> Vec<u8> {
    let habit = rng.random_range(0..5);
    let mut row: Vec<u8> = Vec::with_capacity(width);
    while row.len() < width {
        let byte = match habit {
            0 => 9,
            1 => rng.random_range(0..3),
            2 => (row.len() / 7) as u8,
            _ => rng.random(),
        };
        let run = if habit == 3 { rng.random_range(1..=300) } else { 1 };
        let copied = rng.random_range(0..=row.len().min(40));
        if habit == 4 && copied > 2 && rng.random_ratio(1, 3) {
            let at = rng.random_range(0..=row.len() - copied);
            row.extend_from_within(at..at + copied);
        }
        row.resize(row.len() + run, byte);
    }
    row.truncate(width);
    row
}

/// The rows that are not as they should be.
fn differing(seen: &[u8], expected: &[u8], width: usize) -> Vec<usize> {
    let rows = seen.chunks(width).zip(expected.chunks(width)).enumerate();
    let mut differing: Vec<usize> = rows.filter(|(_, (a, b))| a != b).map(|(k, _)| k).collect();
    if seen.len() != expected.len() {
        differing.push(seen.len() / width);
    }
    differing
}

/// A picture of 8 bits a sample, grey, RGB or RGBA, each of whose rows is a strip.
fn form(codec: &Codec, width: usize) -> Form {
    // The fourth sample is unassociated alpha.
    let alpha = (codec.samples == 4).then_some((338, 2));
    Form {
        big_endian: false,
        columns: width,
        rows_per_strip: 1,
        bits: 8,
        samples: codec.samples,
        compression: codec.compression,
        more: alpha.into_iter().collect(),
    }
}
