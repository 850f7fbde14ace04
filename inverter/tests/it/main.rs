//! The integration tests of this crate, as one program: each file is linked but once.

mod dictionary;
mod docs;
mod hostile;
mod machine;
mod offsets;
mod once;
mod pipeline;
mod random_programs;
mod read_back;
mod replay;
mod small_specs;
mod support;
mod uses;
mod views;
