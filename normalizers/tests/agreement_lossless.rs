//! Streams of the primitives mean the same to other decoders: ours, the `tiff` crate's and
//! libtiff's agree with the data, for random streams.
//!
//! Many streams at a time are the strips of one small file. libtiff is asked by `tiffcp`;
//! where that is not installed this is said, and the others are compared.

use std::fs;
use std::path::Path;
use std::process::Command;

use inverter::primitive::Primitive;
use inverter::solve::{ChoiceSource, Fill};
use normalizers::primitive::{Deflate, Lzw};
use rand::{Rng, RngExt};
use tiff::decoder::{Decoder, DecodingResult};

/// A primitive, and the value of TIFF's tag Compression that stands for it.
struct Codec {
    primitive: &'static dyn Primitive,
    compression: u16,
}

const LZW: Codec = Codec { primitive: &Lzw, compression: 5 };
const DEFLATE: Codec = Codec { primitive: &Deflate, compression: 8 };
const OLD_DEFLATE: Codec = Codec { primitive: &Deflate, compression: 32946 };

/// How many streams are in one file.
const STRIPS: u64 = 200;

#[test]
fn streams_of_lzw_agree() {
    agree(&LZW, 500, 0);
}

#[test]
fn streams_of_deflate_agree() {
    agree(&DEFLATE, 400, 0);
    agree(&OLD_DEFLATE, 200, 1000);
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
    let has_libtiff = Command::new("tiffcp").output().is_ok();
    if !has_libtiff {
        eprintln!("skipped: libtiff's decoder of {name}, since tiffcp is not installed");
    }
    let (mut streams, mut bytes) = (0, 0);
    for file in 0..count.div_ceil(STRIPS) {
        let mut rng = Fill::rng(first + file);
        let width = width(&mut rng, file);
        let rows: Vec<Vec<u8>> = (0..STRIPS).map(|_| row(&mut rng, width)).collect();
        let strips: Vec<Vec<u8>> = (first + file * STRIPS..)
            .zip(&rows)
            .map(|(index, row)| {
                let mut source = ChoiceSource::seeded(77, index);
                let stored =
                    codec.primitive.encode(row, &[], &(0..=usize::MAX), &mut source).unwrap();
                let back = codec.primitive.decode(&stored, &[], row.len());
                let choices = source.recorded();
                assert!(back.as_ref() == Ok(row), "{name}, stream {index}: {choices:?}");
                stored
            })
            .collect();
        let expected = rows.concat();
        let path = folder.path().join("strips.tif");
        fs::write(&path, picture(width, &strips, codec.compression)).unwrap();
        let seen = samples(&path);
        assert_eq!(differing(&seen, &expected, width), [0; 0], "{name} in file {file}: tiff crate");
        if has_libtiff {
            let plain = folder.path().join("plain.tif");
            let ran =
                Command::new("tiffcp").args(["-c", "none"]).args([&path, &plain]).output().unwrap();
            let said = String::from_utf8_lossy(&ran.stderr);
            assert!(ran.status.success() && said.is_empty(), "{name} in file {file}: {said}");
            let seen = samples(&plain);
            assert_eq!(
                differing(&seen, &expected, width),
                [0; 0],
                "{name} in file {file}: libtiff"
            );
        }
        streams += strips.len();
        bytes += expected.len();
    }
    let libtiff = if has_libtiff { "and libtiff" } else { "(libtiff was not asked)" };
    println!("{streams} streams of {name}, {bytes} bytes of data: this, the tiff crate {libtiff}");
    assert!(streams as u64 >= count);
}

/// The length of a file's rows: of all sizes; now and then so much that LZW's table is full
/// more than once.
fn width(rng: &mut impl Rng, file: u64) -> usize {
    match file % 5 {
        0 => rng.random_range(1..=40),
        1 => rng.random_range(200..=1100),
        2 => rng.random_range(1000..=6000),
        3 => 1 << rng.random_range(0..=12),
        _ => rng.random_range(6000..=20_000),
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

/// What the `tiff` crate makes of a file.
fn samples(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(fs::File::open(path).unwrap());
    match Decoder::new(file).and_then(|mut decoder| decoder.read_image()) {
        Ok(DecodingResult::U8(samples)) => samples,
        other => panic!("{other:?}"),
    }
}

/// A grey picture of 8 bits a sample, each of whose rows is a strip (TIFF 6.0, section 2).
fn picture(width: usize, strips: &[Vec<u8>], compression: u16) -> Vec<u8> {
    let mut file = b"II\x2A\0".to_vec();
    let lengths: Vec<u32> = strips.iter().map(|strip| strip.len() as u32).collect();
    let mut at = 8;
    let mut offsets = Vec::new();
    for length in &lengths {
        offsets.push(at);
        at += length;
    }
    let padding = at % 2;
    let (lists, count) = (at + padding, strips.len() as u32);
    let entries: [(u16, u16, u32, u32); 9] = [
        (256, 4, 1, width as u32),
        (257, 4, 1, count),
        (258, 3, 1, 8),
        (259, 3, 1, compression.into()),
        (262, 3, 1, 1),
        (273, 4, count, lists),
        (277, 3, 1, 1),
        (278, 4, 1, 1),
        (279, 4, count, lists + 4 * count),
    ];
    file.extend((lists + 8 * count).to_le_bytes());
    file.extend(strips.concat());
    file.resize(lists as usize, 0);
    file.extend(offsets.iter().chain(&lengths).flat_map(|number| number.to_le_bytes()));
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file
}
