//! Symbols: the types that events write or read, with the value if it is constant.

use std::collections::BTreeSet;
use std::fmt;

use indexmap::IndexSet;

/// The number of an event in an [`Alphabet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value that an event writes, or that it can read.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Any value of the type.
    Any,
    /// This constant.
    Is(i128),
    /// Any value but these constants.
    Except(BTreeSet<i128>),
    /// Any value except the constants of this type in the alphabet ([`Alphabet::atoms`]).
    Other,
}

/// One write or read of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The name of the type. It need not be a C type; the producer and the consumer only have to use the same name.
    pub kind: String,
    /// The value.
    pub value: Value,
}

impl Event {
    /// An event of any value.
    pub fn any(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), value: Value::Any }
    }

    /// An event with a constant.
    pub fn of(kind: impl Into<String>, value: i128) -> Self {
        Self { kind: kind.into(), value: Value::Is(value) }
    }

    /// Reads the form that [`fmt::Display`] writes: `byte`, `byte=31`, `byte!=31|139` or `byte=other`.
    pub fn parse(text: &str) -> Self {
        let Some((kind, value)) = text.rsplit_once('=') else { return Self::any(text) };
        if let Some(kind) = kind.strip_suffix('!')
            && let Ok(constants) = value.split('|').map(str::parse).collect()
        {
            return Self { kind: kind.to_owned(), value: Value::Except(constants) };
        }
        match value.parse() {
            Ok(value) => Self::of(kind, value),
            Err(_) if value == "other" => Self { kind: kind.to_owned(), value: Value::Other },
            Err(_) => Self::any(text),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Any => f.write_str(&self.kind),
            Value::Is(value) => write!(f, "{}={value}", self.kind),
            Value::Except(constants) => {
                let constants: Vec<String> = constants.iter().map(i128::to_string).collect();
                write!(f, "{}!={}", self.kind, constants.join("|"))
            }
            Value::Other => write!(f, "{}=other", self.kind),
        }
    }
}

/// The events that automata use as symbols, in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub struct Alphabet {
    events: IndexSet<Event>,
}

impl Alphabet {
    /// The symbol of an event; it is added if it is new.
    pub fn symbol(&mut self, event: Event) -> Symbol {
        let (index, _) = self.events.insert_full(event);
        Symbol(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The event of a symbol.
    ///
    /// # Panics
    ///
    /// Panics if the symbol belongs to another alphabet.
    pub fn event(&self, symbol: Symbol) -> &Event {
        &self.events[symbol.index()]
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns true if there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..u32::try_from(self.events.len()).unwrap_or(u32::MAX)).map(Symbol)
    }

    /// Returns the events that a symbol represents; no two of them share a value. If a type occurs with constants,
    /// [`Value::Any`] represents each constant and [`Value::Other`], and [`Value::Except`] represents those that it
    /// does not name.
    pub fn atoms(&mut self, symbol: Symbol) -> Vec<Symbol> {
        let event = self.event(symbol).clone();
        let none = BTreeSet::new();
        let without = match &event.value {
            Value::Any => &none,
            Value::Except(constants) => constants,
            Value::Is(_) | Value::Other => return vec![symbol],
        };
        let mut constants: IndexSet<i128> = IndexSet::new();
        for other in self.events.iter().filter(|other| other.kind == event.kind) {
            match &other.value {
                Value::Is(constant) => {
                    constants.insert(*constant);
                }
                Value::Except(excluded) => constants.extend(excluded),
                Value::Any | Value::Other => {}
            }
        }
        if constants.is_empty() {
            return vec![symbol];
        }
        let kind = &event.kind;
        let named = constants.into_iter().filter(|constant| !without.contains(constant));
        let mut atoms: Vec<Symbol> =
            named.map(|constant| self.symbol(Event::of(kind.clone(), constant))).collect();
        atoms.push(self.symbol(Event { kind: kind.clone(), value: Value::Other }));
        atoms
    }
}

#[cfg(test)]
mod tests {
    use super::{Alphabet, Event};

    #[test]
    fn events_are_read_as_they_are_written() {
        for text in ["byte", "byte=31", "byte=-1", "byte!=31|139", "byte=other", "a!b", "a!=x"] {
            assert_eq!(Event::parse(text).to_string(), text);
        }
        assert_eq!(Event::parse("a!=x").kind, "a!=x");
    }

    #[test]
    fn atoms_have_no_value_in_common() {
        let mut alphabet = Alphabet::default();
        let symbols: Vec<_> = ["byte", "byte!=1", "byte=2", "word"]
            .map(|text| alphabet.symbol(Event::parse(text)))
            .into();
        let mut atoms = |k: usize| -> Vec<String> {
            let atoms = alphabet.atoms(symbols[k]);
            atoms.into_iter().map(|atom| alphabet.event(atom).to_string()).collect()
        };
        assert_eq!(atoms(0), ["byte=1", "byte=2", "byte=other"]);
        assert_eq!(atoms(1), ["byte=2", "byte=other"]);
        assert_eq!(atoms(2), ["byte=2"]);
        assert_eq!(atoms(3), ["word"]);
    }
}
