//! Counts the value classes that occurred, and the combinations of them.

use indexmap::{IndexMap, IndexSet};

use crate::combinations::{ClassId, Combinations, each_of};
use inverter::solve::{Choice, Choices, DimensionId};

/// The value classes of all dimensions, and the combinations of them that occurred: two or
/// three classes of different dimensions.
#[derive(Debug, Clone)]
pub struct Tally {
    /// The ids of each dimension's classes.
    dimensions: IndexMap<DimensionId, Vec<ClassId>>,
    /// Dimension and class of each id.
    classes: IndexSet<(usize, String)>,
    /// The number of sets of choices that have a class, by id.
    counts: Vec<u64>,
    covered: Combinations,
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Tally {
    /// An empty tally of pairs.
    pub fn new() -> Self {
        Self::of_strength(2)
    }

    /// An empty tally of combinations of `strength` classes: 2 or 3.
    pub fn of_strength(strength: usize) -> Self {
        Self {
            dimensions: IndexMap::new(),
            classes: IndexSet::new(),
            counts: Vec::new(),
            covered: Combinations::new(strength),
        }
    }

    /// The number of classes in a combination.
    pub fn strength(&self) -> usize {
        self.covered.strength()
    }

    /// Counts `choices`, and marks the combinations of their classes as covered. Returns the ids
    /// of their classes, ascending.
    pub fn add(
        &mut self,
        choices: &Choices,
        class: impl Fn(&str, &Choice) -> String,
    ) -> Vec<ClassId> {
        let ids = self.classify(choices, class);
        ids.iter().for_each(|id| self.counts[*id] += 1);
        for ids in self.covered.missing(&ids) {
            self.covered.insert(&ids);
        }
        ids
    }

    /// The number of combinations in `choices` that are not covered yet.
    pub fn gain(&self, choices: &Choices, class: impl Fn(&str, &Choice) -> String) -> usize {
        let id = |(dimension, value): (DimensionId, &Choice)| {
            let index = self.dimensions.get_index_of(&dimension)?;
            self.classes.get_index_of(&(index, class(dimension.name(), value)))
        };
        let mut known: Vec<ClassId> = choices.entries().filter_map(id).collect();
        known.sort_unstable();
        let mut met = 0;
        each_of(&known, self.strength(), |ids| met += usize::from(self.covered.has(ids)));
        let n = choices.len();
        let all = n * n.saturating_sub(1) / 2;
        let all = if self.strength() == 2 { all } else { all * n.saturating_sub(2) / 3 };
        all - met
    }

    /// Returns true if two classes, each with its dimension, occurred together. Only for a tally of pairs.
    pub fn occurred_together(&self, one: (&str, &str), other: (&str, &str)) -> bool {
        match (self.find(one.0, one.1), self.find(other.0, other.1)) {
            (Some(a), Some(b)) if a != b => self.is_pair_covered(a, b),
            (one, other) => one.is_some() && one == other,
        }
    }

    /// The number of sets of choices with this class of this dimension.
    pub fn occurrences(&self, dimension: impl Into<DimensionId>, class: &str) -> u64 {
        self.find(dimension, class).map_or(0, |id| self.counts[id])
    }

    /// The number of sets of choices with the class `id`.
    pub fn occurrences_of(&self, id: ClassId) -> u64 {
        self.counts[id]
    }

    /// Returns true if two classes of different dimensions occurred together. Only for a tally of pairs.
    pub fn is_pair_covered(&self, a: ClassId, b: ClassId) -> bool {
        self.covered.has(&[a.min(b), a.max(b)])
    }

    /// The pairs of classes of two dimensions that did not occur together, the smaller id second. Only for a tally of
    /// pairs.
    pub fn open_pairs(&self) -> impl Iterator<Item = (ClassId, ClassId)> {
        let pairs = (0..self.classes.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.filter(|(a, b)| {
            self.dimension(*a) != self.dimension(*b) && !self.is_pair_covered(*a, *b)
        })
    }

    /// The ids of the classes of `choices`, ascending. New classes get an id.
    pub(crate) fn classify(
        &mut self,
        choices: &Choices,
        class: impl Fn(&str, &Choice) -> String,
    ) -> Vec<ClassId> {
        let mut ids: Vec<ClassId> =
            choices.entries().map(|(id, value)| self.id(id, class(id.name(), value))).collect();
        ids.sort_unstable();
        ids
    }

    fn id(&mut self, dimension: DimensionId, class: String) -> ClassId {
        let entry = self.dimensions.entry(dimension);
        let dimension = entry.index();
        entry.or_default();
        let (id, new) = self.classes.insert_full((dimension, class));
        if new {
            self.dimensions[dimension].push(id);
            self.counts.push(0);
        }
        id
    }

    /// Each dimension with its classes and the number of sets of choices that have each, in the
    /// order of first occurrence.
    pub fn dimensions(&self) -> impl Iterator<Item = (&'static str, Vec<(&str, u64)>)> {
        self.dimensions.iter().map(|(name, ids)| {
            let class = |&id: &ClassId| (self.class(id), self.counts[id]);
            (name.name(), ids.iter().map(class).collect())
        })
    }

    /// The number of value classes of all dimensions.
    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    /// The number of combinations of classes of different dimensions.
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

    /// The number of combinations that occurred.
    pub fn covered(&self) -> usize {
        self.covered.len()
    }

    /// The dimensions with the most classes, as many as a combination has, and the product of their numbers of classes.
    /// A covering array has at least as many rows as this product, if all of these combinations are possible.
    pub fn largest_product(&self) -> (Vec<&str>, usize) {
        let mut sizes: Vec<(usize, &str)> =
            self.dimensions.iter().map(|(name, ids)| (ids.len(), name.name())).collect();
        sizes.sort_by_key(|(len, _)| std::cmp::Reverse(*len));
        sizes.truncate(self.strength());
        let product = sizes.iter().map(|(len, _)| len).product();
        (sizes.into_iter().map(|(_, name)| name).collect(), product)
    }

    /// The id of a class.
    pub(crate) fn find(&self, dimension: impl Into<DimensionId>, class: &str) -> Option<ClassId> {
        let dimension = self.dimensions.get_index_of(&dimension.into())?;
        self.classes.get_index_of(&(dimension, class.to_owned()))
    }

    /// The number of dimensions.
    pub(crate) fn width(&self) -> usize {
        self.dimensions.len()
    }

    /// The index of a class's dimension.
    pub fn dimension(&self, id: ClassId) -> usize {
        self.classes[id].0
    }

    /// The ids of a dimension's classes.
    pub fn of(&self, dimension: usize) -> &[ClassId] {
        &self.dimensions[dimension]
    }

    /// The name of a class's dimension.
    pub fn name(&self, id: ClassId) -> &'static str {
        self.dimension_id(id).name()
    }

    /// A class's dimension.
    pub fn dimension_id(&self, id: ClassId) -> DimensionId {
        let entry = self.dimensions.get_index(self.dimension(id));
        entry.map_or_else(|| "".into(), |(dimension, _)| *dimension)
    }

    /// The name of a class.
    pub fn class(&self, id: ClassId) -> &str {
        &self.classes[id].1
    }

    /// Returns true if these ids, which must ascend, occurred together.
    pub(crate) fn is_covered(&self, ids: &[ClassId]) -> bool {
        self.covered.has(ids)
    }

    /// The names of a class's dimension and of the class.
    pub(crate) fn describe(&self, id: ClassId) -> (String, String) {
        (self.name(id).to_owned(), self.class(id).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::solve::value_class;

    fn choices(values: &[(&str, i128)]) -> Choices {
        values.iter().map(|(name, n)| ((*name).to_owned(), Choice::Int(*n))).collect()
    }

    #[test]
    fn pairs_are_of_two_dimensions() {
        let mut tally = Tally::new();
        tally.add(&choices(&[("a", 0), ("b", 0), ("c", 0)]), value_class);
        assert_eq!((tally.classes(), tally.combinations(), tally.covered()), (3, 3, 3));
        tally.add(&choices(&[("a", 1), ("b", 0)]), value_class);
        // a: 0 and 1; b: 0; c: 0. a=1 and c=0 did not occur together.
        assert_eq!((tally.classes(), tally.combinations(), tally.covered()), (4, 5, 4));
        assert_eq!(tally.gain(&choices(&[("a", 1), ("b", 0), ("c", 0)]), value_class), 1);
        assert_eq!(tally.gain(&choices(&[("a", 2), ("b", 0), ("d", 0)]), value_class), 3);
        assert_eq!(
            (tally.occurrences("b", "0"), tally.occurrences("b", "1"), tally.occurrences("z", "0")),
            (2, 0, 0)
        );
        assert!(
            tally.occurred_together(("a", "1"), ("b", "0"))
                && !tally.occurred_together(("a", "1"), ("c", "0"))
        );
        assert!(!tally.occurred_together(("a", "1"), ("z", "0")));
        let told: Vec<_> = tally.dimensions().collect();
        assert_eq!(told[0], ("a", vec![("0", 1), ("1", 1)]));
        assert_eq!(told[1], ("b", vec![("0", 2)]));
        assert_eq!(tally.largest_product(), (vec!["a", "b"], 2));
    }

    #[test]
    fn triples_are_of_three_dimensions() {
        let mut tally = Tally::of_strength(3);
        tally.add(&choices(&[("a", 0), ("b", 0), ("c", 0), ("d", 0)]), value_class);
        assert_eq!((tally.combinations(), tally.covered()), (4, 4));
        assert_eq!(tally.gain(&choices(&[("a", 1), ("b", 0), ("c", 0), ("d", 0)]), value_class), 3);
        tally.add(&choices(&[("a", 1), ("b", 0), ("c", 0)]), value_class);
        assert_eq!((tally.combinations(), tally.covered()), (7, 5));
    }
}
