//! Files as values: numbers in bytes are read before normalization, and lengths are written after
//! inversion.
//!
//! A program over a file takes one array of bytes; its *views* name numbers in these bytes, which become hidden scalars
//! of the input. Bytes that encode the length of an array are written last, once the length is determined.

use fixedbitset::FixedBitSet;

use super::MAX_CELLS;
use super::error::RunError;
use super::eval::{Env, Stop};
use super::steps::Steps;
use super::store::{Array, Cells, FieldValue, Record, Slot, Store};
use crate::program::views::{Around, Bytes, FARTHEST, Last, Source, StoredLength, View};
use crate::program::{Expr, FieldId, Length, Pred, Program, Span};

/// Returns the input for a file, for a program that takes one array of bytes and nothing else.
///
/// # Errors
///
/// Returns an error if the program takes something else, the file ends before a number that is read from it, or an
/// encoded length is wrong.
pub fn open(program: &Program, file: Vec<u8>) -> Result<Record, RunError> {
    let f = &program.input.fields[whole(program)?];
    if f.lengths != [Length::Free] && program.length_of(FieldId(0)).is_none() {
        let message = format!("a file has any length, but `{}` has a declared one", f.name);
        return Err(RunError::at(&program.source, f.span, message));
    }
    complete(program, vec![FieldValue::Array(Array::bytes(file))])
}

/// Returns the file for an input of such a program.
///
/// # Errors
///
/// Returns an error if the program takes something else.
pub fn file(program: &Program, x: Record) -> Result<Vec<u8>, RunError> {
    let field = whole(program)?;
    match x.fields.into_iter().nth(field.0) {
        Some(FieldValue::Array(Array { cells: Cells::U8(bytes), .. })) => Ok(bytes.into_vec()),
        _ => Ok(Vec::new()),
    }
}

/// Returns the one array of bytes that the program takes.
fn whole(program: &Program) -> Result<FieldId, RunError> {
    let declared = &program.input.fields[..program.input.fields.len() - program.views.len()];
    match declared {
        [f] if f.int == crate::program::IntType::U8 && f.lengths.len() == 1 => Ok(FieldId(0)),
        _ => {
            let span = declared.get(1).or(declared.first()).map(|f| f.span).unwrap_or_default();
            let message = format!(
                "a format's first record is the file and nothing else: `struct {} {{ file: [u8] \
                 }}`; what else it says is read from the file, as in `let width = \
                 u16le(x.file, 4);`",
                program.input.type_name
            );
            Err(RunError::at(&program.source, span, message))
        }
    }
}

/// Returns the input with these declared fields, and the numbers that are read from bytes.
///
/// # Errors
///
/// Returns an error if an array ends before a number that is read from it, or an encoded length is wrong.
pub fn complete(program: &Program, declared: Vec<FieldValue>) -> Result<Record, RunError> {
    let mut store = Store::whole(Record { fields: declared });
    store.slots.resize(program.input.fields.len(), Slot::Unset);
    let steps = Steps::default();
    store.slots.iter().for_each(|slot| steps.allow(slot.cells()));
    let (output, mut vars) = (Store::unset(&program.output), vec![0; program.vars.len()]);
    // A number may be an element of an array that is declared after it.
    for view in &program.views {
        let read = Reading { program, store: &store, output: &output, steps: &steps, view };
        store.slots[view.field] = read.value(&mut vars)?;
    }
    for stored in &program.stored_lengths {
        let Some((at, length)) = place(program, &store, stored)? else { continue };
        let found = read(program, &store, &stored.bytes, at)?;
        if found != length {
            let message = format!("these bytes say {found}, and it is {length}");
            return Err(RunError::at(&program.source, stored.bytes.span, message));
        }
    }
    Ok(store.into_record())
}

