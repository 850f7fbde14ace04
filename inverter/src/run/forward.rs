//! `f`: maps a representation to its canonical value.

mod walk;

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::MAX_CELLS;
use super::error::RunError;
use super::eval::Env;
use super::executable::Executable;
use super::failed;
use super::machine::Irregular;
use super::outputs::{
    Reservation, assigned_twice, lengths_unassigned, never_assigned, overlapping,
};
use super::room::Room;
use super::steps::Steps;
use super::store::{Array, Cells, FieldValue, Record, Slot, Store};
use crate::primitive::{PrimitiveError, Primitives};
use crate::program::fold::statements;
use crate::program::streams::counted_by;
use crate::program::{Callee, Expr, FieldId, Length, Program, Ref, Side, Span, Stmt, StmtKind};

/// Runs a normalization program.
///
/// # Errors
///
/// Returns an error if `x` is not a representation according to the spec: an assumption that fails, an index outside
/// its array, an output location that is assigned twice or not at all, a value outside its type, an element that is
/// read although it is reserved.
pub fn normalize(program: &Program, x: &Record) -> Result<Record, RunError> {
    x.fits(&program.input).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
    interpret(program, &Primitives::shipped(), x)
}

/// [`normalize`] with a limit on the rounds of loops, beyond which it is unknown whether `x` is a representation.
///
/// # Errors
///
/// The errors of [`normalize`], and an error if the limit is exceeded.
pub fn normalize_within(program: &Program, x: &Record, rounds: u64) -> Result<Record, RunError> {
    x.fits(&program.input).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
    let bounds = (Steps::of_trial(rounds), Room::UNLIMITED);
    interpret_noting(program, &Primitives::shipped(), x, bounds, None)
}

/// Runs the normalization program of an inverse, as code if there is any.
///
/// # Errors
///
/// As [`normalize`].
pub fn normalize_with(inverse: &Executable, x: &Record) -> Result<Record, RunError> {
    normalize_in(inverse, x, Room::UNLIMITED)
}

/// [`normalize_with`], if the arrays of the canonical value fit `room`. Their bytes are counted before they are made.
///
/// # Errors
///
/// As [`normalize`], and [`RunError::TooLarge`].
pub fn normalize_in(inverse: &Executable, x: &Record, room: Room) -> Result<Record, RunError> {
    let program = inverse.program();
    x.fits(&program.input).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
    match inverse.normalize_by_code(x, None, room) {
        Some(Ok(y)) => Ok(y),
        // Code reports no reason.
        Some(Err(Irregular)) | None => {
            let bounds = (Steps::default(), room);
            interpret_noting(program, inverse.primitives(), x, bounds, None)
        }
    }
}

/// A branch of a spec: the place of the `if`, and true for its `then` branch.
pub type Branch = (Span, bool);

/// The statements of a spec that a run reaches.
#[derive(Debug, Clone, Default)]
pub struct Course {
    /// The branches that it takes.
    pub branches: BTreeSet<Branch>,
    /// The loops of which it runs at least one iteration, by their places.
    pub loops: BTreeSet<Span>,
}

/// Returns the course of a representation through the spec.
///
/// # Errors
///
/// As [`normalize`].
pub fn course(inverse: &Executable, x: &Record) -> Result<Course, RunError> {
    let program = inverse.program();
    x.fits(&program.input).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
    let mut course = Course::default();
    let bounds = (Steps::default(), Room::UNLIMITED);
    interpret_noting(program, inverse.primitives(), x, bounds, Some(&mut course))?;
    Ok(course)
}

/// Returns the branches that a representation takes.
///
/// # Errors
///
/// As [`normalize`].
pub fn branches_taken(inverse: &Executable, x: &Record) -> Result<BTreeSet<Branch>, RunError> {
    course(inverse, x).map(|course| course.branches)
}

/// Returns true if `x` normalizes to `y`, which is fully known. This is equivalent to [`normalize_with`] and a
/// comparison, but code compares in place.
///
/// # Errors
///
/// As [`normalize`].
pub fn normalizes_to(inverse: &Executable, x: &Record, y: &Store) -> Result<bool, RunError> {
    let program = inverse.program();
    x.fits(&program.input).map_err(|(span, why)| RunError::at(&program.source, span, why))?;
    match inverse.gives_by_code(x, y) {
        true => Ok(true),
        false => Ok(y.is(&normalize_with(inverse, x)?)),
    }
}

fn interpret(program: &Program, primitives: &Primitives, x: &Record) -> Result<Record, RunError> {
    interpret_noting(program, primitives, x, (Steps::default(), Room::UNLIMITED), None)
}

