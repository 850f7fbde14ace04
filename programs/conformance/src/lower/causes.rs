//! The causes of conditions that are not followed: data of the system, and names that identify them.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Call, Expr, ExprKind, FunctionId, Graph, LvalueBase, Program, Storage, Type,
    VariableId, walk,
};

use crate::library;

/// A source of values that no side reads from the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The system: arguments of the program, or a function of the library that depends on it.
    System,
    /// A function without a body, which has a separate remark.
    Absent,
}

/// The variables of a program's functions that only ever have values from the system.
#[derive(Debug, Default)]
pub struct Origins {
    variables: BTreeMap<VariableId, BTreeSet<Origin>>,
    /// The parameters of the function that runs: they point to strings of the system.
    arguments: BTreeSet<VariableId>,
}

impl Origins {
    /// Finds the origins. `reads` returns true for calls that read; `main` is the function that runs.
    pub fn of(
        source: &Program,
        main: Option<FunctionId>,
        reads: &impl Fn(FunctionId, usize) -> bool,
    ) -> Self {
        let mut origins = Self::default();
        for parameter in main.iter().flat_map(|main| &source.function(*main).parameters) {
            origins.variables.insert(*parameter, BTreeSet::from([Origin::System]));
            origins.arguments.insert(*parameter);
        }
        loop {
            let before = origins.variables.len();
            for (id, _, graph) in source.defined() {
                origins.function(source, id, graph, reads);
            }
            if origins.variables.len() == before {
                return origins;
            }
        }
    }

    /// Adds the variables of one function.
    fn function(
        &mut self,
        source: &Program,
        id: FunctionId,
        graph: &Graph,
        reads: &impl Fn(FunctionId, usize) -> bool,
    ) {
        // `None` for variables that also have other values.
        let mut found: BTreeMap<VariableId, Option<BTreeSet<Origin>>> = BTreeMap::new();
        for (k, edge) in graph.edges.iter().enumerate() {
            let (target, origins) = match &edge.action {
                Step::Assign { target, value } => (Some(target), self.expression(value)),
                Step::Call(call) => {
                    let own = (!reads(id, k)).then(|| self.call(source, call)).flatten();
                    (call.result.as_ref(), own)
                }
                _ => continue,
            };
            let Some(variable) = target.and_then(canonical::Lvalue::whole_variable) else {
                continue;
            };
            let known = found.entry(variable).or_insert_with(|| Some(BTreeSet::new()));
            match (known.as_mut(), origins) {
                (Some(known), Some(origins)) => known.extend(origins),
                _ => *known = None,
            }
        }
        for (id, origins) in found {
            let variable = source.variable(id);
            let is_local = matches!(variable.storage, Storage::Local | Storage::Temporary);
            if let Some(origins) = origins.filter(|_| is_local && !variable.address_taken) {
                self.variables.insert(id, origins);
            }
        }
    }

    /// Returns the origins of the result of a call; `None` if it may be another value.
    fn call(&self, source: &Program, call: &Call) -> Option<BTreeSet<Origin>> {
        let [target] = call.callee.targets() else { return None };
        let function = source.function(*target);
        if function.body.is_some() {
            return None;
        }
        if !library::is_known(&function.name) {
            return Some(BTreeSet::from([Origin::Absent]));
        }
        if library::is_of_the_system(&function.name) {
            return Some(BTreeSet::from([Origin::System]));
        }
        // The result of a library function has the origins of its arguments.
        let mut all = BTreeSet::new();
        for argument in &call.arguments {
            let is_constant = matches!(argument.below_casts().kind, ExprKind::String(_))
                || argument.below_casts().constant().is_some();
            // The target of a pointer may have values from other origins than the pointer itself.
            let leads_on = matches!(argument.ty, Type::Pointer(_)) && !self.is_argument(argument);
            if leads_on && !matches!(argument.below_casts().kind, ExprKind::String(_)) {
                return None;
            }
            if !is_constant {
                all.extend(self.expression(argument)?);
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// Returns true if a pointer comes from the parameters of the function that runs.
    fn is_argument(&self, pointer: &Expr) -> bool {
        let mut found = false;
        walk::expressions(pointer, &mut |part| {
            if let ExprKind::Load(lvalue) = &part.kind
                && let LvalueBase::Variable(own) = lvalue.base
            {
                found |= self.arguments.contains(&own);
            }
        });
        found
    }

    /// Returns the origins of the value of an expression, if it has no other sources.
    pub fn expression(&self, expr: &Expr) -> Option<BTreeSet<Origin>> {
        let (mut found, mut other) = (BTreeSet::new(), false);
        walk::expressions(expr, &mut |part| match &part.kind {
            ExprKind::Load(lvalue) => match &lvalue.base {
                LvalueBase::Variable(own) => match self.variables.get(own) {
                    Some(origins) => found.extend(origins),
                    None => other = true,
                },
                // The pointer inside the expression is examined, too.
                LvalueBase::Deref(pointer) => other |= !self.is_argument(pointer),
            },
            ExprKind::AddressOf(_) | ExprKind::Unknown => other = true,
            _ => {}
        });
        (!other && !found.is_empty()).then_some(found)
    }
}

/// Returns a name for the value on which an expression depends: the name of a variable, or of the function that
/// returned it.
pub fn name(source: &Program, graph: &Graph, expr: &Expr) -> Option<String> {
    let mut found: Option<String> = None;
    walk::expressions(expr, &mut |part| {
        let ExprKind::Load(lvalue) = &part.kind else { return };
        if found.is_some() || matches!(part.ty, Type::Composite(_)) {
            return;
        }
        let field = lvalue.path.iter().rev().find_map(|step| match step {
            canonical::Projection::Field(composite, field) => {
                source.composite(*composite).fields.get(*field as usize).map(|f| f.name.clone())
            }
            canonical::Projection::Index(_) => None,
        });
        found = match (field.filter(|name| !name.is_empty()), &lvalue.base) {
            (Some(field), _) => Some(field),
            (None, LvalueBase::Variable(root)) => named(source, graph, *root),
            (None, LvalueBase::Deref(_)) => None,
        };
    });
    found
}

/// Returns the name of a variable, or for a temporary of the front end the name of the function whose result it has.
fn named(source: &Program, graph: &Graph, root: VariableId) -> Option<String> {
    let name = &source.variable(root).name;
    if !name.starts_with('%') {
        return Some(name.clone());
    }
    let is_result = |call: &Call| {
        call.result.as_ref().and_then(canonical::Lvalue::whole_variable) == Some(root)
    };
    let mut calls = graph.calls().filter(|(_, call)| is_result(call));
    let called = calls.find_map(|(_, call)| call.callee.targets().first().copied());
    let copied = || {
        graph.edges.iter().find_map(|edge| match &edge.action {
            Step::Assign { target, value } if target.whole_variable() == Some(root) => {
                match value.kind {
                    ExprKind::Load(ref from) => {
                        let name = &source.variable(from.whole_variable()?).name;
                        (!name.starts_with('%')).then(|| name.clone())
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    };
    called.map(|id| source.function(id).name.clone()).or_else(copied)
}
