//! Facts of the writes of each array that no choice changes, found once for all variants.

use std::collections::{BTreeMap, BTreeSet};

use crate::invert::access::Access;
use crate::invert::{Inverse, Level};
use crate::program::{Atom, Expr, FieldId, Poly, Ref, Side};

/// The writes of an array.
#[derive(Debug, Clone, Default)]
pub struct Writes {
    /// The positions of the writes in [`Inverse::accesses`].
    pub accesses: Vec<usize>,
    /// The distance of the elements of two iterations of the innermost loop around each write, if it is 1 or -1 in all of
    /// them.
    pub steps: Vec<Option<i128>>,
    /// True for a write under the same guards as the one before it in this list, both outside of loops: these hold, or
    /// fail, together.
    pub as_before: Vec<bool>,
    /// The inputs that decide which elements are written, when, and with what.
    pub depends_on: BTreeSet<FieldId>,
}

impl Writes {
    /// Finds the writes of all arrays that have some.
    pub fn of(inverse: &Inverse) -> BTreeMap<FieldId, Self> {
        let mut found: BTreeMap<FieldId, Self> = BTreeMap::new();
        for (k, access) in inverse.accesses.iter().enumerate() {
            let writes = found.entry(access.field).or_default();
            let before = writes.accesses.last().map(|before| &inverse.accesses[*before]);
            writes.as_before.push(before.is_some_and(|before| {
                let plain = before.nest.is_empty() && access.nest.is_empty();
                plain && before.guards == access.guards
            }));
            writes.accesses.push(k);
            writes.steps.push(unit_step(access));
            writes.add_dependencies(access);
        }
        found
    }

    fn add_dependencies(&mut self, access: &Access) {
        let mut add = |r: &Ref| {
            if r.side == Side::Input {
                self.depends_on.insert(r.field);
            }
        };
        let mut look = |e: &Expr| e.refs(&mut add);
        access.nest.iter().for_each(|l| look(&l.count));
        access.index.iter().for_each(&mut look);
        access.guards.iter().for_each(|g| g.exprs(&mut |e| look(e)));
        access.value.iter().for_each(look);
    }
}

fn unit_step(access: &Access) -> Option<i128> {
    let (Some(Level { var, .. }), [index]) = (access.nest.last(), &access.index[..]) else {
        return None;
    };
    if access.guards.iter().any(|guard| guard.mentions_var(*var)) {
        return None;
    }
    let (step, _) = Poly::of(index).linear_in(&Atom::Var(*var))?;
    step.as_int().filter(|step| step.abs() == 1)
}
