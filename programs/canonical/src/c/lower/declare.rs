//! Declarations of variables, functions and types.

use lang_c::ast::{
    Declaration, DeclarationSpecifier, FunctionSpecifier, Identifier, InitDeclarator, Initializer,
    InitializerListItem, StorageClassSpecifier,
};
use lang_c::span::{Node, Span};

use super::symbols::Symbol;
use super::{Lowered, Lowerer, Problem};
use crate::fold;
use crate::model::{
    Binary, Effect, Expr, ExprKind, Initial, IntType, Lvalue, LvalueBase, Projection, Storage,
    Type, Variable, VariableId,
};

/// The storage class of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    None,
    Typedef,
    Extern,
    Static,
}

/// The storage class among specifiers.
pub(super) fn class(specifiers: &[Node<DeclarationSpecifier>]) -> Class {
    let mut class = Class::None;
    for specifier in specifiers {
        if let DeclarationSpecifier::StorageClass(storage) = &specifier.node {
            match storage.node {
                StorageClassSpecifier::Typedef => class = Class::Typedef,
                StorageClassSpecifier::Extern => class = Class::Extern,
                StorageClassSpecifier::Static => class = Class::Static,
                _ => {}
            }
        }
    }
    class
}

/// Returns true if `inline` is among specifiers.
pub(super) fn is_inline(specifiers: &[Node<DeclarationSpecifier>]) -> bool {
    let inline = |specifier: &Node<FunctionSpecifier>| specifier.node == FunctionSpecifier::Inline;
    specifiers.iter().any(|specifier| match &specifier.node {
        DeclarationSpecifier::Function(function) => inline(function),
        _ => false,
    })
}

