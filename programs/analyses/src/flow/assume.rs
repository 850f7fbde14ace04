//! Conditions in abstract states.

use canonical::{Binary, Expr, ExprKind, Type, Unary};

use super::evaluate::Evaluation;
use super::state::{State, Target};
use crate::numbers::{Interval, Linear, Numbers, Ranges, Sign};
use crate::unfold::memory::Part;
use crate::unfold::{ContextId, Unfolding};

/// Conditions of a context.
#[derive(Debug, Clone, Copy)]
pub struct Guards<'a> {
    /// The program.
    pub unfolding: &'a Unfolding,
    /// Ranges of cells.
    pub ranges: &'a Ranges,
    /// The context whose variables conditions name.
    pub context: ContextId,
}

impl Guards<'_> {
    fn view<'s, N>(&'s self, state: &'s State<N>) -> Evaluation<'s, N> {
        Evaluation { unfolding: self.unfolding, ranges: self.ranges, context: self.context, state }
    }

    /// Returns the memories of a state in which a condition holds or does not hold; `None` if there are none.
    pub fn assume<N: Numbers>(
        &self,
        state: State<N>,
        condition: &Expr,
        holds: bool,
    ) -> Option<State<N>> {
        let view = self.view(&state);
        match &condition.kind {
            ExprKind::Unary(Unary::Not, inner) => {
                return self.assume(state, inner, !holds);
            }
            ExprKind::Cast(inner) => {
                if let (Some(_), Some(to)) = (inner.ty.int(), condition.ty.int()) {
                    let value = view.bounds(&view.number(inner));
                    if to == canonical::IntType::BOOL || value.within(Interval::of(to)) {
                        return self.assume(state, inner, holds);
                    }
                }
            }
            ExprKind::Binary(operator, left, right) if operator.is_comparison() => {
                if matches!(left.ty, Type::Pointer(_)) || matches!(right.ty, Type::Pointer(_)) {
                    return self.assume_pointers(state, (*operator, left, right), holds);
                }
                let truth = |e: &Expr| {
                    matches!(e.kind, ExprKind::Unary(Unary::Not, _))
                        || matches!(&e.kind, ExprKind::Binary(inner, ..) if inner.is_comparison())
                };
                match (operator, right.constant()) {
                    (Binary::Equal, Some(0)) if truth(left) => {
                        return self.assume(state, left, !holds);
                    }
                    (Binary::NotEqual, Some(0)) if truth(left) => {
                        return self.assume(state, left, holds);
                    }
                    _ => {}
                }
                if left.ty.int().is_none() || right.ty.int().is_none() {
                    return Some(state);
                }
                let (a, b) = (view.number(left), view.number(right));
                return compare(state, *operator, (&a, &b), holds, self.ranges);
            }
            _ => {}
        }
        match &condition.ty {
            Type::Int(_) => {
                let value = view.number(condition);
                compare(state, Binary::NotEqual, (&value, &Linear::point(0)), holds, self.ranges)
            }
            Type::Pointer(_) => self.assume_null(state, condition, !holds),
            _ => Some(state),
        }
    }

    fn assume_pointers<N: Numbers>(
        &self,
        state: State<N>,
        (operator, left, right): (Binary, &Expr, &Expr),
        holds: bool,
    ) -> Option<State<N>> {
        let equal = match operator {
            Binary::Equal => holds,
            Binary::NotEqual => !holds,
            _ => return Some(state),
        };
        match (left.constant(), right.constant()) {
            (_, Some(0)) => self.assume_null(state, left, equal),
            (Some(0), _) => self.assume_null(state, right, equal),
            _ => Some(state),
        }
    }

    fn assume_null<N: Numbers>(
        &self,
        mut state: State<N>,
        pointer: &Expr,
        null: bool,
    ) -> Option<State<N>> {
        let view = self.view(&state);
        let Some(mut value) = view.pointer(pointer) else { return Some(state) };
        if null {
            value.targets.clear();
        } else {
            value.null = false;
        }
        if !value.null && value.targets.is_empty() {
            return None;
        }
        if let ExprKind::Load(lvalue) = &pointer.kind
            && let Some(places) = view.places(lvalue)
            && let (Some(Target::Part(object, path)), 1) = (places.first(), places.len())
            && !path.contains(&Part::Element)
            && let Some(cell) = self.unfolding.memory.scalar(*object, path)
        {
            state.pointers.insert(cell, value);
        }
        Some(state)
    }
}

/// Returns the memories of a state in which a comparison holds or does not hold.
pub fn compare<N: Numbers>(
    mut state: State<N>,
    operator: Binary,
    (a, b): (&Linear, &Linear),
    holds: bool,
    ranges: &Ranges,
) -> Option<State<N>> {
    let operator = if holds { operator } else { opposite(operator) };
    let form = match operator {
        Binary::Greater | Binary::GreaterEqual => b.add(a, -1),
        _ => a.add(b, -1),
    };
    let strict = |form: Linear| form.add(&Linear::point(1), 1);
    let (form, sign) = match operator {
        Binary::Equal => (form, Sign::Zero),
        Binary::NotEqual => (form, Sign::NotZero),
        Binary::Less | Binary::Greater => (form.and_then(strict), Sign::NotPositive),
        _ => (form, Sign::NotPositive),
    };
    let Some(form) = form else { return Some(state) };
    state.numbers.constrain(&form, sign, ranges).then_some(state)
}

fn opposite(operator: Binary) -> Binary {
    match operator {
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        Binary::Less => Binary::GreaterEqual,
        Binary::LessEqual => Binary::Greater,
        Binary::Greater => Binary::LessEqual,
        _ => Binary::Less,
    }
}
