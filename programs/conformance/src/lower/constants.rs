//! Finds the constants that an argument may be.

use canonical::{
    Action as Step, Call, Expr, ExprKind, Graph, Initial, Lvalue, LvalueBase, Program, Storage,
    VariableId, walk,
};

use super::expr::is;

/// The maximum number of copies between variables that are followed in a chain.
const COPIES: usize = 4;

/// Returns the constants that an expression may be: itself, or all constants that are assigned to a variable that
/// nothing else can change. Empty if it may be anything else.
pub fn constants(source: &Program, argument: &Expr, graph: &Graph) -> Vec<i128> {
    copied(source, argument, graph, COPIES)
}

/// Like [`constants`], through this many copies between variables.
fn copied(source: &Program, argument: &Expr, graph: &Graph, copies: usize) -> Vec<i128> {
    if let ExprKind::Cast(within) = &argument.kind {
        let mut values = copied(source, within, graph, copies);
        match argument.ty.int() {
            Some(int) => values.iter_mut().for_each(|value| *value = int.convert(*value)),
            None => values.retain(|_| argument.constant().is_some()),
        }
        values.sort_unstable();
        values.dedup();
        return values;
    }
    if let Some(value) = argument.constant() {
        return vec![value];
    }
    let ExprKind::Load(lvalue) = &argument.kind else { return Vec::new() };
    if let Some(character) = character(source, lvalue) {
        return vec![character];
    }
    let Some(id) = lvalue.whole_variable() else { return Vec::new() };
    let variable = source.variable(id);
    let mut values = Vec::new();
    let graphs: Vec<&Graph> = match variable.storage {
        _ if variable.address_taken => return Vec::new(),
        // Another file may give the variable any value.
        Storage::Global => return Vec::new(),
        Storage::Parameter => {
            values = given(source, id, copies);
            if values.is_empty() {
                return values;
            }
            vec![graph]
        }
        Storage::Local | Storage::Temporary => vec![graph],
        Storage::Static => {
            let Initial::Values(initial) = &variable.initial else { return Vec::new() };
            let first = initial.last().map_or(Some(0), |(_, value)| value.below_casts().constant());
            let Some(first) = first else { return Vec::new() };
            values.push(first);
            source.defined().map(|(_, _, graph)| graph).collect()
        }
    };
    for (graph, edge) in
        graphs.into_iter().flat_map(|graph| graph.edges.iter().map(move |e| (graph, e)))
    {
        match &edge.action {
            Step::Assign { target, value } if is(target, id) => {
                let known = match value.constant() {
                    Some(value) => vec![value],
                    None if copies > 0 => copied(source, value, graph, copies - 1),
                    None => Vec::new(),
                };
                if known.is_empty() {
                    return known;
                }
                values.extend(known);
            }
            Step::Call(Call { result: Some(target), .. }) if is(target, id) => {
                return Vec::new();
            }
            _ => {}
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns the constants that a parameter receives in all calls; empty if it may receive anything else or does not
/// exist.
fn given(source: &Program, parameter: VariableId, copies: usize) -> Vec<i128> {
    let Some(function) = source.variable(parameter).function.filter(|_| copies > 0) else {
        return Vec::new();
    };
    let callee = source.function(function);
    let Some(k) = callee.parameters.iter().position(|own| *own == parameter) else {
        return Vec::new();
    };
    let mut values = Vec::new();
    for (_, _, graph) in source.defined() {
        for (_, call) in graph.calls() {
            if !call.callee.targets().contains(&function) {
                continue;
            }
            let Some(argument) = call.arguments.get(k) else { return Vec::new() };
            let known = copied(source, argument, graph, copies - 1);
            if known.is_empty() {
                return known;
            }
            values.extend(known);
        }
    }
    // Code without a body may call the first function, and those whose address it receives.
    let mut is_taken = callee.name == "main";
    walk::program(source, &mut |expr| {
        is_taken |= matches!(expr.kind, ExprKind::Function(id) if id == function);
    });
    if is_taken { Vec::new() } else { values }
}

/// Returns the character of a string literal at a constant position, as an unsigned byte.
fn character(source: &Program, lvalue: &Lvalue) -> Option<i128> {
    let LvalueBase::Deref(pointer) = &lvalue.base else { return None };
    let (string, index) = match &pointer.kind {
        ExprKind::Binary(canonical::Binary::Add, string, index) => {
            (&**string, index.below_casts().constant()?)
        }
        _ => (&**pointer, 0),
    };
    let ExprKind::String(id) = &string.kind else { return None };
    let index = usize::try_from(index).ok()?;
    source.string(*id).get(index).map(|byte| i128::from(*byte))
}
