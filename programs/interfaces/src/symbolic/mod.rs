//! Represents sets of states as binary decision diagrams: integer ranges as bits, rules as relations. Computes
//! predecessors and successors of calls.

mod arithmetic;
mod call;
mod describe;
mod rules;
mod space;
mod vector;

pub(crate) use arithmetic::Compiler;
pub use call::Calls;
pub use describe::Boxes;
pub(crate) use describe::{describe_boxes, part};
pub use rules::{CompiledRule, Function};
pub(crate) use rules::{global_condition, global_domain};
pub use space::{Field, Space};
pub(crate) use vector::{Datum, Vector};

use biodivine_lib_bdd::{Bdd, BddVariable, op_function};

/// `∃ variables. a ∧ b`.
pub(crate) fn and_exists(a: &Bdd, b: &Bdd, variables: &[BddVariable]) -> Bdd {
    Bdd::binary_op_with_exists(a, b, op_function::and, variables)
}

/// Returns true if two sets have a common state.
pub(crate) fn meet(a: &Bdd, b: &Bdd) -> bool {
    !a.and(b).is_false()
}
