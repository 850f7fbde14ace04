//! Encoded samples decode to the same samples, in every layout, with every compression. The arithmetic
//! of layouts.

use std::borrow::Cow;
use std::collections::BTreeSet;

use inverter::run::Bytes;
use inverter::solve::{ChoiceSource, Choices};
use proptest::prelude::*;
use tiff_harness::ImageFile;
use tiff_harness::coding::{
    Coding, Compression, Predictor, SampleContent, SampleLayout, Segments, baseline, choose,
    decode, encode, plain, sample_order,
};
use tiff_harness::container::{ByteOrder, Profile};
use tiff_harness::image::sample_bytes;
use tiff_harness::image::{Grid, Layout, Segment};

use crate::support::corpus;

fn layouts() -> impl Strategy<Value = Layout> {
    let strips = prop_oneof![1..50u32, Just(u32::MAX)];
    prop_oneof![
        strips.prop_map(|rows_per_strip| Layout::Strips { rows_per_strip }),
        (1..4u32, 1..4u32).prop_map(|(w, l)| Layout::Tiles { width: 16 * w, length: 16 * l }),
    ]
}

fn grids() -> impl Strategy<Value = Grid> {
    let usual = prop::sample::select(vec![1u16, 2, 4, 8, 16, 24, 32, 64]);
    let bits = prop_oneof![usual, 1..=64u16];
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
        let suits = |p: &Predictor| p.suits(grid.bits, 1) || p.suits(grid.bits, 3);
        let differs = |p: &Predictor| *p == Predictor::None || compression.takes_predictor();
        for predictor in Predictor::ALL.into_iter().filter(|p| suits(p) && differs(p)) {
            for reversed_bits in [false, true] {
                all.extend(t4.iter().map(|t4_options| Coding {
                    compression,
                    t4_options: *t4_options,
                    predictor,
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
    image.predictor = coding.predictor.code();
    image.fill_order = if coding.reversed_bits { 2 } else { 1 };
    image.t4_options = coding.t4_options;
    let segment = |len: &u64| Segment { offset: 8, byte_count: *len };
    image.segments = lengths.iter().map(segment).collect();
    image
}

/// Returns samples of `bits` bits without the bits above them.
fn low_bits(samples: &[u8], bits: u16) -> Vec<u8> {
    let bytes = sample_bytes(bits) as usize;
    let mask = u64::MAX >> (64 - bits);
    let mask = &mask.to_be_bytes()[8 - bytes..];
    samples.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte & mask).collect()
}

/// Returns the segments of `samples` in `grid`, uncompressed, with zeros after each row, in a file of
/// either byte order.
fn uncompressed(samples: &[u8], grid: &Grid, order: ByteOrder) -> Vec<Vec<u8>> {
    let coding = Coding {
        compression: Compression::None,
        t4_options: 0,
        predictor: Predictor::None,
        reversed_bits: false,
    };
    let mut given = Choices::new();
    given.set("row padding", "zeros");
    let mut source = ChoiceSource::replaying(given);
    match encode(&samples.to_vec().into(), grid, &coding, order, &mut source).unwrap() {
        Segments::Coded(segments) => segments,
        Segments::Plain(_) => panic!("these samples are packed"),
    }
}

#[test]
fn twelve_bits_are_packed_in_planes_and_tiles_of_either_byte_order() {
    // Two tiles a plane; a row of 16 samples is 24 bytes.
    let grid = Grid {
        width: 17,
        height: 16,
        bits: 12,
        samples_per_pixel: 3,
        planar: true,
        layout: Layout::Tiles { width: 16, length: 16 },
    };
    let samples: Vec<u8> = (0..6 * 256u16).flat_map(|k| (k * 5 % 4096).to_be_bytes()).collect();
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let segments = uncompressed(&samples, &grid, order);
        assert_eq!(segments.len(), 6);
        assert!(segments.iter().all(|segment| segment.len() == 24 * 16));
        // Samples 0, 5, 10 and 15.
        assert_eq!(segments[0][..6], [0x00, 0x00, 0x05, 0x00, 0xA0, 0x0F]);
        // Sample 256 begins the next tile: 1280, 1285.
        assert_eq!(segments[1][..3], [0x50, 0x05, 0x05]);
        // So do the planes: 512 * 5 = 2560.
        assert_eq!(segments[2][..3], [0xA0, 0x0A, 0x05]);
    }
}

#[test]
fn each_strip_and_row_begins_at_a_byte() {
    let layout = Layout::Strips { rows_per_strip: 1 };
    let grid = Grid { width: 1, height: 2, bits: 10, samples_per_pixel: 3, planar: false, layout };
    let samples: Vec<u8> =
        [1023u16, 0, 1023, 1, 2, 3].into_iter().flat_map(u16::to_be_bytes).collect();
    let segments = uncompressed(&samples, &grid, ByteOrder::Little);
    assert_eq!(segments, [[0xFF, 0xC0, 0x0F, 0xFC], [0x00, 0x40, 0x20, 0x0C]]);
}

#[test]
fn predictors_are_for_samples_of_their_sizes() {
    let refused = |bits: u16, predictor: Predictor| {
        let layout = Layout::Strips { rows_per_strip: 1 };
        let grid = Grid { width: 4, height: 1, bits, samples_per_pixel: 1, planar: false, layout };
        let compression = Compression::Lzw;
        let coding = Coding { compression, t4_options: 0, predictor, reversed_bits: false };
        let mut source = ChoiceSource::seeded(1, 1);
        let encoded = encode(&vec![0; 32].into(), &grid, &coding, ByteOrder::Big, &mut source);
        let decoded = decode(&image(&grid, &coding, ByteOrder::Big, &[32]), |_| &[0; 32]);
        let why = decoded.unwrap_err().to_string();
        encoded.map_err(|e| assert!(why.contains(&e.to_string()), "{e}: {why}")).unwrap_err();
        why
    };
    let why = refused(12, Predictor::Horizontal);
    assert!(why.contains("samples of 12 bits with Predictor 2"), "{why}");
    let why = refused(24, Predictor::Horizontal);
    assert!(why.contains("samples of 24 bits with Predictor 2"), "{why}");
    let why = refused(8, Predictor::FloatingPoint);
    assert!(why.contains("samples of 8 bits with Predictor 3"), "{why}");
    let why = refused(65, Predictor::None);
    assert!(why.contains("samples of 65 bits"), "{why}");
    // SampleFormat: 1 unsigned, 2 signed, 3 floating point, 6 complex.
    let formats = |predictor: Predictor, bits| [1, 2, 3, 6].map(|f| predictor.suits(bits, f));
    assert_eq!(formats(Predictor::Horizontal, 32), [true, true, true, false]);
    assert_eq!(formats(Predictor::FloatingPoint, 32), [false, false, true, false]);
    assert_eq!(formats(Predictor::FloatingPoint, 24), [false, false, true, false]);
    assert_eq!(formats(Predictor::Horizontal, 24), [false; 4]);
    assert_eq!(formats(Predictor::None, 11), [true; 4]);
}

/// Draws codings of such samples; returns their compressions, and the names of their predictors.
fn drawn(samples: SampleLayout) -> (Vec<Compression>, BTreeSet<String>) {
    let (mut compressions, mut predictors) = (Vec::new(), BTreeSet::new());
    for index in 0..400 {
        let mut source = ChoiceSource::seeded(3, index);
        let coding = choose(&mut source, samples, Profile::Wide).unwrap();
        compressions.push(coding.compression);
        let recorded = source.into_recorded();
        if let Some(value) = recorded.get("predictor") {
            predictors.insert(value.to_string());
            assert_eq!(value.to_string(), coding.predictor.name());
        } else {
            assert_eq!(coding.predictor, Predictor::None);
        }
        // The file that is made has these choices of its own.
        let own = baseline(&coding, samples);
        assert_eq!(own.get("predictor"), recorded.get("predictor"));
    }
    (compressions, predictors)
}

#[test]
fn codings_suit_the_kind_of_the_samples() {
    let rgb = |bits, sample_format| SampleLayout {
        bits,
        samples_per_pixel: 3,
        photometric: 2,
        sample_format,
        planar: false,
        content: SampleContent::Colors,
    };
    let names = |samples| drawn(samples).1.into_iter().collect::<Vec<_>>();
    assert_eq!(names(rgb(8, 1)), ["horizontal", "none"]);
    assert_eq!(names(rgb(64, 2)), ["horizontal", "none"]);
    assert_eq!(names(rgb(32, 3)), ["floating point", "horizontal", "none"]);
    assert_eq!(names(rgb(24, 3)), ["floating point", "none"]);
    assert_eq!(names(rgb(24, 1)), [""; 0]);
    assert_eq!(names(rgb(12, 1)), [""; 0]);
    assert_eq!(names(rgb(4, 1)), [""; 0]);
    let has = |samples, compression| drawn(samples).0.contains(&compression);
    assert!(has(rgb(8, 1), Compression::WebP) && !has(rgb(8, 2), Compression::WebP));
    assert!(!has(rgb(12, 1), Compression::WebP));
    let cmyk = SampleLayout { samples_per_pixel: 4, photometric: 5, ..rgb(8, 1) };
    assert!(!has(cmyk, Compression::WebP) && has(cmyk, Compression::Lzw));
    let bilevel = SampleLayout { samples_per_pixel: 1, photometric: 1, ..rgb(1, 1) };
    assert!(has(bilevel, Compression::T6));
    let signed = SampleLayout { sample_format: 2, ..bilevel };
    let mask = SampleLayout { photometric: 4, ..bilevel };
    assert!(!has(signed, Compression::T6) && !has(mask, Compression::T6));
}

#[test]
fn the_bytes_of_a_sample_have_one_order() {
    use ByteOrder::{Big, Little};
    let orders = |bits, format| [Little, Big].map(|order| sample_order(bits, format, order));
    for bits in [16, 32, 64] {
        assert_eq!([1, 2, 3].map(|format| orders(bits, format)), [[Little, Big]; 3]);
    }
    assert_eq!(orders(24, 3), [Little, Big]);
    assert_eq!(orders(24, 1), [Big, Big]);
    for bits in [1, 8, 10, 12, 40, 48, 63] {
        assert_eq!(orders(bits, 1), [Big, Big]);
    }
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
        let noise: Vec<u8> = noise.iter().copied().cycle().take(len).collect();
        let data = Bytes::from(low_bits(&noise, grid.bits));
        let mut source = ChoiceSource::seeded(6, index);
        let stored = encode(&data, &grid, coding, order, &mut source).unwrap();
        let lengths = stored.lengths();
        prop_assert_eq!(lengths.len() as u64, grid.segments());
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        let padded = stored.clone().padded(Cow::Borrowed(&data), longest + extra);
        let owned = stored.clone().padded(Cow::Owned(data.clone()), longest + extra);
        prop_assert!(owned == padded);
        prop_assert_eq!(padded.len(), lengths.len() * (longest + extra));
        let segments = padded.chunks(longest + extra).zip(&lengths);
        prop_assert!(segments.clone().all(|(s, len)| s[*len as usize..].iter().all(|b| *b == 0)));
        let segments: Vec<&[u8]> = segments.map(|(s, len)| &s[..*len as usize]).collect();
        let image = image(&grid, coding, order, &lengths);
        let back = decode(&image, |k| segments[k]).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(back[..] == data[..], "{:?}", coding);
        // Plain segments need no decoder.
        if let Some(plain) = plain(&image) {
            let whole: Vec<usize> = segments.iter().map(|s| s.len()).collect();
            prop_assert_eq!(plain, whole);
            prop_assert!(segments.concat()[..] == data[..]);
        }
        // The recorded policies give the same streams.
        let mut again = ChoiceSource::replaying(source.into_recorded());
        prop_assert_eq!(&encode(&data, &grid, coding, order, &mut again).unwrap(), &stored);
        // Bits above those of a sample do not count.
        if !grid.bits.is_multiple_of(8) {
            let mut again = ChoiceSource::replaying(again.into_recorded());
            prop_assert_eq!(encode(&noise.into(), &grid, coding, order, &mut again).unwrap(), stored);
        }
        // Too few samples are refused.
        let mut again = ChoiceSource::seeded(6, index);
        prop_assert!(encode(&data.slice(1..len), &grid, coding, order, &mut again).is_err());
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
