//! The coverage of a night: which clients read which seeds, compared with the last night.
//!
//! A finding that is no longer found may be fixed, or the client may no longer run. Coverage distinguishes the two:
//! everything that was read in an earlier night but not in this one is a [`Loss`] with a reason, until it is read again
//! or the loss is accepted.

mod broken;
mod compare;
mod facts;
mod losses;
mod model;
mod words;

pub use facts::{ClientFacts, SeedFacts};
pub use model::{Broken, ClientCoverage, Coverage, Loss, Tonight};
pub use words::{LossGroup, line, loss_groups, rows};

#[cfg(test)]
pub(super) mod tests;