/// Writes the lengths that bytes encode into an otherwise complete input.
///
/// # Errors
///
/// Returns an error if a length does not fit its bytes.
pub(super) fn write_back(program: &Program, x: &mut Record) -> Result<(), RunError> {
    if program.stored_lengths.is_empty() {
        return Ok(());
    }
    let store = Store::full(x);
    for stored in &program.stored_lengths {
        let Some((at, length)) = place(program, &store, stored)? else { continue };
        let (least, most) = stored.bytes.form.range();
        let source = &program.source;
        if length < least || most < length {
            let why = RunError::at(source, stored.bytes.span, format!("{length} does not fit"));
            return Err(RunError::NoRepresentation(why.to_string()));
        }
        let Some(FieldValue::Array(Array { cells: Cells::U8(all), .. })) =
            x.fields.get_mut(stored.bytes.array.0)
        else {
            continue;
        };
        let end = at.saturating_add(stored.bytes.form.bytes);
        if let Some(bytes) = all.get_mut(at..end) {
            stored.bytes.form.write(length, bytes);
        }
    }
    Ok(())
}

/// Returns the position of an encoded length, and its required value; `None` if its guards fail.
fn place(
    program: &Program,
    store: &Store,
    stored: &StoredLength,
) -> Result<Option<(usize, i128)>, RunError> {
    let span = stored.bytes.span;
    for guard in &stored.guards {
        if !holds(program, store, guard, span)? {
            return Ok(None);
        }
    }
    let at = eval(program, store, &stored.bytes.at, span)?;
    let Slot::Array(a, _) = &store.slots[stored.bytes.array] else { return Ok(None) };
    let length = a.cells.len() as i128 + stored.plus;
    Ok(usize::try_from(at).ok().map(|at| (at, length)))
}

/// A view, and the data from which it is read.
struct Reading<'a> {
    program: &'a Program,
    store: &'a Store,
    /// No output, because views read only the representation.
    output: &'a Store,
    steps: &'a Steps,
    view: &'a View,
}

impl Reading<'_> {
    /// Reads the number, or the array of numbers of all iterations of its loops; an element that no iteration reads is
    /// 0.
    fn value(&self, vars: &mut Vec<i128>) -> Result<Slot, RunError> {
        let program = self.program;
        let mut env = Env {
            steps: self.steps,
            program,
            input: self.store,
            output: self.output,
            conditions: None,
            vars,
        };
        let f = &program.input.fields[self.view.field];
        if self.view.loops.is_empty() {
            return self.guarded(&mut env).map(Slot::Scalar);
        }
        let mut found = Vec::new();
        let mut lengths = vec![0; self.view.loops.len()];
        self.numbers(&mut env, [0; 3], 0, &mut lengths, &mut found)?;
        for (length, declared) in lengths.iter_mut().zip(&f.lengths) {
            if let Length::Is(e) = declared {
                *length = self.eval(&env, e)?.max(0);
            }
        }
        let lengths: Option<Vec<usize>> =
            lengths.into_iter().map(|n| usize::try_from(n).ok()).collect();
        let cells = lengths.as_ref().and_then(|lengths| {
            lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l)).filter(|n| *n <= MAX_CELLS)
        });
        let array = cells.and_then(|_| Array::zeros(f.int, lengths.clone()?));
        let mut array = array.ok_or_else(|| {
            let size: Vec<String> = lengths.iter().flatten().map(ToString::to_string).collect();
            let message = format!("{} would be too large: {} elements", f.name, size.join(" x "));
            RunError::at(&program.source, self.view.span, message)
        })?;
        self.steps.allow(found.len());
        for (index, n) in found {
            if let Some(at) = array.place(&index[..array.lengths.len()]) {
                array.cells.set(at, n);
            }
        }
        Ok(Slot::Array(array, FixedBitSet::new()))
    }

    /// Reads the numbers of all iterations of the loops from `depth` on.
    fn numbers(
        &self,
        env: &mut Env<'_>,
        mut index: [i128; 3],
        depth: usize,
        lengths: &mut [i128],
        found: &mut Vec<([i128; 3], i128)>,
    ) -> Result<(), RunError> {
        let Some(Around { var, count }) = self.view.loops.get(depth) else {
            found.push((index, self.guarded(env)?));
            return Ok(());
        };
        let count = self.eval(env, count)?;
        lengths[depth] = lengths[depth].max(count);
        for k in 0..count {
            env.step(1, self.view.span)?;
            env.set_var(*var, k);
            index[depth] = k;
            self.numbers(env, index, depth + 1, lengths, found)?;
        }
        Ok(())
    }

    fn eval(&self, env: &Env<'_>, e: &Expr) -> Result<i128, RunError> {
        let span = self.view.span;
        env.eval(e, span).map_err(|stop| stop.into_error(env, span))
    }

    /// Reads the number; 0 if a condition fails.
    fn guarded(&self, env: &mut Env<'_>) -> Result<i128, RunError> {
        let span = self.view.span;
        for guard in &self.view.guards {
            if !env.holds(guard, span).map_err(|stop| stop.into_error(env, span))? {
                return Ok(0);
            }
        }
        self.number(env, &self.view.source)
    }

    fn number(&self, env: &mut Env<'_>, source: &Source) -> Result<i128, RunError> {
        match source {
            Source::Is(e) => self.eval(env, e),
            Source::Length(array) => Ok(self.store.slots[*array].cells() as i128),
            Source::Last(last) => self.last(last),
            Source::If(p, a, b) => {
                let span = self.view.span;
                let holds = env.holds(p, span).map_err(|stop| stop.into_error(env, span))?;
                self.number(env, if holds { a } else { b })
            }
            Source::Bytes(bytes) => {
                let at = self.eval(env, &bytes.at)?;
                read(self.program, self.store, bytes, usize::try_from(at).unwrap_or(usize::MAX))
            }
        }
    }
}

