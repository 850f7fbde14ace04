//! Encoded samples decode to the same samples, in every layout, with every compression. The arithmetic
//! of layouts.

use std::borrow::Cow;

use inverter::solve::ChoiceSource;
use proptest::prelude::*;
use tiff_harness::ImageFile;
use tiff_harness::coding::{Coding, Compression, decode, encode, plain};
use tiff_harness::container::ByteOrder;
use tiff_harness::image::sample_bytes;
use tiff_harness::image::{Grid, Layout, Segment};

#[path = "support/corpus.rs"]
mod corpus;

fn layouts() -> impl Strategy<Value = Layout> {
    let strips = prop_oneof![1..50u32, Just(u32::MAX)];
    prop_oneof![
        strips.prop_map(|rows_per_strip| Layout::Strips { rows_per_strip }),
        (1..4u32, 1..4u32).prop_map(|(w, l)| Layout::Tiles { width: 16 * w, length: 16 * l }),
    ]
}

fn grids() -> impl Strategy<Value = Grid> {
    let bits = prop::sample::select(vec![1u16, 2, 4, 8, 16, 32]);
    (1..40u32, 1..30u32, bits, 1..=4u16, any::<bool>(), layouts()).prop_map(
        |(width, height, bits, samples_per_pixel, planar, layout)| Grid {
            width,
            height,
            bits,
            samples_per_pixel,
            planar,
            layout,
        },
    )
}

/// Returns every coding of samples in `grid`.
fn codings(grid: &Grid) -> Vec<Coding> {
    let bilevel = grid.bits == 1 && grid.samples_per_pixel == 1;
    let webp = grid.bits == 8 && !grid.planar && grid.samples_per_pixel >= 3;
    let mut all = Vec::new();
    for compression in Compression::ALL {
        if compression.is_bilevel() && !bilevel || compression == Compression::WebP && !webp {
            continue;
        }
        let t4: &[u32] = if compression == Compression::T4 { &[0, 1, 4, 5] } else { &[0] };
        let differs = compression.takes_predictor() && grid.bits >= 8;
        for predictor in if differs { &[false, true][..] } else { &[false] } {
            for reversed_bits in [false, true] {
                all.extend(t4.iter().map(|t4_options| Coding {
                    compression,
                    t4_options: *t4_options,
                    predictor: *predictor,
                    reversed_bits,
                }));
            }
        }
    }
    all
}

