//! Nested-word automata, which are finite automata whose calls push the state that they leave and whose returns pop it.
//!
//! They are the visibly pushdown automata of Alur and Madhusudan in their weakly hierarchical form,
//! as in *Checking Conformance of a Producer and a Consumer* (ESEC/FSE 2011), section 3.1. Words
//! are accepted if their calls and returns match, as in section 3.5.

use std::collections::BTreeSet;

use super::alphabet::{Alphabet, Event, Symbol};

/// A state, by its position.
pub type State = u32;

/// A transition that leaves the stack alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Internal {
    /// The state before.
    pub from: State,
    /// The symbol; `None` for a transition that reads nothing.
    pub on: Option<Symbol>,
    /// The state after.
    pub to: State,
}

/// A transition that pushes the state before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Call {
    /// The state before.
    pub from: State,
    /// The symbol.
    pub on: Symbol,
    /// The state after.
    pub to: State,
}

/// A transition that pops the state before the call that it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Return {
    /// The state before.
    pub from: State,
    /// The state that is popped.
    pub call: State,
    /// The symbol.
    pub on: Symbol,
    /// The state after.
    pub to: State,
}

/// One symbol of a nested word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Letter {
    /// An event.
    Internal(Symbol),
    /// A call.
    Call(Symbol),
    /// A return.
    Return(Symbol),
}

/// A nested-word automaton. Without calls and returns, it is a finite automaton.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Nwa {
    /// The names of the states.
    pub names: Vec<String>,
    /// The states in which words begin.
    pub initial: BTreeSet<State>,
    /// The states in which they end.
    pub finals: BTreeSet<State>,
    /// Transitions on events, and empty transitions.
    pub internal: Vec<Internal>,
    /// Transitions on calls.
    pub calls: Vec<Call>,
    /// Transitions on returns.
    pub returns: Vec<Return>,
}

/// The name of the symbol of calls in inferred automata.
pub const CALL: &str = "<";
/// The name of the symbol of returns in inferred automata.
pub const RETURN: &str = ">";

impl Nwa {
    /// Adds a state.
    pub fn add_state(&mut self, name: impl Into<String>) -> State {
        self.names.push(name.into());
        State::try_from(self.names.len() - 1).unwrap_or(State::MAX)
    }

    /// Number of states, |Q|.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns true if it has no state.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The symbols of its events, ascending.
    pub fn events(&self) -> BTreeSet<Symbol> {
        self.internal.iter().filter_map(|t| t.on).collect()
    }

    /// Returns the finite automaton in which calls and returns read nothing, and returns lead to every call site. It is
    /// the model of section 3.3, "FA version".
    #[must_use]
    pub fn flattened(&self) -> Self {
        let mut flat = Self { calls: Vec::new(), returns: Vec::new(), ..self.clone() };
        let calls = self.calls.iter().map(|t| Internal { from: t.from, on: None, to: t.to });
        let returns = self.returns.iter().map(|t| Internal { from: t.from, on: None, to: t.to });
        flat.internal.extend(calls.chain(returns));
        flat
    }

    /// Implements definition 3.2 of the paper: calls and returns may be added and omitted anywhere.
    ///
    /// The result accepts a word if and only if [`Nwa::flattened`] accepts it without its calls and returns. Tests
    /// check this.
    #[must_use]
    pub fn enriched(&self, alphabet: &mut Alphabet) -> Self {
        let call = alphabet.symbol(Event::any(CALL));
        let ret = alphabet.symbol(Event::any(RETURN));
        let mut rich = self.flattened();
        rich.calls = self.calls.clone();
        rich.returns = self.returns.clone();
        let states = 0..State::try_from(self.len()).unwrap_or(State::MAX);
        for p in states.clone() {
            rich.calls.push(Call { from: p, on: call, to: p });
            let pops = states.clone().map(|q| Return { from: p, call: q, on: ret, to: p });
            rich.returns.extend(pops);
        }
        rich
    }

    /// Replaces each event of any value in this automaton by disjoint events ([`Alphabet::atoms`]).
    pub fn split_values(&mut self, alphabet: &mut Alphabet) {
        let mut split = Vec::with_capacity(self.internal.len());
        for transition in &self.internal {
            match transition.on {
                None => split.push(*transition),
                Some(symbol) => split.extend(
                    alphabet
                        .atoms(symbol)
                        .into_iter()
                        .map(|atom| Internal { on: Some(atom), ..*transition }),
                ),
            }
        }
        self.internal = split;
    }

    /// The transitions by the state that they leave.
    pub fn outgoing(&self) -> Outgoing {
        let lists = || vec![Vec::new(); self.len()];
        let mut out = Outgoing { internal: lists(), calls: lists(), returns: lists() };
        for (k, t) in self.internal.iter().enumerate() {
            out.internal[t.from as usize].push(k);
        }
        for (k, t) in self.calls.iter().enumerate() {
            out.calls[t.from as usize].push(k);
        }
        for (k, t) in self.returns.iter().enumerate() {
            out.returns[t.from as usize].push(k);
        }
        out
    }
}

/// Indices of the transitions of an automaton, by the state that they leave.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Indices into [`Nwa::internal`].
    pub internal: Vec<Vec<usize>>,
    /// Indices into [`Nwa::calls`].
    pub calls: Vec<Vec<usize>>,
    /// Indices into [`Nwa::returns`].
    pub returns: Vec<Vec<usize>>,
}
