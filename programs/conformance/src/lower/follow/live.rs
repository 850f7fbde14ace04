//! The local variables whose values may be used after each node.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Expr, ExprKind, FunctionId, Graph, LvalueBase, Program, VariableId, walk,
};

/// Of each function that has a body, the variables that are used after each node before they are assigned.
pub type Live = BTreeMap<FunctionId, Vec<BTreeSet<VariableId>>>;

/// Finds them.
pub fn live(source: &Program) -> Live {
    source.defined().map(|(id, _, graph)| (id, of(graph))).collect()
}

fn of(graph: &Graph) -> Vec<BTreeSet<VariableId>> {
    let mut live = vec![BTreeSet::new(); graph.nodes.len()];
    let mut work: Vec<usize> = (0..graph.nodes.len()).collect();
    while let Some(node) = work.pop() {
        let mut before: BTreeSet<VariableId> = BTreeSet::new();
        for id in &graph.nodes[node].outgoing {
            let edge = graph.edge(*id);
            let mut after: BTreeSet<VariableId> = live[edge.to.index()].clone();
            let target = match &edge.action {
                Step::Assign { target, .. } => Some(target),
                Step::Call(call) => call.result.as_ref(),
                _ => None,
            };
            if let Some(whole) = target.and_then(canonical::Lvalue::whole_variable) {
                after.remove(&whole);
            } else if let Some(LvalueBase::Variable(part)) = target.map(|target| &target.base) {
                after.insert(*part);
            }
            walk::action(&edge.action, &mut |expr: &Expr| {
                if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind
                    && let LvalueBase::Variable(root) = lvalue.base
                {
                    after.insert(root);
                }
            });
            before.extend(after);
        }
        if before != live[node] {
            live[node] = before;
            work.extend(graph.nodes[node].incoming.iter().map(|e| graph.edge(*e).from.index()));
        }
    }
    live
}
