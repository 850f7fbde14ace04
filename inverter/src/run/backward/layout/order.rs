//! The physical order of segments: for each array of bases a separate order, and for each further base the position at
//! which its segments are inserted among the others.

use super::problem::{Group, Problem};
use super::translate::BaselineOrder;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::{Choice, ChoiceSource, IntervalSet};

/// Segments in physical order.
pub struct Order {
    /// The segments.
    pub segments: Vec<usize>,
    /// The last start that each segment can have in this order; `None` if they do not fit.
    pub latest: Option<Vec<i128>>,
}

/// Chooses the physical order.
pub fn choose_order(
    cx: Context<'_>,
    problem: &Problem,
    source: &mut ChoiceSource,
) -> Result<Order, RunError> {
    let mut order: Vec<usize> = Vec::new();
    let mut baseline = BaselineOrder::new(&problem.slots);
    for group in &problem.slots.groups {
        let names = cx.names(group.field);
        let members = &group.members;
        let translated = baseline.next(source, names, members.len(), &order);
        let mut own = members.clone();
        if members.len() > 1 {
            let permutation = source.permutation(names.order, members.len())?;
            own = permutation.into_iter().map(|k| members[k]).collect();
        }
        if order.is_empty() {
            order = own;
        } else {
            merge(cx, group, own, translated, &mut order, source)?;
        }
    }
    let Problem { space, segments, .. } = problem;
    if let Some(latest) = space.latest(segments, &order) {
        return Ok(Order { segments: order, latest: Some(latest) });
    }
    // Segments that must be near the beginning come first (earliest deadline first).
    let order = space.by_deadline(segments, &order);
    let latest = space.latest(segments, &order);
    Ok(Order { segments: order, latest })
}

/// Inserts the segments of a group among those of earlier groups.
fn merge(
    cx: Context<'_>,
    group: &Group,
    own: Vec<usize>,
    translated: Option<Vec<i128>>,
    order: &mut Vec<usize>,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    let names = cx.names(group.field);
    if cx.program.input.fields[group.field].is_scalar() {
        let most = order.len() as i128;
        let domain = IntervalSet::range(0, most);
        let translated = translated.and_then(|places| places.first().map(|p| Choice::Int(*p)));
        source.translate(names.place, translated);
        let at = source.integer(names.place, &domain, &[0, most])?;
        order.insert(at as usize, own[0]);
        return Ok(());
    }
    source.translate(names.places, translated.map(Choice::List));
    let places = source.places(names.places, own.len(), order.len())?;
    let mut merged = Vec::with_capacity(order.len() + own.len());
    let mut own = own.into_iter().zip(places).peekable();
    for (k, other) in order.iter().enumerate() {
        while let Some((member, _)) = own.next_if(|o| o.1 <= k) {
            merged.push(member);
        }
        merged.push(*other);
    }
    merged.extend(own.map(|o| o.0));
    *order = merged;
    Ok(())
}
