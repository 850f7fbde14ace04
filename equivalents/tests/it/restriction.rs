//! Restrictions: only some dimensions vary, and some have fixed values.

use equivalents::subject::Subject;
use equivalents::{
    Choices, Equivalents, Format, MAX_SIZE, Restriction, RestrictionError, equivalent_to,
    equivalents,
};
use inverter::solve::{Choice, ChoiceSource, Vary};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tiff_harness::Seed;
use tiff_harness::container::Profile;

const TINY: &[u8] = include_bytes!("../../../corpus/seeds/tiny.tif");
const RGB: &[u8] = include_bytes!("../../../corpus/seeds/rgb.tif");
const BMP: &[u8] = include_bytes!("../../../corpus/bmp/gm24.bmp");

fn own(file: &[u8]) -> Choices {
    Seed::open(file.to_vec()).unwrap().own_choices().clone()
}

fn bmp() -> Format {
    Format::from_file("../normalizers/specs/bmp/bmp.rs").unwrap()
}

fn open(format: &Format, seed: &[u8], restriction: &Restriction) -> Box<dyn Subject> {
    format.open_restricted(seed.to_vec(), Profile::Strict, restriction, MAX_SIZE).unwrap()
}

/// Fails unless all files have the seed's words and numbers in dimensions for which `free` is false.
fn keeps(seed: &[u8], files: Equivalents, free: &dyn Fn(&str) -> bool) {
    let seed_own = own(seed);
    for file in files.take(40) {
        let own = own(&file);
        for (name, value) in seed_own.iter().filter(|(name, _)| !free(name)) {
            // Places count segments, and lists have an entry for each.
            if !name.contains("place") && !matches!(value, Choice::List(_)) {
                assert!(own.get(name).is_none_or(|now| now == value), "{name}: {file:?}");
            }
        }
    }
}

#[test]
fn only_what_should_vary_varies() {
    let files = equivalents(RGB).unwrap().vary(["orientation", "ROWS*"]).unwrap();
    let values = |name: &str| {
        let all = files.clone().take(60).filter_map(|file| own(&file).get(name).cloned());
        let mut texts: Vec<String> = all.map(|value| value.to_string()).collect();
        texts.sort();
        texts.dedup();
        texts.len()
    };
    assert_eq!(values("orientation"), 8);
    assert!(values("rows_per_strip") > 10);
    keeps(RGB, files, &|name| ["orientation", "rows_per_strip"].contains(&name));
    let files = equivalents(RGB).unwrap().without(["tiled", "compression", "o*"]).unwrap();
    let held = ["tiled", "compression", "orientation", "offset bytes"];
    keeps(RGB, files, &|name| !held.contains(&name));
}

#[test]
fn a_fixed_value_holds_where_its_dimension_exists() {
    let files = equivalents(TINY).unwrap().fix("predictor", "Horizontal").unwrap();
    let value = |name: &'static str| {
        files.clone().take(60).map(move |file| own(&file).get(name).map(Choice::to_string))
    };
    let predictors: Vec<_> = value("predictor").collect();
    assert!(predictors.contains(&None) && predictors.contains(&Some("horizontal".into())));
    assert!(!predictors.contains(&Some("none".into())));
    assert!(value("compression").any(|name| name == Some("none".into())));
    // Several restrictions add up, and `restricted` replaces them.
    let none = files.clone().vary(["orientation"]).map(drop).unwrap_err();
    assert!(matches!(none, RestrictionError::Impossible(_)), "{none}");
    let both = Restriction::new().fix("byte order", "MM").vary(["orientation"]);
    let files = equivalents(TINY).unwrap().restricted(&both).unwrap();
    assert!(files.clone().take(20).all(|file| file.starts_with(b"MM")));
    let free = files.restricted(&Restriction::new()).unwrap();
    assert!(free.take(20).any(|file| file.starts_with(b"II")));
}

#[test]
fn what_does_not_fit_the_seed_is_refused() {
    let of = |restriction: Restriction| {
        equivalents(TINY).unwrap().restricted(&restriction).map(drop).unwrap_err().to_string()
    };
    let new = Restriction::new;
    for (restriction, expected) in [
        (new().vary(["orientatoin"]), "matches `orientatoin`; did you mean `orientation`?"),
        (new().without(["x*"]), "matches `x*`; its dimensions are byte order, orientation,"),
        (new().vary(["["]), "`[` is no glob: "),
        (new().fix_texts(["orientation"]), "`orientation` must be NAME=VALUE"),
        (new().fix("turn", 6), "no dimension of this seed matches `turn`"),
        (new().fix("orientation", 9), "choice `orientation` = 9 is not possible here: it must be "),
        (new().fix("predictor", 2), "choice `predictor` = 2 is not possible here: it must be one"),
        (new().fix("rows_per_strip", 0), "`rows_per_strip` = 0 is not possible here: with it"),
        (
            new().fix("compression", "none").fix("predictor", "horizontal"),
            "it is seen with compression = Deflate, Deflate 32946, LZW (here: none)",
        ),
        (new().fix("orientation", 1).fix("orientation", 2), "cannot be 1 and also 2"),
        (new().fix("orientation", 1).vary(["orientation"]), "cannot be 1 and also varied"),
        (new().vary(["tile_*"]), "nothing would vary: no file has a dimension `tile_"),
        (new().without(["*"]), "nothing would vary: every dimension is excluded or fixed"),
    ] {
        let why = of(restriction.clone());
        assert!(why.contains(expected) && !why.contains('\n'), "{restriction:?}: {why}");
    }
}

