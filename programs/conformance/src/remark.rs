//! Remarks about a side, which state what parts of the program the automaton does not cover.

use std::fmt;

use serde::Serialize;

use crate::program::Place;

/// The way in which a remark limits the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    /// The remark may be the reason for a counterexample, or for the lack of a counterexample.
    #[default]
    Open,
    /// Part of a program was left out: without a counterexample, nothing is decided.
    NotProved,
    /// Nothing is decided, with or without a counterexample.
    Undecided,
}

/// A reason why the outcome proves less about the programs. It is reported once for all of its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// The reason, a clause.
    pub text: String,
    /// The first place.
    pub place: Option<Place>,
    /// Number of further places.
    pub more: usize,
    /// The effect on the verdict.
    pub weight: Weight,
}

impl Remark {
    /// A remark without a place.
    pub fn new(text: String, weight: Weight) -> Self {
        Self { text, place: None, more: 0, weight }
    }
}

/// Sorts the remarks so that those that decide the verdict come first.
pub fn by_weight(remarks: &mut [Remark]) {
    remarks.sort_by_key(|remark| std::cmp::Reverse(remark.weight));
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}: ", place.file, place.line)?;
        }
        f.write_str(&self.text)?;
        match self.more {
            0 => Ok(()),
            1 => f.write_str(" (and at one more place)"),
            more => write!(f, " (and at {more} more places)"),
        }
    }
}

/// Remarks that are added one by one, and reported once for each text.
#[derive(Debug, Clone, Default)]
pub struct Remarks(Vec<(String, Weight, Vec<Option<Place>>)>);

impl Remarks {
    /// Adds a remark. Remarks with the same text and place are counted once.
    pub fn add(&mut self, text: String, place: Option<Place>) {
        self.weigh(Weight::Open, text, place);
    }

    /// Adds a remark with a weight.
    pub fn weigh(&mut self, weight: Weight, text: String, place: Option<Place>) {
        match self.0.iter_mut().find(|(known, ..)| *known == text) {
            None => self.0.push((text, weight, vec![place])),
            Some((_, known, places)) => {
                *known = weight.max(*known);
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
    }

    /// Returns the remarks in the order of their first places, with those that decide the verdict first.
    pub fn told(self) -> Vec<Remark> {
        let told = self.0.into_iter().map(|(text, weight, mut places)| {
            places.sort();
            let more = places.len() - 1;
            Remark { text, place: places.swap_remove(0), more, weight }
        });
        let mut told: Vec<Remark> = told.collect();
        told.sort_by(|a, b| (&a.place, &a.text).cmp(&(&b.place, &b.text)));
        by_weight(&mut told);
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_told_once() {
        let at = |line| Some(Place { file: "a.c".to_owned(), line, column: 1 });
        let mut remarks = Remarks::default();
        for line in [7, 3, 3, 9] {
            remarks.add("it is so".to_owned(), at(line));
        }
        remarks.add("alone".to_owned(), None);
        remarks.weigh(Weight::Undecided, "first".to_owned(), at(20));
        let told: Vec<String> = remarks.told().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["a.c:20: first", "alone", "a.c:3: it is so (and at 2 more places)"]);
    }
}
