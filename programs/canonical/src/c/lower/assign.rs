//! Assignments, and `++` and `--`.

use lang_c::ast::{BinaryOperatorExpression, Expression};
use lang_c::span::{Node, Span};

use super::operator::{compound, has_effects};
use super::{Lowered, Lowerer, order};
use crate::model::{Binary, Expr, IntType, Lvalue, LvalueBase, Projection, Type};

impl Lowerer<'_> {
    /// Lowers an assignment. Its value is that of the left side afterwards.
    pub(super) fn assignment(
        &mut self,
        binary: &BinaryOperatorExpression,
        span: Span,
        used: bool,
    ) -> Lowered<Expr> {
        self.body(span)?;
        let (left, right) = (&*binary.lhs, &*binary.rhs);
        let operator = compound(&binary.operator.node);
        let begin = self.edge_count();
        if let (None, Expression::Call(call)) = (operator, &right.node)
            && !has_effects(&left.node)
            && let Some(prepared) = self.prepare(call, right.span)?
        {
            let target = self.lvalue(left)?;
            let direct = prepared.result == target.ty && self.bit_width(&target).is_none();
            let value = match direct && is_stable(&target) | !used {
                true => {
                    self.emit_call(prepared, Some(target.clone()), span)?;
                    None
                }
                false => Some(self.call_value(prepared, right.span)?),
            };
            let middle = self.edge_count();
            let operands =
                vec![(begin, middle, Vec::new()), (middle, middle, order::inside(&target))];
            // The store follows the call, and therefore all of its arguments.
            self.unsequenced(operands, value.is_none().then_some(&target), span);
            return match value {
                None => Ok(self.load(target)),
                Some(value) => self.store(target, value, used, span),
            };
        }
        let mut value = self.expression(right)?;
        if has_effects(&left.node) {
            value = self.hold(value, right.span)?;
        }
        let middle = self.edge_count();
        let target = self.lvalue(left)?;
        let mut read = order::inside(&target);
        let mut stored = value.clone();
        if let Some(operator) = operator {
            let before = self.load(target.clone());
            read.push(before.clone());
            stored = self.operate(operator, before, stored, span)?;
        }
        let operands = vec![(begin, middle, vec![value]), (middle, self.edge_count(), read)];
        self.unsequenced(operands, Some(&target), span);
        self.store(target, stored, used, span)
    }

    /// Stores a value; returns the value of the assignment.
    pub(super) fn store(
        &mut self,
        target: Lvalue,
        value: Expr,
        used: bool,
        span: Span,
    ) -> Lowered<Expr> {
        if matches!(target.ty, Type::Array(..) | Type::Function(_)) {
            return self.problem(span, "an assignment to an array or a function");
        }
        let mut value = self.convert(value, &target.ty, span)?;
        let reload = is_stable(&target) || self.bit_width(&target).is_some();
        if used && !reload {
            value = self.hold(value, span)?;
        }
        self.assign(target.clone(), value.clone(), span)?;
        Ok(if reload { Expr::load(target) } else { value })
    }

    /// Lowers `++` or `--` for its value.
    pub(super) fn step(
        &mut self,
        operand: &Node<Expression>,
        operator: Binary,
        post: bool,
        span: Span,
    ) -> Lowered<Expr> {
        self.body(span)?;
        let target = self.lvalue(operand)?;
        let before = self.load(target.clone());
        let one = Expr::int(1, IntType::INT);
        if !post {
            let after = self.operate(operator, before, one, span)?;
            return self.store(target, after, true, span);
        }
        let before = self.hold(before, operand.span)?;
        let after = self.operate(operator, Expr::load(target.clone()), one, span)?;
        self.store(target, after, false, span)?;
        Ok(before)
    }

    /// Lowers `++` or `--` for its effect.
    pub(super) fn step_only(
        &mut self,
        operand: &Node<Expression>,
        operator: Binary,
        span: Span,
    ) -> Lowered<()> {
        let target = self.lvalue(operand)?;
        let before = self.load(target.clone());
        let after = self.operate(operator, before, Expr::int(1, IntType::INT), span)?;
        self.store(target, after, false, span).map(|_| ())
    }
}

/// Returns true if the lvalue names the same part of memory whatever is assigned.
fn is_stable(lvalue: &Lvalue) -> bool {
    let constant = |step: &Projection| match step {
        Projection::Field(..) => true,
        Projection::Index(index) => index.constant().is_some(),
    };
    matches!(lvalue.base, LvalueBase::Variable(_)) && lvalue.path.iter().all(constant)
}
