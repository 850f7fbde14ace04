//! The fields on which a layout, or the constraints on elements, depend: the key of the cache entry.

use std::collections::BTreeSet;

use crate::invert::{DisjointnessStrategy, Ensure, EnsureId, EnsureKind, Inverse};
use crate::program::{FieldId, Length, Ref, Side, Span};
use crate::run::store::{Slot, Store};

/// The maximum number of values in a key: longer ones are unlikely to recur.
const MOST: usize = 1 << 12;

/// The fields on which the choices left by an ensure of places or elements depend.
#[derive(Debug)]
pub struct Reads(BTreeSet<(Side, FieldId)>);

impl Reads {
    /// Returns the fields that determine which segments ensure `n` places and where they may be, or which constraints
    /// apply to the elements that it assigns; `None` if it is an ensure of scalars.
    pub fn of(inverse: &Inverse, n: EnsureId) -> Option<Self> {
        let mut fields = BTreeSet::new();
        let mut add = |r: &Ref| {
            fields.insert((r.side, r.field));
        };
        let array = match inverse.ensures[n].kind {
            EnsureKind::Scalars(_) => return None,
            EnsureKind::Places { array, .. } => {
                inverse.ensures[n].conjuncts.iter().for_each(|c| c.pred.refs(&mut add));
                array
            }
            EnsureKind::Elements(array) => {
                // Later ensures constrain these elements as well.
                let ensures: &[Ensure] = &inverse.ensures[n.0..];
                ensures.iter().flat_map(|e| &e.conjuncts).for_each(|c| c.pred.refs(&mut add));
                inverse.extents.iter().for_each(|extent| extent.refs(&mut add));
                add(&Ref {
                    side: Side::Input,
                    field: array,
                    index: Vec::new(),
                    span: Span::default(),
                });
                array
            }
        };
        if let (EnsureKind::Places { .. }, Some(DisjointnessStrategy::Layout(layout))) =
            (&inverse.ensures[n].kind, inverse.strategies.get(&array))
        {
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
        Some(Self(fields))
    }

    /// Returns the values of the fields; `None` if there are too many, or if an array has values for only some of its
    /// elements.
    pub fn key(&self, input: &Store, output: &Store) -> Option<Vec<i128>> {
        let mut out = Vec::with_capacity(4 * self.0.len());
        for (side, field) in &self.0 {
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
