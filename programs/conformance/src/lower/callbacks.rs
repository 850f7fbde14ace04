//! Functions that are passed to code without a body, so it is unknown whether and when they are called.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Expr, ExprKind, FunctionId, Initial, Place, Program, Type, VariableId, walk,
};

/// A function with a body whose address is passed to a function without a body.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Callback {
    /// The function whose address is passed.
    pub function: FunctionId,
    /// The function without a body.
    pub to: FunctionId,
    /// The place of the call.
    pub place: Option<Place>,
}

/// Finds all callbacks. Pointers in variables are followed through their assignments.
pub fn callbacks(source: &Program) -> Vec<Callback> {
    let mut held: BTreeMap<VariableId, BTreeSet<FunctionId>> = BTreeMap::new();
    let mut hold = |target: &canonical::Lvalue, value: &Expr| {
        if let canonical::LvalueBase::Variable(root) = target.base {
            held.entry(root).or_default().extend(named(value));
        }
    };
    for (_, _, graph) in source.defined() {
        for edge in &graph.edges {
            if let Step::Assign { target, value } = &edge.action {
                hold(target, value);
            }
        }
    }
    for variable in &source.variables {
        if let Initial::Values(values) = &variable.initial {
            values.iter().for_each(|(target, value)| hold(target, value));
        }
    }
    let has_body = |id: &FunctionId| source.function(*id).body.is_some();
    let mut found = Vec::new();
    for (_, _, graph) in source.defined() {
        for (id, call) in graph.calls() {
            let place = graph.edge(id).place;
            for to in call.callee.targets().iter().filter(|to| !has_body(to)) {
                let mut handed: BTreeSet<FunctionId> = BTreeSet::new();
                for argument in &call.arguments {
                    handed.extend(named(argument));
                    walk::expressions(argument, &mut |part| {
                        if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &part.kind
                            && matches!(part.ty, Type::Pointer(_))
                            && let canonical::LvalueBase::Variable(root) = lvalue.base
                        {
                            handed.extend(held.get(&root).into_iter().flatten());
                        }
                    });
                }
                let handed = handed.into_iter().filter(has_body);
                found.extend(handed.map(|function| Callback { function, to: *to, place }));
            }
        }
    }
    found
}

/// Returns the functions whose address an expression contains.
fn named(expr: &Expr) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    walk::expressions(expr, &mut |part| {
        if let ExprKind::Function(id) = part.kind {
            found.insert(id);
        }
    });
    found
}
