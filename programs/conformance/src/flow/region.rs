//! The nodes that a branch decides about: those between it and the first node that all of its ways
//! have in common.

use std::collections::BTreeSet;

use canonical::Graph;

/// The node that comes after each node on all ways to the end, the first of them: its immediate
/// postdominator (Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001).
#[derive(Debug, Clone)]
pub struct Regions<'a> {
    graph: &'a Graph,
    next: Vec<Option<usize>>,
}

impl<'a> Regions<'a> {
    /// Of a graph. All nodes where execution ends lead to one end, which is no node.
    pub fn of(graph: &'a Graph) -> Self {
        let end = graph.nodes.len();
        let after = |node: usize| -> Vec<usize> {
            let outgoing = &graph.nodes[node].outgoing;
            match outgoing[..] {
                [] => vec![end],
                _ => outgoing.iter().map(|id| graph.edge(*id).to.index()).collect(),
            }
        };
        // Nodes in the order in which a search against the edges leaves them.
        let mut order = Vec::new();
        let mut seen = vec![false; end + 1];
        let mut work: Vec<(usize, bool)> = vec![(end, false)];
        while let Some((node, done)) = work.pop() {
            if done {
                order.push(node);
                continue;
            }
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            work.push((node, true));
            match node == end {
                true => {
                    let last = |n: &usize| graph.nodes[*n].outgoing.is_empty();
                    work.extend((0..end).filter(last).map(|n| (n, false)));
                }
                false => work.extend(
                    graph.nodes[node].incoming.iter().map(|e| (graph.edge(*e).from.index(), false)),
                ),
            }
        }
        let mut rank = vec![0; end + 1];
        order.iter().enumerate().for_each(|(k, node)| rank[*node] = k);
        let mut next: Vec<Option<usize>> = vec![None; end + 1];
        next[end] = Some(end);
        let mut changed = true;
        while changed {
            changed = false;
            for node in order.iter().rev().copied().filter(|node| *node != end) {
                let mut common: Option<usize> = None;
                for to in after(node).into_iter().filter(|to| next[*to].is_some()) {
                    common = Some(match common {
                        None => to,
                        Some(own) => meet(own, to, &next, &rank),
                    });
                }
                if next[node] != common {
                    next[node] = common;
                    changed = true;
                }
            }
        }
        Self { graph, next }
    }

    /// The nodes that the branch at a node decides about, and whether it is one of them, as that of a
    /// loop is. None if nothing ends after it.
    pub fn decided(&self, branch: usize) -> Option<(BTreeSet<usize>, bool)> {
        let join = self.next[branch]?;
        let mut found = BTreeSet::new();
        let mut work = vec![branch];
        while let Some(node) = work.pop() {
            for id in &self.graph.nodes[node].outgoing {
                let to = self.graph.edge(*id).to.index();
                if to != join && found.insert(to) {
                    work.push(to);
                }
            }
        }
        let again = found.contains(&branch);
        Some((found, again))
    }
}

fn meet(mut a: usize, mut b: usize, next: &[Option<usize>], rank: &[usize]) -> usize {
    while a != b {
        while rank[a] < rank[b] {
            a = next[a].unwrap_or(b);
        }
        while rank[b] < rank[a] {
            b = next[b].unwrap_or(a);
        }
    }
    a
}
