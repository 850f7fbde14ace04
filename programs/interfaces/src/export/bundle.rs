//! Edges for drawings, in which all edges between two nodes are one.

use super::label;
use crate::graph::Graph;

/// The maximum number of labels of a line outside the sequence. More labels are replaced by their number.
const MOST_LABELS: usize = 3;

/// The edges from one node to another.
pub(super) struct Bundle {
    pub from: usize,
    pub to: usize,
    pub labels: Vec<String>,
    /// True if the highlighted sequence uses this edge. Its labels come first.
    pub marked: bool,
}

/// The parts of a graph that are drawn.
#[derive(Debug, Clone, Copy)]
pub enum View<'a> {
    /// The whole graph.
    All,
    /// All edges except those to the error. A call without an edge at a node is illegal there.
    Legal,
    /// The legal part, with the edges of a sequence marked. If there are many other edges between two nodes, they are
    /// counted.
    Path {
        /// The places of its edges in [`Graph::edges`], in order.
        path: &'a [usize],
        /// Its calls as text.
        calls: &'a [String],
    },
}

impl View<'_> {
    /// Returns true if the error is drawn.
    pub(super) fn has_errors(self) -> bool {
        matches!(self, View::All)
    }

    /// The edges, with all edges between two nodes joined into one.
    pub(super) fn bundles(self, graph: &Graph) -> Vec<Bundle> {
        match self {
            View::All => all(graph),
            View::Legal => legal(graph),
            View::Path { path, calls } => of_path(graph, path, calls),
        }
    }
}

/// All edges, with all labels.
fn all(graph: &Graph) -> Vec<Bundle> {
    let mut out: Vec<Bundle> = Vec::new();
    for edge in &graph.edges {
        let text = label(graph, edge);
        match out.iter_mut().find(|b| (b.from, b.to) == (edge.from, edge.to)) {
            Some(bundle) => bundle.labels.push(text),
            None => {
                let labels = vec![text];
                out.push(Bundle { from: edge.from, to: edge.to, labels, marked: false });
            }
        }
    }
    out
}

/// The legal edges. The edges of `path` are labelled with the numbers of their calls in `path` and with `labels`; if
/// there are many others, they are counted.
fn of_path(graph: &Graph, path: &[usize], labels: &[String]) -> Vec<Bundle> {
    let mut out: Vec<Bundle> = Vec::new();
    for bundle in legal(graph) {
        let steps = path.iter().zip(labels).enumerate().filter(|(_, (edge, _))| {
            let edge = &graph.edges[**edge];
            (edge.from, edge.to) == (bundle.from, bundle.to)
        });
        let own: Vec<String> = steps.map(|(k, (_, call))| format!("{}. {call}", k + 1)).collect();
        let used = |k: &usize| {
            let edge = &graph.edges[*k];
            path.contains(k) && (edge.from, edge.to) == (bundle.from, bundle.to)
        };
        let other = bundle.labels.len() - (0..graph.edges.len()).filter(used).count();
        let marked = !own.is_empty();
        let labels = match (marked, other) {
            (true, 0) => own,
            (true, 1) => [own, vec!["and 1 other call".to_owned()]].concat(),
            (true, _) => [own, vec![format!("and {other} other calls")]].concat(),
            (false, _) if other <= MOST_LABELS => bundle.labels,
            (false, _) => vec![format!("{other} calls")],
        };
        out.push(Bundle { labels, marked, ..bundle });
    }
    out
}

/// The legal edges, with all labels.
fn legal(graph: &Graph) -> Vec<Bundle> {
    all(graph).into_iter().filter(|bundle| !graph.nodes[bundle.to].is_error).collect()
}

/// Returns the conditions of each node, without those that all nodes other than errors share.
pub(super) fn conditions(graph: &Graph) -> Vec<Vec<&str>> {
    let whole = graph.nodes.iter().any(|node| node.description.contains(['|', '(']));
    let parts = |k: usize| -> Vec<&str> {
        match whole {
            true => vec![&graph.nodes[k].description],
            false => graph.nodes[k].description.split(" & ").collect(),
        }
    };
    let legal: Vec<usize> = (0..graph.nodes.len()).filter(|k| !graph.nodes[*k].is_error).collect();
    let common = |part: &&str| legal.len() > 1 && legal.iter().all(|k| parts(*k).contains(part));
    (0..graph.nodes.len())
        .map(|k| parts(k).into_iter().filter(|part| !common(part)).collect())
        .collect()
}
