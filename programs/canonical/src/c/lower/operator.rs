//! Operators of the syntax tree, and whether expressions have effects.

use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};

use crate::model::Binary;

/// The operator of the model, for operators that only calculate.
pub(super) fn plain(operator: &BinaryOperator) -> Option<Binary> {
    Some(match operator {
        BinaryOperator::Multiply => Binary::Multiply,
        BinaryOperator::Divide => Binary::Divide,
        BinaryOperator::Modulo => Binary::Remainder,
        BinaryOperator::Plus => Binary::Add,
        BinaryOperator::Minus => Binary::Subtract,
        BinaryOperator::ShiftLeft => Binary::ShiftLeft,
        BinaryOperator::ShiftRight => Binary::ShiftRight,
        BinaryOperator::BitwiseAnd => Binary::And,
        BinaryOperator::BitwiseXor => Binary::Xor,
        BinaryOperator::BitwiseOr => Binary::Or,
        BinaryOperator::Less => Binary::Less,
        BinaryOperator::Greater => Binary::Greater,
        BinaryOperator::LessOrEqual => Binary::LessEqual,
        BinaryOperator::GreaterOrEqual => Binary::GreaterEqual,
        BinaryOperator::Equals => Binary::Equal,
        BinaryOperator::NotEquals => Binary::NotEqual,
        _ => return None,
    })
}

/// The operator with which a compound assignment calculates.
pub(super) fn compound(operator: &BinaryOperator) -> Option<Binary> {
    Some(match operator {
        BinaryOperator::AssignMultiply => Binary::Multiply,
        BinaryOperator::AssignDivide => Binary::Divide,
        BinaryOperator::AssignModulo => Binary::Remainder,
        BinaryOperator::AssignPlus => Binary::Add,
        BinaryOperator::AssignMinus => Binary::Subtract,
        BinaryOperator::AssignShiftLeft => Binary::ShiftLeft,
        BinaryOperator::AssignShiftRight => Binary::ShiftRight,
        BinaryOperator::AssignBitwiseAnd => Binary::And,
        BinaryOperator::AssignBitwiseXor => Binary::Xor,
        BinaryOperator::AssignBitwiseOr => Binary::Or,
        _ => return None,
    })
}

/// Returns true for `=` and the compound assignments.
pub(super) fn is_assignment(operator: &BinaryOperator) -> bool {
    *operator == BinaryOperator::Assign || compound(operator).is_some()
}

/// Returns true if the evaluation of an expression makes edges.
pub(super) fn has_effects(expression: &Expression) -> bool {
    match expression {
        Expression::Identifier(_)
        | Expression::Constant(_)
        | Expression::StringLiteral(_)
        | Expression::SizeOfTy(_)
        | Expression::SizeOfVal(_)
        | Expression::AlignOf(_)
        | Expression::OffsetOf(_)
        | Expression::GenericSelection(_) => false,
        Expression::Member(member) => has_effects(&member.node.expression.node),
        Expression::Cast(cast) => has_effects(&cast.node.expression.node),
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => true,
            _ => has_effects(&unary.node.operand.node),
        },
        Expression::BinaryOperator(binary) => {
            let operator = &binary.node.operator.node;
            let calculates = plain(operator).is_some() || *operator == BinaryOperator::Index;
            !calculates || has_effects(&binary.node.lhs.node) || has_effects(&binary.node.rhs.node)
        }
        _ => true,
    }
}
