//! Reads and writes of scalars on one path.

use std::sync::Arc;

use canonical::{Binary, IntType, Program, Type};

use super::path::{Halt, Path, Value};
use super::term::{Condition, Term};

/// The maximum number of places to which an access with an unknown index may refer.
const PLACES: i128 = 64;

/// Access to the memory of paths.
pub struct Access<'p> {
    /// The program.
    pub program: &'p Program,
}

type Done<T> = Result<T, Halt>;

impl Access<'_> {
    /// The size of a type in bytes.
    pub fn size(&self, ty: &Type) -> Done<i128> {
        self.program.size(ty).map(i128::from).ok_or(Halt::Abandoned)
    }

    /// Returns the offsets, for parts of a given size, that a term may equal, with the condition that it equals one of
    /// them.
    fn offsets(
        &self,
        path: &mut Path,
        object: usize,
        at: &Arc<Term>,
        size: i128,
    ) -> Done<Vec<i128>> {
        let whole = path.objects[object].size;
        if !path.objects[object].alive {
            return Err(Halt::Ends);
        }
        if let Some(at) = at.constant() {
            return if at >= 0 && at + size <= whole { Ok(vec![at]) } else { Err(Halt::Ends) };
        }
        let count = whole / size.max(1);
        if count > PLACES || whole % size.max(1) != 0 {
            return Err(Halt::Abandoned);
        }
        let last = offset(whole - size);
        path.require(Condition::True(Term::binary(
            Binary::GreaterEqual,
            at,
            &offset(0),
            IntType::INT,
        )));
        path.require(Condition::True(Term::binary(Binary::LessEqual, at, &last, IntType::INT)));
        let all: Vec<i128> = (0..count).map(|k| k * size).collect();
        let possible = all.into_iter().filter(|k| at.interval.contains(*k)).collect::<Vec<_>>();
        if possible.is_empty() { Err(Halt::Abandoned) } else { Ok(possible) }
    }

    /// Reads a scalar.
    pub fn load(&self, path: &mut Path, object: usize, at: &Arc<Term>, ty: &Type) -> Done<Value> {
        let size = self.size(ty)?;
        let places = self.offsets(path, object, at, size)?;
        let mut found: Option<Value> = None;
        for place in places.into_iter().rev() {
            let value = self.load_at(path, object, place, size, ty)?;
            found = Some(match (found, value) {
                (None, value) => value,
                (Some(Value::Int(other)), Value::Int(value)) => {
                    let here = Term::binary(Binary::Equal, at, &offset(place), IntType::INT);
                    Value::Int(shallow(path, Term::choice(&here, &value, &other)))
                }
                (Some(Value::Other), Value::Other) => Value::Other,
                _ => return Err(Halt::Abandoned),
            });
        }
        found.ok_or(Halt::Abandoned)
    }

    /// Reads a scalar at an offset, which is inside.
    pub fn load_at(
        &self,
        path: &mut Path,
        object: usize,
        at: i128,
        size: i128,
        ty: &Type,
    ) -> Done<Value> {
        let block = &path.objects[object];
        if let Some((length, value)) = block.cells.get(&at)
            && *length == size
        {
            return match (value, ty) {
                (Value::Int(term), Type::Int(int)) => Ok(Value::Int(Term::cast(term, *int))),
                (Value::Pointer(..) | Value::Function(_), Type::Pointer(_))
                | (Value::Other, Type::Float(_)) => Ok(value.clone()),
                _ => Err(Halt::Abandoned),
            };
        }
        if block.overlaps(at, size) {
            return Err(Halt::Abandoned);
        }
        let value = if block.zero { zero(ty)? } else { any(path, ty)? };
        path.object(object).cells.insert(at, (size, value.clone()));
        Ok(value)
    }

    /// Writes a scalar.
    pub fn store(
        &self,
        path: &mut Path,
        object: usize,
        at: &Arc<Term>,
        ty: &Type,
        value: &Value,
    ) -> Done<()> {
        let size = self.size(ty)?;
        let places = self.offsets(path, object, at, size)?;
        let only = places.len() == 1 && at.constant().is_some();
        for place in places {
            let stored = if only {
                value.clone()
            } else {
                let before = self.load_at(path, object, place, size, ty)?;
                let here = Term::binary(Binary::Equal, at, &offset(place), IntType::INT);
                match (value, before) {
                    (Value::Int(new), Value::Int(old)) => {
                        Value::Int(shallow(path, Term::choice(&here, new, &old)))
                    }
                    (Value::Other, Value::Other) => Value::Other,
                    _ => return Err(Halt::Abandoned),
                }
            };
            let block = path.object(object);
            if block.overlaps(place, size) {
                return Err(Halt::Abandoned);
            }
            block.cells.insert(place, (size, stored));
        }
        Ok(())
    }
}

/// An offset.
pub fn offset(value: i128) -> Arc<Term> {
    Term::number(IntType::LONG.convert(value), IntType::LONG)
}

/// Returns an unknown value.
pub fn any(path: &mut Path, ty: &Type) -> Done<Value> {
    match ty {
        Type::Int(int) => Ok(Value::Int(path.unknown(*int, false))),
        Type::Float(_) => Ok(Value::Other),
        _ => Err(Halt::Abandoned),
    }
}

/// Zero, or null.
pub fn zero(ty: &Type) -> Done<Value> {
    match ty {
        Type::Int(int) => Ok(Value::Int(Term::number(0, *int))),
        Type::Float(_) => Ok(Value::Other),
        Type::Pointer(_) => Ok(Value::Pointer(None, offset(0))),
        _ => Err(Halt::Abandoned),
    }
}

/// A term, or an unknown number if it is too deep.
pub fn shallow(path: &mut Path, term: Arc<Term>) -> Arc<Term> {
    if term.too_deep() { path.unknown(term.ty, false) } else { term }
}
