//! No variant has a tag of its seed that contradicts the variant. The variants' directories are read
//! again and examined tag by tag, without the table that decided what they have.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::container::carried::table::ROWS;
use tiff_harness::container::{ByteOrder, Container, Entry, FieldType, Profile, Tag, Values, read};
use tiff_harness::image::LeftOut;
use tiff_harness::{Picture, Seed, VariantError};

#[path = "support/corpus.rs"]
mod corpus;
#[path = "support/plain.rs"]
mod plain;
use plain::{Plain, number};

/// Tags whose values are offsets, contain offsets, or describe segments that no variant has.
const NEVER: [u16; 22] = [
    330, 347, 400, 512, 513, 514, 515, 519, 520, 521, 559, 33628, 33629, 33630, 33631, 34412,
    34665, 34853, 37500, 40965, 50674, 50740,
];

/// Tags that need the seed's orientation.
const TURNED: [u16; 8] = [343, 33550, 33922, 34264, 50719, 50720, 50829, 50844];

/// Tags that need the seed's byte order, and no other page.
const IMAGEJ: [u16; 2] = [50838, 50839];

/// Tags that need the seed's byte order.
const ORDERED: [u16; 2] = [33723, 37724];

/// Tags that need the seed's bits and PhotometricInterpretation.
const SAMPLES: [u16; 4] = [291, 301, 34675, 42112];

/// Tags that are changed along.
const CHANGED: [u16; 5] = [321, 336, 340, 341, 42113];

/// The first directory of a file, read again.
struct Look {
    container: Container,
}

impl Look {
    fn new(file: &[u8]) -> Self {
        Self { container: read(file).unwrap() }
    }

    fn get(&self, tag: u16) -> Option<&Entry> {
        self.container.ifd.get(Tag(tag))
    }

    fn numbers(&self, tag: u16) -> Option<Vec<u64>> {
        self.get(tag)?.values.as_integers()
    }

    fn one(&self, tag: u16, default: u64) -> u64 {
        self.numbers(tag).map_or(default, |numbers| numbers[0])
    }

    fn text(&self, tag: u16) -> Option<String> {
        let bytes = self.get(tag)?.values.encode(ByteOrder::Little);
        Some(String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned())
    }

    fn bits(&self) -> u64 {
        self.one(258, 1)
    }

    fn most(&self) -> u64 {
        (1 << self.bits()) - 1
    }

    fn photometric(&self) -> u64 {
        self.one(262, 0)
    }

    fn samples(&self) -> u64 {
        self.one(277, 1)
    }

    fn orientation(&self) -> u64 {
        self.one(274, 1)
    }

    /// Returns true if both files have the same number of pages.
    fn has_pages_of(&self, other: &Look) -> bool {
        self.container.later_ifds.len() == other.container.later_ifds.len()
    }

    /// Returns the fraction of the way from black to white that a sample stands for, as a numerator and
    /// a denominator.
    fn light(&self, sample: u64) -> (u64, u64) {
        let most = self.most();
        (if self.photometric() == 0 { most - sample } else { sample }, most)
    }

    /// Returns true if a sample means the same as one of `other`.
    fn means(&self, sample: u64, other: &Look, old: u64) -> bool {
        let ((a, of_a), (b, of_b)) = (self.light(sample), other.light(old));
        let equal = u128::from(a) * u128::from(of_b) == u128::from(b) * u128::from(of_a);
        let indexed = self.photometric() == 3 || other.photometric() == 3;
        if indexed { sample == old && self.numbers(320) == other.numbers(320) } else { equal }
    }
}

/// Returns true if the choices add tags of this dimension.
fn adds(choices: &Choices, dimension: &str) -> bool {
    choices.get(dimension).is_some_and(|value| *value != "none".into())
}

