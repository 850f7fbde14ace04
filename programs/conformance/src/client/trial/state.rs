//! The state at a node of a graph: values of variables, and of the objects to which they point.

use std::collections::BTreeMap;

use canonical::{Binary, Expr, ExprKind, Lvalue, LvalueBase, Unary, VariableId};

use super::value::{Mark, Value};

/// A variable, or the object to which its value points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// A variable.
    Variable(VariableId),
    /// The value that a variable points to, at any index.
    Content(VariableId),
}

impl Key {
    /// The variable.
    pub fn variable(self) -> VariableId {
        match self {
            Self::Variable(id) | Self::Content(id) => id,
        }
    }
}

/// The known values. Anything else may have any value, or for a global variable any value that is stored in it
/// anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    pub known: BTreeMap<Key, Value>,
}

impl State {
    /// Joins another state; returns true if this one changes. At a loop, values that change become unknown, so loops
    /// are not counted.
    pub fn join(&mut self, other: &Self, again: bool) -> bool {
        let mut changed = false;
        self.known.retain(|key, value| {
            let Some(new) = other.known.get(key) else {
                changed = true;
                return false;
            };
            let mut joined = value.join(new);
            changed |= joined != *value;
            if again && joined.set != value.set {
                joined.set = None;
            }
            *value = joined;
            true
        });
        changed
    }
}

/// Returns true for an element of an array. (A member has its object as an index.)
pub fn is_element(lvalue: &Lvalue) -> bool {
    !lvalue.path.is_empty() && matches!(lvalue.base, LvalueBase::Deref(_))
}

/// The variable, or the variable that stands for a member.
pub fn variable(lvalue: &Lvalue) -> Option<VariableId> {
    match lvalue.base {
        LvalueBase::Variable(id) => Some(id),
        LvalueBase::Deref(_) => None,
    }
}

/// Returns the key of an lvalue; `None` for memory that is not followed.
pub fn key(lvalue: &Lvalue) -> Option<Key> {
    match &lvalue.base {
        LvalueBase::Variable(id) => Some(Key::Variable(*id)),
        LvalueBase::Deref(pointer) => match &pointer.kind {
            ExprKind::Load(inner) => variable(inner).map(Key::Content),
            ExprKind::AddressOf(inner) => variable(inner).map(Key::Variable),
            _ => None,
        },
    }
}

/// Returns the object to which an argument points: a variable whose address it is, or the target of a pointer.
pub fn pointed(argument: &Expr) -> Option<Key> {
    match &argument.kind {
        ExprKind::AddressOf(inner) => variable(inner).map(Key::Variable),
        ExprKind::Load(inner) => variable(inner).map(Key::Content),
        _ => None,
    }
}

/// Returns the value of an expression. `of` returns the values of variables and contents.
pub fn value(expr: &Expr, of: &mut impl FnMut(Key) -> Value) -> Value {
    match &expr.kind {
        ExprKind::Int(value) => Value::of(*value, Mark::NONE),
        ExprKind::Load(lvalue) => {
            let index = index_mark(lvalue, of);
            let mut found = key(lvalue).map_or(Value::ANY, &mut *of);
            found.mark = found.mark.with(index);
            found
        }
        ExprKind::Unary(operator, operand) => value(operand, of).unary(*operator),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (value(left, of), value(right, of));
            left.binary(*operator, &right)
        }
        ExprKind::Cast(operand) => value(operand, of),
        ExprKind::AddressOf(inner) => Value::any(index_mark(inner, of)),
        _ => Value::ANY,
    }
}

/// Returns the tags from which the indices of an lvalue come.
pub fn index_mark(lvalue: &Lvalue, of: &mut impl FnMut(Key) -> Value) -> Mark {
    let mut mark = Mark::NONE;
    for step in &lvalue.path {
        if let canonical::Projection::Index(index) = step {
            mark = mark.with(value(index, of).mark);
        }
    }
    mark
}

/// Returns the state after a condition holds or does not hold. Operands that are compared with constants have fewer
/// values then.
pub fn refine(
    state: &mut State,
    condition: &Expr,
    holds: bool,
    before: &mut impl FnMut(Key) -> Value,
) {
    let (lvalue, operator, constant) = match &condition.kind {
        ExprKind::Load(lvalue) => (lvalue, Binary::NotEqual, 0),
        ExprKind::Unary(Unary::Not, inner) => return refine(state, inner, !holds, before),
        ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
            match (&left.kind, &value(right, before).set) {
                (ExprKind::Load(lvalue), Some(set)) if set.len() == 1 => {
                    (lvalue, *operator, set[0])
                }
                _ => return,
            }
        }
        _ => return,
    };
    let Some(key) = key(lvalue).filter(|_| !is_element(lvalue)) else { return };
    let found = before(key);
    let set = match found.set {
        Some(set) => {
            let fits = |v: &i128| canonical::fold::compare(operator, v, &constant) == holds;
            Some(set.into_iter().filter(fits).collect())
        }
        None if (operator == Binary::Equal) == holds
            && matches!(operator, Binary::Equal | Binary::NotEqual) =>
        {
            Some(vec![constant])
        }
        None => None,
    };
    state.known.insert(key, Value { set, mark: found.mark });
}
