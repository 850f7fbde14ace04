//! Expressions and memory on one path.

use std::sync::Arc;

use canonical::{
    Binary, Expr, ExprKind, IntType, Lvalue, LvalueBase, Program, Projection, Storage, Type, Unary,
    VariableId,
};

use super::access::{Access, any, offset, shallow, zero};
use super::path::{Halt, Object, Path, Value};
use super::term::{Condition, Term};

/// Executes parts of a program on a path.
pub struct Executor<'p> {
    /// The program.
    pub program: &'p Program,
}

type Done<T> = Result<T, Halt>;

impl Executor<'_> {
    /// The value of a scalar expression.
    pub fn evaluate(&self, path: &mut Path, expr: &Expr) -> Done<Value> {
        match &expr.kind {
            ExprKind::Int(value) => match expr.ty.int() {
                Some(ty) => Ok(Value::Int(Term::number(*value, ty))),
                None => Err(Halt::Abandoned),
            },
            ExprKind::Float(_) => Ok(Value::Other),
            ExprKind::Zero => zero(&expr.ty),
            ExprKind::Function(id) => Ok(Value::Function(*id)),
            ExprKind::Load(lvalue) => {
                let (object, offset) = self.locate(path, lvalue)?;
                self.access().load(path, object, &offset, &lvalue.ty)
            }
            ExprKind::AddressOf(lvalue) => {
                let (object, offset) = self.locate(path, lvalue)?;
                Ok(Value::Pointer(Some(object), offset))
            }
            ExprKind::Unary(operator, operand) => {
                let value = self.evaluate(path, operand)?;
                self.unary(path, *operator, value, &expr.ty)
            }
            ExprKind::Binary(operator, left, right) => {
                let a = self.evaluate(path, left)?;
                let b = self.evaluate(path, right)?;
                self.binary(path, *operator, (a, &left.ty), (b, &right.ty), &expr.ty)
            }
            ExprKind::Cast(inner) => {
                let value = self.evaluate(path, inner)?;
                cast(path, value, &expr.ty)
            }
            ExprKind::Unknown => any(path, &expr.ty),
            ExprKind::String(id) => {
                if let Some(known) = path.literals.get(id) {
                    return Ok(Value::Pointer(Some(*known), offset(0)));
                }
                let bytes = self.program.string(*id);
                let mut object = Object::new(bytes.len() as i128, true);
                let ty = IntType { signed: true, ..IntType::BYTE };
                for (k, byte) in (0..).zip(bytes) {
                    object
                        .cells
                        .insert(k, (1, Value::Int(Term::number(ty.convert((*byte).into()), ty))));
                }
                let object = path.allocate(object);
                path.literals.insert(*id, object);
                Ok(Value::Pointer(Some(object), offset(0)))
            }
            ExprKind::Bytes(_) => Err(Halt::Abandoned),
        }
    }

    fn unary(&self, path: &mut Path, operator: Unary, value: Value, ty: &Type) -> Done<Value> {
        match (value, operator, ty.int()) {
            (Value::Int(term), _, Some(int)) => {
                if operator == Unary::Minus && int.signed {
                    let zero = Term::number(0, int);
                    fits(path, Binary::Subtract, &zero, &term)?;
                }
                Ok(Value::Int(shallow(path, Term::unary(operator, &term, int))))
            }
            (Value::Pointer(object, _), Unary::Not, Some(int)) => {
                Ok(Value::Int(Term::number(object.is_none().into(), int)))
            }
            (Value::Function(_), Unary::Not, Some(int)) => Ok(Value::Int(Term::number(0, int))),
            (Value::Other, _, _) => any(path, ty),
            _ => Err(Halt::Abandoned),
        }
    }

    fn binary(
        &self,
        path: &mut Path,
        operator: Binary,
        (a, left): (Value, &Type),
        (b, _): (Value, &Type),
        ty: &Type,
    ) -> Done<Value> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => {
                let int = ty.int().ok_or(Halt::Abandoned)?;
                if matches!(operator, Binary::Divide | Binary::Remainder)
                    || (a.ty.signed && arithmetic(operator))
                {
                    fits(path, operator, &a, &b)?;
                }
                Ok(Value::Int(shallow(path, Term::binary(operator, &a, &b, int))))
            }
            (Value::Pointer(object, at), Value::Int(count)) => {
                let size =
                    left.element().and_then(|element| self.program.size(element)).unwrap_or(1);
                let moved = Term::binary(
                    Binary::Multiply,
                    &Term::cast(&count, IntType::LONG),
                    &offset(size.into()),
                    IntType::LONG,
                );
                if object.is_none() && count.constant() != Some(0) {
                    return Err(Halt::Abandoned);
                }
                Ok(Value::Pointer(
                    object,
                    shallow(path, Term::binary(operator, &at, &moved, IntType::LONG)),
                ))
            }
            (Value::Pointer(x, at), Value::Pointer(y, other)) => {
                let int = ty.int().ok_or(Halt::Abandoned)?;
                match operator {
                    Binary::Subtract if x == y => {
                        let size = left
                            .element()
                            .and_then(|element| self.program.size(element))
                            .unwrap_or(1);
                        let bytes = Term::binary(Binary::Subtract, &at, &other, IntType::LONG);
                        Ok(Value::Int(Term::binary(
                            Binary::Divide,
                            &bytes,
                            &offset(size.max(1).into()),
                            int,
                        )))
                    }
                    _ if operator.is_comparison() && x == y => {
                        Ok(Value::Int(Term::binary(operator, &at, &other, int)))
                    }
                    // String literals may share their bytes.
                    Binary::Equal | Binary::NotEqual
                        if path.is_literal(x) && path.is_literal(y) =>
                    {
                        any(path, ty)
                    }
                    Binary::Equal => Ok(Value::Int(Term::number(0, int))),
                    Binary::NotEqual => Ok(Value::Int(Term::number(1, int))),
                    _ => Err(Halt::Abandoned),
                }
            }
            (Value::Function(x), other) => self.functions(operator, x, &other, ty),
            (other, Value::Function(x)) => self.functions(operator, x, &other, ty),
            (Value::Other, _) | (_, Value::Other) => any(path, ty),
            (Value::Int(_), Value::Pointer(..)) => Err(Halt::Abandoned),
        }
    }

    fn functions(
        &self,
        operator: Binary,
        x: canonical::FunctionId,
        other: &Value,
        ty: &Type,
    ) -> Done<Value> {
        let int = ty.int().ok_or(Halt::Abandoned)?;
        let same = match other {
            Value::Function(y) => x == *y,
            Value::Pointer(None, _) => false,
            _ => return Err(Halt::Abandoned),
        };
        match operator {
            Binary::Equal => Ok(Value::Int(Term::number(same.into(), int))),
            Binary::NotEqual => Ok(Value::Int(Term::number((!same).into(), int))),
            _ => Err(Halt::Abandoned),
        }
    }

    /// Returns the object of a variable, which is created at its first use.
    pub fn variable(&self, path: &mut Path, id: VariableId) -> Done<usize> {
        if let Some(object) = path.statics.get(&id) {
            return Ok(*object);
        }
        let about = self.program.variable(id);
        if let Some(known) = path.frames.last().and_then(|frame| frame.variables.get(&id)) {
            return Ok(*known);
        }
        if matches!(about.storage, Storage::Global | Storage::Static) {
            return Err(Halt::Abandoned);
        }
        let size = self.program.size(&about.ty).unwrap_or(0);
        let object = path.allocate(Object::new(size.into(), false));
        if let Some(frame) = path.frames.last_mut() {
            frame.variables.insert(id, object);
        }
        Ok(object)
    }

    /// The object and the offset of an lvalue.
    pub fn locate(&self, path: &mut Path, lvalue: &Lvalue) -> Done<(usize, Arc<Term>)> {
        let (object, mut at, mut ty) = match &lvalue.base {
            LvalueBase::Variable(id) => {
                (self.variable(path, *id)?, offset(0), self.program.variable(*id).ty.clone())
            }
            LvalueBase::Deref(pointer) => {
                let ty = pointer.ty.element().cloned().unwrap_or(Type::Void);
                match self.evaluate(path, pointer)? {
                    Value::Pointer(Some(object), at) => (object, at, ty),
                    Value::Pointer(None, _) => return Err(Halt::Ends),
                    _ => return Err(Halt::Abandoned),
                }
            }
        };
        for step in &lvalue.path {
            match step {
                Projection::Field(id, field) => {
                    let field = &self.program.composite(*id).fields[*field as usize];
                    if field.bits.is_some() {
                        return Err(Halt::Abandoned);
                    }
                    at =
                        Term::binary(Binary::Add, &at, &offset(field.offset.into()), IntType::LONG);
                    ty = field.ty.clone();
                }
                Projection::Index(index) => {
                    let Value::Int(index) = self.evaluate(path, index)? else {
                        return Err(Halt::Abandoned);
                    };
                    let element = ty.element().cloned().unwrap_or(Type::Void);
                    let size = offset(self.program.size(&element).unwrap_or(1).into());
                    let moved = Term::binary(
                        Binary::Multiply,
                        &Term::cast(&index, IntType::LONG),
                        &size,
                        IntType::LONG,
                    );
                    at = shallow(path, Term::binary(Binary::Add, &at, &moved, IntType::LONG));
                    ty = element;
                }
            }
        }
        Ok((object, at))
    }

    fn access(&self) -> Access<'_> {
        Access { program: self.program }
    }

    fn size(&self, ty: &Type) -> Done<i128> {
        self.access().size(ty)
    }

    /// Assigns the value of an expression of any type.
    pub fn assign(&self, path: &mut Path, target: &Lvalue, value: &Expr) -> Done<()> {
        if target.ty.is_scalar() {
            let value = self.evaluate(path, value)?;
            let (object, at) = self.locate(path, target)?;
            return self.access().store(path, object, &at, &target.ty, &value);
        }
        let size = self.size(&target.ty)?;
        let (object, at) = self.locate(path, target)?;
        let at = at.constant().ok_or(Halt::Abandoned)?;
        if at < 0 || at + size > path.objects[object].size || !path.objects[object].alive {
            return Err(Halt::Ends);
        }
        let cells = match &value.kind {
            ExprKind::Zero if at == 0 && size == path.objects[object].size => {
                *path.object(object) = Object::new(size, true);
                return Ok(());
            }
            ExprKind::Unknown if at == 0 && size == path.objects[object].size => {
                *path.object(object) = Object::new(size, false);
                return Ok(());
            }
            ExprKind::Bytes(id) => {
                let ty = target.ty.element().and_then(Type::int).ok_or(Halt::Abandoned)?;
                let bytes = self.program.string(*id).iter().copied().chain(std::iter::repeat(0));
                let cell = |(k, byte): (i128, u8)| {
                    (k, (1, Value::Int(Term::number(ty.convert(byte.into()), ty))))
                };
                (0..size.min(4096)).zip(bytes).map(cell).collect()
            }
            ExprKind::Load(source) => {
                let (from, start) = self.locate(path, source)?;
                let start = start.constant().ok_or(Halt::Abandoned)?;
                let block = &path.objects[from];
                if start < 0 || start + size > block.size || !block.alive {
                    return Err(Halt::Ends);
                }
                self.copied(path, (from, start), size, &target.ty)?
            }
            _ => return Err(Halt::Abandoned),
        };
        let block = path.object(object);
        if block.cells.range(..at).next_back().is_some_and(|(k, (length, _))| k + length > at) {
            return Err(Halt::Abandoned);
        }
        let inside: Vec<i128> = block.cells.range(at..at + size).map(|(k, _)| *k).collect();
        inside.iter().for_each(|k| {
            block.cells.remove(k);
        });
        block.cells.extend(cells.into_iter().map(|(k, cell)| (at + k, cell)));
        Ok(())
    }

    /// Returns the values of a part. All are read first, so that copies agree.
    fn copied(
        &self,
        path: &mut Path,
        (from, start): (usize, i128),
        size: i128,
        ty: &Type,
    ) -> Done<Vec<(i128, (i128, Value))>> {
        let mut scalars = Vec::new();
        self.scalars(ty, 0, &mut scalars)?;
        let mut cells = Vec::new();
        for (at, ty) in scalars {
            let length = self.size(&ty)?;
            debug_assert!(at + length <= size, "a part is outside");
            // Pointers without a value are not copied, because reading the copy is as wrong as reading the source.
            if matches!(ty, Type::Pointer(_))
                && !path.objects[from].zero
                && !path.objects[from].cells.contains_key(&(start + at))
            {
                continue;
            }
            cells.push((at, (length, self.access().load_at(path, from, start + at, length, &ty)?)));
        }
        Ok(cells)
    }

    /// The scalar parts of a type.
    fn scalars(&self, ty: &Type, at: i128, found: &mut Vec<(i128, Type)>) -> Done<()> {
        if found.len() > 1000 {
            return Err(Halt::Abandoned);
        }
        match ty {
            Type::Composite(id) => {
                let composite = self.program.composite(*id);
                if composite.kind == canonical::CompositeKind::Union
                    || composite.fields.iter().any(|f| f.bits.is_some())
                {
                    return Err(Halt::Abandoned);
                }
                for field in &composite.fields {
                    self.scalars(&field.ty, at + i128::from(field.offset), found)?;
                }
            }
            Type::Array(element, count) => {
                let size = self.size(element)?;
                for k in 0..i128::from(count.unwrap_or(0)) {
                    self.scalars(element, at + k * size, found)?;
                }
            }
            scalar => found.push((at, scalar.clone())),
        }
        Ok(())
    }
}

