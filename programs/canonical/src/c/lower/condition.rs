//! Lowers conditions to branches of the graph, with short-circuit evaluation.

use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::Node;

use super::{Lowered, Lowerer};
use crate::model::{Action, Expr, ExprKind, IntType, NodeId, Type};

impl Lowerer<'_> {
    /// Branches to `yes` if the expression is nonzero, and to `no` if it is zero.
    pub(super) fn condition(
        &mut self,
        expression: &Node<Expression>,
        yes: NodeId,
        no: NodeId,
    ) -> Lowered<()> {
        let span = expression.span;
        match &expression.node {
            Expression::BinaryOperator(binary) => match binary.node.operator.node {
                BinaryOperator::LogicalAnd => {
                    let next = self.node(span)?;
                    self.condition(&binary.node.lhs, next, no)?;
                    self.go_on(next, span)?;
                    return self.condition(&binary.node.rhs, yes, no);
                }
                BinaryOperator::LogicalOr => {
                    let next = self.node(span)?;
                    self.condition(&binary.node.lhs, yes, next)?;
                    self.go_on(next, span)?;
                    return self.condition(&binary.node.rhs, yes, no);
                }
                _ => {}
            },
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                return self.condition(&unary.node.operand, no, yes);
            }
            Expression::Comma(list) => {
                if let Some((last, first)) = list.split_last() {
                    first.iter().try_for_each(|one| self.effect(one))?;
                    return self.condition(last, yes, no);
                }
            }
            Expression::Conditional(it) => {
                let (first, second) = (self.node(span)?, self.node(span)?);
                self.condition(&it.node.condition, first, second)?;
                self.go_on(first, span)?;
                self.condition(&it.node.then_expression, yes, no)?;
                self.go_on(second, span)?;
                return self.condition(&it.node.else_expression, yes, no);
            }
            Expression::Call(call) => {
                if let Some(expected) = super::call::expected(&call.node) {
                    return self.condition(expected, yes, no);
                }
            }
            _ => {}
        }
        let condition = self.expression(expression)?;
        if !condition.ty.is_scalar() {
            return self.problem(span, "a condition that is no number or pointer");
        }
        // The address of a variable or function is never null.
        let known = match &condition.kind {
            ExprKind::Int(value) => Some(*value != 0),
            ExprKind::String(_) | ExprKind::Function(_) => Some(true),
            _ => condition.constant().map(|value| value != 0),
        };
        if let Some(known) = known {
            return self.jump(if known { yes } else { no }, span);
        }
        let from = self.body(span)?.current;
        for (to, holds) in [(yes, true), (no, false)] {
            self.go_on(from, span)?;
            let condition = condition.clone();
            self.edge_to(to, Action::Guard { condition, holds }, span)?;
        }
        Ok(())
    }

    /// The value, 0 or 1, of `&&` or `||`.
    pub(super) fn truth(&mut self, expression: &Node<Expression>) -> Lowered<Expr> {
        let span = expression.span;
        if self.body.is_none() {
            return self.constant_truth(expression);
        }
        let (yes, no, join) = (self.node(span)?, self.node(span)?, self.node(span)?);
        self.condition(expression, yes, no)?;
        let result = self.temporary(Type::INT, span)?;
        for (from, value) in [(yes, 1), (no, 0)] {
            self.go_on(from, span)?;
            let (target, value) = (result.clone(), Expr::int(value, IntType::INT));
            self.edge_to(join, Action::Assign { target, value }, span)?;
        }
        Ok(Expr::load(result))
    }

    fn constant_truth(&mut self, expression: &Node<Expression>) -> Lowered<Expr> {
        let Expression::BinaryOperator(binary) = &expression.node else {
            return self.problem(expression.span, "not a constant");
        };
        let left = self.constant_value(&binary.node.lhs)? != 0;
        let and = binary.node.operator.node == BinaryOperator::LogicalAnd;
        let value = if left == and { self.constant_value(&binary.node.rhs)? != 0 } else { left };
        Ok(Expr::int(value.into(), IntType::INT))
    }
}
