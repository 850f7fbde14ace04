//! Sandboxes: no network, and no writable folder but the scratch folder.
//!
//! Prefers bubblewrap if it is installed and may create namespaces: it adds a process namespace,
//! so that no descendant outlives the program. Otherwise repfuzz uses the kernel directly:
//! Landlock for files and TCP, a user and a network namespace as far as permitted.

mod best;
mod bubblewrap;
mod kernel;
mod method;
mod self_test;

pub use bubblewrap::Bubblewrap;
pub use kernel::Kernel;
pub use method::{LIMITS_ONLY, Sandbox};
