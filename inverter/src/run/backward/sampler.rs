//! The closed forms that scalars are drawn from, for checks that prove them.

use std::sync::Arc;

use super::limits::Limits;
use super::prepared::Runner;
use super::scalars::diagram::Node;
use super::scalars::plan::Component;
use crate::program::{FieldId, Pred};
use crate::run::executable::Executable;
use crate::run::store::Record;
use crate::solve::{ChoiceSource, Domain};

/// The set that a scalar is drawn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampler {
    /// The scalar.
    pub field: FieldId,
    /// The unknowns of its constraints, and the ranges of their types.
    pub unknowns: Vec<(FieldId, (i128, i128))>,
    /// The constraints.
    pub conditions: Vec<Pred>,
    /// The closed form.
    pub domain: Domain,
    /// True if the closed form claims to have nothing but solutions. A backtracking search may
    /// draw from a larger set: it checks the constraints afterwards.
    pub exact: bool,
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
    let range = |field: &FieldId| (*field, inverse.program.input.fields[*field].int.range());
    let mut look = |component: &Component| match (&component.fields[..], &component.domain) {
        ([field], Some(domain)) => out.push(Sampler {
            field: *field,
            unknowns: vec![range(field)],
            conditions: component.preds.iter().map(|r| r.pred.clone()).collect(),
            domain: domain.clone(),
            exact: true,
        }),
        (fields, _) => {
            let mut step = |open: &[FieldId], node: &Node| {
                out.push(Sampler {
                    field: open[node.at],
                    unknowns: open.iter().map(range).collect(),
                    conditions: node.conditions.iter().map(|c| c.pred().clone()).collect(),
                    domain: node.domain.clone(),
                    exact: false,
                });
            };
            if let Some(root) = component.diagram.get() {
                root.each(fields, &mut step);
            }
        }
    };
    runner.cache.plans.each(|plan| plan.components.iter().for_each(|c| look(c)));
    prepared.cache.plans.each(|plan| plan.components.iter().for_each(|c| look(c)));
    out
}
