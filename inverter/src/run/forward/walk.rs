//! The statements of programs with walks, and growing outputs: their lengths are often sums that a walk computes, which
//! are known only when the walk ends.

use fixedbitset::FixedBitSet;

use super::Forward;
use crate::program::codes::Summed;
use crate::program::walk::{Encoding, Read, Walk};
use crate::program::{FieldId, Length, Span};
use crate::run::error::RunError;
use crate::run::store::{Array, Cells, Slot, width};
use crate::run::{Bytes, MAX_CELLS};

impl Forward<'_> {
    /// Runs a statement of a walk.
    pub(super) fn walk(&mut self, walk: &Walk, span: Span) -> Result<(), RunError> {
        match walk {
            Walk::Set { var, value } => {
                self.vars[var.0] = self.eval(value, span)?;
                Ok(())
            }
            Walk::Read(read) => self.read_number(read, span),
            Walk::While { cond, body, .. } => {
                loop {
                    let mut env = self.env();
                    let another =
                        env.holds(cond, span).map_err(|stop| stop.into_error(&self.env(), span))?;
                    if let Some(course) = &mut self.course
                        && another
                    {
                        course.loops.insert(span);
                    }
                    if !another {
                        break;
                    }
                    self.steps.take(1, &self.program.source, span)?;
                    self.block(body)?;
                }
                Ok(())
            }
            Walk::Sum { number, of } => {
                let (number, sum) = (self.eval(number, span)?, self.sum(of, span)?);
                if number != sum {
                    let message = format!("the sum is {sum}, and these bytes say {number}");
                    return Err(RunError::at(&self.program.source, span, message));
                }
                Ok(())
            }
        }
    }

    fn read_number(&mut self, read: &Read, span: Span) -> Result<(), RunError> {
        let at = self.eval(&read.at, span)?;
        let all = self.bytes(read.array, span)?;
        let from = usize::try_from(at).unwrap_or(usize::MAX);
        let found = match read.encoding {
            Encoding::Fixed(form) => {
                let bytes = all.window(from..from.saturating_add(form.bytes));
                (bytes.len() == form.bytes).then(|| (form.read(&bytes), form.bytes))
            }
            Encoding::Coded(code) => {
                let most = code.size(code.widths().last().copied().unwrap_or(0));
                code.decode(&all.window(from..from.saturating_add(most)))
            }
        };
        let Some((number, width)) = found else {
            let name = &self.program.input.fields[read.array].name;
            let message = match read.encoding {
                Encoding::Coded(_) if from < all.len() => {
                    format!("the bytes of {name} at {at} are no number of this form")
                }
                _ => format!("{name} has {} bytes: it ends before these at {at}", all.len()),
            };
            return Err(RunError::at(&self.program.source, span, message));
        };
        self.vars[read.number.0] = number;
        if let Some(var) = read.width {
            self.vars[var.0] = width as i128;
        }
        Ok(())
    }

    /// Returns the bytes of an input array.
    fn bytes(&self, array: FieldId, span: Span) -> Result<&Bytes, RunError> {
        match &self.input.slots[array] {
            Slot::Array(Array { cells: Cells::U8(all), .. }, _) => Ok(all),
            _ => Err(RunError::at(&self.program.source, span, "there are no bytes")),
        }
    }

    fn sum(&mut self, of: &Summed, span: Span) -> Result<i128, RunError> {
        let (start, end) = (self.eval(&of.start, span)?, self.eval(&of.end, span)?);
        let all = self.bytes(of.array, span)?;
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        let Some((start, end)) = range.filter(|(s, e)| s <= e && *e <= all.len()) else {
            let message = format!("there are no bytes from {start} to {end}");
            return Err(RunError::at(&self.program.source, span, message));
        };
        Ok(of.sum.of(&all.window(start..end)))
    }

    /// Creates an output array that grows along its first dimension as elements are assigned, because its length is not
    /// known yet. Returns false if the length of another dimension is unknown.
    pub(super) fn grow(&mut self, field: FieldId, span: Span) -> bool {
        let f = &self.program.output.fields[field];
        let mut lengths = vec![0];
        for length in f.lengths.iter().skip(1) {
            let Length::Is(e) = length else { return false };
            let env = self.env();
            let Some(n) = env.eval(e, span).ok().and_then(|n| usize::try_from(n).ok()) else {
                return false;
            };
            lengths.push(n);
        }
        let Some(array) = Array::zeros(f.int, lengths) else { return false };
        self.output.slots[field] = Slot::Array(array, FixedBitSet::new());
        self.growing.insert(field);
        true
    }

    /// Makes room for an element of an array that grows.
    pub(super) fn make_room(
        &mut self,
        field: FieldId,
        index: i128,
        span: Span,
    ) -> Result<(), RunError> {
        let f = &self.program.output.fields[field];
        let Slot::Array(array, assigned) = &mut self.output.slots[field] else { return Ok(()) };
        let rows = usize::try_from(index).unwrap_or(0).saturating_add(1);
        if index < 0 || rows <= array.lengths[0] {
            return Ok(());
        }
        let row: usize = array.lengths.iter().skip(1).product();
        let cells = rows.checked_mul(row).filter(|n| *n <= MAX_CELLS);
        let Some(cells) = cells else {
            let message = format!("{} is too large", f.name);
            return Err(RunError::at(&self.program.source, span, message));
        };
        let more = cells.saturating_sub(array.cells.len());
        let bytes = more as u64 * width(f.int) as u64;
        self.room.take(bytes, &f.name, &self.program.source, span)?;
        for _ in 0..more {
            array.cells.push(0);
        }
        array.lengths[0] = rows;
        assigned.grow(cells);
        Ok(())
    }

    /// Checks that an array that grew has the declared length.
    pub(super) fn has_grown(&mut self, field: FieldId) -> Result<(), RunError> {
        let f = &self.program.output.fields[field];
        let declared = self.lengths(field, f.span)?;
        let Slot::Array(array, _) = &self.output.slots[field] else { return Ok(()) };
        // The number of empty rows is not visible.
        if array.lengths == declared || array.cells.is_empty() && declared.contains(&0) {
            if let Slot::Array(array, _) = &mut self.output.slots[field] {
                array.lengths = declared;
            }
            return Ok(());
        }
        let (made, declared) = (array.lengths[0], declared.first().copied().unwrap_or(0));
        let message = format!("{} gets {made} elements, where {declared} are declared", f.name);
        Err(RunError::at(&self.program.source, f.span, message))
    }
}