/// Returns the contradictions between the tags of a variant that was made by `choices`.
fn contradictions(seed: &Look, variant: &Look, choices: &Choices) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    let samples = variant.samples();
    let same_order = variant.container.order == seed.container.order;
    let same_orientation = variant.orientation() == seed.orientation();
    let same_levels = variant.bits() == seed.bits() && variant.photometric() == seed.photometric();
    let drawn = |tag: u16| seed.get(tag).is_none();
    // These may be the variant's own.
    let own = |tag: u16| match tag {
        330 => adds(choices, "sub-IFDs"),
        297 => adds(choices, "document tags"),
        _ => false,
    };
    let compression = variant.numbers(259).map_or(1, |values| values[0]);
    for tag in NEVER {
        // Parts of streams. Those of JPEG change places and are examined in `jpeg.rs`.
        if matches!((tag, compression), (347, 7) | (512..=521, 6)) {
            continue;
        }
        if matches!((tag, compression), (50674, 34887)) {
            let values = |look: &Look| look.get(tag).map(|entry| entry.values.clone());
            must(values(variant) == values(seed), &format!("{tag}"));
            continue;
        }
        must(variant.get(tag).is_none() || own(tag), &format!("{tag}"));
    }
    for (tags, holds) in [
        (&TURNED[..], same_orientation),
        (&ORDERED[..], same_order),
        (&IMAGEJ[..], same_order && variant.has_pages_of(seed)),
        (&SAMPLES[..], same_levels),
        (&[297][..], variant.has_pages_of(seed)),
    ] {
        for tag in tags.iter().filter(|tag| !drawn(**tag) && !own(**tag)) {
            must(variant.get(*tag).is_none() || holds, &format!("{tag}"));
        }
    }
    for tag in [340, 341] {
        let integers = seed.numbers(tag).filter(|old| old.len() as u64 == seed.samples());
        if let (Some(new), Some(old)) = (variant.numbers(tag), integers) {
            must(new.len() as u64 == samples, "the count of a sample's values");
            must(new.iter().all(|value| *value <= variant.most()), "a value beyond all levels");
            must(variant.means(new[0], seed, old[0]), "a value of another level");
        }
    }
    for tag in [50714, 50717].into_iter().filter(|tag| !drawn(*tag)) {
        let count = variant.get(tag).map_or(samples, |entry| entry.values.count());
        must(count == samples, "the count of levels of a sensor");
    }
    if let Some(dots) = variant.numbers(336) {
        must(dots.len() as u64 == 2 * samples || seed.numbers(336).unwrap().len() == 2, "DotRange");
        must(dots.iter().all(|level| *level <= variant.most()), "an ink beyond all levels");
    }
    for tag in [291, 301].into_iter().filter(|tag| !drawn(*tag)) {
        let count = variant.get(tag).map_or(1 << variant.bits(), |entry| entry.values.count());
        must(count.is_multiple_of(1 << variant.bits()), "the size of a table of levels");
    }
    if let (Some(new), Some(old)) = (variant.numbers(321), seed.numbers(321)) {
        let same = new.iter().zip(&old).all(|(new, old)| variant.means(*new, seed, *old));
        must(same_levels || same, "HalftoneHints");
    }
    if let (Some(new), Some(old)) = (variant.text(42113), seed.text(42113)) {
        let same = match (new.parse(), old.trim().parse()) {
            (Ok(new), Ok(old)) => variant.means(new, seed, old),
            _ => same_levels,
        };
        must(same, &format!("GDAL_NODATA {new}"));
    }
    wrong.extend(untrue_texts(seed, variant));
    wrong
}

/// Returns the texts of a variant that are not true of it.
fn untrue_texts(seed: &Look, variant: &Look) -> Vec<String> {
    let mut wrong = Vec::new();
    let (width, height) = (variant.one(256, 0), variant.one(257, 0));
    let description = variant.text(270).filter(|_| seed.get(270).is_some()).unwrap_or_default();
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(format!("{what}: {description}"));
        }
    };
    if description.starts_with("ImageJ=") {
        must(variant.has_pages_of(seed), "ImageJ counts pictures");
    }
    if description.contains("<OME") {
        must(variant.has_pages_of(seed), "OME has a plane for each directory");
        let pixels = format!("SizeX=\"{width}\" SizeY=\"{height}\"");
        must(description.contains(&pixels), "the size of OME");
        must(description.contains(&format!("uint{}", variant.bits())), "the type of OME");
    }
    if let Some(shape) = description.strip_prefix("{\"shape\": [") {
        let samples = variant.samples();
        let shape = shape.split(']').next().unwrap();
        let shape: Vec<u64> = shape.split(", ").map(|n| n.parse().unwrap()).collect();
        let expected = match (samples, variant.one(284, 1)) {
            (1, _) => vec![height, width],
            (_, 2) => vec![samples, height, width],
            _ => vec![height, width, samples],
        };
        must(shape == expected && variant.has_pages_of(seed), "the shape of tifffile");
    }
    let xmp = variant.text(700).unwrap_or_default();
    for (name, value) in
        [("ImageWidth", width), ("ImageLength", height), ("Orientation", variant.orientation())]
    {
        if xmp.contains(&format!("tiff:{name}=\"")) {
            must(xmp.contains(&format!("tiff:{name}=\"{value}\"")), "XMP");
        }
    }
    wrong
}

