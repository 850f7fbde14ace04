//! Choices as dictionaries: names of dimensions, and integers, lists of integers, or words.

use equivalents::{Choice, Choices};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// Converts choices to a dictionary, in their order.
pub fn to_dict<'py>(py: Python<'py>, choices: &Choices) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (dimension, value) in choices.iter() {
        match value {
            Choice::Int(n) => dict.set_item(dimension, n)?,
            Choice::List(items) => dict.set_item(dimension, items)?,
            Choice::Text(word) => dict.set_item(dimension, word)?,
        }
    }
    Ok(dict)
}

/// Converts a dictionary to choices.
///
/// # Errors
///
/// `TypeError`, if a value is not an integer, a list of integers, or a word.
pub fn of_dict(dict: &Bound<'_, PyDict>) -> PyResult<Choices> {
    let choice = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name: String = name.extract()?;
        let value = if value.is_instance_of::<PyString>() {
            Choice::Text(value.extract()?)
        } else if let Ok(items) = value.cast::<PyList>() {
            Choice::List(items.iter().map(|item| number(&name, &item)).collect::<PyResult<_>>()?)
        } else {
            Choice::Int(number(&name, &value)?)
        };
        Ok((name, value))
    };
    dict.iter().map(choice).collect()
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<i128> {
    let kind = value.get_type();
    value.extract::<i128>().map_err(|_| {
        PyTypeError::new_err(format!(
            "the choice {name:?} is {kind}; it must be an integer, a list of integers, or a str"
        ))
    })
}