/// Interprets a program within bounds on its rounds and its memory, and adds the statements that it reaches to
/// `course`, if requested.
fn interpret_noting(
    program: &Program,
    primitives: &Primitives,
    x: &Record,
    (steps, room): (Steps, Room),
    course: Option<&mut Course>,
) -> Result<Record, RunError> {
    let input = Store::full(x);
    let mut run = Forward {
        program,
        primitives,
        input,
        output: Store::unset(&program.output),
        vars: vec![0; program.vars.len()],
        steps,
        room,
        reserved: Vec::new(),
        read: vec![FixedBitSet::new(); program.input.fields.len()],
        course,
        growing: BTreeSet::new(),
    };
    statements(&program.body, &mut |stmt| {
        if let StmtKind::Reserve { field, .. } = &stmt.kind
            && let Slot::Array(a, _) = &run.input.slots[*field]
        {
            run.read[*field] = FixedBitSet::with_capacity(a.cells.len());
        }
    });
    for slot in &run.input.slots {
        if let Slot::Array(a, _) = slot {
            run.steps.allow(a.cells.len());
        }
    }
    run.block(&program.body)?;
    run.reservations()?;
    run.result()
}

struct Forward<'p> {
    program: &'p Program,
    primitives: &'p Primitives,
    input: Store,
    output: Store,
    vars: Vec<i128>,
    steps: Steps,
    room: Room,
    /// The reservations, with their places in the spec.
    reserved: Vec<(Reservation, Span)>,
    /// The elements that were read, for arrays with reservations.
    read: Vec<FixedBitSet>,
    course: Option<&'p mut Course>,
    /// The output arrays whose lengths are known only when the walks end.
    growing: BTreeSet<FieldId>,
}

