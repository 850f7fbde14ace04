//! Forms of expressions.

use canonical::{Lvalue, LvalueBase, VariableId};

/// Returns true if an lvalue is all of a variable, or a part of it.
pub fn is(target: &Lvalue, variable: VariableId) -> bool {
    matches!(target.base, LvalueBase::Variable(own) if own == variable)
}
