//! Expressions of guards and updates, over mathematical integers; true is 1 and false is 0.

use super::VarId;

/// An operator of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `!x`: 1 if x is 0, otherwise 0
    Not,
    /// `~x`, which is `-x - 1`
    Complement,
}

/// An operator of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `x + y`
    Add,
    /// `x - y`
    Sub,
    /// `x * y`
    Mul,
    /// `x / y`, rounded to zero; 0 if y is 0
    Div,
    /// `x % y`, of the sign of x; x if y is 0
    Rem,
    /// `x band y`, of two's complement
    BitAnd,
    /// `x bor y`
    BitOr,
    /// `x bxor y`
    BitXor,
    /// `x << y`, for 0 <= y < 32; otherwise 0
    Shl,
    /// `x >> y`, rounded down, for 0 <= y < 64; else 0
    Shr,
    /// `x = y`
    Eq,
    /// `x != y`
    Ne,
    /// `x < y`
    Lt,
    /// `x <= y`
    Le,
    /// `x & y`: 1 if neither is 0
    And,
    /// `x | y`: 1 if one is not 0
    Or,
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A number.
    Int(i64),
    /// A variable.
    Var(VarId),
    /// An operation of one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operation of two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// The second if the first is not zero, else the third.
    If(Box<(Expr, Expr, Expr)>),
    /// The value modulo 2^bits, in the range of a signed or unsigned integer of this width.
    Wrap {
        /// Width, 1 to 62.
        bits: u32,
        /// True for two's complement.
        signed: bool,
        /// Operand.
        of: Box<Expr>,
    },
}

impl Expr {
    /// A binary operation; folds constants of `&` and `|`.
    pub fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
        match (op, &a, &b) {
            (BinaryOp::And, Self::Int(1), _) => b,
            (BinaryOp::And, _, Self::Int(1)) => a,
            _ => Self::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    /// `a & b`.
    pub fn and(a: Self, b: Self) -> Self {
        Self::binary(BinaryOp::And, a, b)
    }

    /// `a = b`.
    pub fn equals(a: Self, b: Self) -> Self {
        Self::binary(BinaryOp::Eq, a, b)
    }

    /// `!a`.
    pub fn negated(a: Self) -> Self {
        Self::Unary(UnaryOp::Not, Box::new(a))
    }

    /// Calls `f` on each variable, in order, with repetitions.
    pub fn variables(&self, f: &mut impl FnMut(VarId)) {
        match self {
            Self::Int(_) => {}
            Self::Var(v) => f(*v),
            Self::Unary(_, a) | Self::Wrap { of: a, .. } => a.variables(f),
            Self::Binary(_, a, b) => {
                a.variables(f);
                b.variables(f);
            }
            Self::If(parts) => {
                parts.0.variables(f);
                parts.1.variables(f);
                parts.2.variables(f);
            }
        }
    }

    /// Returns the value of the expression. Intermediate values fit, because [`check`](super::check()) bounds them.
    pub fn value(&self, of: &impl Fn(VarId) -> i64) -> i64 {
        match self {
            Self::Int(n) => *n,
            Self::Var(v) => of(*v),
            Self::Unary(op, a) => {
                let a = a.value(of);
                match op {
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => i64::from(a == 0),
                    UnaryOp::Complement => !a,
                }
            }
            Self::Binary(op, a, b) => binary(*op, a.value(of), b.value(of)),
            Self::If(parts) => match parts.0.value(of) {
                0 => parts.2.value(of),
                _ => parts.1.value(of),
            },
            Self::Wrap { bits, signed, of: a } => {
                let unsigned = a.value(of) & ((1 << bits) - 1);
                match *signed && unsigned >> (bits - 1) & 1 == 1 {
                    true => unsigned - (1 << bits),
                    false => unsigned,
                }
            }
        }
    }
}

/// The value of an operation of two numbers.
fn binary(op: BinaryOp, a: i64, b: i64) -> i64 {
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b).unwrap_or(0),
        BinaryOp::Rem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl if (0..32).contains(&b) => a.wrapping_shl(b as u32),
        BinaryOp::Shr if (0..64).contains(&b) => a >> b,
        BinaryOp::Shl | BinaryOp::Shr => 0,
        BinaryOp::Eq => i64::from(a == b),
        BinaryOp::Ne => i64::from(a != b),
        BinaryOp::Lt => i64::from(a < b),
        BinaryOp::Le => i64::from(a <= b),
        BinaryOp::And => i64::from(a != 0 && b != 0),
        BinaryOp::Or => i64::from(a != 0 || b != 0),
    }
}
