//! Expressions and lvalues. They have no side effects.

use serde::{Deserialize, Deserializer, Serialize};

use super::{CompositeId, FloatType, FunctionId, IntType, StringId, Type, VariableId};

/// An expression with its type. All conversions are explicit ([`ExprKind::Cast`]): the operands of a [`Binary`] have
/// the same type, except in shifts and in operations on a pointer and an integer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// The form.
    pub kind: ExprKind,
    /// The type of the value.
    #[serde(rename = "type")]
    pub ty: Type,
}

/// A form of expression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExprKind {
    /// An integer constant in the range of its type. A null pointer is a cast of 0.
    Int(i128),
    /// A floating constant.
    Float(#[serde(deserialize_with = "float")] f64),
    /// The address of the first character of a string; the type is a pointer.
    String(StringId),
    /// The bytes of a string, with zeros up to the size of the array that it initializes.
    Bytes(StringId),
    /// All bytes are zero, for a type of any kind. `{0}` and static storage begin with this value.
    Zero,
    /// The address of a function.
    Function(FunctionId),
    /// The value of an lvalue, of a scalar type, struct or union.
    Load(Box<Lvalue>),
    /// The address of an lvalue; also the address of the first element of an array that is used as a pointer.
    AddressOf(Box<Lvalue>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A conversion to the type of the expression (C11, 6.3): integers wrap, floating numbers lose
    /// their fraction.
    Cast(Box<Expr>),
    /// Any value of the type. Two evaluations may differ.
    Unknown,
}

/// Operators with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unary {
    /// `-x`. Overflow of a signed integer is an error; an unsigned one wraps.
    Minus,
    /// `~x`.
    Complement,
    /// `!x`: 1 if it is zero or null, otherwise 0; the type is `int`.
    Not,
}

/// Operators with two operands. `&&`, `||` and `?:` are branches of the graph.
///
/// The result of a comparison is an `int`. Pointers: [`Binary::Add`] and [`Binary::Subtract`] with a
/// pointer on the left and an integer on the right count in elements;
/// [`Binary::Subtract`] of two pointers is a number of elements, a `long`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, rounded toward zero. Division by zero is an error.
    Divide,
    /// `%`, with the sign of the dividend.
    Remainder,
    /// `<<`. A count that is negative or not less than the width is an error.
    ShiftLeft,
    /// `>>`, arithmetic for signed types.
    ShiftRight,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl Binary {
    /// Returns true for `==`, `!=`, `<`, `<=`, `>` and `>=`, whose value is 0 or 1.
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
        )
    }

    /// Returns the comparison for operands in the opposite order; other operators are unchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            other => other,
        }
    }
}

/// A part of memory with a type: a variable or the target of a pointer, and the path from its beginning to an element
/// or a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lvalue {
    /// The object at which the path begins.
    pub base: LvalueBase,
    /// Fields and elements, the outermost first.
    pub path: Vec<Projection>,
    /// The type of the part.
    #[serde(rename = "type")]
    pub ty: Type,
}

/// The object at which an lvalue begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LvalueBase {
    /// A variable.
    Variable(VariableId),
    /// The object to which the value of a pointer points.
    Deref(Box<Expr>),
}

/// A step from an object to a part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// A field of a struct or union, by its position in [`Composite::fields`](super::Composite::fields).
    Field(CompositeId, u32),
    /// An element of an array.
    Index(Expr),
}

impl Expr {
    /// An integer constant; it must be in the range of the type.
    pub fn int(value: i128, ty: IntType) -> Self {
        debug_assert!(ty.contains(value), "constant {value} outside of its type");
        Self { kind: ExprKind::Int(value), ty: Type::Int(ty) }
    }

    /// A floating constant.
    pub fn float(value: f64, ty: FloatType) -> Self {
        Self { kind: ExprKind::Float(value), ty: Type::Float(ty) }
    }

    /// Any value of a type.
    pub fn unknown(ty: Type) -> Self {
        Self { kind: ExprKind::Unknown, ty }
    }

    /// The value of an lvalue.
    pub fn load(lvalue: Lvalue) -> Self {
        let ty = lvalue.ty.clone();
        Self { kind: ExprKind::Load(Box::new(lvalue)), ty }
    }

    /// The address of an lvalue.
    pub fn address(lvalue: Lvalue) -> Self {
        let ty = lvalue.ty.clone().pointer();
        Self { kind: ExprKind::AddressOf(Box::new(lvalue)), ty }
    }

    /// An operator with two operands.
    pub fn binary(operator: Binary, left: Expr, right: Expr, ty: Type) -> Self {
        Self { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty }
    }

    /// An operator with one operand.
    pub fn unary(operator: Unary, operand: Expr, ty: Type) -> Self {
        Self { kind: ExprKind::Unary(operator, Box::new(operand)), ty }
    }

    /// Converts an expression. Returns it unchanged if it has the type, and evaluates constants.
    pub fn cast(self, ty: Type) -> Self {
        if self.ty == ty {
            return self;
        }
        match (&self.kind, &ty) {
            (ExprKind::Int(value), Type::Int(int)) => Self::int(int.convert(*value), *int),
            (ExprKind::Unknown, _) => Self::unknown(ty),
            _ => Self { kind: ExprKind::Cast(Box::new(self)), ty },
        }
    }

    /// Returns the expression without its outer casts.
    pub fn below_casts(&self) -> &Self {
        match &self.kind {
            ExprKind::Cast(within) => within.below_casts(),
            _ => self,
        }
    }

    /// Returns the value of an integer constant, which may be cast to pointers.
    pub fn constant(&self) -> Option<i128> {
        match &self.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Cast(inner) if matches!(self.ty, Type::Pointer(_)) => inner.constant(),
            _ => None,
        }
    }
}

impl Lvalue {
    /// A whole variable.
    pub fn variable(variable: VariableId, ty: Type) -> Self {
        Self { base: LvalueBase::Variable(variable), path: Vec::new(), ty }
    }

    /// The variable, if the lvalue is all of one.
    pub fn whole_variable(&self) -> Option<VariableId> {
        match self.base {
            LvalueBase::Variable(variable) if self.path.is_empty() => Some(variable),
            _ => None,
        }
    }
}

/// Reads a floating number. JSON has no infinite numbers, and `null` represents them.
fn float<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}
