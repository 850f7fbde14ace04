//! Reads automata from files: handwritten TOML and DOT, and the text format of OpenNWA.

pub mod dot;
pub mod opennwa;
pub mod toml;

use std::collections::BTreeSet;

use crate::automata::{Nwa, State};

/// Finds a state that is probably a mistake, with the reason: no edge leads to it although it is not initial, or no
/// edge leaves it although it is not final. If it is misspelled, the automaton accepts less than it should. States with
/// a declaration may be intended.
fn stray(nwa: &Nwa, declared: &BTreeSet<String>) -> Option<(String, String)> {
    let (mut entered, mut left): (BTreeSet<State>, BTreeSet<State>) = Default::default();
    entered.extend(&nwa.initial);
    left.extend(&nwa.finals);
    for t in &nwa.internal {
        entered.insert(t.to);
        left.insert(t.from);
    }
    for t in &nwa.calls {
        entered.insert(t.to);
        left.insert(t.from);
    }
    for t in &nwa.returns {
        entered.insert(t.to);
        left.insert(t.from);
    }
    for (number, name) in (0..).zip(&nwa.names) {
        let (is_entered, is_left) = (entered.contains(&number), left.contains(&number));
        let why = match (is_entered, is_left) {
            (false, true) if nwa.finals.contains(&number) && !leaves(nwa, number) => {
                format!("the final state `{name}` is in no edge")
            }
            _ if declared.contains(name) => continue,
            (false, _) => format!("state `{name}` is not initial, and no edge leads to it"),
            (true, false) => format!("state `{name}` has no edge to go on, and is not final"),
            (true, true) => continue,
        };
        return Some((name.clone(), why));
    }
    None
}

/// Returns true if an edge leaves a state.
fn leaves(nwa: &Nwa, state: State) -> bool {
    nwa.internal.iter().any(|t| t.from == state)
        || nwa.calls.iter().any(|t| t.from == state)
        || nwa.returns.iter().any(|t| t.from == state)
}
