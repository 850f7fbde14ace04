//! The subcommands of `repfuzz`.
