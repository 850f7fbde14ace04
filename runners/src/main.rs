//! The `repfuzz` command.

fn main() {}