/// Adds every tag of the table to a file of `samples` samples of `bits` bits.
fn with_all_tags(file: Plain, bits: u64, samples: u64, description: &str) -> Plain {
    let all = ROWS.iter().flat_map(|row| row.tags);
    let file = all.fold(file, |file, tag| file.with(*tag, Values::shorts(&[1, 2])));
    let shorts = |values: Vec<u16>| Values::shorts(&values);
    let table = || shorts((0..1u32 << bits.min(8)).map(|level| level as u16).collect());
    let many = |level: u16, each: u64| shorts(vec![level; (each * samples) as usize]);
    let bytes =
        |bytes: &[u8]| Values::decode(FieldType::Undefined, ByteOrder::Little, bytes).unwrap();
    [
        (Tag::SOFTWARE, Values::ascii("a program")),
        (Tag::IMAGE_DESCRIPTION, Values::ascii(description)),
        (Tag::GRAY_RESPONSE_CURVE, table()),
        (Tag::TRANSFER_FUNCTION, table()),
        (Tag::PAGE_NUMBER, shorts(vec![0, 1])),
        (Tag::HALFTONE_HINTS, shorts(vec![1, 0])),
        (Tag::DOT_RANGE, many(0, 2)),
        (Tag::S_MIN_SAMPLE_VALUE, many(0, 1)),
        (Tag::S_MAX_SAMPLE_VALUE, many(1, 1)),
        (Tag::UIC1, number(4)),
        (Tag::XMP, bytes(b"<rdf tiff:Orientation=\"1\" tiff:ImageWidth=\"6\"/>")),
        (Tag::IPTC, Values::longs(&[0x021c])),
        (Tag::GDAL_NODATA, Values::ascii("1")),
        (Tag::BLACK_LEVEL, many(0, 1)),
        (Tag::WHITE_LEVEL, many(1, 1)),
        (Tag::IJ_METADATA, bytes(b"IJIJ")),
    ]
    .into_iter()
    .fold(file, |file, (tag, values)| file.with(tag, values))
}

/// Returns pictures of 6 x 5 pixels with all tags. Their levels have values of other bits too.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let size = [(Tag::IMAGE_WIDTH, 6), (Tag::IMAGE_LENGTH, 5), (Tag::ROWS_PER_STRIP, 5)];
    let file = |samples: u64, photometric: u64, bits: u64, rows: Vec<u8>| {
        Plain::new(&size, vec![rows]).numbers(&[
            (Tag::SAMPLES_PER_PIXEL, samples),
            (Tag::PHOTOMETRIC_INTERPRETATION, photometric),
            (Tag::BITS_PER_SAMPLE, bits),
        ])
    };
    let levels =
        |count: usize| -> Vec<u8> { (0..count).map(|k| (k * 7 % 16 * 17) as u8).collect() };
    let gray = file(1, 1, 8, levels(30));
    let imagej = "ImageJ=1.53t\nunit=um\n";
    let alpha = file(5, 2, 8, levels(150))
        .with(Tag::BITS_PER_SAMPLE, Values::shorts(&[8; 5]))
        .with(Tag::EXTRA_SAMPLES, Values::shorts(&[2, 0]));
    let ome = "<OME><Pixels Type=\"uint8\" SizeX=\"6\" SizeY=\"5\"/></OME>";
    let colors: Vec<u16> = (0..48u16).map(|k| (k % 16 * 4369) ^ (k / 16 * 0x1234)).collect();
    let palette =
        file(1, 3, 4, (0..15).map(|k| ((2 * k % 16) << 4) | ((2 * k + 1) % 16)).collect())
            .with(Tag::COLOR_MAP, Values::shorts(&colors));
    let bilevel = file(1, 0, 1, vec![0b1010_1000, 0b1111_0000, 0, 0b1000_0000, 0b0101_1100]);
    vec![
        ("gray", with_all_tags(gray, 8, 1, imagej).bytes()),
        ("alpha", with_all_tags(alpha, 8, 5, ome).bytes()),
        ("palette", with_all_tags(palette, 4, 1, "{\"shape\": [5, 6]}").bytes()),
        ("bilevel", with_all_tags(bilevel, 1, 1, "ImageJ=1.53t\nimages=1\nmin=0\nmax=1\n").bytes()),
    ]
}

/// Builds the variant that a source decides on, if it is possible.
fn variant(name: &str, seed: &Seed, source: ChoiceSource) -> Option<tiff_harness::Variant> {
    match seed.variant(source) {
        Ok(variant) => Some(variant),
        Err(VariantError::Impossible(_)) => None,
        Err(internal) => panic!("{name}: {internal}"),
    }
}

