//! Goals of explorations: the representations of a value, and any input at all.

use rustc_hash::FxHashSet;

use super::class::Element;
use super::halt::{Halt, Step};
use super::run::{Goal, Run};
use crate::program::{Cmp, Expr, Pred, Ref, Span};
use crate::run::store::Record;

/// The goal of finding representations of a canonical value.
#[derive(Debug, Clone)]
pub struct Matches<'y> {
    y: &'y Record,
    assigned: FxHashSet<Element>,
}

impl<'y> Matches<'y> {
    /// The representations of `y`.
    pub fn of(y: &'y Record) -> Self {
        Self { y, assigned: FxHashSet::default() }
    }
}

impl Goal for Matches<'_> {
    fn assign(
        &mut self,
        run: &mut Run<'_>,
        element: Element,
        _: &Ref,
        value: &Expr,
        _: Span,
    ) -> Step<()> {
        let wanted = element.of(self.y).ok_or(Halt::Dead)?;
        if !self.assigned.insert(element) {
            return Err(Halt::Dead);
        }
        run.require(&Pred::cmp(Cmp::Eq, value.clone(), Expr::Int(wanted)))
    }

    fn finish(&mut self, run: &mut Run<'_>) -> Step<()> {
        if self.assigned.len() != self.y.elements() {
            return Err(Halt::Dead);
        }
        run.input_fits()?;
        run.reservations()
    }
}

/// The goal of finding any representation of any value.
#[derive(Debug, Clone, Copy)]
pub struct AnyInput;

impl Goal for AnyInput {
    fn assign(
        &mut self,
        run: &mut Run<'_>,
        _: Element,
        _: &Ref,
        value: &Expr,
        _: Span,
    ) -> Step<()> {
        run.eval(value).map(|_| ())
    }

    fn finish(&mut self, run: &mut Run<'_>) -> Step<()> {
        run.input_fits()
    }
}
