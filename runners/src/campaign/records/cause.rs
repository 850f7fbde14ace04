//! A cause: the least that it takes for one client to differ.

use inverter::solve::{Choice, Choices};
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use super::boundary::Edge;
use super::judgment::Trial;
use super::small::Small;
use super::words;
use crate::oracle::Outcome;
use crate::subject::{Class, Subject};

/// How far a cause was reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Depth {
    /// No dimension can be spared.
    Minimal,
    /// It was cut short: fewer dimensions may do.
    Partly,
    /// Not at all.
    Not,
    /// It cannot be: the client does not do the same each time.
    Flaky,
}

/// One representation dependence of one client. It is kept in stores: a new field needs
/// `#[serde(default)]`, for older stores lack it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cause {
    /// The client's place in the list.
    pub client: usize,
    /// What it does.
    pub outcome: Outcome,
    /// How far this is reduced.
    pub depth: Depth,
    /// The dimensions that it takes, all of them. None: the seed written anew is enough;
    /// or nothing is known, by `depth`.
    pub dimensions: Vec<String>,
    /// The choices of each example that is known to fail, simplest first.
    pub examples: Vec<Choices>,
    /// The examples in words.
    pub values: Vec<String>,
    /// Values of its one dimension that never failed.
    pub fine: Vec<String>,
    /// Values of its one dimension that were tried by themselves and are fine.
    pub passed: Vec<Choice>,
    /// Where it begins to fail, for dimensions where that was found.
    pub edges: Vec<(String, Edge)>,
    /// How many findings it explains; at least 1 once all is known.
    pub count: usize,
    /// The class of the kept example.
    pub class: Class,
    /// The choices of the kept example that it takes.
    pub choices: Choices,
    /// Further choices of the kept example that are not as in the seed: they follow.
    pub follows: Choices,
    /// The kept example's file.
    #[serde(with = "super::pack::bytes")]
    pub file: Vec<u8>,
    /// What the client makes of that file, if it is a picture.
    #[serde(with = "super::pack::maybe_picture")]
    pub got: Option<Picture>,
    /// The client's own words, on the kept example.
    pub message: String,
    /// The same on a smaller picture, if one was found.
    #[serde(default)]
    pub small: Option<Small>,
}

/// Puts `causes` into the order of the report: the worst and surest first. `name` gives the
/// name of the client at a place.
pub(crate) fn rank<'n>(causes: &mut [Cause], name: impl Fn(usize) -> &'n str) {
    causes.sort_by_cached_key(|c| {
        let rank = (c.outcome, c.depth > Depth::Partly, c.class, c.dimensions.len());
        let count = std::cmp::Reverse(c.count);
        (rank, count, name(c.client).to_owned(), c.dimensions.clone(), c.client)
    });
}

impl Cause {
    /// Whether all of this cause's choices are, up to their class, among `varied`.
    pub(crate) fn is_in(&self, subject: &dyn Subject, varied: &[(String, String)]) -> bool {
        self.depth <= Depth::Partly
            && self.examples.iter().any(|example| {
                example.iter().all(|(dimension, value)| {
                    let class = subject.value_class(dimension, value);
                    varied.iter().any(|(d, c)| d == dimension && *c == class)
                })
            })
    }

    /// What makes one example a better one than another: class, size, simple values.
    pub(crate) fn cost(&self) -> impl Ord + use<> {
        let simple: usize = self.choices.iter().map(|(_, v)| words::complexity(v)).sum();
        let size = (self.follows.len(), self.file.len());
        (self.class, size, simple, words::order(&self.choices))
    }

    /// A cause of `choices`, seen in `trial` and confirmed to show `got`.
    pub(crate) fn of(
        subject: &dyn Subject,
        client: usize,
        trial: Trial,
        choices: Choices,
        depth: Depth,
        got: Option<Picture>,
    ) -> Self {
        let mut cause = Cause {
            client,
            outcome: trial.judged.outcome,
            depth,
            dimensions: in_order(subject, &choices),
            examples: Vec::new(),
            values: Vec::new(),
            fine: Vec::new(),
            passed: Vec::new(),
            edges: Vec::new(),
            count: 0,
            class: trial.variant.class,
            follows: Choices::new(),
            choices: Choices::new(),
            file: Vec::new(),
            got: None,
            message: String::new(),
            small: None,
        };
        cause.keep(subject, trial, choices, got);
        cause
    }

    /// Makes `choices` the kept example, seen in `trial` and confirmed to show `got`.
    pub(crate) fn keep(
        &mut self,
        subject: &dyn Subject,
        trial: Trial,
        choices: Choices,
        got: Option<Picture>,
    ) {
        let differing = trial.variant.differing_from(subject.own_choices());
        self.class = trial.variant.class;
        self.follows = differing.differing_from(&choices);
        self.file = trial.variant.bytes;
        self.got = got.filter(|_| self.outcome == Outcome::Wrong);
        self.message = trial.judged.message;
        self.example(&choices);
        self.choices = choices;
    }

    /// One more example that is known to fail.
    pub(crate) fn example(&mut self, choices: &Choices) {
        if !self.examples.contains(choices) {
            self.examples.push(choices.clone());
        }
    }
}

/// The dimensions of `choices`, in the subject's order.
fn in_order(subject: &dyn Subject, choices: &Choices) -> Vec<String> {
    let place = |name: &str| subject.dimensions().iter().position(|d| d == name);
    let mut names: Vec<String> = choices.iter().map(|(d, _)| d.to_owned()).collect();
    names.sort_by_key(|name| (place(name).unwrap_or(usize::MAX), name.clone()));
    names
}
