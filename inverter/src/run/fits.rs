//! Whether a value is one of a record.

use super::error::RunError;
use super::eval::{Env, Stop};
use super::json::from_json;
use super::store::{Datum, Store, Value};
use crate::program::print::Show;
use crate::program::{Expr, Field, Length, Program, Side};

/// Checks that `value` is a value of one of a program's records: each field is there, its
/// numbers are in the range of its type, and its lengths are those declared.
///
/// # Errors
///
/// The first field that does not fit, with its place in the spec.
pub fn fits(program: &Program, side: Side, value: &Value) -> Result<(), RunError> {
    let record = program.record(side);
    if value.fields.len() != record.fields.len() {
        let span = record.fields.first().map(|f| f.span).unwrap_or_default();
        let (found, wanted) = (value.fields.len(), record.fields.len());
        let message = format!("{} has {wanted} fields, not {found}", record.type_name);
        return Err(RunError::at(&program.source, span, message));
    }
    let lengths = Lengths::new(program, side, value);
    for (f, datum) in record.fields.iter().zip(&value.fields) {
        let fail = |message: String| Err(RunError::at(&program.source, f.span, message));
        let (lo, hi) = f.int.range();
        match datum {
            Datum::Scalar(n) if f.is_scalar() => {
                if *n < lo || *n > hi {
                    return fail(format!("{n} does not fit {}, a {}", f.name, f.int));
                }
            }
            Datum::Array(a) if !f.is_scalar() && a.lengths.len() == f.lengths.len() => {
                if a.cells.int() != f.int {
                    return fail(format!("the elements of {} are no {}", f.name, f.int));
                }
                for (length, found) in f.lengths.iter().zip(&a.lengths) {
                    let Length::Is(e) = length else { continue };
                    let Some(declared) = lengths.of(f, e)? else { continue };
                    if declared != *found as i128 {
                        let name = &f.name;
                        let why = match e {
                            Expr::Int(_) => format!("{name} has length {found}, not {declared}"),
                            _ => {
                                let e = Show(program, e);
                                format!("{name} has length {found}, not {e} = {declared}")
                            }
                        };
                        return fail(why);
                    }
                }
            }
            _ => return fail(format!("{} has no value of its type", f.name)),
        }
    }
    Ok(())
}

/// The value of a record that `json` holds, checked.
///
/// # Errors
///
/// What does not fit, in one line.
pub fn read_json(program: &Program, side: Side, json: &serde_json::Value) -> Result<Value, String> {
    let record = program.record(side);
    let mut value = from_json(record, json)?;
    // How long the rows are is not to be seen where there are none.
    let mut unseen: Vec<(usize, usize, usize)> = Vec::new();
    let lengths = Lengths::new(program, side, &value);
    for (k, (f, datum)) in record.fields.iter().zip(&value.fields).enumerate() {
        let Datum::Array(a) = datum else { continue };
        let rows = a.lengths.iter().position(|n| *n == 0).unwrap_or(a.lengths.len());
        for (d, length) in f.lengths.iter().enumerate().skip(rows + 1) {
            if let Length::Is(e) = length
                && let Ok(Some(n)) = lengths.of(f, e)
            {
                unseen.push((k, d, usize::try_from(n).unwrap_or(0)));
            }
        }
    }
    for (k, d, n) in unseen {
        if let Datum::Array(a) = &mut value.fields[k] {
            a.lengths[d] = n;
        }
    }
    match fits(program, side, &value) {
        Ok(()) => Ok(value),
        Err(RunError::Refused { message, .. }) => Err(message),
        Err(other) => Err(other.to_string()),
    }
}

/// What the lengths of a record's arrays are, by its own scalars.
struct Lengths<'a> {
    program: &'a Program,
    input: Store,
    output: Store,
}

impl<'a> Lengths<'a> {
    fn new(program: &'a Program, side: Side, value: &Value) -> Self {
        // Arrays are in no length.
        let scalars = value.fields.iter().map(|d| match d {
            Datum::Scalar(n) => super::store::Slot::Scalar(*n),
            Datum::Array(_) => super::store::Slot::Unset,
        });
        let this = Store { slots: scalars.collect() };
        let (input, output) = match side {
            Side::Input => (this, Store::unset(&program.output)),
            Side::Output => (Store::unset(&program.input), this),
        };
        Self { program, input, output }
    }

    /// The value of the length `e`, at least 0; `None` if it has none here.
    fn of(&self, f: &Field, e: &Expr) -> Result<Option<i128>, RunError> {
        let mut vars = Vec::new();
        let (input, output) = (&self.input, &self.output);
        let env = Env { program: self.program, input, output, vars: &mut vars };
        match env.eval(e, f.span) {
            Ok(n) => Ok(Some(n.max(0))),
            Err(Stop::Error(e)) => Err(e),
            Err(Stop::Unset(..)) => Ok(None),
        }
    }
}
