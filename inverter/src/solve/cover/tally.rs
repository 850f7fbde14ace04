//! Which value classes occurred, and which of them together.

use indexmap::{IndexMap, IndexSet};

use crate::solve::{Choices, Value};

/// A value class of a dimension, by the order in which they were met first.
pub type Id = usize;

/// What is known of two classes of two dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// They did not occur together.
    Open,
    /// They did.
    Covered,
    /// They cannot.
    Impossible,
}

/// The value classes of all dimensions, and the pairs of them, two of two dimensions each.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Dimension to the ids of its classes.
    dimensions: IndexMap<String, Vec<Id>>,
    /// Dimension and class, by id.
    classes: IndexSet<(usize, String)>,
    /// How many choices have a class, by id.
    counts: Vec<u64>,
    /// By the greater id, then by the lesser.
    pairs: Vec<Vec<State>>,
}

impl Tally {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts `choices`, and the pairs of their classes as covered. Gives their ids.
    pub fn count(&mut self, choices: &Choices, class: impl Fn(&str, &Value) -> String) -> Vec<Id> {
        let ids = self.classify(choices, class);
        for (k, &id) in ids.iter().enumerate() {
            self.counts[id] += 1;
            ids[..k].iter().for_each(|&other| self.set(id, other, State::Covered));
        }
        ids
    }

    /// How many pairs of classes `choices` would cover that did not occur yet.
    pub fn news(&self, choices: &Choices, class: impl Fn(&str, &Value) -> String) -> usize {
        let id = |(name, value): (&str, &Value)| {
            let dimension = self.dimensions.get_index_of(name)?;
            self.classes.get_index_of(&(dimension, class(name, value)))
        };
        let ids: Vec<Option<Id>> = choices.iter().map(id).collect();
        let known: Vec<Id> = ids.iter().flatten().copied().collect();
        let new = ids.len() - known.len();
        self.gain(&known) + new * known.len() + new * new.saturating_sub(1) / 2
    }

    /// Whether choices had both of these classes, each of a dimension.
    pub fn met(&self, one: (&str, &str), other: (&str, &str)) -> bool {
        let id = |(name, class): (&str, &str)| {
            let dimension = self.dimensions.get_index_of(name)?;
            self.classes.get_index_of(&(dimension, class.to_owned()))
        };
        match (id(one), id(other)) {
            (Some(a), Some(b)) if a != b => self.pairs[a.max(b)][a.min(b)] == State::Covered,
            (one, other) => one.is_some() && one == other,
        }
    }

    /// How many choices had this class of this dimension.
    pub fn times(&self, dimension: &str, class: &str) -> u64 {
        let dimension = self.dimensions.get_index_of(dimension);
        let id = dimension.and_then(|d| self.classes.get_index_of(&(d, class.to_owned())));
        id.map_or(0, |id| self.counts[id])
    }

    /// How many choices had the class `id`.
    pub fn times_of(&self, id: Id) -> u64 {
        self.counts[id]
    }

    /// Whether choices had both of these classes.
    pub fn have_met(&self, a: Id, b: Id) -> bool {
        self.state(a, b) == State::Covered
    }

    /// The ids of the classes of `choices`. Those that are met for the first time get one.
    pub(super) fn classify(
        &mut self,
        choices: &Choices,
        class: impl Fn(&str, &Value) -> String,
    ) -> Vec<Id> {
        choices.iter().map(|(name, value)| self.id(name, class(name, value))).collect()
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
            self.pairs.push(vec![State::Open; id]);
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

    /// How many pairs there are of two classes of two dimensions.
    pub fn pairs(&self) -> usize {
        let all = |n: usize| n * n.saturating_sub(1) / 2;
        all(self.classes.len()) - self.dimensions.values().map(|ids| all(ids.len())).sum::<usize>()
    }

    /// How many of them occurred.
    pub fn covered(&self) -> usize {
        self.pairs.iter().flatten().filter(|state| **state == State::Covered).count()
    }

    /// The names of the dimensions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.dimensions.keys().map(String::as_str)
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

    /// What is known of two classes; of two of one dimension nothing is wanted.
    pub(super) fn state(&self, a: Id, b: Id) -> State {
        if self.dimension(a) == self.dimension(b) {
            return State::Impossible;
        }
        self.pairs[a.max(b)][a.min(b)]
    }

    pub(super) fn set(&mut self, a: Id, b: Id, state: State) {
        if a != b {
            self.pairs[a.max(b)][a.min(b)] = state;
        }
    }

    /// How many open pairs `ids` would cover.
    pub(super) fn gain(&self, ids: &[Id]) -> usize {
        let open = |k: usize| {
            let id = ids[k];
            ids[..k].iter().filter(|other| self.state(id, **other) == State::Open).count()
        };
        (0..ids.len()).map(open).sum()
    }

    /// The pairs of classes of two dimensions that did not occur together and are not known to
    /// be impossible, the lesser id second.
    pub fn open(&self) -> impl Iterator<Item = (Id, Id)> {
        let rows = self.pairs.iter().enumerate();
        rows.flat_map(|(a, row)| row.iter().enumerate().map(move |(b, state)| (a, b, *state)))
            .filter(|(a, b, state)| {
                *state == State::Open && self.dimension(*a) != self.dimension(*b)
            })
            .map(|(a, b, _)| (a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::value_class;

    fn choices(values: &[(&str, i128)]) -> Choices {
        values.iter().map(|(name, n)| ((*name).to_owned(), Value::Int(*n))).collect()
    }

    #[test]
    fn pairs_are_of_two_dimensions() {
        let mut tally = Tally::new();
        tally.count(&choices(&[("a", 0), ("b", 0), ("c", 0)]), value_class);
        assert_eq!((tally.classes(), tally.pairs(), tally.covered()), (3, 3, 3));
        tally.count(&choices(&[("a", 1), ("b", 0)]), value_class);
        // a: 0 and 1; b: 0; c: 0. a=1 and c=0 did not meet.
        assert_eq!((tally.classes(), tally.pairs(), tally.covered()), (4, 5, 4));
        let open: Vec<_> =
            tally.open().map(|(a, b)| [a, b].map(|id| (tally.name(id), tally.class(id)))).collect();
        assert_eq!(open, [[("a", "1"), ("c", "0")]]);
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
    }
}
