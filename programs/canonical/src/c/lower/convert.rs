//! Conversions between types (C11, 6.3) and operators on converted operands.

use lang_c::span::Span;

use super::{Lowered, Lowerer};
use crate::fold;
use crate::model::{Binary, Expr, ExprKind, FloatType, IntRank, IntType, Projection, Type, Unary};

impl Lowerer<'_> {
    /// Converts a value to a type, as by assignment or a cast.
    pub(super) fn convert(&mut self, value: Expr, ty: &Type, span: Span) -> Lowered<Expr> {
        match (&value.ty, ty) {
            (from, to) if from == to => Ok(value),
            (_, Type::Void) => Ok(Expr { kind: ExprKind::Zero, ty: Type::Void }),
            (from, to) if from.is_scalar() && to.is_scalar() => Ok(fold::cast(value, ty.clone())),
            // Several files may have declared the same type.
            (Type::Composite(a), Type::Composite(b)) if self.alike(*a, *b) => {
                Ok(Expr { ty: ty.clone(), ..value })
            }
            _ => self.problem(span, "a value of a type that cannot be converted"),
        }
    }

    fn alike(&self, a: crate::model::CompositeId, b: crate::model::CompositeId) -> bool {
        let (a, b) = (self.composite(a), self.composite(b));
        a.tag == b.tag && a.size == b.size && a.fields.len() == b.fields.len()
    }

    /// The integer promotions: types below `int`, and bit-fields that fit into `int`, become `int`.
    pub(super) fn promoted(&self, value: Expr) -> Expr {
        let Type::Int(int) = value.ty else { return value };
        let narrow = match &value.kind {
            ExprKind::Load(lvalue) => self
                .bit_width(lvalue)
                .is_some_and(|width| width < 32 || (width == 32 && int.signed)),
            _ => false,
        };
        if int.rank < IntRank::Int || narrow { fold::cast(value, Type::INT) } else { value }
    }

    /// The width of a bit-field.
    pub(super) fn bit_width(&self, lvalue: &crate::model::Lvalue) -> Option<u32> {
        match lvalue.path.last() {
            Some(Projection::Field(id, field)) => {
                let bits = self.composite(*id).fields[*field as usize].bits;
                bits.map(|bits| bits.width)
            }
            _ => None,
        }
    }

    /// The usual arithmetic conversions (C11, 6.3.1.8).
    fn usual(&self, left: Expr, right: Expr) -> (Expr, Expr) {
        if let (Type::Float(_), _) | (_, Type::Float(_)) = (&left.ty, &right.ty) {
            let rank = |ty: &Type| match ty {
                Type::Float(float) => *float,
                _ => FloatType::Float,
            };
            let ty = Type::Float(rank(&left.ty).max(rank(&right.ty)));
            return (fold::cast(left, ty.clone()), fold::cast(right, ty));
        }
        let (left, right) = (self.promoted(left), self.promoted(right));
        let (Type::Int(a), Type::Int(b)) = (&left.ty, &right.ty) else { return (left, right) };
        let ty = Type::Int(common(*a, *b));
        (fold::cast(left, ty.clone()), fold::cast(right, ty))
    }

    /// An operator on two values, with conversions.
    pub(super) fn operate(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Lowered<Expr> {
        if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) {
            let (left, right) = (self.promoted(left), self.promoted(right));
            if left.ty.int().is_none() || right.ty.int().is_none() {
                return self.problem(span, "a shift of something that is no integer");
            }
            let ty = left.ty.clone();
            return Ok(fold::binary(operator, left, right, ty));
        }
        let pointers = (pointee(&left.ty).cloned(), pointee(&right.ty).cloned());
        match (operator, pointers) {
            (Binary::Add, (None, Some(_))) if left.ty.int().is_some() => {
                self.operate(operator, right, left, span)
            }
            (Binary::Add | Binary::Subtract, (Some(_), None)) if right.ty.int().is_some() => {
                self.displace(operator, left, right)
            }
            (Binary::Subtract, (Some(_), Some(_))) => {
                let right = Expr { ty: left.ty.clone(), ..right };
                Ok(Expr::binary(operator, left, right, Type::Int(IntType::LONG)))
            }
            (_, (None, None)) => self.arithmetic(operator, left, right, span),
            (operator, (a, _)) if operator.is_comparison() => {
                let ty = if a.is_some() { left.ty.clone() } else { right.ty.clone() };
                let left = self.convert(left, &ty, span)?;
                let right = self.convert(right, &ty, span)?;
                Ok(Expr::binary(operator, left, right, Type::INT))
            }
            _ => self.problem(span, "an operator on pointers that has no meaning"),
        }
    }

    /// A pointer moved by a number of elements.
    fn displace(&mut self, operator: Binary, pointer: Expr, count: Expr) -> Lowered<Expr> {
        let ty = pointer.ty.clone();
        let count = self.promoted(count);
        if count.constant() == Some(0) {
            return Ok(pointer);
        }
        // `&a[0] + i` is `&a[i]`.
        if let (Binary::Add, ExprKind::AddressOf(lvalue)) = (operator, &pointer.kind)
            && let Some(Projection::Index(first)) = lvalue.path.last()
            && first.constant() == Some(0)
            && Some(&lvalue.ty) == ty.element()
        {
            let mut lvalue = (**lvalue).clone();
            lvalue.path.pop();
            lvalue.path.push(Projection::Index(count));
            return Ok(Expr { kind: ExprKind::AddressOf(Box::new(lvalue)), ty });
        }
        Ok(Expr::binary(operator, pointer, count, ty))
    }

    fn arithmetic(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Lowered<Expr> {
        let (left, right) = self.usual(left, right);
        let bits = matches!(operator, Binary::Remainder | Binary::And | Binary::Or | Binary::Xor);
        let ty = left.ty.clone();
        let fits = ty == right.ty
            && match ty {
                Type::Int(_) => true,
                Type::Float(_) => !bits,
                _ => false,
            };
        if !fits {
            return self.problem(span, "an operator on operands that it does not have");
        }
        let ty = if operator.is_comparison() { Type::INT } else { ty };
        Ok(fold::binary(operator, left, right, ty))
    }

    /// An operator on one value, with conversions.
    pub(super) fn operate_on(
        &mut self,
        operator: Unary,
        operand: Expr,
        span: Span,
    ) -> Lowered<Expr> {
        match (operator, &operand.ty) {
            (Unary::Not, ty) if ty.is_scalar() => Ok(fold::unary(operator, operand, Type::INT)),
            (Unary::Minus, Type::Float(_)) | (_, Type::Int(_)) => {
                let operand = self.promoted(operand);
                let ty = operand.ty.clone();
                Ok(fold::unary(operator, operand, ty))
            }
            _ => self.problem(span, "an operator on an operand that it does not have"),
        }
    }
}

fn pointee(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Pointer(to) => Some(to),
        _ => None,
    }
}

/// The common type of two promoted integer types.
fn common(a: IntType, b: IntType) -> IntType {
    if a == b {
        return a;
    }
    let (low, high) = if a.rank <= b.rank { (a, b) } else { (b, a) };
    if a.signed == b.signed || !high.signed {
        // If the ranks are equal, this is the unsigned one.
        return if low.rank == high.rank && !low.signed { low } else { high };
    }
    match low.rank == high.rank || low.bits() == high.bits() {
        true if !low.signed => IntType { rank: high.rank, signed: false },
        _ => high,
    }
}
