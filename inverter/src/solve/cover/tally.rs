//! Which value classes occurred, and which of them together.

use indexmap::{IndexMap, IndexSet};

use super::combos::{Combinations, Id, each_of};
use crate::solve::{Choice, Choices};

/// The value classes of all dimensions, and the combinations of them that occurred: two or
/// three classes, each of another dimension.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Dimension to the ids of its classes.
    dimensions: IndexMap<String, Vec<Id>>,
    /// Dimension and class, by id.
    classes: IndexSet<(usize, String)>,
    /// How many choices have a class, by id.
    counts: Vec<u64>,
    covered: Combinations,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// Nothing yet, of pairs.
    pub fn new() -> Self {
        Self::of_strength(2)
    }

    /// Nothing yet, of combinations of `strength` classes: 2 or 3.
    pub fn of_strength(strength: usize) -> Self {
        Self {
            dimensions: IndexMap::new(),
            classes: IndexSet::new(),
            counts: Vec::new(),
            covered: Combinations::new(strength),
        }
    }

    /// How many classes a combination has.
    pub fn strength(&self) -> usize {
        self.covered.strength()
    }

    /// Counts `choices`, and the combinations of their classes as covered. Gives their ids,
    /// which ascend.
    pub fn count(&mut self, choices: &Choices, class: impl Fn(&str, &Choice) -> String) -> Vec<Id> {
        let ids = self.classify(choices, class);
        ids.iter().for_each(|id| self.counts[*id] += 1);
        for ids in self.covered.missing(&ids) {
            self.covered.insert(&ids);
        }
        ids
    }

    /// How many combinations of classes `choices` would cover that did not occur yet.
    pub fn news(&self, choices: &Choices, class: impl Fn(&str, &Choice) -> String) -> usize {
        let id = |(name, value): (&str, &Choice)| {
            let dimension = self.dimensions.get_index_of(name)?;
            self.classes.get_index_of(&(dimension, class(name, value)))
        };
        let mut known: Vec<Id> = choices.iter().filter_map(id).collect();
        known.sort_unstable();
        let mut met = 0;
        each_of(&known, self.strength(), |ids| met += usize::from(self.covered.has(ids)));
        let n = choices.len();
        let all = n * n.saturating_sub(1) / 2;
        let all = if self.strength() == 2 { all } else { all * n.saturating_sub(2) / 3 };
        all - met
    }

    /// Whether choices had both of these classes, each of a dimension. Only pairs are known,
    /// so this is for a tally of pairs.
    pub fn met(&self, one: (&str, &str), other: (&str, &str)) -> bool {
        match (self.find(one.0, one.1), self.find(other.0, other.1)) {
            (Some(a), Some(b)) if a != b => self.have_met(a, b),
            (one, other) => one.is_some() && one == other,
        }
    }

    /// How many choices had this class of this dimension.
    pub fn times(&self, dimension: &str, class: &str) -> u64 {
        self.find(dimension, class).map_or(0, |id| self.counts[id])
    }

    /// How many choices had the class `id`.
    pub fn times_of(&self, id: Id) -> u64 {
        self.counts[id]
    }

    /// Whether choices had both of these classes, each of another dimension. Only pairs are
    /// known, so this is for a tally of pairs.
    pub fn have_met(&self, a: Id, b: Id) -> bool {
        self.covered.has(&[a.min(b), a.max(b)])
    }

    /// The pairs of classes of two dimensions that did not occur together, the lesser id second.
    /// This is for a tally of pairs, too.
    pub fn open(&self) -> impl Iterator<Item = (Id, Id)> {
        let pairs = (0..self.classes.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter(|(a, b)| self.dimension(*a) != self.dimension(*b) && !self.have_met(*a, *b))
    }

    /// The ids of the classes of `choices`, which ascend. Those that are met for the first
    /// time get one.
    pub(super) fn classify(
        &mut self,
        choices: &Choices,
        class: impl Fn(&str, &Choice) -> String,
    ) -> Vec<Id> {
        let mut ids: Vec<Id> =
            choices.iter().map(|(name, value)| self.id(name, class(name, value))).collect();
        ids.sort_unstable();
        ids
    }

    fn id(&mut self, name: &str, class: String) -> Id {
        let dimension = match self.dimensions.get_index_of(name) {
            Some(dimension) => dimension,
            None => self.dimensions.insert_full(name.to_owned(), Vec::new()).0,
        };
        let (id, new) = self.classes.insert_full((dimension, class));
        if new {
            self.dimensions[dimension].push(id);
            self.counts.push(0);
        }
        id
    }

    /// Each dimension with its classes, and how many choices have each. In the order in
    /// which they occurred first.
    pub fn dimensions(&self) -> impl Iterator<Item = (&str, Vec<(&str, u64)>)> {
        self.dimensions.iter().map(|(name, ids)| {
            let class = |&id: &Id| (self.class(id), self.counts[id]);
            (name.as_str(), ids.iter().map(class).collect())
        })
    }

    /// How many value classes occurred, over all dimensions.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// How many combinations there are of classes of different dimensions.
    pub fn combinations(&self) -> usize {
        // The elementary symmetric polynomial of the dimensions' numbers of classes.
        let mut sums = vec![0; self.strength() + 1];
        sums[0] = 1;
        for ids in self.dimensions.values() {
            for k in (1..sums.len()).rev() {
                sums[k] += sums[k - 1] * ids.len();
            }
        }
        sums[self.strength()]
    }

    /// How many of them occurred.
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    /// The dimensions whose classes have the largest product, as many as a combination has,
    /// and this product: no fewer choices cover all that, if all of it is possible.
    pub fn largest(&self) -> (Vec<&str>, usize) {
        let mut sizes: Vec<(usize, &str)> =
            self.dimensions.iter().map(|(name, ids)| (ids.len(), name.as_str())).collect();
        sizes.sort_by_key(|(len, _)| std::cmp::Reverse(*len));
        sizes.truncate(self.strength());
        let product = sizes.iter().map(|(len, _)| len).product();
        (sizes.into_iter().map(|(_, name)| name).collect(), product)
    }

    /// The id of a class.
    pub(super) fn find(&self, dimension: &str, class: &str) -> Option<Id> {
        let dimension = self.dimensions.get_index_of(dimension)?;
        self.classes.get_index_of(&(dimension, class.to_owned()))
    }

    /// How many dimensions there are.
    pub(super) fn width(&self) -> usize {
        self.dimensions.len()
    }

    /// The number of a class's dimension.
    pub fn dimension(&self, id: Id) -> usize {
        self.classes[id].0
    }

    /// The ids of a dimension's classes.
    pub(super) fn of(&self, dimension: usize) -> &[Id] {
        &self.dimensions[dimension]
    }

    /// The name of a class's dimension.
    pub fn name(&self, id: Id) -> &str {
        self.dimensions.get_index(self.dimension(id)).map_or("", |(name, _)| name)
    }

    /// A class in words.
    pub fn class(&self, id: Id) -> &str {
        &self.classes[id].1
    }

    /// Whether these ids, which ascend, occurred together.
    pub(super) fn is_covered(&self, ids: &[Id]) -> bool {
        self.covered.has(ids)
    }

    /// Dimension and class.
    pub(super) fn told(&self, id: Id) -> (String, String) {
        (self.name(id).to_owned(), self.class(id).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::value_class;

    fn choices(values: &[(&str, i128)]) -> Choices {
        values.iter().map(|(name, n)| ((*name).to_owned(), Choice::Int(*n))).collect()
    }

    #[test]
    fn pairs_are_of_two_dimensions() {
        let mut tally = Tally::new();
        tally.count(&choices(&[("a", 0), ("b", 0), ("c", 0)]), value_class);
        assert_eq!((tally.classes(), tally.combinations(), tally.covered()), (3, 3, 3));
        tally.count(&choices(&[("a", 1), ("b", 0)]), value_class);
        // a: 0 and 1; b: 0; c: 0. a=1 and c=0 did not meet.
        assert_eq!((tally.classes(), tally.combinations(), tally.covered()), (4, 5, 4));
        assert_eq!(tally.news(&choices(&[("a", 1), ("b", 0), ("c", 0)]), value_class), 1);
        assert_eq!(tally.news(&choices(&[("a", 2), ("b", 0), ("d", 0)]), value_class), 3);
        assert_eq!(
            (tally.times("b", "0"), tally.times("b", "1"), tally.times("z", "0")),
            (2, 0, 0)
        );
        assert!(tally.met(("a", "1"), ("b", "0")) && !tally.met(("a", "1"), ("c", "0")));
        assert!(!tally.met(("a", "1"), ("z", "0")));
        let told: Vec<_> = tally.dimensions().collect();
        assert_eq!(told[0], ("a", vec![("0", 1), ("1", 1)]));
        assert_eq!(told[1], ("b", vec![("0", 2)]));
        assert_eq!(tally.largest(), (vec!["a", "b"], 2));
    }

    #[test]
    fn triples_are_of_three_dimensions() {
        let mut tally = Tally::of_strength(3);
        tally.count(&choices(&[("a", 0), ("b", 0), ("c", 0), ("d", 0)]), value_class);
        assert_eq!((tally.combinations(), tally.covered()), (4, 4));
        assert_eq!(tally.news(&choices(&[("a", 1), ("b", 0), ("c", 0), ("d", 0)]), value_class), 3);
        tally.count(&choices(&[("a", 1), ("b", 0), ("c", 0)]), value_class);
        assert_eq!((tally.combinations(), tally.covered()), (7, 5));
    }
}
