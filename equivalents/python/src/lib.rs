//! The package `repfuzz` of Python, but for its parts in Python: equivalent files, and what they mean.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod choices;
mod seed;
mod variant;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    repfuzz,
    NotRead,
    PyValueError,
    "A spec has errors, or a file is not of its format or has a feature that is not supported."
);
create_exception!(
    repfuzz,
    NotReplayed,
    PyValueError,
    "No file that means what the seed means has these choices."
);

/// The part of the package that is not written in Python.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::seed::Seed;
    #[pymodule_export]
    use super::variant::{Variant, Variants};
    #[pymodule_export]
    use super::{NotRead, NotReplayed};
}
