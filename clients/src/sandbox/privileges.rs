//! The privileges of root, given up for good.

use std::io;

use rustix::thread::{CapabilitySet, CapabilitySets};

/// Takes all capabilities from the calling process, and from all programs that it executes.
///
/// # Errors
///
/// Returns an error if capabilities remain.
pub(super) fn drop_all() -> io::Result<()> {
    for capability in CapabilitySet::all().iter() {
        // Who may not remove any from the bounding set has none that exec would restore.
        let _ = rustix::thread::remove_capability_from_bounding_set(capability);
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    Ok(rustix::thread::set_capabilities(None, sets)?)
}
