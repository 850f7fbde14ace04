//! What an ensure of places or elements depends on, so that what it comes to is worked out once:
//! files of one picture differ in what is in their segments more often than in how long these are.

use std::collections::BTreeSet;

use super::scalars::derived;
use crate::invert::{Discipline, Ensure, EnsureKind, Inverse};
use crate::program::{FieldId, Length, Ref, Side};
use crate::run::store::{Slot, Store};

/// The most values for which it is told: more than that are not likely to come again.
const MOST: usize = 1 << 12;

/// The scalars and arrays of a representation and of its canonical value that decide it.
#[derive(Debug)]
pub(super) struct Mentioned {
    fields: BTreeSet<(Side, FieldId)>,
}

impl Mentioned {
    /// Of an ensure; `None` if it is one of scalars.
    pub(super) fn of(inverse: &Inverse, ensure: &Ensure) -> Option<Self> {
        match &ensure.kind {
            EnsureKind::Scalars(_) => None,
            EnsureKind::Elements(_) => Some(Self::of_elements(inverse, ensure)),
            EnsureKind::Places { array, .. } => Some(Self::of_places(inverse, ensure, *array)),
        }
    }

    /// What decides whether elements that are told have what is derived of them.
    fn of_elements(inverse: &Inverse, ensure: &Ensure) -> Self {
        let mut fields = BTreeSet::new();
        let mut look = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        let conjuncts = ensure.conjuncts.iter().filter(|c| derived(&c.why));
        conjuncts.for_each(|c| c.pred.refs(&mut look));
        inverse.extents.iter().for_each(|extent| extent.refs(&mut look));
        Self { fields }
    }

    /// What decides which segments there are, and where they may be.
    fn of_places(inverse: &Inverse, ensure: &Ensure, array: FieldId) -> Self {
        let mut fields = BTreeSet::new();
        let mut look = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        ensure.conjuncts.iter().for_each(|c| c.pred.refs(&mut look));
        if let Some(Discipline::Layout(layout)) = inverse.disciplines.get(&array) {
            for part in &layout.parts {
                part.refs(&mut look);
                if let Some(base) = &part.base {
                    base.index.iter().for_each(|e| e.refs(&mut look));
                    look(base);
                }
            }
        }
        for length in &inverse.program.input.fields[array].lengths {
            if let Length::Is(e) = length {
                e.refs(&mut look);
            }
        }
        Self { fields }
    }

    /// Their values; `None` if they are very many, or an array is known in part.
    pub(super) fn values(&self, input: &Store, output: &Store) -> Option<Vec<i128>> {
        let mut out = Vec::new();
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
