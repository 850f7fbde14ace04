//! Files that were read, and files that mean the same.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use equivalents::{
    Canonical, Choices, Equivalent, Equivalents, Format, MAX_SIZE, Restriction, Shrinking,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::choices;
use crate::errors::{NoVariant, NotRead, NotReplayed};

/// A file that was read once, and of which many equivalents are made.
#[pyclass(frozen, subclass, module = "repfuzz")]
pub struct Seed {
    /// The file.
    #[pyo3(get)]
    data: Py<PyBytes>,
    format: Format,
    files: Equivalents,
    /// The maximum number of bytes that a file may take once it is decoded.
    max_size: u64,
}

impl Seed {
    /// Builds the file that differs from `seed` in `choices`.
    ///
    /// # Errors
    ///
    /// Returns [`NotReplayed`].
    pub fn rebuild(py: Python<'_>, seed: &Bound<'_, Self>, choices: &Choices) -> PyResult<Variant> {
        let files = &seed.get().files;
        let made = py.detach(|| files.replay(choices));
        match made {
            Ok(made) => Ok(Variant::new(py, seed.clone().unbind(), made)),
            Err(why) => Err(NotReplayed::new_err(why.to_string())),
        }
    }
}

#[pymethods]
impl Seed {
    /// Reads a file of a format that ships, or of the format described by the spec at a path, which may take `max_size`
    /// bytes once it is decoded.
    #[new]
    #[pyo3(signature = (data, format, spec=None, max_size=MAX_SIZE))]
    fn new(
        py: Python<'_>,
        data: Bound<'_, PyBytes>,
        format: &str,
        spec: Option<PathBuf>,
        max_size: u64,
    ) -> PyResult<Self> {
        let bytes = data.as_bytes();
        let read = py.detach(|| {
            let format = spec.map_or_else(|| Format::shipped(format), Format::from_file)?;
            Ok((format.equivalents_within(bytes, max_size)?, format))
        });
        let (files, format) =
            read.map_err(|why: equivalents::NotRead| NotRead::new_err(why.to_string()))?;
        Ok(Self { data: data.unbind(), format, files, max_size })
    }

