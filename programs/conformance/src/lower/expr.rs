//! Forms of expressions.

use canonical::{Expr, ExprKind, Lvalue, LvalueBase, VariableId};

/// The expression below casts.
pub fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(within) => inner(within),
        _ => expr,
    }
}

/// True if an lvalue is all of a variable, or a part of it.
pub fn is(target: &Lvalue, variable: VariableId) -> bool {
    matches!(target.base, LvalueBase::Variable(own) if own == variable)
}
