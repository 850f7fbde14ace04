//! Covering arrays of toys whose possible combinations are known.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;

use proptest::prelude::*;

use crate::combinations;
use crate::*;
use inverter::solve::{Choice, ChoiceError, ChoiceSource, Choices, IntervalSet, value_class};

struct Made {
    all: Vec<Choices>,
    gaps: Vec<Gap>,
    tally: Tally,
    least: usize,
}

impl Made {
    fn has(&self, classes: &[(&str, &str)]) -> bool {
        self.all.iter().any(|choices| has(choices, classes))
    }

    fn gap(&self, classes: [(&str, &str); 2]) -> Option<&Gap> {
        let told = |(d, c): &(&str, &str)| ((*d).to_owned(), (*c).to_owned());
        self.gaps.iter().find(|gap| classes.iter().all(|class| gap.classes.contains(&told(class))))
    }
}

fn has(choices: &Choices, classes: &[(&str, &str)]) -> bool {
    let is = |(name, class): &(&str, &str)| {
        choices.get(name).is_some_and(|value| value_class(name, value) == *class)
    };
    classes.iter().all(is)
}

fn covering(settings: Settings, toy: impl Fn(ChoiceSource) -> Result<Choices, String>) -> Made {
    let mut generator = Generator::new(settings, Arc::new(value_class));
    let make =
        |sources: Vec<ChoiceSource>| Ok::<_, Infallible>(sources.into_iter().map(&toy).collect());
    let mut all = Vec::new();
    while let Some(row) = generator.next_row(make).unwrap() {
        assert_eq!(toy(row.source).as_ref(), Ok(&row.choices));
        all.push(row.choices);
    }
    let (gaps, least) = (generator.gaps(), generator.lower_bound());
    Made { all, gaps, tally: generator.tally().clone(), least }
}

fn of_strength(strength: usize) -> Settings {
    Settings { strength, ..Settings::default() }
}

/// Some dimensions in files of one layout only, a list whose length is another choice, and
/// two constraints.
fn layouts(mut source: ChoiceSource) -> Result<Choices, String> {
    let s = &mut source;
    let told = |e: ChoiceError| e.to_string();
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
        return Err("`coding` fax is II here".to_owned());
    }
    if coding == 2 && turn == 3 {
        return Err("`coding` fax is not upside down".to_owned());
    }
    if let Some(unknown) = source.unused().first() {
        return Err(format!("there is no choice `{unknown}` here"));
    }
    Ok(source.into_recorded())
}

#[test]
fn all_that_is_possible_is_covered_by_few() {
    let made = covering(Settings { seed: 3, ..Settings::default() }, layouts);
    // The greatest product is of orientation, and of strips or tile width, which exclude
    // each other: 8 * (9 + 17), but for what is not possible.
    assert_eq!(made.tally.largest_product(), (vec!["tile width", "strips"], 17 * 9));
    assert!((200..=216).contains(&made.least), "{}", made.least);
    assert!(made.all.len() >= made.least && made.all.len() <= 240, "{}", made.all.len());
    assert_eq!(made.tally.covered() + made.gaps.len(), made.tally.combinations());
    assert!(made.has(&[("strips", "9"), ("strip order", "reversed")]));
    assert!(made.has(&[("tile width", "up to 255"), ("orientation", "7")]));
    assert!(made.has(&[("strips", "3"), ("strip order", "one swap")]));
    assert!(!made.has(&[("coding", "fax"), ("byte order", "MM")]));
}

