//! Integers as terms over the inputs of a run, with the types and the arithmetic of C.

use std::collections::HashMap;
use std::sync::Arc;

use canonical::{Binary, IntType, Unary, fold};

use crate::numbers::Interval;

/// A term; its value is in its type.
#[derive(Debug)]
pub struct Term {
    /// The form.
    pub kind: TermKind,
    /// The type.
    pub ty: IntType,
    /// The interval that contains all of its values.
    pub interval: Interval,
    depth: u32,
}

/// A form of term.
#[derive(Debug)]
pub enum TermKind {
    /// A number.
    Number(i128),
    /// An input, by its number in its run.
    Input(usize),
    /// An operator. Signed arithmetic wraps, because overflow ends the run elsewhere.
    Unary(Unary, Arc<Term>),
    /// An operator; the operands of a comparison have the same type, and so have those of arithmetic.
    Binary(Binary, Arc<Term>, Arc<Term>),
    /// A conversion.
    Cast(Arc<Term>),
    /// The second term if the first is not zero, otherwise the third.
    Choice(Arc<Term>, Arc<Term>, Arc<Term>),
}

/// The maximum depth of a term. A deeper one is replaced by an unknown number.
pub const DEEPEST: u32 = 400;

impl Term {
    fn make(kind: TermKind, ty: IntType, interval: Interval, depth: u32) -> Arc<Self> {
        let all = Interval::of(ty);
        let interval = interval.meet(all).unwrap_or(all);
        Arc::new(Self { kind, ty, interval, depth: depth + 1 })
    }

    /// A number, which must be in the type.
    pub fn number(value: i128, ty: IntType) -> Arc<Self> {
        Self::make(TermKind::Number(value), ty, Interval::point(value), 0)
    }

    /// An input.
    pub fn input(number: usize, ty: IntType) -> Arc<Self> {
        Self::make(TermKind::Input(number), ty, Interval::of(ty), 0)
    }