/// Examines `count` variants of a seed, and of its plainest file. Records the tags that they have.
fn examine(name: &str, seed: &Seed, count: u64, mut record: impl FnMut(&Look)) {
    let look = Look::new(seed.bytes());
    for (of, seed) in [("", Some(seed.clone())), (" plainest", seed.plainest())] {
        let Some(seed) = seed else { continue };
        let wrong = contradictions(&look, &Look::new(seed.bytes()), &Choices::new());
        assert!(of.is_empty() || wrong.is_empty(), "{name}{of}: {wrong:?}");
        for index in 0..count {
            let Some(made) = variant(name, &seed, ChoiceSource::seeded(1, index)) else { continue };
            let made_look = Look::new(&made.bytes);
            let wrong = contradictions(&look, &made_look, &made.choices);
            assert!(wrong.is_empty(), "{name}{of} {index}: {wrong:?} {:?}", made.choices);
            record(&made_look);
            if index % 8 == 0 {
                let again = seed.variant(ChoiceSource::replaying(made.choices.clone())).unwrap();
                assert!(again.bytes == made.bytes, "{name}{of} {index} is another when replayed");
            }
        }
    }
}

#[test]
fn no_variant_contradicts_its_tags() {
    let tags: BTreeSet<Tag> = ROWS.iter().flat_map(|row| row.tags).copied().collect();
    for (name, bytes) in seeds() {
        let seed = Seed::open(bytes).unwrap().with_profile(Profile::Wide);
        let look = Look::new(seed.bytes());
        assert!(tags.iter().all(|tag| look.get(tag.0).is_some()), "{name} lacks a tag");
        let (mut kept, mut dropped) = (BTreeSet::new(), BTreeSet::new());
        let same = seed.variant(ChoiceSource::replaying(Choices::new())).unwrap();
        kept.extend(Look::new(&same.bytes).container.ifd.entries.iter().map(|entry| entry.tag));
        examine(name, &seed, 150, |variant| {
            assert_eq!(variant.text(305).as_deref(), Some("a program"));
            for tag in &tags {
                let there = variant.get(tag.0).is_some();
                if there { &mut kept } else { &mut dropped }.insert(*tag);
            }
        });
        // Each tag is in some variants, and not in others, unless it can always be changed along.
        let left_out: BTreeSet<Tag> = seed.file().left_out.iter().filter_map(tag_of).collect();
        assert!(NEVER.iter().all(|tag| left_out.contains(&Tag(*tag))), "{name}");
        for tag in tags.difference(&left_out) {
            assert!(kept.contains(tag), "{name}: no variant has {tag}");
        }
        let mut always = tags.difference(&dropped);
        assert!(
            always.all(|tag| CHANGED.contains(&tag.0)),
            "{name}: {:?}",
            tags.difference(&dropped)
        );
    }
}

fn tag_of(part: &LeftOut) -> Option<Tag> {
    match part {
        LeftOut::Pointer(tag) | LeftOut::OfThisFile(tag) => Some(*tag),
        _ => None,
    }
}

#[test]
fn without_choices_only_what_no_variant_has_is_missing() {
    for (name, bytes) in seeds() {
        let seed = Seed::open(bytes).unwrap();
        let same = seed.variant(ChoiceSource::replaying(Choices::new())).unwrap();
        let (old, new) = (Look::new(seed.bytes()), Look::new(&same.bytes));
        let left_out: BTreeSet<Tag> = seed.file().left_out.iter().filter_map(tag_of).collect();
        for entry in &old.container.ifd.entries {
            // Samples without a meaning are filled anew, so that their least and greatest level change.
            let filled = name == "alpha" && [336, 340, 341].contains(&entry.tag.0);
            let places = [273, 279].contains(&entry.tag.0);
            match new.get(entry.tag.0) {
                None => assert!(left_out.contains(&entry.tag), "{name}: {}", entry.tag),
                Some(now) if !filled && !places => {
                    assert_eq!(now.values, entry.values, "{name}: {}", entry.tag);
                }
                Some(_) => {}
            }
        }
    }
}