impl Reading<'_> {
    fn last(&self, last: &Last) -> Result<i128, RunError> {
        let found = match &self.store.slots[last.array] {
            Slot::Array(Array { cells: Cells::U8(all), .. }, _) => last.find(all),
            _ => None,
        };
        found.ok_or_else(|| {
            let name = &self.program.input.fields[last.array].name;
            let text = last.text.escape_ascii();
            let message = format!("the last {FARTHEST} bytes of {name} do not contain \"{text}\"");
            RunError::at(&self.program.source, self.view.span, message)
        })
    }
}

fn read(program: &Program, store: &Store, bytes: &Bytes, at: usize) -> Result<i128, RunError> {
    let Slot::Array(Array { cells: Cells::U8(all), .. }, _) = &store.slots[bytes.array] else {
        return Err(RunError::at(&program.source, bytes.span, "there are no bytes".to_owned()));
    };
    let found = at.checked_add(bytes.form.bytes).and_then(|end| all.get(at..end));
    found.map(|found| bytes.form.read(found)).ok_or_else(|| {
        let name = &program.input.fields[bytes.array].name;
        let message = format!("{name} has {} bytes: it ends before these at {at}", all.len());
        RunError::at(&program.source, bytes.span, message)
    })
}

fn eval(program: &Program, store: &Store, e: &Expr, span: Span) -> Result<i128, RunError> {
    in_env(program, store, span, |env| env.eval(e, span))
}

fn holds(program: &Program, store: &Store, p: &Pred, span: Span) -> Result<bool, RunError> {
    in_env(program, store, span, |env| env.holds(p, span))
}

fn in_env<T>(
    program: &Program,
    store: &Store,
    span: Span,
    run: impl FnOnce(&mut Env<'_>) -> Result<T, Stop>,
) -> Result<T, RunError> {
    let output = Store::unset(&program.output);
    let mut vars = vec![0; program.vars.len()];
    let steps = Steps::default();
    let mut env = Env {
        steps: &steps,
        program,
        input: store,
        output: &output,
        conditions: None,
        vars: &mut vars,
    };
    run(&mut env).map_err(|stop| stop.into_error(&env, span))
}
