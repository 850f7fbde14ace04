//! The records of what is proved of the specs that ship.

use std::sync::OnceLock;

use inverter::check::Records;

/// Returns the records of all specs that ship.
pub fn all() -> &'static Records {
    static ALL: OnceLock<Records> = OnceLock::new();
    ALL.get_or_init(|| Records::new(include_str!("../specs/checked.txt")))
}
