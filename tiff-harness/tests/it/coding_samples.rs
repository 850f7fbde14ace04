//! Files of tifffile and of GDAL with samples of other kinds than unsigned integers of whole bytes are
//! decoded to the samples that they were made of. `samples/make.py` made them.

use std::path::Path;

use tiff_harness::ImageFile;
use tiff_harness::coding::{Predictor, decode, sample_order};
use tiff_harness::container::{ByteOrder, Container, Tag, read};
use tiff_harness::image::{Layout, Segment, sample_bytes};

use crate::support::corpus;

const WIDTH: u32 = 7;
const HEIGHT: u32 = 5;

/// A file of the folder, and what `make.py` says of it.
struct Made {
    name: &'static str,
    bits: u16,
    samples: u16,
    /// SampleFormat.
    format: u16,
    predictor: Predictor,
}

const fn made(
    name: &'static str,
    bits: u16,
    samples: u16,
    format: u16,
    predictor: Predictor,
) -> Made {
    Made { name, bits, samples, format, predictor }
}

const FILES: [Made; 12] = [
    made("tifffile-u5", 5, 1, 1, Predictor::None),
    made("tifffile-u12-rgb", 12, 3, 1, Predictor::None),
    made("tifffile-f16-rgb-tiles", 16, 3, 3, Predictor::FloatingPoint),
    made("tifffile-f32-rgb-planar-mm", 32, 3, 3, Predictor::FloatingPoint),
    made("tifffile-f64-mm", 64, 1, 3, Predictor::FloatingPoint),
    made("tifffile-u64-rgb-mm", 64, 3, 1, Predictor::Horizontal),
    made("gdal-u10-mm", 10, 1, 1, Predictor::None),
    made("gdal-u12-rgb-tiles-mm", 12, 3, 1, Predictor::None),
    made("gdal-f32-rgb-mm", 32, 3, 3, Predictor::FloatingPoint),
    made("gdal-f32-rgb-horizontal", 32, 3, 3, Predictor::Horizontal),
    made("gdal-f64-rgb-planar-tiles", 64, 3, 3, Predictor::FloatingPoint),
    made("gdal-i16-rgb", 16, 3, 2, Predictor::Horizontal),
];

/// Returns the numbers of a tag; none if it is absent.
fn numbers(container: &Container, tag: Tag) -> Vec<u64> {
    container.ifd.get(tag).map_or(Vec::new(), |entry| entry.values.as_integers().unwrap())
}

/// Returns the directory of a file, without checking that it is supported.
fn image(file: &[u8]) -> ImageFile {
    let container = read(file).unwrap();
    let all = |tag| numbers(&container, tag);
    let short = |tag, absent: u16| all(tag).first().map_or(absent, |n| u16::try_from(*n).unwrap());
    let long = |tag| u32::try_from(all(tag)[0]).unwrap();
    // Any file that is supported, for the fields that do not matter here.
    let mut image = ImageFile::read(&corpus::file("seeds/tiny.tif")).unwrap();
    image.order = container.order;
    (image.width, image.height) = (long(Tag::IMAGE_WIDTH), long(Tag::IMAGE_LENGTH));
    image.bits = short(Tag::BITS_PER_SAMPLE, 1);
    image.samples_per_pixel = short(Tag::SAMPLES_PER_PIXEL, 1);
    image.sample_format = short(Tag::SAMPLE_FORMAT, 1);
    image.planar = short(Tag::PLANAR_CONFIGURATION, 1);
    image.compression = short(Tag::COMPRESSION, 1);
    image.predictor = short(Tag::PREDICTOR, 1);
    image.fill_order = short(Tag::FILL_ORDER, 1);
    let tiled = !all(Tag::TILE_WIDTH).is_empty();
    image.layout = match tiled {
        true => Layout::Tiles { width: long(Tag::TILE_WIDTH), length: long(Tag::TILE_LENGTH) },
        false => Layout::Strips { rows_per_strip: long(Tag::ROWS_PER_STRIP) },
    };
    let (offsets, counts) = match tiled {
        true => (Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
        false => (Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
    };
    let places = all(offsets).into_iter().zip(all(counts));
    image.segments = places.map(|(offset, byte_count)| Segment { offset, byte_count }).collect();
    image
}

/// Returns the samples of the picture as bit patterns, row by row and pixel by pixel.
fn samples(image: &ImageFile, file: &[u8]) -> Vec<u64> {
    let bytes = decode(image, |k| image.stored(file, k).unwrap()).unwrap();
    let order = sample_order(image.bits, image.sample_format, image.order);
    let number = |bytes: &[u8]| {
        let join = |n: u64, byte: &u8| n << 8 | u64::from(*byte);
        match order {
            ByteOrder::Big => bytes.iter().fold(0, join),
            ByteOrder::Little => bytes.iter().rev().fold(0, join),
        }
    };
    let stored: Vec<u64> = bytes.chunks(sample_bytes(image.bits) as usize).map(number).collect();
    // The picture lies in the first column of tiles, whose rows may be longer.
    let grid = image.grid();
    assert!(grid.columns() >= image.width);
    let (row, stride) = (grid.row_samples() as usize, grid.stride() as usize);
    let rows_of_a_plane =
        stored.len() / row / if grid.planar { usize::from(image.samples_per_pixel) } else { 1 };
    let mut out = Vec::new();
    for y in 0..image.height as usize {
        for x in 0..image.width as usize {
            for s in 0..usize::from(image.samples_per_pixel) {
                let (plane, s) = if grid.planar { (s, 0) } else { (0, s) };
                out.push(stored[(plane * rows_of_a_plane + y) * row + x * stride + s]);
            }
        }
    }
    out
}

#[test]
fn other_writers_files_have_the_samples_that_they_were_made_of() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    for Made { name, bits, samples: count, format, predictor } in FILES {
        let file = std::fs::read(folder.join(name).with_extension("tif")).unwrap();
        let image = image(&file);
        assert_eq!((image.width, image.height), (WIDTH, HEIGHT), "{name}");
        let kind = (image.bits, image.samples_per_pixel, image.sample_format);
        assert_eq!(kind, (bits, count, format), "{name}");
        assert_eq!(image.predictor, predictor.code(), "{name}");
        let made = |k: u64| {
            let word = k.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x0123_4567);
            word >> (64 - bits)
        };
        let all = u64::from(WIDTH * HEIGHT) * u64::from(count);
        assert_eq!(samples(&image, &file), (0..all).map(made).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn every_file_of_the_folder_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| Some(name.strip_suffix(".tif")?.to_owned()))
        .collect();
    there.sort();
    let mut read = FILES.map(|file| file.name);
    read.sort_unstable();
    assert_eq!(there, read);
}
