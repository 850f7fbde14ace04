//! The variables of a function that may still be read at each node. States keep only these.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action, Expr, ExprKind, FunctionId, Graph, NodeId, Program, Storage, VariableId, walk,
};

use super::state::{Key, State};

/// For each function, and each of its nodes, the local variables that are live.
#[derive(Debug)]
pub struct Live {
    functions: BTreeMap<FunctionId, Vec<BTreeSet<VariableId>>>,
    /// Variables that are always live: those whose address is taken, and those of the program.
    always: BTreeSet<VariableId>,
    /// Parameters, whose contents the caller sees.
    parameters: BTreeSet<VariableId>,
    /// For each function, the positions of its nodes in an order in which only edges that close loops go back.
    ranks: BTreeMap<FunctionId, Vec<u32>>,
}

impl Live {
    /// Finds the live variables of all functions.
    pub fn of(program: &Program) -> Self {
        let mut always = BTreeSet::new();
        for (k, variable) in program.variables.iter().enumerate() {
            if variable.storage == Storage::Global {
                always.insert(VariableId::new(k));
            }
        }
        walk::program(program, &mut |expr: &Expr| {
            if let ExprKind::AddressOf(inner) = &expr.kind {
                always.extend(inner.whole_variable());
            }
        });
        let parameters = program.functions.iter().flat_map(|f| f.parameters.clone()).collect();
        let functions = program.defined().map(|(id, _, graph)| (id, nodes(graph))).collect();
        let ranks = program.defined().map(|(id, _, graph)| (id, ranks(graph))).collect();
        Self { functions, always, parameters, ranks }
    }

    /// Returns the position of a node of a function. Edges that do not lead to a later position close loops.
    pub fn rank(&self, function: FunctionId, node: NodeId) -> u32 {
        self.ranks.get(&function).map_or(0, |ranks| ranks[node.index()])
    }

    /// Drops the variables that are not live at a node.
    pub fn keep(&self, function: FunctionId, node: NodeId, state: &mut State) {
        let Some(live) = self.functions.get(&function).map(|nodes| &nodes[node.index()]) else {
            return;
        };
        state.known.retain(|key, _| match key {
            Key::Variable(id) => live.contains(id) || self.always.contains(id),
            Key::Content(id) => {
                live.contains(id) || self.always.contains(id) || self.parameters.contains(id)
            }
        });
    }
}

/// Reverse postorder.
fn ranks(graph: &Graph) -> Vec<u32> {
    let count = u32::try_from(graph.nodes.len()).unwrap_or(u32::MAX);
    let mut ranks = vec![0; graph.nodes.len()];
    let mut seen = vec![false; graph.nodes.len()];
    seen[graph.entry.index()] = true;
    let mut open = vec![(graph.entry, 0)];
    let mut left = count;
    while let Some((node, next)) = open.last_mut() {
        if let Some(edge) = graph.node(*node).outgoing.get(*next) {
            *next += 1;
            let to = graph.edge(*edge).to;
            if !std::mem::replace(&mut seen[to.index()], true) {
                open.push((to, 0));
            }
        } else {
            left -= 1;
            ranks[node.index()] = left;
            open.pop();
        }
    }
    ranks
}

fn nodes(graph: &Graph) -> Vec<BTreeSet<VariableId>> {
    let mut live = vec![BTreeSet::new(); graph.nodes.len()];
    let mut waiting: BTreeSet<NodeId> = (0..graph.nodes.len()).map(NodeId::new).collect();
    while let Some(node) = waiting.pop_last() {
        let mut found: BTreeSet<VariableId> = BTreeSet::new();
        for edge in graph.successors(node) {
            let mut after = live[edge.to.index()].clone();
            let target = match &edge.action {
                Action::Assign { target, .. } => target.whole_variable(),
                Action::Call(call) => {
                    call.result.as_ref().and_then(canonical::Lvalue::whole_variable)
                }
                _ => None,
            };
            if let Some(target) = target {
                after.remove(&target);
            }
            walk::action(&edge.action, &mut |expr| {
                if let ExprKind::Load(lvalue) = &expr.kind {
                    after.extend(lvalue.whole_variable());
                }
            });
            found.append(&mut after);
        }
        if found != live[node.index()] {
            live[node.index()] = found;
            for edge in &graph.node(node).incoming {
                waiting.insert(graph.edge(*edge).from);
            }
        }
    }
    live
}