#[test]
fn gaps_have_reasons() {
    let made = covering(Settings { seed: 4, ..Settings::default() }, layouts);
    let why = |a, b| made.gap([a, b]).map(|gap| (gap.how, gap.why.as_str()));
    let refused = |why| Some((GapKind::Refused, why));
    let fax = ("coding", "fax");
    assert_eq!(why(fax, ("byte order", "MM")), refused("`coding` fax is II here"));
    assert_eq!(why(fax, ("orientation", "3")), refused("`coding` fax is not upside down"));
    let layout = why(("layout", "tiles"), ("strips", "4"));
    assert_eq!(layout, refused("there is no choice `strips` here"));
    let excluded = why(("tile width", "7"), ("strips", "2"));
    let needs =
        "`layout` would differ: `strips` 2 only with strips; `tile width` 7 only with tiles";
    let other =
        "`layout` would differ: `tile width` 7 only with tiles; `strips` 2 only with strips";
    assert!([needs, other].contains(&excluded.unwrap().1), "{excluded:?}");
    assert_eq!(excluded.unwrap().0, GapKind::Excluded);
    assert_eq!(why(("coding", "LZW"), ("byte order", "MM")), None);
    // One strip has one order, but no constraint says so.
    let order = why(("strips", "1"), ("strip order", "shuffled")).unwrap();
    assert_eq!(order.0, GapKind::NotFound);
    assert!(order.1.contains("`strip order` was in order"), "{}", order.1);
}

#[test]
fn the_same_seed_gives_the_same() {
    let of = |seed| covering(Settings { seed, max_rows: 25, ..Settings::default() }, layouts);
    let (one, same, other) = (of(1), of(1), of(2));
    assert_eq!(one.all.len(), 25);
    assert_eq!(one.all, same.all);
    assert_eq!(one.gaps, same.gaps);
    assert_ne!(one.all, other.all);
}

#[test]
fn fewer_than_needed_cover_more_than_random_ones() {
    let made = covering(Settings { max_rows: 20, ..Settings::default() }, layouts);
    let mut random = Tally::new();
    let drawn = (0..).filter_map(|k| layouts(ChoiceSource::seeded(1, k)).ok()).take(20);
    drawn.for_each(|choices| drop(random.add(&choices, value_class)));
    assert!(
        made.tally.covered() > random.covered() * 5 / 4,
        "{} {}",
        made.tally.covered(),
        random.covered()
    );
}

/// Dimensions of so many classes each, and nothing that forbids anything.
fn free(levels: &[usize], mut source: ChoiceSource) -> Result<Choices, String> {
    for (k, most) in levels.iter().enumerate() {
        let domain = IntervalSet::range(1, *most as i128);
        source.integer(&format!("d{k}"), &domain, &[]).map_err(|e| e.to_string())?;
    }
    Ok(source.into_recorded())
}

/// Sizes of covering arrays, from published tables: the smallest known one, and the
/// largest accepted here.
#[test]
fn known_covering_arrays() {
    for (levels, strength, known, most) in [
        (&[2; 4][..], 2, 5, 6),
        (&[2; 10][..], 2, 6, 9),
        (&[3; 4][..], 2, 9, 11),
        (&[3; 13][..], 2, 15, 20),
        (&[4; 5][..], 2, 16, 22),
        (&[9, 5, 3, 2, 2, 2][..], 2, 45, 45),
        (&[2; 5][..], 3, 10, 13),
        (&[3; 4][..], 3, 27, 37),
        (&[5, 4, 3, 2, 2][..], 3, 60, 66),
    ] {
        let made = covering(of_strength(strength), |source| free(levels, source));
        assert_eq!(made.tally.covered(), made.tally.combinations());
        assert!(made.gaps.is_empty());
        let size = made.all.len();
        assert!((known..=most).contains(&size), "{levels:?}, {strength}: {size}");
        assert!(made.least <= size);
    }
}

#[test]
fn triples_are_covered_where_pairs_are_possible() {
    let made = covering(of_strength(3), layouts);
    assert!(made.has(&[("strips", "4"), ("orientation", "8"), ("coding", "LZW")]));
    assert!(made.has(&[("coding", "fax"), ("byte order", "II"), ("tile width", "16")]));
    assert!(made.all.len() < 3 * made.least, "{} of {}", made.all.len(), made.least);
}

