//! Every container that can be chosen is written, and read again.

use std::collections::BTreeSet;

use inverter::solve::{Choice, ChoiceSource, Choices};
use tiff_harness::container::choices::{self, RequiredTags, WriterOptions};
use tiff_harness::container::read::read_ifd;
use tiff_harness::container::write::{EntryOrder, Plan, PlannedIfd};
use tiff_harness::container::{Class, Format, Ifd, Profile, Tag, read};
use tiff_harness::{ImageFile, PlanError};

use crate::support;
use crate::support::raster;
use raster::{decoded, raster};
use support::{Made, lay_out, seeds};

/// Returns `count` files of each seed with everything that `profile` draws.
fn made(profile: Profile, count: u64) -> impl Iterator<Item = (String, Vec<u8>, Made)> {
    seeds().into_iter().flat_map(move |(name, bytes)| {
        let options = WriterOptions::all(profile);
        (0..count).map(move |index| {
            let made = lay_out(&bytes, ChoiceSource::seeded(3, index), &options);
            (format!("{name} {index}"), bytes.clone(), made)
        })
    })
}

/// Checks that the file that was read is the one that was planned.
fn assert_same(ifd: &Ifd, planned: &PlannedIfd, order: EntryOrder, name: &str) {
    assert_eq!((ifd.span.at, ifd.next), (planned.at, planned.next), "{name}");
    let mut read: Vec<_> = ifd.entries.iter().map(|e| (e.tag, e.values.clone(), e.block)).collect();
    let ascending = read.is_sorted_by(|a, b| a.0 < b.0);
    assert!(ascending || order != EntryOrder::Ascending, "{name}");
    read.sort_by_key(|entry| entry.0);
    let mut planned: Vec<_> =
        planned.entries.iter().map(|e| (e.tag, e.values.clone(), e.value_at)).collect();
    planned.sort_by_key(|entry| entry.0);
    assert_eq!(read, planned, "{name}");
}

#[test]
fn what_is_chosen_is_read_again() {
    for (name, _, Made { bytes, plan, .. }) in made(Profile::Wide, 150) {
        let container = read(&bytes).unwrap();
        assert_eq!((container.order, container.format), (plan.order, plan.format), "{name}");
        assert_same(&container.ifd, &plan.ifd, plan.entry_order, &name);
        for planned in &plan.further {
            let ifd = read_ifd(&bytes, plan.order, plan.format, planned.at).unwrap();
            assert_same(&ifd, planned, EntryOrder::Ascending, &name);
        }
    }
}

/// Returns the offsets of the further directories that `value` of a dimension stands for.
fn subfiles(value: Option<&Choice>) -> &'static [u64] {
    let Some(Choice::Text(text)) = value else {
        return &[];
    };
    match text.as_str() {
        "thumbnail" | "thumbnail after" => &[1],
        "page after" => &[2],
        "two thumbnails" => &[1, 1],
        "two pages after" => &[2, 2],
        "thumbnail and page after" => &[1, 2],
        _ => &[],
    }
}

/// Checks that chain and pointers lead to the further directories, and that these are whole pictures.
#[test]
fn pages_and_sub_ifds_are_where_the_file_says() {
    for (name, _, Made { bytes, plan, choices }) in made(Profile::Strict, 150) {
        let container = read(&bytes).unwrap();
        let at = |at: u64| read_ifd(&bytes, plan.order, plan.format, at).unwrap();
        let kind = |ifd: &Ifd| ifd.get(Tag::NEW_SUBFILE_TYPE).unwrap().values.as_integers();
        let kinds = |offsets: &[u64]| -> Vec<u64> {
            offsets.iter().flat_map(|offset| kind(&at(*offset)).unwrap()).collect()
        };
        let pages = subfiles(choices.get("further pages"));
        assert_eq!(kinds(&container.later_ifds), pages, "{name}");
        let trees = container.ifd.get(Tag::SUB_IFDS).map(|entry| {
            let bytes = entry.values.encode(plan.order);
            let size = entry.values.kind().size().unwrap() as usize;
            bytes.chunks(size).map(|offset| plan.order.get(offset)).collect::<Vec<_>>()
        });
        let trees = trees.unwrap_or_default();
        assert_eq!(kinds(&trees), subfiles(choices.get("sub-IFDs")), "{name}");
        for offset in container.later_ifds.iter().chain(&trees) {
            let ifd = at(*offset);
            let number = |tag| ifd.get(tag).unwrap().values.as_integers().unwrap()[0];
            let len = number(Tag::IMAGE_WIDTH) * number(Tag::IMAGE_LENGTH);
            assert_eq!(number(Tag::STRIP_BYTE_COUNTS), len, "{name}");
            let strip = &bytes[number(Tag::STRIP_OFFSETS) as usize..][..len as usize];
            assert!(strip.iter().all(|byte| [0x20, 0x40, 0xC0].contains(byte)), "{name}");
        }
    }
}

/// Returns the picture as the `tiff` crate decodes it, as a second opinion.
#[test]
fn another_decoder_finds_the_picture() {
    for (name, seed, Made { bytes, .. }) in made(Profile::Strict, 100) {
        assert!(decoded(&bytes) == Some(raster(&seed)), "{name}");
    }
}

