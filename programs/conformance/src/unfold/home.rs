//! Parts of memory that a value that was read may be kept in, and the steps that change them.

use canonical::{
    Call, Callee, CompositeId, CompositeKind, Expr, ExprKind, IntRank, IntType, Lvalue, LvalueBase,
    Program, Projection, Storage, Type, VariableId, walk,
};

use canonical::model::Bits;

use super::context::{Context, Effect, Member, is_unknown, member};
use crate::library;

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

    /// The bits, if it is a bit-field.
    pub fn bits(&self, source: &Program) -> Option<Bits> {
        match self.path.last()? {
            Step::Field(composite, field) => {
                source.composite(*composite).fields.get(*field as usize)?.bits
            }
            Step::Index(_) => None,
        }
    }

    /// A value as it is kept: converted to the type, and cut to the size of a bit-field.
    pub fn fit(&self, source: &Program, value: i128) -> i128 {
        let value = self.int.convert(value);
        let Some(Bits { width, .. }) = self.bits(source) else { return value };
        if width >= self.int.bits() || is_bool(&Type::Int(self.int)) {
            return value;
        }
        let low = value & ((1 << width) - 1);
        if self.int.signed && low >> (width - 1) != 0 { low - (1 << width) } else { low }
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
                    && !self.is_apart(source, member(target))
            }
            LvalueBase::Deref(_) => {
                (self.through || source.variable(self.root).address_taken)
                    && !self.is_apart(source, member(target))
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
    fn is_apart(&self, source: &Program, other: Member) -> bool {
        let last = self.path.iter().rev().find_map(|step| match step {
            Step::Field(composite, field) => Some((*composite, *field)),
            Step::Index(_) => None,
        });
        let (Some(last), Some(other)) = (last, other) else { return false };
        let is_struct = |id: CompositeId| source.composite(id).kind == CompositeKind::Struct;
        last != other && is_struct(last.0) && is_struct(other.0)
    }

    /// True if a call may change the value: of a function with a body that which it assigns, of another one that which it is
    /// given a pointer to, and of one of which nothing is known variables of the program, too. A call that reads
    /// (`reads`) changes only its result, the variables whose addresses it is given, and what its body says.
    pub fn is_changed_by_call(
        &self,
        source: &Program,
        context: &Context,
        call: &Call,
        reads: bool,
    ) -> bool {
        if call.result.as_ref().is_some_and(|result| self.is_changed(source, result)) {
            return true;
        }
        if context.is_macro(source, call)
            && call.arguments.iter().any(|a| self.is_assigned(source, a))
        {
            return true;
        }
        let inside = call.callee.targets().iter().filter_map(|target| context.effect(*target));
        if inside.into_iter().any(|effect| self.is_changed_in(source, effect)) {
            return true;
        }
        let is_absent = |callee: &Callee| {
            callee.targets().iter().any(|target| source.function(*target).body.is_none())
        };
        if !is_absent(&call.callee) && !is_unknown(source, &call.callee) {
            return false;
        }
        if reads {
            return call.arguments.iter().any(|argument| self.is_given(argument));
        }
        let unknown = is_unknown(source, &call.callee);
        let keeps = |target: &canonical::FunctionId| {
            let function = source.function(*target);
            function.body.is_some() || library::keeps_memory(&function.name)
        };
        if !unknown && call.callee.targets().iter().all(keeps) {
            return false;
        }
        let reached = |argument| self.is_given(argument) || self.may_be_given(source, argument);
        call.arguments.iter().any(reached) || unknown && self.is_reachable(source)
    }

    /// True if code of which nothing is known may change the value, whatever it is given.
    fn is_reachable(&self, source: &Program) -> bool {
        let variable = source.variable(self.root);
        variable.storage == Storage::Global || variable.address_taken && !self.through
    }

    /// True if a function with this effect may change the value.
    fn is_changed_in(&self, source: &Program, effect: &Effect) -> bool {
        let variable = source.variable(self.root);
        if effect.variables.contains(&self.root) || effect.unknown && self.is_reachable(source) {
            return true;
        }
        let by_pointer = self.through || variable.address_taken;
        let through = effect.through.iter().any(|other| !self.is_apart(source, *other));
        let named = self.through && !effect.variables.is_empty();
        by_pointer && (through || named)
    }

    /// True if an argument of a macro is the variable.
    fn is_assigned(&self, source: &Program, argument: &Expr) -> bool {
        match &argument.below_casts().kind {
            ExprKind::Load(lvalue) => self.is_changed(source, lvalue),
            _ => false,
        }
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

    /// True if an argument is a pointer that may point to the home: not one to a struct of which the members are not known.
    fn may_be_given(&self, source: &Program, argument: &Expr) -> bool {
        if !self.through && !source.variable(self.root).address_taken {
            return false;
        }
        let pointer = argument.below_casts();
        let is_stream = |ty: &Type| match ty {
            Type::Composite(id) => source.composite(*id).tag.as_deref() == Some("_IO_FILE"),
            _ => false,
        };
        match &pointer.kind {
            ExprKind::String(_) | ExprKind::Function(_) | ExprKind::AddressOf(_) => false,
            _ => pointer.ty.element().is_some_and(|ty| !is_stream(ty)),
        }
    }
}
