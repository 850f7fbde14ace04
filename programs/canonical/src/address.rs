//! Finds the variables whose address is taken.

use crate::model::{ExprKind, LvalueBase, Program, VariableId};
use crate::walk;

/// Sets [`Variable::address_taken`](crate::Variable::address_taken) of all variables.
pub fn mark(program: &mut Program) {
    let mut taken: Vec<VariableId> = Vec::new();
    walk::program(program, &mut |expr| {
        if let ExprKind::AddressOf(lvalue) = &expr.kind
            && let LvalueBase::Variable(id) = lvalue.base
        {
            taken.push(id);
        }
    });
    for id in taken {
        program.variables[id.index()].address_taken = true;
    }
}
