//! Trials follow a client's program on a file of which only the tags are known.
//!
//! The values that a client requests from libtiff are those of [`Facts`]; all other values are unknown. Conditions
//! whose values follow are decided, so a trial finds the interfaces through which the client may read the pixels of
//! such a file. If two trials with different values of a tag take the same edges, and no value that comes from the tag
//! is used elsewhere, the client does not depend on the tag.
//!
//! The analysis is a constant propagation with sets of up to eight constants. It analyses each function once for each
//! tag that it receives as a constant. Struct members are global variables, so a trial may miss that two objects
//! differ. Therefore predictions are not proofs.

mod call;
mod facts;
mod live;
mod names;
mod run;
mod state;
mod value;

pub use facts::Facts;
pub use run::{Client, Trial};
pub use value::Mark;
