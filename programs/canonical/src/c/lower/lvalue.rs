//! Lowers lvalues: variables, elements, fields, and targets of pointers.

use lang_c::ast::{
    BinaryOperator, Expression, MemberExpression, MemberOperator, OffsetMember, UnaryOperator,
};
use lang_c::span::{Node, Span};

use super::symbols::Symbol;
use super::types::decayed;
use super::{Lowered, Lowerer};
use crate::fold;
use crate::model::{
    Binary, CompositeId, Expr, ExprKind, IntType, Lvalue, LvalueBase, Projection, Storage, Type,
};

impl Lowerer<'_> {
    /// Lowers an expression that designates a part of memory.
    pub(super) fn lvalue(&mut self, expression: &Node<Expression>) -> Lowered<Lvalue> {
        let span = expression.span;
        match &expression.node {
            Expression::Identifier(name) => match self.look_up(&name.node.name) {
                Some(Symbol::Variable(id)) => {
                    let id = *id;
                    Ok(Lvalue::variable(id, self.program.variable(id).ty.clone()))
                }
                Some(_) => self.problem(span, format!("`{}` is no variable", name.node.name)),
                None => self.problem(span, format!("`{}` is not declared", name.node.name)),
            },
            Expression::Member(member) => self.member(member),
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                let pointer = self.expression(&unary.node.operand)?;
                self.dereference(pointer, span)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let (array, index) = self.operands(&binary.node.lhs, &binary.node.rhs)?;
                self.element(array, index, span)
            }
            Expression::CompoundLiteral(literal) => {
                let ty = self.type_name(&literal.node.type_name)?;
                self.compound_literal(ty, &literal.node.initializer_list, span)
            }
            Expression::StringLiteral(literal) => {
                let first = self.string(literal)?;
                let ExprKind::String(id) = first.kind else {
                    return self.problem(span, "a string that is no string");
                };
                let element = first.ty.element().cloned().unwrap_or(Type::INT);
                let size = self.program.size(&element).unwrap_or(1);
                let count = self.program.string(id).len() as u64 / size;
                let ty = Type::Array(Box::new(element), Some(count));
                Ok(Lvalue { base: LvalueBase::Deref(Box::new(first)), path: Vec::new(), ty })
            }
            _ => {
                let value = self.expression(expression)?;
                match value.kind {
                    ExprKind::Load(lvalue) => Ok(*lvalue),
                    _ if matches!(value.ty, Type::Composite(_)) => {
                        let place = self.temporary(value.ty.clone(), span)?;
                        self.assign(place.clone(), value, span)?;
                        Ok(place)
                    }
                    _ => self.problem(span, "a value that is in no place"),
                }
            }
        }
    }

    /// The object to which a pointer points.
    pub(super) fn dereference(&mut self, pointer: Expr, span: Span) -> Lowered<Lvalue> {
        let Type::Pointer(to) = &pointer.ty else {
            return self.problem(span, "a dereference of something that is no pointer");
        };
        let to = (**to).clone();
        match pointer.kind {
            ExprKind::AddressOf(lvalue) if lvalue.ty == to => Ok(*lvalue),
            _ => {
                Ok(Lvalue { base: LvalueBase::Deref(Box::new(pointer)), path: Vec::new(), ty: to })
            }
        }
    }

    fn element(&mut self, array: Expr, index: Expr, span: Span) -> Lowered<Lvalue> {
        let (pointer, index) =
            if array.ty.int().is_some() { (index, array) } else { (array, index) };
        if !matches!(pointer.ty, Type::Pointer(_)) || index.ty.int().is_none() {
            return self.problem(span, "an index of something that is no array");
        }
        let pointer = self.operate(Binary::Add, pointer, index, span)?;
        self.dereference(pointer, span)
    }

    fn member(&mut self, member: &Node<MemberExpression>) -> Lowered<Lvalue> {
        let member = &member.node;
        let object = match member.operator.node {
            MemberOperator::Direct => self.lvalue(&member.expression)?,
            MemberOperator::Indirect => {
                let pointer = self.expression(&member.expression)?;
                self.dereference(pointer, member.expression.span)?
            }
        };
        self.field(object, &member.identifier.node.name, member.identifier.span)
    }

    /// Returns the field of an object, which may be in an unnamed inner struct.
    pub(super) fn field(&mut self, object: Lvalue, name: &str, span: Span) -> Lowered<Lvalue> {
        let Type::Composite(id) = object.ty else {
            return self.problem(span, format!("`{name}` of something that has no fields"));
        };
        let Some((path, ty)) = self.find_field(id, name) else {
            return self.problem(span, format!("no field is called `{name}`"));
        };
        let mut object = object;
        object.path.extend(path);
        object.ty = ty;
        Ok(object)
    }

    fn find_field(&self, id: CompositeId, name: &str) -> Option<(Vec<Projection>, Type)> {
        let fields = &self.composite(id).fields;
        let step = |k: usize| u32::try_from(k).ok().map(|k| Projection::Field(id, k));
        if let Some(k) = fields.iter().position(|field| field.name == name) {
            return Some((vec![step(k)?], fields[k].ty.clone()));
        }
        fields.iter().enumerate().find_map(|(k, field)| match field.ty {
            Type::Composite(inner) if field.name.is_empty() => {
                let (rest, ty) = self.find_field(inner, name)?;
                Some((step(k).into_iter().chain(rest).collect(), ty))
            }
            _ => None,
        })
    }

    /// Returns the value of an lvalue. The value of an array is the address of its first element.
    pub(super) fn load(&mut self, lvalue: Lvalue) -> Expr {
        match &lvalue.ty {
            Type::Array(element, _) => {
                let element = (**element).clone();
                let mut first = lvalue;
                first.path.push(Projection::Index(Expr::int(0, IntType::INT)));
                first.ty = element;
                // A string is the address of its first character.
                if let (LvalueBase::Deref(pointer), 1) = (&first.base, first.path.len())
                    && matches!(pointer.kind, ExprKind::String(_))
                {
                    return (**pointer).clone();
                }
                Expr::address(first)
            }
            Type::Function(_) => {
                let ty = decayed(lvalue.ty.clone());
                match lvalue.base {
                    LvalueBase::Deref(pointer) if lvalue.path.is_empty() => *pointer,
                    _ => Expr::unknown(ty),
                }
            }
            _ => Expr::load(lvalue),
        }
    }

    /// The address of an lvalue.
    pub(super) fn address(&mut self, lvalue: Lvalue) -> Expr {
        let ty = lvalue.ty.clone().pointer();
        if let LvalueBase::Deref(pointer) = &lvalue.base {
            if lvalue.path.is_empty() {
                return Expr { ty, ..(**pointer).clone() };
            }
            // `&((struct s *)0)->field`, the offset of a field.
            if let (Some(base), Some(offset)) = (pointer.constant(), self.offset(&lvalue.path)) {
                let number = Expr::int(IntType::SIZE.convert(base + offset), IntType::SIZE);
                return fold::cast(number, ty);
            }
        }
        Expr::address(lvalue)
    }

    /// The offset of a path in bytes, if its indices are constants.
    fn offset(&self, path: &[Projection]) -> Option<i128> {
        let mut offset = 0i128;
        let mut element: Option<Type> = None;
        for step in path {
            match step {
                Projection::Field(id, field) => {
                    let field = &self.composite(*id).fields[*field as usize];
                    offset += i128::from(field.offset);
                    element = Some(field.ty.clone());
                }
                Projection::Index(index) => {
                    let inner = element.as_ref()?.element()?.clone();
                    let size = i128::from(self.program.size(&inner)?);
                    offset += index.constant()?.checked_mul(size)?;
                    element = Some(inner);
                }
            }
        }
        Some(offset)
    }

    /// The offset of a member, of `offsetof`.
    pub(super) fn offset_of(
        &mut self,
        ty: Type,
        base: &str,
        members: &[Node<OffsetMember>],
        span: Span,
    ) -> Lowered<Expr> {
        let zero = Expr::int(0, IntType::SIZE).cast(ty.clone().pointer());
        let object = Lvalue { base: LvalueBase::Deref(Box::new(zero)), path: Vec::new(), ty };
        let mut part = self.field(object, base, span)?;
        for member in members {
            part = match &member.node {
                OffsetMember::Member(name) | OffsetMember::IndirectMember(name) => {
                    self.field(part, &name.node.name, name.span)?
                }
                OffsetMember::Index(index) => {
                    let index = self.expression(index)?;
                    let Some(element) = part.ty.element().cloned() else {
                        return self.problem(span, "an index of something that is no array");
                    };
                    part.path.push(Projection::Index(index));
                    Lvalue { ty: element, ..part }
                }
            };
        }
        let address = self.address(part);
        self.convert(address, &Type::Int(IntType::SIZE), span)
    }

    /// A variable for a compound literal, with its initializer.
    fn compound_literal(
        &mut self,
        ty: Type,
        list: &[Node<lang_c::ast::InitializerListItem>],
        span: Span,
    ) -> Lowered<Lvalue> {
        if self.body.is_none() {
            return self.static_literal(ty, list, span);
        }
        let number = self.program.variables.len();
        let variable = self.local(format!("%literal{number}"), ty, Storage::Local, span)?;
        let (values, ty) = self.list_values(variable.clone(), list)?;
        let variable = Lvalue { ty: ty.clone(), ..variable };
        if let Some(id) = variable.whole_variable() {
            self.program.variables[id.index()].ty = ty;
        }
        self.assign_all(variable.clone(), values, span)?;
        Ok(variable)
    }
}
