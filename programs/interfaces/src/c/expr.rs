//! Translates C expressions and lvalues to expressions of guarded updates.

use canonical::{Binary, Expr as CExpr, ExprKind, Lvalue, LvalueBase, Projection, Type, Unary};

use super::memory::{Binding, field_offset, size, width};
use super::scope::Scope;
use crate::library::{BinaryOp, Expr, UnaryOp, VarId};

/// The object to which a pointer points: a variable for each condition, and the type.
pub(super) type Target = (Vec<(Expr, VarId)>, Type);

/// The maximum number of elements among which an index may choose.
pub(super) const MOST_CHOICES: usize = 128;

pub(super) const FLOATING: &str =
    "floating numbers have no translation, and something depends on this one";

const HEAP: &str = "memory behind this pointer is not modelled, and something depends on its contents: \
                    use a static variable or array";

/// A value; `None` if it may be any value of its type.
pub(super) type Value = Option<Expr>;

/// The leaves at which an lvalue may begin, each with its condition.
#[derive(Debug, Clone)]
pub(super) struct Choices {
    /// Conditions and first leaves; empty if the memory is not modelled.
    pub(super) leaves: Vec<(Expr, VarId)>,
}

/// Translates expressions, and collects the condition under which they are defined.
pub(super) struct Reader<'a, 'p> {
    pub(super) scope: &'a Scope<'p>,
    /// The conjunction of the conditions under which the expressions are defined: indices are in range, divisors are
    /// not zero.
    pub(super) defined: Expr,
    /// The reason why a value has no translation, if it is `None`. Without a reason, the value is arbitrary, because it
    /// comes from the client or from external code.
    pub(super) vague: Option<String>,
}

impl<'a, 'p> Reader<'a, 'p> {
    pub(super) fn new(scope: &'a Scope<'p>) -> Self {
        Self { scope, defined: Expr::Int(1), vague: None }
    }

    /// Records that a value has no translation.
    pub(super) fn vague(&mut self, why: &str) -> Value {
        self.vague.get_or_insert_with(|| why.to_owned());
        None
    }

    pub(super) fn require(&mut self, condition: Expr) {
        let before = std::mem::replace(&mut self.defined, Expr::Int(1));
        self.defined = Expr::and(before, condition);
    }

