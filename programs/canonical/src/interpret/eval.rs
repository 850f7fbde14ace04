//! Values of expressions, and access to memory by types.

use super::memory::function_address;
use super::{Fault, Host, Machine, Value};
use crate::fold::{self, Undefined};
use crate::model::{
    Binary, Bits, Expr, ExprKind, FloatType, IntType, Lvalue, LvalueBase, Projection, StringId,
    Type, Unary,
};

impl From<Undefined> for Fault {
    fn from(undefined: Undefined) -> Self {
        match undefined {
            Undefined::Overflow => Self::Overflow,
            Undefined::DivisionByZero => Self::DivisionByZero,
            Undefined::Shift => Self::Shift,
        }
    }
}

impl Machine<'_> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, expr: &Expr, host: &mut dyn Host) -> Result<Value, Fault> {
        Ok(match &expr.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::String(id) => Value::Int(self.string(*id)?.into()),
            ExprKind::Bytes(id) => {
                let mut bytes = self.program.string(*id).to_vec();
                bytes.resize(self.size(&expr.ty), 0);
                Value::Bytes(bytes)
            }
            ExprKind::Zero => match &expr.ty {
                Type::Void => Value::Void,
                Type::Float(_) => Value::Float(0.0),
                ty if ty.is_scalar() => Value::Int(0),
                ty => Value::Bytes(vec![0; self.size(ty)]),
            },
            ExprKind::Function(id) => Value::Int(function_address(id.0).into()),
            ExprKind::Load(lvalue) => {
                let (address, bits) = self.locate(lvalue, host)?;
                self.read(address, &lvalue.ty, bits)?
            }
            ExprKind::AddressOf(lvalue) => Value::Int(self.locate(lvalue, host)?.0.into()),
            ExprKind::Unary(operator, operand) => {
                let value = self.evaluate(operand, host)?;
                unary(*operator, &value, &operand.ty)?
            }
            ExprKind::Binary(operator, left, right) => {
                let (a, b) = (self.evaluate(left, host)?, self.evaluate(right, host)?);
                self.binary(*operator, (&a, &left.ty), (&b, &right.ty))?
            }
            ExprKind::Cast(operand) => {
                let value = self.evaluate(operand, host)?;
                cast(&value, &expr.ty)?
            }
            ExprKind::Unknown => match &expr.ty {
                ty if ty.is_scalar() => cast(&Value::Int(host.unknown(ty)), ty)?,
                ty => Value::Bytes(vec![0; self.size(ty)]),
            },
        })
    }

    /// Stores a value in an lvalue.
    pub(super) fn store(
        &mut self,
        target: &Lvalue,
        value: &Value,
        host: &mut dyn Host,
    ) -> Result<(), Fault> {
        let (address, bits) = self.locate(target, host)?;
        self.write(address, &target.ty, bits, value)
    }

    fn size(&self, ty: &Type) -> usize {
        self.program.size(ty).and_then(|size| usize::try_from(size).ok()).unwrap_or(0)
    }

    fn string(&mut self, id: StringId) -> Result<u64, Fault> {
        if let Some(address) = self.strings.get(&id.0) {
            return Ok(*address);
        }
        let bytes = self.program.string(id);
        let address = self.memory.allocate(bytes.len() as u64, true)?;
        self.memory.write(address, bytes)?;
        self.strings.insert(id.0, address);
        Ok(address)
    }

    /// The address of an lvalue, and the bits if it is a bit-field.
    fn locate(
        &mut self,
        lvalue: &Lvalue,
        host: &mut dyn Host,
    ) -> Result<(u64, Option<Bits>), Fault> {
        let program = self.program;
        let (mut address, mut ty) = match &lvalue.base {
            LvalueBase::Variable(id) => {
                (i128::from(self.address_of(*id)?), program.variable(*id).ty.clone())
            }
            LvalueBase::Deref(pointer) => {
                let value = self.evaluate(pointer, host)?;
                let Value::Int(address) = value else { return Err(Fault::WildPointer) };
                (address, pointer.ty.element().cloned().unwrap_or(Type::Void))
            }
        };
        let mut bits = None;
        for step in &lvalue.path {
            match step {
                Projection::Field(id, field) => {
                    let field = &program.composite(*id).fields[*field as usize];
                    address += i128::from(field.offset);
                    (ty, bits) = (field.ty.clone(), field.bits);
                }
                Projection::Index(index) => {
                    let Value::Int(index) = self.evaluate(index, host)? else {
                        return Err(Fault::WildPointer);
                    };
                    let element = ty.element().cloned().unwrap_or(Type::Void);
                    let size = program.size(&element).unwrap_or(1);
                    address += index.saturating_mul(size.into());
                    ty = element;
                }
            }
        }
        let address = u64::try_from(IntType::SIZE.convert(address)).unwrap_or(0);
        Ok((address, bits))
    }

    /// Reads a value of a type.
    pub(super) fn read(&self, address: u64, ty: &Type, bits: Option<Bits>) -> Result<Value, Fault> {
        let bytes = self.memory.read(address, self.size(ty) as u64)?;
        Ok(match ty {
            Type::Int(int) => {
                let value = number(bytes);
                Value::Int(match bits {
                    Some(Bits { start, width }) => {
                        let field = value >> start & ((1 << width) - 1);
                        let negative = int.signed && field >> (width - 1) != 0;
                        if negative { field - (1 << width) } else { field }
                    }
                    None => int.convert(value),
                })
            }
            Type::Pointer(_) => Value::Int(number(bytes)),
            Type::Float(FloatType::Float) => {
                let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
                Value::Float(f32::from_le_bytes(bytes).into())
            }
            Type::Float(_) => {
                let bytes: [u8; 8] = bytes[..8].try_into().unwrap_or_default();
                Value::Float(f64::from_le_bytes(bytes))
            }
            _ => Value::Bytes(bytes.to_vec()),
        })
    }

    /// Writes a value of a type.
    #[allow(clippy::cast_possible_truncation)] // Floating numbers are rounded already.
    pub(super) fn write(
        &mut self,
        address: u64,
        ty: &Type,
        bits: Option<Bits>,
        value: &Value,
    ) -> Result<(), Fault> {
        let size = self.size(ty);
        let bytes = match (value, ty) {
            (Value::Int(value), _) => {
                let mut value = *value;
                if let Some(Bits { start, width }) = bits {
                    let mask = ((1i128 << width) - 1) << start;
                    let before = number(self.memory.read(address, size as u64)?);
                    value = before & !mask | value << start & mask;
                }
                value.to_le_bytes()[..size.min(16)].to_vec()
            }
            (Value::Float(value), Type::Float(FloatType::Float)) => {
                (*value as f32).to_le_bytes().to_vec()
            }
            (Value::Float(value), _) => {
                let mut bytes = value.to_le_bytes().to_vec();
                bytes.resize(size, 0);
                bytes
            }
            (Value::Bytes(bytes), _) => bytes.clone(),
            // The function returns no value, but the caller needs one.
            (Value::Void, _) => return Ok(()),
        };
        self.memory.write(address, &bytes)
    }

    fn binary(
        &self,
        operator: Binary,
        (left, left_type): (&Value, &Type),
        (right, right_type): (&Value, &Type),
    ) -> Result<Value, Fault> {
        let (a, b) = match (left, right) {
            (Value::Int(a), Value::Int(b)) => (*a, *b),
            (Value::Float(a), Value::Float(b)) if operator.is_comparison() => {
                return Ok(Value::Int(fold::compare(operator, a, b).into()));
            }
            (Value::Float(a), Value::Float(b)) => {
                let ty = match left_type {
                    Type::Float(ty) => *ty,
                    _ => FloatType::Double,
                };
                return Ok(Value::Float(fold::floats(operator, *a, *b, ty)));
            }
            _ => return Err(Fault::WildPointer),
        };
        let Some(int) = left_type.int() else {
            return Ok(Value::Int(self.pointers(operator, a, b, left_type, right_type)));
        };
        Ok(Value::Int(fold::integers(operator, a, b, int)?))
    }

    fn pointers(&self, operator: Binary, a: i128, b: i128, left: &Type, right: &Type) -> i128 {
        let element = left.element().and_then(|element| self.program.size(element));
        let size = i128::from(element.unwrap_or(1).max(1));
        let address = |value| IntType::SIZE.convert(value);
        match operator {
            Binary::Add => address(a + b.saturating_mul(size)),
            Binary::Subtract if right.int().is_some() => address(a - b.saturating_mul(size)),
            Binary::Subtract => (a - b) / size,
            _ => fold::compare(operator, &a, &b).into(),
        }
    }

    /// Evaluates functions that the compiler knows and that need the frame; returns `None` for others.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &[Value],
        result: Option<&Type>,
    ) -> Result<Option<Value>, Fault> {
        let address = |k: usize| match arguments.get(k) {
            Some(Value::Int(address)) => u64::try_from(*address).map_err(|_| Fault::WildPointer),
            _ => Err(Fault::WildPointer),
        };
        match name {
            "__builtin_alloca" | "alloca" => {
                let memory = self.memory.allocate(address(0)?, false)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.allocated.push(memory);
                }
                Ok(Some(Value::Int(memory.into())))
            }
            "__builtin_va_start" => {
                let further = match self.frames.last() {
                    Some(frame) => frame.further.clone(),
                    None => Vec::new(),
                };
                let size = Type::Int(IntType::SIZE);
                let list = self.memory.allocate(8 * further.len() as u64, true)?;
                if let Some(frame) = self.frames.last_mut() {
                    frame.allocated.push(list);
                }
                for (value, at) in further.iter().zip((list..).step_by(8)) {
                    let ty = match value {
                        Value::Float(_) => Type::Float(FloatType::Double),
                        _ => size.clone(),
                    };
                    self.write(at, &ty, None, value)?;
                }
                self.write(address(0)?, &size, None, &Value::Int(list.into()))?;
                Ok(Some(Value::Void))
            }
            "__builtin_va_arg" => {
                let pointer = Type::Void.pointer();
                let Value::Int(at) = self.read(address(0)?, &pointer, None)? else {
                    return Err(Fault::WildPointer);
                };
                let next = u64::try_from(at).map_err(|_| Fault::WildPointer)?;
                let value = self.read(next, result.unwrap_or(&pointer), None)?;
                self.write(address(0)?, &pointer, None, &Value::Int(at + 8))?;
                Ok(Some(value))
            }
            "__builtin_va_copy" => {
                let list = self.memory.read(address(1)?, 24)?.to_vec();
                self.memory.write(address(0)?, &list)?;
                Ok(Some(Value::Void))
            }
            "__builtin_va_end" => Ok(Some(Value::Void)),
            _ => Ok(None),
        }
    }
}

