//! Reduces graphs: removes unreachable nodes, and edges without effects and tokens.

use crate::model::{Action, Graph, NodeId};

/// Returns the graph without unreachable nodes and unnecessary edges.
pub fn tidy(graph: &Graph) -> Graph {
    let targets: Vec<NodeId> =
        (0..graph.nodes.len()).map(|k| destination(graph, NodeId::new(k))).collect();
    let entry = targets[graph.entry.index()];
    let mut order = Vec::new();
    let mut number = vec![None; graph.nodes.len()];
    let mut waiting = vec![entry];
    // Nodes are numbered in depth-first order, so that numbers follow the text.
    while let Some(node) = waiting.pop() {
        if number[node.index()].is_some() {
            continue;
        }
        number[node.index()] = Some(order.len());
        order.push(node);
        for edge in graph.node(node).outgoing.iter().rev() {
            waiting.push(targets[graph.edge(*edge).to.index()]);
        }
    }
    let mut out = Graph { nodes: Vec::new(), edges: Vec::new(), ..Graph::new() };
    for node in &order {
        let mut copy = graph.node(*node).clone();
        (copy.outgoing, copy.incoming) = (Vec::new(), Vec::new());
        out.nodes.push(copy);
    }
    let new = |node: NodeId| number[node.index()].map(NodeId::new);
    out.entry = NodeId(0);
    out.exit = match new(graph.exit) {
        Some(exit) => exit,
        None => {
            out.nodes.push(graph.node(graph.exit).clone());
            let exit = NodeId::new(out.nodes.len() - 1);
            out.nodes[exit.index()].incoming.clear();
            exit
        }
    };
    for node in &order {
        for edge in graph.successors(*node) {
            let (from, to) = (new(*node), new(targets[edge.to.index()]));
            if let (Some(from), Some(to)) = (from, to) {
                out.add_edge(from, to, edge.action.clone(), edge.place, []);
            }
        }
    }
    out
}

/// Returns the first node, starting at `node`, that has an out-edge other than an empty edge without tokens.
fn destination(graph: &Graph, node: NodeId) -> NodeId {
    let (mut at, mut slow, mut even) = (node, node, false);
    while let Some(next) = empty(graph, at) {
        at = next;
        // A loop of empty edges stays.
        if at == slow {
            return at;
        }
        if even {
            slow = empty(graph, slow).unwrap_or(slow);
        }
        even = !even;
    }
    at
}

fn empty(graph: &Graph, node: NodeId) -> Option<NodeId> {
    let node = graph.node(node);
    match &node.outgoing[..] {
        [edge] if node.tokens.is_empty() => {
            let edge = graph.edge(*edge);
            (edge.action == Action::Nothing).then_some(edge.to)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Expr;

    #[test]
    fn empty_edges_and_unreachable_nodes_go() {
        let mut graph = Graph::new();
        let (a, b, dead) = (graph.add_node(), graph.add_node(), graph.add_node());
        let condition = Expr::int(1, crate::model::IntType::INT);
        let guard = |holds| Action::Guard { condition: condition.clone(), holds };
        graph.add_edge(graph.entry, a, Action::Nothing, None, []);
        graph.add_edge(a, b, guard(true), None, []);
        graph.add_edge(a, graph.exit, guard(false), None, []);
        graph.add_edge(b, a, Action::Nothing, None, []);
        graph.add_edge(dead, a, Action::Nothing, None, []);
        let small = tidy(&graph);
        assert_eq!((small.nodes.len(), small.edges.len()), (2, 2));
        assert_eq!(small.edges[0].to, small.entry);
        assert_eq!(small.edges[1].to, small.exit);
    }

    #[test]
    fn an_empty_loop_stays() {
        let mut graph = Graph::new();
        let a = graph.add_node();
        graph.add_edge(graph.entry, a, Action::Nothing, None, []);
        graph.add_edge(a, a, Action::Nothing, None, []);
        let small = tidy(&graph);
        assert_eq!((small.nodes.len(), small.edges.len()), (2, 1));
        assert!(small.node(small.exit).incoming.is_empty());
    }
}
