//! Finds the memory to which a pointer may point if its value is not followed.

use std::collections::HashSet;

use canonical::walk;
use canonical::{Expr, ExprKind, Graph, IntRank, LvalueBase, Program, Storage, Type, VariableId};

use super::memory::{Binding, Bindings, leaves};

/// The types of all memory of the library whose address is taken.
#[derive(Debug, Default)]
pub(super) struct Aliased {
    scalars: HashSet<Type>,
    composites: HashSet<Type>,
}

impl Aliased {
    /// Examines all variables, and the addresses of parts of objects to which parameters point.
    pub(super) fn of(program: &Program) -> Self {
        let mut out = Self::default();
        for v in &program.variables {
            out.composites(program, &v.ty);
            out.composites(program, v.ty.element().unwrap_or(&Type::Void));
            if v.address_taken {
                out.add(program, &v.ty);
            }
        }
        for (_, _, graph) in program.defined() {
            walk::graph(graph, &mut |expr| match &expr.kind {
                ExprKind::AddressOf(lvalue) => {
                    if let LvalueBase::Deref(pointer) = &lvalue.base
                        && matches!(pointer.ty.element(), Some(Type::Composite(_)))
                    {
                        out.add(program, &lvalue.ty);
                    }
                }
                // A struct that is accessed as another type.
                ExprKind::Cast(inner) => {
                    let from = inner.ty.element();
                    if let Some(ty @ Type::Composite(_)) = from
                        && !matches!(
                            expr.ty.element(),
                            None | Some(Type::Void) | Some(Type::Composite(_))
                        )
                    {
                        out.add(program, &ty.clone());
                    }
                }
                _ => {}
            });
        }
        out
    }

    fn add(&mut self, program: &Program, ty: &Type) {
        self.scalars.extend(leaves(program, ty).unwrap_or_default().into_iter().map(|(_, ty)| ty));
    }

    fn composites(&mut self, program: &Program, ty: &Type) {
        match ty {
            Type::Array(element, _) => self.composites(program, element),
            Type::Composite(id) if self.composites.insert(ty.clone()) => {
                for field in &program.composite(*id).fields {
                    self.composites(program, &field.ty);
                }
            }
            _ => {}
        }
    }

    /// Returns true if a pointer to this type may point into memory of the library. Signed and unsigned integers may
    /// alias, and all memory may be accessed as characters.
    pub(super) fn contains(&self, ty: &Type) -> bool {
        match ty {
            Type::Composite(_) => self.composites.contains(ty),
            Type::Void => !self.scalars.is_empty() || !self.composites.is_empty(),
            Type::Int(int) if int.rank == IntRank::Char => !self.scalars.is_empty(),
            Type::Int(int) => self.scalars.iter().any(|part| match part.int() {
                Some(other) => other.bits() == int.bits() || other.rank == IntRank::Char,
                None => false,
            }),
            Type::Pointer(_) => self.scalars.iter().any(|part| matches!(part, Type::Pointer(_))),
            Type::Array(element, _) => self.contains(element),
            other => self.scalars.contains(other),
        }
    }
}

/// Finds the local pointers of a function that only point into memory of the client, if some parameters do at the call.
pub(super) fn of_client(
    program: &Program,
    graph: &Graph,
    bindings: &Bindings,
    parameters: &HashSet<VariableId>,
) -> HashSet<VariableId> {
    let mut assigned: Vec<(VariableId, Option<&Expr>)> = Vec::new();
    for (v, value) in graph.assigned() {
        let variable = program.variable(v);
        let is_local = matches!(variable.storage, Storage::Local | Storage::Temporary);
        if (is_local || parameters.contains(&v))
            && !variable.address_taken
            && matches!(variable.ty, Type::Pointer(_))
        {
            assigned.push((v, value));
        }
    }
    let mut out: HashSet<VariableId> = assigned.iter().map(|(v, _)| *v).collect();
    out.extend(parameters.iter().filter(|v| !program.variable(**v).address_taken));
    loop {
        let is_client =
            |v: VariableId| out.contains(&v) || matches!(bindings.get(&v), Some(Binding::Client));
        let others = assigned
            .iter()
            .filter(|(_, value)| value.is_none_or(|value| !derives(value, &is_client)));
        let wrong: Vec<VariableId> = others.map(|(v, _)| *v).filter(|v| out.contains(v)).collect();
        if wrong.is_empty() {
            return out;
        }
        wrong.iter().for_each(|v| {
            out.remove(v);
        });
    }
}

/// Returns true for null, and for pointers into memory to which one of some variables points, directly or through other
/// pointers.
pub(super) fn derives(pointer: &Expr, is_client: &impl Fn(VariableId) -> bool) -> bool {
    match &pointer.kind {
        ExprKind::Int(0) => true,
        ExprKind::Cast(inner) => derives(inner, is_client),
        ExprKind::Binary(_, base, _) => derives(base, is_client),
        ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => match &lvalue.base {
            LvalueBase::Variable(v) => {
                lvalue.path.is_empty() && matches!(pointer.kind, ExprKind::Load(_)) && is_client(*v)
            }
            LvalueBase::Deref(inner) => derives(inner, is_client),
        },
        _ => false,
    }
}
