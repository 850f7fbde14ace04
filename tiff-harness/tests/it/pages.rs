//! Files of several pages: every page is a part of the canonical value, varies by itself, and stays in its
//! place in the chain of directories.

use std::collections::BTreeSet;

use inverter::solve::{Choice, ChoiceSource, Choices};
use tiff_harness::container::{Class, Container, Ifd, Profile, Tag, Values, read, read::read_ifd};
use tiff_harness::dimension::{VARYING_PAGES, of_page};
use tiff_harness::image::{read_image, read_pages};
use tiff_harness::{ImageFile, Page, Seed, Variant, VariantError};

use crate::support::corpus;
use crate::support::document;
use crate::support::plain;
use document::document;
use plain::Plain;

const SIDES: [(Tag, u64); 2] = [(Tag::IMAGE_WIDTH, 20), (Tag::IMAGE_LENGTH, 6)];

/// Returns a file of 20 x 6 pixels of `samples` samples of `bits` bits, which begin with `from`, a strip
/// for each two rows.
fn file(from: u8, bits: u16, samples: u16, photometric: u16) -> Vec<u8> {
    let row = (20 * usize::from(samples) * usize::from(bits)).div_ceil(8);
    let strip =
        |y: usize| (0..2 * row).map(|k| (k * 89 + y * 31 + usize::from(from)) as u8).collect();
    Plain::new(&SIDES, (0..3).map(strip).collect())
        .numbers(&[(Tag::SAMPLES_PER_PIXEL, samples.into()), (Tag::ROWS_PER_STRIP, 2)])
        .with(Tag::BITS_PER_SAMPLE, Values::shorts(&vec![bits; samples.into()]))
        .with(Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[photometric]))
        .with(Tag::SOFTWARE, Values::ascii("a program"))
        .bytes()
}

/// Pages of all kinds: colors, samples, and streams; more than vary by themselves.
fn kinds() -> Vec<Vec<u8>> {
    let jpeg = format!("{}/tests/jpeg/gray.tif", env!("CARGO_MANIFEST_DIR"));
    vec![
        file(1, 8, 3, 2),
        corpus::file("seeds/tiny.tif"),
        file(2, 16, 4, 5),
        std::fs::read(jpeg).unwrap(),
        file(3, 16, 1, 1),
        file(4, 1, 1, 0),
    ]
}

fn open(bytes: Vec<u8>) -> Seed {
    Seed::open(bytes).unwrap()
}

fn variant(seed: &Seed, source: ChoiceSource) -> Option<Variant> {
    match seed.variant(source) {
        Ok(variant) => Some(variant),
        Err(VariantError::Impossible(_)) => None,
        Err(internal) => panic!("{internal}"),
    }
}

fn replay(seed: &Seed, choices: &[(&str, Choice)]) -> Variant {
    let choices: Choices =
        choices.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    seed.variant(ChoiceSource::replaying(choices)).unwrap()
}

/// Returns the structure of a file, and all its pages.
fn pages(bytes: &[u8]) -> (Container, Vec<ImageFile>) {
    let container = read(bytes).unwrap();
    let first = read_image(&container, bytes).unwrap();
    let (later, left_out) = read_pages(&container, &first, bytes, usize::MAX, u64::MAX);
    assert_eq!(left_out, None);
    (container, std::iter::once(first).chain(later).collect())
}

/// Returns the directories of a file's chain.
fn directories(bytes: &[u8]) -> Vec<Ifd> {
    let container = read(bytes).unwrap();
    let later = container.later_ifds.iter();
    let later = later.map(|at| read_ifd(bytes, container.order, container.format, *at).unwrap());
    std::iter::once(container.ifd.clone()).chain(later).collect()
}

/// Returns the canonical value of each page, in one line.
fn values(seed: &Seed) -> Vec<String> {
    let first = seed.value().unwrap_or_else(|| seed.picture().digest());
    std::iter::once(first).chain(seed.pages().iter().map(Page::summary)).collect()
}

