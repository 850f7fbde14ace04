//! Structs, unions and enumerations: their members and layouts.

use super::symbols::{Symbol, Tag};
use super::{Lowered, Lowerer};
use crate::model::{
    Bits, Composite, CompositeId, CompositeKind, Effect, Field, IntRank, IntType, Type,
};
use lang_c::ast::{EnumType, StructDeclaration, StructField, StructKind, StructType};
use lang_c::span::{Node, Span};

/// A layout in progress: the next free bit.
#[derive(Default)]
struct Layout {
    fields: Vec<Field>,
    bit: u64,
    align: u64,
    size: u64,
    /// The maximum alignment of fields; 0 means no maximum.
    pack: u64,
}

impl Lowerer<'_> {
    pub(super) fn composite_type(&mut self, composite: &Node<StructType>) -> Lowered<Type> {
        let kind = match composite.node.kind.node {
            StructKind::Struct => CompositeKind::Struct,
            StructKind::Union => CompositeKind::Union,
        };
        let tag = composite.node.identifier.as_ref().map(|tag| tag.node.name.clone());
        let known = match (&tag, &composite.node.declarations) {
            (Some(tag), None) => self.look_up_tag(tag),
            // A definition completes a tag only in its own scope.
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
            // The text of a header depends on macros, which may differ between files.
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

    /// Returns the composite of a tag that is named before its fields are known.
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

    /// Returns the composite of a definition: one that was named before, one that another file defined at the same
    /// place, or a new one.
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
        // Compilers calculate with exactly the number of bits of these bit-fields.
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

    pub(super) fn enumeration(&mut self, list: &Node<EnumType>) -> Lowered<Type> {
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
