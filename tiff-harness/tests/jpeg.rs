//! Pictures of JPEG streams: the parts of a stream that are a matter of form vary, and the pixels stay,
//! as libtiff decodes them.

use std::collections::{BTreeMap, BTreeSet};

use inverter::solve::{Choice, ChoiceSource, Choices, Fill};
use rand::RngExt;
use tiff_harness::container::{FieldType, Profile, Tag, Values};
use tiff_harness::{ImageFile, Seed, dimension};

#[path = "support/plain.rs"]
mod plain;
mod reference;
use plain::Plain;
use reference::{Decoder, Reference};

/// The files, and their JPEG dimensions.
const FILES: [(&str, usize); 8] = [
    ("gray", 14),
    ("lossless", 11),
    ("optimized-tiles", 14),
    ("progressive", 13),
    ("restart", 14),
    ("rgb-planar", 14),
    ("rgb-tiles", 14),
    ("ycbcr-strips", 14),
];

/// Values of the dimensions, other than those that seeds have.
const VALUES: [(&str, &[&str]); 15] = [
    (dimension::JPEG_QUANTIZATION_TABLES, &["inside", "apart", "repeated", "overridden"]),
    (dimension::JPEG_HUFFMAN_TABLES, &["inside", "apart", "repeated", "overridden"]),
    (dimension::JPEG_TABLE_ORDER, &["random:1", "random:2"]),
    (dimension::JPEG_TABLES_PER_MARKER, &["one", "all"]),
    (dimension::JPEG_QUANTIZATION_PLACE, &["before the frame header", "behind the frame header"]),
    (dimension::JPEG_HUFFMAN_PLACE, &["before the frame header", "behind the frame header"]),
    (dimension::JPEG_TABLE_NUMBERS, &["random:1", "random:2"]),
    (dimension::JPEG_UNUSED_TABLES, &["random:1", "random:2"]),
    (dimension::JPEG_REDEFINED_TABLES, &["random:1", "random:2"]),
    (dimension::JPEG_FRAME_HEADER, &["SOF0", "SOF1"]),
    (dimension::JPEG_RESTART_PLACE, &["before the frame header", "behind the frame header"]),
    (dimension::JPEG_ZERO_RESTART, &["left out", "explicit"]),
    (dimension::JPEG_COMMENTS, &["random:1", "random:2"]),
    (dimension::JPEG_APPLICATION_DATA, &["random:1", "random:2"]),
    (dimension::JPEG_FILL_BYTES, &["random:1", "random:2"]),
];

fn seed(name: &str) -> Seed {
    let path = format!("{}/tests/jpeg/{name}.tif", env!("CARGO_MANIFEST_DIR"));
    Seed::open(std::fs::read(path).unwrap()).unwrap()
}

fn replay(seed: &Seed, choices: &[(&str, &str)]) -> Vec<u8> {
    let choices: Choices =
        choices.iter().map(|(name, value)| ((*name).to_owned(), Choice::from(*value))).collect();
    seed.variant(ChoiceSource::replaying(choices)).unwrap().bytes
}

/// A marker of a stream with its parameters.
type Marker = (u8, Vec<u8>);

/// Returns the markers of a stream up to the first scan, as a program of ten lines would find them; 0xFF
/// stands for fill bytes.
fn markers(stream: &[u8]) -> Vec<Marker> {
    let (mut at, mut found) = (2, Vec::new());
    while stream[at + 1] != 0xD9 {
        if stream[at + 1] == 0xFF {
            found.push((0xFF, Vec::new()));
            at += 1;
            continue;
        }
        let len = usize::from(u16::from_be_bytes([stream[at + 2], stream[at + 3]]));
        found.push((stream[at + 1], stream[at + 4..at + 2 + len].to_vec()));
        if stream[at + 1] == 0xDA {
            break;
        }
        at += 2 + len;
    }
    found
}

/// The markers of JPEGTables and of the first stream.
struct Looks {
    apart: Option<Vec<Marker>>,
    inside: Vec<Marker>,
}

impl Looks {
    fn of(file: &[u8]) -> Self {
        let image = ImageFile::read(file).unwrap();
        let tables = image.carried.iter().find(|entry| entry.0 == Tag::JPEG_TABLES);
        let apart = tables.map(|(_, values)| {
            assert_eq!(values.kind(), FieldType::Undefined);
            markers(&values.encode(image.order))
        });
        Self { apart, inside: markers(image.stored(file, 0).unwrap()) }
    }

    fn names(markers: &[Marker]) -> Vec<u8> {
        markers.iter().map(|marker| marker.0).collect()
    }

