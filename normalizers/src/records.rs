//! The records of specs that have been read: those that ship, and those of the program's cache.

use std::sync::OnceLock;

use inverter::check::{DiskCache, Records};

static ALL: OnceLock<Records> = OnceLock::new();

/// Returns the records of the specs that ship.
fn shipped() -> Records {
    Records::new(include_str!("../specs/checked.txt"))
}

/// Keeps programs and inverses of all specs that this process reads in a cache, unless it has already read some.
pub fn cache_in(cache: DiskCache) {
    // A second cache, or a late one, has no effect.
    let _ = ALL.set(shipped().cached(cache));
}

/// Returns all records.
pub(crate) fn all() -> &'static Records {
    ALL.get_or_init(shipped)
}
