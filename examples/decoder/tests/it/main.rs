//! The example's decoder on equivalent files, and under a fuzzer.

mod equivalent;
mod fuzzing;