#[test]
fn tags_of_pages_that_are_left_out_are_in_no_variant() {
    let (_, mut file) = seeds().remove(0);
    // The directory is the last part of the file, and the offset of the next one is its last part. The
    // page there is not whole.
    let at = file.len();
    file[at - 4..].copy_from_slice(&(at as u32).to_le_bytes());
    let entry = [0, 1, 3, 0, 1, 0, 0, 0, 4, 0, 0, 0];
    file.extend([&[1, 0], &entry[..], &[0; 4]].concat());
    let paged = Seed::open(file).unwrap();
    assert!(paged.file().further_pages == 1 && paged.pages_left_out().is_some());
    for index in 0..20 {
        let Some(made) = variant("with pages", &paged, ChoiceSource::seeded(1, index)) else {
            continue;
        };
        let look = Look::new(&made.bytes);
        let drawn = |tags: &str| made.choices.get(tags) != Some(&"none".into());
        assert!(drawn("document tags") || look.get(297).is_none(), "{index}");
        assert!(look.text(270).is_none_or(|text| !text.starts_with("ImageJ=")), "{index}");
    }
}

/// A file of another picture has no statistics of this one.
#[test]
fn another_picture_has_no_values_of_this_one() {
    let (_, bytes) = seeds().remove(0);
    let seed = Seed::open(bytes).unwrap();
    let same = seed.of_picture(seed.picture()).unwrap();
    let pixels: Vec<u16> = seed.picture().rgba().iter().map(|level| 65535 - level).collect();
    let opaque = pixels.chunks(4).flat_map(|p| [p[0], p[1], p[2], 65535]).collect();
    let other = Picture::new(6, 5, opaque);
    let other = seed.of_picture(&other).unwrap();
    let has = |seed: &Seed, tag: u16| Look::new(seed.bytes()).get(tag).is_some();
    for tag in [340, 341, 42112, 50972] {
        assert!(has(&same, tag) && !has(&other, tag), "{tag}");
    }
    for tag in [305, 33922, 42113] {
        assert!(has(&same, tag) && has(&other, tag), "{tag}");
    }
}

/// Returns the TIFF files in a folder and its subfolders, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let is_tiff = |path: &Path| path.extension().is_some_and(|e| e == "tif" || e == "tiff");
    let inside = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    paths.into_iter().flat_map(inside).filter(|path| is_tiff(path)).collect()
}

/// The files of the corpus, and those of `REPFUZZ_SEEDS` or `../shared/seeds`. Large files take long.
#[test]
fn no_variant_of_a_real_file_contradicts_its_tags() {
    const MOST: u64 = 1 << 16;
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/seeds");
    let beside = std::env::var_os("REPFUZZ_SEEDS").map_or(PathBuf::from(beside), PathBuf::from);
    let others = files(&beside);
    if others.is_empty() {
        test_support::skipped(format_args!("no files in {}", beside.display()));
    }
    let mut seen = 0;
    let own = corpus::all().into_iter().map(|name| corpus::path(&name));
    for path in own.chain(others) {
        let bytes = std::fs::read(&path).unwrap();
        if bytes.len() as u64 > MOST {
            continue;
        }
        let Ok(seed) = Seed::open(bytes) else { continue };
        seen += 1;
        examine(&path.display().to_string(), &seed, 4, |_| {});
    }
    assert!(seen > 100, "{seen}");
}

/// A gray picture whose MinSampleValue and MaxSampleValue are levels, not the ends of the range.
#[test]
fn least_and_greatest_values_change_along() {
    let size = [(Tag::IMAGE_WIDTH, 3), (Tag::IMAGE_LENGTH, 1), (Tag::ROWS_PER_STRIP, 1)];
    let (least, most) = (Tag(280), Tag(281));
    let file = Plain::new(&size, vec![vec![17, 51, 204]])
        .numbers(&[(Tag::PHOTOMETRIC_INTERPRETATION, 1), (least, 17), (most, 204)])
        .bytes();
    let seed = Seed::open(file).unwrap();
    let mut seen: BTreeSet<(u64, u64)> = BTreeSet::new();
    for index in 0..300 {
        let Some(made) = variant("gray", &seed, ChoiceSource::seeded(6, index)) else { continue };
        let look = Look::new(&made.bytes);
        let Some((from, to)) = look.numbers(280).zip(look.numbers(281)) else { continue };
        let (bits, photometric) = (look.bits(), look.photometric());
        if photometric > 1 || bits > 16 {
            continue;
        }
        let scale = look.most() / 15;
        let (low, high) = if photometric == 1 { (1, 12) } else { (3, 14) };
        assert!(from.iter().all(|v| *v == low * scale), "{bits} {photometric}: {from:?}");
        assert!(to.iter().all(|v| *v == high * scale), "{bits} {photometric}: {to:?}");
        seen.insert((bits, photometric));
    }
    assert!(seen.len() >= 4, "{seen:?}");
}
