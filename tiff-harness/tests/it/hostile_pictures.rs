//! Files with a readable directory and a picture that is broken on purpose: tiles, planes, palettes,
//! and each compression with streams that are damaged or decode to far too much. They cause no panic,
//! take no more memory than the picture justifies, and are refused in one clear line.

use inverter::primitive::{Encoding, PackBits, Primitive};
use inverter::solve::{ChoiceSource, Choices};
use normalizers::primitive::{Deflate, Lzma, Lzw, Zstd};
use tiff_harness::container::{FieldType, Format, Tag, Values, read};
use tiff_harness::{ImageFile, Seed};

use crate::support::memory;
use crate::support::plain;
use memory::{MIB, opened, peak};
use plain::{Plain, number};

fn line(plain: &Plain) -> String {
    opened(&plain.bytes()).unwrap_err().to_string()
}

/// Returns a file of 2 x 2, gray, in one strip.
fn strip() -> Plain {
    Plain::new(&[(Tag::IMAGE_WIDTH, 2), (Tag::IMAGE_LENGTH, 2)], vec![vec![1, 2, 3, 4]])
}

/// Returns a file of 20 x 2, gray, in two tiles of 16 x 16.
fn tiles() -> Plain {
    let numbers = [
        (Tag::IMAGE_WIDTH, 20),
        (Tag::IMAGE_LENGTH, 2),
        (Tag::TILE_WIDTH, 16),
        (Tag::TILE_LENGTH, 16),
    ];
    Plain::new(&numbers, vec![vec![7; 256]; 2])
}

/// Returns a file of 2 x 2, RGB, in planes.
fn planes() -> Plain {
    let numbers = [
        (Tag::IMAGE_WIDTH, 2),
        (Tag::IMAGE_LENGTH, 2),
        (Tag::PHOTOMETRIC_INTERPRETATION, 2),
        (Tag::SAMPLES_PER_PIXEL, 3),
        (Tag::PLANAR_CONFIGURATION, 2),
    ];
    Plain::new(&numbers, vec![vec![1, 2, 3, 4]; 3])
}

/// Returns a file of 2 x 2 with a palette of 4 entries.
fn palette() -> Plain {
    let numbers = [
        (Tag::IMAGE_WIDTH, 2),
        (Tag::IMAGE_LENGTH, 2),
        (Tag::PHOTOMETRIC_INTERPRETATION, 3),
        (Tag::BITS_PER_SAMPLE, 2),
    ];
    Plain::new(&numbers, vec![vec![0x40, 0x80]]).with(Tag::COLOR_MAP, Values::shorts(&[999; 12]))
}

#[test]
fn the_unbroken_ones_are_taken() {
    for plain in [strip(), tiles(), planes(), palette()] {
        opened(&plain.bytes()).unwrap();
        let big = Plain { format: Format::Big, ..plain };
        opened(&big.bytes()).unwrap();
    }
}

#[test]
fn tiles_that_cannot_be() {
    let with = |tag, n| line(&tiles().numbers(&[(tag, n)]));
    let side = |n: u64, must: &str| {
        let said = with(Tag::TILE_WIDTH, n);
        assert!(said.starts_with(&format!("TileWidth (322) = {n} at offset ")), "{said}");
        assert!(said.ends_with(must), "{said}");
    };
    side(0, "it must be 1 to 4294967295");
    side(17, "it must be a multiple of 16");
    side(u64::from(u32::MAX), "it must be a multiple of 16");
    side(u64::from(u32::MAX) - 15, "it must be a multiple of 16, at most 67108864");
    let huge = tiles().numbers(&[(Tag::TILE_WIDTH, 1 << 26), (Tag::TILE_LENGTH, 1 << 26)]);
    let huge = Plain { segments: vec![vec![7]], ..huge };
    assert_eq!(
        line(&huge),
        "1 tiles of 4503599627370496 bytes for a picture of 40 bytes is not supported yet"
    );
    let large = tiles().numbers(&[(Tag::TILE_WIDTH, 4096), (Tag::TILE_LENGTH, 4096)]);
    let large = Plain { segments: vec![vec![7]], ..large };
    assert_eq!(
        line(&large),
        "1 tiles of 16777216 bytes for a picture of 40 bytes is not supported yet"
    );
    let without = |tag| {
        let mut plain = tiles();
        plain.entries.retain(|e| e.0 != tag);
        line(&plain)
    };
    assert!(without(Tag::TILE_LENGTH).starts_with("TileLength (323) is missing"));
    let few = Plain { segments: vec![vec![7; 256]], ..tiles() };
    assert!(line(&few).ends_with("has 1 value, it must have 2, one a tile"));
    let short = Plain { segments: vec![vec![7; 256], vec![7; 255]], ..tiles() };
    assert!(line(&short).starts_with("tile 1 at offset 264 has 255 bytes by its byte count"));
    let both = tiles().with(Tag::STRIP_OFFSETS, number(8));
    assert_eq!(line(&both), "a picture in strips and tiles at once is not supported yet");
}

