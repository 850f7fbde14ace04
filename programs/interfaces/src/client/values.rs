//! Values of a client's variables that are known on a path. Conditions on them decide how the path continues.
//!
//! Only integers in local variables whose address is not taken are followed. Counting loops are executed.

use std::collections::BTreeMap;

use canonical::fold::{integer, integers};
use canonical::model::Storage;
use canonical::{
    Binary, Expr, ExprKind, FunctionId, IntType, Lvalue, Program, Type, Unary, VariableId,
};

/// A value that is at least partly known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Known {
    /// The value is this number.
    Is(i128),
    /// It is not zero.
    NotZero,
}

/// The values of variables, as far as they are known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Values {
    known: BTreeMap<VariableId, Known>,
    /// The value that a function has just returned.
    returned: Option<Known>,
    /// True if no values are followed.
    off: bool,
}

impl Values {
    /// Creates values of which none is ever known.
    pub fn off() -> Self {
        Self { off: true, ..Self::default() }
    }

    /// Stores a value.
    pub fn assign(&mut self, program: &Program, target: &Lvalue, value: Option<Known>) {
        let Some(variable) = target.whole_variable() else { return };
        match value.filter(|_| !self.off && is_followed(program, variable)) {
            Some(value) => self.known.insert(variable, value),
            None => self.known.remove(&variable),
        };
    }

    /// Enters a function with these arguments. Its other variables are unknown.
    pub fn enter(&mut self, program: &Program, function: FunctionId, arguments: &[Expr]) {
        let values: Vec<Option<Known>> = arguments.iter().map(|a| self.value(a)).collect();
        self.forget(program, function);
        for (parameter, value) in program.function(function).parameters.iter().zip(values) {
            let Some(value) = value.filter(|_| !self.off) else { continue };
            if is_followed(program, *parameter) {
                self.known.insert(*parameter, value);
            }
        }
    }

    /// Keeps the value that a function returns, for [`Values::leave`].
    pub fn returns(&mut self, value: Option<&Expr>) {
        self.returned = value.and_then(|v| self.value(v)).filter(|_| !self.off);
    }

    /// Leaves a function. From now on, its variables may belong to another activation.
    pub fn leave(&mut self, program: &Program, function: FunctionId, result: Option<&Lvalue>) {
        self.forget(program, function);
        let value = self.returned.take();
        if let Some(result) = result {
            self.assign(program, result, value);
        }
    }

    fn forget(&mut self, program: &Program, function: FunctionId) {
        self.known.retain(|v, _| program.variable(*v).function != Some(function));
    }

    /// Returns true if a condition may hold (or may not hold, if `holds` is false). Then records that fact.
    pub fn assume(&mut self, program: &Program, condition: &Expr, holds: bool) -> bool {
        let possible = match self.value(condition) {
            Some(Known::Is(value)) => (value != 0) == holds,
            Some(Known::NotZero) => holds,
            None => true,
        };
        if possible {
            self.learn(program, condition, holds);
        }
        possible
    }

    fn learn(&mut self, program: &Program, condition: &Expr, holds: bool) {
        let (variable, known) = match &condition.kind {
            ExprKind::Unary(Unary::Not, inner) => return self.learn(program, inner, !holds),
            ExprKind::Load(lvalue) => (lvalue, if holds { Known::NotZero } else { Known::Is(0) }),
            ExprKind::Binary(operator @ (Binary::Equal | Binary::NotEqual), left, right) => {
                let (ExprKind::Load(lvalue), Some(Known::Is(value))) =
                    (&left.kind, self.value(right))
                else {
                    return;
                };
                match ((*operator == Binary::Equal) == holds, value) {
                    (true, value) => (lvalue, Known::Is(value)),
                    (false, 0) => (lvalue, Known::NotZero),
                    (false, _) => return,
                }
            }
            _ => return,
        };
        // A number that is already known is more precise.
        let is_number = |v| matches!(self.known.get(&v), Some(Known::Is(_)));
        if variable.whole_variable().is_some_and(|v| !is_number(v)) {
            self.assign(program, variable, Some(known));
        }
    }

    /// The number that an expression has, if it is known.
    pub fn number(&self, expr: &Expr) -> Option<i64> {
        match self.value(expr)? {
            Known::Is(value) => i64::try_from(value).ok(),
            Known::NotZero => None,
        }
    }

    /// Returns the value of an expression, as far as it is known.
    pub fn value(&self, expr: &Expr) -> Option<Known> {
        match (&expr.kind, &expr.ty) {
            (ExprKind::Int(value), _) => Some(Known::Is(*value)),
            (ExprKind::Load(lvalue), _) => self.known.get(&lvalue.whole_variable()?).copied(),
            (ExprKind::Cast(inner), Type::Int(to)) => match (self.value(inner)?, inner.ty.int()) {
                (Known::Is(value), Some(_)) => Some(Known::Is(to.convert(value))),
                (Known::NotZero, Some(from))
                    if *to == IntType::BOOL || to.bits() >= from.bits() =>
                {
                    Some(if *to == IntType::BOOL { Known::Is(1) } else { Known::NotZero })
                }
                _ => None,
            },
            (ExprKind::Unary(operator, inner), _) => {
                let ty = inner.ty.int()?;
                match (self.value(inner)?, operator) {
                    (Known::Is(value), _) => integer(*operator, value, ty).ok().map(Known::Is),
                    (Known::NotZero, Unary::Not) => Some(Known::Is(0)),
                    _ => None,
                }
            }
            (ExprKind::Binary(operator, left, right), _) => {
                let ty = left.ty.int()?;
                match (self.value(left)?, self.value(right)?, operator) {
                    (Known::Is(a), Known::Is(b), _) => {
                        integers(*operator, a, b, ty).ok().map(Known::Is)
                    }
                    (Known::NotZero, Known::Is(0), Binary::Equal) => Some(Known::Is(0)),
                    (Known::NotZero, Known::Is(0), Binary::NotEqual) => Some(Known::Is(1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns true if only assignments by name change a variable.
fn is_followed(program: &Program, variable: VariableId) -> bool {
    let variable = program.variable(variable);
    let local =
        matches!(variable.storage, Storage::Parameter | Storage::Local | Storage::Temporary);
    local && !variable.address_taken && matches!(variable.ty, Type::Int(_))
}