#[test]
fn the_canonical_value_is_the_list_of_pages() {
    let files = kinds();
    let seed = open(document(&files, &[]));
    assert_eq!(seed.pages_left_out(), None);
    assert_eq!(seed.pages().len(), 5);
    let alone: Vec<Seed> = files.into_iter().map(open).collect();
    assert_eq!(seed.picture(), alone[0].picture());
    for (page, alone) in seed.pages().iter().zip(&alone[1..]) {
        assert_eq!(page.picture(), *alone.picture(), "page {}", page.number());
        assert_eq!(page.value(), alone.value(), "page {}", page.number());
    }
    let kinds: Vec<bool> = seed.pages().iter().map(|page| page.value().is_some()).collect();
    assert_eq!(kinds, [false, true, true, false, false]);
}

#[test]
fn each_variant_has_all_pages_and_replays() {
    let seed = open(document(&kinds(), &[]));
    let (mut orders, mut mixed, mut added) = (BTreeSet::new(), 0, BTreeSet::new());
    for profile in [Profile::Strict, Profile::Wide] {
        let seed = seed.clone().with_profile(profile);
        let mut made = 0;
        for index in 0..40 {
            let Some(variant) = variant(&seed, ChoiceSource::seeded(1, index)) else { continue };
            made += 1;
            let twin = Seed::open_first(variant.bytes.clone(), 6).unwrap();
            assert_eq!(values(&twin), values(&seed), "{index}");
            assert!(twin.means_the_same(&seed) && seed.reopened(variant.bytes.clone()).is_some());
            let (_, all) = pages(&variant.bytes);
            let further = variant.choices.get("further pages").unwrap().to_string();
            added.insert((further, all.len()));
            // Directories in any order, and segments of different pages among each other.
            let places: Vec<u64> = all[..6].iter().map(|page| page.ifd.at).collect();
            let mut order: Vec<usize> = (0..6).collect();
            order.sort_by_key(|k| places[*k]);
            orders.insert(order);
            let segments = |k: usize| all[k].segments.iter().map(|segment| segment.offset);
            mixed += usize::from(segments(0).max() > segments(2).min());
            if index % 4 == 0 {
                let text = serde_json::to_string(&variant.choices).unwrap();
                let choices: Choices = serde_json::from_str(&text).unwrap();
                let again = seed.variant(ChoiceSource::replaying(choices)).unwrap();
                assert!(again.bytes == variant.bytes, "{index}");
                assert_eq!(again.choices, variant.choices, "{index}");
            }
        }
        assert!(made >= 30, "{made}");
    }
    assert!(orders.len() > 20, "{orders:?}");
    assert!((5..75).contains(&mixed), "{mixed}");
    let added: Vec<(&str, usize)> = added.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    let expected = [
        ("none", 6),
        ("page after", 7),
        ("thumbnail after", 7),
        ("thumbnail and page after", 8),
        ("two pages after", 8),
    ];
    assert_eq!(added, expected);
}

#[test]
fn without_choices_a_replay_is_as_the_seed() {
    let bytes = document(&[file(1, 8, 3, 2), file(2, 16, 1, 1), file(3, 8, 1, 0)], &[]);
    // A seed has all tags that a baseline file must have.
    let seed = open(replay(&open(bytes), &[]).bytes);
    let same = replay(&seed, &[]);
    assert!(same.bytes == seed.bytes(), "{:?} {:?}", same.choices, seed.own_choices());
    let mut differing = same.differing_from(seed.own_choices());
    // Of bytes that are never read, only the kind is traced.
    differing.remove("file fill");
    assert!(differing.is_empty(), "{differing:?}");
    assert!(seed.own_choices().get("page segment places").is_some(), "places are traced");
}

