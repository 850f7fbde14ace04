//! Types: specifiers and declarators, structs with their layout, enumerations.

use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis,
    EnumType, Identifier, ParameterDeclaration, SpecifierQualifier, StructDeclaration, StructField,
    StructKind, StructType, TS18661FloatFormat, TS18661FloatType, TypeName, TypeOf, TypeSpecifier,
};
use lang_c::span::{Node, Span};

use super::symbols::{Symbol, Tag};
use super::{Lowered, Lowerer};
use crate::model::{
    Bits, Composite, CompositeId, CompositeKind, Effect, ExprKind, Field, FloatType, FunctionType,
    IntRank, IntType, Type,
};

/// The number of times that each keyword of a type was seen.
#[derive(Default)]
struct Keywords {
    long: u8,
    short: bool,
    char: bool,
    signed: bool,
    unsigned: bool,
    double: bool,
}

/// A layout in progress: the next free bit.
#[derive(Default)]
struct Layout {
    fields: Vec<Field>,
    bit: u64,
    align: u64,
    size: u64,
    /// The greatest alignment of fields; 0 is none.
    pack: u64,
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
                // Those that are left: `_Alignas` and `_Noreturn` are known from tokens.
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

    fn qualified(&mut self, list: &[Node<SpecifierQualifier>], span: Span) -> Lowered<Type> {
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
                    found = Some(match &of.node {
                        TypeOf::Expression(expr) => self.type_of(expr)?,
                        TypeOf::Type(name) => self.type_name(name)?,
                    });
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
            Some(Symbol::Typedef(ty)) => Ok(ty.clone()),
            _ if name.node.name == "__builtin_va_list" => Ok(va_list()),
            _ => self.problem(name.span, format!("no type is called `{}`", name.node.name)),
        }
    }

    /// The name and type that a declarator makes of a base type.
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
        // `(void)` is no parameter; `()` says nothing of them.
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

    /// A declarator of a parameter, whose arrays may have any size: they are pointers.
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

    fn composite_type(&mut self, composite: &Node<StructType>) -> Lowered<Type> {
        let kind = match composite.node.kind.node {
            StructKind::Struct => CompositeKind::Struct,
            StructKind::Union => CompositeKind::Union,
        };
        let tag = composite.node.identifier.as_ref().map(|tag| tag.node.name.clone());
        let known = match (&tag, &composite.node.declarations) {
            (Some(tag), None) => self.look_up_tag(tag),
            // A definition completes a tag of its own scope only.
            (Some(tag), Some(_)) => self.scopes.last().and_then(|s| s.tags.get(tag)).copied(),
            (None, _) => None,
        };
        let known = match known {
            Some(Tag::Composite(id)) => Some(id),
            _ => None,
        };
        let Some(declarations) = &composite.node.declarations else {
            let id = known.unwrap_or_else(|| self.forward(kind, tag, composite.span));
            return Ok(Type::Composite(id));
        };
        let id = self.new_composite(kind, tag, known, composite.span);
        let before = self.composite(id).clone();
        let layout = self.layout(kind, declarations, self.pack(composite.span))?;
        let align = layout.align.max(1);
        let size = layout.size.next_multiple_of(align);
        let id = if before.complete && (&before.fields, before.size) != (&layout.fields, size) {
            // The header's text depends on macros that differ between files.
            self.push_composite(kind, before.tag.clone(), composite.span)
        } else {
            id
        };
        if let Some(tag) = before.tag {
            self.bind_tag(tag, Tag::Composite(id));
        }
        let entry = &mut self.program.composites[id.index()];
        (entry.fields, entry.size, entry.align) = (layout.fields, size, align);
        entry.complete = true;
        Ok(Type::Composite(id))
    }

    /// The composite of a tag that is named before its fields are known.
    fn forward(&mut self, kind: CompositeKind, tag: Option<String>, span: Span) -> CompositeId {
        let global = self.scopes.len() == 1;
        let shared = tag.as_ref().filter(|_| global).and_then(|t| self.linkage.tags.get(t));
        let id = shared.copied();
        let id = id.unwrap_or_else(|| self.push_composite(kind, tag.clone(), span));
        if let Some(tag) = tag {
            if global {
                self.linkage.tags.insert(tag.clone(), id);
            }
            self.bind_tag(tag, Tag::Composite(id));
        }
        id
    }

    /// The composite of a definition: one that was named before, or the one that another file has
    /// from the same place, or a new one.
    fn new_composite(
        &mut self,
        kind: CompositeKind,
        tag: Option<String>,
        known: Option<CompositeId>,
        span: Span,
    ) -> CompositeId {
        let key = self.place(span).map(|place| (tag.clone(), place));
        let global = self.body.is_none();
        let shared = key.as_ref().filter(|_| global).and_then(|k| self.linkage.composites.get(k));
        let other = || tag.as_ref().filter(|_| global).and_then(|t| self.linkage.tags.get(t));
        let waiting = |id: &CompositeId| !self.program.composite(*id).complete;
        let id = known.or(shared.copied()).or_else(|| other().copied().filter(waiting));
        let id = id.unwrap_or_else(|| self.push_composite(kind, tag.clone(), span));
        if let (Some(key), true) = (key, global) {
            self.linkage.composites.insert(key, id);
        }
        if let Some(tag) = tag {
            if global {
                self.linkage.tags.entry(tag.clone()).or_insert(id);
            }
            self.bind_tag(tag, Tag::Composite(id));
        }
        id
    }

    fn push_composite(
        &mut self,
        kind: CompositeKind,
        tag: Option<String>,
        span: Span,
    ) -> CompositeId {
        let place = self.place(span);
        let fields = Vec::new();
        let new = Composite { kind, tag, fields, size: 0, align: 1, complete: false, place };
        self.program.composites.push(new);
        CompositeId::new(self.program.composites.len() - 1)
    }

    fn layout(
        &mut self,
        kind: CompositeKind,
        declarations: &[Node<StructDeclaration>],
        pack: u64,
    ) -> Lowered<Layout> {
        let mut layout = Layout { pack, ..Layout::default() };
        for declaration in declarations {
            if let StructDeclaration::Field(field) = &declaration.node {
                self.lay_out(kind, field, &mut layout)?;
            }
        }
        Ok(layout)
    }

    fn lay_out(
        &mut self,
        kind: CompositeKind,
        field: &Node<StructField>,
        layout: &mut Layout,
    ) -> Lowered<()> {
        let base = self.qualified(&field.node.specifiers, field.span)?;
        if field.node.declarators.is_empty() && matches!(base, Type::Composite(_)) {
            return self.add_field(kind, String::new(), base, None, field.span, layout);
        }
        for declarator in &field.node.declarators {
            let (name, ty) = match &declarator.node.declarator {
                Some(inner) => {
                    let (name, ty) = self.declarator(base.clone(), inner)?;
                    (name.map(|n| n.node.name.clone()).unwrap_or_default(), ty)
                }
                None => (String::new(), base.clone()),
            };
            let width = match &declarator.node.bit_width {
                Some(width) => Some(self.constant_value(width)?),
                None => None,
            };
            self.add_field(kind, name, ty, width, declarator.span, layout)?;
        }
        Ok(())
    }

    fn add_field(
        &mut self,
        kind: CompositeKind,
        name: String,
        ty: Type,
        width: Option<i128>,
        span: Span,
        layout: &mut Layout,
    ) -> Lowered<()> {
        if kind == CompositeKind::Union {
            layout.bit = 0;
        }
        let flexible = matches!(ty, Type::Array(_, None)) && self.variable_length.take().is_none();
        let Some(size) = self.program.size(&ty).or(flexible.then_some(0)) else {
            return self.problem(span, format!("the size of field `{name}` is not known"));
        };
        let align = match self.program.align(&ty) {
            align if layout.pack > 0 => align.min(layout.pack),
            align => align,
        };
        let Some(width) = width else {
            let offset = layout.bit.div_ceil(8).next_multiple_of(align);
            let end = offset.checked_add(size).filter(|end| *end < 1 << 48);
            let Some(end) = end else { return self.problem(span, "a struct that is too large") };
            layout.bit = end * 8;
            layout.size = layout.size.max(end);
            layout.align = layout.align.max(align);
            layout.fields.push(Field { name, ty, offset, bits: None });
            return Ok(());
        };
        if layout.pack > 0 {
            let place = self.place(span);
            self.remark(place, "bit-fields under `#pragma pack`", Effect::Unsound);
        }
        let unit = size * 8;
        let Some(width) = u64::try_from(width).ok().filter(|w| *w <= unit && ty.int().is_some())
        else {
            return self.problem(span, "a bit-field that is wider than its type");
        };
        // Compilers calculate with as many bits as these have.
        if ty.int().is_some_and(|int| int.rank > IntRank::Int) && (32..unit).contains(&width) {
            let place = self.place(span);
            self.remark(place, "a bit-field that is wider than an `int`", Effect::Unsound);
        }
        if width == 0 {
            layout.bit = layout.bit.next_multiple_of(unit);
            return Ok(());
        }
        if layout.bit / unit != (layout.bit + width - 1) / unit {
            layout.bit = layout.bit.next_multiple_of(unit);
        }
        let start = u32::try_from(layout.bit % unit).unwrap_or(0);
        let offset = layout.bit / unit * size;
        layout.bit += width;
        layout.size = layout.size.max(layout.bit.div_ceil(8));
        if !name.is_empty() {
            layout.align = layout.align.max(align);
            let bits = Some(Bits { start, width: u32::try_from(width).unwrap_or(1) });
            layout.fields.push(Field { name, ty, offset, bits });
        }
        Ok(())
    }

    fn enumeration(&mut self, list: &Node<EnumType>) -> Lowered<Type> {
        let tag = list.node.identifier.as_ref().map(|tag| &tag.node.name);
        if list.node.enumerators.is_empty() {
            return Ok(match tag.and_then(|tag| self.look_up_tag(tag)) {
                Some(Tag::Enum(int)) => Type::Int(int),
                _ => Type::Int(IntType::UNSIGNED),
            });
        }
        let (mut next, mut least, mut greatest) = (0, 0, 0);
        for enumerator in &list.node.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant_value(value)?;
            }
            (least, greatest) = (least.min(next), greatest.max(next));
            if !IntType::INT.contains(next) {
                let place = self.place(enumerator.span);
                self.remark(place, "an enumeration constant that is no `int`", Effect::Unsound);
            }
            let name = enumerator.node.identifier.node.name.clone();
            self.bind(name, Symbol::Constant(next));
            next += 1;
        }
        let fits = |int: &IntType| int.contains(least) && int.contains(greatest);
        let sizes = [IntType::UNSIGNED, IntType::INT, IntType::SIZE, IntType::LONG];
        let Some(int) = sizes.into_iter().find(fits) else {
            return self.problem(list.span, "an enumeration with values that no type has");
        };
        if let Some(tag) = tag {
            self.bind_tag(tag.clone(), Tag::Enum(int));
        }
        Ok(Type::Int(int))
    }
}

