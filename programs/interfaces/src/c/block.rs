//! Blocks of memory that are filled or copied as a whole.

use canonical::{Expr as CExpr, ExprKind, Lvalue, LvalueBase, Program, Projection, Type};

use super::expr::{Reader, constant};
use super::memory::{Binding, range, width};
use crate::library::{Expr, Update, VarId};

/// A scalar part of an object.
#[derive(Debug, Clone)]
struct Leaf {
    /// The offset of its first byte.
    offset: u64,
    ty: Type,
    is_bit_field: bool,
}

/// The scalar parts of a type, in the order of their leaves.
fn layout(program: &Program, ty: &Type, offset: u64, is_bit_field: bool, out: &mut Vec<Leaf>) {
    match ty {
        Type::Array(element, Some(count)) => {
            let size = program.size(element).unwrap_or(0);
            for k in 0..*count {
                layout(program, element, offset + k * size, is_bit_field, out);
            }
        }
        Type::Composite(id) => {
            for field in &program.composite(*id).fields {
                let is_bit_field = is_bit_field || field.bits.is_some();
                layout(program, &field.ty, offset + field.offset, is_bit_field, out);
            }
        }
        _ => out.push(Leaf { offset, ty: ty.clone(), is_bit_field }),
    }
}

/// The parts of a block, with their offsets in it.
type Block = Vec<(u64, VarId, Type)>;

const CONSTANT: &str = "the place or the size of this block is no constant: write a loop";

impl Reader<'_, '_> {
    /// The updates of `memset`.
    pub(super) fn filled(
        &mut self,
        to: &CExpr,
        with: &CExpr,
        count: &CExpr,
    ) -> Result<Vec<(VarId, Update)>, String> {
        let Some(block) = self.block(to, count)? else { return Ok(Vec::new()) };
        let byte = with.constant().ok_or("the byte of `memset` is no constant: write a loop")?;
        let byte = byte & 255;
        let mut out = Vec::new();
        for (_, leaf, ty) in block {
            let Some((_, _)) = width(&ty) else {
                match (byte, &ty) {
                    (0, _) => out.push((leaf, Update::Value(Expr::Int(0)))),
                    (_, Type::Float(_)) => {}
                    _ => return Err("bytes of a pointer have no translation".to_owned()),
                }
                continue;
            };
            let size = self.scope.program.size(&ty).unwrap_or(1);
            let value = (0..size).fold(0i128, |value, _| value << 8 | byte);
            if byte > 1 && ty.int() == Some(canonical::IntType::BOOL) {
                return Err("bytes of a `_Bool` have no translation".to_owned());
            }
            out.push((leaf, Update::Value(constant(value, &ty))));
        }
        Ok(out)
    }

    /// The updates of `memcpy` and `memmove`.
    pub(super) fn copied(
        &mut self,
        to: &CExpr,
        from: &CExpr,
        count: &CExpr,
        may_overlap: bool,
    ) -> Result<Vec<(VarId, Update)>, String> {
        let target = self.block(to, count)?;
        let literal = match self.scope.resolved(from.below_casts()).kind {
            ExprKind::String(string) => Some(string),
            _ => None,
        };
        let source = match literal {
            Some(_) => None,
            None => self.block(from, count)?,
        };
        let Some(target) = target else { return Ok(Vec::new()) };
        let of_client = self.scope.is_of_client(from);
        let Some(source) = source else {
            let mut out = Vec::new();
            for (offset, leaf, ty) in target {
                let (low, high) = range(&ty);
                let any = Update::Any(low, high);
                let update = match literal {
                    Some(string) => {
                        let characters = self.characters(string, &ty);
                        let size = self.scope.program.size(&ty).unwrap_or(1);
                        let character = characters.get((offset / size) as usize);
                        let character = character.ok_or("this block is longer than the string")?;
                        Update::Value(character.clone())
                    }
                    None => any,
                };
                out.push((leaf, update));
            }
            if literal.is_none() && !of_client {
                self.vague("it is not known what is copied here, and something depends on it");
            }
            return Ok(out);
        };
        let overlap = target.iter().any(|(_, leaf, _)| source.iter().any(|(_, s, _)| s == leaf));
        if overlap && !may_overlap && target.first().map(|t| t.1) != source.first().map(|s| s.1) {
            return Err("the blocks of `memcpy` overlap: use `memmove`".to_owned());
        }
        if target.len() != source.len() {
            return Err("blocks of different parts have no translation: write a loop".to_owned());
        }
        let mut out = Vec::new();
        for ((at, leaf, ty), (from, source, other)) in target.into_iter().zip(source) {
            let is_alike = match (width(&ty), width(&other)) {
                (Some(_), Some(_)) => ty.int().map(|t| t.bits()) == other.int().map(|t| t.bits()),
                _ => std::mem::discriminant(&ty) == std::mem::discriminant(&other),
            };
            if at != from || !is_alike {
                return Err(
                    "blocks of different parts have no translation: write a loop".to_owned()
                );
            }
            let value = match width(&ty) {
                Some((bits, signed)) if ty != other => {
                    Expr::Wrap { bits, signed, of: Box::new(Expr::Var(source)) }
                }
                _ => Expr::Var(source),
            };
            out.push((leaf, Update::Value(value)));
        }
        Ok(out)
    }