#[test]
fn planes_that_cannot_be() {
    let planar = |n| line(&planes().numbers(&[(Tag::PLANAR_CONFIGURATION, n)]));
    assert!(planar(0).ends_with("it must be 1 or 2"));
    assert!(planar(3).ends_with("it must be 1 or 2"));
    assert!(planar(1).ends_with("has 3 values, it must have 1, one a strip"));
    let two = Plain { segments: vec![vec![1, 2, 3, 4]; 2], ..planes() };
    assert!(line(&two).ends_with("has 2 values, it must have 3, one a strip"));
    let many = planes().numbers(&[(Tag::SAMPLES_PER_PIXEL, 65535)]);
    assert!(line(&many).starts_with("SamplesPerPixel (277) = 65535 is not supported"));
    let unlike = planes().with(Tag::BITS_PER_SAMPLE, Values::shorts(&[8, 8, 16]));
    assert!(line(&unlike).ends_with("all samples must have the same"));
}

#[test]
fn palettes_that_cannot_be() {
    let map = |values| line(&palette().with(Tag::COLOR_MAP, values));
    assert!(
        map(Values::shorts(&[999; 11]))
            .ends_with("has 11 values, it must have 12, by BitsPerSample (258) = 2")
    );
    assert!(map(Values::longs(&[1 << 16; 12])).ends_with("has type LONG, it must be SHORT"));
    assert!(map(Values::ascii("red, green, blue")).ends_with("has type ASCII, it must be SHORT"));
    // Its scale is a guess, so that it is no exact color; but a palette all the same.
    let dark = opened(&palette().with(Tag::COLOR_MAP, Values::shorts(&[255; 12])).bytes()).unwrap();
    assert!(dark.value().unwrap().contains("(palette)"));
    let mut without = palette();
    without.entries.retain(|e| e.0 != Tag::COLOR_MAP);
    assert!(line(&without).starts_with("ColorMap (320) is missing"));
    let said = line(&palette().numbers(&[(Tag::BITS_PER_SAMPLE, 16)]));
    assert!(said.ends_with("it must have 196608, by BitsPerSample (258) = 16"), "{said}");
    let said = line(&palette().numbers(&[(Tag::EXTRA_SAMPLES, 0)]));
    assert!(said.ends_with("is not supported yet"), "{said}");
}

