//! Parts of memory that a value that was read may be kept in, and the steps that change them.

use canonical::{
    Call, Callee, CompositeId, CompositeKind, Expr, ExprKind, Function, IntRank, IntType, Lvalue,
    LvalueBase, Program, Projection, Storage, Type, VariableId, walk,
};

/// An integer in memory that has a fixed name: a variable, or a member or element of one, or of the
/// object that a variable points to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Home {
    /// The variable.
    pub root: VariableId,
    /// True if the variable is a pointer, and the home in the object that it points to.
    pub through: bool,
    path: Vec<Step>,
    /// The type.
    pub int: IntType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Step {
    Field(CompositeId, u32),
    Index(i128),
}

/// The expression below casts between integers, except those to `_Bool`.
pub fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(within) if within.ty.int().is_some() && !is_bool(&expr.ty) => inner(within),
        _ => expr,
    }
}

/// True for `_Bool`.
pub fn is_bool(ty: &Type) -> bool {
    matches!(ty, Type::Int(IntType { rank: IntRank::Bool, .. }))
}

/// The variable whose value a pointer has, and the element that it points to.
fn pointer(expr: &Expr) -> Option<(VariableId, i128)> {
    match &expr.kind {
        ExprKind::Cast(within) => pointer(within),
        ExprKind::Load(lvalue) => Some((lvalue.whole_variable()?, 0)),
        ExprKind::Binary(canonical::Binary::Add, left, index) => {
            let (root, first) = pointer(left)?;
            Some((root, first + inner(index).constant()?))
        }
        _ => None,
    }
}

impl Home {
    /// The home that an lvalue names; none if it is no integer, or which one depends on a value.
    pub fn of(lvalue: &Lvalue) -> Option<Self> {
        let int = lvalue.ty.int()?;
        let (root, through, first) = match &lvalue.base {
            LvalueBase::Variable(root) => (*root, false, None),
            LvalueBase::Deref(expr) => {
                let (root, at) = pointer(expr)?;
                (root, true, Some(Step::Index(at)))
            }
        };
        let steps = lvalue.path.iter().map(|step| match step {
            Projection::Field(composite, field) => Some(Step::Field(*composite, *field)),
            Projection::Index(index) => inner(index).constant().map(Step::Index),
        });
        let path = first.map(Some).into_iter().chain(steps).collect::<Option<_>>()?;
        Some(Self { root, through, path, int })
    }

    /// The home whose value an expression is, below casts between integers.
    pub fn value(expr: &Expr) -> Option<Self> {
        match &inner(expr).kind {
            ExprKind::Load(lvalue) => Self::of(lvalue),
            _ => None,
        }
    }

    /// True for a whole variable that nothing but its function can change.
    pub fn is_own(&self, source: &Program) -> bool {
        let variable = source.variable(self.root);
        let shared = matches!(variable.storage, Storage::Global | Storage::Static);
        !shared && !variable.address_taken && !self.through && self.path.is_empty()
    }

    /// True if an assignment may change the value.
    pub fn is_changed(&self, source: &Program, target: &Lvalue) -> bool {
        match &target.base {
            LvalueBase::Variable(own) if *own == self.root => {
                self.through || self.overlaps(source, &target.path)
            }
            LvalueBase::Variable(own) => {
                self.through
                    && source.variable(*own).address_taken
                    && !self.is_apart(source, target)
            }
            LvalueBase::Deref(_) => {
                (self.through || source.variable(self.root).address_taken)
                    && !self.is_apart(source, target)
            }
        }
    }

    /// True if a part of the same variable may have something in common with the home.
    fn overlaps(&self, source: &Program, path: &[Projection]) -> bool {
        self.path.iter().zip(path).all(|(own, other)| match (own, other) {
            (Step::Field(a, own), Projection::Field(b, other)) => {
                own == other || a != b || source.composite(*a).kind == CompositeKind::Union
            }
            (Step::Index(own), Projection::Index(other)) => {
                inner(other).constant().is_none_or(|other| *own == other)
            }
            _ => true,
        })
    }

    /// True for members of structs of which none is the other, by their types.
    fn is_apart(&self, source: &Program, target: &Lvalue) -> bool {
        let last = self.path.iter().rev().find_map(|step| match step {
            Step::Field(composite, field) => Some((*composite, *field)),
            Step::Index(_) => None,
        });
        let other = target.path.iter().rev().find_map(|step| match step {
            Projection::Field(composite, field) => Some((*composite, *field)),
            Projection::Index(_) => None,
        });
        let (Some(last), Some(other)) = (last, other) else { return false };
        let is_struct = |id: CompositeId| source.composite(id).kind == CompositeKind::Struct;
        last != other && is_struct(last.0) && is_struct(other.0)
    }

    /// True if a call may change the value: of a function with a body that which it can reach, of another one
    /// that which it is given a pointer to, and variables of the program. A call that reads (`reads`)
    /// changes only its result and the variables whose addresses it is given.
    pub fn is_changed_by_call(&self, source: &Program, call: &Call, reads: bool) -> bool {
        if call.result.as_ref().is_some_and(|result| self.is_changed(source, result)) {
            return true;
        }
        let given = call.arguments.iter().any(|argument| self.is_given(argument));
        if reads {
            return given;
        }
        let variable = source.variable(self.root);
        let shared = matches!(variable.storage, Storage::Global | Storage::Static);
        let has_body = |f: &Function| f.body.is_some();
        let known = match &call.callee {
            Callee::Function(id) => !has_body(source.function(*id)),
            Callee::Pointer { .. } => false,
        };
        if known {
            return given || variable.storage == Storage::Global;
        }
        shared || variable.address_taken || self.through
    }

    /// True if an argument is a pointer to the home.
    fn is_given(&self, argument: &Expr) -> bool {
        let mut found = false;
        walk::expressions(argument, &mut |expr| match &expr.kind {
            ExprKind::AddressOf(lvalue) => match &lvalue.base {
                LvalueBase::Variable(own) => found |= *own == self.root,
                LvalueBase::Deref(_) => found |= self.through,
            },
            ExprKind::Load(lvalue) if matches!(expr.ty, Type::Pointer(_)) => {
                found |= self.through && lvalue.whole_variable() == Some(self.root);
            }
            _ => {}
        });
        found
    }
}
