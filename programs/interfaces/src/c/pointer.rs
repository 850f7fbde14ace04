//! Pointers: comparisons, differences, and the characters of string literals.

use canonical::{Binary, Expr as CExpr, ExprKind, Lvalue, LvalueBase, Projection, StringId, Type};

use super::expr::{MOST_CHOICES, Reader, Value, constant};
use super::memory::{Binding, size};
use crate::library::{BinaryOp, Expr, VarId};

/// A position in memory: the number of a leaf, and the first leaf of the variable that contains it.
type Position = (Expr, Vec<VarId>);

/// An array element: the leaves at which the array may begin, and the number of leaves before the element.
type Element = (Vec<(Expr, VarId)>, Expr);

impl Reader<'_, '_> {
    /// Pointers are compared with null, or with pointers into a known variable. Sums of pointers are not null.
    pub(super) fn pointers(&mut self, op: Binary, a: &CExpr, b: &CExpr) -> Result<Value, String> {
        let other = match (a.constant(), b.constant()) {
            (_, Some(0)) => a,
            (Some(0), _) => b,
            _ if op == Binary::Add || matches!(b.ty, Type::Int(_)) => {
                self.value(a)?;
                self.value(b)?;
                return Ok(Some(Expr::Int(1)));
            }
            _ => return self.two_pointers(op, a, b),
        };
        let Some(is_set) = self.value(other)? else { return Ok(None) };
        Ok(match op {
            Binary::Equal => Some(Expr::negated(is_set)),
            Binary::NotEqual => Some(is_set),
            Binary::Add | Binary::Subtract => Some(is_set),
            _ => self.vague("this comparison with null has no translation"),
        })
    }

    /// A comparison or difference of two pointers.
    fn two_pointers(&mut self, op: Binary, a: &CExpr, b: &CExpr) -> Result<Value, String> {
        const UNKNOWN: &str = "it is not known where both of these pointers point, and something depends \
                               on it: use indices";
        let (Some((x, in_a)), Some((y, in_b))) = (self.position(a)?, self.position(b)?) else {
            return Ok(self.vague(UNKNOWN));
        };
        let is_same = in_a == in_b && in_a.len() == 1;
        if !is_same && !matches!(op, Binary::Equal | Binary::NotEqual) {
            return Ok(self.vague(UNKNOWN));
        }
        let step = a.ty.element().map_or(1, |ty| size(self.scope.program, ty).max(1));
        let make = |op, x, y| Some(Expr::binary(op, x, y));
        Ok(match op {
            Binary::Equal => make(BinaryOp::Eq, x, y),
            Binary::NotEqual => make(BinaryOp::Ne, x, y),
            Binary::Less => make(BinaryOp::Lt, x, y),
            Binary::LessEqual => make(BinaryOp::Le, x, y),
            Binary::Greater => make(BinaryOp::Lt, y, x),
            Binary::GreaterEqual => make(BinaryOp::Le, y, x),
            Binary::Subtract => {
                let leaves = Expr::binary(BinaryOp::Sub, x, y);
                make(BinaryOp::Div, leaves, Expr::Int(step as i64))
            }
            _ => self.vague(UNKNOWN),
        })
    }

    /// Returns the position to which a pointer points, if its variables are known. It may be after the last element.
    fn position(&mut self, pointer: &CExpr) -> Result<Option<Position>, String> {
        let scope = self.scope;
        let pointer = scope.resolved(pointer);
        match &pointer.kind {
            ExprKind::AddressOf(lvalue) => {
                if let Some((leaves, far)) = self.element(lvalue)? {
                    let Some((at, variables)) = self.chosen(leaves) else { return Ok(None) };
                    return Ok(Some((Expr::binary(BinaryOp::Add, at, far), variables)));
                }
                let leaves = self.choices(lvalue)?.leaves;
                Ok(self.chosen(leaves))
            }
            ExprKind::Load(lvalue) => {
                let binding = lvalue.whole_variable().and_then(|v| scope.binding(v));
                Ok(match binding {
                    Some(Binding::Points(at)) => self.chosen(vec![(Expr::Int(1), *at)]),
                    _ => None,
                })
            }
            ExprKind::Cast(inner) if inner.ty.element() == pointer.ty.element() => {
                self.position(inner)
            }
            ExprKind::Binary(op @ (Binary::Add | Binary::Subtract), base, count) => {
                let Some((at, variables)) = self.position(base)? else { return Ok(None) };
                let Some(count) = self.value(count)? else { return Ok(None) };
                let step = pointer.ty.element().map_or(1, |ty| size(scope.program, ty).max(1));
                let far = Expr::binary(BinaryOp::Mul, count, Expr::Int(step as i64));
                let op = if *op == Binary::Add { BinaryOp::Add } else { BinaryOp::Sub };
                Ok(Some((Expr::binary(op, at, far), variables)))
            }
            _ => Ok(None),
        }
    }