impl Lowerer<'_> {
    /// Lowers a declaration, of the file or of a block.
    pub fn declaration(&mut self, declaration: &Node<Declaration>) -> Lowered<()> {
        let class = class(&declaration.node.specifiers);
        let base = self.declared(&declaration.node.specifiers, declaration.span)?;
        let inline = is_inline(&declaration.node.specifiers) && class != Class::Extern;
        for declarator in &declaration.node.declarators {
            self.declare(class, base.clone(), declarator, inline)?;
        }
        Ok(())
    }

    fn declare(
        &mut self,
        class: Class,
        base: Type,
        declarator: &Node<InitDeclarator>,
        inline: bool,
    ) -> Lowered<()> {
        self.variable_length = None;
        let (name, ty) = self.declarator(base, &declarator.node.declarator)?;
        let Some(name) = name else {
            return self.problem(declarator.span, "a declaration without a name");
        };
        let text = name.node.name.clone();
        match (class, ty) {
            (Class::Typedef, ty) => self.bind(text, Symbol::Typedef(ty)),
            (_, Type::Function(function)) => {
                let internal = class == Class::Static;
                let id = self.declare_function(&text, *function, internal, name.span);
                if !inline {
                    self.linkage.external.insert(id);
                }
                self.bind(text, Symbol::Function(id));
            }
            (class, ty) if self.body.is_none() || class != Class::None => {
                self.static_variable(class, name, ty, declarator.node.initializer.as_ref())?;
            }
            (_, ty) => self.local_variable(name, ty, declarator)?,
        }
        Ok(())
    }

    fn local_variable(
        &mut self,
        name: &Node<Identifier>,
        ty: Type,
        declarator: &Node<InitDeclarator>,
    ) -> Lowered<()> {
        let (text, span) = (name.node.name.clone(), declarator.span);
        if let (Some(count), Type::Array(element, None)) = (self.variable_length.take(), &ty) {
            return self.variable_array(name, (**element).clone(), count);
        }
        let variable = self.local(text.clone(), ty, Storage::Local, name.span)?;
        let LvalueBase::Variable(id) = variable.base else { return Ok(()) };
        self.bind(text, Symbol::Variable(id));
        let Some(initializer) = &declarator.node.initializer else { return Ok(()) };
        if let Initializer::Expression(value) = &initializer.node
            && let lang_c::ast::Expression::Call(call) = &value.node
            && let Some(prepared) = self.prepare(call, value.span)?
        {
            if prepared.result == variable.ty {
                return self.emit_call(prepared, Some(variable), span);
            }
            let value = self.call_value(prepared, value.span)?;
            return self.store(variable, value, false, span).map(|_| ());
        }
        let (values, ty) = self.initial(variable.clone(), initializer)?;
        self.program.variables[id.index()].ty = ty.clone();
        self.assign_all(Lvalue { ty, ..variable }, values, span)
    }

    /// An array whose size is not constant becomes a pointer to allocated memory.
    fn variable_array(
        &mut self,
        name: &Node<Identifier>,
        element: Type,
        count: Expr,
    ) -> Lowered<()> {
        let span = name.span;
        let Some(size) = self.program.size(&element) else {
            return self.problem(span, "an array of several sizes that are no constants");
        };
        let count = self.convert(count, &Type::Int(IntType::SIZE), span)?;
        let size = Expr::int(size.into(), IntType::SIZE);
        let bytes = fold::binary(Binary::Multiply, count, size, Type::Int(IntType::SIZE));
        let bytes = self.hold(bytes, span)?;
        let ty = element.pointer();
        let text = name.node.name.clone();
        let variable = self.local(text.clone(), ty.clone(), Storage::Local, span)?;
        let memory = self.builtin_call("__builtin_alloca", vec![bytes.clone()], Some(ty), span)?;
        if let LvalueBase::Variable(id) = variable.base {
            self.bind(text, Symbol::Variable(id));
            self.body(span)?.sizes.insert(id, bytes);
        }
        self.assign(variable, memory, span)
    }

    /// Lowers a variable of the program or the file, or a static variable of a function.
    fn static_variable(
        &mut self,
        class: Class,
        name: &Node<Identifier>,
        ty: Type,
        initializer: Option<&Node<Initializer>>,
    ) -> Lowered<()> {
        let text = name.node.name.clone();
        if let Some(at) = self.text.weak.filter(|at| !self.lexemes[*at].system) {
            let place = Some(self.lexemes[at].place);
            self.remark(place, super::super::taken::WEAK, Effect::Unsound);
        }
        let id = self.shared_variable(class, name, &ty);
        self.bind(text, Symbol::Variable(id));
        let entry = &mut self.program.variables[id.index()];
        if entry.ty.is_unsized() {
            entry.ty = ty.clone();
        }
        if class != Class::Extern && entry.initial == Initial::Unknown {
            entry.initial = Initial::Values(Vec::new());
        }
        let Some(initializer) = initializer else { return Ok(()) };
        let result = self.constantly(|this| this.initial(Lvalue::variable(id, ty), initializer));
        let unknown = match result {
            Ok((values, ty)) => {
                let constant = values.iter().all(|(_, value)| is_constant(value));
                let entry = &mut self.program.variables[id.index()];
                entry.ty = ty;
                entry.initial = if constant { Initial::Values(values) } else { Initial::Unknown };
                (!constant).then(|| Problem {
                    message: "not a constant".to_owned(),
                    place: self.place(initializer.span),
                })
            }
            Err(problem) => {
                self.program.variables[id.index()].initial = Initial::Unknown;
                Some(problem)
            }
        };
        if let Some(problem) = unknown {
            let message = format!("the initial value of `{}`: {}", name.node.name, problem.message);
            self.remark(problem.place, message, Effect::OverApproximated);
        }
        Ok(())
    }

    /// Returns the variable of a name with static storage; creates it if it does not exist.
    fn shared_variable(&mut self, class: Class, name: &Node<Identifier>, ty: &Type) -> VariableId {
        let text = &name.node.name;
        let local = self.body.is_some() && class == Class::Static;
        if !local {
            let known = match self.scopes[0].names.get(text) {
                Some(Symbol::Variable(id)) => Some(*id),
                _ if class == Class::Static => None,
                _ => self.linkage.variables.get(text).copied(),
            };
            if let Some(id) = known {
                return id;
            }
        }
        let storage = if class == Class::Static { Storage::Static } else { Storage::Global };
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: text.clone(),
            ty: ty.clone(),
            storage,
            function: None,
            initial: Initial::Unknown,
            address_taken: false,
            token: self.token(name.span),
            place: self.place(name.span),
        });
        if storage == Storage::Global {
            self.linkage.variables.insert(text.clone(), id);
        }
        if local && let Some(body) = &mut self.body {
            self.program.variables[id.index()].function = Some(body.function);
            body.locals.push(id);
        }
        id
    }

    /// Lowers something outside of functions, where effects are errors.
    fn constantly<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let body = self.body.take();
        let result = lower(self);
        self.body = body;
        result
    }

    /// A compound literal of the file: a static variable.
    pub(super) fn static_literal(
        &mut self,
        ty: Type,
        list: &[Node<InitializerListItem>],
        span: Span,
    ) -> Lowered<Lvalue> {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: format!("%literal{}", id.0),
            ty: ty.clone(),
            storage: Storage::Static,
            function: None,
            initial: Initial::Unknown,
            address_taken: false,
            token: self.token(span),
            place: self.place(span),
        });
        let (values, ty) = self.list_values(Lvalue::variable(id, ty), list)?;
        let entry = &mut self.program.variables[id.index()];
        entry.ty = ty.clone();
        if values.iter().all(|(_, value)| is_constant(value)) {
            entry.initial = Initial::Values(values);
        }
        Ok(Lvalue::variable(id, ty))
    }
}

impl Type {
    /// Returns true for an array without a size.
    fn is_unsized(&self) -> bool {
        matches!(self, Type::Array(_, None))
    }
}

/// Returns true if a value can be computed without reading memory.
fn is_constant(value: &Expr) -> bool {
    let lvalue = |lvalue: &Lvalue| {
        let base = match &lvalue.base {
            LvalueBase::Variable(_) => true,
            LvalueBase::Deref(pointer) => is_constant(pointer),
        };
        base && lvalue.path.iter().all(|step| match step {
            Projection::Field(..) => true,
            Projection::Index(index) => is_constant(index),
        })
    };
    match &value.kind {
        ExprKind::Load(_) | ExprKind::Unknown => false,
        ExprKind::AddressOf(part) => lvalue(part),
        ExprKind::Unary(_, operand) | ExprKind::Cast(operand) => is_constant(operand),
        ExprKind::Binary(_, left, right) => is_constant(left) && is_constant(right),
        _ => true,
    }
}
