//! The subcommands of `repfuzz`.

pub mod fuzz;
