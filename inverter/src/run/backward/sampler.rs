//! The closed forms from which scalars are drawn, for checks that prove them.

use std::sync::Arc;

use super::limits::Limits;
use super::prepared::Runner;
use super::scalars::plan::Component;
use crate::program::{FieldId, Pred};
use crate::run::executable::Executable;
use crate::run::store::Record;
use crate::solve::{ChoiceSource, Domain};

/// The set from which a scalar is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampler {
    /// The scalar.
    pub field: FieldId,
    /// The range of its type.
    pub range: (i128, i128),
    /// The constraints.
    pub conditions: Vec<Pred>,
    /// The closed form.
    pub domain: Domain,
}

/// Returns the samplers that are used in `samples` representations of `y`.
pub fn samplers_of(
    inverse: &Executable,
    y: &Record,
    limits: &Limits,
    samples: u64,
) -> Vec<Sampler> {
    let runner = Arc::new(Runner::new(inverse, *limits));
    let Ok(prepared) = runner.prepare(y.clone()) else { return Vec::new() };
    for index in 0..samples {
        // A run without a representation has used samplers, too.
        let _ = prepared.invert(&mut ChoiceSource::seeded(1, index));
    }
    let mut out = Vec::new();
    let mut look = |component: &Component| {
        if let ([field], Some(domain)) = (&component.fields[..], &component.domain) {
            out.push(Sampler {
                field: *field,
                range: inverse.program.input.fields[*field].int.range(),
                conditions: component.preds.iter().map(|r| r.pred.clone()).collect(),
                domain: domain.clone(),
            });
        }
    };
    runner.cache.plans.each(|plan| plan.components.iter().for_each(|c| look(c)));
    prepared.cache.plans.each(|plan| plan.components.iter().for_each(|c| look(c)));
    out
}