impl Forward<'_> {
    fn env(&mut self) -> Env<'_> {
        Env {
            steps: &self.steps,
            program: self.program,
            input: &self.input,
            output: &self.output,
            conditions: None,
            vars: &mut self.vars,
        }
    }

    fn eval(&mut self, e: &Expr, span: Span) -> Result<i128, RunError> {
        let env = self.env();
        env.eval(e, span).map_err(|stop| stop.into_error(&env, span))
    }

    fn block(&mut self, body: &[Stmt]) -> Result<(), RunError> {
        for stmt in body {
            let span = stmt.span;
            match &stmt.kind {
                StmtKind::Assign { target, value } => {
                    target.index.iter().for_each(|i| self.note_reads(i, span));
                    self.note_reads(value, span);
                    let value = self.eval(value, span)?;
                    self.store(target, value, span)?;
                }
                StmtKind::Assume(p) => {
                    p.exprs(&mut |e| self.note_reads(e, span));
                    let mut env = self.env();
                    if !env.holds(p, span).map_err(|stop| stop.into_error(&self.env(), span))? {
                        let program = self.program;
                        let mut value = |e: &Expr| self.eval(e, span).ok();
                        let message = failed::condition(program, p, &mut value);
                        return Err(RunError::at(&program.source, span, message));
                    }
                }
                StmtKind::If { cond, then, els } => {
                    cond.exprs(&mut |e| self.note_reads(e, span));
                    let mut env = self.env();
                    let holds =
                        env.holds(cond, span).map_err(|stop| stop.into_error(&self.env(), span))?;
                    if let Some(course) = &mut self.course {
                        course.branches.insert((span, holds));
                    }
                    self.block(if holds { then } else { els })?;
                }
                StmtKind::For { var, count, body } => {
                    self.note_reads(count, span);
                    let count = self.eval(count, span)?;
                    if let Some(course) = &mut self.course
                        && count > 0
                    {
                        course.loops.insert(span);
                    }
                    for k in 0..count {
                        self.steps.take(1, &self.program.source, span)?;
                        self.vars[var.0] = k;
                        self.block(body)?;
                    }
                }
                StmtKind::Reserve { field, start, end } => {
                    self.note_reads(start, span);
                    self.note_reads(end, span);
                    let (start, end) = (self.eval(start, span)?, self.eval(end, span)?);
                    let reservation = Reservation::of(*field, start, end);
                    self.reserved.extend(reservation.map(|r| (r, span)));
                }
                StmtKind::Walk(walk) => self.walk(walk, span)?,
                StmtKind::Decode { target, source, primitive, args } => {
                    args.iter().for_each(|e| self.note_reads(e, span));
                    self.decode(*target, *source, primitive, args, span)?;
                }
            }
        }
        Ok(())
    }

    /// Records which elements `e` reads in arrays with reservations. If an index has no value, evaluation reports that
    /// when it gets there.
    fn note_reads(&mut self, e: &Expr, span: Span) {
        if self.read.iter().all(FixedBitSet::is_empty) {
            return;
        }
        let mut places = Vec::new();
        let env = self.env();
        e.refs(&mut |r| {
            if r.side == Side::Input
                && !r.index.is_empty()
                && let Ok(at) = env.locate(r, span)
            {
                places.push((r.field, at));
            }
        });
        for (field, at) in places {
            if at < self.read[field].len() {
                self.read[field].insert(at);
            }
        }
    }

    fn store(&mut self, target: &Ref, value: i128, span: Span) -> Result<(), RunError> {
        let field = &self.program.output.fields[target.field];
        let (lo, hi) = field.int.range();
        let fail = |message: String| Err(RunError::at(&self.program.source, span, message));
        if value < lo || value > hi {
            return fail(format!("{value} does not fit {}, a {}", field.name, field.int));
        }
        if field.is_scalar() {
            if self.output.slots[target.field] != Slot::Unset {
                return fail(assigned_twice(&field.name));
            }
            self.output.slots[target.field] = Slot::Scalar(value);
            return Ok(());
        }
        if self.output.slots[target.field] == Slot::Unset {
            let made = self.allocate(target.field, span);
            if made.is_err() && !(self.program.has_walks() && self.grow(target.field, span)) {
                return made;
            }
        }
        if self.growing.contains(&target.field) {
            let index = self.eval(&target.index[0], span)?;
            self.make_room(target.field, index, span)?;
        }
        let at = {
            let env = self.env();
            env.locate(target, span).map_err(|stop| stop.into_error(&env, span))?
        };
        let Slot::Array(array, assigned) = &mut self.output.slots[target.field] else {
            return fail(format!("{} has no place", field.name));
        };
        if assigned.put(at) {
            return fail(assigned_twice(format_args!("element {at} of {}", field.name)));
        }
        array.cells.set(at, value);
        Ok(())
    }

    /// `y.target = primitive(x.source, args..)`
    fn decode(
        &mut self,
        target: FieldId,
        source: FieldId,
        primitive: &Callee,
        args: &[Expr],
        span: Span,
    ) -> Result<(), RunError> {
        let program = self.program;
        let name = &program.output.fields[target].name;
        let fail = |message: String| Err(RunError::at(&program.source, span, message));
        let args = args.iter().map(|e| self.eval(e, span)).collect::<Result<Vec<_>, _>>()?;
        if self.output.slots[target] != Slot::Unset {
            return fail(assigned_twice(name));
        }
        let count = counted_by(program, target);
        let most = match count {
            // One byte more than there is room for, so that a decoder that stops there has returned too much.
            Some(_) => self.room.at_most(MAX_CELLS).saturating_add(1),
            None => match self.lengths(target, span)?[..] {
                [length] => length,
                _ => return Ok(()),
            },
        };
        if count.is_none() {
            self.room.take(most as u64, name, &program.source, span)?;
        }
        let Slot::Array(Array { cells: Cells::U8(stored), .. }, _) = &self.input.slots[source]
        else {
            return fail(format!("{} has no value", program.input.fields[source].name));
        };
        let decoded = self.primitives.resolve(primitive);
        let by = &primitive.name;
        let decoded = decoded.map_err(PrimitiveError::from);
        let data = match decoded.and_then(|p| p.decode(stored, &args, most)) {
            Ok(data) => data,
            Err(why) if why.is_of_size() && count.is_some() => {
                return Err(self.room.exceeded(&format!("{by}: {why}"), &program.source, span));
            }
            Err(why) => return fail(format!("{by}: {why}")),
        };
        let made = data.len();
        if let Some(count) = count {
            let scalar = &program.output.fields[count];
            self.room.take(made as u64, name, &program.source, span)?;
            if made as i128 > scalar.int.range().1 || made > MAX_CELLS {
                let what = format!("{by} gives {made} elements, too many for {}", scalar.name);
                return fail(what);
            }
            self.output.slots[count] = Slot::Scalar(made as i128);
        } else if made != most {
            return fail(format!("{by} gives {made} elements, where {most} are declared"));
        }
        self.output.slots[target] = Slot::array(Array::bytes(data), true);
        Ok(())
    }

    /// The lengths that an output array is declared to have.
    fn lengths(&mut self, field: FieldId, span: Span) -> Result<Vec<usize>, RunError> {
        let f = &self.program.output.fields[field];
        let mut lengths = Vec::new();
        for length in &f.lengths {
            let Length::Is(e) = length else { continue };
            let env = self.env();
            let n = env
                .eval(e, span)
                .map_err(|_| RunError::at(&self.program.source, span, lengths_unassigned(f)))?;
            lengths.push(usize::try_from(n).unwrap_or(0));
        }
        Ok(lengths)
    }

    fn allocate(&mut self, field: FieldId, span: Span) -> Result<(), RunError> {
        let f = &self.program.output.fields[field];
        let lengths = self.lengths(field, span)?;
        let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l));
        let cells = cells.filter(|n| *n <= MAX_CELLS);
        if let Some(cells) = cells {
            let bytes = cells as u64 * super::store::width(f.int) as u64;
            self.room.take(bytes, &f.name, &self.program.source, span)?;
        }
        let array = cells.and_then(|_| Array::zeros(f.int, lengths)).ok_or_else(|| {
            RunError::at(&self.program.source, span, format!("{} is too large", f.name))
        })?;
        self.steps.allow(array.cells.len());
        self.output.slots[field] = Slot::array(array, false);
        Ok(())
    }

    /// Checks that no reserved element was read and that no two reservations overlap.
    fn reservations(&mut self) -> Result<(), RunError> {
        self.reserved.sort_unstable_by_key(|(reservation, _)| *reservation);
        if let Some((Reservation { start, .. }, span)) = overlapping(&self.reserved, |r| &r.0) {
            let message = format!("the reservation from {start} meets another");
            return Err(RunError::at(&self.program.source, *span, message));
        }
        for (Reservation { field, start, end }, span) in &self.reserved {
            let read = &self.read[*field];
            let (lo, hi) = (*start, (*end).min(read.len() as i128));
            let name = &self.program.input.fields[*field].name;
            if lo < 0 || *end > read.len() as i128 {
                let message = format!("{name}[{start}..{end}] is outside the array");
                return Err(RunError::at(&self.program.source, *span, message));
            }
            if let Some(k) = (lo..hi).find(|k| read.contains(*k as usize)) {
                let message = format!("{name}[{k}] is read and reserved");
                return Err(RunError::at(&self.program.source, *span, message));
            }
        }
        Ok(())
    }

    fn result(mut self) -> Result<Record, RunError> {
        let mut fields = Vec::new();
        // Arrays that no iteration filled are empty, if their lengths permit.
        for (k, f) in self.program.output.indexed() {
            if self.output.slots[k] == Slot::Unset && !f.is_scalar() {
                self.allocate(k, f.span)?;
            }
            if self.growing.contains(&k) {
                self.has_grown(k)?;
            }
        }
        for (k, f) in self.program.output.indexed() {
            let missing = |what: String| {
                Err(RunError::at(&self.program.source, f.span, never_assigned(what)))
            };
            match std::mem::take(&mut self.output.slots[k]) {
                Slot::Unset => return missing(f.name.clone()),
                Slot::Scalar(n) => fields.push(FieldValue::Scalar(n)),
                Slot::Array(array, assigned) => match assigned.zeroes().next() {
                    Some(at) => return missing(format!("element {at} of {}", f.name)),
                    None => fields.push(FieldValue::Array(array)),
                },
            }
        }
        Ok(Record { fields })
    }
}

