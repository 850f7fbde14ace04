//! The scalars on which the plan of an ensure depends: the key of the plan.
//!
//! A format has many unrelated numbers. A plan whose key contained all of them would hardly ever recur.

use std::collections::BTreeSet;

use crate::invert::{DisjointnessStrategy, Ensure, Inverse};
use crate::program::views::{Source, View};
use crate::program::{FieldId, Ref, Side};
use crate::run::backward::constraints::equated::equated_with_bases;
use crate::run::backward::constraints::projected::equations;
use crate::run::store::Store;

/// The scalars that decide a plan.
#[derive(Debug)]
pub struct PlanReads {
    /// The scalars of the canonical value; `None` if the plan depends on elements.
    pub output: Option<Vec<FieldId>>,
    /// True if the plan also depends on the size of the canonical value, which bounds places and arrays of free length.
    pub sized: bool,
    /// For each field of the representation, true if it is a scalar that decides the plan. The plan's own scalars are
    /// included.
    input: Vec<bool>,
}

impl PlanReads {
    /// Returns the scalars that decide the plan of an ensure.
    pub fn of(inverse: &Inverse, ensure: &Ensure) -> Self {
        let (mut output, mut elements) = (BTreeSet::new(), false);
        let mut input = vec![false; inverse.program.input.fields.len()];
        let mut add = |r: &Ref| match r.side {
            Side::Output => {
                elements |= !r.index.is_empty();
                output.insert(r.field);
            }
            Side::Input => input[r.field.0] = true,
        };
        ensure.conjuncts.iter().for_each(|c| c.pred.refs(&mut add));
        inverse.extents.iter().for_each(|extent| extent.refs(&mut add));
        equated_with_bases(inverse, &mut add);
        equations(inverse).for_each(|(_, _, equation)| equation.refs(&mut add));
        ensure.kind.fields().into_iter().for_each(|field| input[field.0] = true);
        let is_length = |view: &View| matches!(view.source, Source::Length(_));
        let is_layout = |s: &DisjointnessStrategy| matches!(s, DisjointnessStrategy::Layout(_));
        let sized = !inverse.extents.is_empty()
            || inverse.program.views.iter().any(is_length)
            || inverse.strategies.values().any(is_layout);
        Self { output: (!elements).then(|| output.into_iter().collect()), sized, input }
    }

    /// Returns the values of the scalars on which the plan depends, in the order of the fields; `None` if it depends on
    /// an allocated array.
    pub fn key(&self, input: &Store) -> Option<Vec<Option<i128>>> {
        let read = input.slots.iter().zip(&self.input).filter(|(_, reads)| **reads);
        read.map(|(slot, _)| slot.key()).collect()
    }
}
