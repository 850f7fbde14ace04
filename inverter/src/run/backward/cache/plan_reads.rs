//! The scalars that decide the plan of an ensure: the key of the plan.
//!
//! A format has many numbers that have nothing to do with one another. A plan that was kept for all of them
//! would hardly recur.

use std::collections::BTreeSet;

use crate::invert::{Ensure, Inverse};
use crate::program::{FieldId, Ref, Side};
use crate::run::backward::constraints::equated::equated_with_bases;

/// The scalars that decide a plan.
#[derive(Debug)]
pub struct PlanReads {
    /// Those of the canonical value; `None` if elements decide it.
    pub output: Option<Vec<FieldId>>,
    /// True for those of the representation, by field. The plan's own scalars are among them.
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
        ensure.kind.fields().into_iter().for_each(|field| input[field.0] = true);
        Self { output: (!elements).then(|| output.into_iter().collect()), input }
    }

    /// Returns the scalars with those hidden that do not decide the plan.
    pub fn mask(&self, scalars: Vec<Option<i128>>) -> Vec<Option<i128>> {
        let own = scalars.into_iter().zip(&self.input);
        own.map(|(value, reads)| value.filter(|_| *reads)).collect()
    }
}
