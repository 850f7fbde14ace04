//! Derivation of the constraints that the inverse needs and the spec does not state: no element of an
//! input is written twice with different values, and every index is inside its array.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::access::{Access, Mention};
use super::bounds::{Constraints, Indexed, inside};
use super::layout::{Layout, layout, scaled_base};
use super::write_once::written_once;
use crate::program::{FieldId, Pred, Program, Ref, Side};

/// The strategy that prevents elements of an array from being written twice with different values.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum DisjointnessStrategy {
    /// Conditions on scalars, in the ensure.
    Conditions,
    /// A choice of disjoint places.
    Layout(Layout),
    /// Checks every write once the scalars have values; exact, but slower.
    RuntimeCheck,
}

/// The derived constraints.
#[derive(Debug, Default)]
pub struct Derived {
    /// The conditions for ensures, and the extents of arrays.
    pub constraints: Constraints,
    /// The strategy of each written array.
    pub strategies: BTreeMap<FieldId, DisjointnessStrategy>,
}

/// Derives the constraints. `chosen` is true for the inputs that an ensure assigns, `places` for those among them that
/// are only places.
pub fn derive(
    program: &Program,
    accesses: &[Access],
    mentions: &[Mention],
    places: &dyn Fn(&Ref) -> bool,
    chosen: &dyn Fn(&Ref) -> bool,
) -> Derived {
    let mut out = Derived::default();
    let mut arrays: BTreeMap<FieldId, Vec<&Access>> = BTreeMap::new();
    for access in accesses {
        arrays.entry(access.field).or_default().push(access);
    }
    let mut based: BTreeSet<FieldId> = BTreeSet::new();
    for (field, accesses) in arrays {
        let strategy = layout(program, field, &accesses, places, &mut out.constraints.conjuncts)
            .map_or_else(
                // Conditions restrict choices. If there is no choice, checking every write is exact, because writes of
                // equal values may overlap.
                || match written_once(program, &accesses) {
                    Some(conjuncts)
                        if conjuncts.iter().all(|c| mentions_chosen(&c.pred, chosen)) =>
                    {
                        out.constraints.conjuncts.extend(conjuncts);
                        DisjointnessStrategy::Conditions
                    }
                    _ => DisjointnessStrategy::RuntimeCheck,
                },
                DisjointnessStrategy::Layout,
            );
        let strategy = match strategy {
            // A base is placed in one array only; in others it determines how far they are used.
            DisjointnessStrategy::Layout(l) if l.bases().iter().any(|b| based.contains(b)) => {
                DisjointnessStrategy::RuntimeCheck
            }
            DisjointnessStrategy::Layout(l) => {
                based.extend(l.bases());
                DisjointnessStrategy::Layout(l)
            }
            other => other,
        };
        for access in &accesses {
            let placed = match &strategy {
                // The layout keeps segments that have a base inside the array.
                DisjointnessStrategy::Layout(l)
                    if scaled_base(program, &access.index[l.dimension], places).is_some() =>
                {
                    Some(l.dimension)
                }
                _ => None,
            };
            let element = Indexed {
                field,
                index: &access.index,
                nest: &access.nest,
                guards: &access.guards,
                span: access.span,
            };
            inside(program, &element, placed, &mut out.constraints);
        }
        out.strategies.insert(field, strategy);
    }
    for m in mentions {
        let r = &m.reference;
        let element = Indexed {
            field: r.field,
            index: &r.index,
            nest: &m.nest,
            guards: &m.guards,
            span: r.span,
        };
        inside(program, &element, None, &mut out.constraints);
    }
    out
}

fn mentions_chosen(p: &Pred, chosen: &dyn Fn(&Ref) -> bool) -> bool {
    p.mentions(|r| r.side == Side::Input && chosen(r))
}
