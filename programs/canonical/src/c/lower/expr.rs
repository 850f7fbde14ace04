//! Lowers expressions to values. Effects become edges, from left to right.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, BlockItem, ConditionalExpression, Expression,
    GenericAssociation, GenericSelection, OffsetMember, Statement, UnaryOperator,
    UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};

use super::operator::{has_effects, is_assignment, plain};
use super::symbols::Symbol;
use super::types::decayed;
use super::{Lowered, Lowerer};
use crate::model::{
    Binary, Effect, Expr, ExprKind, FunctionId, IntType, LvalueBase, NodeId, Type, Unary,
};

impl Lowerer<'_> {
    /// Lowers an expression for its value.
    pub(super) fn expression(&mut self, expression: &Node<Expression>) -> Lowered<Expr> {
        let span = expression.span;
        match &expression.node {
            Expression::Identifier(name) => self.name(&name.node.name, expression),
            Expression::Constant(literal) => self.literal(literal),
            Expression::StringLiteral(literal) => self.string(literal),
            Expression::GenericSelection(selection) => {
                let chosen = self.generic(&selection.node, span)?;
                self.expression(chosen)
            }
            Expression::Member(_) | Expression::CompoundLiteral(_) => {
                let lvalue = self.lvalue(expression)?;
                Ok(self.load(lvalue))
            }
            Expression::Call(call) => self.call(call, span, true),
            Expression::SizeOfTy(name) => {
                let ty = self.type_name(&name.node.0)?;
                self.size_of(&ty, span)
            }
            Expression::SizeOfVal(value) => self.size_of_value(&value.node.0, span),
            Expression::AlignOf(name) => {
                let ty = self.type_name(&name.node.0)?;
                Ok(Expr::int(self.program.align(&ty).into(), IntType::SIZE))
            }
            Expression::UnaryOperator(unary) => self.unary(&unary.node, expression),
            Expression::Cast(cast) => {
                let ty = self.type_name(&cast.node.type_name)?;
                let value = self.expression(&cast.node.expression)?;
                self.convert(value, &ty, span)
            }
            Expression::BinaryOperator(binary) => self.binary(&binary.node, expression),
            Expression::Conditional(conditional) => self.conditional(&conditional.node, span),
            Expression::Comma(list) => {
                let Some((last, first)) = list.split_last() else {
                    return self.problem(span, "an empty list");
                };
                for effect in first {
                    self.effect(effect)?;
                }
                self.expression(last)
            }
            Expression::OffsetOf(of) => {
                let ty = self.type_name(&of.node.type_name)?;
                let designator = &of.node.designator.node;
                let varies = |member: &Node<OffsetMember>| match &member.node {
                    OffsetMember::Index(index) => !matches!(index.node, Expression::Constant(_)),
                    _ => false,
                };
                if designator.members.iter().any(varies) {
                    let why = "`offsetof` of an element whose index is not a number";
                    self.remark(self.place(span), why, Effect::Unsound);
                }
                self.offset_of(ty, &designator.base.node.name, &designator.members, span)
            }
            Expression::VaArg(argument) => {
                let list = self.expression(&argument.node.va_list)?;
                let ty = self.type_name(&argument.node.type_name)?;
                self.builtin_call("__builtin_va_arg", vec![list], Some(ty), span)
            }
            Expression::Statement(statement) => self.statement_expression(statement),
        }
    }

    /// Returns the type of an expression that is not evaluated. Arrays keep their type.
    pub(super) fn type_of(&mut self, expression: &Node<Expression>) -> Lowered<Type> {
        // In `typeof`, the grammar treats the name of a type as a variable.
        if let Expression::Identifier(name) = &expression.node
            && let Some(Symbol::Typedef(ty)) = self.look_up(&name.node.name)
        {
            return Ok(ty.clone());
        }
        self.without_effects(|this| {
            let place = matches!(
                &expression.node,
                Expression::Identifier(_)
                    | Expression::Member(_)
                    | Expression::StringLiteral(_)
                    | Expression::CompoundLiteral(_)
                    | Expression::UnaryOperator(_)
                    | Expression::BinaryOperator(_)
            );
            let operator = match &expression.node {
                Expression::UnaryOperator(unary) => {
                    unary.node.operator.node == UnaryOperator::Indirection
                }
                Expression::BinaryOperator(binary) => {
                    binary.node.operator.node == BinaryOperator::Index
                }
                Expression::Identifier(name) => {
                    matches!(this.look_up(&name.node.name), Some(Symbol::Variable(_)))
                }
                _ => true,
            };
            if place && operator {
                return Ok(this.lvalue(expression)?.ty);
            }
            Ok(this.expression(expression)?.ty)
        })
    }

    /// The address of a function that is defined.
    pub(super) fn function_value(&self, id: FunctionId) -> Expr {
        let ty = self.program.function(id).ty.clone();
        let ty = Type::Function(Box::new(ty)).pointer();
        Expr { kind: ExprKind::Function(id), ty }
    }

    fn name(&mut self, name: &str, expression: &Node<Expression>) -> Lowered<Expr> {
        match self.look_up(name) {
            Some(Symbol::Constant(value)) => {
                let value = *value;
                let ty = if IntType::INT.contains(value) { IntType::INT } else { IntType::LONG };
                Ok(Expr::int(ty.convert(value), ty))
            }
            Some(Symbol::Function(id)) => {
                let id = *id;
                let value = self.function_value(id);
                let function = self.program.function(id);
                // The address may be null.
                let open = function.weak && function.body.is_none();
                Ok(if open { Expr::unknown(value.ty) } else { value })
            }
            None if name.starts_with(super::super::chunk::LABEL_ADDRESS) => {
                self.label_address(name, expression.span)
            }
            _ => {
                let lvalue = self.lvalue(expression)?;
                Ok(self.load(lvalue))
            }
        }
    }

    fn generic<'g>(
        &mut self,
        selection: &'g GenericSelection,
        span: Span,
    ) -> Lowered<&'g Node<Expression>> {
        let ty = decayed(self.type_of(&selection.expression)?);
        let mut otherwise = None;
        for association in &selection.associations {
            match &association.node {
                GenericAssociation::Default(expression) => otherwise = Some(&**expression),
                GenericAssociation::Type(one) => {
                    if self.type_name(&one.node.type_name)? != ty {
                        continue;
                    }
                    // The characters of a string have no qualifiers.
                    let literal = matches!(selection.expression.node, Expression::StringLiteral(_));
                    if matches!(ty, Type::Pointer(_)) && !literal {
                        let why = "a selection by a pointer, whose qualifiers are not followed";
                        return self.problem(span, why);
                    }
                    return Ok(&one.node.expression);
                }
            }
        }
        match otherwise {
            Some(expression) => Ok(expression),
            None => self.problem(span, "no association of the selection fits"),
        }
    }

    fn size_of(&mut self, ty: &Type, span: Span) -> Lowered<Expr> {
        match self.program.size(ty) {
            Some(size) => Ok(Expr::int(size.into(), IntType::SIZE)),
            // In GNU C, this is 1.
            None if matches!(ty, Type::Void | Type::Function(_)) => Ok(Expr::int(1, IntType::SIZE)),
            None => self.problem(span, "the size of a type that is not complete"),
        }
    }

    fn size_of_value(&mut self, value: &Node<Expression>, span: Span) -> Lowered<Expr> {
        if let (Expression::Identifier(name), Some(body)) = (&value.node, &self.body)
            && let Some(Symbol::Variable(id)) = self.look_up(&name.node.name)
            && let Some(size) = body.sizes.get(id)
        {
            return Ok(size.clone());
        }
        // In GNU C, the size of a function is 1. Elsewhere, a function is converted to a pointer.
        if let Expression::Identifier(name) = &value.node
            && let Some(Symbol::Function(_)) = self.look_up(&name.node.name)
        {
            return Ok(Expr::int(1, IntType::SIZE));
        }
        let ty = self.type_of(value)?;
        self.size_of(&ty, span)
    }

    fn unary(
        &mut self,
        unary: &UnaryOperatorExpression,
        expression: &Node<Expression>,
    ) -> Lowered<Expr> {
        let (operand, span) = (&*unary.operand, expression.span);
        let operator = match unary.operator.node {
            UnaryOperator::PostIncrement => return self.step(operand, Binary::Add, true, span),
            UnaryOperator::PostDecrement => {
                return self.step(operand, Binary::Subtract, true, span);
            }
            UnaryOperator::PreIncrement => return self.step(operand, Binary::Add, false, span),
            UnaryOperator::PreDecrement => {
                return self.step(operand, Binary::Subtract, false, span);
            }
            UnaryOperator::Address => return self.address_of(operand),
            UnaryOperator::Indirection => {
                let pointer = self.expression(operand)?;
                // Dereferencing a function gives the function itself.
                if let ExprKind::Function(_) = pointer.kind {
                    return Ok(pointer);
                }
                let lvalue = self.dereference(pointer, span)?;
                return Ok(self.load(lvalue));
            }
            UnaryOperator::Plus => None,
            UnaryOperator::Minus => Some(Unary::Minus),
            UnaryOperator::Complement => Some(Unary::Complement),
            UnaryOperator::Negate => Some(Unary::Not),
        };
        let value = self.expression(operand)?;
        match operator {
            Some(operator) => self.operate_on(operator, value, span),
            None => Ok(self.promoted(value)),
        }
    }

    fn address_of(&mut self, operand: &Node<Expression>) -> Lowered<Expr> {
        if let Expression::Identifier(name) = &operand.node
            && let Some(Symbol::Function(_)) = self.look_up(&name.node.name)
        {
            return self.expression(operand);
        }
        let lvalue = self.lvalue(operand)?;
        if self.bit_width(&lvalue).is_some() {
            return self.problem(operand.span, "the address of a bit-field");
        }
        if let (Type::Function(_), LvalueBase::Deref(pointer)) = (&lvalue.ty, &lvalue.base) {
            return Ok((**pointer).clone());
        }
        Ok(self.address(lvalue))
    }

    /// Lowers two operands, the left one first.
    pub(super) fn operands(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
    ) -> Lowered<(Expr, Expr)> {
        let begin = self.edge_count();
        let mut value = self.expression(left)?;
        if has_effects(&right.node) && self.body.is_some() {
            value = self.hold(value, left.span)?;
        }
        let middle = self.edge_count();
        let other = self.expression(right)?;
        let operands = vec![
            (begin, middle, vec![value.clone()]),
            (middle, self.edge_count(), vec![other.clone()]),
        ];
        self.unsequenced(operands, None, left.span);
        Ok((value, other))
    }

    fn binary(
        &mut self,
        binary: &BinaryOperatorExpression,
        expression: &Node<Expression>,
    ) -> Lowered<Expr> {
        let span = expression.span;
        let operator = match &binary.operator.node {
            BinaryOperator::Index => {
                let lvalue = self.lvalue(expression)?;
                return Ok(self.load(lvalue));
            }
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                return self.truth(expression);
            }
            other => match plain(other) {
                Some(operator) => operator,
                None => return self.assignment(binary, span, true),
            },
        };
        let (left, right) = self.operands(&binary.lhs, &binary.rhs)?;
        self.operate(operator, left, right, span)
    }

    fn conditional(&mut self, it: &ConditionalExpression, span: Span) -> Lowered<Expr> {
        if self.body.is_none() {
            let condition = self.constant_value(&it.condition)?;
            let yes = self.expression(&it.then_expression)?;
            let no = self.expression(&it.else_expression)?;
            let ty = self.common_type(&yes, &no, span)?;
            return self.convert(if condition != 0 { yes } else { no }, &ty, span);
        }
        let (yes, no) = (self.node(span)?, self.node(span)?);
        self.condition(&it.condition, yes, no)?;
        let (first, after_first) = self.branch(yes, &it.then_expression)?;
        let (second, after_second) = self.branch(no, &it.else_expression)?;
        let ty = self.common_type(&first, &second, span)?;
        let join = self.node(span)?;
        if ty == Type::Void {
            for after in [after_first, after_second] {
                self.go_on(after, span)?;
                self.jump(join, span)?;
            }
            return Ok(Expr { kind: ExprKind::Zero, ty });
        }
        let result = self.temporary(ty.clone(), span)?;
        for (value, after, at) in [
            (first, after_first, it.then_expression.span),
            (second, after_second, it.else_expression.span),
        ] {
            self.go_on(after, span)?;
            let value = self.convert(value, &ty, at)?;
            let target = result.clone();
            self.edge_to(join, crate::model::Action::Assign { target, value }, at)?;
        }
        Ok(Expr::load(result))
    }

    /// Lowers an expression that begins at a node; returns its value and the node after it.
    fn branch(&mut self, from: NodeId, value: &Node<Expression>) -> Lowered<(Expr, NodeId)> {
        self.go_on(from, value.span)?;
        let expr = self.expression(value)?;
        let after = self.body(value.span)?.current;
        Ok((expr, after))
    }

    /// The type of `?:` (C11, 6.5.15).
    fn common_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Lowered<Type> {
        let null = |e: &Expr| e.constant() == Some(0);
        let void = |ty: &Type| matches!(ty, Type::Pointer(to) if **to == Type::Void);
        match (&a.ty, &b.ty) {
            (x, y) if x == y => Ok(x.clone()),
            (Type::Void, _) | (_, Type::Void) => Ok(Type::Void),
            (Type::Pointer(_), Type::Int(_)) => Ok(a.ty.clone()),
            (Type::Int(_), Type::Pointer(_)) => Ok(b.ty.clone()),
            (Type::Pointer(_), Type::Pointer(_)) => {
                let second = null(a) || void(&b.ty) && !null(b);
                Ok(if second { b.ty.clone() } else { a.ty.clone() })
            }
            (Type::Composite(_), Type::Composite(_)) => Ok(a.ty.clone()),
            _ => {
                // The type to which an arithmetic operator would convert both.
                let (x, y) = (Expr::unknown(a.ty.clone()), Expr::unknown(b.ty.clone()));
                Ok(self.operate(Binary::Add, x, y, span)?.ty)
            }
        }
    }

    fn statement_expression(&mut self, statement: &Node<Statement>) -> Lowered<Expr> {
        let Statement::Compound(items) = &statement.node else {
            return self.problem(statement.span, "a statement as an expression");
        };
        self.body(statement.span)?;
        self.scopes.push(super::Scope::default());
        let result = self.last_value(items);
        self.scopes.pop();
        result
    }

    fn last_value(&mut self, items: &[Node<BlockItem>]) -> Lowered<Expr> {
        let nothing = Expr { kind: ExprKind::Zero, ty: Type::Void };
        let Some((last, first)) = items.split_last() else { return Ok(nothing) };
        for item in first {
            self.block_item(item)?;
        }
        if let BlockItem::Statement(statement) = &last.node
            && let Statement::Expression(Some(value)) = &statement.node
        {
            let value = self.expression(value)?;
            if value.ty == Type::Void {
                return Ok(value);
            }
            // The lifetime of the block's variables ends here.
            return self.hold(value, last.span);
        }
        self.block_item(last)?;
        Ok(nothing)
    }

    /// Lowers an expression for its effects.
    pub(super) fn effect(&mut self, expression: &Node<Expression>) -> Lowered<()> {
        let span = expression.span;
        match &expression.node {
            Expression::Call(call) => self.call(call, span, false).map(|_| ()),
            Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.assignment(&binary.node, span, false).map(|_| ())
            }
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => {
                    self.step_only(&unary.node.operand, Binary::Add, span)
                }
                UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => {
                    self.step_only(&unary.node.operand, Binary::Subtract, span)
                }
                _ => self.expression(expression).map(|_| ()),
            },
            Expression::Comma(list) => list.iter().try_for_each(|one| self.effect(one)),
            Expression::Cast(cast) => {
                self.type_name(&cast.node.type_name)?;
                self.effect(&cast.node.expression)
            }
            Expression::Conditional(it) => {
                let (yes, no, join) = (self.node(span)?, self.node(span)?, self.node(span)?);
                self.condition(&it.node.condition, yes, no)?;
                for (from, one) in [(yes, &it.node.then_expression), (no, &it.node.else_expression)]
                {
                    self.go_on(from, span)?;
                    self.effect(one)?;
                    self.jump(join, span)?;
                }
                Ok(())
            }
            _ => self.expression(expression).map(|_| ()),
        }
    }
}
