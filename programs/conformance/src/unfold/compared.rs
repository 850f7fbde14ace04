//! The constants with which homes are compared.

use canonical::{Binary, Expr, ExprKind, Type, Unary};

use super::home::{Home, inner, is_bool};

/// The maximum length of a `case` range that is treated as single values.
const RANGE: i128 = 32;

/// Returns the range of a `case` with two constants: its value, its minimum and its maximum.
pub fn range(expr: &Expr) -> Option<(&Expr, i128, i128)> {
    let ExprKind::Binary(Binary::And, least, most) = &expr.kind else { return None };
    let (
        ExprKind::Binary(Binary::GreaterEqual, value, least),
        ExprKind::Binary(Binary::LessEqual, same, most),
    ) = (&least.kind, &most.kind)
    else {
        return None;
    };
    let (least, most) = (least.constant()?, most.constant()?);
    (value == same && most.checked_sub(least)? < RANGE).then_some((value, least, most))
}

/// Adds the constants that an expression compares homes with. A byte that is compared as signed may have been read as
/// unsigned, and vice versa.
pub fn compared(expr: &Expr, add: &mut impl FnMut(Home, i128)) {
    let mut add = |value: &Expr, constant: i128| {
        let Some(home) = Home::value(value) else { return };
        if is_bool(&Type::Int(home.int)) {
            (0..=1).for_each(|c| add(home.clone(), c));
        }
        let bits = narrowest(value);
        if bits <= 16 {
            let unsigned = constant & ((1 << bits) - 1);
            add(home.clone(), unsigned);
            if unsigned >> (bits - 1) != 0 {
                add(home.clone(), unsigned - (1 << bits));
            }
        }
        add(home, constant);
    };
    canonical::walk::expressions(expr, &mut |part| {
        if let Some((value, least, most)) = range(part) {
            (least..=most).for_each(|c| add(value, c));
        }
        match &part.kind {
            ExprKind::Binary(Binary::Equal | Binary::NotEqual, left, right) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(c) = inner(other).constant() {
                        add(one, c);
                    }
                }
            }
            ExprKind::Unary(Unary::Not, operand) => add(operand, 0),
            ExprKind::Cast(within) if is_bool(&part.ty) => add(within, 0),
            _ => {}
        }
    });
}

/// Returns the width of the narrowest type that a value has below casts.
fn narrowest(expr: &Expr) -> u32 {
    let own = expr.ty.int().map_or(128, |int| int.bits());
    match &expr.kind {
        ExprKind::Cast(within) if within.ty.int().is_some() => own.min(narrowest(within)),
        _ => own,
    }
}
