//! Variants of the corpus mean the same, vary, and can be replayed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use inverter::solve::{Choice, ChoiceSource, Choices, Vary};
use tiff_harness::coding::Compression;
use tiff_harness::container::choices::UNTRACED;
use tiff_harness::{Seed, Variant, VariantError};

use crate::support::corpus;

const OWN: [&str; 4] = ["seeds/gray.tif", "seeds/rgb.tif", "seeds/square.tif", "seeds/tiny.tif"];

fn open(name: &str) -> Seed {
    Seed::open(corpus::file(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Builds the variant that a source decides on, if it is possible. Every variant that is returned has
/// been read back and normalizes to the seed.
fn variant(seed: &Seed, source: ChoiceSource) -> Option<Variant> {
    match seed.variant(source) {
        Ok(variant) => Some(variant),
        Err(VariantError::Impossible(_)) => None,
        Err(internal) => panic!("{internal}"),
    }
}

/// Returns true if the directory is behind all segments, false if it is before all of them.
fn directory_is_last(seed: &Seed) -> Option<bool> {
    let file = seed.file();
    let behind = file.segments.iter().filter(|s| s.offset < file.ifd.at).count();
    [0, file.segments.len()].iter().position(|n| *n == behind).map(|place| place == 1)
}

fn replayed(seed: &Seed, choices: serde_json::Value) -> Seed {
    let choices: Choices = serde_json::from_value(choices).unwrap();
    let made = variant(seed, ChoiceSource::replaying(choices)).unwrap();
    Seed::open(made.bytes).unwrap()
}

#[test]
fn more_or_fewer_strips_and_values_leave_the_directory_where_it_is() {
    let last = open("seeds/gray.tif");
    let blocks =
        last.own_choices().get("block places").map(|_| serde_json::json!({"IFD place": 0}));
    let first = replayed(&last, blocks.unwrap());
    assert_eq!((directory_is_last(&last), directory_is_last(&first)), (Some(true), Some(false)));
    for change in [
        serde_json::json!({"rows_per_strip": 1}),
        serde_json::json!({"rows_per_strip": 100_000}),
        serde_json::json!({"tiled": 1, "tile_width": 16, "tile_length": 16}),
        serde_json::json!({"format": "BigTIFF"}),
    ] {
        for seed in [&last, &first] {
            let made = replayed(seed, change.clone());
            assert_eq!(directory_is_last(&made), directory_is_last(seed), "{change}");
        }
    }
}

/// Returns the reason why a file does not show a choice that it was made with.
fn untraced(dimension: &str, made: &Choices) -> Option<&'static str> {
    const PLACES: [&str; 6] = ["IFD ", "block ", "counts ", "offsets ", "segment ", "file tail"];
    let drawn = |name: &str| made.get(name).is_some_and(|value| *value != "none".into());
    let private = made.get("private tags").map(ToString::to_string).unwrap_or_default();
    let lost = drawn("further pages")
        || drawn("sub-IFDs")
        || drawn("tags of unknown type")
        || private.starts_with("IFD")
        || private.starts_with("several");
    let of_a_compression = |c: &Compression| dimension.starts_with(&format!("{} ", c.name()));
    Some(match dimension {
        _ if UNTRACED.contains(&dimension) => "drawn tags look like those that a seed carries",
        "spare value bytes" => "no byte is spare, or the filler is zeros",
        _ if dimension.ends_with(" fill") => "only the kind of bytes that are never read is traced",
        "type of SubIFDs" => "its directories are not carried along",
        _ if lost && PLACES.iter().any(|part| dimension.starts_with(part)) => {
            "further directories and unknown types are not carried along, and leave gaps"
        }
        "default of BitsPerSample" if made.get("palette") == Some(&"yes".into()) => {
            "a palette picture has the tag anyway"
        }
        "row padding" | "tile padding" | "extra sample" => {
            "only the kind of bytes that are never read is traced"
        }
        "palette size" | "palette order" | "palette duplicates" | "unused palette entries" => {
            "many choices give the same palette"
        }
        _ if Compression::ALL.iter().any(of_a_compression) => {
            "a stream does not show its encoder's policies"
        }
        // Any number of rows beyond the last one means one strip.
        "rows_per_strip" if made.get("default of RowsPerStrip") == Some(&"absent".into()) => {
            "it is absent"
        }
        _ => return None,
    })
}

/// Holds 40 variants of a file against it; each eighth is replayed and opened itself.
fn hold(name: &str) {
    let seed = open(name);
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let mut found = 0;
    for index in 0..40 {
        let Some(made) = variant(&seed, ChoiceSource::seeded(1, index)) else { continue };
        found += 1;
        if index % 8 != 0 {
            continue;
        }
        let text = serde_json::to_string(&made.choices).unwrap();
        let choices: Choices = serde_json::from_str(&text).unwrap();
        let again = seed.variant(ChoiceSource::replaying(choices)).unwrap();
        assert!(again.bytes == made.bytes, "{name} {index}");
        assert_eq!(again.choices, made.choices, "{name} {index}");
        // The variant of a variant is a variant of the seed, and knows its own choices.
        let twin = Seed::open(made.bytes).unwrap();
        assert_eq!(twin.picture(), seed.picture(), "{name} {index}");
        for (dimension, value) in made.choices.iter() {
            let own = twin.own_choices().get(dimension);
            // Known: a seed counts the byte that pads an odd block as a part of the gap behind it.
            if dimension == "block gaps" && own.is_some_and(|own| but_for_padding(own, value)) {
                continue;
            }
            if own != Some(value) && untraced(dimension, &made.choices).is_none() {
                let own = own.map_or("nothing".to_owned(), ToString::to_string);
                wrong.insert(
                    dimension.to_owned(),
                    format!("{name} {index}: {value}, and not {own}"),
                );
            }
        }
        if let Some(again) = variant(&twin, ChoiceSource::seeded(2, index)) {
            assert_eq!(Seed::open(again.bytes).unwrap().picture(), seed.picture());
        }
    }
    assert!(found >= 30, "{name}: {found} variants");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns true if two lists of gaps differ by one byte each at most.
fn but_for_padding(own: &Choice, made: &Choice) -> bool {
    match (own, made) {
        (Choice::List(own), Choice::List(made)) => {
            own.len() == made.len() && own.iter().zip(made).all(|(a, b)| (0..=1).contains(&(a - b)))
        }
        _ => own == made,
    }
}

/// All of `names` on two threads.
fn on_all(names: &[&str], work: impl Fn(&str) + Sync) {
    let next = AtomicUsize::new(0);
    let one = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(name);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(one);
        scope.spawn(one);
    });
}

#[test]
fn variants_of_our_seeds_normalize_and_replay() {
    on_all(&OWN, hold);
}

#[test]
fn variants_of_real_files_normalize_and_replay() {
    on_all(&corpus::KINDS, hold);
}

#[test]
fn without_choices_a_replay_is_as_the_seed() {
    for name in OWN {
        let seed = open(name);
        let same = seed.variant(ChoiceSource::replaying(Choices::new())).unwrap();
        assert!(same.bytes == seed.bytes(), "{name}: {:?} {:?}", same.choices, seed.own_choices());
    }
}

/// A variant is the same on any thread, and whatever that did before.
#[test]
fn variants_do_not_depend_on_the_thread() {
    let seed = open("seeds/gray.tif");
    let make = |k| variant(&seed, ChoiceSource::seeded(7, k)).map(|v| (v.choices, v.bytes));
    let in_order: Vec<_> = (0..8).map(make).collect();
    for (k, before) in (0..8).zip(&in_order) {
        let alone = std::thread::scope(|scope| scope.spawn(|| make(k)).join().unwrap());
        assert!(alone == *before, "variant {k} is another on a thread of its own");
    }
}

/// With all else as in some variant, each dimension takes several values.
#[test]
fn every_dimension_varies() {
    let seed = open("seeds/gray.tif");
    let mut examples: BTreeMap<String, Vec<Choices>> = BTreeMap::new();
    for index in 0..60 {
        let Some(made) = variant(&seed, ChoiceSource::seeded(4, index)) else { continue };
        for (dimension, _) in made.choices.iter() {
            examples.entry(dimension.to_owned()).or_default().push(made.choices.clone());
        }
    }
    for dimension in seed.dimensions() {
        // RowsPerStrip has its default only where a strip has all rows.
        let more = (dimension == "default of RowsPerStrip").then(|| "rows_per_strip".to_owned());
        let only = Vary::only(more.into_iter().chain([dimension.clone()]));
        let mut values: BTreeSet<String> = BTreeSet::new();
        let rounds = examples.get(dimension).into_iter().flatten().take(8);
        let mut rounds = rounds.flat_map(|e| (0..12).map(move |index| (e, index)));
        while values.len() < 2
            && let Some((example, index)) = rounds.next()
        {
            let source = ChoiceSource::seeded(5, index).with_baseline(example.clone());
            let made = variant(&seed, source.with_vary(only.clone()));
            values.extend(made.and_then(|m| Some(m.choices.get(dimension)?.to_string())));
        }
        assert!(values.len() >= 2, "{dimension}: {values:?}");
    }
}

/// `VARIANTS` (20000) variants of 40 files: every one that there is normalizes to its seed.
#[test]
#[ignore = "slow: run it with --release"]
fn many_variants() {
    let total: u64 = std::env::var("VARIANTS").map_or(20_000, |v| v.parse().unwrap());
    let seeds = corpus::forty();
    let start = Instant::now();
    let (made, next) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let bad: Mutex<BTreeMap<String, (usize, String)>> = Mutex::new(BTreeMap::new());
    let work = || loop {
        let k = next.fetch_add(1, Ordering::Relaxed);
        if k as u64 >= total {
            break;
        }
        let (name, seed) = &seeds[k % seeds.len()];
        let why = match seed.variant(ChoiceSource::seeded(9, k as u64)) {
            Ok(_) => {
                made.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            Err(VariantError::Impossible(why)) => format!("impossible: {why}"),
            Err(VariantError::Internal(why)) => format!("internal error: {why}"),
        };
        let why = why.replace(|c: char| c.is_ascii_digit(), "#");
        let mut bad = bad.lock().unwrap();
        bad.entry(why).or_insert((0, format!("{name} {k}"))).0 += 1;
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    let bad = bad.into_inner().unwrap();
    println!(
        "{} of {total} variants of {} files in {:?}",
        made.into_inner(),
        seeds.len(),
        start.elapsed()
    );
    println!("{bad:#?}");
    assert!(!bad.keys().any(|why| why.starts_with("internal error")));
}
