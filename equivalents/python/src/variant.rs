//! Files that mean what a seed means, and the iterator over them.

use std::sync::{Mutex, PoisonError};

use equivalents::{Equivalent, Equivalents};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::choices;
use crate::seed::Seed;

/// A file that means what its seed means.
#[pyclass(frozen, module = "repfuzz")]
pub struct Variant {
    /// The file.
    #[pyo3(get)]
    data: Py<PyBytes>,
    /// The seed that it is equivalent to.
    #[pyo3(get)]
    seed: Py<Seed>,
    made: Equivalent,
}

impl Variant {
    /// Wraps a file that was made of `seed`.
    pub fn new(py: Python<'_>, seed: Py<Seed>, mut made: Equivalent) -> Self {
        let data = PyBytes::new(py, &made.bytes).unbind();
        // Python has the bytes.
        made.bytes = Vec::new();
        Self { data, seed, made }
    }

    /// Returns true if it was made of this seed.
    pub fn is_of(&self, seed: &Bound<'_, Seed>) -> bool {
        self.seed.is(seed)
    }

    /// Returns the file in the form of the library.
    pub fn equivalent(&self, py: Python<'_>) -> Equivalent {
        Equivalent { bytes: self.data.as_bytes(py).to_vec(), ..self.made.clone() }
    }
}

#[pymethods]
impl Variant {
    /// The choices in which it differs from the seed.
    #[getter]
    fn choices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        choices::to_dict(py, &self.made.choices)
    }

    /// Whether every reader must accept it by the standard: "baseline", "extension" or "questionable".
    #[getter]
    fn legality(&self) -> &'static str {
        self.made.class.word()
    }

    /// Returns the file with these choices that means what another seed means.
    fn replay(&self, py: Python<'_>, seed: &Bound<'_, Seed>) -> PyResult<Self> {
        Seed::rebuild(py, seed, &self.made.choices)
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.data.clone_ref(py)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.data.as_bytes(py).len()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, Self>) -> bool {
        self.data.as_bytes(py) == other.get().data.as_bytes(py)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.data.bind(py).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let choices = self.choices(py)?.repr()?.to_string();
        Ok(format!("Variant({} bytes, {choices})", self.__len__(py)))
    }
}

/// An iterator over files that mean what a seed means.
#[pyclass(frozen, module = "repfuzz")]
pub struct Variants {
    seed: Py<Seed>,
    /// The files that follow, and how many of them; `None` for no limit.
    rest: Mutex<(Equivalents, Option<u64>)>,
}

impl Variants {
    /// Iterates over the first `n` of `files`, which are made of `seed`.
    pub fn new(seed: Py<Seed>, files: Equivalents, n: Option<u64>) -> Self {
        Self { seed, rest: Mutex::new((files, n)) }
    }
}

#[pymethods]
impl Variants {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Returns the first file of a run in which only these dimensions vary, if there is one.
    fn _varying(&self, py: Python<'_>, run: u64, dimensions: Vec<String>) -> Option<Variant> {
        let files = self.rest.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let made = py.detach(|| files.varying(run, &dimensions))?;
        Some(Variant::new(py, self.seed.clone_ref(py), made))
    }

    /// Returns the first file of a run, if there is one.
    fn _first(&self, py: Python<'_>, run: u64) -> Option<Variant> {
        let files = self.rest.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let made = py.detach(|| files.of_run(run).next())?;
        Some(Variant::new(py, self.seed.clone_ref(py), made))
    }

    fn __next__(&self, py: Python<'_>) -> Option<Variant> {
        let next = py.detach(|| {
            let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(left) = &mut rest.1 {
                *left = left.checked_sub(1)?;
            }
            rest.0.next()
        });
        next.map(|made| Variant::new(py, self.seed.clone_ref(py), made))
    }
}