fn is_array(derived: &Node<DerivedDeclarator>) -> bool {
    matches!(derived.node, DerivedDeclarator::Array(_))
}

/// The type of a parameter or an operand: arrays and functions are pointers.
pub(super) fn decayed(ty: Type) -> Type {
    match ty {
        Type::Array(element, _) => Type::Pointer(element),
        Type::Function(_) => ty.pointer(),
        ty => ty,
    }
}

/// The type of `_Float32`, `_Float64x` and the like; none for those that are no type of C11.
pub(super) fn named_float(float: &TS18661FloatType) -> Option<Type> {
    use TS18661FloatFormat::{BinaryExtended, BinaryInterchange};
    let ty = match (&float.format, float.width) {
        (BinaryInterchange, 32) => FloatType::Float,
        (BinaryInterchange, 64) | (BinaryExtended, 32) => FloatType::Double,
        // Both have 16 bytes; nothing is calculated of their values.
        (BinaryInterchange, 128) | (BinaryExtended, 64) => FloatType::LongDouble,
        _ => return None,
    };
    Some(Type::Float(ty))
}

/// The type of argument lists: as large as that of the System V ABI, 24 bytes.
fn va_list() -> Type {
    Type::Array(Box::new(Type::Int(IntType::SIZE)), Some(3))
}
