use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::oracle::samples::pixels;

/// A change of a picture, and the kind that it must be recognized as.
type Change = (&'static str, DifferenceKind, fn(&Picture) -> Picture);

fn of(width: usize, pixels: &[Pixel]) -> Picture {
    Picture::new(width as u32, (pixels.len() / width) as u32, pixels.concat())
}

fn gray(width: u32, levels: &[u8]) -> Picture {
    Picture::from_8bit(width, levels.len() as u32 / width, 1, levels).unwrap()
}

fn each(picture: &Picture, change: impl Fn(Pixel) -> Pixel) -> Picture {
    let changed: Vec<Pixel> = pixels(picture).iter().map(|pixel| change(*pixel)).collect();
    of(picture.width() as usize, &changed)
}

fn placed(picture: &Picture, source: impl Fn(usize, usize) -> Pixel) -> Picture {
    let (w, h) = (picture.width() as usize, picture.height() as usize);
    let all: Vec<Pixel> =
        (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| source(x, y)).collect();
    of(w, &all)
}

fn shifted(picture: &Picture, k: usize) -> Picture {
    let mut all = pixels(picture).to_vec();
    all.rotate_right(k);
    all[..k].fill([0, 0, 0, u16::MAX]);
    of(picture.width() as usize, &all)
}

/// A reproducible scramble of a position and a pixel.
fn noise(x: usize, y: usize) -> u16 {
    let n =
        (x as u64 * 0x9E37_79B9 + y as u64 * 0x85EB_CA6B + 7).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    (n >> 40) as u16 & 0xFF
}

const CHANGES: &[Change] = &[
    ("rows", DifferenceKind::RowsMirrored, |p| Turn::TopToBottom.apply(p)),
    ("columns", DifferenceKind::ColumnsMirrored, |p| Turn::LeftToRight.apply(p)),
    ("180°", DifferenceKind::RotatedHalf, |p| Turn::Half.apply(p)),
    ("transposed", DifferenceKind::Transposed, |p| Turn::Transposed.apply(p)),
    ("90°", DifferenceKind::RotatedClockwise, |p| Turn::Clockwise.apply(p)),
    ("270°", DifferenceKind::RotatedCounterclockwise, |p| Turn::Counterclockwise.apply(p)),
    ("transverse", DifferenceKind::Transverse, |p| Turn::Transverse.apply(p)),
    ("a column less", DifferenceKind::Size, |p| {
        let rows = pixels(p).chunks(p.width() as usize).map(|row| &row[1..]);
        of(p.width() as usize - 1, &rows.collect::<Vec<_>>().concat())
    }),
    ("another width", DifferenceKind::Size, |p| of(1, pixels(p))),
    ("blue first", DifferenceKind::ChannelsSwapped, |p| each(p, |[r, g, b, a]| [b, g, r, a])),
    ("alpha first", DifferenceKind::ChannelsSwapped, |p| each(p, |[r, g, b, a]| [a, r, g, b])),
    ("bytes", DifferenceKind::BytesSwapped, |p| {
        each(p, |[r, g, b, a]| [r.swap_bytes(), g.swap_bytes(), b.swap_bytes(), a])
    }),
    ("by 1", DifferenceKind::Shifted, |p| shifted(p, 1)),
    ("by 5", DifferenceKind::Shifted, |p| shifted(p, 5)),
    ("by 2 rows", DifferenceKind::Shifted, |p| shifted(p, 2 * p.width() as usize)),
    ("each row by 1", DifferenceKind::Shifted, |p| {
        placed(p, |x, y| pixels(p)[y * p.width() as usize + x.saturating_sub(1)])
    }),
    ("second half back", DifferenceKind::Shifted, |p| {
        let (all, w) = (pixels(p), p.width() as usize);
        let half = all.len() / 2;
        of(w, &[&all[..half], &all[half + 3..], &all[..3]].concat())
    }),
    ("last bits", DifferenceKind::LowBits, |p| each(p, |v| v.map(|v| v & 0xFF00))),
    ("inverted", DifferenceKind::Inverted, |p| each(p, |[r, g, b, a]| [!r, !g, !b, a])),
    ("12 bits inverted", DifferenceKind::Inverted, |p| {
        each(p, |[r, g, b, a]| [(!r).saturating_add(2), !g, (!b).saturating_sub(1), a])
    }),
    ("red only", DifferenceKind::PlanesLost, |p| each(p, |[r, _, _, a]| [r, 0, 0, a])),
    ("red thrice", DifferenceKind::PlanesLost, |p| each(p, |[r, _, _, a]| [r, r, r, a])),
    ("no green", DifferenceKind::PlanesLost, |p| each(p, |[r, _, b, a]| [r, u16::MAX, b, a])),
    ("luminance", DifferenceKind::PlanesLost, |p| {
        each(p, |[r, g, b, a]| {
            let [r, g, b] = [r, g, b].map(u32::from);
            let y = ((299 * r + 587 * g + 114 * b) / 1000) as u16;
            [y, y, y, a]
        })
    }),
    ("black", DifferenceKind::Blank, |p| each(p, |_| [0, 0, 0, u16::MAX])),
    ("nothing", DifferenceKind::Blank, |p| each(p, |_| [0; 4])),
    ("beige", DifferenceKind::Blank, |p| each(p, |_| [60_000, 58_000, 50_000, u16::MAX])),
    ("opaque", DifferenceKind::Alpha, |p| each(p, |[r, g, b, _]| [r, g, b, u16::MAX])),
    ("inverted alpha", DifferenceKind::Alpha, |p| each(p, |[r, g, b, a]| [r, g, b, !a])),
    ("over black", DifferenceKind::Alpha, |p| each(p, |v| over(v, 0, u16::MAX))),
    ("premultiplied", DifferenceKind::Alpha, |p| each(p, |v| over(v, 0, v[3]))),
    ("over white", DifferenceKind::Alpha, |p| each(p, |v| over(v, u16::MAX, u16::MAX))),
    ("divided", DifferenceKind::Alpha, |p| {
        each(p, |[r, g, b, a]| {
            let divided = |v| (u32::from(v) * 65535 / u32::from(a.max(1))).min(65535) as u16;
            [divided(r), divided(g), divided(b), a]
        })
    }),
    ("2 bits of 8", DifferenceKind::Depth, |p| each(p, |[r, g, b, a]| [r >> 6, g >> 6, b >> 6, a])),
    ("half", DifferenceKind::Depth, |p| each(p, |[r, g, b, a]| [r / 2, g / 2, b / 2, a])),
    ("clipped", DifferenceKind::Depth, |p| {
        each(p, |[r, g, b, a]| [r.saturating_mul(3), g.saturating_mul(3), b.saturating_mul(3), a])
    }),
    ("right columns", DifferenceKind::Part, |p| {
        placed(p, |x, y| {
            let pixel = pixels(p)[y * p.width() as usize + x];
            if 4 * x > 3 * p.width() as usize {
                pixel.map(|v| v ^ 0x5050 ^ noise(x, y))
            } else {
                pixel
            }
        })
    }),
    ("first rows", DifferenceKind::Part, |p| {
        placed(p, |x, y| {
            let pixel = pixels(p)[y * p.width() as usize + x];
            if 2 * y < p.height() as usize {
                pixel.map(|v| v ^ 0x5050 ^ noise(x, y))
            } else {
                pixel
            }
        })
    }),
    ("every second tile", DifferenceKind::Part, |p| {
        placed(p, |x, y| {
            let pixel = pixels(p)[y * p.width() as usize + x];
            if (x / 8 + y / 8) % 2 == 0 { pixel.map(|v| v ^ 0x5050 ^ noise(x, y)) } else { pixel }
        })
    }),
    ("noise", DifferenceKind::Garbage, |p| {
        placed(p, |x, y| {
            [noise(x, y) * 257, noise(y + 9, x) * 257, noise(x + 3, x * y) * 200, u16::MAX]
        })
    }),
];

fn over([r, g, b, a]: Pixel, ground: u16, alpha: u16) -> Pixel {
    let mixed = |v| {
        let [v, a, ground] = [v, a, ground].map(u32::from);
        ((v * a + ground * (65535 - a)) / 65535) as u16
    };
    [mixed(r), mixed(g), mixed(b), alpha]
}

/// A random picture: noise, or smooth and with a box. Alpha is random where `alpha` demands it.
fn random(rng: &mut ChaCha8Rng, alpha: bool) -> Picture {
    let (w, h) = (rng.random_range(24..60usize), rng.random_range(24..60usize));
    // Not a square: rotations are apparent from the size.
    let h = if h == w { h + 1 } else { h };
    let smooth = rng.random_bool(0.5);
    let all: Vec<Pixel> = (0..w * h)
        .map(|k| {
            let (x, y) = (k % w, k / w);
            let inside = (5..13).contains(&x) && (3..20).contains(&y);
            let noise: [u16; 4] = rng.random();
            let near = |v: usize| ((v * 65535 / 140).min(65000) as u16) + noise[0] % 400;
            let [r, g, b] = match (smooth, inside) {
                (false, _) => [noise[0], noise[1], noise[2]],
                (_, true) => [60_000, 9_000 + (y * 300) as u16, 2_000],
                (_, false) => [near(x + 30), near(y + 10), near(x + y)],
            };
            [r, g, b, if alpha { noise[3] } else { u16::MAX }]
        })
        .collect();
    of(w, &all)
}

#[test]
fn each_change_of_a_random_picture_is_recognized() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    for round in 0..60 {
        let alpha = round % 3 == 0;
        let picture = random(&mut rng, alpha);
        for (name, kind, change) in CHANGES {
            let needs_alpha = *kind == DifferenceKind::Alpha && !matches!(*name, "inverted alpha");
            if needs_alpha && !alpha {
                continue;
            }
            let got = change(&picture);
            assert_eq!(classify(&picture, &got), *kind, "{name}, round {round}, {picture:?}");
        }
    }
}

