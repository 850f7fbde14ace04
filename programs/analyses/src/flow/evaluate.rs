//! Values of expressions in an abstract state.
//!
//! Undefined behaviour ends a run, so a result outside its type needs no value.

use std::collections::BTreeSet;

use canonical::{
    Binary, CompositeKind, Expr, ExprKind, IntType, Lvalue, LvalueBase, Projection, Type, Unary,
};

use super::state::{Pointer, State, Target};
use crate::numbers::{Interval, Linear, Numbers, Ranges};
use crate::unfold::memory::{CellId, ObjectId, Part};
use crate::unfold::{ContextId, Unfolding};

/// A state in a context.
#[derive(Debug)]
pub struct Evaluation<'a, N> {
    /// The program.
    pub unfolding: &'a Unfolding,
    /// Ranges of cells.
    pub ranges: &'a Ranges,
    /// The context whose variables expressions name.
    pub context: ContextId,
    /// The state.
    pub state: &'a State<N>,
}

impl<N: Numbers> Evaluation<'_, N> {
    /// The value of an integer expression.
    pub fn number(&self, expr: &Expr) -> Linear {
        let Some(ty) = expr.ty.int() else { return Linear::interval(Interval::of(IntType::LONG)) };
        let any = || Linear::interval(Interval::of(ty));
        match &expr.kind {
            ExprKind::Int(value) => Linear::point(*value),
            ExprKind::Zero => Linear::point(0),
            ExprKind::Load(lvalue) => self.load(lvalue, ty),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, ty),
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, ty),
            ExprKind::Cast(inner) if inner.ty.int().is_some() => self.fit(self.number(inner), ty),
            _ => any(),
        }
    }

    /// The least known interval of a form.
    pub fn bounds(&self, form: &Linear) -> Interval {
        self.state.numbers.bounds(form, self.ranges)
    }

    /// A form converted to a type.
    fn fit(&self, form: Linear, ty: IntType) -> Linear {
        let bounds = self.bounds(&form);
        let fitted = bounds.convert(ty);
        if fitted == bounds {
            return form;
        }
        let shift = fitted.lo.saturating_sub(bounds.lo);
        if ty != IntType::BOOL
            && bounds.lo.checked_add(shift) == Some(fitted.lo)
            && bounds.hi.checked_add(shift) == Some(fitted.hi)
            && shift % (1 << ty.bits()) == 0
        {
            return form.add(&Linear::point(shift), 1).unwrap_or(Linear::interval(fitted));
        }
        Linear::interval(fitted)
    }

    /// Returns the result of arithmetic. Signed types do not overflow in runs that continue.
    fn arithmetic(&self, form: Option<Linear>, exact: Interval, ty: IntType) -> Linear {
        let all = Interval::of(ty);
        match form {
            Some(form) if ty.signed => form,
            Some(form) => self.fit(form, ty),
            None if ty.signed => Linear::interval(exact.meet(all).unwrap_or(all)),
            None => Linear::interval(exact.convert(ty)),
        }
    }

    fn load(&self, lvalue: &Lvalue, ty: IntType) -> Linear {
        let any = Linear::interval(Interval::of(ty));
        let Some(targets) = self.places(lvalue) else { return any };
        let memory = &self.unfolding.memory;
        let mut found: Option<Interval> = None;
        let only = targets.len() == 1;
        for target in &targets {
            let Some(cell) = self.scalar(target, &lvalue.ty) else { return any };
            if only && !memory.cell(cell).weak {
                return Linear::cell(cell);
            }
            let value = self.state.interval(memory, self.ranges, cell);
            found = Some(found.map_or(value, |known| known.join(value)));
        }
        found.map_or(any, Linear::interval)
    }

    /// Returns the target as a cell, if it is one with this type.
    pub fn scalar(&self, target: &Target, ty: &Type) -> Option<CellId> {
        let Target::Part(object, path) = target else { return None };
        let memory = &self.unfolding.memory;
        let fits = memory.type_of(&self.unfolding.program, *object, path) == Some(ty);
        memory.scalar(*object, path).filter(|_| fits)
    }

    fn unary(&self, operator: Unary, operand: &Expr, ty: IntType) -> Linear {
        let truth = Linear::interval(Interval { lo: 0, hi: 1 });
        match operator {
            Unary::Not => {
                let Some(int) = operand.ty.int() else { return truth };
                let _ = int;
                let value = self.bounds(&self.number(operand));
                match (value == Interval::point(0), value.contains(0)) {
                    (true, _) => Linear::point(1),
                    (_, false) => Linear::point(0),
                    _ => truth,
                }
            }
            Unary::Minus => {
                let form = self.number(operand);
                let exact = Interval::point(0).subtract(self.bounds(&form));
                self.arithmetic(Linear::point(0).add(&form, -1), exact, ty)
            }
            // -x - 1, in the type.
            Unary::Complement => {
                let form = self.number(operand);
                let negated = Linear::point(-1).add(&form, -1);
                negated.map_or(Linear::interval(Interval::of(ty)), |negated| self.fit(negated, ty))
            }
        }
    }

    fn binary(&self, operator: Binary, left: &Expr, right: &Expr, ty: IntType) -> Linear {
        if operator.is_comparison() {
            return Linear::interval(self.comparison(operator, left, right));
        }
        let (Some(operand), Some(_)) = (left.ty.int(), right.ty.int()) else {
            return Linear::interval(Interval::of(ty));
        };
        let (a, b) = (self.number(left), self.number(right));
        let (x, y) = (self.bounds(&a), self.bounds(&b));
        let any = Interval::of(operand);
        match operator {
            Binary::Add => self.arithmetic(a.add(&b, 1), x.plus(y), operand),
            Binary::Subtract => self.arithmetic(a.add(&b, -1), x.subtract(y), operand),
            Binary::Multiply => {
                let scaled = match (a.constant(), b.constant()) {
                    (Some(k), _) => Linear::point(0).add(&b, k),
                    (_, Some(k)) => Linear::point(0).add(&a, k),
                    _ => None,
                };
                let exact = x.multiply(y);
                let small = exact.lo > -(1 << 100) && exact.hi < 1 << 100;
                // In the widest type, an unknown bound is not an overflow.
                let scaled = scaled.filter(|_| small || operand == IntType::WIDE);
                self.arithmetic(scaled, exact, operand)
            }
            Binary::Divide => {
                let exact = x.divide(y).unwrap_or(any);
                self.arithmetic(None, exact, operand)
            }
            Binary::Remainder => Linear::interval(x.remainder(y).unwrap_or(any)),
            _ => Linear::interval(bits(operator, x, y, operand)),
        }
    }

    /// The result of a comparison: 0, 1 or both.
    fn comparison(&self, operator: Binary, left: &Expr, right: &Expr) -> Interval {
        let both = Interval { lo: 0, hi: 1 };
        if left.ty.int().is_none() || right.ty.int().is_none() {
            return both;
        }
        let Some(difference) = self.number(left).add(&self.number(right), -1) else { return both };
        let d = self.bounds(&difference);
        let decided = |holds: bool, fails: bool| match (holds, fails) {
            (true, _) => Interval::point(1),
            (_, true) => Interval::point(0),
            _ => both,
        };
        match operator {
            Binary::Equal => decided(d == Interval::point(0), !d.contains(0)),
            Binary::NotEqual => decided(!d.contains(0), d == Interval::point(0)),
            Binary::Less => decided(d.hi < 0, d.lo >= 0),
            Binary::LessEqual => decided(d.hi <= 0, d.lo > 0),
            Binary::Greater => decided(d.lo > 0, d.hi <= 0),
            _ => decided(d.lo >= 0, d.hi < 0),
        }
    }

    /// Returns the values of a pointer; `None` represents any value.
    pub fn pointer(&self, expr: &Expr) -> Option<Pointer> {
        match &expr.kind {
            ExprKind::Zero => Some(Pointer::null()),
            ExprKind::String(_) | ExprKind::Function(_) => Some(Pointer::to(Target::Opaque)),
            ExprKind::AddressOf(lvalue) => {
                let targets = self.places(lvalue)?;
                Some(Pointer { null: false, targets })
            }
            ExprKind::Load(lvalue) => {
                let targets = self.places(lvalue)?;
                let mut found: Option<Pointer> = None;
                for target in &targets {
                    let Target::Part(object, path) = target else { return None };
                    let cell = self.unfolding.memory.scalar(*object, path)?;
                    let value = self.state.pointers.get(&cell)?;
                    found = match found {
                        Some(known) => Some(known.join(value)?),
                        None => Some(value.clone()),
                    };
                }
                found
            }
            ExprKind::Cast(inner) => match &inner.ty {
                Type::Pointer(_) => self.pointer(inner),
                _ => (inner.constant() == Some(0)).then(Pointer::null),
            },
            ExprKind::Binary(Binary::Add | Binary::Subtract, base, shift)
                if shift.ty.int().is_some() =>
            {
                let base = self.pointer(base)?;
                if shift.constant() == Some(0) {
                    return Some(base);
                }
                let moved = base.targets.into_iter().map(shifted).collect();
                // Arithmetic on the null pointer is undefined, but a cast of a number can create it.
                if base.null { None } else { Some(Pointer { null: false, targets: moved }) }
            }
            _ => None,
        }
    }

    /// Returns the places to which an lvalue may refer; `None` represents any place.
    pub fn places(&self, lvalue: &Lvalue) -> Option<BTreeSet<Target>> {
        let bases: Vec<Target> = match &lvalue.base {
            LvalueBase::Variable(id) => {
                vec![Target::Part(self.unfolding.object(self.context, *id)?, Vec::new())]
            }
            LvalueBase::Deref(pointer) => {
                let pointee = pointer.ty.element().cloned().unwrap_or(Type::Void);
                let value = self.pointer(pointer)?;
                value.targets.into_iter().map(|target| self.seen_as(target, &pointee)).collect()
            }
        };
        Some(bases.into_iter().map(|base| self.along(base, &lvalue.path)).collect())
    }

    /// The part with this type that begins at a target.
    fn seen_as(&self, target: Target, ty: &Type) -> Target {
        let Target::Part(object, mut path) = target else { return target };
        let program = &self.unfolding.program;
        loop {
            let Some(now) = self.unfolding.memory.type_of(program, object, &path) else {
                return Target::Whole(object);
            };
            if now == ty {
                return Target::Part(object, path);
            }
            match now {
                Type::Array(..) => path.push(Part::Element),
                Type::Composite(id) => {
                    let composite = program.composite(*id);
                    let first = composite.fields.first().is_some_and(|field| field.offset == 0);
                    if composite.kind != CompositeKind::Struct || !first {
                        return Target::Whole(object);
                    }
                    path.push(Part::Field(0));
                }
                _ => return Target::Whole(object),
            }
        }
    }

    /// Follows a path from a target.
    fn along(&self, base: Target, steps: &[Projection]) -> Target {
        let Target::Part(object, mut path) = base else { return base };
        for step in steps {
            match step {
                Projection::Field(_, field) => path.push(Part::Field(*field)),
                Projection::Index(index) => {
                    let ty = self.unfolding.memory.type_of(&self.unfolding.program, object, &path);
                    let Some(Type::Array(_, count)) = ty else { return Target::Whole(object) };
                    // After an array that is only a part of an object, there may be another field.
                    let inside = || {
                        let last = count.map_or(0, i128::from) - 1;
                        let index = self.bounds(&self.number(index));
                        index.lo >= 0 && index.hi <= last
                    };
                    if path.iter().any(|part| matches!(part, Part::Field(_))) && !inside() {
                        return Target::Whole(object);
                    }
                    path.push(Part::Element);
                }
            }
        }
        Target::Part(object, path)
    }

    /// Returns the cells of a target, and the object if the target may be any part of it.
    pub fn cells(&self, target: &Target) -> Vec<CellId> {
        let memory = &self.unfolding.memory;
        match target {
            Target::Opaque => Vec::new(),
            Target::Part(object, path) => memory.part(*object, path).collect(),
            Target::Whole(object) => whole(memory, *object),
        }
    }
}

