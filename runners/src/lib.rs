//! The command line of `repfuzz`. Each subcommand is a file in [`cli`]. Campaigns on sequences of [calls] to libraries
//! are here as well.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod calls;
pub mod cli;
