//! Presents counterexamples as stories: each event with the line that writes it, and the place where the consumer stops
//! with the events that it could have read there.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::automata::explore::shortest;
use crate::automata::observer::Word;
use crate::automata::run::Step;
use crate::automata::{Alphabet, Letter, Nwa};
use crate::check::{Counterexample, Mode, prefixes};
use crate::error::Error;
use crate::infer::Traced;
use crate::program::{Program, Site};

/// One event of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The type, with its value if it is constant.
    #[serde(rename = "type")]
    pub kind: String,
    /// The call in the producer that writes it; `None` if the producer is an automaton.
    pub site: Option<Site>,
}

/// An event that the consumer could have read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Expected {
    /// The type, with its value if it is constant.
    #[serde(rename = "type")]
    pub kind: String,
    /// The call in the consumer that reads it; `None` if the consumer is an automaton.
    pub site: Option<Site>,
}

/// A counterexample in terms of source lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Story {
    /// The events of the word, at most the first 100,000.
    pub events: Vec<Event>,
    /// Number of events that the consumer can read.
    pub read: usize,
    /// The events that the consumer could have read instead of the refused one.
    pub expected: Vec<Expected>,
    /// True if the consumer could have ended instead of reading the refused event.
    pub may_end: bool,
    /// True if the consumer does not read the type of the refused event anywhere.
    pub is_foreign: bool,
    /// True if the consumer can read all events, but its calls and returns are structured differently.
    pub by_structure: bool,
}

/// The automaton of one side with the sites of its events.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The automaton in which words are looked up.
    pub automaton: &'a Nwa,
    /// The site of each of [`Nwa::internal`], with the program; `None` if the side is an automaton.
    pub sites: Option<(&'a [Option<usize>], &'a Program)>,
}

impl<'a> Side<'a> {
    /// The side of a program.
    pub fn program(traced: &'a Traced, program: &'a Program) -> Self {
        Self { automaton: &traced.automaton, sites: Some((&traced.sites, program)) }
    }

    fn site(&self, transition: usize) -> Option<Site> {
        let (sites, program) = self.sites?;
        sites.get(transition).copied().flatten().map(|site| program.sites[site].clone())
    }
}

/// Creates the story of a counterexample.
///
/// # Errors
///
/// Returns an error if more states are needed than are allowed.
pub fn tell(
    producer: Side<'_>,
    consumer: Side<'_>,
    mode: Mode,
    found: &Counterexample,
    alphabet: &Alphabet,
) -> Result<Story, Error> {
    let flat;
    let automaton = if mode == Mode::Fa {
        flat = producer.automaton.flattened();
        &flat
    } else {
        producer.automaton
    };
    let complete = found.length == found.word.len() as u64;
    let run = match complete {
        true => shortest(automaton, &mut Word::new(&found.word), true)?,
        false => None,
    };
    let kind = |letter: Letter| match letter {
        Letter::Internal(on) => Some(alphabet.event(on).to_string()),
        Letter::Call(_) | Letter::Return(_) => None,
    };
    let events: Vec<Event> = match run {
        Some(run) => {
            let steps = run.steps.into_iter().filter_map(|step| match step {
                Step::Internal(k) => {
                    let kind = kind(step.letter(automaton)?)?;
                    Some(Event { kind, site: producer.site(k) })
                }
                Step::Call(_) | Step::Return(_) => None,
            });
            steps.collect()
        }
        None => found
            .word
            .iter()
            .filter_map(|l| kind(*l))
            .map(|kind| Event { kind, site: None })
            .collect(),
    };
    stop(consumer, found, events, alphabet)
}

/// Adds the place at which the consumer stops.
fn stop(
    consumer: Side<'_>,
    found: &Counterexample,
    events: Vec<Event>,
    alphabet: &Alphabet,
) -> Result<Story, Error> {
    let states = prefixes(consumer.automaton, &found.word)?;
    let read = states.len() - 1;
    let last = states.last().map(Vec::as_slice).unwrap_or_default();
    let may_end = last.iter().any(|state| consumer.automaton.finals.contains(state));
    let mut expected = BTreeSet::new();
    for (k, t) in consumer.automaton.internal.iter().enumerate() {
        if let (Some(on), true) = (t.on, last.binary_search(&t.from).is_ok()) {
            let kind = alphabet.event(on).to_string();
            expected.insert(Expected { kind, site: consumer.site(k) });
        }
    }
    let by_structure = read == events.len() && may_end;
    let events_of = |letter: &Letter| match letter {
        Letter::Internal(on) => Some(*on),
        Letter::Call(_) | Letter::Return(_) => None,
    };
    let refused = found.word.iter().filter_map(events_of).nth(read);
    let is_foreign = refused.is_some_and(|refused| {
        let kind = &alphabet.event(refused).kind;
        let mut own = consumer.automaton.internal.iter().filter_map(|t| t.on);
        !own.any(|on| alphabet.event(on).kind == *kind)
    });
    let expected = expected.into_iter().collect();
    Ok(Story { events, read, expected, may_end, is_foreign, by_structure })
}
