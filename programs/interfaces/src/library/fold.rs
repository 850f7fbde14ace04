//! Substitutes the values of some variables in expressions.

use super::{BinaryOp, Expr, UnaryOp, VarId};

/// Replaces variables that have a number by that number, and computes parts that then are constant.
pub(crate) fn folded(expr: &Expr, number: &impl Fn(VarId) -> Option<i64>) -> Expr {
    match expr {
        Expr::Int(n) => Expr::Int(*n),
        Expr::Var(v) => number(*v).map_or_else(|| expr.clone(), Expr::Int),
        Expr::Unary(op, a) => unary(*op, folded(a, number)),
        Expr::Binary(op, a, b) => binary(*op, folded(a, number), b, number),
        Expr::If(parts) => match folded(&parts.0, number) {
            Expr::Int(0) => folded(&parts.2, number),
            Expr::Int(_) => folded(&parts.1, number),
            condition => {
                let (a, b) = (folded(&parts.1, number), folded(&parts.2, number));
                if a == b { a } else { Expr::If(Box::new((condition, a, b))) }
            }
        },
        Expr::Wrap { bits, signed, of } => {
            let of = folded(of, number);
            constant(Expr::Wrap { bits: *bits, signed: *signed, of: Box::new(of) })
        }
    }
}

/// Returns the value of an expression whose operands have no variables; otherwise returns the expression.
fn constant(expr: Expr) -> Expr {
    let is_number = |e: &Expr| matches!(e, Expr::Int(_));
    let is_constant = match &expr {
        Expr::Unary(_, a) | Expr::Wrap { of: a, .. } => is_number(a),
        Expr::Binary(_, a, b) => is_number(a) && is_number(b),
        _ => false,
    };
    if is_constant { Expr::Int(expr.value(&|_| 0)) } else { expr }
}

fn unary(op: UnaryOp, a: Expr) -> Expr {
    constant(Expr::Unary(op, Box::new(a)))
}

/// Folds an operation whose second operand is not folded yet, because the first one may decide the result.
fn binary(op: BinaryOp, a: Expr, b: &Expr, number: &impl Fn(VarId) -> Option<i64>) -> Expr {
    match (op, &a) {
        (BinaryOp::And | BinaryOp::Mul | BinaryOp::BitAnd, Expr::Int(0)) => return Expr::Int(0),
        (BinaryOp::Or, Expr::Int(n)) if *n != 0 => return Expr::Int(1),
        _ => {}
    }
    let b = folded(b, number);
    match (op, &a, &b) {
        (BinaryOp::And | BinaryOp::Mul | BinaryOp::BitAnd, _, Expr::Int(0)) => Expr::Int(0),
        (BinaryOp::Or, _, Expr::Int(n)) if *n != 0 => Expr::Int(1),
        (BinaryOp::Add, Expr::Int(0), _) | (BinaryOp::Mul, Expr::Int(1), _) => b,
        (BinaryOp::Add | BinaryOp::Sub, _, Expr::Int(0))
        | (BinaryOp::Mul | BinaryOp::Div, _, Expr::Int(1)) => a,
        _ => constant(Expr::Binary(op, Box::new(a), Box::new(b))),
    }
}
