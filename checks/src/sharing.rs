//! Representations that store two equal things in one place, or something in or after a trailer. They are legal, but an
//! inverse keeps its writes disjoint, unless it draws sharing, and places trailers last.

use std::collections::{BTreeMap, BTreeSet};

use super::evaluated::evaluated;
use inverter::invert::access::Access;
use inverter::program::{FieldId, Side, Span};
use inverter::run::eval::Env;
use inverter::run::{Executable, Record};

/// The maximum number of writes that are examined.
const MOST: usize = 50_000;

/// Returns true if two writes of the inverse go to one element of the representation `x` of `y`, or if one goes beyond
/// the start of a trailer.
pub fn shares(inverse: &Executable, x: &Record, y: &Record) -> bool {
    evaluated(&inverse.program, x, y, |env| {
        let (trailer, rest) = (BTreeMap::new(), BTreeMap::new());
        let mut writes = Writes { env, seen: BTreeSet::new(), left: MOST, trailer, rest };
        inverse.accesses.iter().any(|access| writes.meet(access, 0) == Some(true))
            || writes.rest.iter().any(|(f, last)| writes.trailer.get(f).is_some_and(|t| t <= last))
    })
}

struct Writes<'e, 'a> {
    env: &'e mut Env<'a>,
    seen: BTreeSet<(FieldId, Vec<i128>)>,
    left: usize,
    /// The first element of an array that is written at a place relative to its end.
    trailer: BTreeMap<FieldId, i128>,
    /// The last element that is written at another place.
    rest: BTreeMap<FieldId, i128>,
}

impl Writes<'_, '_> {
    /// Returns true if a write of `access`, in the loops from `depth` on, goes to an element that has already been
    /// written; `None` if that cannot be decided.
    fn meet(&mut self, access: &Access, depth: usize) -> Option<bool> {
        let span: Span = access.span;
        if let Some(level) = access.nest.get(depth) {
            let count = self.env.eval(&level.count, span).ok()?;
            for k in 0..count {
                self.env.set_var(level.var, k);
                if self.meet(access, depth + 1)? {
                    return Some(true);
                }
            }
            return Some(false);
        }
        self.left = self.left.checked_sub(1)?;
        for guard in &access.guards {
            if !self.env.holds(guard, span).ok()? {
                return Some(false);
            }
        }
        let index = access.index.iter().map(|e| self.env.eval(e, span).ok());
        let index: Vec<i128> = index.collect::<Option<_>>()?;
        if let Some(length) = self.env.program.length_of(access.field) {
            let from_end = access.index[0].mentions(|r| r.field == length && r.side == Side::Input);
            let at = index[0];
            match from_end {
                true => {
                    self.trailer.entry(access.field).and_modify(|t| *t = at.min(*t)).or_insert(at)
                }
                false => {
                    self.rest.entry(access.field).and_modify(|t| *t = at.max(*t)).or_insert(at)
                }
            };
        }
        Some(!self.seen.insert((access.field, index)))
    }
}