    fn inside(&self, marker: u8) -> usize {
        self.inside.iter().filter(|m| m.0 == marker).count()
    }

    fn apart(&self, marker: u8) -> usize {
        self.apart.iter().flatten().filter(|m| m.0 == marker).count()
    }
}

#[test]
fn forms_are_as_their_names_say() {
    let seed = seed("ycbcr-strips");
    let of = |choices: &[(&str, &str)]| Looks::of(&replay(&seed, choices));
    let [quantization, huffman] =
        [dimension::JPEG_QUANTIZATION_TABLES, dimension::JPEG_HUFFMAN_TABLES];

    // libtiff's own form: two tables of each kind apart, each with a marker of its own.
    let own = of(&[]);
    assert_eq!(Looks::names(&own.inside), [0xC0, 0xDA]);
    assert_eq!(Looks::names(own.apart.as_deref().unwrap()), [0xDB, 0xDB, 0xC4, 0xC4, 0xC4, 0xC4]);

    let inside = of(&[(quantization, "inside"), (huffman, "inside")]);
    assert!(inside.apart.is_none());
    assert_eq!(Looks::names(&inside.inside), [0xDB, 0xDB, 0xC4, 0xC4, 0xC4, 0xC4, 0xC0, 0xDA]);
    let half = of(&[(quantization, "inside")]);
    assert_eq!([half.apart(0xDB), half.apart(0xC4)], [0, 4]);
    assert_eq!([half.inside(0xDB), half.inside(0xC4)], [2, 0]);
    let repeated = of(&[(quantization, "repeated")]);
    assert_eq!([repeated.apart(0xDB), repeated.inside(0xDB)], [2, 2]);
    assert_eq!(repeated.apart.unwrap()[..2], repeated.inside[..2]);
    let overridden = of(&[(quantization, "overridden")]);
    assert_eq!([overridden.apart(0xDB), overridden.inside(0xDB)], [2, 2]);
    assert_ne!(overridden.apart.unwrap()[0], overridden.inside[0]);

    let all = of(&[(dimension::JPEG_TABLES_PER_MARKER, "all")]);
    assert_eq!(Looks::names(all.apart.as_deref().unwrap()), [0xDB, 0xC4]);
    let order = of(&[(dimension::JPEG_TABLE_ORDER, "random:1")]);
    let sorted = |looks: &Looks| {
        let mut markers = looks.apart.clone().unwrap();
        markers.sort();
        markers
    };
    assert_ne!(order.apart, own.apart);
    assert_eq!(sorted(&order), sorted(&own));
    let behind = of(&[
        (quantization, "inside"),
        (huffman, "inside"),
        (dimension::JPEG_QUANTIZATION_PLACE, "behind the frame header"),
    ]);
    assert_eq!(Looks::names(&behind.inside), [0xC4, 0xC4, 0xC4, 0xC4, 0xC0, 0xDB, 0xDB, 0xDA]);

    assert_eq!(of(&[(dimension::JPEG_FRAME_HEADER, "SOF1")]).inside[0].0, 0xC1);
    let zero = of(&[(dimension::JPEG_ZERO_RESTART, "explicit")]);
    assert_eq!(zero.inside[0], (0xDD, vec![0, 0]));
    let noted = of(&[
        (dimension::JPEG_COMMENTS, "random:1"),
        (dimension::JPEG_APPLICATION_DATA, "random:1"),
        (dimension::JPEG_FILL_BYTES, "random:1"),
    ]);
    let has = |marker: u8| noted.inside(marker) + noted.apart(marker) > 0;
    assert!(has(0xFE) && has(0xFF) && (0xE3..=0xEA).any(has));
    let heeded = [0xE0, 0xE1, 0xE2, 0xE8, 0xEB, 0xEC, 0xED, 0xEE];
    assert!(!heeded.into_iter().any(has));

    let unused = of(&[(dimension::JPEG_UNUSED_TABLES, "random:2")]);
    let tables = |looks: &Looks| looks.apart(0xDB) + looks.apart(0xC4);
    assert!(tables(&unused) > tables(&own));
    let redefined = of(&[(dimension::JPEG_REDEFINED_TABLES, "random:2")]);
    assert!(tables(&redefined) > tables(&own));
    let numbered = ["random:1", "random:2", "random:3", "random:4"].map(|value| {
        let looks = of(&[(dimension::JPEG_TABLE_NUMBERS, value)]);
        // The selector of the second component's quantization table.
        looks.inside[0].1[6 + 3 + 2]
    });
    assert!(numbered.iter().collect::<BTreeSet<_>>().len() > 1, "{numbered:?}");
}

