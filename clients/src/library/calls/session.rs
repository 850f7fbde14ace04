//! Uses of a library, call by call.

use std::hash::{DefaultHasher, Hash, Hasher};

use interfaces::replay::Requested;

/// The result of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    /// It read nothing.
    Nothing,
    /// A digest of the data that it read.
    Data(u64),
    /// It failed, with this message.
    Failed(String),
    /// There is no such call.
    Unknown,
}

/// One use of a library.
pub(super) trait Session {
    /// The calls that read the whole picture in the plain order: one that opens the file, and one that reads.
    fn whole() -> [Requested; 2];
    /// Runs a call.
    fn call(&mut self, call: &Requested) -> Read;
    /// The calls before `call` in the plain order, from the current position in the file; `None` for a call that reads
    /// nothing.
    fn plain(&self, call: &Requested) -> Option<Vec<Requested>>;
}

/// A call without arguments.
pub(super) fn plain_call(name: &str) -> Requested {
    Requested { name: name.to_owned(), arguments: Vec::new() }
}

/// A call with one argument.
pub(super) fn call_with(name: &str, argument: i64) -> Requested {
    Requested { name: name.to_owned(), arguments: vec![argument] }
}

/// The result of a call that reads.
pub(super) fn read<T: Hash, E: std::fmt::Display>(result: Result<T, E>) -> Read {
    match result {
        Ok(value) => Read::Data(digest(&value)),
        Err(error) => Read::Failed(error.to_string()),
    }
}

/// The result of a call that reads nothing.
pub(super) fn done<E: std::fmt::Display>(result: Result<(), E>) -> Read {
    match result {
        Ok(()) => Read::Nothing,
        Err(error) => Read::Failed(error.to_string()),
    }
}

/// A digest of a value.
pub(super) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
