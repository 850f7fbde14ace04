//! Links between the nodes of a canonical program and those of another representation
//! (arXiv:1511.02415, 2.4).
//!
//! A client with other graphs builds them from the *reshaped* program, which has one lexical token per line, and states
//! for each of its edges the token that it represents. The method of the paper then determines which nodes are the same
//! place.

use std::collections::BTreeMap;

use crate::model::{FunctionId, Graph, NodeId, Program, TokenId};

/// An edge of another representation.
#[derive(Debug, Clone, Copy)]
pub struct InternalEdge {
    /// The node from which it leads.
    pub from: usize,
    /// The node to which it leads.
    pub to: usize,
    /// The token that it represents, which is the line of the reshaped program.
    pub token: Option<TokenId>,
}

/// The graph of a function in another representation. The client numbers its nodes.
#[derive(Debug, Clone, Default)]
pub struct InternalGraph {
    /// The number of nodes.
    pub nodes: usize,
    /// The edges.
    pub edges: Vec<InternalEdge>,
    /// The nodes at which the function ends.
    pub exits: Vec<usize>,
}

/// Links nodes of another representation with those of the function's graph. A node that is not in the result has no
/// link. A client cannot ask questions there, and knows nothing about it.
pub fn link(graph: &Graph, internal: &InternalGraph) -> BTreeMap<usize, NodeId> {
    let owner: BTreeMap<TokenId, NodeId> = graph
        .nodes
        .iter()
        .enumerate()
        .flat_map(|(k, node)| node.tokens.iter().map(move |token| (*token, NodeId::new(k))))
        .collect();
    let mut links = BTreeMap::new();
    for node in 0..internal.nodes {
        let outgoing = || internal.edges.iter().filter(|edge| edge.from == node);
        // Every exit corresponds to the exit of the graph, whose label is empty.
        if internal.exits.contains(&node) {
            links.insert(node, graph.exit);
            continue;
        }
        // The entry corresponds to the entry of the graph; no edge leads to either.
        let entered = internal.edges.iter().any(|edge| edge.to == node);
        if !entered && graph.node(graph.entry).incoming.is_empty() {
            links.insert(node, graph.entry);
            continue;
        }
        // If all edges represent tokens of one node, the counter is at that node.
        let mut owners = outgoing().map(|edge| edge.token.and_then(|token| owner.get(&token)));
        if let Some(Some(first)) = owners.next()
            && owners.all(|other| other == Some(first))
        {
            links.insert(node, *first);
        }
    }
    links
}

/// Returns a function's tokens, one per line. Line `k` (from 1) is the `k`-th token of the second part of the result.
pub fn reshaped(program: &Program, function: FunctionId) -> (String, Vec<TokenId>) {
    let mut tokens: Vec<TokenId> = Vec::new();
    if let Some(graph) = &program.function(function).body {
        tokens = graph.nodes.iter().flat_map(|node| node.tokens.iter().copied()).collect();
    }
    // Everything between the first and the last token that an edge represents.
    if let (Some(first), Some(last)) = (tokens.iter().min(), tokens.iter().max()) {
        tokens = (first.0..=last.0).map(TokenId).collect();
    }
    let lines: Vec<&str> = tokens.iter().map(|token| &*program.token(*token).text).collect();
    (lines.join("\n"), tokens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{Options, read_text};

    /// The function of the paper's Figure 2.2.
    const CONTAINS: &str = "struct node { int nkeys; int *keys; struct node **kids; };\n\
        int contains(struct node *node, int key) {\n  int i;\n  i = 0;\n\
        while (i < node->nkeys) { if (node->keys[i] >= key) break; i = i + 1; }\n\
        if (i < node->nkeys) return 1;\n  return contains(node->kids[i], key);\n}\n";

    #[test]
    fn nodes_are_linked_by_the_tokens_of_their_edges() {
        let program = read_text("t.c", CONTAINS, &Options::default());
        let id = program.function_named("contains").expect("it is there");
        let graph = program.function(id).body.as_ref().expect("it has a graph");
        // A representation with one additional node before each node.
        let n = graph.nodes.len();
        let mut internal = InternalGraph { nodes: 2 * n, ..InternalGraph::default() };
        internal.exits.push(n + graph.exit.index());
        for (k, node) in graph.nodes.iter().enumerate() {
            internal.edges.push(InternalEdge { from: k, to: n + k, token: None });
            for edge in &node.outgoing {
                let to = graph.edge(*edge).to.index();
                let token = node.tokens.first().copied();
                internal.edges.push(InternalEdge { from: n + k, to, token });
            }
        }
        let links = link(graph, &internal);
        for (k, node) in graph.nodes.iter().enumerate() {
            let expected = !node.tokens.is_empty() || NodeId::new(k) == graph.exit;
            let found = links.get(&(n + k)).copied();
            assert_eq!(found, expected.then_some(NodeId::new(k)), "node {k}");
            let begins = graph.entry.index() == k;
            assert_eq!(links.get(&k).copied(), begins.then_some(graph.entry), "node {k} in front");
        }
    }

    #[test]
    fn no_token_is_in_two_labels_and_the_exit_has_none() {
        let program = read_text("t.c", CONTAINS, &Options::default());
        let id = program.function_named("contains").expect("it is there");
        let graph = program.function(id).body.as_ref().expect("it has a graph");
        let mut seen = std::collections::BTreeSet::new();
        for token in graph.nodes.iter().flat_map(|node| &node.tokens) {
            assert!(seen.insert(*token), "{token:?} twice");
        }
        assert!(graph.node(graph.exit).tokens.is_empty());
        let (text, tokens) = reshaped(&program, id);
        assert_eq!(text.lines().count(), tokens.len());
        assert!(text.starts_with("i\n=\n0\n"), "{text}");
    }
}