    /// The number, if it is one.
    pub fn constant(&self) -> Option<i128> {
        match self.kind {
            TermKind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Returns true if the term is too deep to be extended.
    pub fn too_deep(&self) -> bool {
        self.depth > DEEPEST
    }

    /// A conversion.
    pub fn cast(of: &Arc<Self>, ty: IntType) -> Arc<Self> {
        if of.ty == ty {
            return of.clone();
        }
        match of.constant() {
            Some(value) => Self::number(ty.convert(value), ty),
            None => Self::make(TermKind::Cast(of.clone()), ty, of.interval.convert(ty), of.depth),
        }
    }

    /// An operator with one operand.
    pub fn unary(operator: Unary, of: &Arc<Self>, ty: IntType) -> Arc<Self> {
        if let Some(value) = of.constant() {
            let value = fold::integer(operator, value, of.ty).unwrap_or(value);
            return Self::number(ty.convert(value), ty);
        }
        let interval = match operator {
            Unary::Minus if ty.signed => Interval::point(0).subtract(of.interval),
            Unary::Not => match (of.interval.contains(0), of.interval == Interval::point(0)) {
                (_, true) => return Self::number(1, ty),
                (false, _) => return Self::number(0, ty),
                _ => Interval { lo: 0, hi: 1 },
            },
            _ => Interval::of(ty),
        };
        Self::make(TermKind::Unary(operator, of.clone()), ty, interval, of.depth)
    }

    /// Applies an operator to two operands. If it is undefined for numbers, the result may be any term.
    pub fn binary(operator: Binary, a: &Arc<Self>, b: &Arc<Self>, ty: IntType) -> Arc<Self> {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && let Ok(value) = fold::integers(operator, x, y, a.ty)
        {
            return Self::number(value, ty);
        }
        let (x, y, all) = (a.interval, b.interval, Interval::of(ty));
        let exact = match operator {
            Binary::Add => Some(x.plus(y)),
            Binary::Subtract => Some(x.subtract(y)),
            Binary::Multiply => Some(x.multiply(y)),
            Binary::Divide => x.divide(y),
            Binary::Remainder => x.remainder(y),
            Binary::And if x.lo >= 0 && y.lo >= 0 => Some(Interval { lo: 0, hi: x.hi.min(y.hi) }),
            _ if operator.is_comparison() => return Self::compare(operator, a, b, ty),
            _ => None,
        };
        let interval = match exact {
            Some(exact) if ty.signed => exact.meet(all).unwrap_or(all),
            Some(exact) => exact.convert(ty),
            None => all,
        };
        Self::make(
            TermKind::Binary(operator, a.clone(), b.clone()),
            ty,
            interval,
            a.depth.max(b.depth),
        )
    }

    fn compare(operator: Binary, a: &Arc<Self>, b: &Arc<Self>, ty: IntType) -> Arc<Self> {
        let d = a.interval.subtract(b.interval);
        let (holds, fails) = match operator {
            Binary::Equal => (d == Interval::point(0), !d.contains(0)),
            Binary::NotEqual => (!d.contains(0), d == Interval::point(0)),
            Binary::Less => (d.hi < 0, d.lo >= 0),
            Binary::LessEqual => (d.hi <= 0, d.lo > 0),
            Binary::Greater => (d.lo > 0, d.hi <= 0),
            _ => (d.lo >= 0, d.hi < 0),
        };
        if holds || fails {
            return Self::number(holds.into(), ty);
        }
        let kind = TermKind::Binary(operator, a.clone(), b.clone());
        Self::make(kind, ty, Interval { lo: 0, hi: 1 }, a.depth.max(b.depth))
    }

    /// The second if the first is not zero, else the third.
    pub fn choice(condition: &Arc<Self>, then: &Arc<Self>, other: &Arc<Self>) -> Arc<Self> {
        match condition.constant() {
            Some(0) => return other.clone(),
            Some(_) => return then.clone(),
            None => {}
        }
        let depth = condition.depth.max(then.depth).max(other.depth);
        let interval = then.interval.join(other.interval);
        Self::make(
            TermKind::Choice(condition.clone(), then.clone(), other.clone()),
            then.ty,
            interval,
            depth,
        )
    }

    /// Returns the value for inputs; `None` if it is undefined. Further inputs are zero.
    pub fn value(
        &self,
        inputs: &[i128],
        known: &mut HashMap<*const Term, Option<i128>>,
    ) -> Option<i128> {
        let key: *const Term = self;
        if let Some(value) = known.get(&key) {
            return *value;
        }
        let value = self.compute(inputs, known);
        known.insert(key, value);
        value
    }

    fn compute(
        &self,
        inputs: &[i128],
        known: &mut HashMap<*const Term, Option<i128>>,
    ) -> Option<i128> {
        Some(match &self.kind {
            TermKind::Number(value) => *value,
            TermKind::Input(k) => self.ty.convert(inputs.get(*k).copied().unwrap_or(0)),
            TermKind::Unary(operator, of) => {
                fold::integer(*operator, of.value(inputs, known)?, of.ty).ok()?
            }
            TermKind::Binary(operator, a, b) => {
                fold::integers(*operator, a.value(inputs, known)?, b.value(inputs, known)?, a.ty)
                    .ok()?
            }
            TermKind::Cast(of) => self.ty.convert(of.value(inputs, known)?),
            TermKind::Choice(condition, then, other) => {
                let branch = if condition.value(inputs, known)? != 0 { then } else { other };
                branch.value(inputs, known)?
            }
        })
    }
}

/// A condition of a path.
#[derive(Debug, Clone)]
pub enum Condition {
    /// A term is not zero.
    True(Arc<Term>),
    /// A term is zero.
    False(Arc<Term>),
    /// The result of an operation is in its signed type.
    Fits(Binary, Arc<Term>, Arc<Term>),
}

impl Condition {
    /// Returns true if it holds for inputs.
    pub fn holds(&self, inputs: &[i128]) -> bool {
        let mut known = HashMap::new();
        match self {
            Self::True(term) => term.value(inputs, &mut known).is_some_and(|value| value != 0),
            Self::False(term) => term.value(inputs, &mut known) == Some(0),
            Self::Fits(operator, a, b) => {
                let (x, y) = (a.value(inputs, &mut known), b.value(inputs, &mut known));
                matches!((x, y), (Some(x), Some(y)) if fold::integers(*operator, x, y, a.ty).is_ok())
            }
        }
    }
}