/// Files whose other forms libtiff decodes to the same pixels. It does not decode lossless streams.
#[test]
fn each_form_has_the_pixels_of_the_seed() {
    let libtiff = Decoder::libtiff();
    for (name, dimensions) in FILES {
        let seed = seed(name);
        let decoder = libtiff.as_ref().filter(|_| name != "lossless");
        let mut made = 0;
        let mut same = |bytes: &[u8], what: &str| {
            made += 1;
            if let Some(decoder) = decoder {
                assert!(
                    decoded(decoder, bytes) == decoded(decoder, seed.bytes()),
                    "{name}: {what}"
                );
            }
        };
        let own = replay(&seed, &[]);
        same(&own, "the seed's form");
        let found = seed.dimensions().iter().filter(|d| dimension::JPEG.contains(&d.as_str()));
        assert_eq!(found.count(), dimensions, "{name}");
        for (dimension, values) in VALUES {
            // Tables that are apart have no place in the stream.
            let inside = [
                (dimension::JPEG_QUANTIZATION_TABLES, "inside"),
                (dimension::JPEG_HUFFMAN_TABLES, "inside"),
            ];
            for value in values {
                let alone = [(dimension, *value)];
                let choices: Vec<_> = inside.into_iter().filter(|i| i.0 != dimension).collect();
                for choices in [&alone[..], &[&choices[..], &alone[..]].concat()] {
                    let choices: Choices = choices
                        .iter()
                        .map(|(name, value)| ((*name).to_owned(), Choice::from(*value)))
                        .collect();
                    // A dimension that this seed does not have cannot be given.
                    if let Ok(variant) = seed.variant(ChoiceSource::replaying(choices.clone())) {
                        same(&variant.bytes, &format!("{choices:?}"));
                    }
                }
            }
        }
        let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (profile, share) in [(Profile::Strict, 60), (Profile::Wide, 60)] {
            let seed = seed.clone().with_profile(profile);
            for index in 0..share {
                let variant = seed.variant(ChoiceSource::seeded(1, index)).unwrap();
                let jpeg = variant.choices.iter().filter(|c| dimension::JPEG.contains(&c.0));
                for (dimension, value) in jpeg {
                    let class = seed.value_class(dimension, value);
                    seen.entry(dimension.to_owned()).or_default().insert(class);
                }
                if index % 6 == 0 {
                    same(&variant.bytes, &format!("variant {index}"));
                }
            }
        }
        assert!(made > 40, "{name}: {made}");
        assert!(seen.len() >= dimensions, "{name}: {seen:?}");
        assert!(seen.values().all(|classes| classes.len() > 1), "{name}: {seen:?}");
    }
}

fn decoded(decoder: &Decoder, bytes: &[u8]) -> Reference {
    let file = tempfile::Builder::new().suffix(".tif").tempfile().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    decoder.decode(file.path()).unwrap()
}

#[test]
fn streams_that_are_not_understood_stay_as_they_are() {
    let mut bytes = seed("gray").bytes().to_vec();
    let image = ImageFile::read(&bytes).unwrap();
    let first = image.segments[0].offset as usize;
    // The frame header of arithmetic coding.
    let at = first + bytes[first..].windows(2).position(|w| w == [0xFF, 0xC0]).unwrap();
    bytes[at + 1] = 0xC9;
    let opaque = Seed::open(bytes).unwrap();
    assert!(opaque.dimensions().iter().all(|name| !dimension::JPEG.contains(&name.as_str())));
    for index in 0..20 {
        let variant = opaque.variant(ChoiceSource::seeded(1, index)).unwrap();
        let new = ImageFile::read(&variant.bytes).unwrap();
        for k in 0..image.segments.len() {
            assert_eq!(new.stored(&variant.bytes, k), image.stored(opaque.bytes(), k));
        }
        let tables = |image: &ImageFile| {
            image.carried.iter().find(|entry| entry.0 == Tag::JPEG_TABLES).cloned()
        };
        assert!(tables(&image).is_some());
        assert_eq!(tables(&new), tables(&image));
    }
}