#[test]
fn offsets_near_the_end_of_all_numbers() {
    let long8 = |n: &[u64]| Values::integers(FieldType::Long8, n).unwrap();
    for (plain, offsets, counts) in [
        (strip(), Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS),
        (tiles(), Tag::TILE_OFFSETS, Tag::TILE_BYTE_COUNTS),
    ] {
        let n = plain.segments.len();
        let big = || {
            let (entries, segments) = (plain.entries.clone(), plain.segments.clone());
            Plain { format: Format::Big, entries, segments }
        };
        for far in [u64::MAX, u64::MAX - 3, u64::MAX - 255, 1 << 63, 1 << 32] {
            let said = line(&big().with(offsets, long8(&vec![far; n])));
            assert!(said.contains(&format!(" bytes at offset {far}, the file has ")), "{said}");
            let said = line(&big().with(counts, long8(&vec![far; n])));
            assert!(said.contains(&format!("needs {far} bytes at offset")), "{said}");
        }
        let mut all = big().with(offsets, long8(&vec![u64::MAX; n]));
        all.entries.push((counts, long8(&vec![u64::MAX; n])));
        assert!(opened(&all.bytes()).is_err());
        // The first directory, the next one, and the block of a value.
        let mut file = big().with(Tag::MAKE, Values::ascii("somebody's")).bytes();
        for at in 0..file.len() {
            let Some(field) = file.get_mut(at..at + 8) else { break };
            let before = field.to_vec();
            field.fill(0xFF);
            let _: Result<_, _> = opened(&file);
            file[at..at + 8].copy_from_slice(&before);
        }
    }
}

#[test]
fn sides_whose_product_is_too_much() {
    for (width, height) in [(u32::MAX, u32::MAX), (1 << 26, 2), (2, 1 << 26), (65536, 65537)] {
        for plain in [strip(), tiles(), planes(), palette()] {
            let sides = [(Tag::IMAGE_WIDTH, width.into()), (Tag::IMAGE_LENGTH, height.into())];
            let said = line(&plain.numbers(&sides));
            let pixels = u64::from(width) * u64::from(height);
            let start = format!("a picture of {width} x {height} = {pixels} pixels");
            assert!(said.starts_with(&start), "{said}");
        }
    }
    // The greatest number of pixels, none of which is in the file.
    for compression in [1, 5, 8, 32773, 50000, 34925] {
        let sides = [(Tag::IMAGE_WIDTH, 8192), (Tag::IMAGE_LENGTH, 8192)];
        let plain = strip().numbers(&sides).numbers(&[(Tag::COMPRESSION, compression)]);
        let (result, used) = peak(|| Seed::open(plain.bytes()));
        assert!(result.is_err() && used < 2 * MIB, "compression {compression}: {used} bytes");
    }
}

/// All strips in one place are a picture, if a dull one, and take no more memory than another.
#[test]
fn strips_that_share_their_bytes() {
    let side = 512usize;
    let numbers = [
        (Tag::IMAGE_WIDTH, side as u64),
        (Tag::IMAGE_LENGTH, side as u64),
        (Tag::ROWS_PER_STRIP, 1),
    ];
    let plain = Plain::new(&numbers, vec![vec![9; side]])
        .with(Tag::STRIP_OFFSETS, Values::longs(&vec![8; side]))
        .with(Tag::STRIP_BYTE_COUNTS, Values::longs(&vec![side as u32; side]));
    opened(&plain.bytes()).unwrap();
    // One strip may be far longer than its row needs: the others get no memory for that.
    let mut counts = vec![side as u32; side];
    counts[7] = MIB as u32;
    let plain = Plain { segments: vec![vec![9; MIB]], ..plain }
        .with(Tag::STRIP_BYTE_COUNTS, Values::longs(&counts));
    opened(&plain.bytes()).unwrap();
}

/// The compressions, with their values of Compression.
const BOMBS: [(&dyn Primitive, u64); 6] = [
    (&Deflate, 8),
    (&Deflate, 32946),
    (&Lzw, 5),
    (&PackBits, 32773),
    (&Zstd, 50000),
    (&Lzma, 34925),
];

/// Streams of megabytes of zeros for a picture of four bytes.
#[test]
fn bombs() {
    for (primitive, compression) in BOMBS {
        let zeros = vec![0; 24 * MIB];
        let mut source = ChoiceSource::replaying(Choices::new());
        let stream = primitive.encode(&zeros, Encoding::any_length(&[], &mut source)).unwrap();
        drop(zeros);
        let plain = strip().numbers(&[(Tag::COMPRESSION, compression)]);
        let plain = Plain { segments: vec![stream], ..plain };
        let file = plain.bytes();
        let len = file.len();
        let (result, used) = peak(|| Seed::open(file));
        assert!(used < 12 * MIB + 8 * len, "compression {compression}: {used} bytes, file {len}");
        // PackBits reports a run that extends beyond the strip.
        assert_eq!(result.is_ok(), compression != 32773, "compression {compression}");
    }
}

