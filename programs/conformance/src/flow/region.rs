//! Finds the nodes that are controlled by a branch: those between the branch and the first node that all of its paths
//! share.

use crate::search::Search;

/// Returns for each node the first node that all paths from it to the end share: its immediate postdominator (Cooper,
/// Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001).
#[derive(Debug, Clone)]
pub struct Regions {
    after: Vec<Vec<usize>>,
    next: Vec<Option<usize>>,
}

impl Regions {
    /// Takes the successors of each node. All nodes where execution ends lead to a common end, which is not a node.
    pub fn of(mut after: Vec<Vec<usize>>) -> Self {
        let end = after.len();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); end + 1];
        for (node, to) in after.iter_mut().enumerate() {
            if to.is_empty() {
                to.push(end);
            }
            to.iter().for_each(|to| before[*to].push(node));
        }
        // The nodes in the order in which a backward search leaves them.
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
            work.extend(before[node].iter().map(|n| (*n, false)));
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
                for to in after[node].iter().copied().filter(|to| next[*to].is_some()) {
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
        Self { after, next }
    }

    /// Returns the nodes that the branch at a node controls, in no particular order, and true if the branch is one of
    /// them, as in a loop. `None` if no path from the branch ends.
    pub fn decided(&self, branch: usize, search: &mut Search) -> Option<(Vec<usize>, bool)> {
        let join = self.next[branch]?;
        let mut again = false;
        let mut found: Vec<usize> = Vec::new();
        search.begin(self.next.len());
        let mut from = Some(branch);
        let mut searched = 0;
        while let Some(node) = from {
            for to in self.after.get(node).into_iter().flatten() {
                if *to != join && search.is_new(*to) {
                    again |= *to == branch;
                    found.push(*to);
                }
            }
            from = found.get(searched).copied();
            searched += 1;
        }
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