/// `a` and `b` are the same unless `c` says otherwise: each two can be, not each three.
#[test]
fn three_that_exclude_each_other_are_given_up() {
    let toy = |mut source: ChoiceSource| {
        let told = |e: ChoiceError| e.to_string();
        let mut one = |name: &str| source.named(name, &["x", "y"]).map_err(told);
        let (a, b, c) = (one("a")?, one("b")?, one("c")?);
        one("d")?;
        if c == 0 && a != b { Err("`a` is `b`".to_owned()) } else { Ok(source.into_recorded()) }
    };
    let made = covering(of_strength(3), toy);
    assert_eq!((made.tally.combinations(), made.tally.covered()), (32, 30));
    assert_eq!(made.gaps.len(), 2);
    assert!(made.gaps.iter().all(|gap| gap.classes.len() == 3 && gap.how == GapKind::NotFound));
    assert_eq!(made.tally.covered() + made.gaps.len(), made.tally.combinations());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Against enumeration: what is covered is what the choices have, and what is not covered
    /// is in no choices that are possible.
    #[test]
    fn all_that_is_possible_is_covered(
        levels in prop::collection::vec(1usize..=4, 2..=5),
        forbidden in prop::collection::vec((0usize..5, 1i128..=4, 0usize..5, 1i128..=4), 0..6),
        strength in 2usize..=3,
        seed in any::<u64>(),
    ) {
        let allowed = |values: &[i128]| forbidden.iter().all(|(a, x, b, y)| {
            values.get(*a) != Some(x) || values.get(*b) != Some(y)
        });
        let toy = |source: ChoiceSource| {
            let choices = free(&levels, source)?;
            let values: Vec<i128> = choices.iter().filter_map(|(_, v)| match v {
                Choice::Int(n) => Some(*n),
                _ => None,
            }).collect();
            if allowed(&values) { Ok(choices) } else { Err("`d0` and others do not go".to_owned()) }
        };
        // The possible and the covered combinations, counted from all values.
        let combine = |values: &[i128], into: &mut BTreeSet<Vec<(usize, i128)>>| {
            let ids: Vec<usize> = (0..values.len()).collect();
            combinations::each_of(&ids, strength, |ids| {
                into.insert(ids.iter().map(|k| (*k, values[*k])).collect());
            });
        };
        let mut possible = BTreeSet::new();
        let mut values = vec![vec![]];
        for most in &levels {
            values = values.iter().flat_map(|v: &Vec<i128>| {
                (1..=*most as i128).map(move |n| [&v[..], &[n]].concat())
            }).collect();
        }
        values.iter().filter(|v| allowed(v)).for_each(|v| combine(v, &mut possible));

        let made = covering(Settings { seed, ..of_strength(strength) }, toy);
        let mut covered = BTreeSet::new();
        for choices in &made.all {
            let values: Vec<i128> = choices.iter().filter_map(|(_, v)| match v {
                Choice::Int(n) => Some(*n),
                _ => None,
            }).collect();
            combine(&values, &mut covered);
        }
        prop_assert_eq!(&covered, &possible);
        prop_assert_eq!(made.tally.covered(), covered.len());
        prop_assert!(made.least <= made.all.len());
    }
}

#[test]
fn nothing_possible_is_nothing_to_cover() {
    let mut generator = Generator::new(Settings::default(), Arc::new(value_class));
    let refuse = |sources: Vec<ChoiceSource>| {
        Ok::<_, Infallible>(sources.iter().map(|_| Err("never".to_owned())).collect())
    };
    assert!(generator.next_row(refuse).unwrap().is_none());
    let broken = |_: Vec<ChoiceSource>| Err("broken");
    let mut generator = Generator::new(Settings::default(), Arc::new(value_class));
    assert_eq!(generator.next_row(broken).err(), Some("broken"));
}

#[test]
fn a_subject_without_choices_has_one_row() {
    let none = |_: ChoiceSource| Ok(Choices::new());
    assert_eq!(covering(Settings::default(), none).all.len(), 1);
}

#[test]
fn every_class_of_the_only_dimension_occurs() {
    let made = covering(Settings::default(), |source| free(&[7], source));
    assert_eq!(made.all.len(), 7);
}