/// Returns a file with the given choices, whose picture has one bit a sample if `bilevel`.
fn coded(choices: &[(&str, &str)], bilevel: bool) -> Vec<u8> {
    let numbers = [(Tag::IMAGE_WIDTH, 11), (Tag::IMAGE_LENGTH, 5), (Tag::ROWS_PER_STRIP, 5)];
    let rows = match bilevel {
        true => vec![0x12, 0x40, 0xFF, 0xE0, 0, 0, 0x55, 0x40, 0xF0, 0xE0],
        false => (0..165u8).map(|k| k.wrapping_mul(77)).collect(),
    };
    let plain = Plain::new(&numbers, vec![rows]);
    let plain = match bilevel {
        true => plain.numbers(&[(Tag::BITS_PER_SAMPLE, 1)]),
        false => plain
            .numbers(&[(Tag::PHOTOMETRIC_INTERPRETATION, 2), (Tag::SAMPLES_PER_PIXEL, 3)])
            .with(Tag::BITS_PER_SAMPLE, Values::shorts(&[8; 3])),
    };
    let seed = Seed::open(plain.bytes()).unwrap();
    let mut given = Choices::new();
    choices.iter().for_each(|(name, value)| given.set(name, *value));
    seed.variant(ChoiceSource::replaying(given)).unwrap().bytes
}

/// Changes every byte of a stream, and cuts the stream at every byte.
#[test]
fn damaged_streams() {
    let plain: [(&[(&str, &str)], bool); 13] = [
        (&[("compression", "PackBits")], false),
        (&[("compression", "LZW")], false),
        (&[("compression", "LZW"), ("predictor", "horizontal")], false),
        (&[("compression", "Deflate")], false),
        (&[("compression", "Deflate 32946")], false),
        (&[("compression", "Zstandard")], false),
        (&[("compression", "LZMA")], false),
        (&[("compression", "WebP")], false),
        (&[("compression", "CCITT RLE")], true),
        (&[("compression", "CCITT T.4")], true),
        (&[("compression", "CCITT T.4"), ("T.4 rows", "two-dimensional")], true),
        (&[("compression", "CCITT T.4"), ("T.4 EOLs", "byte-aligned")], true),
        (&[("compression", "CCITT T.6")], true),
    ];
    for (choices, bilevel) in plain {
        let mut file = coded(choices, bilevel);
        let picture = opened(&file).unwrap().picture().clone();
        let image = ImageFile::read(&file).unwrap();
        let entries = read(&file).unwrap().ifd.entries;
        let entries: Vec<_> = entries.into_iter().map(|e| (e.tag, e.values)).collect();
        let (mut refused, mut other) = (0, 0);
        for segment in &image.segments {
            let span = segment.offset as usize..(segment.offset + segment.byte_count) as usize;
            for at in span.clone() {
                let byte = file[at];
                for now in [0, 0xFF, byte ^ 1, byte ^ 0x80, byte.wrapping_add(0x11)] {
                    file[at] = now;
                    match opened(&file) {
                        Err(_) => refused += 1,
                        Ok(seed) => other += usize::from(*seed.picture() != picture),
                    }
                }
                file[at] = byte;
            }
            let mut cut =
                Plain { format: image.format, entries: entries.clone(), segments: vec![] };
            cut.entries.retain(|e| ![Tag::STRIP_OFFSETS, Tag::STRIP_BYTE_COUNTS].contains(&e.0));
            cut.segments.push(file[span].to_vec());
            assert!(*opened(&cut.bytes()).unwrap().picture() == picture, "{choices:?}");
            while cut.segments[0].pop().is_some() {
                match opened(&cut.bytes()) {
                    Err(_) => refused += 1,
                    Ok(seed) => other += usize::from(*seed.picture() != picture),
                }
            }
        }
        assert!(refused > 0 && other > 0, "{choices:?}: {refused} refused, {other} others");
    }
}
