//! Wishes: what dimensions are to be of where that is possible, by value class. A wish is
//! weaker than a given choice: what does not fit is drawn as ever, and nothing is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::choices::Choice;
use super::source::ChoiceSource;

/// The class of a dimension's value.
pub type Classify = Arc<dyn Fn(&str, &Choice) -> String + Send + Sync>;

/// How many values are drawn in search of one of the class that is wished for.
const DRAWS: usize = 32;

/// A value class that a dimension is to have.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The class.
    pub class: String,
    /// Values of it: the first that fits is taken.
    pub examples: Vec<Choice>,
}

/// Wishes by the whole names of their dimensions.
#[derive(Clone)]
pub struct Wishes {
    by_name: BTreeMap<String, Wish>,
    classify: Classify,
}

impl Wishes {
    /// None; `classify` says what class a value has.
    pub fn new(classify: Classify) -> Self {
        Self { by_name: BTreeMap::new(), classify }
    }

    /// Wishes that `dimension` be as `wish` says.
    pub fn add(&mut self, dimension: &str, wish: Wish) {
        self.by_name.insert(dimension.to_owned(), wish);
    }
}

impl fmt::Debug for Wishes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(&self.by_name).finish()
    }
}

impl ChoiceSource {
    /// The same, with `wishes` granted where they can be.
    pub fn with_wishes(mut self, wishes: Wishes) -> Self {
        self.wishes = Some(Arc::new(wishes));
        self
    }

    /// Whether `dimension` is wished to be of some class.
    pub(super) fn is_wished(&self, dimension: &str) -> bool {
        let wishes = self.wishes.as_ref();
        wishes.is_some_and(|wishes| wishes.by_name.contains_key(&*self.whole(dimension)))
    }

    /// A value of `dimension` as it is wished for, which `fits`: an example, or one drawn.
    pub(super) fn wished(
        &self,
        dimension: &str,
        fits: impl Fn(&Choice) -> bool,
        mut draw: impl FnMut(&mut ChaCha8Rng) -> Choice,
    ) -> Option<Choice> {
        let wishes = self.wishes.as_ref()?;
        let name = self.whole(dimension);
        let wish = wishes.by_name.get(&*name)?;
        if let Some(example) = wish.examples.iter().find(|value| fits(value)) {
            return Some(example.clone());
        }
        let mut rng = self.stream(&format!("{dimension}: wished"));
        (0..DRAWS)
            .map(|_| draw(&mut rng))
            .find(|value| (wishes.classify)(&name, value) == wish.class && fits(value))
    }

    /// The same for an integer.
    pub(super) fn wished_integer(
        &self,
        dimension: &str,
        fits: impl Fn(i128) -> bool,
        mut draw: impl FnMut(&mut ChaCha8Rng) -> i128,
    ) -> Option<i128> {
        let fits = |value: &Choice| matches!(value, Choice::Int(n) if fits(*n));
        match self.wished(dimension, fits, |rng| Choice::Int(draw(rng)))? {
            Choice::Int(n) => Some(n),
            _ => None,
        }
    }

    /// Puts those of `members` in front that `dimension` is wished to be.
    pub(super) fn prefer_wished(&self, dimension: &str, members: &mut [i128]) {
        let Some(wishes) = &self.wishes else { return };
        let name = self.whole(dimension);
        if let Some(wish) = wishes.by_name.get(&*name) {
            members
                .sort_by_cached_key(|n| (wishes.classify)(&name, &Choice::Int(*n)) != wish.class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Choices, IntervalSet, value_class};

    fn wishing(all: &[(&str, &str, &[Choice])]) -> ChoiceSource {
        let mut wishes = Wishes::new(Arc::new(value_class));
        for (dimension, class, examples) in all {
            let wish = Wish { class: (*class).to_owned(), examples: examples.to_vec() };
            wishes.add(dimension, wish);
        }
        ChoiceSource::seeded(1, 1).with_wishes(wishes)
    }

    #[test]
    fn what_is_wished_for_is_drawn_where_it_can_be() {
        let examples = [Choice::List(vec![1, 0])];
        let mut source = wishing(&[
            ("a: strip order", "reversed", &examples),
            ("orientation", "7", &[]),
            ("coding", "LZW", &[]),
            ("impossible", "99", &[Choice::Int(99)]),
        ]);
        // The example is of two strips: it fits where there are two.
        let order = source.within("a: ", |s| s.permutation("strip order", 4)).unwrap();
        assert_eq!(order, [3, 2, 1, 0]);
        assert_eq!(source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap(), 7);
        assert_eq!(source.named("coding", &["none", "fax", "LZW"]).unwrap(), 2);
        assert!(
            (1..=8)
                .contains(&source.integer("impossible", &IntervalSet::range(1, 8), &[]).unwrap())
        );
        assert_eq!(source.preference("orientation", &[1, 2, 7, 8])[0], 7);
    }

    #[test]
    fn what_is_given_goes_before_what_is_wished_for() {
        let mut given = Choices::new();
        given.set("orientation", 3);
        let mut source = wishing(&[("orientation", "7", &[])]).with_given(given);
        assert_eq!(source.integer("orientation", &IntervalSet::range(1, 8), &[]).unwrap(), 3);
        assert_eq!(source.preference("orientation", &[1, 3, 7]), [3]);
    }
}