#[test]
fn pages_vary_by_themselves() {
    let seed = open(document(&[file(1, 8, 3, 2), file(2, 8, 1, 1), file(3, 8, 1, 1)], &[]));
    let made = replay(
        &seed,
        &[
            ("page 2: compression", "LZW".into()),
            ("page 2: orientation", 6.into()),
            ("page 3: photometric", 0.into()),
            ("page 3: default of Orientation", "absent".into()),
            ("bits", 16.into()),
        ],
    );
    let (_, all) = pages(&made.bytes);
    let facts =
        |page: &ImageFile| (page.compression, page.orientation, page.photometric, page.bits);
    let expected = [(1, 1, 2, 16), (5, 6, 1, 8), (1, 1, 0, 8)];
    assert_eq!(all.iter().map(facts).collect::<Vec<_>>(), expected);
    // The class of a value depends on the choices of its own page.
    let bits = Choice::from(4);
    let class = |dimension: &str| seed.class_of(dimension, &bits, seed.own_choices());
    assert_eq!(class("bits"), Some(Class::Extension), "RGB");
    assert_eq!(class("page 2: bits"), Some(Class::Baseline), "gray");
    assert_eq!(
        seed.class(&Choices::from_iter([("page 2: planar", Choice::from(2))])),
        Class::Extension
    );
    let rows = Choice::from(6);
    assert_eq!(seed.value_class("page 2: rows_per_strip", &rows), "some rows");
}

#[test]
fn few_pages_vary_and_the_others_stay_as_they_are() {
    let file = |k: usize| match k % 3 {
        0 => file(k as u8, 8, 1, 1),
        1 => file(k as u8, 16, 3, 2),
        _ => file(k as u8, 32, 1, 1),
    };
    let one = open(file(0)).dimensions().len();
    let files: Vec<Vec<u8>> = (0..60).map(file).collect();
    let seed = open(document(&files, &[]));
    assert_eq!(seed.pages().len(), 59);
    let numbers: BTreeSet<usize> = seed.dimensions().iter().map(|name| of_page(name).0).collect();
    assert_eq!(numbers, (1..=VARYING_PAGES).collect());
    let count = seed.dimensions().len();
    assert!(count < VARYING_PAGES * one + 20, "{count} dimensions, {one} of a page");
    for index in 0..6 {
        let made = variant(&seed, ChoiceSource::seeded(2, index)).unwrap();
        let (_, all) = pages(&made.bytes);
        for (k, (page, own)) in all.iter().zip(seed.pages()).enumerate().skip(VARYING_PAGES) {
            let (page, own) = (page, if k == 0 { own.file() } else { seed.pages()[k - 1].file() });
            assert_eq!(page.grid(), own.grid(), "page {}", k + 1);
            assert_eq!((page.compression, page.orientation), (own.compression, own.orientation));
        }
    }
}

/// Returns PageNumber of each directory.
fn page_numbers(ifds: &[Ifd]) -> Vec<Option<Vec<u64>>> {
    ifds.iter().map(|ifd| ifd.get(Tag::PAGE_NUMBER)?.values.as_integers()).collect()
}