/// A change of a part of a picture is the change of the part: the kind stays when the picture is
/// cropped, or else is one without evidence.
#[test]
fn the_kind_of_a_smaller_picture_is_the_kind_or_a_weaker_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for round in 0..40 {
        let picture = random(&mut rng, false);
        let (w, h) = (picture.width() as usize, picture.height() as usize);
        let (width, height) = (rng.random_range(3..w), rng.random_range(3..h));
        let crop = placed_crop(&picture, width, height);
        for (name, kind, change) in CHANGES {
            let got = change(&crop);
            if got == crop || !exact(*kind) {
                continue;
            }
            assert_eq!(classify(&crop, &got), *kind, "{name}, round {round}, {width} × {height}");
        }
    }
}

fn placed_crop(picture: &Picture, width: usize, height: usize) -> Picture {
    let rows = pixels(picture).chunks(picture.width() as usize).take(height);
    of(width, &rows.map(|row| &row[..width]).collect::<Vec<_>>().concat())
}

/// The kinds that a picture of nine different pixels shows.
fn exact(kind: DifferenceKind) -> bool {
    kind < DifferenceKind::Shifted
        || matches!(
            kind,
            DifferenceKind::Inverted | DifferenceKind::PlanesLost | DifferenceKind::Blank
        )
}

