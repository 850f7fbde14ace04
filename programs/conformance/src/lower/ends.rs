//! Calls that end the run: `exit`, by itself or in a function that hands its parameter on to it.

use std::collections::BTreeMap;

use canonical::{Action as Step, Call, Expr, ExprKind, FunctionId, Graph, Program};

use super::constants::constants;
use crate::settings::Exits;

/// Functions that end the run with the status that they are given.
const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// The status of a process with which a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Never 0: the run fails.
    Fails,
    /// That of a parameter of the function, by its position.
    Parameter(usize),
    /// It may be 0.
    Ends,
}

/// The functions that end the run, by themselves or by others: those that only do so with a status
/// that they are given have the parameter.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    exits: Exits,
    functions: BTreeMap<FunctionId, Status>,
}

impl Ends {
    /// Finds them.
    pub fn of(source: &Program, exits: Exits) -> Self {
        let mut ends = Self { exits, functions: BTreeMap::new() };
        if exits == Exits::None {
            return ends;
        }
        loop {
            let before = ends.functions.clone();
            for (id, _, graph) in source.defined() {
                for (_, call) in graph.calls() {
                    for target in call.callee.targets() {
                        let status = ends.call(source, id, graph, call, *target);
                        let known = ends.functions.get(&id).copied();
                        match (known, status) {
                            (_, None | Some(Status::Fails)) => {}
                            (Some(known), Some(status)) if known != status => {
                                ends.functions.insert(id, Status::Ends);
                            }
                            (_, Some(status)) => {
                                ends.functions.insert(id, status);
                            }
                        }
                    }
                }
            }
            if ends.functions == before {
                return ends;
            }
        }
    }

    /// The parameter whose value a function ends the run with, if it does so with no other.
    pub fn by_parameter(&self, function: FunctionId) -> bool {
        matches!(self.functions.get(&function), Some(Status::Parameter(_)))
    }

    /// The status with which a call of a function may end the run; none if it never does.
    pub fn call(
        &self,
        source: &Program,
        caller: FunctionId,
        graph: &Graph,
        call: &Call,
        target: FunctionId,
    ) -> Option<Status> {
        let callee = source.function(target);
        let given = match self.functions.get(&target) {
            Some(Status::Parameter(k)) => *k,
            Some(_) => return Some(Status::Ends),
            None if callee.body.is_none() && EXITS.contains(&callee.name.as_str()) => 0,
            None => return None,
        };
        if self.exits != Exits::Success {
            return (self.exits == Exits::All).then_some(Status::Ends);
        }
        let Some(status) = call.arguments.get(given) else { return Some(Status::Ends) };
        Some(status_of(source, caller, graph, status))
    }

    /// True if a return from the function that runs ends the run: unless it is `main` and the value is never 0.
    pub fn returns(&self, source: &Program, id: FunctionId, graph: &Graph, value: &Expr) -> bool {
        self.exits != Exits::Success
            || source.function(id).name != "main"
            || status_of(source, id, graph, value) != Status::Fails
    }
}

/// The status that an expression is.
fn status_of(source: &Program, id: FunctionId, graph: &Graph, value: &Expr) -> Status {
    let parameters = &source.function(id).parameters;
    let variable = match &value.below_casts().kind {
        ExprKind::Load(lvalue) => lvalue.whole_variable(),
        _ => None,
    };
    if let Some(variable) = variable
        && let Some(k) = parameters.iter().position(|own| *own == variable)
    {
        let is_changed = graph.edges.iter().any(|edge| match &edge.action {
            Step::Assign { target, .. } => super::expr::is(target, variable),
            Step::Call(call) => call.result.as_ref().is_some_and(|r| super::expr::is(r, variable)),
            _ => false,
        });
        if !is_changed && !source.variable(variable).address_taken {
            return Status::Parameter(k);
        }
    }
    let values = constants(source, value, graph);
    if values.is_empty() || values.contains(&0) { Status::Ends } else { Status::Fails }
}
