//! A second look at a counterexample, which decides whether it is possible in the producer's own arithmetic.
//!
//! The first look does not know the values of the producer. The second look follows them ([`follow`]) and repeats the
//! check. A counterexample that remains is real only if the certain part of the producer can emit it; otherwise it is
//! undecided.

use crate::automata::Alphabet;
use crate::automata::pushdown::witness;
use crate::check::Mode;
use crate::error::Error;
use crate::lower::follow::{Followed, follow};
use crate::lower::lower;
use crate::model::{Model, Outcome, compare};
use crate::program::Program;
use crate::remark::Remark;
use crate::settings::{Role, Settings};
use crate::sites::Listed;

/// The maximum number of distinct numbers of one variable of the consumer.
const NUMBERS: usize = 1_000;

/// The sources of a check.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The producer.
    pub producer: &'a canonical::Program,
    /// The consumer; `None` if it is an automaton.
    pub consumer: Option<&'a canonical::Program>,
    /// The settings.
    pub settings: &'a Settings,
    /// The list of call sites, if there is one.
    pub list: Option<&'a [Listed]>,
}

/// The outcome of a second look.
#[derive(Debug)]
pub struct Second {
    /// The producer with its values followed.
    pub producer: Model,
    /// The program from which the producer's automaton is inferred.
    pub program: Program,
    /// The consumer, which distinguishes the values that this producer writes.
    pub consumer: Model,
    /// The remarks about the consumer; empty if it is an automaton.
    pub remarks: Vec<Remark>,
    /// The outcome.
    pub outcome: Outcome,
    /// The reasons why the counterexample may not be real. If there are none, it is real.
    pub open: Vec<Remark>,
}

/// Looks at a counterexample again. `consumer` is an automaton in place of a program.
///
/// # Errors
///
/// Returns an error if the producer has too many values, or an automaton too many states.
pub fn second_look(
    sources: Sources<'_>,
    consumer: &Model,
    alphabet: &mut Alphabet,
) -> Result<Second, Error> {
    let Followed { all, certain, lost } = follow(sources.producer, sources.settings, sources.list)?;
    let (consumer, remarks) = match sources.consumer {
        None => (consumer.clone(), Vec::new()),
        Some(program) => {
            let mut settings = sources.settings.clone();
            settings.written = all.written();
            settings.partly = all.partly_written();
            settings.numbers = NUMBERS;
            let lowered = lower(program, Role::Consumer, &settings, sources.list)?;
            (Model::program(lowered.program, alphabet)?, lowered.remarks)
        }
    };
    let program = all.clone();
    let all = Model::program(all, alphabet)?;
    let mut outcome = compare(&all, &consumer, Mode::Vpa, alphabet)?;
    let mut open = Vec::new();
    if outcome.counterexample.is_some() && !lost.is_empty() {
        let certain = Model::program(certain, alphabet)?;
        let is_possible = witness(&certain.automaton, 1).is_some();
        let sure = match is_possible {
            true => compare(&certain, &consumer, Mode::Vpa, alphabet)?.counterexample,
            false => None,
        };
        match sure {
            Some(story) => outcome.counterexample = Some(story),
            None => open = lost,
        }
    }
    Ok(Second { producer: all, program, consumer, remarks, outcome, open })
}

/// Takes another look at a consumer that conforms apart from undecided remarks, and distinguishes more numbers. `None`
/// if this adds nothing or the consumer is an automaton. `remarks` is the number of remarks about it.
///
/// # Errors
///
/// Returns an error if an automaton has too many states.
pub fn longer_look(
    sources: Sources<'_>,
    producer: &Model,
    remarks: usize,
    alphabet: &mut Alphabet,
) -> Result<Option<(Vec<Remark>, Outcome)>, Error> {
    let Some(program) = sources.consumer.filter(|_| remarks > 0) else { return Ok(None) };
    let settings = Settings { numbers: NUMBERS, ..sources.settings.clone() };
    let lowered = lower(program, Role::Consumer, &settings, sources.list)?;
    if lowered.remarks.len() >= remarks {
        return Ok(None);
    }
    let consumer = Model::program(lowered.program, alphabet)?;
    let outcome = compare(producer, &consumer, Mode::Vpa, alphabet)?;
    Ok(Some((lowered.remarks, outcome)))
}