    /// Returns the array of an lvalue that is an element, and the leaves before it. The element may be the one after
    /// the last.
    pub(super) fn element(&mut self, lvalue: &Lvalue) -> Result<Option<Element>, String> {
        let Some((Projection::Index(index), path)) = lvalue.path.split_last() else {
            return Ok(None);
        };
        let Some((leaves, Type::Array(element, Some(count)))) = self.located(lvalue, path)? else {
            return Ok(None);
        };
        let step = size(self.scope.program, &element) as i64;
        let count = i64::try_from(count).map_err(|_| "an array is too large")?;
        let index = self.value(index)?.ok_or("an index may be any number")?;
        if let Expr::Int(k) = index {
            if !(0..=count).contains(&k) {
                self.require(Expr::Int(0));
            }
            return Ok(Some((leaves, Expr::Int(k.clamp(0, count) * step))));
        }
        self.require(Expr::binary(BinaryOp::Le, Expr::Int(0), index.clone()));
        self.require(Expr::binary(BinaryOp::Le, index.clone(), Expr::Int(count)));
        Ok(Some((leaves, Expr::binary(BinaryOp::Mul, index, Expr::Int(step)))))
    }

    /// Returns true for the element after the last one.
    pub(super) fn is_behind(&mut self, lvalue: &Lvalue) -> Result<bool, String> {
        let Some((Projection::Index(index), path)) = lvalue.path.split_last() else {
            return Ok(false);
        };
        let Some(k) = index.constant() else { return Ok(false) };
        // Conditions of the array are gathered when the address is read.
        let found = Reader::new(self.scope).located(lvalue, path)?;
        Ok(matches!(found, Some((_, Type::Array(_, Some(count)))) if i128::from(count) == k))
    }

    /// The position of one of several leaves.
    fn chosen(&self, leaves: Vec<(Expr, VarId)>) -> Option<Position> {
        let mut variables: Vec<VarId> =
            leaves.iter().map(|(_, leaf)| self.variable_of(*leaf)).collect::<Option<_>>()?;
        variables.dedup();
        let mut leaves = leaves.into_iter().rev();
        let number = |leaf: VarId| Expr::Int(leaf.0 as i64);
        let (_, last) = leaves.next()?;
        let choose =
            |otherwise, (condition, leaf)| Expr::If(Box::new((condition, number(leaf), otherwise)));
        Some((leaves.fold(number(last), choose), variables))
    }

    /// Returns the first leaf of the variable that contains a leaf. Variables to which pointers are bound are
    /// identified by the leaf to which they point.
    fn variable_of(&self, leaf: VarId) -> Option<VarId> {
        let program = self.scope.program;
        let inside = |(v, binding): (&canonical::VariableId, &Binding)| {
            let ty = &program.variable(*v).ty;
            let (at, count) = match binding {
                Binding::Memory(at) => (*at, size(program, ty)),
                Binding::Points(at) => (*at, ty.element().map_or(1, |ty| size(program, ty))),
                Binding::Client => return None,
            };
            (at.0..at.0 + count).contains(&leaf.0).then_some((count, at))
        };
        // Take the largest variable, because a pointer into an array counts as a pointer to the array.
        let found = self.scope.bindings.iter().filter_map(inside);
        found.max_by_key(|(count, at)| (*count, std::cmp::Reverse(*at))).map(|(_, at)| at)
    }

    /// A character of a string literal.
    pub(super) fn literal_character(&mut self, lvalue: &Lvalue) -> Result<Value, String> {
        let (LvalueBase::Deref(pointer), []) = (&lvalue.base, &lvalue.path[..]) else {
            return Ok(None);
        };
        let scope = self.scope;
        let (string, index) = match &scope.resolved(pointer).kind {
            ExprKind::String(string) => (*string, Expr::Int(0)),
            ExprKind::Binary(Binary::Add, base, index) => {
                let ExprKind::String(string) = scope.resolved(base).kind else { return Ok(None) };
                (string, self.value(index)?.ok_or("an index may be any number")?)
            }
            _ => return Ok(None),
        };
        let characters = self.characters(string, &lvalue.ty);
        let count = characters.len() as i64;
        if let Expr::Int(k) = index {
            let known = usize::try_from(k).ok().and_then(|k| characters.get(k)).cloned();
            if known.is_none() {
                self.require(Expr::Int(0));
            }
            return Ok(Some(known.unwrap_or(Expr::Int(0))));
        }
        if characters.len() > MOST_CHOICES {
            return Err(format!(
                "an index chooses from more than {MOST_CHOICES} characters: use a shorter string in the \
                 model"
            ));
        }
        self.require(Expr::binary(BinaryOp::Le, Expr::Int(0), index.clone()));
        self.require(Expr::binary(BinaryOp::Lt, index.clone(), Expr::Int(count)));
        let table = characters.into_iter().enumerate().rev();
        Ok(Some(table.fold(Expr::Int(0), |otherwise, (k, character)| {
            let here = Expr::equals(index.clone(), Expr::Int(k as i64));
            Expr::If(Box::new((here, character, otherwise)))
        })))
    }

    /// Returns the characters of a string with its terminating zero, as values of a type.
    pub(super) fn characters(&self, string: StringId, ty: &Type) -> Vec<Expr> {
        let bytes = self.scope.program.string(string);
        let width = self.scope.program.size(ty).unwrap_or(1).max(1) as usize;
        let number = |bytes: &[u8]| {
            let digits = bytes.iter().rev();
            let value = digits.fold(0i128, |value, byte| value << 8 | i128::from(*byte));
            constant(value, ty)
        };
        bytes.chunks(width).map(number).collect()
    }
}
