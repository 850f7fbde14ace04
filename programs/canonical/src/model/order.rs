//! Expressions whose order of evaluation C does not specify.

use super::{Action, Expr, FunctionId, Lvalue, Place};

/// Operands, arguments or initializers that C evaluates in any order (C11, 6.5, 6.5.2.2 and 6.7.9). The graph evaluates
/// them from left to right, or the value of an assignment before its target. They are recorded only if the evaluation
/// of one of them has effects.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsequenced {
    /// The function that contains the operands.
    pub function: FunctionId,
    /// The place of the expression around them.
    pub place: Option<Place>,
    /// The operands.
    pub operands: Vec<Operand>,
    /// The target of an assignment. It is stored after the values of the operands are computed, but perhaps before
    /// their side effects.
    pub store: Option<Lvalue>,
}

/// One of the expressions.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// The steps of its evaluation.
    pub actions: Vec<Action>,
    /// Expressions that are read in addition.
    pub values: Vec<Expr>,
    /// False if there are more steps than are recorded.
    pub complete: bool,
}
