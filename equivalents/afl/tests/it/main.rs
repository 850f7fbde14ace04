//! The shared library of the mutator: as it is called, and as AFL++ uses it.

mod fuzzing;
mod library;