/// A little-endian unsigned number.
fn number(bytes: &[u8]) -> i128 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | i128::from(*byte))
}

fn unary(operator: Unary, value: &Value, ty: &Type) -> Result<Value, Fault> {
    Ok(match (value, ty) {
        (Value::Float(value), _) if operator == Unary::Not => Value::Int(i128::from(*value == 0.0)),
        (Value::Float(value), _) => Value::Float(-value),
        (Value::Int(value), ty) => {
            let int = ty.int().unwrap_or(IntType::SIZE);
            Value::Int(fold::integer(operator, *value, int)?)
        }
        _ => return Err(Fault::WildPointer),
    })
}

/// A conversion.
#[allow(clippy::cast_precision_loss)] // As in C.
fn cast(value: &Value, ty: &Type) -> Result<Value, Fault> {
    Ok(match (value, ty) {
        (Value::Int(value), Type::Int(int)) => Value::Int(int.convert(*value)),
        (Value::Int(value), Type::Pointer(_)) => Value::Int(IntType::SIZE.convert(*value)),
        (Value::Int(value), Type::Float(FloatType::Float)) => Value::Float((*value as f32).into()),
        (Value::Int(value), Type::Float(_)) => Value::Float(*value as f64),
        (Value::Float(value), Type::Float(float)) => Value::Float(fold::round(*value, *float)),
        (Value::Float(value), Type::Int(int)) => {
            Value::Int(fold::truncate(*value, *int).ok_or(Fault::Overflow)?)
        }
        (_, Type::Void) => Value::Void,
        (value, _) => value.clone(),
    })
}
