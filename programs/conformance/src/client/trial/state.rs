//! The state at a node of a graph: values of variables, and of what they point to.

use std::collections::BTreeMap;

use canonical::{Binary, Expr, ExprKind, Lvalue, LvalueBase, Unary, VariableId};

use super::value::{Mark, Value};

/// A variable, or what its value points to.
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

/// Values of what is known; anything else has any value, or as a variable of the program what is
/// stored there anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct State {
    pub known: BTreeMap<Key, Value>,
}

impl State {
    /// Joins another state; true if this changes. If it is that behind a loop, what changes may have any
    /// value, so that loops are not counted.
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

/// True for an element of an array; a member has its object for an index.
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

/// The key of an lvalue; none for memory that is not followed.
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

/// The object that an argument points to: a variable by its address, or what a pointer points to.
pub fn pointed(argument: &Expr) -> Option<Key> {
    match &argument.kind {
        ExprKind::AddressOf(inner) => variable(inner).map(Key::Variable),
        ExprKind::Load(inner) => variable(inner).map(Key::Content),
        _ => None,
    }
}

/// The value of an expression; `of` has those of variables and contents.
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

/// The tags that the indices of an lvalue come from.
pub fn index_mark(lvalue: &Lvalue, of: &mut impl FnMut(Key) -> Value) -> Mark {
    let mut mark = Mark::NONE;
    for step in &lvalue.path {
        if let canonical::Projection::Index(index) = step {
            mark = mark.with(value(index, of).mark);
        }
    }
    mark
}

/// The state after a condition holds, or does not: what is compared with constants has fewer values.
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
