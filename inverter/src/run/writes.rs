//! Facts of the writes of each array that no choice changes, found once for all variants.

use std::collections::{BTreeMap, BTreeSet};

use crate::invert::access::Access;
use crate::invert::{Inverse, Level};
use crate::program::{Atom, Expr, FieldId, Poly, Ref, Side};

/// A write.
#[derive(Debug, Clone, Copy)]
pub struct Write {
    /// Its position in [`Inverse::accesses`].
    pub access: usize,
    /// The distance of the elements of two iterations of the innermost loop around it, if it is 1 or -1 in all of them.
    pub step: Option<i128>,
    /// True if it has the same guards as the write before it, and both are outside of loops: the guards hold, or fail,
    /// together.
    pub as_before: bool,
}

/// The writes of an array.
#[derive(Debug, Clone, Default)]
pub struct Writes {
    /// The writes.
    pub all: Vec<Write>,
    /// The inputs that decide which elements are written, when, and with what.
    pub depends_on: BTreeSet<FieldId>,
}

impl Writes {
    /// Finds the writes of all arrays that have some.
    pub fn of(inverse: &Inverse) -> BTreeMap<FieldId, Self> {
        let mut found: BTreeMap<FieldId, Self> = BTreeMap::new();
        for (k, access) in inverse.accesses.iter().enumerate() {
            let writes = found.entry(access.field).or_default();
            let before = writes.all.last().map(|before| &inverse.accesses[before.access]);
            let as_before = before.is_some_and(|before| {
                let plain = before.nest.is_empty() && access.nest.is_empty();
                plain && before.guards == access.guards
            });
            writes.all.push(Write { access: k, step: unit_step(access), as_before });
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
