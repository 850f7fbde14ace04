//! The command line of `repfuzz`: the subcommands are in [`cli`], a file each. Campaigns on sequences of
//! [calls] to libraries are here as well.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod calls;
pub mod cli;
