//! Files of more than a mebibyte, whose arrays are ranges of the seed and lists of copies.

use inverter::run::MAX_SIZE;
use inverter::solve::{ChoiceSource, Choices, Vary};
use sha2::{Digest, Sha256};
use tiff_harness::container::Tag;
use tiff_harness::{Profile, Seed, VariantError};

use crate::support::plain;

use plain::Plain;

const WIDTH: usize = 700;
const HEIGHT: usize = 620;

/// Returns a seed of random samples of `bits` bits in strips of `rows` rows.
fn seed(samples: usize, bits: u64, rows: usize) -> Seed {
    let mut state = 1u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let row = WIDTH * samples * bits as usize / 8;
    let bytes: Vec<u8> = (0..HEIGHT * row).map(|_| byte()).collect();
    let strips: Vec<Vec<u8>> = bytes.chunks(rows * row).map(<[u8]>::to_vec).collect();
    let numbers = [
        (Tag::IMAGE_WIDTH, WIDTH as u64),
        (Tag::IMAGE_LENGTH, HEIGHT as u64),
        (Tag::SAMPLES_PER_PIXEL, samples as u64),
        (Tag::PHOTOMETRIC_INTERPRETATION, if samples == 3 { 2 } else { 1 }),
        (Tag::ROWS_PER_STRIP, rows as u64),
    ];
    let bits = tiff_harness::container::Values::shorts(&vec![bits as u16; samples]);
    let file = Plain::new(&numbers, strips).with(Tag::BITS_PER_SAMPLE, bits);
    Seed::open(file.bytes()).unwrap()
}

fn choices(given: &[(&str, i128)]) -> Choices {
    let mut choices = Choices::new();
    given.iter().for_each(|(name, n)| choices.set(name, *n));
    choices
}

/// Changes of the layout of segments alone.
fn layouts() -> Vec<Choices> {
    let layouts: [&[(&str, i128)]; 9] = [
        &[],
        &[("rows_per_strip", 37)],
        &[("rows_per_strip", 1)],
        &[("planar", 2)],
        &[("planar", 2), ("rows_per_strip", 100)],
        &[("tiled", 1), ("tile_width", 256), ("tile_length", 256)],
        &[("tiled", 1), ("tile_width", 16), ("tile_length", 48)],
        &[("tiled", 1), ("tile_width", 704), ("tile_length", 624)],
        &[("tiled", 1), ("tile_width", 96), ("tile_length", 32), ("planar", 2)],
    ];
    layouts.into_iter().map(choices).collect()
}

/// Returns the files of one seed: those of all layouts, and some that vary in all dimensions.
fn files(seed: &Seed) -> impl Iterator<Item = Vec<u8>> {
    let replayed = layouts().into_iter().map(ChoiceSource::replaying);
    let drawn = (0..12).map(|index| {
        let share = if index % 2 == 0 { 0.1 } else { 0.6 };
        ChoiceSource::seeded(5, index).with_vary(Vary::Share(share))
    });
    replayed.chain(drawn).filter_map(|source| match seed.variant(source) {
        Ok(variant) => Some(variant.bytes),
        Err(VariantError::Impossible(_)) => None,
        Err(e) => panic!("{e}"),
    })
}

