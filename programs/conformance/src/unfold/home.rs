//! Parts of memory that may hold a value that was read, and the steps that change them.

use canonical::{
    CompositeId, CompositeKind, Expr, ExprKind, IntRank, IntType, Lvalue, LvalueBase, Program,
    Projection, Type, VariableId,
};

use canonical::model::Bits;

/// An integer in memory that has a fixed name: a variable, or a member or element of one, or of the
/// object that a variable points to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Home {
    /// The variable.
    pub root: VariableId,
    /// True if the variable is a pointer and the home is in the object to which it points.
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

/// The last member on the path to a part of memory; `None` if the part is not in a struct.
pub type Member = Option<(CompositeId, u32)>;

/// The last member on the way to an lvalue.
pub fn member(target: &Lvalue) -> Member {
    target.path.iter().rev().find_map(|step| match step {
        Projection::Field(composite, field) => Some((*composite, *field)),
        Projection::Index(_) => None,
    })
}

/// Returns the expression below casts between integers, except casts to `_Bool`.
pub fn inner(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(within) if within.ty.int().is_some() && !is_bool(&expr.ty) => inner(within),
        _ => expr,
    }
}

/// Returns true for `_Bool`.
pub fn is_bool(ty: &Type) -> bool {
    matches!(ty, Type::Int(IntType { rank: IntRank::Bool, .. }))
}

/// Returns the variable whose value a pointer has, and the element to which it points.
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
    /// Returns the home that an lvalue names; `None` if it is not an integer or depends on a value.
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

    /// Returns a value as it is stored: converted to the type, and truncated to the size of a bit-field.
    pub fn fit(&self, source: &Program, value: i128) -> i128 {
        let value = self.int.convert(value);
        let Some(Bits { width, .. }) = self.bits(source) else { return value };
        if width >= self.int.bits() || is_bool(&Type::Int(self.int)) {
            return value;
        }
        let low = value & ((1 << width) - 1);
        if self.int.signed && low >> (width - 1) != 0 { low - (1 << width) } else { low }
    }

    /// Returns true if an assignment may change the value.
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

    /// Returns true if a part of the same variable may overlap the home.
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

    /// Returns true for members of structs that, by their types, cannot be the same.
    pub fn is_apart(&self, source: &Program, other: Member) -> bool {
        let last = self.path.iter().rev().find_map(|step| match step {
            Step::Field(composite, field) => Some((*composite, *field)),
            Step::Index(_) => None,
        });
        let (Some(last), Some(other)) = (last, other) else { return false };
        let is_struct = |id: CompositeId| source.composite(id).kind == CompositeKind::Struct;
        last != other && is_struct(last.0) && is_struct(other.0)
    }
}
