//! Finds arrays of free length whose length depends on their own elements. No ensure can size them before it chooses
//! their elements, so only a search finds representations.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::Extent;
use crate::program::{Diagnostic, FieldId, Program, Ref, Side};

/// Returns a loss for each array whose extent depends on an element of the same array, directly or through the extents
/// of other arrays.
pub fn circular(program: &Program, extents: &[Extent]) -> Vec<Diagnostic> {
    let mut needs: BTreeMap<FieldId, BTreeSet<FieldId>> = BTreeMap::new();
    for e in extents {
        let needs = needs.entry(e.array).or_default();
        let mut note = |r: &Ref| {
            if r.side == Side::Input && !r.index.is_empty() {
                needs.insert(r.field);
            }
        };
        e.nest.iter().for_each(|level| level.count.refs(&mut note));
        e.hi.refs(&mut note);
    }
    let reaches = |from: FieldId| {
        let mut found = BTreeSet::new();
        let mut next = vec![from];
        while let Some(array) = next.pop() {
            for needed in needs.get(&array).into_iter().flatten() {
                if found.insert(*needed) {
                    next.push(*needed);
                }
            }
        }
        found
    };
    let mut out: Vec<Diagnostic> = Vec::new();
    for &array in needs.keys().filter(|array| reaches(**array).contains(array)) {
        let Some(e) = extents.iter().find(|e| e.array == array && mentions_array(e)) else {
            continue;
        };
        let name = &program.input.fields[array].name;
        let message = format!("the length of `{name}` depends on its own elements");
        out.push(Diagnostic::new(message, e.span, "an index that says how long it is").help(
            "representations are found by search, for small values only; give the array a length",
        ));
    }
    out
}

fn mentions_array(e: &Extent) -> bool {
    let mut found = false;
    e.refs(&mut |r| found |= r.side == Side::Input && !r.index.is_empty());
    found
}
