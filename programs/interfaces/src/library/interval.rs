//! Bounds of expressions from the ranges of their variables.

use super::{BinaryOp, Expr, UnaryOp, VarId};

/// A range of values, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Lowest value.
    pub low: i128,
    /// Highest value.
    pub high: i128,
}

impl Interval {
    /// The range from `low` to `high`.
    pub fn new(low: i128, high: i128) -> Self {
        Self { low, high }
    }

    /// The smallest range that contains all `values`.
    fn of(values: &[i128]) -> Self {
        let low = values.iter().copied().min().unwrap_or(0);
        Self { low, high: values.iter().copied().max().unwrap_or(0) }
    }

    /// The number of bits that the values need: in two's complement if some are negative, otherwise unsigned.
    pub fn bits(self) -> u32 {
        let magnitude = |n: i128| 128 - n.max(0).leading_zeros();
        match self.low < 0 {
            true => 1 + magnitude(self.high).max(magnitude(-self.low - 1)),
            false => magnitude(self.high),
        }
    }
}

/// Returns bounds of the value of `expr`; `range` returns the bounds of variables. The bounds may be too wide, but
/// never too narrow.
pub fn interval(expr: &Expr, range: &impl Fn(VarId) -> Interval) -> Interval {
    match expr {
        Expr::Int(n) => Interval::new((*n).into(), (*n).into()),
        Expr::Var(v) => range(*v),
        Expr::Unary(op, a) => {
            let a = interval(a, range);
            match op {
                UnaryOp::Neg => Interval::new(-a.high, -a.low),
                UnaryOp::Complement => Interval::new(-a.high - 1, -a.low - 1),
                UnaryOp::Not => Interval::new(0, 1),
            }
        }
        Expr::Binary(op, a, b) => binary(*op, interval(a, range), interval(b, range)),
        Expr::If(parts) => {
            let (a, b) = (interval(&parts.1, range), interval(&parts.2, range));
            Interval::new(a.low.min(b.low), a.high.max(b.high))
        }
        Expr::Wrap { bits, signed, of } => {
            let all = match signed {
                true => Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
                false => Interval::new(0, (1 << bits) - 1),
            };
            let inner = interval(of, range);
            match inner.low >= all.low && inner.high <= all.high {
                true => inner,
                false => all,
            }
        }
    }
}

/// Bounds of an operation. Products saturate.
fn binary(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    let corners = |f: fn(i128, i128) -> i128| {
        Interval::of(&[f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)])
    };
    match op {
        BinaryOp::Add => corners(i128::saturating_add),
        BinaryOp::Sub => corners(i128::saturating_sub),
        BinaryOp::Mul => corners(i128::saturating_mul),
        BinaryOp::Div => {
            let most = a.low.abs().max(a.high.abs());
            match a.low >= 0 && b.low >= 0 {
                true => Interval::new(0, a.high),
                false => Interval::new(-most, most),
            }
        }
        BinaryOp::Rem => Interval::new(a.low.min(0), a.high.max(0)),
        BinaryOp::Shl => {
            let by = |x: i128, s: i128| x.saturating_mul(1 << s.clamp(0, 31));
            Interval::of(&[0, by(a.low, b.high), by(a.high, b.high), by(a.low, b.low)])
        }
        BinaryOp::Shr => Interval::of(&[0, a.low, a.high]),
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
            let negative = a.low < 0 || b.low < 0;
            let bits = a.bits().max(b.bits()).min(100) + u32::from(negative);
            Interval::new(if negative { -(1 << (bits - 1)) } else { 0 }, (1 << bits) - 1)
        }
        _ => Interval::new(0, 1),
    }
}
