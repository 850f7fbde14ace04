//! `g`: a canonical value to one of its representations.

mod alike;
mod bases;
mod clash;
mod determined;
mod elements;
mod encode;
mod fill;
mod kept_order;
pub(crate) mod learnt;
mod mentioned;
mod names;
mod piece;
pub(in crate::run) mod places;
mod plan;
mod prepared;
mod runs;
pub(crate) mod sampler;
mod scalars;
pub(in crate::run) mod search;
pub(in crate::run) mod sharing;
mod turns;

pub use prepared::{Made, Prepared, Runner};

use fill::Filler;
use names::Names;

use std::ops::Range;

use super::error::RunError;
use super::eval::{Env, Stop};
use super::executable::Executable;
use super::steps::Steps;
use super::store::{Array, Datum, Slot, Store, Value};
use super::views;
use crate::invert::{EnsureId, Extent, Inst, InstKind, Level};
use crate::program::print::Show;
use crate::program::{Cmp, Expr, FieldId, Length, Pred, Program, Ref, Span};
use crate::solve::{ChoiceSource, IntervalSet};
use rand::RngExt;

/// Bounds on what an inverse makes. They are no part of the format: a value just beyond
/// them is as legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many elements an array of free length may have beyond those in use, and how
    /// far segments may be spread beyond the closest packing.
    pub slack: u64,
    /// Whether segments, and elements, of equal content may be drawn to share their place.
    pub sharing: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slack: 1 << 16, sharing: true }
    }
}

/// Runs the inverse on a canonical value, with what is free decided by `source`.
///
/// # Errors
///
/// [`RunError::NoRepresentation`] if the value has none under the choices made,
/// [`RunError::Choice`] if a given choice does not fit.
pub fn invert_value(
    inverse: &Executable,
    y: &Value,
    source: &mut ChoiceSource,
    limits: &Limits,
) -> Result<Value, RunError> {
    Prepared::new(inverse, y.clone(), *limits)?.invert(source)
}

/// The inverse while it runs.
pub(super) struct Backward<'a> {
    prepared: &'a Prepared<'a>,
    pub(super) inverse: &'a Executable,
    pub(super) program: &'a Program,
    pub(super) output: &'a Store,
    pub(super) input: Store,
    vars: Vec<i128>,
    steps: Steps,
    pub(super) source: &'a mut ChoiceSource,
    pub(super) limits: Limits,
    /// Scalars that an ensure gave: an assignment in a branch may settle them again.
    by_ensure: Vec<bool>,
    /// One past the last element in use, where a layout has settled it.
    pub(super) ends: Vec<Option<i128>>,
    /// What free elements are filled with, once asked.
    fills: Vec<Option<Filler>>,
    /// Values about which behaviour may change.
    pub(super) landmarks: &'a [i128],
}

impl<'a> Backward<'a> {
    pub(super) fn new(prepared: &'a Prepared<'a>, source: &'a mut ChoiceSource) -> Self {
        let inverse = prepared.inverse();
        let program = &inverse.program;
        let count = program.input.fields.len();
        Self {
            prepared,
            inverse,
            program,
            output: &prepared.output,
            input: Store::unset(&program.input),
            vars: vec![0; program.vars.len()],
            steps: prepared.steps(),
            source,
            limits: prepared.limits(),
            by_ensure: vec![false; count],
            ends: vec![None; count],
            fills: (0..count).map(|_| None).collect(),
            landmarks: &prepared.landmarks,
        }
    }

    /// Statements of the body: what is compiled as that, the rest interpreted.
    fn top(&mut self, places: Range<usize>) -> Result<(), RunError> {
        let inverse = self.inverse;
        for place in places {
            let inst = &inverse.body[place];
            let compiled = inverse.compiled().and_then(|c| c.piece(place));
            if !compiled.is_some_and(|p| self.piece(p, inst.span)) {
                self.block(std::slice::from_ref(inst))?;
            }
        }
        Ok(())
    }

