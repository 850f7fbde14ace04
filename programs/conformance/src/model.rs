//! The two sides of a check, and its outcome.

use serde::Serialize;

use crate::automata::pushdown::witness;
use crate::automata::{Alphabet, Letter, Nwa};
use crate::check::{self, Mode, is_vacuous, on_the_fly, prefixes};
use crate::error::Error;
use crate::infer::{Traced, infer, trace};
use crate::inline::{Inlined, inlined};
use crate::program::Program;
use crate::remark::{Remark, Weight};
use crate::story::{Side, Story, tell};

/// Functions that a remark names at most.
const NAMED: usize = 3;

/// One side: a program, or an automaton in place of it.
#[derive(Debug, Clone)]
pub struct Model {
    /// The automaton. For a program, the automaton that is inferred from it.
    pub automaton: Nwa,
    /// The number of functions that were not pruned; `None` for an automaton.
    pub functions: Option<usize>,
    program: Option<(Program, Traced)>,
}

impl Model {
    /// The side of a program.
    ///
    /// # Errors
    ///
    /// Returns an error if the automaton of a function is too large.
    pub fn program(program: Program, alphabet: &mut Alphabet) -> Result<Self, Error> {
        let inferred = infer(&program, alphabet)?;
        let traced = trace(&program, alphabet);
        Ok(Self {
            automaton: inferred.automaton,
            functions: Some(inferred.functions),
            program: Some((program, traced)),
        })
    }

    /// The side of an automaton.
    pub fn automaton(automaton: Nwa) -> Self {
        Self { automaton, functions: None, program: None }
    }

    /// The number of calls that write or read; `None` for an automaton.
    pub fn sites(&self) -> Option<usize> {
        self.program.as_ref().map(|(program, _)| program.sites.len())
    }

    fn split(&self, alphabet: &mut Alphabet) -> Self {
        let mut split = self.clone();
        split.automaton.split_values(alphabet);
        if let Some((_, traced)) = &mut split.program {
            let mut sites = Vec::new();
            for (t, site) in traced.automaton.internal.iter().zip(&traced.sites) {
                let copies = t.on.map_or(1, |on| alphabet.atoms(on).len());
                sites.extend(std::iter::repeat_n(*site, copies));
            }
            traced.automaton.split_values(alphabet);
            traced.sites = sites;
        }
        split
    }

    fn side(&self) -> Side<'_> {
        match &self.program {
            Some((program, traced)) => Side::program(traced, program),
            None => Side { automaton: &self.automaton, sites: None },
        }
    }
}

/// The outcome of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The number of states of the producer's automaton, |Q|.
    pub producer_states: usize,
    /// The number of states of the consumer's automaton.
    pub consumer_states: usize,
    /// A word that the producer can emit and the consumer refuses; `None` if the consumer conforms.
    pub counterexample: Option<Story>,
    /// True if the consumer accepts every word over its own events.
    pub vacuous: bool,
    /// A reason why the consumer may not conform although the check finds that it does: returns may have led to other
    /// calls.
    pub remarks: Vec<Remark>,
}

/// Compares the two sides. The automata of both must use this alphabet.
///
/// # Errors
///
/// Returns an error if more states than allowed are needed, or a side accepts nothing, so that the outcome would prove
/// nothing about the programs.
pub fn compare(
    producer: &Model,
    consumer: &Model,
    mode: Mode,
    alphabet: &mut Alphabet,
) -> Result<Outcome, Error> {
    for (side, model) in [("producer", producer), ("consumer", consumer)] {
        if witness(&model.automaton, 1).is_none() {
            return Err(Error::Program(empty(side, model)));
        }
    }
    let (own, other) = (producer.split(alphabet), consumer.split(alphabet));
    let found = on_the_fly(&own.automaton, &other.automaton, mode)?;
    let counterexample =
        found.map(|found| tell(own.side(), other.side(), mode, &found, alphabet)).transpose()?;
    let remarks = match counterexample.is_none() && mode != Mode::NoEnrich {
        true => returns(&own, consumer, alphabet)?,
        false => Vec::new(),
    };
    Ok(Outcome {
        remarks,
        producer_states: producer.automaton.len(),
        consumer_states: consumer.automaton.len(),
        counterexample,
        vacuous: is_vacuous(&other.automaton)?,
    })
}

/// Repeats the check with returns of the consumer that lead only to their own calls. Returns a remark if the consumer
/// then does not conform. The producer is already split.
fn returns(
    producer: &Model,
    consumer: &Model,
    alphabet: &mut Alphabet,
) -> Result<Vec<Remark>, Error> {
    let Some((program, _)) = &consumer.program else { return Ok(Vec::new()) };
    let Inlined::Copies(shared, exact) = inlined(program, alphabet)? else {
        return Ok(Vec::new());
    };
    let exact = match exact {
        Some(mut exact) => {
            exact.split_values(alphabet);
            match on_the_fly(&producer.automaton, &exact, Mode::Vpa) {
                Ok(None) => return Ok(Vec::new()),
                Ok(Some(found)) => Some((exact, found)),
                Err(_) => None,
            }
        }
        None => None,
    };
    let names: Vec<String> = shared.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if shared.len() > NAMED { " and others" } else { "" };
    let mut text =
        format!("returns of {}{more} are taken to lead to any of their calls", names.join(", "));
    if let Some((exact, found)) = exact {
        let read = prefixes(&exact, &found.word)?.len() - 1;
        let events = found.word.iter().filter_map(|letter| match letter {
            Letter::Internal(on) => Some(alphabet.event(*on).to_string()),
            _ => None,
        });
        let refused = events.clone().nth(read).map_or_else(
            || format!("the end after {read} events"),
            |kind| format!("event {} ({kind})", read + 1),
        );
        text += &format!("; without that, {refused} is not accepted");
    }
    Ok(vec![Remark::new(text, Weight::NotProved)])
}

/// The reason why a side accepts nothing.
fn empty(side: &str, model: &Model) -> String {
    match model.functions {
        Some(_) => format!(
            "no run of the {side} returns from its first function or exits with status 0; `{side} = {{ main = \"..\" }}` \
             in --io names another function, and `exits = \"all\"` counts runs that fail"
        ),
        None => {
            format!("the automaton of the {side} accepts nothing: no final state can be reached")
        }
    }
}

/// Compares without looking for reasons: returns true if the consumer conforms.
///
/// # Errors
///
/// Returns an error if more states are needed than are allowed.
pub fn conforms(
    producer: &Model,
    consumer: &Model,
    mode: Mode,
    alphabet: &mut Alphabet,
) -> Result<bool, Error> {
    let (mut own, mut other) = (producer.automaton.clone(), consumer.automaton.clone());
    check::split_values(&mut own, &mut other, alphabet);
    Ok(on_the_fly(&own, &other, mode)?.is_none())
}