fn digest(files: impl Iterator<Item = Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for file in files {
        hash.update((file.len() as u64).to_le_bytes());
        hash.update(&file);
    }
    hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// Opens the variant of `seed` that has the choices.
fn restored(seed: &Seed, given: &[(&str, i128)]) -> Seed {
    let variant = seed.variant(ChoiceSource::replaying(choices(given))).unwrap();
    Seed::open(variant.bytes).unwrap()
}

/// Returns a file of the same strips in another order, with gaps.
fn scattered(seed: &Seed) -> Seed {
    let places = seed.dimensions().iter().filter(|name| name.starts_with("segment"));
    let vary = Vary::only(places);
    let drawn = |index| {
        let source = ChoiceSource::seeded(9, index).with_vary(vary.clone());
        Seed::open(seed.variant(source).ok()?.bytes).ok()
    };
    let apart = |seed: &Seed| {
        let segments = &seed.file().segments;
        segments.windows(2).all(|pair| pair[0].offset + pair[0].byte_count != pair[1].offset)
    };
    (0..60).filter_map(drawn).find(apart).unwrap()
}

/// The digests are of files whose arrays were memory of their own, or the same with the draws of today.
#[test]
fn the_bytes_are_those_of_arrays_in_memory() {
    let rgb = seed(3, 8, HEIGHT);
    let strips = seed(3, 8, 50);
    let gray = seed(1, 16, 100);
    let tiles = restored(&rgb, &[("tiled", 1), ("tile_width", 128), ("tile_length", 64)]);
    let planes = restored(&rgb, &[("planar", 2), ("rows_per_strip", 200)]);
    let scattered = scattered(&strips);
    let wide = seed(3, 8, HEIGHT).with_profile(Profile::Wide);
    let seeds = [
        ("one strip", rgb),
        ("strips", strips),
        ("gray", gray),
        ("tiles", tiles),
        ("planes", planes),
        ("scattered", scattered),
        ("wide", wide),
    ];
    let digests: Vec<String> =
        seeds.iter().map(|(name, seed)| format!("{name}: {}", digest(files(seed)))).collect();
    assert_eq!(digests, DIGESTS);
}

const DIGESTS: [&str; 7] = [
    "one strip: 9f5719cc6323494a",
    "strips: 2e6849ec8f7a8cc2",
    "gray: 544cf0fec6c33451",
    "tiles: 5db02b09c8ecc46f",
    "planes: 57d427381aa2eb34",
    // Places of large files are not traced.
    "scattered: 2e6849ec8f7a8cc2",
    "wide: fb0f5b47e86aa9dc",
];

#[test]
fn a_written_file_has_the_bytes_of_the_variant() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("seed.tif");
    std::fs::write(&own, seed(3, 8, 50).bytes()).unwrap();
    let open = || Seed::open_large(tiff_harness::mapped::read(&own).unwrap(), MAX_SIZE).unwrap();
    let mapped = open();
    let out = folder.path().join("variant.tif");
    let drawn = (0..6).map(|index| {
        ChoiceSource::seeded(6, index).with_vary(Vary::Share(if index % 2 == 0 {
            0.1
        } else {
            0.6
        }))
    });
    for source in layouts().into_iter().map(ChoiceSource::replaying).chain(drawn) {
        let Ok(variant) = mapped.variant(source.clone()) else { continue };
        let written = mapped.variant_to(source, &out).unwrap();
        assert!(std::fs::read(&out).unwrap() == variant.bytes, "{:?}", written.choices);
        assert_eq!(written.length, variant.bytes.len() as u64);
        assert_eq!((written.choices, written.class), (variant.choices, variant.class));
    }
    // The seed itself is replaced by a file that has parts of it.
    let source = || ChoiceSource::replaying(layouts()[5].clone());
    let variant = mapped.variant(source()).unwrap();
    mapped.variant_to(source(), &own).unwrap();
    assert!(std::fs::read(&own).unwrap() == variant.bytes);
    assert!(open().means_the_same(&Seed::open(variant.bytes).unwrap()));
}

#[test]
fn what_cannot_be_written_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let seed = seed(1, 8, HEIGHT);
    let nowhere = folder.path().join("none").join("variant.tif");
    let source = ChoiceSource::replaying(Choices::new());
    let error = seed.variant_to(source, &nowhere).unwrap_err().to_string();
    assert!(error.starts_with(&nowhere.display().to_string()), "{error}");
    let out = folder.path().join("variant.tif");
    std::fs::write(&out, "before").unwrap();
    let impossible = ChoiceSource::replaying(choices(&[("orientation", 11)]));
    assert!(seed.variant_to(impossible, &out).is_err());
    assert_eq!(std::fs::read(&out).unwrap(), b"before");
}
