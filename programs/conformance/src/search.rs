//! Searches of graphs.

/// The nodes that a search has seen. It is reused for many searches, so each costs no more than the nodes that it sees.
#[derive(Debug, Default)]
pub struct Search {
    /// The number of the last search that saw a node.
    seen: Vec<usize>,
    number: usize,
}

impl Search {
    /// Begins a search in a graph with this number of nodes.
    pub fn begin(&mut self, nodes: usize) {
        self.number += 1;
        if self.seen.len() < nodes {
            self.seen.resize(nodes, 0);
        }
    }

    /// Returns true if this search has not seen a node yet, and marks the node as seen.
    pub fn is_new(&mut self, node: usize) -> bool {
        std::mem::replace(&mut self.seen[node], self.number) != self.number
    }
}
