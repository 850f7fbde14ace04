//! The baseline's physical order, translated to a representation with more or fewer segments.
//!
//! A position counts the segments before it, so the baseline's number would mean something else here. Anything after
//! all segments of an array stays after all of them.

use super::problem::Slots;
use crate::run::backward::names::Names;
use crate::solve::{Choice, ChoiceSource};

/// The baseline's physical order, as far as its groups have been processed.
pub struct BaselineOrder {
    /// The group of each segment.
    group_of: Vec<usize>,
    /// The number of segments of each group: in the baseline, and here.
    groups: Vec<(usize, usize)>,
    /// The groups of the baseline's segments in their order; `None` if it is not determined.
    order: Option<Vec<usize>>,
}

impl BaselineOrder {
    /// Starts before the first group.
    pub fn new(slots: &Slots) -> Self {
        Self { group_of: slots.group_of(), groups: Vec::new(), order: Some(Vec::new()) }
    }

    /// Translates the positions of the next group, which has `members` segments, among those of earlier groups, which
    /// are in `order`. `None` if the baseline's own numbers apply, or if it has none.
    pub fn next(
        &mut self,
        source: &ChoiceSource,
        name: &Names,
        members: usize,
        order: &[usize],
    ) -> Option<Vec<i128>> {
        let had = baseline_members(source, name);
        let same = had == members && self.groups.iter().all(|(had, has)| had == has);
        let mut baseline = self.order.take()?;
        let places = match self.groups.is_empty() {
            true => vec![0; had],
            false => baseline_places(source, name, had, baseline.len())?,
        };
        let translated = (!same && had > 0 && !order.is_empty()).then(|| {
            // If there are more or fewer segments, they are spread over the positions in proportion.
            let place =
                |k: usize| self.behind(&baseline[..places[k * had / members]], order) as i128;
            (0..members).map(place).collect()
        });
        for (before, place) in places.iter().enumerate() {
            baseline.insert(place + before, self.groups.len());
        }
        self.groups.push((had, members));
        self.order = Some(baseline);
        translated
    }

    /// Returns the length of the shortest prefix of `order` that contains all segments corresponding to those of
    /// `before` in the baseline.
    fn behind(&self, before: &[usize], order: &[usize]) -> usize {
        let corresponding = |(group, (had, has)): (usize, &(usize, usize))| {
            let before = before.iter().filter(|g| **g == group).count();
            // All of them, none, or a proportional part.
            (before * has).checked_div(*had).unwrap_or(0)
        };
        let mut left: Vec<usize> = self.groups.iter().enumerate().map(corresponding).collect();
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

/// Returns the positions of a group in the baseline, where it has `had` members and at most `most` segments come before
/// it. `None` if they are not valid.
fn baseline_places(
    source: &ChoiceSource,
    name: &Names,
    had: usize,
    most: usize,
) -> Option<Vec<usize>> {
    if had == 0 {
        return Some(Vec::new());
    }
    let places = match source.baseline(name.place) {
        Some(Choice::Int(place)) => vec![*place],
        _ => match source.baseline(name.places) {
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

/// Returns the number of members that a group has in the baseline.
fn baseline_members(source: &ChoiceSource, name: &Names) -> usize {
    match source.baseline(name.gaps) {
        Some(Choice::List(gaps)) => gaps.len(),
        _ => usize::from(source.baseline(name.gap).is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::FieldId;
    use crate::run::backward::layout::problem::{Group, SegmentSlot};
    use crate::solve::Choices;

    /// Groups with these numbers of members.
    fn groups(members: &[usize]) -> Slots {
        let mut slots = Slots::default();
        for (field, count) in members.iter().enumerate().map(|(k, n)| (FieldId(k), n)) {
            let first = slots.slots.len();
            let slot = |at| SegmentSlot { base: (field, at), scale: 1, lo: 0, len: 1 };
            slots.slots.extend((0..*count).map(slot));
            slots.groups.push(Group { field, members: (first..first + count).collect() });
        }
        slots
    }

    /// A seed with three strips, the directory, and two blocks.
    fn seed() -> ChoiceSource {
        let own = r#"{"strip gaps": [0, 0, 0], "block places": [3, 3], "block gaps": [0, 0],
            "IFD place": 3, "IFD gap": 0}"#;
        let own: Choices = serde_json::from_str(own).unwrap();
        ChoiceSource::replaying(Choices::new()).with_baseline(own)
    }

    fn translated(members: [usize; 2]) -> [Option<Vec<i128>>; 2] {
        let slots = groups(&[members[0], members[1], 1]);
        let mut baseline = BaselineOrder::new(&slots);
        let source = seed();
        assert_eq!(baseline.next(&source, &Names::of("strip", &source), members[0], &[]), None);
        let strips: Vec<usize> = (0..members[0]).collect();
        let blocks = baseline.next(&source, &Names::of("block", &source), members[1], &strips);
        // As in the seed: the blocks come after the strips.
        let order: Vec<usize> = (0..members[0] + members[1]).collect();
        [blocks, baseline.next(&source, &Names::of("IFD", &source), 1, &order)]
    }

    #[test]
    fn what_is_behind_all_strips_stays_there() {
        assert_eq!(translated([3, 2]), [None, None], "as it is");
        assert_eq!(translated([1, 2]), [Some(vec![1, 1]), Some(vec![1])]);
        assert_eq!(translated([24, 2]), [Some(vec![24, 24]), Some(vec![24])]);
        assert_eq!(translated([3, 1]), [Some(vec![3]), Some(vec![3])]);
        assert_eq!(translated([3, 4]), [Some(vec![3, 3, 3, 3]), Some(vec![3])]);
        assert_eq!(translated([2, 0]), [Some(vec![]), Some(vec![2])]);
    }

    #[test]
    fn an_invalid_baseline_is_ignored() {
        let slots = groups(&[2, 1]);
        for own in [r#"{}"#, r#"{"b place": 9, "b gap": 0}"#, r#"{"a gaps": 7, "b gap": 0}"#] {
            let own: Choices = serde_json::from_str(own).unwrap();
            let source = ChoiceSource::replaying(Choices::new()).with_baseline(own);
            let mut baseline = BaselineOrder::new(&slots);
            assert_eq!(baseline.next(&source, &Names::of("a", &source), 2, &[]), None);
            assert_eq!(baseline.next(&source, &Names::of("b", &source), 1, &[0, 1]), None);
        }
    }
}
