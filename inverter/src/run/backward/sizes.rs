//! Evaluates expressions, assigns free values on demand, and determines the sizes of arrays.
//!
//! An element that no statement has assigned is free: it receives its value when an expression first reads it. An array
//! is allocated when it is first needed; each dimension of free length gets one more than the greatest index in use,
//! plus a tail that is a choice. Both are in one module because the extent of an array may read free elements of
//! others.

use rand::RngExt;

use super::checks::nest::is_skipped;
use super::elements::filler::Filler;
use super::state::Backward;
use crate::invert::{Extent, Level};
use crate::program::{Cmp, Expr, FieldId, IntType, Length, Pred, Program, Side, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::run::store::{Array, Slot};
use crate::run::{MAX_CELLS, most_bytes};
use crate::solve::draw::draw_integer;
use crate::solve::{Choice, ChoiceError, ChoiceSource, Domain, IntervalSet, evenly};

/// The maximum number of arrays whose lengths wait for one another. Each uses part of the stack.
const MAX_WAITING: usize = 64;

impl Backward<'_> {
    /// Evaluates `e`. If an element without a value is read, it is free, and is assigned now.
    pub fn eval(&mut self, e: &Expr, span: Span) -> Result<i128, RunError> {
        loop {
            match self.env().eval(e, span) {
                Ok(value) => return Ok(value),
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.assign_free(field, at, span)?,
            }
        }
    }

    /// Evaluates `p`, assigning free fields as needed.
    pub fn holds(&mut self, p: &Pred, span: Span) -> Result<bool, RunError> {
        loop {
            match self.env().holds(p, span) {
                Ok(truth) => return Ok(truth),
                Err(Stop::Error(e)) => return Err(e),
                Err(Stop::Unset(field, at)) => self.assign_free(field, at, span)?,
            }
        }
    }

    /// Assigns a free scalar, or the free element at `at`. If its array is not allocated yet, the array is allocated
    /// instead.
    pub fn assign_free(&mut self, field: FieldId, at: usize, span: Span) -> Result<(), RunError> {
        let f = &self.cx.program.input.fields[field];
        if f.is_scalar() {
            return self.free_scalar(field);
        }
        match &self.assignment.input.slots[field] {
            Slot::Array(array, _) if at < array.cells.len() => {}
            _ => return self.allocate(field, span),
        }
        let value = self.filler(field)?.next(f.int, &[]);
        self.assignment.assign_elements(field, [(at, value)]);
        Ok(())
    }

    /// Assigns a free scalar.
    pub fn free_scalar(&mut self, field: FieldId) -> Result<(), RunError> {
        let (cx, source) = (self.cx, &mut *self.choices.source);
        let name = cx.dimension(field);
        let (lo, hi) = cx.range(field);
        let domain = IntervalSet::range(lo, hi);
        let value = match is_length(cx.program, field) {
            true => {
                // Any value may be given, but a drawn value is at most the slack.
                let drawn = IntervalSet::range(lo, hi.min(cx.limits.slack.into()).max(lo));
                source.choose(
                    name,
                    |value| match value {
                        Choice::Int(n) if domain.contains(*n) => Ok(*n),
                        _ => Err(format!("it must be {lo} to {hi}")),
                    },
                    || Choice::Int(lo.max(0)),
                    |rng| Choice::Int(draw_integer(rng, &drawn, cx.interesting_values)),
                )?
            }
            false => {
                let domain = Domain::of(domain);
                source.evenly(name, &domain, cx.interesting_values, evenly::skew(2))?
            }
        };
        self.assignment.input.slots[field] = Slot::Scalar(value);
        Ok(())
    }

    /// Returns the generator of an array's free elements, which is chosen once.
    fn filler(&mut self, field: FieldId) -> Result<&mut Filler, RunError> {
        let filler = match self.choices.fillers[field].take() {
            Some(filler) => filler,
            None => Filler::new(self.choices.source.fill(self.cx.names(field).fill)?),
        };
        Ok(self.choices.fillers[field].insert(filler))
    }

    /// Assigns all free elements of an array.
    pub fn fill_rest(&mut self, field: FieldId) -> Result<(), RunError> {
        match &self.assignment.input.slots[field] {
            Slot::Array(_, known) if !known.is_full() => {}
            _ => return Ok(()),
        }
        if self.cx.program.is_hidden(field) {
            // The array is not stored, and nothing reads it.
            if let Slot::Array(_, known) = &mut self.assignment.input.slots[field] {
                known.insert_range(..);
            }
            return Ok(());
        }
        self.filler(field)?;
        let int = self.cx.program.input.fields[field].int;
        let slot = &mut self.assignment.input.slots[field];
        if let (Slot::Array(array, known), Some(filler)) = (slot, &mut self.choices.fillers[field])
        {
            filler.rest(int, array, known);
        }
        Ok(())
    }

    /// Allocates an array, unless it is allocated.
    pub fn allocate(&mut self, field: FieldId, span: Span) -> Result<(), RunError> {
        if !self.assignment.is_unset(field) {
            return Ok(());
        }
        self.check_length_is_independent(field, span)?;
        // The statement may be inside loops, and the extents of arrays have separate loops.
        let vars = self.evaluation.vars.clone();
        self.evaluation.allocating.push(field);
        let result = self.allocate_now(field, span);
        self.evaluation.allocating.pop();
        self.evaluation.vars = vars;
        result
    }

    /// Checks that the length of an array does not depend on its own elements, and that only a few arrays wait for it.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::NoRepresentation`] otherwise, because only a search finds representations then.
    fn check_length_is_independent(&self, field: FieldId, span: Span) -> Result<(), RunError> {
        let waiting = &self.evaluation.allocating;
        if !waiting.contains(&field) && waiting.len() < MAX_WAITING {
            return Ok(());
        }
        let name = self.cx.name(field);
        let why = match waiting.contains(&field) {
            true => format!("the length of {name} depends on its own elements"),
            false => format!("more than {MAX_WAITING} arrays wait for the length of {name}"),
        };
        Err(self.cx.impossible(span, &why))
    }

    fn allocate_now(&mut self, field: FieldId, span: Span) -> Result<(), RunError> {
        let f = &self.cx.program.input.fields[field];
        if f.lengths.contains(&Length::Free) {
            // Ensures may have assigned further scalars since, from which others follow.
            self.assign_determined()?;
        }
        let mut lengths = Vec::new();
        for (dimension, length) in f.lengths.iter().enumerate() {
            let n = match length {
                Length::Is(e) => self.eval(e, f.span)?,
                Length::Free => {
                    let used = self.used(field, dimension)?;
                    match self.cx.program.has_tail(field, dimension) {
                        true => used.saturating_add(self.tail(&f.tail(dimension))?),
                        false => used,
                    }
                }
            };
            lengths.push(n);
        }
        let cells = lengths.iter().try_fold(1i128, |n, l| n.checked_mul((*l).max(0)));
        let most = match f.int {
            IntType::U8 => most_bytes(self.cx.prepared.elements),
            _ => MAX_CELLS,
        };
        let array = cells
            .filter(|n| *n <= most as i128)
            .and_then(|_| {
                let lengths = lengths.iter().map(|l| (*l).max(0) as usize).collect();
                Array::zeros(f.int, lengths)
            })
            .ok_or_else(|| {
                let size = lengths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
                let why = format!("{} would be too large: {size} elements", self.cx.name(field));
                self.cx.impossible(span, &why)
            })?;
        self.evaluation.steps.allow(array.cells.len());
        self.assignment.input.slots[field] = Slot::array(array, false);
        Ok(())
    }

    /// Chooses the number of elements that an array has beyond those in use; usually none.
    pub fn tail(&mut self, dimension: &str) -> Result<i128, RunError> {
        Ok(draw_tail(self.choices.source, dimension, self.cx.limits.slack)?)
    }

    /// Returns one past the greatest index in use of a dimension of free length.
    pub fn used(&mut self, field: FieldId, dimension: usize) -> Result<i128, RunError> {
        let mut used = match (dimension, self.assignment.ends[field]) {
            (0, Some(end)) => end,
            _ => 0,
        };
        for extent in &self.cx.inverse.extents {
            if extent.array == field && extent.dimension == dimension {
                self.extent(extent, 0, &mut used)?;
            }
        }
        Ok(used)
    }

    fn extent(&mut self, e: &Extent, depth: usize, used: &mut i128) -> Result<(), RunError> {
        // A guard that depends on something without a value may hold.
        match is_skipped(&mut self.env(), &e.guards, &e.nest, depth, e.span) {
            Ok(true) => return Ok(()),
            Ok(false) | Err(Stop::Unset(..)) => {}
            // A guard that cannot be evaluated counts as false.
            Err(Stop::Error(_)) => return Ok(()),
        }
        let Some(level) = e.nest.get(depth) else {
            let hi = match self.eval(&e.hi, e.span) {
                // A closed form may have no value if its loops have no iteration.
                Err(RunError::Refused { .. }) if e.nest.is_empty() => return Ok(()),
                hi => hi?,
            };
            *used = (*used).max(hi.saturating_add(1));
            return Ok(());
        };
        let count = match self.eval(&level.count, e.span) {
            // As in `checks::nest::iterations`.
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

    /// Returns true if the lengths of an array are determined: they depend on nothing that is
    /// assigned later.
    pub fn can_allocate(&mut self, field: FieldId) -> bool {
        let mut determined = true;
        for e in self.cx.inverse.extents.iter().filter(|e| e.array == field) {
            let hi = Pred::cmp(Cmp::Ge, e.hi.clone(), Expr::Int(0));
            let all = Level::all(&e.nest, hi);
            let result = self.env().residual_pred(&all, e.span, &mut |_| determined = false);
            determined &= result.is_ok();
        }
        determined
    }

    /// Returns the lengths of an array, as far as the spec fixes them and they are known.
    pub fn known_lengths(&mut self, field: FieldId) -> Vec<Option<i128>> {
        let f = &self.cx.program.input.fields[field];
        let env = self.env();
        let known = |length: &Length| match length {
            Length::Is(e) => env.eval(e, f.span).ok(),
            Length::Free => None,
        };
        f.lengths.iter().map(known).collect()
    }

    /// Returns the length of an array's dimension, if the spec fixes it.
    pub fn fixed_length(
        &mut self,
        field: FieldId,
        dimension: usize,
    ) -> Result<Option<i128>, RunError> {
        let f = &self.cx.program.input.fields[field];
        match &f.lengths[dimension] {
            Length::Free => Ok(None),
            Length::Is(e) => self.eval(e, f.span).map(Some),
        }
    }
}

/// Chooses a number of elements beyond those in use, at most `slack`; usually none.
///
/// # Errors
///
/// Returns an error if a given number does not fit.
pub fn draw_tail(
    source: &mut ChoiceSource,
    dimension: &str,
    slack: u64,
) -> Result<i128, ChoiceError> {
    let most = i128::from(slack);
    source.choose(
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
    )
}

/// Returns true if a scalar is part of the length of an input array.
pub fn is_length(program: &Program, field: FieldId) -> bool {
    let mentions = |length: &Length| match length {
        Length::Is(e) => e.mentions(|r| r.side == Side::Input && r.field == field),
        Length::Free => false,
    };
    program.input.fields.iter().flat_map(|f| &f.lengths).any(mentions)
}
