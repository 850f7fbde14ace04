//! The exact check, by looking at every write: no element gets two different values.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::Backward;
use crate::invert::access::Access;
use crate::invert::{Discipline, Level};
use crate::program::{Expr, Pred, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;

/// The access that an element has had: its value (`None` for a reservation or one not yet
/// known), its place in the spec, and what it was.
type Written = HashMap<[i128; 3], (Option<i128>, Span, Kind)>;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Write,
    /// Of what an ensure gives.
    Read,
    Reservation,
}

impl Backward<'_> {
    /// Two writes of `array` that meet with different values, in words. `None` also where
    /// not everything that indices depend on is known.
    pub(super) fn meeting_writes(&mut self, array: usize) -> Result<Option<String>, RunError> {
        let inverse = self.inverse;
        let mut written = Written::new();
        for access in inverse.accesses.iter().filter(|a| a.field == array) {
            match self.writes(access, 0, &mut written) {
                Ok(None) | Err(Stop::Unset(..)) => {}
                Ok(Some(trouble)) => return Ok(Some(trouble)),
                Err(Stop::Error(e)) => return Err(e),
            }
        }
        Ok(None)
    }

    /// Whether a guard fails that mentions no loop variable of `nest` from `depth` on, and
    /// the one before it, if there is one: what is inside does not happen, and may have
    /// bounds without a value.
    pub(super) fn barred(
        &mut self,
        guards: &[Pred],
        nest: &[Level],
        depth: usize,
        span: Span,
    ) -> Result<bool, Stop> {
        for guard in guards {
            let now = depth == 0 || guard.mentions_var(nest[depth - 1].var);
            let later = nest[depth..].iter().any(|l| guard.mentions_var(l.var));
            if !now || later {
                continue;
            }
            match self.env().holds(guard, span) {
                Ok(true) => {}
                Ok(false) => return Ok(true),
                // It has no value where a loop around it does not run.
                Err(Stop::Error(_)) if depth < nest.len() => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(false)
    }

    /// How often a loop of something derived goes round. A bound without a value is not
    /// reached: else its divisors would be conditions of their own.
    pub(super) fn rounds(&mut self, count: &Expr, span: Span) -> Result<i128, Stop> {
        match self.env().eval(count, span) {
            Err(Stop::Error(_)) => Ok(0),
            count => count,
        }
    }

    /// What an array's choice has to do with writes that are looked at: two that meet with
    /// different values, now that it is known.
    pub(super) fn recheck(&mut self, field: usize) -> Result<Option<String>, RunError> {
        let inverse = self.inverse;
        for (array, discipline) in &inverse.disciplines {
            let looked_at = match discipline {
                Discipline::Closed => false,
                Discipline::Layout(layout) => layout.checked,
                Discipline::Checked => true,
            };
            if looked_at
                && self.writes_depend_on(*array).contains(&field)
                && let Some(why) = self.meeting_writes(*array)?
            {
                return Ok(Some(why));
            }
        }
        Ok(None)
    }

    fn writes(
        &mut self,
        access: &Access,
        depth: usize,
        written: &mut Written,
    ) -> Result<Option<String>, Stop> {
        let span = access.span;
        if self.barred(&access.guards, &access.nest, depth, span)? {
            return Ok(None);
        }
        if let Some(level) = access.nest.get(depth) {
            let count = self.rounds(&level.count, span)?;
            for k in 0..count {
                self.step(span)?;
                self.set_var(level.var, k);
                if let Some(trouble) = self.writes(access, depth + 1, written)? {
                    return Ok(Some(trouble));
                }
            }
            return Ok(None);
        }
        let mut at = [0i128; 3];
        for (slot, index) in at.iter_mut().zip(&access.index) {
            *slot = self.env().eval(index, span)?;
        }
        let value = self.written(access)?;
        let kind = match &access.value {
            None => Kind::Reservation,
            Some(_) if access.reads() => Kind::Read,
            Some(_) => Kind::Write,
        };
        let Some((old, other, before)) = written.get(&at).copied() else {
            written.insert(at, (value, span, kind));
            return Ok(None);
        };
        // A read is at odds with a reservation only.
        let fine = match (before, kind) {
            (Kind::Read, Kind::Read | Kind::Write) | (Kind::Write, Kind::Read) => true,
            _ => value.is_some() && old == value,
        };
        if fine {
            if before == Kind::Read {
                written.insert(at, (value, span, kind));
            }
            return Ok(None);
        }
        let name = self.name(access.field);
        let index: Vec<String> = at[..access.index.len()].iter().map(ToString::to_string).collect();
        let lines = (self.program.source.line(other), self.program.source.line(span));
        Ok(Some(format!(
            "{name}[{}] would be written twice with different values (lines {} and {})",
            index.join("]["),
            lines.0,
            lines.1
        )))
    }

    /// What an access writes with the loop variables as they are: a value, or, where it
    /// stands for writes of another, a digest of all of them. `None` if that is not known,
    /// or for a reservation.
    pub(super) fn written(&mut self, access: &Access) -> Result<Option<i128>, Stop> {
        if let Some(writes) = &access.stands_for {
            let open: Vec<&Level> =
                writes.nest.iter().filter(|l| access.nest.iter().all(|m| m.var != l.var)).collect();
            let mut digest = std::hash::DefaultHasher::new();
            return match self.digest(writes, &open, &mut digest) {
                Ok(true) => Ok(Some(i128::from(digest.finish()))),
                Ok(false) | Err(Stop::Unset(..)) => Ok(None),
                Err(e) => Err(e),
            };
        }
        let Some(e) = &access.value else { return Ok(None) };
        match self.env().eval(e, access.span) {
            Ok(value) => Ok(Some(value)),
            Err(Stop::Unset(..)) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn digest(
        &mut self,
        access: &Access,
        open: &[&Level],
        digest: &mut std::hash::DefaultHasher,
    ) -> Result<bool, Stop> {
        let span = access.span;
        if let Some((level, rest)) = open.split_first() {
            for k in 0..self.env().eval(&level.count, span)? {
                self.set_var(level.var, k);
                if !self.digest(access, rest, digest)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for guard in &access.guards {
            if !self.env().holds(guard, span)? {
                return Ok(true);
            }
        }
        for index in &access.index {
            self.env().eval(index, span)?.hash(digest);
        }
        let Some(e) = &access.value else { return Ok(false) };
        self.env().eval(e, span)?.hash(digest);
        Ok(true)
    }
}
