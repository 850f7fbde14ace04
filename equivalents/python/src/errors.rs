//! Exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    repfuzz,
    NotRead,
    PyValueError,
    "A spec has errors, or a file is not of its format or has a feature that is not supported."
);
create_exception!(
    repfuzz,
    NoVariant,
    PyValueError,
    "A hundred attempts in a row made no file that means what the seed means."
);
create_exception!(
    repfuzz,
    NotReplayed,
    PyValueError,
    "No file that means what the seed means has these choices."
);