    /// The names of the dimensions in which files that mean the same differ.
    #[getter]
    fn dimensions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = py.detach(|| self.files.dimensions());
        PyList::new(py, names)
    }

    /// Returns the canonical value: `(height, width, samples)` of a picture, else a text and whether it is JSON.
    fn _canonical<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match py.detach(|| self.files.canonical()) {
            Canonical::Picture(picture) => {
                let samples = picture.rgba();
                let bytes = PyBytes::new_with(py, 2 * samples.len(), |out| {
                    for (cell, sample) in out.chunks_exact_mut(2).zip(samples) {
                        cell.copy_from_slice(&sample.to_ne_bytes());
                    }
                    Ok(())
                })?;
                (picture.height(), picture.width(), bytes).into_pyobject(py).map(Bound::into_any)
            }
            Canonical::Value(text) => {
                let json = matches!(self.format, Format::Spec(_));
                (text, json).into_pyobject(py).map(Bound::into_any)
            }
        }
    }

    /// Iterates over files that mean the same.
    #[pyo3(signature = (n=Some(100), seed=1, vary=None, without=None, fix=None))]
    fn _variants(
        this: &Bound<'_, Self>,
        n: Option<u64>,
        seed: u64,
        vary: Option<Vec<String>>,
        without: Option<Vec<String>>,
        fix: Option<Vec<String>>,
    ) -> PyResult<Variants> {
        let (vary, without) = (vary.unwrap_or_default(), without.unwrap_or_default());
        let restriction =
            Restriction::new().vary(vary).without(without).fix_texts(fix.unwrap_or_default());
        let files = this.get().files.clone().of_run(seed);
        let files = match restriction.is_empty() {
            true => files,
            false => this
                .py()
                .detach(|| files.restricted(&restriction))
                .map_err(|why| PyValueError::new_err(why.to_string()))?,
        };
        Ok(Variants::new(this.clone().unbind(), files, n))
    }

    /// Returns the file that differs from this one only in `choices`, and means the same.
    fn replay(this: &Bound<'_, Self>, choices: &Bound<'_, PyDict>) -> PyResult<Variant> {
        Self::rebuild(this.py(), this, &choices::of_dict(choices)?)
    }

    /// Returns true if `data` is a file that means the same; false if it means something else.
    fn equals(&self, py: Python<'_>, data: &Bound<'_, PyBytes>) -> PyResult<bool> {
        let bytes = data.as_bytes();
        py.detach(|| self.format.is_equivalent_within(bytes, &self.files, self.max_size))
            .map_err(|why| NotRead::new_err(why.to_string()))
    }

    /// Returns the file that differs least from this one and still fails like `variant`; `None` if `variant` does not
    /// fail when it is built again. `fails` is called with variants.
    fn shrink(
        this: &Bound<'_, Self>,
        variant: &Bound<'_, Variant>,
        fails: &Bound<'_, PyAny>,
    ) -> PyResult<Option<Variant>> {
        let py = this.py();
        let wrapped = |file| Bound::new(py, Variant::new(py, this.clone().unbind(), file));
        let files = &this.get().files;
        let start = variant.get().equivalent(py);
        let mut search = match variant.get().is_of(this) {
            true => files.shrinking(start),
            // The variant was made from another seed, which must mean the same as this one.
            false => Shrinking::of_equivalent(&this.get().format, files, start)
                .map_err(|why| NotRead::new_err(why.to_string()))?
                .ok_or_else(|| {
                    PyValueError::new_err("the variant does not mean what this seed means")
                })?,
        };
        if !fails.call1((wrapped(search.best().clone())?,))?.is_truthy()? {
            return Ok(None);
        }
        while let Some(file) = py.detach(|| search.next().cloned()) {
            let answer = fails.call1((wrapped(file)?,))?.is_truthy()?;
            search.answer(answer);
        }
        Ok(Some(Variant::new(py, this.clone().unbind(), search.best().clone())))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("Seed({} bytes)", self.data.as_bytes(py).len())
    }
}

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
    /// Wraps a file made from `seed`.
    pub fn new(py: Python<'_>, seed: Py<Seed>, mut made: Equivalent) -> Self {
        let data = PyBytes::new(py, &made.bytes).unbind();
        // The bytes are kept in a Python object.
        made.bytes = Vec::new();
        Self { data, seed, made }
    }

    /// Returns true if it was made from this seed.
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

    /// Its class by the standard, "baseline" if every reader must accept it, "extension" or "questionable".
    #[getter]
    fn legality(&self) -> &'static str {
        self.made.class.word()
    }

    /// Returns the file with these choices that means the same as another seed.
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

/// An iterator over files that mean the same as a seed.
#[pyclass(frozen, module = "repfuzz")]
pub struct Variants {
    seed: Py<Seed>,
    /// The remaining files, and their number; `None` for no limit.
    rest: Mutex<(Equivalents, Option<u64>)>,
}

impl Variants {
    /// Iterates over the first `n` of `files`, which are made from `seed`.
    pub fn new(seed: Py<Seed>, files: Equivalents, n: Option<u64>) -> Self {
        Self { seed, rest: Mutex::new((files, n)) }
    }
}

#[pymethods]
impl Variants {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// Returns the first file of a run, if there is one; with `dimensions`, one in which only these vary.
    #[pyo3(signature = (run, dimensions=None))]
    fn _first(&self, py: Python<'_>, run: u64, dimensions: Option<Vec<String>>) -> Option<Variant> {
        let files = self.rest.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let made = py.detach(|| match dimensions {
            Some(dimensions) => files.varying(run, &dimensions),
            None => files.of_run(run).next(),
        });
        made.map(|made| Variant::new(py, self.seed.clone_ref(py), made))
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Variant>> {
        let next = py.detach(|| {
            let mut rest = self.rest.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(left) = &mut rest.1 {
                *left = left.checked_sub(1)?;
            }
            let made = rest.0.next();
            Some(made.ok_or_else(|| rest.0.failure().unwrap_or_default().to_owned()))
        });
        match next {
            None => Ok(None),
            Some(Ok(made)) => Ok(Some(Variant::new(py, self.seed.clone_ref(py), made))),
            Some(Err(why)) => Err(NoVariant::new_err(format!("no variant can be made: {why}"))),
        }
    }
}
