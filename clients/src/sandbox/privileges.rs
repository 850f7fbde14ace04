//! Gives up the privileges of root permanently.

use std::io;

use rustix::thread::{CapabilitySet, CapabilitySets};

/// Removes all capabilities from the calling process, and from all programs that it executes.
///
/// # Errors
///
/// Returns an error if capabilities remain.
pub(super) fn drop_all() -> io::Result<()> {
    for capability in CapabilitySet::all().iter() {
        // A process that may not remove capabilities from the bounding set has none that exec would restore.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(rustix::thread::set_capabilities(None, sets)?)
}