/// Whatever is a seed has variants: damage is refused when the file is read, or it is of no consequence.
#[test]
fn damaged_files_are_refused_or_have_variants() {
    let old = Old::new();
    let scan = old.stream.len() - old.data.len();
    let mut files: Vec<Vec<u8>> = FILES.map(|(name, _)| seed(name).bytes().to_vec()).into();
    files.extend([old.with_stream(scan).bytes(), old.with_tables().bytes()]);
    let mut rng = Fill::rng(1);
    let (mut refused, mut varied) = (0, 0);
    for file in files {
        for index in 0..300 {
            let mut bytes = file.clone();
            // Directories and JPEGTables are at the end, the header of the first stream is at the beginning.
            let from = [0, bytes.len() - 700][index % 2];
            for _ in 0..rng.random_range(1..=3) {
                bytes[from + rng.random_range(0..700)] = rng.random();
            }
            let Ok(seed) = Seed::open(bytes) else {
                refused += 1;
                continue;
            };
            let seed = seed.with_profile([Profile::Strict, Profile::Wide][index / 2 % 2]);
            seed.variant(ChoiceSource::seeded(1, index as u64)).unwrap();
            varied += 1;
        }
    }
    assert!(refused > 300 && varied > 1000, "{refused} {varied}");
}

#[test]
fn another_table_is_another_value() {
    let own = seed("gray");
    let image = own.file();
    let block = image.blocks.iter().find(|block| block.0 == Tag::JPEG_TABLES).unwrap().1;
    let mut bytes = own.bytes().to_vec();
    // An element of the quantization table.
    bytes[block.at as usize + 20] += 1;
    assert_ne!(Seed::open(bytes).unwrap().picture(), own.picture());
}

/// The parts of `restart.tif`, whose stream has two tables of each kind.
struct Old {
    stream: Vec<u8>,
    tables: [Vec<Vec<u8>>; 3],
    /// The entropy-coded data, with EOI.
    data: Vec<u8>,
}

impl Old {
    fn new() -> Self {
        let seed = seed("restart");
        let stream = seed.file().stored(seed.bytes(), 0).unwrap().to_vec();
        let mut tables = [const { Vec::new() }; 3];
        for (marker, parameters) in markers(&stream) {
            let kind = match (marker, parameters[0] >> 4) {
                (0xDB, _) => 0,
                (0xC4, class) => 1 + usize::from(class),
                _ => continue,
            };
            tables[kind].push(parameters[1..].to_vec());
        }
        let scan = stream.windows(2).position(|w| w == [0xFF, 0xDA]).unwrap();
        let len = usize::from(stream[scan + 3]);
        let data = stream[scan + 2 + len..].to_vec();
        Self { stream, tables, data }
    }

    fn file(segments: Vec<Vec<u8>>) -> Plain {
        Plain::new(&[(Tag::IMAGE_WIDTH, 70), (Tag::IMAGE_LENGTH, 50)], segments)
            .numbers(&[(Tag::COMPRESSION, 6), (Tag::PHOTOMETRIC_INTERPRETATION, 6)])
            .numbers(&[(Tag::SAMPLES_PER_PIXEL, 3), (Tag::JPEG_PROC, 1)])
            .with(Tag::BITS_PER_SAMPLE, Values::shorts(&[8, 8, 8]))
            .with(Tag::YCBCR_SUB_SAMPLING, Values::shorts(&[1, 1]))
            .with(Tag::STRIP_OFFSETS, Values::longs(&[8]))
    }

    /// A file with the stream, which the strip is a part of from `at` on.
    fn with_stream(&self, at: usize) -> Plain {
        let len = self.stream.len();
        let counts = Values::longs(&[(len - at) as u32]);
        Self::file(vec![self.stream.clone()])
            .with(Tag::STRIP_OFFSETS, Values::longs(&[8 + at as u32]))
            .with(Tag::STRIP_BYTE_COUNTS, counts)
            .with(Tag::JPEG_INTERCHANGE_FORMAT, Values::longs(&[8]))
            .with(Tag::JPEG_INTERCHANGE_FORMAT_LENGTH, Values::longs(&[len as u32]))
    }

    /// A file with the tables apart.
    fn with_tables(&self) -> Plain {
        let mut segments = vec![self.data.clone()];
        let mut plain = Self::file(Vec::new())
            .with(Tag::STRIP_BYTE_COUNTS, Values::longs(&[self.data.len() as u32]))
            .numbers(&[(Tag::JPEG_RESTART_INTERVAL, 4)]);
        let tags = [Tag::JPEG_Q_TABLES, Tag::JPEG_DC_TABLES, Tag::JPEG_AC_TABLES];
        for (tag, tables) in tags.into_iter().zip(&self.tables) {
            let mut offsets = Vec::new();
            for table in tables {
                offsets.push(8 + segments.concat().len() as u32);
                segments.push(table.clone());
            }
            // The third component has the tables of the second.
            plain = plain.with(tag, Values::longs(&[offsets[0], offsets[1], offsets[1]]));
        }
        plain.segments = segments;
        plain
    }
}