/// Returns a file's directory with this grid and this coding.
fn image(grid: &Grid, coding: &Coding, order: ByteOrder, lengths: &[u64]) -> ImageFile {
    let mut image = ImageFile::read(&corpus::file("seeds/tiny.tif")).unwrap();
    image.order = order;
    (image.width, image.height) = (grid.width, grid.height);
    (image.bits, image.samples_per_pixel) = (grid.bits, grid.samples_per_pixel);
    image.planar = if grid.planar { 2 } else { 1 };
    image.layout = grid.layout;
    image.compression = coding.compression.code();
    image.predictor = if coding.predictor { 2 } else { 1 };
    image.fill_order = if coding.reversed_bits { 2 } else { 1 };
    image.t4_options = coding.t4_options;
    let segment = |len: &u64| Segment { offset: 8, byte_count: *len };
    image.segments = lengths.iter().map(segment).collect();
    image
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 60, ..Default::default() })]

    #[test]
    fn what_is_encoded_decodes_to_the_same(
        grid in grids(),
        noise in prop::collection::vec(any::<u8>(), 1..200),
        little in any::<bool>(),
        which in any::<prop::sample::Index>(),
        index in any::<u64>(),
        extra in 0..3usize,
    ) {
        let order = if little { ByteOrder::Little } else { ByteOrder::Big };
        let all = codings(&grid);
        let coding = which.get(&all);
        let samples: u64 =
            (0..grid.segments()).map(|k| grid.row_samples() * u64::from(grid.rows(k))).sum();
        let len = (samples * sample_bytes(grid.bits)) as usize;
        let low = if grid.bits < 8 { (1u8 << grid.bits) - 1 } else { u8::MAX };
        let data: Vec<u8> = noise.iter().map(|b| b & low).cycle().take(len).collect();
        let mut source = ChoiceSource::seeded(6, index);
        let stored = encode(&data, &grid, coding, order, &mut source).unwrap();
        let lengths = stored.lengths();
        prop_assert_eq!(lengths.len() as u64, grid.segments());
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        let padded = stored.padded(Cow::Borrowed(&data), longest + extra);
        prop_assert!(stored.padded(Cow::Owned(data.clone()), longest + extra) == padded);
        prop_assert_eq!(padded.len(), lengths.len() * (longest + extra));
        let segments = padded.chunks(longest + extra).zip(&lengths);
        prop_assert!(segments.clone().all(|(s, len)| s[*len as usize..].iter().all(|b| *b == 0)));
        let segments: Vec<&[u8]> = segments.map(|(s, len)| &s[..*len as usize]).collect();
        let image = image(&grid, coding, order, &lengths);
        let back = decode(&image, |k| segments[k]).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(back == data, "{:?}", coding);
        // Plain segments need no decoder.
        if let Some(plain) = plain(&image) {
            let whole: Vec<usize> = segments.iter().map(|s| s.len()).collect();
            prop_assert_eq!(plain, whole);
            prop_assert!(segments.concat() == data);
        }
        // The recorded policies give the same streams.
        let mut again = ChoiceSource::replaying(source.into_recorded());
        prop_assert_eq!(encode(&data, &grid, coding, order, &mut again).unwrap(), stored);
        // Too few samples are refused.
        prop_assert!(encode(&data[1..], &grid, coding, order, &mut again).is_err());
    }

    #[test]
    fn segments_are_the_whole_picture(grid in grids()) {
        let planes = if grid.planar { u64::from(grid.samples_per_pixel) } else { 1 };
        prop_assert_eq!(grid.segments(), planes * grid.segments_of_a_plane());
        let sum = |of: &dyn Fn(u64) -> u64| (0..grid.segments()).map(of).sum::<u64>();
        let rows = sum(&|k| grid.rows(k).into());
        let bytes = sum(&|k| grid.bytes(k));
        prop_assert_eq!(bytes, rows * grid.row_bytes());
        prop_assert_eq!(grid.stride() * planes, u64::from(grid.samples_per_pixel));
        match grid.layout {
            Layout::Strips { rows_per_strip } => {
                prop_assert_eq!(rows, planes * u64::from(grid.height));
                // All strips of a plane but the last are full.
                let last = grid.segments_of_a_plane() - 1;
                for k in (0..grid.segments()).filter(|k| k % (last + 1) != last) {
                    prop_assert_eq!(grid.rows(k), rows_per_strip);
                }
            }
            Layout::Tiles { width, length } => {
                let (w, l) = (u64::from(width), u64::from(length));
                let across = u64::from(grid.width).div_ceil(w);
                prop_assert!(across * w < u64::from(grid.width) + w);
                let down = grid.segments_of_a_plane() / across;
                prop_assert_eq!(rows, planes * across * down * l);
                prop_assert!(down * l >= grid.height.into() && (down - 1) * l < grid.height.into());
            }
        }
    }

    /// No number is too large for the arithmetic.
    #[test]
    fn no_layout_is_too_large_to_measure(
        sides in any::<[u32; 4]>(),
        bits in any::<u16>(),
        samples in any::<u16>(),
        tiled in any::<bool>(),
        planar in any::<bool>(),
        index in any::<u64>(),
    ) {
        let [width, height, a, b] = sides;
        let layout = match tiled {
            true => Layout::Tiles { width: a, length: b },
            false => Layout::Strips { rows_per_strip: a },
        };
        let grid = Grid { width, height, bits, samples_per_pixel: samples, planar, layout };
        prop_assert!(grid.bytes(index) >= u64::from(grid.rows(index)).min(grid.row_bytes()));
        prop_assert!(grid.segments() >= grid.segments_of_a_plane());
    }
}
