//! The integration tests of this crate, as one program: each file is linked but once.

mod dictionary;
mod docs;
mod emit;
mod even;
mod file_layouts;
mod hostile;
mod machine;
mod never_proved;
mod offsets;
mod once;
mod pipeline;
mod random_programs;
mod read_back;
mod replay;
mod small_specs;
mod structures;
mod suite;
mod support;
mod uses;
mod views;