#[test]
fn old_style_jpeg_moves_with_its_data() {
    let old = Old::new();
    let scan = old.stream.len() - old.data.len();
    let files = [
        ("the strip is the stream", old.with_stream(0).bytes()),
        ("the strip is inside of the stream", old.with_stream(scan).bytes()),
        ("tables apart", old.with_tables().bytes()),
    ];
    let libtiff = Decoder::libtiff();
    for (name, bytes) in files {
        let seed = Seed::open(bytes).unwrap();
        let expected = libtiff.as_ref().map(|decoder| decoded(decoder, seed.bytes()));
        let mut places = BTreeSet::new();
        for profile in [Profile::Strict, Profile::Wide] {
            let seed = seed.clone().with_profile(profile);
            for index in 0..40 {
                let variant = seed.variant(ChoiceSource::seeded(1, index)).unwrap();
                let image = ImageFile::read(&variant.bytes).unwrap();
                places.insert(image.segments[0].offset);
                // The wide profile has values that libtiff cannot read.
                if let (Some(decoder), Profile::Strict) = (&libtiff, profile) {
                    let found = decoded(decoder, &variant.bytes);
                    assert!(Some(found) == expected, "{name}: variant {index}");
                }
            }
        }
        assert!(places.len() > 20, "{name}: {places:?}");
        // Other data is another value.
        let mut changed = seed.bytes().to_vec();
        let table = &old.tables[0][1][..];
        let at = changed.windows(64).position(|window| window == table).unwrap();
        changed[at + 5] += 1;
        assert_ne!(Seed::open(changed).unwrap().picture(), seed.picture(), "{name}");
    }
}

#[test]
fn old_style_jpeg_beyond_the_rules_is_refused() {
    let old = Old::new();
    let len = old.stream.len() as u64;
    let stream = |tag: Tag, n: u32| old.with_stream(0).with(tag, Values::longs(&[n]));
    let halves = old
        .with_stream(0)
        .numbers(&[(Tag::ROWS_PER_STRIP, 25)])
        .with(Tag::STRIP_OFFSETS, Values::longs(&[8, 100]))
        .with(Tag::STRIP_BYTE_COUNTS, Values::longs(&[92, 50]));
    let mut lone = old.with_stream(0);
    lone.entries.retain(|entry| entry.0 != Tag::JPEG_INTERCHANGE_FORMAT_LENGTH);
    let apart = lone.clone().with(Tag::JPEG_INTERCHANGE_FORMAT, Values::longs(&[12]));
    let cases = [
        (
            stream(Tag::JPEG_INTERCHANGE_FORMAT_LENGTH, 100_000),
            "the data that JPEGInterchangeFormat (513) points to needs 100000 bytes at offset 8",
        ),
        (stream(Tag::JPEG_Q_TABLES, 99_999), "the data that JPEGQTables (519) points to needs 64"),
        (
            stream(Tag::JPEG_AC_TABLES, 99_999),
            "the data that JPEGACTables (521) points to needs 16",
        ),
        (
            old.with_tables().with(Tag::JPEG_DC_TABLES, Values::longs(&[20])),
            "JPEGDCTables (520) = 20, where there is no Huffman table",
        ),
        (halves, "2 of 2 strips inside of the data of old-style JPEG is not supported yet"),
        (apart, "JPEGInterchangeFormat (513) without JPEGInterchangeFormatLength (514)"),
    ];
    let mut empty = old.with_tables();
    empty = empty.with(Tag::STRIP_BYTE_COUNTS, Values::longs(&[0]));
    let why = Seed::open(empty.bytes()).err().unwrap().to_string();
    assert_eq!(why, "an empty strip or tile, number 0, which has no stream, is not supported yet");
    for (plain, must) in cases {
        let why = Seed::open(plain.bytes()).expect_err(must).to_string();
        assert!(why.starts_with(must) && !why.contains('\n'), "{why}");
    }
    // Offsets that miss the tables of a stream have no effect.
    Seed::open(stream(Tag::JPEG_DC_TABLES, 60).bytes()).unwrap();
    // Without a length the stream is the strip that begins there.
    let whole = Seed::open(lone.bytes()).unwrap();
    let data = whole.file().old_jpeg.as_ref().unwrap();
    assert_eq!(data.strip_block().unwrap().1.len() as u64, len);
    whole.variant(ChoiceSource::seeded(1, 1)).unwrap();
}