#[test]
fn page_numbers_agree() {
    let number = |k: u16, all: u16| [(Tag::PAGE_NUMBER, Values::shorts(&[k, all]))];
    let reduced = [(Tag::NEW_SUBFILE_TYPE, Values::longs(&[1]))];
    let files = [file(1, 8, 1, 1), file(2, 8, 1, 1), file(3, 8, 1, 1)];
    let (first, second, third) = (number(0, 3), number(1, 3), number(2, 3));
    let numbered = document(&files, &[&first, &second, &third]);
    let with_reduced = document(&files, &[&[], &reduced, &[]]);
    let mask = [
        (Tag::NEW_SUBFILE_TYPE, Values::longs(&[4])),
        (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[4])),
    ];
    let with_mask =
        document(&[files[0].clone(), file(2, 1, 1, 1), files[2].clone()], &[&[], &mask]);
    let mut drawn = BTreeSet::new();
    for (name, file, pages) in [
        ("one page", files[0].clone(), 1),
        ("three pages", document(&files, &[]), 3),
        ("a reduced page", with_reduced, 2),
        ("a mask", with_mask, 2),
        ("numbered pages", numbered, 3),
    ] {
        let seed = open(file);
        for index in 0..80 {
            let Some(made) = variant(&seed, ChoiceSource::seeded(3, index)) else { continue };
            let ifds = directories(&made.bytes);
            let belongs_to_another = |ifd: &Ifd| {
                let kind = ifd.get(Tag::NEW_SUBFILE_TYPE).and_then(|e| e.values.as_integers());
                kind.is_some_and(|kind| kind[0] & 5 != 0)
            };
            let full = ifds.iter().filter(|ifd| !belongs_to_another(ifd)).count();
            let added = full - pages;
            for (k, own) in page_numbers(&ifds).into_iter().enumerate() {
                let Some(own) = own else { continue };
                assert!(!belongs_to_another(&ifds[k]), "{name} {index}");
                // A single page may be one of a document that has others elsewhere.
                if full == 1 {
                    continue;
                }
                let before = ifds[..k].iter().filter(|ifd| !belongs_to_another(ifd)).count();
                assert_eq!(own[0], before as u64, "{name} {index}: page {}", k + 1);
                assert!(own[1] == 0 || own[1] == full as u64, "{name} {index}: {own:?}");
                drawn.insert((name, added, k < seed.pages().len() + 1));
            }
            if name == "numbered pages" {
                let kept = page_numbers(&ifds)[..3].iter().flatten().count();
                assert_eq!(kept, if ifds.len() == 3 { 3 } else { 0 }, "{index}");
            }
        }
    }
    for (name, added) in [("one page", 1), ("one page", 2), ("three pages", 0), ("three pages", 2)]
    {
        assert!(drawn.contains(&(name, added, true)), "no drawn number: {name} {added} {drawn:?}");
    }
    assert!(
        drawn.contains(&("a reduced page", 1, false))
            && drawn.contains(&("numbered pages", 0, true))
    );
}

#[test]
fn a_description_of_all_pages_stays_while_all_are_as_in_the_seed() {
    let words = "ImageJ=1.53t\nimages=3\nmin=0\nmax=200\n";
    let described = [(Tag::IMAGE_DESCRIPTION, Values::ascii(words))];
    let files = [file(1, 8, 1, 1), file(2, 8, 1, 1), file(3, 8, 1, 1)];
    let seed = open(document(&files, &[&described]));
    let has = |bytes: &[u8]| {
        let entry = directories(bytes).remove(0).get(Tag::IMAGE_DESCRIPTION).cloned();
        entry.is_some_and(|entry| entry.values == Values::ascii(words))
    };
    assert!(has(&replay(&seed, &[("page 2: compression", "LZW".into())]).bytes));
    for choice in [
        ("page 2: bits", 16.into()),
        ("page 3: photometric", 0.into()),
        ("further pages", "page after".into()),
    ] {
        assert!(!has(&replay(&seed, std::slice::from_ref(&choice)).bytes), "{}", choice.0);
    }
    for index in 0..40 {
        let made = variant(&seed, ChoiceSource::seeded(8, index)).unwrap();
        let (_, all) = pages(&made.bytes);
        let same = all.len() == 3 && all.iter().all(|page| (page.bits, page.photometric) == (8, 1));
        assert!(same || !has(&made.bytes), "{index}");
    }
}

#[test]
fn reduced_pages_stay_what_they_are_and_sub_ifds_are_left_out() {
    let reduced = [(Tag::NEW_SUBFILE_TYPE, Values::longs(&[1]))];
    let sub = [(Tag::SUB_IFDS, Values::longs(&[8]))];
    let files = [file(1, 8, 1, 1), file(2, 8, 1, 1), file(3, 8, 1, 1)];
    let seed = open(document(&files, &[&[], &reduced, &sub]));
    for index in 0..20 {
        let made = variant(&seed, ChoiceSource::seeded(4, index)).unwrap();
        let (_, all) = pages(&made.bytes);
        let kinds: Vec<u64> = all[..3].iter().map(ImageFile::subfile_type).collect();
        assert_eq!(kinds, [0, 1, 0]);
        assert!(directories(&made.bytes)[2].get(Tag::SUB_IFDS).is_none());
    }
    // A page of another kind is another page.
    let plain = open(document(&files, &[]));
    assert!(!seed.means_the_same(&plain) && plain.reopened(seed.bytes().to_vec()).is_none());
}

