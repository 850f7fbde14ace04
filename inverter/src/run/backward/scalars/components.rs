//! Connected components of unknown scalars: unknowns that no constraint connects are solved separately. The labels of
//! groups are merged as in union-find; for the few unknowns of one ensure, a plain list of labels suffices.

use std::sync::{Arc, OnceLock};

use super::plan::{Component, ComponentKey};
use crate::program::{FieldId, Side};
use crate::run::backward::constraints::closed_form::{closed_form_of_word, scalar};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::context::Context;

/// Splits unknowns into connected components, each with its constraints and, for a single
/// unknown, its values in closed form. Plans share components of several unknowns that are equal.
pub fn components(
    cx: Context<'_>,
    open: &[FieldId],
    residuals: &[Residual],
) -> Vec<Arc<Component>> {
    let unknowns: Vec<Vec<usize>> = residuals.iter().map(|r| unknowns(open, r)).collect();
    let of = |members: Vec<usize>| {
        // The unknowns of a constraint belong to one group.
        let concerned = residuals.iter().zip(&unknowns);
        let concerned = concerned.filter(|(_, own)| own.iter().any(|k| members.contains(k)));
        let preds: Vec<Residual> = concerned.map(|(r, _)| r.clone()).collect();
        let fields: Vec<FieldId> = members.iter().map(|k| open[*k]).collect();
        let key = (fields, preds);
        // Numbers that differ from value to value would fill the cache.
        if members.len() == 1 {
            return Arc::new(component(cx, key));
        }
        let components = &cx.prepared.runner.cache.components;
        components.of(key, |key| Arc::new(component(cx, key.clone())))
    };
    groups(open.len(), &unknowns).into_iter().map(of).collect()
}

fn component(cx: Context<'_>, (fields, preds): ComponentKey) -> Component {
    let domain = match &fields[..] {
        [field] => {
            let refs: Vec<&Residual> = preds.iter().collect();
            closed_form_of_word(&scalar(*field), cx.range(*field), &refs)
        }
        _ => None,
    };
    Component { fields, preds, domain, network: OnceLock::new() }
}

/// Returns the unknowns that a constraint mentions, by their positions in `open`.
fn unknowns(open: &[FieldId], constraint: &Residual) -> Vec<usize> {
    let mut found = Vec::new();
    constraint.pred.refs(&mut |r| {
        if r.side == Side::Input
            && let Some(k) = open.iter().position(|field| *field == r.field)
            && !found.contains(&k)
        {
            found.push(k);
        }
    });
    found
}

/// Groups `count` unknowns: the unknowns of each list in `connected` belong to one group.
fn groups(count: usize, connected: &[Vec<usize>]) -> Vec<Vec<usize>> {
    // The label of a group is its first member.
    let mut group: Vec<usize> = (0..count).collect();
    for unknowns in connected.iter().filter(|unknowns| unknowns.len() > 1) {
        let members: Vec<usize> = unknowns.iter().map(|k| group[*k]).collect();
        if let Some(first) = members.iter().min().copied() {
            for g in &mut group {
                if members.contains(g) {
                    *g = first;
                }
            }
        }
    }
    let of = |g: usize| (0..count).filter(|k| group[*k] == g).collect::<Vec<_>>();
    (0..count).map(of).filter(|members| !members.is_empty()).collect()
}
