//! Checks whether the consumer accepts all that the producer can emit.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::automata::determinize::Determinized;
use crate::automata::difference::difference;
use crate::automata::explore::{Found, shortest};
use crate::automata::fa::Fa;
use crate::automata::pushdown::witness;
use crate::automata::run::word;
use crate::automata::subsets::Subsets;
use crate::automata::{Alphabet, Letter, Nwa, State};
use crate::error::Error;

/// The maximum number of states of deterministic automata that are created.
pub const STATES: usize = 200_000;

/// The treatment of calls and returns by the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The producer returns to its call site; the consumer may call and return anywhere (Enrich, definition 3.2 of the
    /// paper).
    #[default]
    Vpa,
    /// Returns lead to any call site, in both.
    Fa,
    /// Calls and returns are events: both must have the same structure.
    NoEnrich,
}

/// A word of the producer that the consumer refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterexample {
    /// The word, with calls and returns unless the mode is [`Mode::Fa`]. It is cut off after 100,000 steps.
    pub word: Vec<Letter>,
    /// The length of the whole word.
    pub length: u64,
}

/// In both automata, replaces events of any value by events of each constant, if a constant of that type occurs. This
/// must happen before they are compared.
pub fn split_values(producer: &mut Nwa, consumer: &mut Nwa, alphabet: &mut Alphabet) {
    producer.split_values(alphabet);
    consumer.split_values(alphabet);
}

/// Finds the shortest counterexample on the fly; returns `None` if the consumer conforms.
///
/// # Errors
///
/// Returns an error if more states are needed than are allowed.
pub fn on_the_fly(
    producer: &Nwa,
    consumer: &Nwa,
    mode: Mode,
) -> Result<Option<Counterexample>, Error> {
    let flat;
    let producer = if mode == Mode::Fa {
        flat = producer.flattened();
        &flat
    } else {
        producer
    };
    let found = match mode {
        Mode::NoEnrich => shortest(producer, &mut Determinized::new(consumer, STATES), false)?,
        Mode::Vpa | Mode::Fa => shortest(producer, &mut Subsets::new(consumer, STATES), false)?,
    };
    Ok(found.map(|Found { steps, length }| Counterexample { word: word(producer, &steps), length }))
}

/// Uses the paper's method: applies Enrich to the consumer, determinizes and complements it, intersects it with the
/// producer, and searches the result for a word by `post*`. Returns a counterexample that need not be the shortest.
///
/// # Errors
///
/// Returns an error if the determinized consumer has more than `limit` states, or the difference more than 20 times as
/// many.
pub fn explicit(
    producer: &Nwa,
    consumer: &Nwa,
    mode: Mode,
    alphabet: &mut Alphabet,
    limit: usize,
) -> Result<Option<Counterexample>, Error> {
    let (producer, consumer) = match mode {
        Mode::Vpa => (producer.clone(), consumer.enriched(alphabet)),
        Mode::Fa => (producer.flattened(), consumer.flattened()),
        Mode::NoEnrich => (producer.clone(), consumer.clone()),
    };
    let mut determinized = Determinized::new(&consumer, limit);
    let difference = difference(&producer, &mut determinized, limit.saturating_mul(20))?;
    Ok(witness(&difference, 100_000).map(|steps| {
        let word = word(&difference, &steps);
        Counterexample { length: word.len() as u64, word }
    }))
}

/// Returns the number of states of the determinized consumer as the paper counts them: all relations to which returns
/// from any state to any other lead, including the relation that refuses everything.
///
/// # Errors
///
/// Returns an error if there are more than `limit`.
pub fn determinized_states(
    consumer: &Nwa,
    mode: Mode,
    alphabet: &mut Alphabet,
    limit: usize,
) -> Result<usize, Error> {
    let consumer = match mode {
        Mode::Vpa => consumer.enriched(alphabet),
        Mode::Fa => consumer.flattened(),
        Mode::NoEnrich => consumer.clone(),
    };
    let mut determinized = Determinized::new(&consumer, limit);
    let symbols: Vec<_> = alphabet.symbols().collect();
    determinized.explore(&symbols)?;
    Ok(determinized.len())
}

/// Returns true if the consumer accepts every word over its own events, so that the check proves only that the producer
/// uses no others.
///
/// # Errors
///
/// Returns an error if more states are needed than are allowed.
pub fn is_vacuous(consumer: &Nwa) -> Result<bool, Error> {
    let flat = consumer.flattened();
    let labels: BTreeSet<u32> = flat.events().into_iter().map(|symbol| symbol.0).collect();
    let fa = Fa {
        states: flat.len(),
        initial: flat.initial.clone(),
        finals: flat.finals.clone(),
        edges: flat.internal.iter().map(|t| (t.from, t.on.map(|on| on.0), t.to)).collect(),
    };
    let dfa = fa.determinize(STATES)?;
    Ok(dfa.is_universal(&labels))
}

/// Returns the states in which the flattened automaton can be after each prefix of a word's events, as long as there
/// are any. The last entry belongs to the longest prefix with which it can begin a word.
pub fn prefixes(automaton: &Nwa, word: &[Letter]) -> Result<Vec<Vec<State>>, Error> {
    use crate::automata::observer::Observer;
    let mut subsets = Subsets::new(automaton, STATES);
    let mut at = subsets.initial()?;
    let mut found = vec![subsets.members(at).to_vec()];
    for letter in word {
        let Letter::Internal(on) = letter else { continue };
        at = subsets.internal(at, *on)?;
        if subsets.members(at).is_empty() {
            break;
        }
        found.push(subsets.members(at).to_vec());
    }
    Ok(found)
}