    /// The value of a scalar expression.
    pub(super) fn value(&mut self, expr: &CExpr) -> Result<Value, String> {
        Ok(match &expr.kind {
            ExprKind::Int(n) => Some(constant(*n, &expr.ty)),
            ExprKind::Zero => Some(Expr::Int(0)),
            ExprKind::String(_) | ExprKind::Function(_) => Some(Expr::Int(1)),
            ExprKind::AddressOf(lvalue) => {
                // This adds the conditions for a valid address: it is inside existing memory or right after it.
                if self.element(lvalue)?.is_none() {
                    self.choices(lvalue)?;
                }
                Some(Expr::Int(1))
            }
            ExprKind::Load(lvalue) => self.load(lvalue)?,
            ExprKind::Unary(op, a) => self.unary(*op, a, &expr.ty)?,
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, &expr.ty)?,
            ExprKind::Cast(a) => self.cast(a, &expr.ty)?,
            ExprKind::Float(_) | ExprKind::Bytes(_) => None,
            ExprKind::Unknown => self.vague("this value has no translation"),
        })
    }

    fn load(&mut self, lvalue: &Lvalue) -> Result<Value, String> {
        if let Some(v) = lvalue.whole_variable()
            && matches!(self.scope.binding(v), Some(Binding::Points(_) | Binding::Client))
        {
            return Ok(Some(Expr::Int(1)));
        }
        if let Some(character) = self.literal_character(lvalue)? {
            return Ok(Some(character));
        }
        let choices = self.choices(lvalue)?;
        if matches!(lvalue.ty, Type::Float(_)) {
            return Ok(None);
        }
        let mut leaves = choices.leaves.into_iter().rev();
        let Some((_, last)) = leaves.next() else { return Ok(None) };
        let choose = |otherwise, (condition, leaf)| {
            Expr::If(Box::new((condition, Expr::Var(leaf), otherwise)))
        };
        Ok(Some(leaves.fold(Expr::Var(last), choose)))
    }

    /// The leaves at which an lvalue may begin.
    pub(super) fn choices(&mut self, lvalue: &Lvalue) -> Result<Choices, String> {
        let leaves = self.located(lvalue, &lvalue.path)?.map(|(leaves, _)| leaves);
        Ok(Choices { leaves: leaves.unwrap_or_default() })
    }

    /// Returns the leaves at which the part of an lvalue at the end of a path may begin, and its type; `None` if it is
    /// not modelled.
    pub(super) fn located(
        &mut self,
        lvalue: &Lvalue,
        mut path: &[Projection],
    ) -> Result<Option<Target>, String> {
        let program = self.scope.program;
        let (mut leaves, mut ty) = match &lvalue.base {
            LvalueBase::Variable(v) => match self.scope.binding(*v) {
                Some(Binding::Memory(at)) => {
                    (vec![(Expr::Int(1), *at)], program.variable(*v).ty.clone())
                }
                _ => return Err(format!("`{}` has no translation", program.variable(*v).name)),
            },
            LvalueBase::Deref(pointer) => {
                let Some(found) = self.target(pointer)? else { return Ok(None) };
                found
            }
        };
        while let Some((step, rest)) = path.split_first() {
            path = rest;
            match step {
                Projection::Field(id, index) => {
                    let offset = field_offset(program, step);
                    leaves.iter_mut().for_each(|(_, v)| v.0 += offset);
                    ty = program.composite(*id).fields[*index as usize].ty.clone();
                }
                Projection::Index(index) => {
                    let Type::Array(element, Some(count)) = ty else {
                        return Err("this array has no known size".to_owned());
                    };
                    leaves = self.index(leaves, index, size(program, &element), count)?;
                    ty = *element;
                }
            }
        }
        Ok(Some((leaves, ty)))
    }

    /// Returns the array elements, each of `step` leaves, that an index may select.
    fn index(
        &mut self,
        arrays: Vec<(Expr, VarId)>,
        index: &CExpr,
        step: usize,
        count: u64,
    ) -> Result<Vec<(Expr, VarId)>, String> {
        let value = self.value(index)?.ok_or("an index may be any number")?;
        let count = i64::try_from(count).map_err(|_| "an array is too large")?;
        let compare = |op, a, b| Expr::binary(op, a, b);
        if let Expr::Int(k) = value {
            if !(0..count).contains(&k) {
                self.require(Expr::Int(0));
                return Ok(arrays);
            }
            let moved = |(condition, v): (Expr, VarId)| (condition, VarId(v.0 + k as usize * step));
            return Ok(arrays.into_iter().map(moved).collect());
        }
        if count as usize * arrays.len() > MOST_CHOICES {
            return Err(format!(
                "an index chooses from more than {MOST_CHOICES} elements: use a smaller array in the model"
            ));
        }
        self.require(compare(BinaryOp::Le, Expr::Int(0), value.clone()));
        self.require(compare(BinaryOp::Lt, value.clone(), Expr::Int(count)));
        let mut out = Vec::new();
        for (condition, v) in arrays {
            for k in 0..count {
                let here = Expr::equals(value.clone(), Expr::Int(k));
                out.push((Expr::and(condition.clone(), here), VarId(v.0 + k as usize * step)));
            }
        }
        Ok(out)
    }

    /// Returns the object to which a pointer points, with its type; `None` if it is not modelled.
    fn target(&mut self, pointer: &CExpr) -> Result<Option<Target>, String> {
        let scope = self.scope;
        let pointer = scope.resolved(pointer);
        match &pointer.kind {
            ExprKind::AddressOf(lvalue) if self.is_behind(lvalue)? => {
                Err("a pointer behind an array has no translation here".to_owned())
            }
            ExprKind::AddressOf(lvalue) => {
                let choices = self.choices(lvalue)?;
                Ok(Some((choices.leaves, lvalue.ty.clone())))
            }
            ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => {
                let found = self.target(inner)?;
                match (found, pointer.ty.element()) {
                    (Some((_, ty)), Some(element)) if ty != *element => match element {
                        Type::Void => Ok(None),
                        _ => Err("memory of one type as another has no translation".to_owned()),
                    },
                    (found, _) => Ok(found),
                }
            }
            ExprKind::Load(lvalue) => {
                if let Some(v) = lvalue.whole_variable() {
                    match self.scope.binding(v) {
                        Some(Binding::Points(at)) => {
                            let ty = self.scope.program.variable(v).ty.element();
                            return Ok(ty.map(|ty| (vec![(Expr::Int(1), *at)], ty.clone())));
                        }
                        Some(Binding::Client) => return Ok(None),
                        _ => {}
                    }
                }
                if let Some(is_set) = self.value(pointer)? {
                    self.require(is_set);
                }
                match pointer.ty.element() {
                    _ if self.scope.is_of_client(pointer) => Ok(None),
                    Some(ty) if self.scope.is_aliased(ty) => {
                        let name = self.scope.program.expr(pointer);
                        Err(format!(
                            "it is not known what the pointer `{name}` points to: name the variable \
                             or the array itself, or make the struct a parameter of the functions"
                        ))
                    }
                    _ => {
                        self.vague(HEAP);
                        Ok(None)
                    }
                }
            }
            // Element i of an array is `*(&a[0] + i)`.
            ExprKind::Binary(op, base, index) => {
                let base = scope.resolved(base);
                if *op == Binary::Add
                    && let ExprKind::AddressOf(lvalue) = &base.kind
                    && let Some((Projection::Index(first), path)) = lvalue.path.split_last()
                    && first.constant() == Some(0)
                {
                    let mut lvalue = (**lvalue).clone();
                    lvalue.path = path.to_vec();
                    lvalue.path.push(Projection::Index((**index).clone()));
                    let choices = self.choices(&lvalue)?;
                    return Ok(Some((choices.leaves, lvalue.ty)));
                }
                match self.target(base)? {
                    Some(_) => Err("arithmetic of this pointer has no translation".to_owned()),
                    None => Ok(None),
                }
            }
            _ if pointer.constant() == Some(0) => {
                self.require(Expr::Int(0));
                Ok(None)
            }
            ExprKind::String(_) | ExprKind::Function(_) => {
                self.vague(HEAP);
                Ok(None)
            }
            _ => Err("an address that is computed has no translation".to_owned()),
        }
    }

    /// Returns the object to which a pointer certainly points, as a binding for a parameter.
    pub(super) fn binding(&mut self, pointer: &CExpr) -> Result<Option<VarId>, String> {
        Ok(self.object(pointer)?.map(|(v, _)| v))
    }

    /// Returns the modelled object to which a pointer points, with its type.
    pub(super) fn object(&mut self, pointer: &CExpr) -> Result<Option<(VarId, Type)>, String> {
        match self.target(pointer)? {
            None => Ok(None),
            Some((leaves, ty)) => match leaves[..] {
                [(_, v)] => Ok(Some((v, ty))),
                _ => Err("this pointer to one of several objects has no translation".to_owned()),
            },
        }
    }

    fn unary(&mut self, op: Unary, a: &CExpr, ty: &Type) -> Result<Value, String> {
        let Some(value) = self.value(a)? else {
            let decides = op == Unary::Not && matches!(a.ty, Type::Float(_));
            return Ok(if decides { self.vague(FLOATING) } else { None });
        };
        Ok(Some(match op {
            Unary::Not => Expr::negated(value),
            Unary::Minus => wrap(Expr::Unary(UnaryOp::Neg, Box::new(value)), ty),
            Unary::Complement => wrap(Expr::Unary(UnaryOp::Complement, Box::new(value)), ty),
        }))
    }

    fn binary(&mut self, op: Binary, a: &CExpr, b: &CExpr, ty: &Type) -> Result<Value, String> {
        if matches!(a.ty, Type::Pointer(_)) || matches!(b.ty, Type::Pointer(_)) {
            return self.pointers(op, a, b);
        }
        let values = (self.value(a)?, self.value(b)?);
        if matches!(a.ty, Type::Float(_)) {
            return Ok(if op.is_comparison() { self.vague(FLOATING) } else { None });
        }
        let (Some(x), Some(y)) = values else { return Ok(None) };
        let make = |op| Expr::binary(op, x.clone(), y.clone());
        let swapped = |op| Expr::binary(op, y.clone(), x.clone());
        Ok(Some(match op {
            Binary::Equal => make(BinaryOp::Eq),
            Binary::NotEqual => make(BinaryOp::Ne),
            Binary::Less => make(BinaryOp::Lt),
            Binary::LessEqual => make(BinaryOp::Le),
            Binary::Greater => swapped(BinaryOp::Lt),
            Binary::GreaterEqual => swapped(BinaryOp::Le),
            Binary::Add => wrap(make(BinaryOp::Add), ty),
            Binary::Subtract => wrap(make(BinaryOp::Sub), ty),
            Binary::Multiply => wrap(make(BinaryOp::Mul), ty),
            Binary::Divide | Binary::Remainder => {
                self.require(Expr::binary(BinaryOp::Ne, y.clone(), Expr::Int(0)));
                let op = if op == Binary::Divide { BinaryOp::Div } else { BinaryOp::Rem };
                wrap(make(op), ty)
            }
            Binary::And => make(BinaryOp::BitAnd),
            Binary::Or => make(BinaryOp::BitOr),
            Binary::Xor => make(BinaryOp::BitXor),
            Binary::ShiftLeft | Binary::ShiftRight => {
                let width = ty.int().map_or(0, |int| i64::from(int.bits()));
                self.require(Expr::binary(BinaryOp::Le, Expr::Int(0), y.clone()));
                self.require(Expr::binary(BinaryOp::Lt, y.clone(), Expr::Int(width)));
                match op {
                    Binary::ShiftRight => make(BinaryOp::Shr),
                    _ => shifted_left(&x, y, ty),
                }
            }
        }))
    }

    fn cast(&mut self, a: &CExpr, ty: &Type) -> Result<Value, String> {
        let value = self.value(a)?;
        if let (Type::Float(_), Type::Int(_) | Type::Pointer(_)) = (&a.ty, ty) {
            return Ok(self.vague(FLOATING));
        }
        let Some(value) = value else { return Ok(None) };
        Ok(match (&a.ty, ty) {
            (_, Type::Float(_)) => None,
            (Type::Pointer(_), Type::Pointer(_)) => Some(value),
            (Type::Int(_), Type::Pointer(_)) => match value {
                Expr::Int(n) => Some(Expr::Int(i64::from(n != 0))),
                _ => Some(Expr::binary(BinaryOp::Ne, value, Expr::Int(0))),
            },
            (_, Type::Int(int)) if int.rank == canonical::IntRank::Bool => {
                Some(Expr::binary(BinaryOp::Ne, value, Expr::Int(0)))
            }
            (Type::Int(from), Type::Int(to)) => {
                let ((low, high), (least, most)) = (from.range(), to.range());
                match low >= least && high <= most {
                    true => Some(value),
                    false => Some(wrap(value, ty)),
                }
            }
            (Type::Pointer(_), Type::Int(_)) => {
                self.vague("the number of an address has no translation")
            }
            _ => None,
        })
    }
}

