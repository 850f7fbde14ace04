//! The native part of the Python package `repfuzz`: equivalent files, and what they mean.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod choices;
mod errors;
mod mutator;
mod seed;

use pyo3::prelude::*;

/// The part of the package that is not written in Python.
#[pymodule]
mod _native {
    #[pymodule_export]
    const MAX_SIZE: u64 = equivalents::MAX_SIZE;
    #[pymodule_export]
    use super::errors::{NoVariant, NotRead, NotReplayed};
    #[pymodule_export]
    use super::mutator::Mutator;
    #[pymodule_export]
    use super::seed::{Seed, Variant, Variants};
}