#[cfg(test)]
mod tests {
    use super::normalize;
    use crate::program::parse;
    use crate::run::json::from_json;

    /// Returns the error for an input.
    fn refusal(spec: &str, x: &str) -> Option<String> {
        let program = parse("t.rs", spec).unwrap();
        let x = from_json(&program.input, &serde_json::from_str(x).unwrap());
        x.and_then(|x| normalize(&program, &x).map_err(|e| e.to_string())).err()
    }

    const TABLE: &str = "struct X { n: u8, t: [u8; n], a: [u8] } struct Y { n: u8, c: [u8; n] }
        fn normalize(x: &X, y: &mut Y) {
            reserve(x.a[0..2]);
            y.n = x.n;
            for i in 0..x.n {
                assume(x.a[x.t[i]] < 100);
                y.c[i] = x.a[x.t[i] + 1];
            }
        }";

    #[test]
    fn lengths_are_those_declared() {
        let why = refusal(TABLE, r#"{"n": 2, "t": [2], "a": [0, 0, 1, 2]}"#).unwrap();
        assert!(why.contains("field `t`: the length is 1, not 2"), "{why}");
    }

    #[test]
    fn whatever_is_read_is_not_reserved() {
        assert_eq!(refusal(TABLE, r#"{"n": 1, "t": [2], "a": [0, 0, 1, 2]}"#), None);
        let why = refusal(TABLE, r#"{"n": 1, "t": [1], "a": [0, 0, 1, 2]}"#).unwrap();
        assert!(why.contains("a[1] is read and reserved"), "{why}");
    }
}
