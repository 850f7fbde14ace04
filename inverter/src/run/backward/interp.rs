//! The interpreter of inverse programs.
//!
//! It executes the statements of the inverse in order on the assignment of a [`Backward`]; compiled top-level
//! statements run as code. For an ensure it calls the solvers. At the end it fills all variables that are still free.

use std::ops::Range;

use super::checks::writes::write_conflict;
use super::elements::ensure_elements;
use super::encode::encode;
use super::layout::ensure_places;
use super::occurrences::Occurrences;
use super::piece::run_piece;
use super::scalars::ensure_scalars;
use super::state::Backward;
use crate::invert::{DisjointnessStrategy, Ensure, EnsureId, EnsureKind, Inst, InstKind};
use crate::program::print::Show;
use crate::program::{FieldId, Ref, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::run::store::{Record, Slot};
use crate::run::views;

impl Backward<'_> {
    /// Runs these statements of the body, as code if they are compiled.
    pub fn statements(&mut self, range: Range<usize>) -> Result<(), RunError> {
        let (inverse, mut at) = (self.cx.inverse, range.start);
        while at < range.end {
            let (count, code) = inverse.piece(at).map_or((1, None), |(n, code)| (n, Some(code)));
            let insts = &inverse.body[at..at + count];
            if !code.is_some_and(|code| run_piece(self, code, insts[0].span)) {
                self.block(insts)?;
            }
            at += count;
        }
        Ok(())
    }

    fn block(&mut self, body: &[Inst]) -> Result<(), RunError> {
        for inst in body {
            let span = inst.span;
            match &inst.kind {
                InstKind::Assign { target, value } => {
                    let value = self.eval(value, span)?;
                    self.assign(target, value, span)?;
                }
                InstKind::Free(r) => self.free(r)?,
                InstKind::Assume(p, _) => {
                    if !self.holds(p, span)? {
                        let text = format!("{} does not hold", Show(self.cx.program, p));
                        return Err(self.cx.failed(span, &text));
                    }
                }
                InstKind::Ensure(n) => self.ensure(*n)?,
                InstKind::If { cond, then, els } => {
                    let branch = if self.holds(cond, span)? { then } else { els };
                    self.block(branch)?;
                }
                InstKind::For { var, count, body } => {
                    let count = self.eval(count, span)?;
                    for k in 0..count {
                        self.step(span)?;
                        self.set_var(*var, k);
                        self.block(body)?;
                    }
                }
                InstKind::Reserve { .. } => {}
                InstKind::Encode(e) => encode(self, e, span)?,
            }
        }
        Ok(())
    }

    fn ensure(&mut self, n: EnsureId) -> Result<(), RunError> {
        crate::solve::count::ensure();
        match &self.cx.inverse.ensures[n].kind {
            EnsureKind::Scalars(fields) => ensure_scalars(self, n, fields),
            EnsureKind::Elements(field) => ensure_elements(self, n, *field),
            EnsureKind::Places { array, .. } => ensure_places(self, n, *array),
        }
    }

    fn free(&mut self, r: &Ref) -> Result<(), RunError> {
        // Elements stay free until something reads them, or until the end.
        if r.index.is_empty() && self.assignment.is_unset(r.field) {
            self.free_scalar(r.field)?;
        }
        Ok(())
    }

    fn assign(&mut self, target: &Ref, value: i128, span: Span) -> Result<(), RunError> {
        let (cx, field) = (self.cx, target.field);
        let (lo, hi) = cx.range(field);
        if value < lo || value > hi {
            let why = format!("{} would have to be {value}", cx.name(field));
            return Err(cx.failed(span, &why));
        }
        if cx.program.input.fields[field].is_scalar() {
            return self.assign_scalar(field, value, span);
        }
        if self.assignment.is_unset(field) {
            self.allocate(field, span)?;
        }
        let at = loop {
            match self.env().locate(target, span) {
                Ok(at) => break at,
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.assign_free(field, at, span)?,
            }
        };
        let Slot::Array(array, known) = &mut self.assignment.input.slots[field] else {
            return Err(cx.failed(span, "an array has no elements"));
        };
        let old = array.cells.get(at);
        if known.put(at) && old != Some(value) {
            let (name, old) = (cx.name(field), old.unwrap_or_default());
            let why = format!("element {at} of {name} would have to be both {old} and {value}");
            return Err(cx.failed(span, &why));
        }
        array.cells.set(at, value);
        Ok(())
    }

    fn assign_scalar(&mut self, field: FieldId, value: i128, span: Span) -> Result<(), RunError> {
        let by_ensure = &mut self.assignment.by_ensure[field];
        match self.assignment.input.slots[field] {
            Slot::Scalar(old) if old != value && !*by_ensure => {
                let name = self.cx.name(field);
                let why = format!("{name} would have to be both {old} and {value}");
                Err(self.cx.failed(span, &why))
            }
            _ => {
                self.assignment.input.slots[field] = Slot::Scalar(value);
                *by_ensure = false;
                Ok(())
            }
        }
    }

    /// Before anything else, assigns the scalars that the canonical value alone determines, because the lengths of
    /// arrays may depend on them.
    pub fn assign_determined(&mut self) -> Result<(), RunError> {
        loop {
            let mut progress = false;
            for inst in &self.cx.inverse.body {
                let InstKind::Assign { target, value } = &inst.kind else { continue };
                if !target.index.is_empty() || !self.assignment.is_unset(target.field) {
                    continue;
                }
                let (lo, hi) = self.cx.range(target.field);
                match self.env().eval(value, inst.span) {
                    Ok(value) if (lo..=hi).contains(&value) => {
                        self.assign(target, value, inst.span)?;
                        progress = true;
                    }
                    // An ensure reports why there is none.
                    Ok(_) | Err(Stop::Unset(..)) => {}
                    Err(Stop::Error(e)) => return Err(e),
                }
            }
            if !progress {
                return Ok(());
            }
        }
    }

    /// Checks writes that depend on no choice. Writes that depend on a choice are checked when it is made.
    pub fn check_determined_writes(&mut self) -> Result<(), RunError> {
        let cx = self.cx;
        for (array, strategy) in &cx.inverse.strategies {
            let on = &cx.inverse.writes(*array).depends_on;
            let chosen = |e: &Ensure| e.kind.fields().iter().any(|f| on.contains(f));
            if matches!(strategy, DisjointnessStrategy::RuntimeCheck)
                && !cx.inverse.ensures.iter().any(chosen)
                // Evaluation errors are reported by the statement that causes them.
                && let Ok(Some(why)) = write_conflict(cx, &mut self.env(), *array)
            {
                return Err(RunError::NoRepresentation(why));
            }
        }
        Ok(())
    }

    /// Assigns everything that is still free, and writes the lengths that bytes encode.
    pub fn finish(mut self) -> Result<Record, RunError> {
        let program = self.cx.program;
        for (field, f) in program.input.indexed() {
            if self.assignment.is_unset(field) {
                match f.is_scalar() {
                    true => self.free_scalar(field)?,
                    false => self.allocate(field, f.span)?,
                }
            }
            let last = Occurrences::before(&self, field);
            self.fill_rest(field)?;
            last.keep(&mut self)?;
        }
        let mut x = self.assignment.input.into_record();
        views::write_back(program, &mut x)?;
        Ok(x)
    }
}
