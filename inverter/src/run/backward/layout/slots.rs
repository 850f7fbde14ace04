//! The segments of an array: runs the loops and guards of its layout. Each base that is reached makes a segment of all
//! elements that are relative to it.

use super::problem::{Base, Group, SegmentSlot, Slots};
use crate::invert::Part;
use crate::program::FieldId;
use crate::run::backward::checks::nest::{is_skipped, iterations};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};

/// A part of a segment: its base, and its first and last element relative to the base.
struct Found {
    base: Base,
    scale: i128,
    lo: i128,
    hi: i128,
}

impl Found {
    /// Adds another part of the same segment; an empty one does not widen it.
    fn widen(&mut self, lo: i128, hi: i128) {
        if hi >= lo {
            let empty = self.hi < self.lo;
            (self.lo, self.hi) = if empty { (lo, hi) } else { (self.lo.min(lo), self.hi.max(hi)) };
        }
    }
}

/// Allocates the arrays of bases of an array's segments.
pub fn allocate_bases(run: &mut Backward<'_>, array: FieldId) -> Result<(), RunError> {
    let Some(layout) = run.cx.layout(array) else { return Ok(()) };
    for part in &layout.parts {
        if let Some(base) = part.base.as_ref().filter(|base| !base.index.is_empty()) {
            run.allocate(base.field, part.span)?;
        }
    }
    Ok(())
}

/// Returns the segments of an array.
pub fn slots(run: &mut Backward<'_>, array: FieldId) -> Result<Slots, RunError> {
    let cx = run.cx;
    allocate_bases(run, array)?;
    let mut walk = Walk { env: run.env(), found: Vec::new(), taken: Vec::new() };
    if let Some(layout) = cx.layout(array) {
        for part in &layout.parts {
            let walked = walk.part(part, 0);
            walked.map_err(|stop| stop.into_error(&walk.env, part.span))?;
        }
    }
    let Walk { mut found, mut taken, .. } = walk;
    let mut trailer: Option<(i128, i128)> = None;
    if let Some(length) = cx.program.length_of(array) {
        found.retain(|f| {
            let ends = f.base.0 == length;
            if ends && f.lo <= f.hi {
                let (lo, hi) = trailer.unwrap_or((f.lo, f.hi));
                trailer = Some((lo.min(f.lo), hi.max(f.hi)));
            }
            !ends
        });
        // If the array's length is known, the place of the trailer is taken.
        if let (Some((lo, hi)), Some(length)) = (trailer, run.assignment.scalar(length)) {
            taken.push((length + lo, length + hi + 1));
        }
    }
    // The sort is stable: parts of one base stay in their order.
    if !found.is_sorted_by_key(|f| f.base) {
        found.sort_by_key(|f| f.base);
    }
    found.dedup_by(|next, first| {
        let same = next.base == first.base;
        if same {
            first.widen(next.lo, next.hi);
        }
        same
    });
    let mut slots = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut scalars: Vec<Group> = Vec::new();
    for Found { base, scale, lo, hi } in found {
        let is_scalar = cx.program.input.fields[base.0].is_scalar();
        let of_kind = if is_scalar { &mut scalars } else { &mut groups };
        match of_kind.last_mut() {
            Some(group) if group.field == base.0 => group.members.push(slots.len()),
            _ => of_kind.push(Group { field: base.0, members: vec![slots.len()] }),
        }
        slots.push(SegmentSlot { base, scale, lo, len: (hi - lo + 1).max(0) });
    }
    groups.extend(scalars);
    Ok(Slots { slots, trailer, taken, groups })
}

/// A walk over the parts of a layout.
struct Walk<'e> {
    env: Env<'e>,
    found: Vec<Found>,
    taken: Vec<(i128, i128)>,
}

impl Walk<'_> {
    fn part(&mut self, part: &Part, depth: usize) -> Result<(), Stop> {
        let span = part.span;
        if is_skipped(&mut self.env, &part.guards, &part.outer, depth, span)? {
            return Ok(());
        }
        if let Some(level) = part.outer.get(depth) {
            let count = iterations(&self.env, &level.count, span)?;
            for k in 0..count {
                self.env.step(1, span)?;
                self.env.set_var(level.var, k);
                self.part(part, depth + 1)?;
            }
            return Ok(());
        }
        // An empty part has no place, and its inner bounds need no value.
        for level in &part.inner {
            self.env.set_var(level.var, 0);
            if iterations(&self.env, &level.count, span)? <= 0 {
                return Ok(());
            }
        }
        let (lo, hi) = (self.env.eval(&part.lo, span)?, self.env.eval(&part.hi, span)?);
        match &part.base {
            None => self.taken.push((lo, hi + 1)),
            Some(base) => {
                let at = self.env.locate(base, span)?;
                self.found.push(Found { base: (base.field, at), scale: part.scale, lo, hi });
            }
        }
        Ok(())
    }
}
