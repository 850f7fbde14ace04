//! The subcommands of `repfuzz`.

pub mod clients;
pub mod fuzz;
