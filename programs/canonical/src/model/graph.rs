//! Control-flow graphs: models of the instruction counter (arXiv:1511.02415, 2.2).

use serde::{Deserialize, Serialize};

use super::{EdgeId, Expr, FunctionId, Lvalue, NodeId, Place, TokenId, VariableId};

/// The control-flow graph of one function.
///
/// Every node can be reached from the entry, except the exit of a function that never returns. A node without out-edges
/// that is not the exit follows a call that never returns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The only node at which execution begins.
    pub entry: NodeId,
    /// The only node at which it ends. It has no out-edges and an empty label.
    pub exit: NodeId,
}

/// A position of the instruction counter, directly before the node's out-edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// The label: the indices, in ascending order, of the tokens that the out-edges represent. No token is in the
    /// labels of two nodes.
    pub tokens: Vec<TokenId>,
    /// The place of the source text that is executed next, if there is any.
    pub place: Option<Place>,
    /// The edges that begin here, in the order of the source text.
    #[serde(rename = "out")]
    pub outgoing: Vec<EdgeId>,
    /// The edges that end here.
    #[serde(rename = "in")]
    pub incoming: Vec<EdgeId>,
}

/// A step of the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The node before the step.
    pub from: NodeId,
    /// The node after it.
    pub to: NodeId,
    /// The step.
    pub action: Action,
    /// The place of the expression or statement.
    pub place: Option<Place>,
}

/// The effect of an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// No effect. If several such edges leave a node, any of them may be taken.
    Nothing,
    /// The value is stored in the target; both have the same type.
    Assign {
        /// The part of memory that changes.
        target: Lvalue,
        /// Its new value.
        value: Expr,
    },
    /// The edge is taken only if the condition is (or is not) zero.
    Guard {
        /// A scalar.
        condition: Expr,
        /// True if the condition must not be zero or null, false if it must be.
        holds: bool,
    },
    /// A call, from the evaluation of its arguments to the return.
    Call(Call),
    /// The function returns; the edge leads to the exit.
    Return(Option<Expr>),
}

/// A call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The function.
    pub callee: Callee,
    /// The arguments, converted to the types of the parameters.
    pub arguments: Vec<Expr>,
    /// The place in memory of the result, which has the type of the function's result.
    pub result: Option<Lvalue>,
}

/// The function that a call calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Callee {
    /// A function by its name.
    Function(FunctionId),
    /// The value of a pointer.
    Pointer {
        /// The pointer.
        pointer: Expr,
        /// All functions to which it may point according to the points-to analysis, ascending.
        targets: Vec<FunctionId>,
        /// False if it may also point to functions that the program does not mention, because its value came from
        /// external code.
        complete: bool,
    },
}

impl Callee {
    /// The functions that may be called.
    pub fn targets(&self) -> &[FunctionId] {
        match self {
            Self::Function(function) => std::slice::from_ref(function),
            Self::Pointer { targets, .. } => targets,
        }
    }
}

impl Graph {
    /// A graph with an entry and an exit and no edges.
    pub fn new() -> Self {
        let node =
            || Node { tokens: Vec::new(), place: None, outgoing: Vec::new(), incoming: Vec::new() };
        Self { nodes: vec![node(), node()], edges: Vec::new(), entry: NodeId(0), exit: NodeId(1) }
    }

    /// Adds a node without edges.
    pub fn add_node(&mut self) -> NodeId {
        let node = self.nodes[self.exit.index()].clone();
        self.nodes.push(Node { outgoing: Vec::new(), incoming: Vec::new(), ..node });
        NodeId::new(self.nodes.len() - 1)
    }

    /// Adds an edge, and adds its tokens to the label of the node that it leaves.
    pub fn add_edge(
        &mut self,
        from: NodeId,
        to: NodeId,
        action: Action,
        place: Option<Place>,
        tokens: impl IntoIterator<Item = TokenId>,
    ) -> EdgeId {
        let id = EdgeId::new(self.edges.len());
        self.edges.push(Edge { from, to, action, place });
        let node = &mut self.nodes[from.index()];
        node.outgoing.push(id);
        node.place = node.place.or(place);
        node.tokens.extend(tokens);
        node.tokens.sort_unstable();
        node.tokens.dedup();
        self.nodes[to.index()].incoming.push(id);
        id
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// The edges that leave a node.
    pub fn successors(&self, node: NodeId) -> impl Iterator<Item = &Edge> {
        self.node(node).outgoing.iter().map(|edge| self.edge(*edge))
    }

    /// Returns true if the edge is *branching*: the node that it leaves has other out-edges.
    pub fn is_branching(&self, edge: EdgeId) -> bool {
        self.node(self.edge(edge).from).outgoing.len() >= 2
    }

    /// The calls, in the order of the edges.
    pub fn calls(&self) -> impl Iterator<Item = (EdgeId, &Call)> {
        self.edges.iter().enumerate().filter_map(|(k, edge)| match &edge.action {
            Action::Call(call) => Some((EdgeId::new(k), call)),
            _ => None,
        })
    }

    /// Returns the whole variables that edges assign, with the value, which is `None` for the result of a call.
    pub fn assigned(&self) -> impl Iterator<Item = (VariableId, Option<&Expr>)> {
        self.edges.iter().filter_map(|edge| match &edge.action {
            Action::Assign { target, value } => Some((target.whole_variable()?, Some(value))),
            Action::Call(Call { result: Some(target), .. }) => {
                Some((target.whole_variable()?, None))
            }
            _ => None,
        })
    }
}

impl Default for Graph {
    fn default() -> Self {
        Self::new()
    }
}
