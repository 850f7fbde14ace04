//! Choices as values: what a variant's dimensions are, by name. They replay the variant,
//! measure it and shrink it.

use std::fmt;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

/// The value of one dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "serde_json::Value")]
pub enum Choice {
    /// A number: a scalar of the representation.
    Int(i128),
    /// A list of numbers: a permutation, gaps, one value an element.
    List(Vec<i128>),
    /// A word: one of a few named alternatives, or a fill.
    Text(String),
}

impl From<Choice> for serde_json::Value {
    fn from(value: Choice) -> Self {
        // Every type of the language is at most 64 bits wide.
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

/// A variant's choices: dimension name to value, in the order they were made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Choices(IndexMap<String, Choice, FxBuildHasher>);

impl Choices {
    /// No choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// No choices, with room for so many.
    pub fn with_capacity(dimensions: usize) -> Self {
        Self(IndexMap::with_capacity_and_hasher(dimensions, FxBuildHasher))
    }

    /// The value of `dimension`, if it was chosen.
    pub fn get(&self, dimension: &str) -> Option<&Choice> {
        self.0.get(dimension)
    }

    /// Sets the value of `dimension`, keeping its place if it had one.
    pub fn set(&mut self, dimension: &str, value: impl Into<Choice>) {
        match self.0.get_mut(dimension) {
            Some(old) => *old = value.into(),
            None => drop(self.0.insert(dimension.to_owned(), value.into())),
        }
    }

    /// Takes `dimension` out, keeping the order of the rest.
    pub fn remove(&mut self, dimension: &str) -> Option<Choice> {
        self.0.shift_remove(dimension)
    }

    /// The pairs, in the order the choices were made.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Choice)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v))
    }

    /// Takes out all but the first `len` that were chosen.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// How many dimensions have a value.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing was chosen.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The choices of `self` that `other` lacks or has another value for.
    pub fn differing_from(&self, other: &Choices) -> Choices {
        let differs = |(k, v): &(&String, &Choice)| other.0.get(*k) != Some(*v);
        Choices(self.0.iter().filter(differs).map(|(k, v)| (k.clone(), v.clone())).collect())
    }
}

impl FromIterator<(String, Choice)> for Choices {
    fn from_iter<T: IntoIterator<Item = (String, Choice)>>(iter: T) -> Self {
        Choices(iter.into_iter().collect())
    }
}
