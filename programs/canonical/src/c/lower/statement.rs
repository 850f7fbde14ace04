//! Statements.

use lang_c::ast::{
    AsmStatement, BlockItem, DoWhileStatement, Expression, ForInitializer, ForStatement,
    IfStatement, Label, LabeledStatement, Statement, SwitchStatement, WhileStatement,
};
use lang_c::span::{Node, Span};

use super::super::chunk::{COMPUTED, LABEL_ADDRESS};
use super::operator::has_effects;
use super::{Lowered, Lowerer, Scope, Switch};
use crate::fold;
use crate::model::{Action, Binary, Effect, Expr, ExprKind, IntType, NodeId, Type, Unary};

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, statement: &Node<Statement>) -> Lowered<()> {
        let span = statement.span;
        match &statement.node {
            Statement::Labeled(labeled) => self.labeled(labeled),
            Statement::Compound(items) => {
                self.scopes.push(Scope::default());
                let result = items.iter().try_for_each(|item| self.block_item(item));
                self.scopes.pop();
                result
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(expression)) => self.effect(expression),
            Statement::If(it) => self.if_statement(it),
            Statement::Switch(it) => self.switch(it),
            Statement::While(it) => self.while_statement(it),
            Statement::DoWhile(it) => self.do_while(it),
            Statement::For(it) => {
                self.scopes.push(Scope::default());
                let result = self.for_statement(it);
                self.scopes.pop();
                result
            }
            Statement::Goto(label) if label.node.name == COMPUTED => {
                let body = self.body(span)?;
                body.computed.push(body.current);
                self.unreachable(span)
            }
            Statement::Goto(label) => {
                let place = self.place(span);
                let to = self.label(&label.node.name, span)?;
                self.body(span)?.wanted.push((label.node.name.clone(), place));
                self.jump(to, span)?;
                self.unreachable(span)
            }
            Statement::Continue => {
                let to = self.body(span)?.continues.last().copied();
                self.leave(to, span)
            }
            Statement::Break => {
                let to = self.body(span)?.breaks.last().copied();
                self.leave(to, span)
            }
            Statement::Return(value) => self.return_statement(value.as_deref(), span),
            Statement::Asm(assembly) => self.assembly(assembly),
        }
    }

    pub(super) fn block_item(&mut self, item: &Node<BlockItem>) -> Lowered<()> {
        match &item.node {
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::StaticAssert(_) => Ok(()),
            BlockItem::Statement(statement) => self.statement(statement),
        }
    }

    /// Continues at a new node to which no edge leads yet.
    fn unreachable(&mut self, span: Span) -> Lowered<()> {
        let node = self.node(span)?;
        self.go_on(node, span)
    }

    fn leave(&mut self, to: Option<NodeId>, span: Span) -> Lowered<()> {
        let Some(to) = to else { return self.problem(span, "a jump out of no loop") };
        self.jump(to, span)?;
        self.unreachable(span)
    }

    fn label(&mut self, name: &str, span: Span) -> Lowered<NodeId> {
        if let Some(node) = self.body(span)?.labels.get(name) {
            return Ok(*node);
        }
        let node = self.node(span)?;
        self.body(span)?.labels.insert(name.to_owned(), node);
        Ok(node)
    }

    /// Returns `&&label` as a number that differs from the numbers of other labels.
    pub(super) fn label_address(&mut self, name: &str, span: Span) -> Lowered<Expr> {
        let name = &name[LABEL_ADDRESS.len()..];
        let place = self.place(span);
        self.label(name, span)?;
        let body = self.body(span)?;
        body.wanted.push((name.to_owned(), place));
        if !body.addressed.iter().any(|known| known == name) {
            body.addressed.push(name.to_owned());
        }
        Ok(Expr::unknown(Type::Void.pointer()))
    }

    fn labeled(&mut self, labeled: &Node<LabeledStatement>) -> Lowered<()> {
        let label = &labeled.node.label;
        let span = label.span;
        let node = match &label.node {
            Label::Identifier(name) => {
                let node = self.label(&name.node.name, span)?;
                self.body(span)?.defined.push(name.node.name.clone());
                node
            }
            _ => self.node(span)?,
        };
        let range = match &label.node {
            Label::Case(value) => {
                let value = self.constant_value(value)?;
                Some((value, value))
            }
            Label::CaseRange(range) => {
                let low = self.constant_value(&range.node.low)?;
                Some((low, self.constant_value(&range.node.high)?))
            }
            _ => None,
        };
        let case = !matches!(label.node, Label::Identifier(_));
        let inside = self.body(span)?.switches.last_mut();
        match (inside, range) {
            (Some(switch), Some((low, high))) => {
                let int = switch.value.ty.int().unwrap_or(IntType::INT);
                switch.cases.push((int.convert(low), int.convert(high), node, span));
            }
            (Some(switch), None) if case => switch.default = Some((node, span)),
            (None, _) if case => return self.problem(span, "a case outside of a switch"),
            _ => {}
        }
        self.jump(node, span)?;
        self.statement(&labeled.node.statement)
    }

    fn if_statement(&mut self, it: &Node<IfStatement>) -> Lowered<()> {
        let span = it.span;
        let (yes, no) = (self.node(span)?, self.node(span)?);
        self.condition(&it.node.condition, yes, no)?;
        self.go_on(yes, span)?;
        self.statement(&it.node.then_statement)?;
        let Some(otherwise) = &it.node.else_statement else { return self.jump(no, span) };
        let join = self.node(span)?;
        self.jump(join, span)?;
        self.go_on(no, span)?;
        self.statement(otherwise)?;
        self.jump(join, span)
    }

    /// Lowers the body of a loop or switch; `break` leads to `out`, `continue` to `next`.
    fn inside(
        &mut self,
        statement: &Node<Statement>,
        out: NodeId,
        next: Option<NodeId>,
    ) -> Lowered<()> {
        let span = statement.span;
        let body = self.body(span)?;
        body.breaks.push(out);
        body.continues.extend(next);
        self.statement(statement)?;
        let body = self.body(span)?;
        body.breaks.pop();
        if next.is_some() {
            body.continues.pop();
        }
        Ok(())
    }

    fn while_statement(&mut self, it: &Node<WhileStatement>) -> Lowered<()> {
        let span = it.span;
        let (head, body, out) = (self.node(span)?, self.node(span)?, self.node(span)?);
        self.jump(head, span)?;
        self.condition(&it.node.expression, body, out)?;
        self.go_on(body, span)?;
        self.inside(&it.node.statement, out, Some(head))?;
        self.jump(head, span)?;
        self.go_on(out, span)
    }

    fn do_while(&mut self, it: &Node<DoWhileStatement>) -> Lowered<()> {
        let span = it.span;
        let (body, test, out) = (self.node(span)?, self.node(span)?, self.node(span)?);
        self.jump(body, span)?;
        self.inside(&it.node.statement, out, Some(test))?;
        self.jump(test, span)?;
        self.condition(&it.node.expression, body, out)?;
        self.go_on(out, span)
    }

    fn for_statement(&mut self, it: &Node<ForStatement>) -> Lowered<()> {
        let span = it.span;
        match &it.node.initializer.node {
            ForInitializer::Expression(expression) => self.effect(expression)?,
            ForInitializer::Declaration(declaration) => self.declaration(declaration)?,
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
        }
        let (head, body, step, out) =
            (self.node(span)?, self.node(span)?, self.node(span)?, self.node(span)?);
        self.jump(head, span)?;
        match &it.node.condition {
            Some(condition) => self.condition(condition, body, out)?,
            None => self.jump(body, span)?,
        }
        self.go_on(body, span)?;
        self.inside(&it.node.statement, out, Some(step))?;
        self.jump(step, span)?;
        if let Some(effect) = &it.node.step {
            self.effect(effect)?;
        }
        self.jump(head, span)?;
        self.go_on(out, span)
    }

    fn switch(&mut self, it: &Node<SwitchStatement>) -> Lowered<()> {
        let span = it.node.expression.span;
        let value = self.expression(&it.node.expression)?;
        let value = self.promoted(value);
        if value.ty.int().is_none() {
            return self.problem(span, "a switch over something that is no integer");
        }
        let simple = match &value.kind {
            ExprKind::Load(lvalue) => lvalue.whole_variable().is_some(),
            _ => false,
        };
        let value = if simple { value } else { self.hold(value, span)? };
        let (start, out) = (self.node(span)?, self.node(span)?);
        let body = self.body(span)?;
        let head = body.current;
        body.switches.push(Switch { head, value, cases: Vec::new(), default: None });
        self.go_on(start, span)?;
        self.inside(&it.node.statement, out, None)?;
        self.jump(out, span)?;
        if let Some(switch) = self.body(span)?.switches.pop() {
            self.dispatch(switch, out, span)?;
        }
        self.go_on(out, span)
    }

    /// Adds the edges from the head of a switch to its cases.
    fn dispatch(&mut self, switch: Switch, out: NodeId, span: Span) -> Lowered<()> {
        let Switch { head, value, cases, default } = switch;
        let int = value.ty.int().unwrap_or(IntType::INT);
        let test = |operator, limit: i128| {
            let limit = Expr::int(limit, int);
            fold::binary(operator, value.clone(), limit, Type::INT)
        };
        let mut others = Vec::new();
        for (low, high, to, label) in cases {
            let condition = if low == high {
                test(Binary::Equal, low)
            } else {
                let (least, most) =
                    (test(Binary::GreaterEqual, low), test(Binary::LessEqual, high));
                fold::binary(Binary::And, least, most, Type::INT)
            };
            others.push(if low == high {
                test(Binary::NotEqual, low)
            } else {
                fold::unary(Unary::Not, condition.clone(), Type::INT)
            });
            self.go_on(head, label)?;
            self.edge_to(to, Action::Guard { condition, holds: true }, label)?;
        }
        let (to, label) = default.unwrap_or((out, span));
        self.go_on(head, label)?;
        match conjunction(others) {
            None => self.jump(to, span),
            Some(condition) => {
                self.edge_to(to, Action::Guard { condition, holds: true }, label).map(|_| ())
            }
        }
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>, span: Span) -> Lowered<()> {
        let body = self.body(span)?;
        let (ty, exit) = (body.result.clone(), body.graph.exit);
        let value = match value {
            Some(value) if ty == Type::Void => {
                self.effect(value)?;
                None
            }
            Some(value) => {
                let at = value.span;
                let value = self.expression(value)?;
                Some(self.convert(value, &ty, at)?)
            }
            None => None,
        };
        self.edge_to(exit, Action::Return(value), span)?;
        self.unreachable(span)
    }

    /// Lowers inline assembly. Its outputs may have any value. Assembly that may write other memory or jump elsewhere
    /// is not followed unless it has no instructions.
    fn assembly(&mut self, assembly: &Node<AsmStatement>) -> Lowered<()> {
        let span = assembly.span;
        let place = self.place(span);
        let empty = |text: &Node<Vec<String>>| {
            text.node.iter().all(|part| part.trim_matches('"').trim().is_empty())
        };
        let within = match &assembly.node {
            AsmStatement::GnuBasic(template) => empty(template),
            AsmStatement::GnuExtended(extended) => {
                for input in &extended.inputs {
                    if has_effects(&input.node.variable_name.node) {
                        self.expression(&input.node.variable_name)?;
                    }
                }
                for output in &extended.outputs {
                    let target = self.lvalue(&output.node.variable_name)?;
                    let value = Expr::unknown(target.ty.clone());
                    self.assign(target, value, output.span)?;
                }
                let memory = |text: &String| text.contains("memory");
                let all = extended.clobbers.iter().any(|clobber| clobber.node.iter().any(memory));
                empty(&extended.template) || !all && !extended.outputs.is_empty()
            }
        };
        if within {
            let why = "inline assembly: its outputs have any value";
            self.remark(place, why, Effect::OverApproximated);
            return Ok(());
        }
        let why = "inline assembly: what it does to memory and control is not followed";
        self.remark(place, why, Effect::Unsound);
        self.builtin_call("__asm__", Vec::new(), None, span).map(|_| ())
    }
}

/// Returns a balanced conjunction of tests, each of which is 0 or 1.
fn conjunction(mut tests: Vec<Expr>) -> Option<Expr> {
    while tests.len() > 1 {
        let mut pairs = tests.into_iter();
        let mut next = Vec::new();
        while let Some(left) = pairs.next() {
            next.push(match pairs.next() {
                Some(right) => fold::binary(Binary::And, left, right, Type::INT),
                None => left,
            });
        }
        tests = next;
    }
    tests.pop()
}
