//! The closed forms that scalars are drawn from, for whoever wants to prove them.

use std::sync::Arc;

use super::plan::{Node, Part};
use super::{Limits, Runner};
use crate::program::{FieldId, Pred};
use crate::run::executable::Executable;
use crate::run::store::Value;
use crate::solve::{ChoiceSource, Domain};

/// What a scalar is drawn from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sampler {
    /// The scalar.
    pub(crate) field: FieldId,
    /// The unknowns of its conditions, and the ranges of their types.
    pub(crate) unknowns: Vec<(FieldId, (i128, i128))>,
    /// What it has to satisfy.
    pub(crate) conditions: Vec<Pred>,
    /// The closed form.
    pub(crate) domain: Domain,
    /// Whether it is said to have nothing but solutions. Where scalars are given values in turn it
    /// may have more: what comes of them is looked at.
    pub(crate) exact: bool,
}

/// The samplers that come up in `samples` representations of `y`.
pub(crate) fn samplers_of(
    inverse: &Executable,
    y: &Value,
    limits: &Limits,
    samples: u64,
) -> Vec<Sampler> {
    let runner = Arc::new(Runner::new(inverse, *limits));
    let Ok(prepared) = runner.prepare(y.clone()) else { return Vec::new() };
    for index in 0..samples {
        // What has no representation has had its samplers too.
        let _ = prepared.invert(&mut ChoiceSource::seeded(1, index));
    }
    let mut out = Vec::new();
    let range = |field: &FieldId| (*field, inverse.program.input.fields[*field].int.range());
    let mut look = |part: &Part| match (&part.fields[..], &part.domain) {
        ([field], Some(domain)) => out.push(Sampler {
            field: *field,
            unknowns: vec![range(field)],
            conditions: part.preds.iter().map(|r| r.pred.clone()).collect(),
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
            if let Some(root) = part.turns.get() {
                root.each(fields, &mut step);
            }
        }
    };
    runner.learnt.plans.each(|plan| plan.parts.iter().for_each(&mut look));
    prepared.memo.plans.each(|plan| plan.parts.iter().for_each(&mut look));
    out
}
