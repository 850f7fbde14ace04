//! Arithmetic on constants, with C's semantics.

use crate::model::{Binary, Expr, ExprKind, FloatType, IntType, Type, Unary};

/// The reason why the result of an operation is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undefined {
    /// The result of signed arithmetic is outside of its type.
    Overflow,
    /// Division by zero.
    DivisionByZero,
    /// A shift by a negative count, or by the width of the type or more.
    Shift,
}

/// Returns the value of an operator on two integers of the same type (for a shift, the type of the left one).
///
/// # Errors
/// The operation is undefined.
pub fn integers(operator: Binary, left: i128, right: i128, ty: IntType) -> Result<i128, Undefined> {
    let wide = |value: Option<i128>| value.ok_or(Undefined::Overflow);
    let value = match operator {
        Binary::Add => wide(left.checked_add(right))?,
        Binary::Subtract => wide(left.checked_sub(right))?,
        Binary::Multiply if ty == IntType::WIDE => wide(left.checked_mul(right))?,
        // Both have at most 64 bits.
        Binary::Multiply => left.wrapping_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return Err(Undefined::DivisionByZero),
        Binary::Divide => wide(left.checked_div(right))?,
        // The quotient that belongs to the remainder must also be representable.
        Binary::Remainder if !ty.contains(wide(left.checked_div(right))?) => {
            return Err(Undefined::Overflow);
        }
        Binary::Remainder => left % right,
        Binary::ShiftLeft | Binary::ShiftRight => return shift(operator, left, right, ty),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        _ => return Ok(i128::from(compare(operator, &left, &right))),
    };
    in_type(value, ty)
}

/// The result of a comparison.
pub fn compare<T: PartialOrd>(operator: Binary, left: &T, right: &T) -> bool {
    match operator {
        Binary::Equal => left == right,
        Binary::NotEqual => left != right,
        Binary::Less => left < right,
        Binary::LessEqual => left <= right,
        Binary::Greater => left > right,
        Binary::GreaterEqual => left >= right,
        _ => false,
    }
}

/// Shifts a value. A left shift of a negative value multiplies it, as in compilers.
fn shift(operator: Binary, left: i128, count: i128, ty: IntType) -> Result<i128, Undefined> {
    if count < 0 || count >= i128::from(ty.bits()) {
        return Err(Undefined::Shift);
    }
    Ok(match operator {
        Binary::ShiftLeft => ty.convert(left << count),
        _ => left >> count,
    })
}

/// The value if it is in the type; unsigned values wrap.
fn in_type(value: i128, ty: IntType) -> Result<i128, Undefined> {
    match ty.signed {
        true if !ty.contains(value) => Err(Undefined::Overflow),
        true => Ok(value),
        false => Ok(ty.convert(value)),
    }
}

/// The value of an operator on an integer; the result of `Not` is 0 or 1.
///
/// # Errors
/// The operation is undefined.
pub fn integer(operator: Unary, value: i128, ty: IntType) -> Result<i128, Undefined> {
    match operator {
        Unary::Minus => in_type(value.checked_neg().ok_or(Undefined::Overflow)?, ty),
        Unary::Complement => Ok(ty.convert(!value)),
        Unary::Not => Ok(i128::from(value == 0)),
    }
}

/// The value of an arithmetic operator on two floating numbers.
pub fn floats(operator: Binary, left: f64, right: f64, ty: FloatType) -> f64 {
    round(
        match operator {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            _ => left / right,
        },
        ty,
    )
}

/// A value rounded to a floating type.
#[allow(clippy::cast_possible_truncation)] // That is the purpose.
pub fn round(value: f64, ty: FloatType) -> f64 {
    match ty {
        FloatType::Float => f64::from(value as f32),
        _ => value,
    }
}

/// Converts a floating number to an integer without its fraction; returns `None` if the type cannot represent it.
#[allow(clippy::cast_possible_truncation)] // Values outside of the type are none anyway.
pub fn truncate(value: f64, ty: IntType) -> Option<i128> {
    if ty == IntType::BOOL {
        return Some(i128::from(value != 0.0));
    }
    let whole = value.trunc();
    (whole.abs() < 1e30).then_some(whole as i128).filter(|whole| ty.contains(*whole))
}

/// Returns true for an integer that a `double` represents exactly, as well as its neighbours. The integer is then also
/// exact in any wider type.
pub fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0
}

