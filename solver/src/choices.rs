//! The value that was chosen for one dimension.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use super::dimension::DimensionId;

/// The value of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "serde_json::Value")]
pub enum Choice {
    /// A number: a scalar of the representation.
    Int(i128),
    /// A list of numbers: a permutation, gaps, or one value per element.
    List(Vec<i128>),
    /// A word: one of a few named alternatives, a fill or a policy.
    Text(String),
}

impl From<Choice> for serde_json::Value {
    fn from(value: Choice) -> Self {
        // Every integer type of the language has at most 64 bits.
        let number = |n: i128| match u64::try_from(n) {
            Ok(n) => serde_json::Value::from(n),
            Err(_) => serde_json::Value::from(n as i64),
        };
        match value {
            Choice::Int(n) => number(n),
            Choice::List(items) => items.into_iter().map(number).collect(),
            Choice::Text(t) => t.into(),
        }
    }
}

impl TryFrom<serde_json::Value> for Choice {
    type Error = String;

    fn try_from(json: serde_json::Value) -> Result<Self, String> {
        let number = |json: &serde_json::Value| -> Option<i128> {
            json.as_u64().map(i128::from).or_else(|| json.as_i64().map(i128::from))
        };
        let value = match &json {
            serde_json::Value::String(t) => Some(Choice::Text(t.clone())),
            serde_json::Value::Array(items) => {
                items.iter().map(number).collect::<Option<_>>().map(Choice::List)
            }
            _ => number(&json).map(Choice::Int),
        };
        value.ok_or_else(|| {
            format!("{json} is no choice: expected an integer, a list of integers or a text")
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Int(n) => write!(f, "{n}"),
            Choice::Text(t) => f.write_str(t),
            Choice::List(items) => {
                f.write_str("[")?;
                for (k, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if k == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
        }
    }
}

impl From<i128> for Choice {
    fn from(n: i128) -> Self {
        Choice::Int(n)
    }
}

impl From<&str> for Choice {
    fn from(t: &str) -> Self {
        Choice::Text(t.to_owned())
    }
}

/// The choices of a variant by dimension, in the order they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Choices(IndexMap<DimensionId, Choice, FxBuildHasher>);

impl Choices {
    /// No choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// No choices, with room for `dimensions` of them.
    pub fn with_capacity(dimensions: usize) -> Self {
        Self(IndexMap::with_capacity_and_hasher(dimensions, FxBuildHasher))
    }

    /// The value of a dimension, by its whole name, if it was chosen.
    pub fn get(&self, dimension: impl Into<DimensionId>) -> Option<&Choice> {
        self.0.get(&dimension.into())
    }

    /// Sets the value of a dimension, keeping its place in the order if it had one.
    pub fn set(&mut self, dimension: impl Into<DimensionId>, value: impl Into<Choice>) {
        self.0.insert(dimension.into(), value.into());
    }

    /// Sets the value of a dimension and returns its place in the order.
    pub(super) fn insert(&mut self, dimension: DimensionId, value: Choice) -> usize {
        self.0.insert_full(dimension, value).0
    }

    /// The place of a dimension in the order.
    pub(super) fn index_of(&self, dimension: DimensionId) -> Option<usize> {
        self.0.get_index_of(&dimension)
    }

    /// Removes a dimension, keeping the order of the rest.
    pub fn remove(&mut self, dimension: impl Into<DimensionId>) -> Option<Choice> {
        self.0.shift_remove(&dimension.into())
    }

    /// The dimensions' names and values, in the order they were chosen.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Choice)> {
        self.0.iter().map(|(id, value)| (id.name(), value))
    }

    /// The dimensions and their values, in the order they were chosen.
    pub fn entries(&self) -> impl Iterator<Item = (DimensionId, &Choice)> {
        self.0.iter().map(|(id, value)| (*id, value))
    }

    /// The dimensions, in the order they were chosen.
    pub fn ids(&self) -> impl Iterator<Item = DimensionId> {
        self.0.keys().copied()
    }

    /// Removes all but the first `len` dimensions.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The number of dimensions that have a value.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if no dimension has a value.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The choices of `self` that `other` lacks or for which it has another value.
    #[must_use]
    pub fn differing_from(&self, other: &Choices) -> Choices {
        let differs = |(id, value): &(&DimensionId, &Choice)| other.0.get(*id) != Some(*value);
        Choices(self.0.iter().filter(differs).map(|(id, value)| (*id, value.clone())).collect())
    }
}

impl<D: Into<DimensionId>> FromIterator<(D, Choice)> for Choices {
    fn from_iter<T: IntoIterator<Item = (D, Choice)>>(iter: T) -> Self {
        Choices(iter.into_iter().map(|(dimension, value)| (dimension.into(), value)).collect())
    }
}