#[test]
fn ambiguous_pictures_have_the_first_kind_that_fits() {
    let (black, white) = ([0, 0, 0, 65535], [65535; 4]);
    let color = |r: u8, g: u8, b: u8| [r, g, b, 255].map(|v| u16::from(v) * 257);
    let one = |pixel: Pixel| of(1, &[pixel]);
    let ramp: Vec<u8> = (0..=255).collect();
    let reversed: Vec<u8> = (0..=255).rev().collect();
    for (name, expected, got, kind) in [
        ("a white pixel", one(white), one(black), DifferenceKind::Inverted),
        ("a black pixel", one(black), one(white), DifferenceKind::Inverted),
        ("gray to black", one(color(90, 90, 90)), one(black), DifferenceKind::Blank),
        ("gray to gray", one(color(90, 90, 90)), one(color(45, 45, 45)), DifferenceKind::Garbage),
        (
            "nearly the same",
            one(color(90, 90, 90)),
            one(color(91, 90, 90)),
            DifferenceKind::LowBits,
        ),
        (
            "one swapped",
            one(color(9, 90, 200)),
            one(color(200, 90, 9)),
            DifferenceKind::ChannelsSwapped,
        ),
        (
            "middle gray",
            one(color(127, 127, 127)),
            one(color(128, 128, 128)),
            DifferenceKind::LowBits,
        ),
        ("one without alpha", one([7, 8, 9, 500]), one([7, 8, 9, 65535]), DifferenceKind::Alpha),
        ("invisible", one([7, 8, 9, 0]), one([70, 800, 9000, 65535]), DifferenceKind::Garbage),
        ("a ramp", gray(256, &ramp), gray(256, &reversed), DifferenceKind::ColumnsMirrored),
        (
            "a checkerboard",
            gray(2, &[0, 255, 255, 0]),
            gray(2, &[255, 0, 0, 255]),
            DifferenceKind::RowsMirrored,
        ),
        ("two of three", gray(3, &[0, 255, 255]), gray(3, &[255, 0, 0]), DifferenceKind::Inverted),
        ("a flat rotated", gray(2, &[5; 6]), gray(3, &[5; 6]), DifferenceKind::Transposed),
        ("a flat cut", gray(2, &[5; 6]), gray(2, &[5; 4]), DifferenceKind::Size),
        ("none", gray(2, &[5; 6]), Picture::new(0, 0, Vec::new()), DifferenceKind::Size),
        (
            "flat with a spot",
            gray(5, &[9; 25]),
            gray(5, &[[9; 24].as_slice(), &[200]].concat()),
            DifferenceKind::Garbage,
        ),
        (
            "a spot lost",
            gray(5, &[[9; 24].as_slice(), &[200]].concat()),
            gray(5, &[9; 25]),
            DifferenceKind::Blank,
        ),
        (
            "two levels",
            gray(4, &[0, 0, 255, 0, 0, 255, 0, 255]),
            gray(4, &[0, 0, 1, 0, 0, 1, 0, 1]),
            DifferenceKind::Depth,
        ),
        ("two levels, few", gray(2, &[0, 255]), gray(2, &[10, 90]), DifferenceKind::Garbage),
        (
            "a palette",
            gray(4, &[0, 0, 255, 0, 0, 255, 0, 255]),
            gray(4, &[80, 80, 1, 80, 80, 1, 80, 1]),
            DifferenceKind::Recolored,
        ),
    ] {
        assert_eq!(classify(&expected, &got), kind, "{name}");
    }
}