/// An operator with two operands, calculated if both are constants and the result is defined.
pub fn binary(operator: Binary, left: Expr, right: Expr, ty: Type) -> Expr {
    let value = match (&left.kind, &right.kind, &left.ty) {
        (ExprKind::Int(a), ExprKind::Int(b), Type::Int(int)) => {
            integers(operator, *a, *b, *int).ok().map(ExprKind::Int)
        }
        (ExprKind::Float(a), ExprKind::Float(b), Type::Float(float)) => {
            if operator.is_comparison() {
                Some(ExprKind::Int(i128::from(compare(operator, a, b))))
            } else {
                let value = floats(operator, *a, *b, *float);
                // The digits of a `long double` are not all calculated here.
                let exact = [*a, *b, value].into_iter().all(is_whole);
                (*float != FloatType::LongDouble || exact).then_some(ExprKind::Float(value))
            }
        }
        _ => None,
    };
    match value {
        Some(kind) => Expr { kind, ty },
        None => Expr::binary(operator, left, right, ty),
    }
}

/// An operator with one operand, calculated if that is a constant and the result is defined.
pub fn unary(operator: Unary, operand: Expr, ty: Type) -> Expr {
    let value = match (&operand.kind, &operand.ty, operator) {
        (ExprKind::Int(value), Type::Int(int), _) => {
            integer(operator, *value, *int).ok().map(ExprKind::Int)
        }
        (ExprKind::Float(value), _, Unary::Minus) => Some(ExprKind::Float(-value)),
        (ExprKind::Float(value), _, Unary::Not) => Some(ExprKind::Int(i128::from(*value == 0.0))),
        _ => None,
    };
    match value {
        Some(kind) => Expr { kind, ty },
        None => Expr::unary(operator, operand, ty),
    }
}

/// A conversion, calculated if the operand is a constant.
#[allow(clippy::cast_precision_loss)] // As in C.
pub fn cast(operand: Expr, ty: Type) -> Expr {
    let value = match (&operand.kind, &ty) {
        (ExprKind::Int(value), Type::Float(FloatType::LongDouble)) if !is_whole(*value as f64) => {
            None
        }
        (ExprKind::Int(value), Type::Float(float)) => {
            Some(ExprKind::Float(round(*value as f64, *float)))
        }
        (ExprKind::Float(value), Type::Float(float)) => {
            Some(ExprKind::Float(round(*value, *float)))
        }
        (ExprKind::Float(value), Type::Int(int)) => truncate(*value, *int).map(ExprKind::Int),
        _ => None,
    };
    match value {
        Some(kind) => Expr { kind, ty },
        None => operand.cast(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::IntRank;

    #[test]
    fn integers_wrap_or_overflow_as_their_type_says() {
        let int = IntType::INT;
        assert_eq!(integers(Binary::Add, i128::from(i32::MAX), 1, int), Err(Undefined::Overflow));
        assert_eq!(integers(Binary::Add, u32::MAX.into(), 1, IntType::UNSIGNED), Ok(0));
        assert_eq!(integers(Binary::Subtract, 0, 1, IntType::SIZE), Ok(u64::MAX.into()));
        assert_eq!(integers(Binary::Divide, -7, 2, int), Ok(-3));
        assert_eq!(integers(Binary::Remainder, -7, 2, int), Ok(-1));
        let least = i32::MIN.into();
        assert_eq!(integers(Binary::Divide, least, -1, int), Err(Undefined::Overflow));
        assert_eq!(integers(Binary::Remainder, least, -1, int), Err(Undefined::Overflow));
        assert_eq!(integers(Binary::Divide, 1, 0, int), Err(Undefined::DivisionByZero));
        assert_eq!(integers(Binary::ShiftLeft, 1, 32, int), Err(Undefined::Shift));
        assert_eq!(integers(Binary::ShiftRight, -8, 1, int), Ok(-4));
        let all = u64::MAX.into();
        assert_eq!(integers(Binary::Multiply, all, all, IntType::SIZE), Ok(1));
        assert_eq!(integer(Unary::Minus, least, int), Err(Undefined::Overflow));
        assert_eq!(integer(Unary::Complement, 0, IntType::UNSIGNED), Ok(u32::MAX.into()));
    }

    #[test]
    fn conversions_are_modulo_the_width() {
        let char = IntType { rank: IntRank::Char, signed: true };
        assert_eq!(char.convert(200), -56);
        assert_eq!(IntType::BYTE.convert(-1), 255);
        assert_eq!(IntType::BOOL.convert(-5), 1);
        assert_eq!(truncate(-1.9, IntType::INT), Some(-1));
        assert_eq!(truncate(1e10, IntType::INT), None);
    }
}