    /// The names of what input `field` is free in.
    fn names(&self, field: FieldId) -> &'a Names {
        &self.prepared.runner.learnt.names[field]
    }

    pub(super) fn env(&mut self) -> Env<'_> {
        Env {
            steps: &self.steps,
            program: self.program,
            input: &self.input,
            output: self.output,
            conditions: Some((self.inverse, self.prepared.conditions())),
            vars: &mut self.vars,
        }
    }

    /// A round of a loop.
    pub(super) fn step(&self, span: Span) -> Result<(), RunError> {
        self.steps.take(1, &self.program.source, span)
    }

    pub(super) fn set_var(&mut self, var: crate::program::VarId, value: i128) {
        self.env().set_var(var, value);
    }

    /// No representation, because of the statement at `span`.
    pub(super) fn impossible(&self, span: Span, why: &str) -> RunError {
        RunError::NoRepresentation(self.placed(span, why))
    }

    /// The same, where the ensures had let it pass.
    fn failed(&self, span: Span, why: &str) -> RunError {
        RunError::FailedAssume(self.placed(span, why))
    }

    fn placed(&self, span: Span, why: &str) -> String {
        let source = &self.program.source;
        let text = source.at(span).split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{why} ({}: {text})", source.place(span))
    }

    /// The name of an input in messages.
    pub(super) fn name(&self, field: FieldId) -> String {
        crate::invert::derive::full_name(self.program, field)
    }

    /// Scalars that the canonical value alone determines, before anything else: lengths of
    /// arrays may need them.
    fn presettle(&mut self) -> Result<(), RunError> {
        loop {
            let mut progress = false;
            for inst in &self.inverse.body {
                let InstKind::Assign { target, value } = &inst.kind else { continue };
                if !target.index.is_empty() || self.input.slots[target.field] != Slot::Unset {
                    continue;
                }
                let (lo, hi) = self.program.input.fields[target.field].int.range();
                match self.env().eval(value, inst.span) {
                    Ok(value) if (lo..=hi).contains(&value) => {
                        self.assign(target, value, inst.span)?;
                        progress = true;
                    }
                    // An ensure says why there is none.
                    Ok(_) | Err(Stop::Unset(..)) => {}
                    Err(Stop::Error(e)) => return Err(e),
                }
            }
            if !progress {
                return Ok(());
            }
        }
    }

    /// Looks at the writes that no choice has to do with: else that choice does.
    fn check_at_once(&mut self) -> Result<(), RunError> {
        use crate::invert::Discipline;
        let inverse = self.inverse;
        for (array, discipline) in &inverse.disciplines {
            let on = self.writes_depend_on(*array);
            let chosen = |e: &crate::invert::Ensure| e.kind.fields().iter().any(|f| on.contains(f));
            if matches!(discipline, Discipline::Checked)
                && !inverse.ensures.iter().any(chosen)
                // What has no value is somebody else's finding.
                && let Ok(Some(why)) = self.meeting_writes(*array)
            {
                return Err(RunError::NoRepresentation(why));
            }
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
                        let text = format!("{} does not hold", Show(self.program, p));
                        return Err(self.failed(span, &text));
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
                InstKind::Encode(encode) => self.encode(encode, span)?,
            }
        }
        Ok(())
    }

    fn ensure(&mut self, n: EnsureId) -> Result<(), RunError> {
        use crate::invert::EnsureKind;
        crate::solve::count::ensure();
        match &self.inverse.ensures[n].kind {
            EnsureKind::Scalars(fields) => self.ensure_scalars(n, fields),
            EnsureKind::Elements(field) => self.ensure_elements(n, *field),
            EnsureKind::Places { array, .. } => self.ensure_places(n, *array),
        }
    }

    /// The value of `e`. An element that nothing gave a value before it is read here is
    /// free, and gets one now.
    pub(super) fn eval(&mut self, e: &Expr, span: Span) -> Result<i128, RunError> {
        loop {
            match self.env().eval(e, span) {
                Ok(value) => return Ok(value),
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.free_cell(field, at, span)?,
            }
        }
    }

    fn holds(&mut self, p: &Pred, span: Span) -> Result<bool, RunError> {
        loop {
            match self.env().holds(p, span) {
                Ok(truth) => return Ok(truth),
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.free_cell(field, at, span)?,
            }
        }
    }

    fn free(&mut self, r: &Ref) -> Result<(), RunError> {
        // Elements stay free until something reads them, or to the end.
        if r.index.is_empty() && self.input.slots[r.field] == Slot::Unset {
            self.free_scalar(r.field)?;
        }
        Ok(())
    }

    fn free_scalar(&mut self, field: FieldId) -> Result<(), RunError> {
        let f = &self.program.input.fields[field];
        let (lo, hi) = f.int.range();
        let domain = IntervalSet::range(lo, hi);
        let value = match self.is_length(field) {
            true => self.free_length(f.dimension(), &domain)?,
            false => self.source.integer(f.dimension(), &domain, self.landmarks)?,
        };
        self.input.slots[field] = Slot::Scalar(value);
        Ok(())
    }

    fn free_cell(&mut self, field: FieldId, at: usize, span: Span) -> Result<(), RunError> {
        if self.program.input.fields[field].is_scalar() {
            return self.free_scalar(field);
        }
        match &self.input.slots[field] {
            Slot::Array(array, _) if at < array.cells.len() => {}
            _ => return self.allocate(field, span),
        }
        let value = self.fill_value(field)?;
        if let Slot::Array(array, known) = &mut self.input.slots[field] {
            array.cells.set(at, value);
            known.insert(at);
        }
        Ok(())
    }

    fn assign(&mut self, target: &Ref, value: i128, span: Span) -> Result<(), RunError> {
        let f = &self.program.input.fields[target.field];
        let (lo, hi) = f.int.range();
        if value < lo || value > hi {
            let why = format!("{} would have to be {value}", self.name(target.field));
            return Err(self.failed(span, &why));
        }
        if f.is_scalar() {
            return match self.input.slots[target.field] {
                Slot::Scalar(old) if old != value && !self.by_ensure[target.field] => {
                    let name = self.name(target.field);
                    let why = format!("{name} would have to be both {old} and {value}");
                    Err(self.failed(span, &why))
                }
                _ => {
                    self.input.slots[target.field] = Slot::Scalar(value);
                    self.by_ensure[target.field] = false;
                    Ok(())
                }
            };
        }
        if self.input.slots[target.field] == Slot::Unset {
            self.allocate(target.field, span)?;
        }
        let at = loop {
            match self.env().locate(target, span) {
                Ok(at) => break at,
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.free_cell(field, at, span)?,
            }
        };
        let Slot::Array(array, known) = &mut self.input.slots[target.field] else {
            return Err(self.failed(span, "an array has no elements"));
        };
        let old = array.cells.get(at);
        if known.put(at) && old != Some(value) {
            let name = self.name(target.field);
            let old = old.unwrap_or_default();
            let why = format!("element {at} of {name} would have to be both {old} and {value}");
            return Err(self.failed(span, &why));
        }
        array.cells.set(at, value);
        Ok(())
    }

    /// Gives an array its lengths.
    pub(super) fn allocate(&mut self, field: FieldId, span: Span) -> Result<(), RunError> {
        if self.input.slots[field] != Slot::Unset {
            return Ok(());
        }
        // This may come in the middle of a loop, and runs through loops itself.
        let vars = self.vars.clone();
        let result = self.allocate_now(field, span);
        self.vars = vars;
        result
    }

    fn allocate_now(&mut self, field: FieldId, span: Span) -> Result<(), RunError> {
        let f = &self.program.input.fields[field];
        let mut lengths = Vec::new();
        for (dimension, length) in f.lengths.iter().enumerate() {
            let n = match length {
                Length::Is(e) => self.eval(e, f.span)?,
                Length::Free => {
                    let used = self.used(field, dimension)?;
                    let tail = f.tail(dimension);
                    used.saturating_add(self.tail(&tail)?)
                }
            };
            lengths.push(n);
        }
        let cells = lengths.iter().try_fold(1i128, |n, l| n.checked_mul((*l).max(0)));
        let array = cells
            .filter(|n| *n <= super::MAX_CELLS as i128)
            .and_then(|_| {
                let lengths = lengths.iter().map(|l| (*l).max(0) as usize).collect();
                Array::zeros(f.int, lengths)
            })
            .ok_or_else(|| self.impossible(span, &format!("{} would be too large", f.name)))?;
        self.steps.allow(array.cells.len());
        self.input.slots[field] = Slot::array(array, false);
        Ok(())
    }

    /// How many elements an array has beyond those in use: mostly none.
    fn tail(&mut self, dimension: &str) -> Result<i128, RunError> {
        use crate::solve::Choice;
        let most = i128::from(self.limits.slack);
        Ok(self.source.choose(
            dimension,
            |value| match value {
                Choice::Int(n) if (0..=most).contains(n) => Ok(*n),
                _ => Err(format!("it must be 0 to {most}")),
            },
            || Choice::Int(0),
            |rng| {
                Choice::Int(match rng.random_range(0..6) {
                    0..3 => 0,
                    3 => rng.random_range(0..=most.min(3)),
                    4 => rng.random_range(0..=most.min(64)),
                    _ => rng.random_range(0..=most.min(4096)),
                })
            },
        )?)
    }

    /// One past the greatest index in use of a dimension of free length.
    pub(super) fn used(&mut self, field: FieldId, dimension: usize) -> Result<i128, RunError> {
        let mut used = match (dimension, self.ends[field]) {
            (0, Some(end)) => end,
            _ => 0,
        };
        let inverse = self.inverse;
        for extent in &inverse.extents {
            if extent.array == field && extent.dimension == dimension {
                self.extent(extent, 0, &mut used)?;
            }
        }
        Ok(used)
    }

    /// Whether an array's lengths are settled: nothing that they depend on is still to come.
    pub(super) fn can_allocate(&mut self, field: FieldId) -> bool {
        let inverse = self.inverse;
        let mut known = true;
        for e in inverse.extents.iter().filter(|e| e.array == field) {
            let hi = Pred::cmp(Cmp::Ge, e.hi.clone(), Expr::Int(0));
            let all = Level::all(&e.nest, hi);
            let result = self.env().residual_pred(&all, e.span, &mut |_| known = false);
            known &= result.is_ok();
        }
        known
    }

    fn extent(&mut self, e: &Extent, depth: usize, used: &mut i128) -> Result<(), RunError> {
        // A guard on what is not known yet may hold.
        match self.barred(&e.guards, &e.nest, depth, e.span) {
            Ok(true) => return Ok(()),
            Ok(false) | Err(Stop::Unset(..)) => {}
            // Nor does it happen where whether it does has no value.
            Err(Stop::Error(_)) => return Ok(()),
        }
        let Some(level) = e.nest.get(depth) else {
            let hi = match self.eval(&e.hi, e.span) {
                // A closed form may have no value where its loops do nothing.
                Err(RunError::Refused { .. }) if e.nest.is_empty() => return Ok(()),
                hi => hi?,
            };
            *used = (*used).max(hi.saturating_add(1));
            return Ok(());
        };
        let count = match self.eval(&level.count, e.span) {
            // As in `rounds`.
            Err(RunError::Refused { .. }) => 0,
            count => count?,
        };
        for k in 0..count {
            self.step(e.span)?;
            self.set_var(level.var, k);
            self.extent(e, depth + 1, used)?;
        }
        Ok(())
    }

    /// Marks a scalar as given by an ensure.
    pub(super) fn give(&mut self, field: FieldId, value: i128) {
        self.input.slots[field] = Slot::Scalar(value);
        self.by_ensure[field] = true;
    }

    /// Gives everything that is still free a value, and writes the lengths that bytes tell.
    fn finish(mut self) -> Result<Value, RunError> {
        for (field, f) in self.program.input.indexed() {
            match &self.input.slots[field] {
                Slot::Unset if f.is_scalar() => self.free_scalar(field)?,
                Slot::Unset => self.allocate(field, f.span)?,
                _ => {}
            }
            self.fill_rest(field)?;
        }
        let datum = |slot| match slot {
            Slot::Array(array, _) => Datum::Array(array),
            Slot::Scalar(n) => Datum::Scalar(n),
            Slot::Unset => Datum::Scalar(0),
        };
        let mut x = Value { fields: self.input.slots.into_iter().map(datum).collect() };
        views::tell(self.program, &mut x)?;
        Ok(x)
    }
}
