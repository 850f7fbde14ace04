//! Facts about the writes of each array that no choice changes, computed once for all variants.

use std::collections::{BTreeMap, BTreeSet};

use crate::invert::access::Access;
use crate::invert::{Inverse, Level};
use crate::program::{Atom, Expr, FieldId, Poly, Ref, Side};

/// The writes of an array.
#[derive(Debug, Clone)]
pub struct Writes {
    /// Their positions in [`Inverse::accesses`].
    pub all: Vec<usize>,
    /// The writes outside loops to an array of one dimension, grouped by those that happen together.
    pub plain: Vec<Together>,
    /// The others, each with the distance between the elements of two consecutive iterations of its innermost loop, if
    /// that is always 1 or always -1.
    pub others: Vec<(usize, Option<i128>)>,
    /// The inputs that determine which elements are written, when, and with which values.
    pub depends_on: BTreeSet<FieldId>,
}

/// Writes under the same guards.
#[derive(Debug, Clone)]
pub struct Together {
    /// The position of one of them in [`Inverse::accesses`].
    pub access: usize,
    /// The runs of adjacent elements that they write: the first element, and the number of elements.
    pub runs: Vec<(Expr, i128)>,
}

impl Writes {
    /// Returns the writes of an array without writes.
    pub const fn none() -> Self {
        Self { all: Vec::new(), plain: Vec::new(), others: Vec::new(), depends_on: BTreeSet::new() }
    }

    /// Finds the writes of all arrays that have any.
    pub fn of(inverse: &Inverse) -> BTreeMap<FieldId, Self> {
        let mut found: BTreeMap<FieldId, Self> = BTreeMap::new();
        for (k, access) in inverse.accesses.iter().enumerate() {
            let writes = found.entry(access.field).or_insert_with(Self::none);
            writes.all.push(k);
            writes.add_dependencies(access);
            match (&access.index[..], access.nest.is_empty()) {
                ([index], true) => writes.add(inverse, k, Poly::of(index)),
                _ => writes.others.push((k, unit_step(access))),
            }
        }
        found
    }

    /// Adds the write of a single element.
    fn add(&mut self, inverse: &Inverse, k: usize, index: Poly) {
        let guards = |k: usize| &inverse.accesses[k].guards;
        let at = self.plain.iter().position(|of| guards(of.access) == guards(k));
        let at = at.unwrap_or_else(|| {
            self.plain.push(Together { access: k, runs: Vec::new() });
            self.plain.len() - 1
        });
        let runs = &mut self.plain[at].runs;
        // The bytes of a number may be written in either order.
        let (mut first, mut count) = (index, 1);
        while let Some((k, before)) = runs.iter().enumerate().find_map(|(k, (lo, own))| {
            let distance = first.sub(&Poly::of(lo)).as_int()?;
            (distance == *own || distance == -count).then_some((k, distance > 0))
        }) {
            let (lo, own) = runs.swap_remove(k);
            if before {
                first = Poly::of(&lo);
            }
            count += own;
        }
        runs.push((first.to_expr(), count));
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
