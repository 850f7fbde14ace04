//! Symbols: the types that events write or read, with the value if it is constant.

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

/// The value that an event writes, or that it is prepared to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Any value of the type.
    Any,
    /// This constant.
    Is(i128),
    /// Any value but the constants that the alphabet has of this type ([`Alphabet::atoms`]).
    Other,
}

/// One write or read of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The name of the type. It need not be one of C: producer and consumer only have to agree.
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

    /// Reads the form that [`fmt::Display`] writes: `byte`, `byte=31` or `byte=other`.
    pub fn parse(text: &str) -> Self {
        let Some((kind, value)) = text.rsplit_once('=') else { return Self::any(text) };
        match value.parse() {
            Ok(value) => Self::of(kind, value),
            Err(_) if value == "other" => Self { kind: kind.to_owned(), value: Value::Other },
            Err(_) => Self::any(text),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Value::Any => f.write_str(&self.kind),
            Value::Is(value) => write!(f, "{}={value}", self.kind),
            Value::Other => write!(f, "{}=other", self.kind),
        }
    }
}

/// The events that automata have as symbols, in the order in which they were met.
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
    /// If the symbol is of another alphabet.
    pub fn event(&self, symbol: Symbol) -> &Event {
        &self.events[symbol.index()]
    }

    /// Number of symbols.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// True if there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// All symbols.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..u32::try_from(self.events.len()).unwrap_or(u32::MAX)).map(Symbol)
    }

    /// The events that a symbol stands for, no two of which have a value in common: of a type that
    /// occurs with constants, [`Value::Any`] is each constant and [`Value::Other`].
    pub fn atoms(&mut self, symbol: Symbol) -> Vec<Symbol> {
        let event = self.event(symbol).clone();
        let constants: Vec<Symbol> = self
            .symbols()
            .filter(|s| {
                let other = self.event(*s);
                other.kind == event.kind && matches!(other.value, Value::Is(_))
            })
            .collect();
        if constants.is_empty() || event.value != Value::Any {
            return vec![symbol];
        }
        let other = self.symbol(Event { kind: event.kind, value: Value::Other });
        constants.into_iter().chain([other]).collect()
    }
}
