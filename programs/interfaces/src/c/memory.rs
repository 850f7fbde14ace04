//! Models C memory as variables. Each scalar part of a C variable is one variable, its *leaf*.

use std::collections::HashMap;

use canonical::{CompositeKind, Program, Projection, Type, VariableId};

use super::options::problem;
use crate::library::{Problem, VarId, Variable};

/// The maximum number of leaves of a C variable. A variable with more is refused.
const MOST_LEAVES: usize = 512;

/// The number of bits that model a 64-bit integer.
pub(super) const WIDE: u32 = 56;

/// The range of a scalar type.
pub(super) fn range(ty: &Type) -> (i64, i64) {
    match ty {
        Type::Int(int) if int.bits() > WIDE => match int.signed {
            true => (-(1 << (WIDE - 1)), (1 << (WIDE - 1)) - 1),
            false => (0, (1 << WIDE) - 1),
        },
        Type::Int(int) => {
            let (low, high) = int.range();
            (low as i64, high as i64)
        }
        Type::Pointer(_) => (0, 1),
        // Floating numbers are not modelled.
        _ => (0, 0),
    }
}

/// Width and sign of an integer type.
pub(super) fn width(ty: &Type) -> Option<(u32, bool)> {
    ty.int().map(|int| (int.bits().min(WIDE), int.signed))
}

/// Returns the leaves of a type: the suffixes of their names, and scalar types.
pub(super) fn leaves(program: &Program, ty: &Type) -> Result<Vec<(String, Type)>, String> {
    let mut out = Vec::new();
    collect(program, ty, "", &mut out)?;
    Ok(out)
}

fn collect(
    program: &Program,
    ty: &Type,
    name: &str,
    out: &mut Vec<(String, Type)>,
) -> Result<(), String> {
    match ty {
        Type::Array(element, Some(count)) => {
            for k in 0..*count {
                collect(program, element, &format!("{name}.{k}"), out)?;
            }
        }
        Type::Composite(id) => {
            let composite = program.composite(*id);
            if composite.kind != CompositeKind::Struct || !composite.complete {
                return Err("unions and incomplete types have no translation".to_owned());
            }
            for field in &composite.fields {
                collect(program, &field.ty, &format!("{name}.{}", field.name), out)?;
            }
        }
        scalar if scalar.is_scalar() => out.push((name.to_owned(), scalar.clone())),
        _ => return Err("arrays of unknown size have no translation".to_owned()),
    }
    match out.len() > MOST_LEAVES {
        true => Err(format!(
            "more than {MOST_LEAVES} elements have no translation: use a smaller array in the model"
        )),
        false => Ok(()),
    }
}

/// The number of leaves of a type.
pub(super) fn size(program: &Program, ty: &Type) -> usize {
    match ty {
        Type::Array(element, Some(count)) => size(program, element).saturating_mul(*count as usize),
        Type::Composite(id) => {
            program.composite(*id).fields.iter().map(|f| size(program, &f.ty)).sum()
        }
        _ => 1,
    }
}

/// The number of leaves before a field, which is one step of a path.
pub(super) fn field_offset(program: &Program, step: &Projection) -> usize {
    match step {
        Projection::Field(id, index) => {
            let fields = &program.composite(*id).fields[..*index as usize];
            fields.iter().map(|f| size(program, &f.ty)).sum()
        }
        Projection::Index(_) => 0,
    }
}

/// The meaning of a C variable: memory, or an alias of memory.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// A variable of its own: its first leaf. The other leaves follow.
    Memory(VarId),
    /// A pointer to the object whose first leaf this is.
    Points(VarId),
    /// A pointer to memory of the client, never null.
    Client,
}

/// Bindings of the variables of one scope.
pub(super) type Bindings = HashMap<VariableId, Binding>;

/// Adds the leaves of a variable of C to a list of variables whose first has number `first`.
pub(super) fn declare(
    program: &Program,
    id: VariableId,
    prefix: &str,
    first: usize,
    to: &mut Vec<Variable>,
) -> Result<VarId, Problem> {
    let v = program.variable(id);
    let name = format!("{prefix}{}", v.name.replace('%', "tmp"));
    let at = VarId(first + to.len());
    let leaves = leaves(program, &v.ty)
        .map_err(|why| problem(program, v.place, format!("`{}`: {why}", v.name)))?;
    add(leaves, &name, to);
    Ok(at)
}

/// Adds leaves to a list of variables.
pub(super) fn add(leaves: Vec<(String, Type)>, name: &str, to: &mut Vec<Variable>) {
    for (part, ty) in leaves {
        let (low, high) = range(&ty);
        let mut unique = format!("{name}{part}");
        while to.iter().any(|v| v.name == unique) {
            unique.push('_');
        }
        to.push(Variable { name: unique, low, high, initial: 0, place: Default::default() });
    }
}
