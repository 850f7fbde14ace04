//! Coverings of a toy, of which all that is possible is known.

use std::convert::Infallible;

use super::*;
use crate::solve::{IntervalSet, value_class};

/// What the toy chooses: some dimensions in files of one layout only, a list whose length is
/// another choice, and two constraints.
fn toy(mut source: ChoiceSource) -> Result<Choices, String> {
    let s = &mut source;
    let told = |e: crate::solve::ChoiceError| e.to_string();
    let layout = s.named("layout", &["strips", "tiles"]).map_err(told)?;
    let order = s.named("byte order", &["II", "MM"]).map_err(told)?;
    let turn = s.integer("orientation", &IntervalSet::range(1, 8), &[]).map_err(told)?;
    let coding = s.named("coding", &["none", "LZW", "fax"]).map_err(told)?;
    if layout == 0 {
        let strips = s.integer("strips", &IntervalSet::range(1, 9), &[]).map_err(told)?;
        s.permutation("strip order", strips as usize).map_err(told)?;
    } else {
        s.integer("tile width", &IntervalSet::range(1, 40), &[]).map_err(told)?;
    }
    if coding == 2 && order == 1 {
        return Err("fax is II here".to_owned());
    }
    if coding == 2 && turn == 3 {
        return Err("fax is not upside down".to_owned());
    }
    if let Some(unknown) = source.unused().first() {
        return Err(format!("there is no choice `{unknown}` here"));
    }
    Ok(source.into_recorded())
}

struct Made {
    all: Vec<Choices>,
    impossible: Vec<Impossible>,
    tally: Tally,
}

fn covering(settings: Settings) -> Made {
    let mut cover = Cover::new(settings, value_class);
    let make =
        |sources: Vec<ChoiceSource>| Ok::<_, Infallible>(sources.into_iter().map(toy).collect());
    let mut all = Vec::new();
    while let Some((source, choices)) = cover.next_kept(make).unwrap() {
        assert_eq!(toy(source).as_ref(), Ok(&choices));
        all.push(choices);
    }
    Made { all, impossible: cover.impossible().to_vec(), tally: cover.tally().clone() }
}

#[test]
fn all_that_is_possible_is_covered_by_few() {
    let made = covering(Settings { seed: 3, ..Settings::default() });
    // The greatest pair of dimensions is orientation and tile width: 8 classes and 18.
    assert!(made.all.len() < 300, "{}", made.all.len());
    assert_eq!(made.tally.covered() + made.impossible.len(), made.tally.pairs());
    let kept = |a: (&str, &str), b: (&str, &str)| {
        let has = |choices: &Choices, (name, class): (&str, &str)| {
            choices.get(name).is_some_and(|value| value_class(name, value) == class)
        };
        made.all.iter().any(|choices| has(choices, a) && has(choices, b))
    };
    assert!(kept(("strips", "9"), ("strip order", "reversed")));
    assert!(kept(("tile width", "up to 255"), ("orientation", "7")));
    assert!(kept(("strips", "3"), ("strip order", "one swap")));
    assert!(!kept(("coding", "fax"), ("byte order", "MM")));
    // The tally is of what was kept, and of nothing else.
    let mut again = Tally::new();
    made.all.iter().for_each(|choices| drop(again.count(choices, value_class)));
    assert_eq!(again.covered(), made.tally.covered());
    assert_eq!(again.classes(), made.tally.classes());
}

#[test]
fn what_is_impossible_is_told_with_its_reason() {
    let made = covering(Settings { seed: 4, ..Settings::default() });
    let why = |a: (&str, &str), b: (&str, &str)| {
        let is = |(name, class): &(String, String), (n, c): (&str, &str)| name == n && class == c;
        let found = made.impossible.iter().find(|pair| {
            (is(&pair.one, a) && is(&pair.other, b)) || (is(&pair.one, b) && is(&pair.other, a))
        });
        found.map(|pair| pair.why.as_str())
    };
    assert_eq!(why(("coding", "fax"), ("byte order", "MM")), Some("fax is II here"));
    assert_eq!(why(("coding", "fax"), ("orientation", "3")), Some("fax is not upside down"));
    let layout = why(("layout", "tiles"), ("strip order", "reversed"));
    assert_eq!(layout, Some("there is no choice `strip order` here"));
    assert!(why(("tile width", "7"), ("strips", "2")).is_some());
    assert_eq!(why(("coding", "LZW"), ("byte order", "MM")), None);
    // One strip has one order.
    assert!(why(("strips", "1"), ("strip order", "shuffled")).is_some());
}

#[test]
fn the_same_seed_gives_the_same() {
    let of = |seed| covering(Settings { seed, most: 25, ..Settings::default() });
    let (one, same, other) = (of(1), of(1), of(2));
    assert_eq!(one.all.len(), 25);
    assert_eq!(one.all, same.all);
    assert_eq!(one.impossible, same.impossible);
    assert_ne!(one.all, other.all);
}

#[test]
fn fewer_than_needed_cover_more_than_random_ones() {
    let made = covering(Settings { seed: 1, most: 20, ..Settings::default() });
    let mut random = Tally::new();
    let drawn = (0..).filter_map(|k| toy(ChoiceSource::seeded(1, k)).ok()).take(20);
    drawn.for_each(|choices| drop(random.count(&choices, value_class)));
    assert!(made.tally.covered() > random.covered() * 5 / 4, "{}", random.covered());
}

#[test]
fn nothing_that_can_be_made_is_nothing_to_cover() {
    let mut cover = Cover::new(Settings::default(), value_class);
    let refuse = |sources: Vec<ChoiceSource>| {
        Ok::<_, Infallible>(sources.iter().map(|_| Err("never".to_owned())).collect())
    };
    assert!(cover.next_kept(refuse).unwrap().is_none());
    let broken = |_: Vec<ChoiceSource>| Err("broken");
    let mut cover = Cover::new(Settings::default(), value_class);
    assert_eq!(cover.next_kept(broken).err(), Some("broken"));
}

#[test]
fn what_has_no_choices_is_made_once() {
    let mut cover = Cover::new(Settings::default(), value_class);
    let make = |sources: Vec<ChoiceSource>| {
        Ok::<_, Infallible>(sources.iter().map(|_| Ok(Choices::new())).collect())
    };
    assert!(cover.next_kept(make).unwrap().is_some());
    assert!(cover.next_kept(make).unwrap().is_none());
}
