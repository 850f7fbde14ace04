//! The variables whose values may be used after each node.

use std::collections::BTreeSet;

use canonical::{Action, Expr, ExprKind, Graph, Lvalue, LvalueBase, VariableId, walk};

/// Returns the variables that are used after each node before they are completely assigned. `uses` adds those that the
/// edge with a given number uses.
pub fn live(
    graph: &Graph,
    uses: impl Fn(usize, &Action, &mut BTreeSet<VariableId>),
) -> Vec<BTreeSet<VariableId>> {
    let mut live = vec![BTreeSet::new(); graph.nodes.len()];
    let mut work: Vec<usize> = (0..graph.nodes.len()).collect();
    while let Some(node) = work.pop() {
        let mut before: BTreeSet<VariableId> = BTreeSet::new();
        for id in &graph.nodes[node].outgoing {
            let edge = graph.edge(*id);
            let mut after: BTreeSet<VariableId> = live[edge.to.index()].clone();
            if let Some(whole) = target(&edge.action).and_then(Lvalue::whole_variable) {
                after.remove(&whole);
            }
            uses(id.index(), &edge.action, &mut after);
            before.extend(after);
        }
        if before != live[node] {
            live[node] = before;
            work.extend(graph.nodes[node].incoming.iter().map(|e| graph.edge(*e).from.index()));
        }
    }
    live
}

/// The part of memory that a step assigns.
pub fn target(action: &Action) -> Option<&Lvalue> {
    match action {
        Action::Assign { target, .. } => Some(target),
        Action::Call(call) => call.result.as_ref(),
        _ => None,
    }
}

/// Adds the variables that the expressions of a step mention.
pub fn mentioned(action: &Action, found: &mut BTreeSet<VariableId>) {
    walk::action(action, &mut |expr: &Expr| {
        if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind
            && let LvalueBase::Variable(root) = lvalue.base
        {
            found.insert(root);
        }
    });
}
