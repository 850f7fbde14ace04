//! Connected components of unknown scalars: unknowns that no constraint connects are solved
//! apart. The labels of groups are merged as in union-find; with the few unknowns of one ensure, a
//! plain list of labels does.

use std::sync::OnceLock;

use super::plan::Component;
use crate::program::FieldId;
use crate::run::backward::constraints::closed_form::{closed_form_of_word, mentions, scalar};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::context::Context;

/// Splits unknowns into connected components, each with its constraints and, for a single
/// unknown, its values in closed form.
pub fn components(cx: Context<'_>, open: &[FieldId], residuals: &[Residual]) -> Vec<Component> {
    let component = |fields: Vec<FieldId>| {
        let concerns = |r: &&Residual| fields.iter().any(|f| mentions(&r.pred, *f));
        let preds: Vec<Residual> = residuals.iter().filter(concerns).cloned().collect();
        let domain = match &fields[..] {
            [field] => {
                let refs: Vec<&Residual> = preds.iter().collect();
                closed_form_of_word(&scalar(*field), cx.range(*field), &refs)
            }
            _ => None,
        };
        let (diagram, few, connected) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Component { fields, preds, domain, diagram, few, connected }
    };
    groups(open, residuals).into_iter().map(component).collect()
}

/// Groups the unknowns that constraints connect.
fn groups(open: &[FieldId], residuals: &[Residual]) -> Vec<Vec<FieldId>> {
    // The label of a group is its first member.
    let mut group: Vec<usize> = (0..open.len()).collect();
    for r in residuals {
        let members: Vec<usize> =
            (0..open.len()).filter(|k| mentions(&r.pred, open[*k])).map(|k| group[k]).collect();
        if let Some(first) = members.iter().min().copied() {
            for g in &mut group {
                if members.contains(g) {
                    *g = first;
                }
            }
        }
    }
    let mut groups: Vec<Vec<FieldId>> = Vec::new();
    for g in 0..open.len() {
        let members: Vec<FieldId> =
            (0..open.len()).filter(|k| group[*k] == g).map(|k| open[k]).collect();
        if !members.is_empty() {
            groups.push(members);
        }
    }
    groups
}
