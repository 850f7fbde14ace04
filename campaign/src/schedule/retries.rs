//! Further tries of refused classes, with other classes than those with which they were refused.
//!
//! A client may refuse a class in some combinations, and misread it in others: planes of 8 bits are not supported, and
//! those of 16 are shown in disorder. A small share of the files therefore tries refused classes again while all other
//! dimensions vary. This includes dimensions such as the byte order, which is not a feature but selects another path
//! through a reader.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use inverter::solve::{Choices, Vary};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::examples::Examples;
use super::plan::PlanStep;
use super::suppression::Class;
use crate::records::VariantInfo;

/// At most one in this many files may be a refused try.
const SHARE: usize = 10;

/// The number of consecutive tries without a new file after which a class is no longer tried.
const MOST_FAILURES: usize = 2;

/// The tries of one class.
#[derive(Debug, Clone, Copy, Default)]
struct Tries {
    requests: usize,
    /// The number of latest requests in a row without a file.
    failures: usize,
}

/// Schedules further tries of refused classes.
#[derive(Debug, Clone, Default)]
pub struct Retries {
    tries: BTreeMap<Class, Tries>,
    /// The number of tries that were refused, or are pending.
    spent: usize,
    /// Examples of the classes in refused files.
    examples: Examples,
}

impl Retries {
    /// Selects the class of `refused` to be tried again as the next of `requests` files, among those tried least.
    /// `None` if it is not the turn of any.
    pub fn next<'c>(
        &mut self,
        requests: usize,
        refused: impl Iterator<Item = &'c Class>,
    ) -> Option<Class> {
        if SHARE * (self.spent + 1) > requests {
            return None;
        }
        let tries = |class: &Class| self.tries.get(class).copied().unwrap_or_default();
        let open = refused.filter(|class| tries(class).failures < MOST_FAILURES);
        let class = open.min_by_key(|class| tries(class).requests)?.clone();
        self.tries.entry(class.clone()).or_default().requests += 1;
        self.spent += 1;
        Some(class)
    }

    /// Evaluates a try of `class`, whose file, if there was one, was `refused` or not.
    pub fn evaluate(&mut self, class: &Class, refused: Option<bool>) {
        let tries = self.tries.entry(class.clone()).or_default();
        tries.failures = if refused.is_some() { 0 } else { tries.failures + 1 };
        self.spent -= usize::from(refused != Some(true));
    }

    /// Learns from a refused file.
    pub fn learn(&mut self, info: &Arc<VariantInfo>) {
        self.examples.learn(info);
    }

    /// Returns all classes of the smallest refused file with `class`.
    pub fn example(&self, class: &Class) -> &[Class] {
        self.examples.classes(class)
    }

    /// Returns a step in which `class` occurs as in its example, and other `dimensions` have classes that the clients
    /// `read`, preferably ones not `tried` with it. Values may exclude each other, so each dimension is sometimes left
    /// out. All others are `plain`.
    pub fn step<'n>(
        &self,
        class: &Class,
        tried: &BTreeSet<Class>,
        dimensions: impl Iterator<Item = &'n str>,
        read: &Examples,
        plain: Choices,
        index: u64,
    ) -> PlanStep {
        let mut random = ChaCha8Rng::seed_from_u64(index);
        let mut overrides = plain;
        for name in dimensions.filter(|name| *name != class.0) {
            let all: Vec<_> = read.values(name).collect();
            let new: Vec<_> = all.iter().copied().filter(|(c, _)| !tried.contains(*c)).collect();
            let open = if new.is_empty() { all } else { new };
            let share = if tried.iter().any(|(d, _)| d == name) { 0.25 } else { 0.75 };
            let value = open.iter().choose(&mut random).filter(|_| random.random_bool(share));
            value.into_iter().for_each(|(_, value)| overrides.set(name, (*value).clone()));
        }
        let example = self.examples.of(&class.0, &class.1).into_iter().flat_map(Choices::iter);
        example.for_each(|(d, value)| overrides.set(d, value.clone()));
        PlanStep { index, vary: Vary::only([] as [&str; 0]), overrides, from: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(c: &str) -> Class {
        ("planar".to_owned(), c.to_owned())
    }

    #[test]
    fn refused_tries_are_a_tenth_at_most_and_have_their_turns() {
        let (one, two) = (class("1"), class("2"));
        let mut retries = Retries::default();
        let mut tried = Vec::new();
        for requests in 0..60 {
            if let Some(class) = retries.next(requests, [&one, &two].into_iter()) {
                retries.evaluate(&class, Some(true));
                tried.push((requests, class.1));
            }
        }
        let expected = [(10, "1"), (20, "2"), (30, "1"), (40, "2"), (50, "1")];
        assert_eq!(tried, expected.map(|(n, c)| (n, c.to_owned())));
    }

    #[test]
    fn tries_that_are_judged_are_free_and_impossible_ones_end() {
        let one = class("1");
        let mut retries = Retries::default();
        for _ in 0..3 {
            assert_eq!(retries.next(10, [&one].into_iter()), Some(one.clone()));
            retries.evaluate(&one, Some(false));
        }
        for _ in 0..MOST_FAILURES {
            assert!(retries.next(10, [&one].into_iter()).is_some());
            retries.evaluate(&one, None);
        }
        assert_eq!(retries.next(10, [&one].into_iter()), None);
    }
}