fn class(choices: &Choices) -> Class {
    let class = |(dimension, value)| {
        choices::class_of(dimension, value).unwrap_or_else(|| panic!("{dimension} = {value}"))
    };
    choices.iter().map(class).max().unwrap()
}

#[test]
fn the_strict_profile_draws_nothing_questionable() {
    let strict: BTreeSet<Class> =
        made(Profile::Strict, 100).map(|(_, _, made)| class(&made.choices)).collect();
    // Few files have nothing but what Baseline TIFF has.
    assert_eq!(strict.last(), Some(&Class::Extension));
    let wide: BTreeSet<Class> =
        made(Profile::Wide, 100).map(|(_, _, made)| class(&made.choices)).collect();
    assert_eq!(wide.last(), Some(&Class::Questionable));
}

/// Choices that the wide profile drew can be given in either profile.
#[test]
fn choices_replay_in_either_profile() {
    for (name, seed, made) in made(Profile::Wide, 60) {
        for profile in [Profile::Strict, Profile::Wide] {
            let source = ChoiceSource::replaying(made.choices.clone());
            let again = lay_out(&seed, source, &WriterOptions::all(profile));
            assert!(again.bytes == made.bytes, "{name}");
        }
    }
}

#[test]
fn everything_is_drawn() {
    let mut seen = BTreeSet::new();
    for (_, _, made) in made(Profile::Wide, 300) {
        for (dimension, value) in made.choices.iter() {
            let value = value.to_string();
            let kind = value.split(':').next().unwrap_or_default();
            seen.insert(format!("{dimension} = {kind}"));
        }
    }
    for must in [
        "format = BigTIFF",
        "entry order = random",
        "count of BitsPerSample = one",
        "type of ImageWidth = LONG8",
        "type of StripOffsets = LONG8",
        "type of SubIFDs = IFD8",
        "type of SubIFDs = IFD",
        "default of GrayResponseUnit = explicit",
        "descriptive tags = random",
        "document tags = random",
        "private tags = several",
        "private tags = DOUBLE",
        "private tags = IFD",
        "private tags = SLONG8",
        "tags of unknown type = random",
        "further pages = two pages after",
        "sub-IFDs = two thumbnails",
    ] {
        assert!(seen.contains(must), "never {must}: {seen:#?}");
    }
    // Tags of other pictures: these are uncompressed, and neither CMYK nor YCbCr.
    for never in ["Predictor", "T4Options", "InkSet", "YCbCrPositioning", "TileWidth"] {
        assert!(!seen.iter().any(|s| s.contains(never)), "{never}");
    }
}

/// Returns a plan whose parts are all placed from `at` on.
fn placed_at(at: u64, given: &[(&str, &str)]) -> Result<Plan, PlanError> {
    let (_, bytes) = seeds().remove(0);
    let required = RequiredTags::of(&ImageFile::read(&bytes).unwrap());
    let mut choices = Choices::new();
    given.iter().for_each(|(dimension, value)| choices.set(dimension, *value));
    let mut source = ChoiceSource::replaying(choices);
    let layout =
        choices::choose(&mut source, &WriterOptions::all(Profile::Strict), &required).unwrap();
    let mut end = at + layout.ifd_size(0);
    let mut place = |len| {
        let at = end;
        end += len;
        at
    };
    let places: Vec<u64> = layout.blocks().iter().map(|block| place(block.1)).collect();
    let missing = layout.clone().plan(at, &places[1..]).unwrap_err().to_string();
    let needs = places.len();
    assert_eq!(missing, format!("{} places are given for {needs} blocks", needs - 1));
    layout.plan(at, &places)
}

#[test]
fn a_classic_file_ends_at_4_gib() {
    let big = ("format", "BigTIFF");
    let tree = ("sub-IFDs", "thumbnail");
    let most = u64::from(u32::MAX);
    let too_far = |result: Result<Plan, PlanError>, what: &str| {
        let error = result.and_then(|plan| plan.check(u64::MAX)).unwrap_err();
        assert!(matches!(error, PlanError::TooLarge { most: m, .. } if m == most), "{error}");
        assert!(error.to_string().starts_with(what), "{error}");
    };
    assert_eq!(placed_at(1 << 30, &[tree]).unwrap().check(u64::MAX), Ok(()));
    too_far(placed_at(most + 1, &[]), "the offset of ImageDescription (270) = 42949");
    too_far(placed_at(most, &[tree]), "an offset in SubIFDs (330) = 42949");
    assert_eq!(placed_at(1 << 40, &[big, tree]).unwrap().check(u64::MAX), Ok(()));
    let long = ("type of SubIFDs", "LONG");
    too_far(placed_at(1 << 40, &[big, tree, long]), "an offset in SubIFDs (330) = 10995");
    // The greatest offset is allowed, although its part extends beyond it.
    let mut plan = placed_at(1 << 30, &[]).unwrap();
    plan.ifd.at = most;
    assert_eq!(plan.check(u64::MAX), Ok(()));
    assert_eq!(plan.format, Format::Classic);
}
