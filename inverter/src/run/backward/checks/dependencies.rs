//! The inputs that decide which elements are written.

use std::collections::BTreeSet;

use crate::invert::Inverse;
use crate::program::{Expr, FieldId, Ref, Side};

/// Returns the inputs that decide which elements of an array are written, when, and with what.
pub fn write_dependencies(inverse: &Inverse, array: FieldId) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    let mut add = |r: &Ref| {
        if r.side == Side::Input {
            out.insert(r.field);
        }
    };
    for access in inverse.accesses.iter().filter(|a| a.field == array) {
        let mut look = |e: &Expr| e.refs(&mut add);
        access.nest.iter().for_each(|l| look(&l.count));
        access.index.iter().for_each(&mut look);
        access.guards.iter().for_each(|g| g.exprs(&mut |e| look(e)));
        access.value.iter().for_each(look);
    }
    out
}
