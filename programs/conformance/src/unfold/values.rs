//! The values of expressions that follow from the values that were read.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Binary, Expr, ExprKind, Type, Unary, fold};

use super::compared::range;
use super::home::{Home, is_bool};
use super::tracked::{Number, Tracked};

/// A value that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// This number.
    Is(i128),
    /// A value other than the constants of this set, which is identified by its index in [`Tracked::sets`].
    Other(usize),
}

/// The homes whose values are known, by their indices in ascending order.
pub type Values = Vec<(Number, Value)>;

/// Sets the value of a home.
pub fn set(values: &mut Values, home: Number, value: Value) {
    match values.binary_search_by_key(&home, |(own, _)| *own) {
        Ok(at) => values[at].1 = value,
        Err(at) => values.insert(at, (home, value)),
    }
}

/// The values that are known at a node.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The values.
    pub values: &'a [(Number, Value)],
    /// The homes that are followed.
    pub tracked: &'a Tracked,
    /// The values of homes that nothing changes.
    pub constants: &'a BTreeMap<Home, i128>,
}

impl Known<'_> {
    /// The value of a home.
    pub fn get(&self, home: &Home) -> Option<Value> {
        if self.values.is_empty() {
            return None;
        }
        let number = self.tracked.number(home)?;
        let at = self.values.binary_search_by_key(&number, |(own, _)| *own).ok()?;
        Some(self.values[at].1)
    }

    /// Returns the constants from which the value of an expression is known to differ.
    fn other(&self, expr: &Expr) -> Option<&BTreeSet<i128>> {
        match self.get(&Home::value(expr)?)? {
            Value::Other(set) => self.tracked.sets.get(set),
            Value::Is(_) => None,
        }
    }

    /// The truth of a condition.
    pub fn truth(&self, condition: &Expr) -> Option<bool> {
        match self.number(condition) {
            Some(value) => Some(value != 0),
            None => self.other(condition).filter(|set| set.contains(&0)).map(|_| true),
        }
    }

    /// Returns true if a process status is nonzero. Only the lowest byte of a number counts.
    pub fn fails(&self, status: &Expr) -> Option<bool> {
        match self.number(status) {
            Some(value) => Some(value & 255 != 0),
            None => self.truth(status),
        }
    }

    /// The value of an expression.
    pub fn number(&self, expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Load(_) => {
                let home = Home::value(expr)?;
                match self.get(&home) {
                    Some(Value::Is(value)) => Some(value),
                    Some(Value::Other(_)) => None,
                    None => self.constants.get(&home).copied(),
                }
            }
            ExprKind::Cast(within) => match (&within.ty, &expr.ty) {
                (Type::Int(_), ty) if is_bool(ty) => self.truth(within).map(i128::from),
                (Type::Int(_), Type::Int(int)) => Some(int.convert(self.number(within)?)),
                _ => None,
            },
            ExprKind::Unary(Unary::Not, operand) => self.truth(operand).map(|t| i128::from(!t)),
            ExprKind::Unary(operator, operand) => {
                fold::integer(*operator, self.number(operand)?, operand.ty.int()?).ok()
            }
            ExprKind::Binary(operator, left, right) => self.operation(expr, *operator, left, right),
            _ => None,
        }
    }

    fn operation(&self, whole: &Expr, operator: Binary, left: &Expr, right: &Expr) -> Option<i128> {
        let (a, b) = (self.number(left), self.number(right));
        if let (Some(a), Some(b)) = (a, b) {
            if operator.is_comparison() {
                return Some(i128::from(fold::compare(operator, &a, &b)));
            }
            return fold::integers(operator, a, b, left.ty.int()?).ok();
        }
        let differs = |expr: &Expr, constant: Option<i128>| {
            constant.is_some_and(|c| self.other(expr).is_some_and(|set| set.contains(&c)))
        };
        match operator {
            Binary::Equal if differs(left, b) || differs(right, a) => Some(0),
            Binary::NotEqual if differs(left, b) || differs(right, a) => Some(1),
            Binary::And if a == Some(0) || b == Some(0) => Some(0),
            Binary::And => {
                let (value, least, most) = range(whole)?;
                let set = self.other(value)?;
                (least..=most).all(|c| set.contains(&c)).then_some(0)
            }
            _ => None,
        }
    }
}
