//! Values that a consumer compares with constants: the graph of a function, unfolded by the value
//! that was read last.
//!
//! `c = get(); if (c != 31) return;` reads any byte and returns, or 31 and goes on. Section 7 of the
//! paper names values, and leaves them open.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Binary, Expr, ExprKind, Graph, LvalueBase, Program, Storage, Type, Unary,
    VariableId, fold,
};
use indexmap::IndexSet;

/// Constants of one function that are told apart, at most; of others, no value is.
const CONSTANTS: usize = 64;

/// Nodes of an unfolded graph, at most. A larger one stays as it is.
const NODES: usize = 100_000;

/// A graph in which nodes are doubled by the value that was read last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfolded {
    /// Number of nodes.
    pub nodes: usize,
    /// The node where it begins.
    pub entry: usize,
    /// The node where it ends.
    pub exit: usize,
    /// The edges.
    pub edges: Vec<Copied>,
}

/// A copy of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copied {
    /// The node before, in the unfolded graph.
    pub from: usize,
    /// The node after.
    pub to: usize,
    /// The position of the edge in the graph.
    pub edge: usize,
    /// The value that is read; none for any value.
    pub value: Option<i128>,
}

/// The value that was read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Value {
    Is(i128),
    /// None of the constants.
    Other,
}

/// The variables that have the value that was read last.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Known {
    value: Value,
    variables: BTreeSet<VariableId>,
}

/// Unfolds a graph. `reads` has the variable that each reading edge fills, by the position of the
/// edge. A conversion between integer types is taken to keep the value.
pub fn unfold(source: &Program, graph: &Graph, reads: &BTreeMap<usize, VariableId>) -> Unfolded {
    let whole = || Unfolded {
        nodes: graph.nodes.len(),
        entry: graph.entry.index(),
        exit: graph.exit.index(),
        edges: (0..)
            .zip(&graph.edges)
            .map(|(edge, e)| Copied { from: e.from.index(), to: e.to.index(), edge, value: None })
            .collect(),
    };
    let constants = constants(graph);
    if reads.is_empty() || constants.is_empty() || constants.len() > CONSTANTS {
        return whole();
    }
    let values = || constants.iter().map(|c| Value::Is(*c)).chain([Value::Other]);
    let mut nodes: IndexSet<(usize, Option<Known>)> = IndexSet::new();
    nodes.insert((graph.entry.index(), None));
    nodes.insert((graph.exit.index(), None));
    let mut edges = Vec::new();
    let mut from = 0;
    while from < nodes.len() {
        if nodes.len() > NODES {
            return whole();
        }
        let (node, known) = nodes[from].clone();
        for id in &graph.nodes[node].outgoing {
            let edge = id.index();
            let step = graph.edge(*id);
            let mut add = |known: Option<Known>, value: Value| {
                let known = known.filter(|_| step.to != graph.exit);
                let (to, _) = nodes.insert_full((step.to.index(), known));
                let value = match value {
                    Value::Is(value) => Some(value),
                    Value::Other => None,
                };
                edges.push(Copied { from, to, edge, value });
            };
            match reads.get(&edge).filter(|v| is_tracked(source, **v)) {
                Some(variable) => {
                    for value in values() {
                        let variables = BTreeSet::from([*variable]);
                        add(Some(Known { value, variables }), value);
                    }
                }
                None => {
                    if let Some(known) = after(source, &step.action, known.clone()) {
                        add(known, Value::Other);
                    }
                }
            }
        }
        from += 1;
    }
    Unfolded { nodes: nodes.len(), entry: 0, exit: 1, edges }
}

/// True for integers: of them it is known what they are compared with.
fn is_tracked(source: &Program, variable: VariableId) -> bool {
    matches!(source.variable(variable).ty, Type::Int(_))
}

/// True for variables that no call can change.
fn is_own(source: &Program, variable: VariableId) -> bool {
    let variable = source.variable(variable);
    let shared = matches!(variable.storage, Storage::Global | Storage::Static);
    !shared && !variable.address_taken
}

/// The expression below casts between integers.
fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(within) if matches!(within.ty, Type::Int(_)) => inner(within),
        _ => expr,
    }
}

/// The variable that an expression is the value of.
pub fn variable(expr: &Expr) -> Option<VariableId> {
    match &inner(expr).kind {
        ExprKind::Load(lvalue) => lvalue.whole_variable(),
        _ => None,
    }
}

/// The constants that a function compares integers with.
fn constants(graph: &Graph) -> BTreeSet<i128> {
    let mut found = BTreeSet::new();
    for edge in &graph.edges {
        let Step::Guard { condition, .. } = &edge.action else { continue };
        let mut condition = inner(condition);
        while let ExprKind::Unary(Unary::Not, operand) = &condition.kind {
            condition = inner(operand);
        }
        match &condition.kind {
            ExprKind::Binary(Binary::Equal | Binary::NotEqual, left, right) => {
                let (left, right) = (inner(left), inner(right));
                found.extend(left.constant().filter(|_| variable(right).is_some()));
                found.extend(right.constant().filter(|_| variable(left).is_some()));
            }
            _ if variable(condition).is_some() => {
                found.insert(0);
            }
            _ => {}
        }
    }
    found
}

/// Returns the variables that still have the value after a step; none if the step cannot be taken.
fn after(source: &Program, step: &Step, known: Option<Known>) -> Option<Option<Known>> {
    let Some(mut known) = known else { return Some(None) };
    match step {
        Step::Guard { condition, holds } => {
            if truth(condition, &known).is_some_and(|truth| truth != *holds) {
                return None;
            }
        }
        Step::Assign { target, value } => {
            let kept = variable(value).is_some_and(|v| known.variables.contains(&v));
            match target.whole_variable() {
                Some(own) if kept && is_tracked(source, own) => {
                    known.variables.insert(own);
                }
                Some(own) => {
                    known.variables.remove(&own);
                }
                // It may be a variable that a pointer points to.
                None if matches!(target.base, LvalueBase::Deref(_)) => {
                    known.variables.retain(|v| !source.variable(*v).address_taken);
                }
                None => {}
            }
        }
        Step::Call(call) => {
            known.variables.retain(|v| is_own(source, *v));
            if let Some(own) = call.result.as_ref().and_then(|r| r.whole_variable()) {
                known.variables.remove(&own);
            }
        }
        Step::Nothing | Step::Return(_) => {}
    }
    Some((!known.variables.is_empty()).then_some(known))
}

/// The truth of a condition, as far as it follows from the value that was read.
fn truth(condition: &Expr, known: &Known) -> Option<bool> {
    let is = |expr: &Expr| variable(expr).is_some_and(|v| known.variables.contains(&v));
    let condition = inner(condition);
    match &condition.kind {
        ExprKind::Unary(Unary::Not, operand) => truth(operand, known).map(|truth| !truth),
        ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
            let (left, right) = (inner(left), inner(right));
            let value = |expr: &Expr| match known.value {
                Value::Is(value) if is(expr) => Some(value),
                _ => expr.constant(),
            };
            if let (Some(left), Some(right)) = (value(left), value(right)) {
                return Some(fold::compare(*operator, &left, &right));
            }
            // It is none of the constants that the function compares with.
            let other = known.value == Value::Other
                && ((is(left) && right.constant().is_some())
                    || (is(right) && left.constant().is_some()));
            match operator {
                Binary::Equal if other => Some(false),
                Binary::NotEqual if other => Some(true),
                _ => None,
            }
        }
        _ if is(condition) => match known.value {
            Value::Is(value) => Some(value != 0),
            Value::Other => Some(true),
        },
        _ => None,
    }
}
