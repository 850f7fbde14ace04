//! Calls that end the run: `exit`, called directly or through a function that passes its parameter to it.

use std::collections::BTreeMap;

use canonical::{Action as Step, Call, Expr, ExprKind, FunctionId, Graph, Program};

use super::constants::constants;
use crate::settings::Exits;

/// Functions that end the run with their argument as the exit status.
pub const EXITS: [&str; 4] = ["exit", "_exit", "_Exit", "quick_exit"];

/// The exit status with which a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The status is never 0: the run fails.
    Fails,
    /// The status is a parameter of the function, given by its position.
    Parameter(usize),
    /// The status may be 0 or nonzero.
    May,
    /// The status is 0, or counts as 0.
    Ends,
}

/// The functions that end the run, directly or through others. If the status is always a parameter of the function, it
/// is recorded.
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
                                ends.functions.insert(id, Status::May);
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

    /// Returns the parameter whose value is the status with which a function ends the run, if there is no other status.
    pub fn by_parameter(&self, function: FunctionId) -> bool {
        matches!(self.functions.get(&function), Some(Status::Parameter(_)))
    }

    /// Returns the status with which a call of a function may end the run; `None` if it never does.
    pub fn call(
        &self,
        source: &Program,
        caller: FunctionId,
        graph: &Graph,
        call: &Call,
        target: FunctionId,
    ) -> Option<Status> {
        let inside = self.functions.get(&target).filter(|s| !matches!(s, Status::Parameter(_)));
        // The status of a function that ends the run directly is examined there.
        if inside.is_some() {
            return Some(Status::Ends);
        }
        let given = self.given(source, target)?;
        if self.exits != Exits::Success {
            return (self.exits == Exits::All).then_some(Status::Ends);
        }
        let Some(status) = call.arguments.get(given) else { return Some(Status::Ends) };
        Some(status_of(source, caller, graph, status))
    }

    /// Returns the parameter of a function with which it ends the run.
    pub fn given(&self, source: &Program, target: FunctionId) -> Option<usize> {
        let callee = source.function(target);
        match self.functions.get(&target) {
            Some(Status::Parameter(k)) => Some(*k),
            None if callee.body.is_none() && EXITS.contains(&callee.name.as_str()) => Some(0),
            _ => None,
        }
    }

    /// Returns the status of a return from the function that runs; `None` if every return ends the run because the
    /// function is not `main`.
    pub fn returns(
        &self,
        source: &Program,
        id: FunctionId,
        graph: &Graph,
        value: &Expr,
    ) -> Option<Status> {
        let counts = self.exits == Exits::Success && source.function(id).name == "main";
        counts.then(|| status_of(source, id, graph, value))
    }
}

/// The status that an expression represents.
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
    let mut values = constants(source, value, graph);
    // The system keeps only the lowest byte of the status.
    values.iter_mut().for_each(|value| *value &= 255);
    match (values.is_empty(), values.contains(&0)) {
        (false, false) => Status::Fails,
        (false, true) if values.iter().all(|value| *value == 0) => Status::Ends,
        _ => Status::May,
    }
}
