//! The exact check of disjointness: every write of an array, element by element.
//!
//! It decides write conflicts that conditions on the inputs could not rule out in advance. It runs only if the quick
//! check of [`super::runs`] has failed; time and memory are proportional to the number of written elements.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use super::nest::{is_skipped, iterations};
use super::runs;
use crate::invert::access::Access;
use crate::invert::{DisjointnessStrategy, Level};
use crate::program::FieldId;
use crate::run::backward::context::Context;
use crate::run::backward::limits::MOST_WRITES;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};

/// The first access of each element.
#[derive(Default)]
struct Written {
    all: Vec<Entry>,
    /// For each element near the start of an array of one dimension, where nearly all elements are, one more than its
    /// position in `all`.
    near: Vec<u32>,
    /// For all other elements, their positions in `all`.
    others: FxHashMap<[i128; 3], u32>,
}

/// An access of an element. There are many, so this is small.
#[derive(Clone, Copy)]
#[repr(C, packed(8))]
struct Entry {
    /// The value; `None` for a reservation, or if the value is not determined yet.
    value: Option<i128>,
    /// The position among the accesses.
    access: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Write,
    /// A read of an element that an ensure assigns.
    Read,
    Reservation,
}

impl Written {
    /// Returns the entry of an element; inserts `new` if there is none.
    fn or_insert(&mut self, at: [i128; 3], dimensions: usize, new: Entry) -> Option<&mut Entry> {
        let near = usize::try_from(at[0]).ok().filter(|n| dimensions == 1 && *n < MOST_WRITES);
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

/// Describes two conflicting writes of `array`: one element, different values. `None` also if something on which guards
/// or indices depend has no value yet.
pub fn write_conflict(
    cx: Context<'_>,
    env: &mut Env<'_>,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    find(cx, env, array, false)
}

/// Like [`write_conflict`], for an array that is not checked again later: a missing value counts as a conflict.
pub fn conflict_or_open(
    cx: Context<'_>,
    env: &mut Env<'_>,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    find(cx, env, array, true)
}

fn find(
    cx: Context<'_>,
    env: &mut Env<'_>,
    array: FieldId,
    open_is_conflict: bool,
) -> Result<Option<String>, RunError> {
    if runs::are_disjoint(cx.inverse, env, array) {
        return Ok(None);
    }
    let mut check = Check { cx, env, written: Written::default() };
    for &k in &cx.inverse.writes(array).all {
        match check.access(k as u32, &cx.inverse.accesses[k], 0) {
            Err(Stop::Unset(..)) if open_is_conflict => {
                return Ok(Some(format!(
                    "it is open which elements of {} are written",
                    cx.name(array)
                )));
            }
            Ok(None) | Err(Stop::Unset(..)) => {}
            Ok(Some(conflict)) => return Ok(Some(conflict)),
            Err(Stop::Error(e)) => return Err(e),
        }
    }
    Ok(None)
}

/// Repeats the checks of arrays whose writes depend on `field`, now that it is assigned.
pub fn recheck(
    cx: Context<'_>,
    env: &mut Env<'_>,
    field: FieldId,
) -> Result<Option<String>, RunError> {
    recheck_where(cx, env, field, |_| true)
}

/// Repeats these checks, except that of `array`.
pub fn recheck_others(
    cx: Context<'_>,
    env: &mut Env<'_>,
    field: FieldId,
    array: FieldId,
) -> Result<Option<String>, RunError> {
    recheck_where(cx, env, field, |other| other != array)
}

fn recheck_where(
    cx: Context<'_>,
    env: &mut Env<'_>,
    field: FieldId,
    which: impl Fn(FieldId) -> bool,
) -> Result<Option<String>, RunError> {
    for (array, strategy) in cx.inverse.strategies.iter().filter(|(array, _)| which(**array)) {
        let checked = match strategy {
            DisjointnessStrategy::Conditions => false,
            DisjointnessStrategy::Layout(layout) => layout.checked,
            DisjointnessStrategy::RuntimeCheck => true,
        };
        if checked
            && cx.inverse.writes(*array).depends_on.contains(&field)
            && let Some(why) = write_conflict(cx, env, *array)?
        {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

/// A check in progress.
struct Check<'c, 'e> {
    cx: Context<'c>,
    env: &'c mut Env<'e>,
    written: Written,
}

impl Check<'_, '_> {
    /// Checks an access, in all iterations of its loops from `depth` on.
    fn access(
        &mut self,
        number: u32,
        access: &Access,
        depth: usize,
    ) -> Result<Option<String>, Stop> {
        let span = access.span;
        if is_skipped(self.env, &access.guards, &access.nest, depth, span)? {
            return Ok(None);
        }
        if let Some(level) = access.nest.get(depth) {
            let count = iterations(self.env, &level.count, span)?;
            for k in 0..count {
                self.env.step(1, span)?;
                self.env.set_var(level.var, k);
                if let Some(conflict) = self.access(number, access, depth + 1)? {
                    return Ok(Some(conflict));
                }
            }
            return Ok(None);
        }
        let mut at = [0i128; 3];
        for (slot, index) in at.iter_mut().zip(&access.index) {
            *slot = self.env.eval(index, span)?;
        }
        let value = written_value(self.env, access)?;
        let kind = match &access.value {
            None if access.stands_for.is_some() => Kind::Write,
            None => Kind::Reservation,
            Some(_) if access.reads() => Kind::Read,
            Some(_) => Kind::Write,
        };
        let new = Entry { value, access: number, kind };
        let dimensions = access.index.len();
        let Some(old) = self.written.or_insert(at, dimensions, new) else { return Ok(None) };
        // A read conflicts with a reservation only.
        let agree = match (old.kind, kind) {
            (Kind::Read, Kind::Read | Kind::Write) | (Kind::Write, Kind::Read) => true,
            _ => value.is_some() && { old.value } == value,
        };
        if agree {
            if old.kind == Kind::Read {
                *old = new;
            }
            return Ok(None);
        }
        let old = old.access;
        Ok(Some(self.describe(old, access, &at[..dimensions])))
    }

    fn describe(&self, old: u32, access: &Access, index: &[i128]) -> String {
        let old = &self.cx.inverse.accesses[old as usize];
        let source = &self.cx.program.source;
        let index: Vec<String> = index.iter().map(ToString::to_string).collect();
        format!(
            "{}[{}] would be written twice with different values ({})",
            self.cx.name(access.field),
            index.join("]["),
            source.places(old.span, access.span)
        )
    }
}

/// Returns the value that an access writes under the current loop variables or, if it represents the writes of a loop,
/// a digest of these. `None` for a reservation, or if the value is not determined yet.
pub fn written_value(env: &mut Env<'_>, access: &Access) -> Result<Option<i128>, Stop> {
    if let Some(writes) = &access.stands_for {
        let open: Vec<&Level> =
            writes.nest.iter().filter(|l| access.nest.iter().all(|m| m.var != l.var)).collect();
        let mut hasher = std::hash::DefaultHasher::new();
        return match digest(env, writes, &open, &mut hasher) {
            Ok(true) => Ok(Some(i128::from(hasher.finish()))),
            Ok(false) | Err(Stop::Unset(..)) => Ok(None),
            Err(e) => Err(e),
        };
    }
    let Some(e) = &access.value else { return Ok(None) };
    match env.eval(e, access.span) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Unset(..)) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Adds the writes of an access to a digest; returns false if a write has no value.
fn digest(
    env: &mut Env<'_>,
    access: &Access,
    open: &[&Level],
    hasher: &mut std::hash::DefaultHasher,
) -> Result<bool, Stop> {
    let span = access.span;
    if let Some((level, rest)) = open.split_first() {
        for k in 0..env.eval(&level.count, span)? {
            env.set_var(level.var, k);
            if !digest(env, access, rest, hasher)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    for guard in &access.guards {
        if !env.holds(guard, span)? {
            return Ok(true);
        }
    }
    for index in &access.index {
        env.eval(index, span)?.hash(hasher);
    }
    let Some(e) = &access.value else { return Ok(false) };
    env.eval(e, span)?.hash(hasher);
    Ok(true)
}
