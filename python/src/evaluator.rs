//! Functions of Python that estimate positions, many at once.

use crate::error::{Failure, error};
use crate::game::Known;
use crate::position::{Position, array};
use proofplay_registry::{Batch, Guesses, Guide, Shape};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};
use std::sync::Arc;

/// The guide of a search of this game by a function. With an encoder it gets an array of planes, else a list of
/// positions.
pub fn guide(
    known: &Arc<Known>,
    function: Py<PyAny>,
    encoder: Option<&str>,
    failure: &Arc<Failure>,
) -> PyResult<Guide> {
    let encoder = encoder.map(|name| known.encoder(name)).transpose()?;
    let shape = encoder.as_ref().map(|encoder| encoder.shape());
    let (known, failure) = (Arc::clone(known), Arc::clone(failure));
    Ok(Guide::new(encoder, move |batch| {
        let answer = Python::attach(|py| ask(py, &function, &known, shape, batch));
        answer.unwrap_or_else(|error| failure.unwind(error))
    }))
}

/// Calls the function.
fn ask(
    py: Python<'_>,
    function: &Py<PyAny>,
    known: &Arc<Known>,
    shape: Option<Shape>,
    batch: &Batch,
) -> PyResult<Guesses> {
    let answer = match shape {
        None => {
            let positions = batch.positions.iter().map(|pos| Position::bare(known, pos.boxed()));
            function.bind(py).call1((PyList::new(
                py,
                positions.map(|pos| Py::new(py, pos)).collect::<PyResult<Vec<_>>>()?,
            )?,))?
        }
        Some(Shape { planes, rows, columns, globals, .. }) => {
            let shaped =
                array(py, &batch.planes)?.call_method1("reshape", (batch.count, planes, rows, columns))?;
            if globals == 0 {
                function.bind(py).call1((shaped,))?
            } else {
                let others = array(py, &batch.globals)?.call_method1("reshape", (batch.count, globals))?;
                function.bind(py).call1((shaped, others))?
            }
        }
    };
    let (values, policy) = match answer.cast::<PyTuple>() {
        Err(_) => (numbers(&answer)?, Vec::new()),
        Ok(pair) if pair.len() == 2 => (numbers(&pair.get_item(0)?)?, policy(&pair.get_item(1)?, shape)?),
        Ok(other) => {
            let count = other.len();
            return Err(error(format!(
                "the evaluator returns a tuple of {count}: expected values, or values and a policy"
            )));
        }
    };
    if values.len() != batch.count {
        let (found, count) = (values.len(), batch.count);
        return Err(PyValueError::new_err(format!(
            "the evaluator returns {found} values of {count} positions"
        )));
    }
    if !policy.is_empty() && policy.len() != batch.policy {
        let (found, wanted) = (policy.len(), batch.policy);
        return Err(PyValueError::new_err(format!(
            "the evaluator returns a policy of {found} numbers: expected {wanted}"
        )));
    }
    Ok(Guesses { values, policy })
}

/// A policy: an array, or without an encoder a list of numbers for the moves of each position.
fn policy(answer: &Bound<'_, PyAny>, shape: Option<Shape>) -> PyResult<Vec<f32>> {
    match (answer.is_none(), shape) {
        (true, _) => Ok(Vec::new()),
        (false, Some(_)) => numbers(answer),
        (false, None) => Ok(answer.extract::<Vec<Vec<f32>>>()?.concat()),
    }
}

/// All numbers of an array, or of whatever numpy makes an array of.
fn numbers(answer: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    let array = answer.py().import("numpy")?.call_method1("asarray", (answer, "float32"))?;
    let bytes = array.call_method0("tobytes")?;
    let chunks = bytes.cast::<PyBytes>()?.as_bytes().chunks_exact(4);
    Ok(chunks.map(|chunk| f32::from_ne_bytes([chunk[0], chunk[1], chunk[2], chunk[3]])).collect())
}
