//! The content of segments before they are placed: the values that each will hold.

use rustc_hash::FxHashMap;

use super::problem::{Base, Problem, Slots};
use crate::invert::access::Access;
use crate::invert::{Layout, layout};
use crate::program::{Expr, FieldId, Ref};
use crate::run::backward::checks::writes::written_value;
use crate::run::backward::context::Context;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};

/// The content of a segment: the value of each element, by its index relative to the base, as far
/// as it is determined.
pub type Contents = FxHashMap<[i128; 3], Option<i128>>;

/// The maximum number of writes that are examined.
const MOST_WRITES: usize = 1 << 17;

/// Returns the array whose elements select the entries of `array` one by one, as the indices of pixels select the
/// colors of a palette; `None` for other layouts, and if entries are not determined before they have their places.
pub fn picked_by(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
) -> Result<Option<FieldId>, RunError> {
    let cx = run.cx;
    let field = cx.layout(array).and_then(Layout::dictionary);
    let entries = problem.coupled.is_empty() && problem.segments.iter().all(|s| s.len == 1);
    let Some(field) = field.filter(|_| entries) else { return Ok(None) };
    let held = contents(cx, &mut run.env(), array, &problem.slots)?.unwrap_or_default();
    let known = held.iter().all(|entry| entry.values().all(Option::is_some));
    Ok((known && !held.is_empty()).then_some(field))
}

/// Returns the content of each segment; `None` if there are too many writes, if something is not determined, or if two
/// values conflict.
pub fn contents(
    cx: Context<'_>,
    env: &mut Env<'_>,
    array: FieldId,
    slots: &Slots,
) -> Result<Option<Vec<Contents>>, RunError> {
    let number: FxHashMap<Base, usize> =
        slots.slots.iter().enumerate().map(|(k, slot)| (slot.base, k)).collect();
    let dimension = cx.layout(array).map_or(0, |layout| layout.dimension);
    let contents = vec![Contents::default(); slots.slots.len()];
    let mut walk = Walk { env, number, dimension, contents, left: MOST_WRITES };
    for access in cx.inverse.accesses.iter().filter(|a| a.field == array) {
        let given = |r: &Ref| walk.number.keys().any(|base| base.0 == r.field);
        let Some((base, _, offset)) =
            layout::scaled_base(cx.program, &access.index[dimension], &given)
        else {
            continue;
        };
        let write = Write { access, base: &base, offset: &offset.to_expr() };
        match walk.write(&write, 0) {
            Ok(()) => {}
            Err(Stop::Unset(..)) => return Ok(None),
            Err(Stop::Error(e)) => return Err(e),
        }
        if walk.left == 0 {
            return Ok(None);
        }
    }
    Ok(Some(walk.contents))
}

/// A write, with its index in the placed dimension split into base and offset.
struct Write<'a> {
    access: &'a Access,
    base: &'a Ref,
    offset: &'a Expr,
}

/// A walk over the writes of an array.
struct Walk<'r, 'e> {
    env: &'r mut Env<'e>,
    /// The segment of each base.
    number: FxHashMap<Base, usize>,
    /// The placed dimension.
    dimension: usize,
    contents: Vec<Contents>,
    /// The number of writes that may still be examined; 0 also after a conflict.
    left: usize,
}

impl Walk<'_, '_> {
    fn write(&mut self, write: &Write<'_>, depth: usize) -> Result<(), Stop> {
        let Write { access, base, offset } = *write;
        let span = access.span;
        if let Some(level) = access.nest.get(depth) {
            for k in 0..self.env.eval(&level.count, span)? {
                self.env.set_var(level.var, k);
                self.write(write, depth + 1)?;
                if self.left == 0 {
                    break;
                }
            }
            return Ok(());
        }
        self.left = self.left.saturating_sub(1);
        for guard in &access.guards {
            if !self.env.holds(guard, span)? {
                return Ok(());
            }
        }
        let at = self.env.locate(base, span)?;
        let Some(k) = self.number.get(&(base.field, at)) else { return Ok(()) };
        let mut index = [0i128; 3];
        for (d, (slot, e)) in index.iter_mut().zip(&access.index).enumerate() {
            *slot = self.env.eval(if d == self.dimension { offset } else { e }, span)?;
        }
        let value = written_value(self.env, access)?;
        if let Some(old) = self.contents[*k].insert(index, value)
            && (value.is_none() || old != value)
        {
            self.left = 0;
        }
        Ok(())
    }
}
