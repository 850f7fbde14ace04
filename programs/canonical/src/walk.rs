//! Visits the expressions and lvalues of a program.

use crate::model::{
    Action, Callee, Expr, ExprKind, Graph, Initial, Lvalue, LvalueBase, Program, Projection,
};

/// Calls `visit` for an expression and all expressions inside it, outer ones first.
pub fn expressions<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => inside(lvalue, visit),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => expressions(operand, visit),
        ExprKind::Binary(_, left, right) => {
            expressions(left, visit);
            expressions(right, visit);
        }
        _ => {}
    }
}

/// Calls `visit` for all expressions inside an lvalue.
pub fn inside<'e>(lvalue: &'e Lvalue, visit: &mut impl FnMut(&'e Expr)) {
    if let LvalueBase::Deref(pointer) = &lvalue.base {
        expressions(pointer, visit);
    }
    for step in &lvalue.path {
        if let Projection::Index(index) = step {
            expressions(index, visit);
        }
    }
}

/// Calls `visit` for all expressions of an action.
pub fn action<'e>(action: &'e Action, visit: &mut impl FnMut(&'e Expr)) {
    match action {
        Action::Nothing | Action::Return(None) => {}
        Action::Assign { target, value } => {
            inside(target, visit);
            expressions(value, visit);
        }
        Action::Guard { condition, .. } => expressions(condition, visit),
        Action::Return(Some(value)) => expressions(value, visit),
        Action::Call(call) => {
            if let Callee::Pointer { pointer, .. } = &call.callee {
                expressions(pointer, visit);
            }
            call.arguments.iter().for_each(|argument| expressions(argument, visit));
            if let Some(result) = &call.result {
                inside(result, visit);
            }
        }
    }
}

/// Calls `visit` for all expressions of a graph.
pub fn graph<'e>(graph: &'e Graph, visit: &mut impl FnMut(&'e Expr)) {
    graph.edges.iter().for_each(|edge| action(&edge.action, visit));
}

/// Calls `visit` for all expressions of a program, including those of initial values.
pub fn program<'e>(program: &'e Program, visit: &mut impl FnMut(&'e Expr)) {
    initial(program, visit);
    for (_, _, body) in program.defined() {
        graph(body, visit);
    }
}

/// Calls `visit` for all expressions of initial values.
pub fn initial<'e>(program: &'e Program, visit: &mut impl FnMut(&'e Expr)) {
    for variable in &program.variables {
        if let Initial::Values(values) = &variable.initial {
            for (target, value) in values {
                inside(target, visit);
                expressions(value, visit);
            }
        }
    }
}
