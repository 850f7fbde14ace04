//! The exact check, by looking at every write: no element gets two different values.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::Backward;
use crate::invert::access::Access;
use crate::invert::{Discipline, Level};
use crate::program::{Expr, FieldId, Pred, Span};
use crate::run::error::RunError;
use crate::run::eval::Stop;

/// The accesses that elements have had.
#[derive(Default)]
struct Written {
    all: Vec<Had>,
    /// One past the place among all: of an element of an array of one dimension near its
    /// beginning, where nearly all are; of any other.
    near: Vec<u32>,
    others: FxHashMap<[i128; 3], u32>,
}

/// An access that an element has had; there are many.
#[derive(Clone, Copy)]
#[repr(C, packed(8))]
struct Had {
    /// `None` for a reservation, or what is not yet known.
    value: Option<i128>,
    /// Its place among the accesses.
    access: u32,
    kind: Kind,
}

impl Written {
    /// As far as elements are near.
    const NEAR: usize = 1 << 20;

    /// What the element has had; if nothing, it now has `new`.
    fn or_insert(&mut self, at: [i128; 3], dimensions: usize, new: Had) -> Option<&mut Had> {
        let near = usize::try_from(at[0]).ok().filter(|n| dimensions == 1 && *n < Self::NEAR);
        let slot = match near {
            Some(near) => {
                if self.near.len() <= near {
                    self.near.resize((near + 1).next_power_of_two(), 0);
                }
                &mut self.near[near]
            }
            None => self.others.entry(at).or_default(),
        };
        match *slot {
            0 => {
                self.all.push(new);
                *slot = self.all.len() as u32;
                None
            }
            n => self.all.get_mut(n as usize - 1),
        }
    }
}

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
    pub(super) fn meeting_writes(&mut self, array: FieldId) -> Result<Option<String>, RunError> {
        if self.apart(array) {
            return Ok(None);
        }
        let inverse = self.inverse;
        let mut written = Written::default();
        let accesses = inverse.accesses.iter().enumerate();
        for (k, access) in accesses.filter(|(_, a)| a.field == array) {
            match self.writes((k as u32, access), 0, &mut written) {
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
    pub(super) fn recheck(&mut self, field: FieldId) -> Result<Option<String>, RunError> {
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
        (number, access): (u32, &Access),
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
                if let Some(trouble) = self.writes((number, access), depth + 1, written)? {
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
            None if access.stands_for.is_some() => Kind::Write,
            None => Kind::Reservation,
            Some(_) if access.reads() => Kind::Read,
            Some(_) => Kind::Write,
        };
        let new = Had { value, access: number, kind };
        let Some(old) = written.or_insert(at, access.index.len(), new) else { return Ok(None) };
        // A read is at odds with a reservation only.
        let fine = match (old.kind, kind) {
            (Kind::Read, Kind::Read | Kind::Write) | (Kind::Write, Kind::Read) => true,
            _ => value.is_some() && { old.value } == value,
        };
        if fine {
            if old.kind == Kind::Read {
                *old = new;
            }
            return Ok(None);
        }
        let other = self.inverse.accesses[old.access as usize].span;
        let name = self.name(access.field);
        let index: Vec<String> = at[..access.index.len()].iter().map(ToString::to_string).collect();
        let places = self.program.source.places(other, span);
        Ok(Some(format!(
            "{name}[{}] would be written twice with different values ({places})",
            index.join("][")
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
