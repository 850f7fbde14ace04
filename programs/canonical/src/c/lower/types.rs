//! Lowers types: specifiers and declarators, structs with their layout, and enumerations.

use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    Identifier, ParameterDeclaration, SpecifierQualifier, TS18661FloatFormat, TS18661FloatType,
    TypeName, TypeOf, TypeSpecifier,
};
use lang_c::span::{Node, Span};

use super::symbols::Symbol;
use super::{Lowered, Lowerer};
use crate::model::{Effect, ExprKind, FloatType, FunctionType, IntRank, IntType, Type};

/// The number of occurrences of each keyword of a type.
#[derive(Default)]
struct Keywords {
    long: u8,
    short: bool,
    char: bool,
    signed: bool,
    unsigned: bool,
    double: bool,
}

impl Lowerer<'_> {
    /// The type of the specifiers of a declaration.
    pub(super) fn declared(
        &mut self,
        specifiers: &[Node<DeclarationSpecifier>],
        span: Span,
    ) -> Lowered<Type> {
        for specifier in specifiers {
            match &specifier.node {
                // The rest, `_Alignas` and `_Noreturn`, are found from tokens.
                DeclarationSpecifier::StorageClass(_)
                | DeclarationSpecifier::TypeSpecifier(_)
                | DeclarationSpecifier::TypeQualifier(_)
                | DeclarationSpecifier::Function(_) => {}
                DeclarationSpecifier::Alignment(_) => {
                    let place = self.place(specifier.span);
                    self.remark(place, super::super::taken::ALIGNED, Effect::Unsound);
                }
                DeclarationSpecifier::Extension(list) => {
                    list.iter().for_each(|extension| self.extension(extension));
                }
            }
        }
        let types = specifiers.iter().filter_map(|s| match &s.node {
            DeclarationSpecifier::TypeSpecifier(ty) => Some(ty),
            _ => None,
        });
        self.base_type(types, span)
    }

    pub(super) fn qualified(
        &mut self,
        list: &[Node<SpecifierQualifier>],
        span: Span,
    ) -> Lowered<Type> {
        for specifier in list {
            if let SpecifierQualifier::Extension(list) = &specifier.node {
                list.iter().for_each(|extension| self.extension(extension));
            }
        }
        let types = list.iter().filter_map(|s| match &s.node {
            SpecifierQualifier::TypeSpecifier(ty) => Some(ty),
            SpecifierQualifier::TypeQualifier(_) | SpecifierQualifier::Extension(_) => None,
        });
        self.base_type(types, span)
    }

    /// A type name, as in casts.
    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Lowered<Type> {
        let base = self.qualified(&name.node.specifiers, name.span)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(base, declarator)?.1),
            None => Ok(base),
        }
    }

    fn base_type<'t>(
        &mut self,
        specifiers: impl Iterator<Item = &'t Node<TypeSpecifier>>,
        span: Span,
    ) -> Lowered<Type> {
        let mut words = Keywords::default();
        let mut found = None;
        for specifier in specifiers {
            match &specifier.node {
                TypeSpecifier::Void => found = Some(Type::Void),
                TypeSpecifier::Char => words.char = true,
                TypeSpecifier::Short => words.short = true,
                TypeSpecifier::Int => {}
                TypeSpecifier::Long => words.long += 1,
                TypeSpecifier::Float => found = Some(Type::Float(FloatType::Float)),
                TypeSpecifier::Double => words.double = true,
                TypeSpecifier::Signed => words.signed = true,
                TypeSpecifier::Unsigned => words.unsigned = true,
                TypeSpecifier::Bool => found = Some(Type::Int(IntType::BOOL)),
                TypeSpecifier::Complex => return self.problem(span, "complex numbers"),
                TypeSpecifier::Atomic(name) => found = Some(self.type_name(name)?),
                TypeSpecifier::Struct(composite) => found = Some(self.composite_type(composite)?),
                TypeSpecifier::Enum(list) => found = Some(self.enumeration(list)?),
                TypeSpecifier::TypedefName(name) => found = Some(self.typedef(name)?),
                TypeSpecifier::TypeOf(of) => {
                    let ty = match &of.node {
                        TypeOf::Expression(expr) => self.type_of(expr)?,
                        TypeOf::Type(name) => self.type_name(name)?,
                    };
                    self.remark_variable(&ty, span);
                    found = Some(ty);
                }
                TypeSpecifier::TS18661Float(float) => match named_float(float) {
                    Some(ty) => found = Some(ty),
                    None => return self.problem(span, "a floating type of this width"),
                },
            }
        }
        if let Some(found) = found {
            return Ok(found);
        }
        if words.double {
            let long = words.long > 0;
            return Ok(Type::Float(if long { FloatType::LongDouble } else { FloatType::Double }));
        }
        let rank = match (words.char, words.short, words.long) {
            (true, ..) => IntRank::Char,
            (_, true, _) => IntRank::Short,
            (.., 0) => IntRank::Int,
            (.., 1) => IntRank::Long,
            _ => IntRank::LongLong,
        };
        let plain_char = words.char && !words.signed;
        let signed = !words.unsigned && (!plain_char || self.char_signed);
        Ok(Type::Int(IntType { rank, signed }))
    }

    fn typedef(&mut self, name: &Node<Identifier>) -> Lowered<Type> {
        match self.look_up(&name.node.name) {
            Some(Symbol::Typedef(ty)) => {
                let ty = ty.clone();
                self.remark_variable(&ty, name.span);
                Ok(ty)
            }
            _ if name.node.name == "__builtin_va_list" => Ok(va_list()),
            _ => self.problem(name.span, format!("no type is called `{}`", name.node.name)),
        }
    }

    /// Returns the name and the type that a declarator derives from a base type.
    pub(super) fn declarator<'d>(
        &mut self,
        base: Type,
        declarator: &'d Node<Declarator>,
    ) -> Lowered<(Option<&'d Node<Identifier>>, Type)> {
        for extension in &declarator.node.extensions {
            self.extension(extension);
        }
        let mut ty = base;
        let (mut pointers, mut others) = (Vec::new(), Vec::new());
        for derived in &declarator.node.derived {
            match &derived.node {
                DerivedDeclarator::Pointer(_) => pointers.push(derived),
                DerivedDeclarator::Block(_) => return self.problem(derived.span, "blocks"),
                _ => others.push(derived),
            }
        }
        for _ in pointers {
            ty = ty.pointer();
        }
        for derived in others.into_iter().rev() {
            ty = match &derived.node {
                DerivedDeclarator::Array(array) => {
                    self.remark_variable(&ty, derived.span);
                    let count = self.array_count(&array.node.size, derived.span)?;
                    Type::Array(Box::new(ty), count)
                }
                DerivedDeclarator::Function(function) => {
                    let variadic = function.node.ellipsis == Ellipsis::Some;
                    self.function_type(ty, &function.node.parameters, variadic)?
                }
                _ => {
                    let any = FunctionType { result: ty, parameters: Vec::new(), variadic: true };
                    Type::Function(Box::new(any))
                }
            };
        }
        match &declarator.node.kind.node {
            DeclaratorKind::Abstract => Ok((None, ty)),
            DeclaratorKind::Identifier(name) => Ok((Some(name), ty)),
            DeclaratorKind::Declarator(inner) => self.declarator(ty, inner),
        }
    }

    /// Adds a remark about the use of a type with a variable length, unless the use is the declaration of a single
    /// array of the type.
    fn remark_variable(&mut self, ty: &Type, span: Span) {
        if self.body.is_some() && matches!(ty, Type::Array(_, None)) {
            let why = "an array of variable length within another, or by a name of its type";
            self.remark(self.place(span), why, Effect::Unsound);
        }
    }

    fn array_count(&mut self, size: &ArraySize, span: Span) -> Lowered<Option<u64>> {
        let (ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size)) = size else {
            return Ok(None);
        };
        let size = self.expression(size)?;
        match size.kind {
            ExprKind::Int(count) => match u64::try_from(count) {
                Ok(count) => Ok(Some(count)),
                Err(_) => self.problem(span, "an array of negative size"),
            },
            _ if self.body.is_some() => {
                self.variable_length = Some(size);
                Ok(None)
            }
            _ => self.problem(span, "the size of the array is no constant"),
        }
    }

    fn function_type(
        &mut self,
        result: Type,
        parameters: &[Node<ParameterDeclaration>],
        variadic: bool,
    ) -> Lowered<Type> {
        let mut types = Vec::new();
        for parameter in parameters {
            types.push(self.parameter(parameter)?.1);
        }
        // `(void)` means no parameters; `()` leaves them unspecified.
        let variadic = variadic || types.is_empty();
        if types == [Type::Void] {
            types.clear();
        }
        Ok(Type::Function(Box::new(FunctionType { result, parameters: types, variadic })))
    }

    /// The name and type of a parameter.
    pub(super) fn parameter<'d>(
        &mut self,
        parameter: &'d Node<ParameterDeclaration>,
    ) -> Lowered<(Option<&'d Node<Identifier>>, Type)> {
        let base = self.declared(&parameter.node.specifiers, parameter.span)?;
        let (name, ty) = match &parameter.node.declarator {
            Some(declarator) => self.parameter_type(base, declarator)?,
            None => (None, base),
        };
        Ok((name, decayed(ty)))
    }

    /// Lowers the declarator of a parameter. Array parameters may have any size, because they are pointers.
    fn parameter_type<'d>(
        &mut self,
        base: Type,
        declarator: &'d Node<Declarator>,
    ) -> Lowered<(Option<&'d Node<Identifier>>, Type)> {
        let first = declarator.node.derived.iter().position(is_array);
        if let (Some(first), DeclaratorKind::Identifier(_) | DeclaratorKind::Abstract) =
            (first, &declarator.node.kind.node)
        {
            let mut without = declarator.clone();
            without.node.derived.remove(first);
            let element = self.declarator(base, &without)?.1;
            let name = match &declarator.node.kind.node {
                DeclaratorKind::Identifier(name) => Some(name),
                _ => None,
            };
            return Ok((name, element.pointer()));
        }
        self.declarator(base, declarator)
    }
}

fn is_array(derived: &Node<DerivedDeclarator>) -> bool {
    matches!(derived.node, DerivedDeclarator::Array(_))
}

/// Returns the type of a parameter or an operand, in which arrays and functions are pointers.
pub(super) fn decayed(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function(_) => ty.pointer(),
        ty => ty,
    }
}

/// Returns the type of `_Float32`, `_Float64x` and the like; `None` for those that do not correspond to a C11 type.
pub(super) fn named_float(float: &TS18661FloatType) -> Option<Type> {
    use TS18661FloatFormat::{BinaryExtended, BinaryInterchange};
    let ty = match (&float.format, float.width) {
        (BinaryInterchange, 32) => FloatType::Float,
        (BinaryInterchange, 64) | (BinaryExtended, 32) => FloatType::Double,
        // Both have 16 bytes. Their values are not calculated.
        (BinaryInterchange, 128) | (BinaryExtended, 64) => FloatType::LongDouble,
        _ => return None,
    };
    Some(Type::Float(ty))
}

/// Returns the type of argument lists, which has 24 bytes as in the System V ABI.
fn va_list() -> Type {
    Type::Array(Box::new(Type::Int(IntType::SIZE)), Some(3))
}
