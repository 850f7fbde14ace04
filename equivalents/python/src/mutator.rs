//! A custom mutator for fuzzers in Python.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use equivalents::Format;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::NotRead;

/// A custom mutator for fuzzers, which turns one file into another that means the same.
#[pyclass(frozen, module = "repfuzz")]
pub struct Mutator(Mutex<equivalents::Mutator>);

#[pymethods]
impl Mutator {
    /// Mutates files of a format that ships, or of the format described by the spec at a path.
    #[new]
    #[pyo3(signature = (format="tiff", spec=None))]
    fn new(py: Python<'_>, format: &str, spec: Option<PathBuf>) -> PyResult<Self> {
        let read = py.detach(|| spec.map_or_else(|| Format::shipped(format), Format::from_file));
        let format = read.map_err(|why| NotRead::new_err(why.to_string()))?;
        Ok(Self(Mutex::new(equivalents::Mutator::new(format))))
    }

    /// Returns another file of at most `max_size` bytes that means the same as `data`, derived from the number `seed`;
    /// `None` if `data` cannot be read or nothing fits.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'_, PyBytes>,
        max_size: usize,
        seed: u64,
    ) -> Option<Bound<'py, PyBytes>> {
        let file = data.as_bytes();
        let made = py.detach(|| {
            let mut mutator = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            mutator.mutate(file, max_size, seed)
        });
        made.map(|made| PyBytes::new(py, &made.bytes))
    }
}
