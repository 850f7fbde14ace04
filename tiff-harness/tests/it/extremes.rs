//! Pictures of every extreme, in every representation: what the writer may choose is what the reader
//! takes.

use crate::support::corpus;

use inverter::solve::{ChoiceSource, Vary};
use tiff_harness::{Picture, Profile, Seed, VariantError};

/// The sides of extreme pictures.
const SIDES: [(u32, u32); 11] = [
    (1, 1),
    (1, 2),
    (2, 1),
    (2, 2),
    (3, 5),
    (6, 6),
    (1, 17),
    (300, 1),
    (1, 4000),
    (65_537, 1),
    (1, 65_537),
];

/// Red, green, blue and alpha at a place.
type Pixel = fn(u32) -> [u16; 4];

/// The pixels of extreme pictures.
const PIXELS: [(&str, Pixel); 8] = [
    ("black", |_| [0, 0, 0, 65535]),
    ("white", |_| [65535; 4]),
    ("one dark level", |_| [1, 1, 1, 65535]),
    ("two colors", |k| if k % 3 == 0 { [65535, 0, 257, 65535] } else { [0, 257, 65535, 65535] }),
    ("dark levels", |k| {
        let v = (k % 200) as u16;
        [v, v, v, 65535]
    }),
    ("dark colors", |k| [(k % 7) as u16, 255, (k % 5) as u16, 65535]),
    ("transparent", |k| [257, 514, 771, if k % 2 == 0 { 0 } else { 65535 }]),
    ("many levels", |k| {
        let v = (k as u16).wrapping_mul(40_503);
        [v, v, v, 65535]
    }),
];

fn seeds(width: u32, height: u32, pixel: Pixel) -> Vec<Seed> {
    let rgba = (0..width * height).flat_map(pixel).collect();
    let picture = Picture::new(width, height, rgba);
    let bases = ["seeds/gray.tif", "seeds/rgb.tif", "producers/libtiff/rgb16-zip-predictor.tif"];
    let seed = |base: &&str| Seed::open(corpus::file(base)).unwrap().of_picture(&picture);
    bases.iter().filter_map(seed).collect()
}

/// Makes variants of every extreme picture with these sides. [`Seed::variant`] reads each back.
fn assert_all_are_taken(variants: u64, sides: &[(u32, u32)]) {
    let mut made = 0;
    let mut refused = Vec::new();
    for &(width, height) in sides {
        for (name, pixel) in PIXELS {
            let seeds = seeds(width, height, pixel);
            assert!(!seeds.is_empty(), "{name} {width} x {height}");
            for (k, seed) in seeds.into_iter().enumerate() {
                let seed = seed.with_profile(if k == 0 { Profile::Strict } else { Profile::Wide });
                for index in 0..variants {
                    let share = [0.1, 0.5, 1.0][index as usize % 3];
                    let source = ChoiceSource::seeded(9, index).with_vary(Vary::Share(share));
                    match seed.variant(source) {
                        Ok(_) => made += 1,
                        Err(VariantError::Impossible(_)) => {}
                        Err(VariantError::Internal(why)) => {
                            refused.push(format!("{name}, {width} x {height}, {index}: {why}"));
                        }
                    }
                }
            }
        }
    }
    assert!(refused.is_empty(), "{made} are made, these are not:\n{}", refused.join("\n"));
}

#[test]
fn small_pictures_have_all_their_variants() {
    assert_all_are_taken(60, &SIDES[..8]);
}

#[test]
fn long_pictures_have_their_variants() {
    assert_all_are_taken(1, &SIDES[8..]);
}

#[test]
#[ignore = "slow: pictures of 65,537 rows"]
fn long_pictures_have_all_their_variants() {
    assert_all_are_taken(60, &SIDES[8..]);
}