#[test]
fn values_describe_the_difference() {
    let picture = random(&mut ChaCha8Rng::seed_from_u64(1), false);
    let w = picture.width() as usize;
    let between = |got: &Picture| Difference::between(&picture, got);
    assert_eq!(between(&shifted(&picture, 3 * w)), Some(Difference::Shifted(3 * w as i64)));
    let got = each(&picture, |[r, g, b, a]| [g, b, r, a]);
    assert_eq!(between(&got), Some(Difference::ChannelsSwapped([1, 2, 0, 3])));
    let mut samples = picture.rgba().to_vec();
    samples[4 * (2 * w + 3)] ^= 0x8000;
    samples[4 * (4 * w + 1)] ^= 0x8000;
    let area = Area { left: 1, top: 2, width: 3, height: 3 };
    let got = Picture::new(picture.width(), picture.height(), samples);
    assert_eq!(between(&got), Some(Difference::Part(area)));
    assert_eq!(between(&picture), None);
}

#[test]
fn names_are_those_of_serde_and_in_order() {
    assert!(DifferenceKind::ALL.is_sorted());
    for kind in DifferenceKind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.word());
    }
}

#[test]
fn a_large_picture_is_classified() {
    let (w, h) = (4000, 3000);
    let all: Vec<Pixel> =
        (0..w * h).map(|k| [noise(k % w, k / w) * 257, (k / w) as u16 * 20, 9, u16::MAX]).collect();
    let picture = of(w, &all);
    let got = shifted(&picture, 77);
    assert_eq!(Difference::between(&picture, &got), Some(Difference::Shifted(77)));
}
