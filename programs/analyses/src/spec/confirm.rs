//! Finds inputs that break an obligation. They are smaller than the inputs from analyses, and the evaluator of specs
//! confirms them.

use std::collections::HashMap;

use inverter::check::RefusedInput;
use inverter::check::coverage::guided_write;
use inverter::check::outside::guided_read;
use inverter::program::{FieldId, Program};

use super::lower::{Kind, Lowered, Obligation};
use crate::confirm;
use crate::run::Analysis;

/// The scalars that are tried in place of larger ones.
const SMALL: [i128; 8] = [0, 1, 2, 3, 4, 8, 16, 256];

/// Returns an input that breaks the obligation of a part of the text, if the scalars of a run with a failed assertion
/// lead to one.
pub fn input(
    spec: &Program,
    lowered: &Lowered,
    analysis: &Analysis,
    assertion: usize,
    inputs: &[i128],
    obligation: &Obligation,
) -> Option<String> {
    let inputs = smaller(lowered, analysis, assertion, inputs);
    let scalars: HashMap<FieldId, i128> =
        lowered.scalars.iter().copied().zip(inputs.iter().copied()).collect();
    let found = match obligation.kind {
        Kind::Read => guided_read(spec, &scalars),
        Kind::Write => guided_write(spec, &scalars),
        Kind::Overflow | Kind::Once => None,
    };
    let broken = |found: &RefusedInput| match obligation.kind {
        Kind::Read => found.span == obligation.span,
        // The place is that of the statement.
        _ => {
            let (outer, inner) = (found.span, obligation.span);
            outer.start <= inner.start
                && inner.end <= outer.end
                && found.what.contains("is outside the array")
        }
    };
    found.filter(broken).map(|found| found.what)
}

/// Inputs with smaller scalars with which the program still fails.
fn smaller(lowered: &Lowered, analysis: &Analysis, assertion: usize, inputs: &[i128]) -> Vec<i128> {
    let unfolding = &analysis.unfolding;
    let (context, node) = unfolding.node(unfolding.assertions[assertion].point);
    let place = (unfolding.context(context).function, node);
    let entry = unfolding.contexts[0].function;
    let fails = |inputs: &[i128]| confirm::run(&lowered.program, entry, inputs).0 == Some(place);
    let mut best = inputs.to_vec();
    for _ in 0..2 {
        for k in 0..lowered.scalars.len().min(best.len()) {
            for value in SMALL.into_iter().take_while(|small| *small < best[k].abs()) {
                let mut tried = best.clone();
                tried[k] = value;
                if fails(&tried) {
                    best = tried;
                    break;
                }
            }
        }
    }
    best
}
