//! Sandboxes: no network, no access to outside sockets or processes, and no writable folder except the scratch folder.
//!
//! Prefers bubblewrap if it is installed and may create namespaces: it adds a process namespace, and hides the folders
//! of sockets. Otherwise repfuzz uses the kernel directly: Landlock for files and signals, and user, network, IPC and
//! mount namespaces as far as permitted. In both cases, a filter refuses the remaining system calls. [`Guarantee`]
//! lists what each guarantees; `limits` tests it.

mod best;
mod bubblewrap;
mod confined;
mod filter;
mod guarantee;
mod hidden;
mod kernel;
mod limits;
mod method;
mod mounts;
mod privileges;
mod self_test;

pub use bubblewrap::Bubblewrap;
pub(crate) use confined::Place;
pub use guarantee::{Guarantee, Hold};
pub use hidden::hide;
pub(crate) use hidden::number as hidden_files;
pub use kernel::Kernel;
pub use method::{FALLBACK, LIMITS_ONLY, OR, Sandbox};
