//! Where segments are put that are as in the baseline, though there are others of them.
//!
//! A place counts the segments before it, and so means something else where there are more
//! or fewer. What lies behind all segments of an array is kept behind all of them.

use super::names::Names;
use super::places::Places;
use crate::solve::{Choice, ChoiceSource};

/// The segments in the baseline's physical order, as far as they are gone through.
pub(super) struct KeptOrder {
    /// The group of each segment.
    group_of: Vec<usize>,
    /// How many segments each group has: in the baseline, and here.
    groups: Vec<(usize, usize)>,
    /// The groups of the baseline's segments in their order; `None` if it is not known.
    order: Option<Vec<usize>>,
}

impl KeptOrder {
    /// Nothing gone through yet.
    pub fn new(places: &Places) -> Self {
        Self { group_of: places.group_of(), groups: Vec::new(), order: Some(Vec::new()) }
    }

    /// Where the next group, `name`, is among those before it, which are in `order`, if that is
    /// to be as in the baseline; `None` if the baseline's own places say so, or say nothing.
    pub fn next(
        &mut self,
        source: &ChoiceSource,
        name: &Names,
        members: usize,
        order: &[usize],
    ) -> Option<Vec<i128>> {
        let had = had(source, name);
        let same = had == members && self.groups.iter().all(|(had, has)| had == has);
        let mut kept = self.order.take()?;
        let places = match self.groups.is_empty() {
            true => vec![0; had],
            false => own_places(source, name, had, kept.len())?,
        };
        let likewise = (!same && had > 0 && !order.is_empty()).then(|| {
            // Where there are more or fewer of it, they are spread over the places alike.
            let place = |k: usize| self.behind(&kept[..places[k * had / members]], order) as i128;
            (0..members).map(place).collect()
        });
        for (before, place) in places.iter().enumerate() {
            kept.insert(place + before, self.groups.len());
        }
        self.groups.push((had, members));
        self.order = Some(kept);
        likewise
    }

    /// How many of `order` it takes to have all of those that are like `before`.
    fn behind(&self, before: &[usize], order: &[usize]) -> usize {
        let likewise = |(group, (had, has)): (usize, &(usize, usize))| {
            let before = before.iter().filter(|g| **g == group).count();
            // All of them, none, or as large a part.
            (before * has).checked_div(*had).unwrap_or(0)
        };
        let mut left: Vec<usize> = self.groups.iter().enumerate().map(likewise).collect();
        let mut behind = 0;
        for (k, segment) in order.iter().enumerate() {
            let left = &mut left[self.group_of[*segment]];
            if *left > 0 {
                *left -= 1;
                behind = k + 1;
            }
        }
        behind
    }
}

/// The places that the group `name` has in the baseline, where it has `had` members and `most`
/// lie before it in turn. `None` if they make no sense.
fn own_places(source: &ChoiceSource, name: &Names, had: usize, most: usize) -> Option<Vec<usize>> {
    if had == 0 {
        return Some(Vec::new());
    }
    let places = match source.own(&name.place) {
        Some(Choice::Int(place)) => vec![*place],
        _ => match source.own(&name.places) {
            Some(Choice::List(places)) => places.clone(),
            _ => return None,
        },
    };
    let places: Option<Vec<usize>> = places.iter().map(|p| usize::try_from(*p).ok()).collect();
    let fit = |places: &Vec<usize>| {
        places.len() == had && places.is_sorted() && places.iter().all(|p| *p <= most)
    };
    places.filter(fit)
}

/// How many members the group `name` has in the baseline.
fn had(source: &ChoiceSource, name: &Names) -> usize {
    match source.own(&name.gaps) {
        Some(Choice::List(gaps)) => gaps.len(),
        _ => usize::from(source.own(&name.gap).is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FieldId;
    use crate::run::backward::places::Place;
    use crate::solve::Choices;

    /// Groups of so many members each, of which the first two are arrays.
    fn groups(members: &[usize]) -> Places {
        let mut places = Places::default();
        for (field, count) in members.iter().enumerate().map(|(k, n)| (FieldId(k), n)) {
            let first = places.places.len();
            let place = |at| Place { base: (field, at), lo: 0, len: 1 };
            places.places.extend((0..*count).map(place));
            places.groups.push((field, (first..first + count).collect()));
        }
        places
    }

    /// A seed: three strips, the directory, two blocks.
    fn seed() -> ChoiceSource {
        let own = r#"{"strip gaps": [0, 0, 0], "block places": [3, 3], "block gaps": [0, 0],
            "IFD place": 3, "IFD gap": 0}"#;
        let own: Choices = serde_json::from_str(own).unwrap();
        ChoiceSource::replaying(Choices::new()).with_baseline(own)
    }

    fn likewise(members: [usize; 2]) -> [Option<Vec<i128>>; 2] {
        let places = groups(&[members[0], members[1], 1]);
        let mut kept = KeptOrder::new(&places);
        let source = seed();
        assert_eq!(kept.next(&source, &Names::with("strip"), members[0], &[]), None);
        let strips: Vec<usize> = (0..members[0]).collect();
        let blocks = kept.next(&source, &Names::with("block"), members[1], &strips);
        // As the seed has them: the blocks behind the strips.
        let order: Vec<usize> = (0..members[0] + members[1]).collect();
        [blocks, kept.next(&source, &Names::with("IFD"), 1, &order)]
    }

    #[test]
    fn what_is_behind_all_strips_stays_there() {
        assert_eq!(likewise([3, 2]), [None, None], "as it is");
        assert_eq!(likewise([1, 2]), [Some(vec![1, 1]), Some(vec![1])]);
        assert_eq!(likewise([24, 2]), [Some(vec![24, 24]), Some(vec![24])]);
        assert_eq!(likewise([3, 1]), [Some(vec![3]), Some(vec![3])]);
        assert_eq!(likewise([3, 4]), [Some(vec![3, 3, 3, 3]), Some(vec![3])]);
        assert_eq!(likewise([2, 0]), [Some(vec![]), Some(vec![2])]);
    }

    #[test]
    fn a_baseline_that_makes_no_sense_says_nothing() {
        let places = groups(&[2, 1]);
        for own in [r#"{}"#, r#"{"b place": 9, "b gap": 0}"#, r#"{"a gaps": 7, "b gap": 0}"#] {
            let own: Choices = serde_json::from_str(own).unwrap();
            let source = ChoiceSource::replaying(Choices::new()).with_baseline(own);
            let mut kept = KeptOrder::new(&places);
            assert_eq!(kept.next(&source, &Names::with("a"), 2, &[]), None);
            assert_eq!(kept.next(&source, &Names::with("b"), 1, &[0, 1]), None);
        }
    }
}
