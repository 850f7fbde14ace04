//! Trials: a client's program is followed on a file of which only the tags are known.
//!
//! The values that a client asks libtiff for are those of [`Facts`]; everything else may be
//! anything. Conditions whose values follow are decided, so that a trial tells by which interface
//! the pixels of such a file may be read. If a tag has two values in two trials that take the same
//! edges, and no value that comes from the tag goes anywhere else, the client does not
//! depend on it.
//!
//! The analysis is a constant propagation with sets of up to eight constants, for each function
//! once for each tag that it is given as a constant. Members of structs are variables of the
//! program, so that a trial may miss that two objects differ: predictions are no proofs.

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