#[test]
fn a_page_that_is_not_whole_is_left_out_with_all_after_it() {
    let files = [file(1, 8, 1, 1), file(2, 8, 3, 2), file(3, 8, 1, 1), file(4, 8, 1, 1)];
    let whole = document(&files, &[]);
    let third = directories(&whole)[2].span;
    let words = |bytes: Vec<u8>, pages: usize| {
        let seed = open(bytes);
        assert_eq!(seed.pages().len(), pages - 1);
        for index in 0..5 {
            let made = variant(&seed, ChoiceSource::seeded(5, index)).unwrap();
            let added = made.choices.get("further pages") != Some(&"none".into());
            assert!(added || directories(&made.bytes).len() == pages);
        }
        seed.pages_left_out().unwrap().to_string()
    };
    let put = |at: u64, value: u32| {
        let mut bytes = whole.clone();
        bytes[at as usize..at as usize + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    let entry = |tag: Tag| directories(&whole)[2].get(tag).unwrap().at;
    let next = third.end().unwrap() - 4;
    for (at, value, pages, why) in [
        (entry(Tag::IMAGE_WIDTH) + 8, 0, 2, "ImageWidth (256) = 0 at offset "),
        (entry(Tag::PHOTOMETRIC_INTERPRETATION) + 8, 3, 2, "ColorMap (320) is missing"),
        (entry(Tag::STRIP_OFFSETS) + 8, 1 << 30, 2, "StripOffsets (273) with 3 values"),
        (next, 8, 3, "a directory of "),
        (next, third.at as u32, 3, "the chain of directories is a loop: "),
        (next, 1 << 30, 3, "a directory needs 2 bytes at offset 1073741824"),
        (next, 3, 3, "the offset of the next directory is 3 "),
    ] {
        let words = words(put(at, value), pages);
        let expected = match pages {
            // Four pages, of which the third is damaged.
            2 => format!("pages 3 to 4 are left out, because of page 3: {why}"),
            _ => format!("pages after page {pages} are left out: {why}"),
        };
        assert!(words.starts_with(&expected), "{words}");
    }
    // A first page that is damaged is an error.
    let mut damaged = whole.clone();
    let first = directories(&whole)[0].get(Tag::IMAGE_WIDTH).unwrap().at as usize + 8;
    damaged[first..first + 4].copy_from_slice(&[0; 4]);
    assert!(Seed::open(damaged).is_err());
}

#[test]
fn a_file_may_be_read_as_fewer_pages() {
    let files = kinds();
    let seed = open(document(&files, &[]));
    let first = Seed::open_first(seed.bytes().to_vec(), 2).unwrap();
    assert_eq!((first.pages().len(), first.pages_left_out()), (1, None));
    assert!(first.means_the_same(&seed) && seed.means_the_same(&first));
    assert!(first.reopened(seed.bytes().to_vec()).is_some());
    assert!(seed.reopened(document(&files[..2], &[])).is_none(), "it lacks pages");
    let mut others = files.clone();
    others.swap(4, 5);
    let other = open(document(&others, &[]));
    assert!(!seed.means_the_same(&other) && seed.reopened(other.bytes().to_vec()).is_none());
}

#[test]
fn plainest_and_smaller_files_have_all_pages() {
    let seed = open(document(&kinds(), &[]));
    let plain = seed.plainest().unwrap();
    assert!(plain.means_the_same(&seed) && plain.pages().len() == 5);
    for page in plain.pages().iter().take(2) {
        let file = page.file();
        assert_eq!((file.compression, file.orientation, file.segments.len()), (1, 1, 1));
    }
    // Its own choices are those that it was made of.
    let like = plain
        .variant(ChoiceSource::replaying(Choices::new()).with_baseline(seed.own_choices().clone()));
    assert!(like.is_ok_and(|variant| seed.reopened(variant.bytes).is_some()));
    let small = open(file(9, 8, 1, 1));
    let small = seed.of_picture(small.picture()).unwrap();
    assert_eq!(values(&small)[1..], values(&seed)[1..]);
}