fn arithmetic(operator: Binary) -> bool {
    matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply)
}

/// Requires that an operation is defined.
fn fits(path: &mut Path, operator: Binary, a: &Arc<Term>, b: &Arc<Term>) -> Done<()> {
    if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
        return if canonical::fold::integers(operator, x, y, a.ty).is_ok() {
            Ok(())
        } else {
            Err(Halt::Ends)
        };
    }
    let all = crate::numbers::Interval::of(a.ty);
    let inside = match operator {
        Binary::Add => a.interval.plus(b.interval).within(all),
        Binary::Subtract => a.interval.subtract(b.interval).within(all),
        Binary::Multiply => a.interval.multiply(b.interval).within(all),
        _ => b.constant().is_some_and(|by| by != 0 && by != -1),
    };
    if !inside {
        path.require(Condition::Fits(operator, a.clone(), b.clone()));
    }
    Ok(())
}

fn cast(path: &mut Path, value: Value, ty: &Type) -> Done<Value> {
    match (value, ty) {
        (Value::Int(term), Type::Int(int)) => Ok(Value::Int(Term::cast(&term, *int))),
        (Value::Int(term), Type::Pointer(_)) if term.constant() == Some(0) => {
            Ok(Value::Pointer(None, offset(0)))
        }
        (value @ (Value::Pointer(..) | Value::Function(_)), Type::Pointer(_)) => Ok(value),
        (Value::Pointer(object, _), Type::Int(int)) if *int == IntType::BOOL => {
            Ok(Value::Int(Term::number(object.is_some().into(), *int)))
        }
        (Value::Int(_) | Value::Other, Type::Float(_)) => Ok(Value::Other),
        (Value::Other, _) => any(path, ty),
        _ => Err(Halt::Abandoned),
    }
}
