//! Automata: nested words, determinization, difference, emptiness, and inclusion on the fly.

pub mod alphabet;
pub mod determinize;
pub mod difference;
pub mod explore;
pub mod fa;
pub mod nwa;
pub mod observer;
mod partition;
pub mod pushdown;
mod relation;
pub mod run;
pub mod subsets;

pub use alphabet::{Alphabet, Event, Symbol, Value};
pub use nwa::{Letter, Nwa, State};