fn whole(memory: &crate::unfold::memory::Memory, object: ObjectId) -> Vec<CellId> {
    memory.part(object, &[]).collect()
}

/// Returns a target after pointer arithmetic: another element of the same array, or anywhere in the object.
fn shifted(target: Target) -> Target {
    match target {
        Target::Part(object, path) => {
            let element = path.last() == Some(&Part::Element);
            let only = path.iter().all(|part| *part == Part::Element);
            if element && only { Target::Part(object, path) } else { Target::Whole(object) }
        }
        other => other,
    }
}

/// Shifts and operators on bits.
fn bits(operator: Binary, x: Interval, y: Interval, ty: IntType) -> Interval {
    let all = Interval::of(ty);
    if let (true, true) = (x.lo == x.hi, y.lo == y.hi) {
        return canonical::fold::integers(operator, x.lo, y.lo, ty).map_or(all, Interval::point);
    }
    let positive = x.lo >= 0 && y.lo >= 0;
    // The greatest number that has as many bits as the operands.
    let mask = |value: i128| (1_i128 << (128 - value.max(0).leading_zeros())) - 1;
    match operator {
        Binary::And if positive => Interval { lo: 0, hi: x.hi.min(y.hi) },
        Binary::And if x.lo >= 0 => Interval { lo: 0, hi: x.hi },
        Binary::And if y.lo >= 0 => Interval { lo: 0, hi: y.hi },
        Binary::Or if positive => Interval { lo: x.lo.max(y.lo), hi: mask(x.hi.max(y.hi)) },
        Binary::Xor if positive => Interval { lo: 0, hi: mask(x.hi.max(y.hi)) },
        Binary::ShiftRight if y.lo >= 0 && y.hi < 64 => {
            let corners = [x.lo >> y.lo, x.lo >> y.hi, x.hi >> y.lo, x.hi >> y.hi];
            let (lo, hi) = (corners.iter().min(), corners.iter().max());
            Interval { lo: lo.copied().unwrap_or(all.lo), hi: hi.copied().unwrap_or(all.hi) }
        }
        Binary::ShiftLeft if positive && y.hi < 32 => {
            let exact = Interval { lo: x.lo << y.lo, hi: x.hi << y.hi };
            if exact.within(all) { exact } else { all }
        }
        _ => all,
    }
}
