//! The clients of a run, and those that cannot be used.

use crate::Client;

/// A client that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientFailure {
    /// Its name; `None` if the description cannot be read.
    pub name: Option<String>,
    /// The reason, in one line.
    pub why: String,
}

/// The clients that work, and the reasons why others do not.
pub struct Selection {
    /// The clients that can be used.
    pub clients: Vec<Box<dyn Client>>,
    /// The clients that cannot be used.
    pub failures: Vec<ClientFailure>,
}