/// A constant, converted to the range that its type has in the model.
pub(super) fn constant(n: i128, ty: &Type) -> Expr {
    match width(ty) {
        // A 64-bit constant loses the bits that variables of its type do not have.
        Some((bits, signed)) => {
            let low = (n & ((1 << bits) - 1)) as i64;
            let is_negative = signed && low >> (bits - 1) & 1 == 1;
            Expr::Int(if is_negative { low - (1 << bits) } else { low })
        }
        None => Expr::Int(i64::from(n != 0)),
    }
}

/// A value wrapped around to the range of its type.
fn wrap(value: Expr, ty: &Type) -> Expr {
    match (width(ty), &value) {
        (Some(_), Expr::Int(n)) => constant(i128::from(*n), ty),
        (Some((bits, signed)), _) => Expr::Wrap { bits, signed, of: Box::new(value) },
        (None, _) => value,
    }
}

/// `x << y`, with a case for each amount.
fn shifted_left(x: &Expr, y: Expr, ty: &Type) -> Expr {
    let Some((bits, _)) = width(ty) else { return Expr::Int(0) };
    let by = |k: u32| {
        let low = Expr::Wrap { bits: bits - k, signed: false, of: Box::new(x.clone()) };
        wrap(Expr::binary(BinaryOp::Mul, low, Expr::Int(1 << k)), ty)
    };
    match (&y, x) {
        (Expr::Int(k), _) => match u32::try_from(*k).ok().filter(|k| *k < bits) {
            Some(k) => by(k),
            None => Expr::Int(0),
        },
        // The usual case: a table of powers.
        (_, Expr::Int(n)) => (0..bits).rev().fold(Expr::Int(0), |otherwise, k| {
            let value = constant(i128::from(*n) << k, ty);
            Expr::If(Box::new((Expr::equals(y.clone(), Expr::Int(i64::from(k))), value, otherwise)))
        }),
        _ => (0..bits).rev().fold(Expr::Int(0), |otherwise, k| {
            let here = Expr::equals(y.clone(), Expr::Int(i64::from(k)));
            Expr::If(Box::new((here, by(k), otherwise)))
        }),
    }
}
