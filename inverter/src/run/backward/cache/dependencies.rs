//! Cache keys of layouts and element constraints: the fields that decide them, with their values.
//!
//! Variants of one picture differ in the content of their segments more often than in the lengths
//! of these, so that a layout recurs even where the canonical value does not.

use std::collections::BTreeSet;

use crate::invert::{Conjunct, DisjointnessStrategy, Ensure, EnsureId, EnsureKind, Inverse};
use crate::program::{FieldId, Length, Ref, Side};
use crate::run::store::{Slot, Store};

/// The most values in a key: longer ones are unlikely to recur.
const MOST: usize = 1 << 12;

/// The scalars and arrays of a representation and of its canonical value that decide the outcome
/// of an ensure.
#[derive(Debug)]
pub struct Dependencies {
    fields: BTreeSet<(Side, FieldId)>,
}

impl Dependencies {
    /// Returns the dependencies of an ensure of places or elements; `None` for one of scalars.
    pub fn of(inverse: &Inverse, ensure: &Ensure) -> Option<Self> {
        match &ensure.kind {
            EnsureKind::Scalars(_) => None,
            EnsureKind::Elements(_) => Some(Self::of_elements(inverse, ensure)),
            EnsureKind::Places { array, .. } => Some(Self::of_places(inverse, ensure, *array)),
        }
    }

    /// Returns the fields that decide whether given elements satisfy the derived conditions.
    fn of_elements(inverse: &Inverse, ensure: &Ensure) -> Self {
        let mut fields = BTreeSet::new();
        let mut add = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        let conjuncts = ensure.conjuncts.iter().filter(|c| c.why.is_derived());
        conjuncts.for_each(|c| c.pred.refs(&mut add));
        inverse.extents.iter().for_each(|extent| extent.refs(&mut add));
        Self { fields }
    }

    /// Returns the fields that decide the constraints on the elements of an array that ensure `n` gives:
    /// its own, and those of later ones.
    pub fn of_constraints(inverse: &Inverse, n: EnsureId) -> Option<Self> {
        let EnsureKind::Elements(array) = inverse.ensures[n].kind else { return None };
        let mut fields = BTreeSet::new();
        let mut add = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        let ensures = inverse.ensures.iter().skip(n.0);
        ensures.flat_map(|e| &e.conjuncts).for_each(|c| c.pred.refs(&mut add));
        inverse.extents.iter().for_each(|extent| extent.refs(&mut add));
        for length in &inverse.program.input.fields[array].lengths {
            if let Length::Is(e) = length {
                e.refs(&mut add);
            }
        }
        fields.insert((Side::Input, array));
        Some(Self { fields })
    }

    /// Returns the fields that decide whether the segments that an ensure places fit, where conjuncts define the arrays
    /// that decide how large they are: all of the representation, and those of the canonical value that are read. `None`
    /// for other ensures, and where contents of segments are compared, or a length may be drawn.
    pub fn of_room(inverse: &Inverse, ensure: &Ensure) -> Option<Self> {
        let EnsureKind::Places { array, .. } = ensure.kind else { return None };
        let DisjointnessStrategy::Layout(layout) = inverse.strategies.get(&array)? else {
            return None;
        };
        let compared = |strategy: &DisjointnessStrategy| match strategy {
            DisjointnessStrategy::Conditions => false,
            DisjointnessStrategy::Layout(layout) => layout.checked,
            DisjointnessStrategy::RuntimeCheck => true,
        };
        let program = &inverse.program;
        let open = |field: FieldId| program.input.fields[field].lengths.contains(&Length::Free);
        if layout.dictionary().is_some()
            || inverse.strategies.values().any(compared)
            || layout.bases().into_iter().any(open)
        {
            return None;
        }
        let mut fields = Self::of_places(inverse, ensure, array).fields;
        fields.extend(program.input.indexed().map(|(field, _)| (Side::Input, field)));
        let mut add = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        let mut deciding = layout.bases();
        let mut decides = |r: &Ref| {
            deciding.insert(r.field);
        };
        layout.parts.iter().for_each(|part| part.refs(&mut decides));
        for e in &inverse.ensures {
            let EnsureKind::Elements(field) = e.kind else { continue };
            // To define an array evaluates these.
            let reads = |c: &&Conjunct| c.why.is_derived() || c.definition(field).is_some();
            if deciding.contains(&field) {
                e.conjuncts.iter().filter(reads).for_each(|c| c.pred.refs(&mut add));
            }
        }
        for length in program.input.fields.iter().flat_map(|f| &f.lengths) {
            if let Length::Is(e) = length {
                e.refs(&mut add);
            }
        }
        inverse.extents.iter().for_each(|extent| extent.refs(&mut add));
        Some(Self { fields })
    }

    /// Returns the fields that decide which segments there are, and where they may be.
    fn of_places(inverse: &Inverse, ensure: &Ensure, array: FieldId) -> Self {
        let mut fields = BTreeSet::new();
        let mut add = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        ensure.conjuncts.iter().for_each(|c| c.pred.refs(&mut add));
        if let Some(DisjointnessStrategy::Layout(layout)) = inverse.strategies.get(&array) {
            for part in &layout.parts {
                part.refs(&mut add);
                if let Some(base) = &part.base {
                    base.index.iter().for_each(|e| e.refs(&mut add));
                    add(base);
                }
            }
        }
        for length in &inverse.program.input.fields[array].lengths {
            if let Length::Is(e) = length {
                e.refs(&mut add);
            }
        }
        Self { fields }
    }

    /// Returns the values of the fields, as a key; `None` if they are very many, or an array has
    /// values for some of its elements only.
    pub fn values(&self, input: &Store, output: &Store) -> Option<Vec<i128>> {
        let mut out = Vec::with_capacity(4 * self.fields.len());
        for (side, field) in &self.fields {
            let store = if *side == Side::Input { input } else { output };
            match store.slots.get(field.0)? {
                Slot::Unset => out.push(0),
                Slot::Scalar(n) => out.extend([1, *n]),
                Slot::Array(array, known) => {
                    let all = known.is_full();
                    if all && out.len() + array.cells.len() > MOST || !all && !known.is_clear() {
                        return None;
                    }
                    out.extend([2 + i128::from(all), array.lengths.len() as i128]);
                    out.extend(array.lengths.iter().map(|n| *n as i128));
                    if all {
                        array.cells.append_to(&mut out);
                    }
                }
            }
        }
        Some(out)
    }
}