/// A seed with LZW and a predictor.
fn compressed() -> Vec<u8> {
    let given = [("compression", Choice::from("LZW")), ("predictor", Choice::from("horizontal"))];
    let source = ChoiceSource::replaying(Choices::from_iter(given));
    Seed::open(RGB.to_vec()).unwrap().variant(source).unwrap().bytes
}

/// The file that a campaign derives variants from has plain values where something varies, and the
/// seed's or fixed ones elsewhere.
#[test]
fn the_plainest_file_is_plain_only_in_what_varies() {
    let seed = compressed();
    let vary = |globs: &[&str]| Restriction::new().vary(globs.iter().copied());
    let plain = |restriction: &Restriction| {
        let base = open(&Format::Tiff, &seed, restriction).plainest().unwrap();
        assert_eq!(base.replay(&Choices::new()).unwrap().bytes, base.seed_bytes());
        base
    };
    let value = |subject: &dyn Subject, name: &str| {
        subject.own_choices().get(name).map(Choice::to_string).unwrap_or_default()
    };
    let base = plain(&vary(&["orientation", "rows_per_strip"]));
    assert_eq!(value(&*base, "predictor"), "horizontal");
    assert_eq!(value(&*base, "rows_per_strip"), base.picture().height().to_string());
    let base = plain(&vary(&["compression"]).fix("orientation", 6));
    assert_eq!(
        (value(&*base, "compression"), value(&*base, "orientation")),
        ("none".into(), "6".into())
    );

    // With a compression, the seed's predictor is there again.
    let given = Choices::from_iter([("compression", Choice::from("Deflate"))]);
    let variant = base.replay(&given).unwrap();
    assert_eq!(variant.choices.get("predictor"), Some(&Choice::from("horizontal")));
    // The choices that differ make the same file of the plainest one without any restriction.
    let differing = variant.differing_from(base.own_choices());
    let whole = Seed::open(base.seed_bytes().to_vec()).unwrap();
    let again = whole.variant(ChoiceSource::replaying(differing)).unwrap();
    assert!(again.bytes == variant.bytes);
}

#[test]
fn a_seed_with_other_values_than_fixed_is_not_included() {
    for (value, included) in [(1, true), (6, false)] {
        let restriction = Restriction::new().fix("orientation", value);
        assert_eq!(open(&Format::Tiff, RGB, &restriction).includes_seed(), included);
    }
    // A format without plain values: the base is the seed, but for the fixed ones.
    let rows = |text: &str| Restriction::new().fix("file: header", text);
    assert!(open(&bmp(), BMP, &rows("40")).plainest().is_none());
    let base = open(&bmp(), BMP, &rows("124")).plainest().unwrap();
    assert_eq!(base.own_choices().get("file: header"), Some(&Choice::Int(124)));
}

/// Delta debugging replays the choices in which a variant differs.
#[test]
fn variants_are_replayed_within_the_restriction() {
    let globs = ["orientation", "rows_per_strip", "segment *", "compression", "byte order"];
    let tiff = Restriction::new().vary(globs).fix("format", "BigTIFF");
    let header = Restriction::new().vary(["file: header", "file: *gap", "file: rows"]);
    for (format, seed, restriction) in
        [(Format::Tiff, compressed(), tiff), (bmp(), BMP.to_vec(), header)]
    {
        let subject = open(&format, &seed, &restriction);
        let base = subject.plainest();
        let subject = base.as_deref().unwrap_or(&*subject);
        let mut made = 0;
        for index in 0..60 {
            let Ok(variant) = subject.variant(5, index, Vary::Share(0.5)) else { continue };
            let differing = variant.differing_from(subject.own_choices());
            assert!(subject.replay(&differing).unwrap().bytes == variant.bytes, "{differing:?}");
            made += 1;
        }
        assert!(made > 50, "{made}");
    }
}

#[test]
fn held_dimensions_cannot_be_given() {
    let subject = open(&Format::Tiff, TINY, &Restriction::new().vary(["orientation"]));
    let given = Choices::from_iter([("byte order", Choice::from("MM"))]);
    let why = subject.replay(&given).unwrap_err().to_string();
    assert_eq!(
        why,
        "choice `byte order` = MM is not possible here: it does not vary, and is II here"
    );
}

#[test]
fn a_spec_is_restricted_as_well() {
    let own =
        |file: &[u8]| bmp().open(file.to_vec(), Profile::Strict).unwrap().own_choices().clone();
    let seed_own = own(BMP);
    let files = bmp().equivalents(BMP).unwrap().vary(["file: header", "file: rows"]).unwrap();
    let files = files.fix("colors: bits", 32).unwrap();
    let mut headers: Vec<String> = Vec::new();
    for file in files.take(40) {
        let own = own(&file);
        assert_eq!(own.get("colors: bits"), Some(&Choice::Int(32)), "{file:?}");
        assert_eq!(own.get("file: offset gap"), seed_own.get("file: offset gap"), "{file:?}");
        headers.extend(own.get("file: header").map(Choice::to_string));
    }
    headers.sort();
    headers.dedup();
    assert!(headers.len() > 3, "{headers:?}");
}

#[test]
fn a_strategy_is_restricted_and_shrinks_to_the_seed() {
    let big = Restriction::new().fix("byte order", "MM").vary(["orientation"]);
    let files = equivalent_to(TINY).unwrap().restricted(&big);
    let files = files.unwrap();
    let mut runner = TestRunner::deterministic();
    let mut tree = files.new_tree(&mut runner).unwrap();
    assert!(tree.current().starts_with(b"MM"));
    while tree.simplify() {}
    assert!(tree.current().choices.is_empty(), "{:?}", tree.current());
}