    /// Returns the parts of this many bytes at a pointer; `None` if the memory is not modelled.
    fn block(&mut self, pointer: &CExpr, count: &CExpr) -> Result<Option<Block>, String> {
        let pointer = self.scope.resolved(pointer.below_casts());
        // This reports pointers that may point to anything.
        if self.object(pointer)?.is_none() {
            return Ok(None);
        }
        let (first, ty, start) = self.whole(pointer)?.ok_or(CONSTANT)?;
        let count = count.constant().and_then(|n| u64::try_from(n).ok()).ok_or(CONSTANT)?;
        let program = self.scope.program;
        let end = start + count;
        if end > program.size(&ty).unwrap_or(0) {
            return Err("this block is longer than the variable".to_owned());
        }
        let mut parts = Vec::new();
        layout(program, &ty, 0, false, &mut parts);
        let mut out = Vec::new();
        for (k, part) in parts.into_iter().enumerate() {
            let behind = part.offset + program.size(&part.ty).unwrap_or(1);
            if behind <= start || part.offset >= end {
                continue;
            }
            // All bits of a struct may be filled, but not those of a single bit-field.
            let is_whole = start == 0 && Some(end) == program.size(&ty);
            if part.offset < start || behind > end || (part.is_bit_field && !is_whole) {
                return Err("a part of a number has no translation: write a loop".to_owned());
            }
            if part.is_bit_field {
                return Err("a block of bit-fields has no translation: assign them".to_owned());
            }
            out.push((part.offset - start, VarId(first.0 + k), part.ty));
        }
        Ok(Some(out))
    }

    /// Returns the whole object into which a pointer points: its first leaf, its type, and the number of bytes before
    /// the pointer.
    fn whole(&mut self, pointer: &CExpr) -> Result<Option<(VarId, Type, u64)>, String> {
        let program = self.scope.program;
        match &pointer.kind {
            ExprKind::Load(lvalue) => {
                let Some(v) = lvalue.whole_variable() else { return Ok(None) };
                let ty = program.variable(v).ty.element().cloned();
                Ok(match (self.scope.binding(v), ty) {
                    // A pointer to one element may point into an array.
                    (Some(Binding::Points(at)), Some(ty @ Type::Composite(_))) => {
                        Some((*at, ty, 0))
                    }
                    _ => None,
                })
            }
            ExprKind::AddressOf(lvalue) => self.place(lvalue),
            ExprKind::Binary(canonical::Binary::Add, base, index) => {
                let base = self.scope.resolved(base);
                let Some(before) = self.whole(base)? else { return Ok(None) };
                let size = base.ty.element().and_then(|ty| program.size(ty));
                let far = index.constant().and_then(|k| u64::try_from(k).ok());
                Ok(size.zip(far).map(|(size, far)| (before.0, before.1, before.2 + size * far)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the object of which an lvalue is a part, if its path is constant.
    fn place(&mut self, lvalue: &Lvalue) -> Result<Option<(VarId, Type, u64)>, String> {
        let program = self.scope.program;
        let (first, whole, mut offset) = match &lvalue.base {
            LvalueBase::Variable(v) => match self.scope.binding(*v) {
                Some(Binding::Memory(at)) => (*at, program.variable(*v).ty.clone(), 0),
                _ => return Ok(None),
            },
            LvalueBase::Deref(pointer) => {
                let pointer = self.scope.resolved(pointer);
                let Some(found) = self.whole(pointer)? else { return Ok(None) };
                found
            }
        };
        let mut ty = match &lvalue.base {
            LvalueBase::Variable(_) => whole.clone(),
            LvalueBase::Deref(pointer) => match pointer.ty.element() {
                Some(ty) => ty.clone(),
                None => return Ok(None),
            },
        };
        for step in &lvalue.path {
            match step {
                Projection::Field(id, index) => {
                    let field = &program.composite(*id).fields[*index as usize];
                    offset += field.offset;
                    ty = field.ty.clone();
                }
                Projection::Index(index) => {
                    let Some(element) = ty.element().cloned() else { return Ok(None) };
                    let k = index.constant().and_then(|k| u64::try_from(k).ok());
                    let (Some(k), Some(size)) = (k, program.size(&element)) else {
                        return Ok(None);
                    };
                    offset += k * size;
                    ty = element;
                }
            }
        }
        Ok(Some((first, whole, offset)))
    }
}
