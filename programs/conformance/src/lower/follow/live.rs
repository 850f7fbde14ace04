//! The local variables whose values may be used after each node.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{FunctionId, LvalueBase, Program, VariableId};

use crate::flow::live::{live as live_in, mentioned, target};

/// For each function with a body, the variables that are used after each node before they are assigned.
pub type Live = BTreeMap<FunctionId, Vec<BTreeSet<VariableId>>>;

/// Finds the live variables. A step that assigns a part of a variable uses the rest.
pub fn live(source: &Program) -> Live {
    let of = |graph| {
        live_in(graph, |_, action, found| {
            if let Some(target) = target(action)
                && let LvalueBase::Variable(part) = target.base
                && target.whole_variable().is_none()
            {
                found.insert(part);
            }
            mentioned(action, found);
        })
    };
    source.defined().map(|(id, _, graph)| (id, of(graph))).collect()
}
