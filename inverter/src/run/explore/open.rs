//! Evaluation that leaves unknowns without values, so that a condition on one unknown determines its values.

use super::class::Element;
use super::halt::{Halt, Step};
use crate::program::eval::{self, Lookup, Reduce, Undefined};
use crate::program::{Expr, Pred, Ref, VarId};

/// The unknowns of a run.
pub(super) trait Unknowns: Lookup<Stop = Halt> {
    /// Returns the scalar or element that a reference denotes.
    ///
    /// # Errors
    ///
    /// Returns an error if it is outside its array.
    fn place(&mut self, r: &Ref) -> Step<Element>;

    /// Returns its value, if it has one.
    fn known(&self, element: &Element) -> Option<i128>;
}

/// Returns the only unknown that remains in a predicate, with the predicate in which everything else is a number;
/// `None` if there are several or none, or a part has no value.
///
/// # Errors
///
/// Returns an error if the exploration has exceeded its bounds.
pub(super) fn only_unknown<U: Unknowns>(run: &mut U, p: &Pred) -> Step<Option<(Element, Pred)>> {
    let mut partial = Partial { run, open: Vec::new() };
    let rest = match residual(&mut partial, p) {
        // Another part of the predicate may hold without the unknown.
        Err(Halt::Dead) => return Ok(None),
        other => other?,
    };
    let open = partial.open;
    match open.first() {
        Some(first) if open.iter().all(|o| o == first) => Ok(Some((*first, rest))),
        _ => Ok(None),
    }
}

fn residual<U: Unknowns>(partial: &mut Partial<'_, U>, p: &Pred) -> Step<Pred> {
    let all = |partial: &mut Partial<'_, U>, ps: &[Pred]| {
        ps.iter().map(|p| residual(partial, p)).collect::<Step<Vec<Pred>>>()
    };
    Ok(match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(cmp, a, b) => {
            Pred::Cmp(*cmp, eval::residual(partial, a)?, eval::residual(partial, b)?)
        }
        Pred::And(ps) => Pred::And(all(partial, ps)?),
        Pred::Or(ps) => Pred::Or(all(partial, ps)?),
        // Specs have no quantifier.
        Pred::All(..) => return Err(Halt::Dead),
    })
}

/// Evaluation that leaves unknowns without values.
pub(super) struct Partial<'r, U> {
    /// The run.
    pub run: &'r mut U,
    /// The unknowns that remain, each as often as it occurs.
    pub open: Vec<Element>,
}

impl<U: Unknowns> Lookup for Partial<'_, U> {
    type Stop = Halt;

    fn var(&mut self, var: VarId) -> Step<i128> {
        self.run.var(var)
    }

    fn load(&mut self, r: &Ref) -> Step<i128> {
        self.run.load(r)
    }

    fn undefined(&self, why: Undefined) -> Halt {
        self.run.undefined(why)
    }
}

impl<U: Unknowns> Reduce for Partial<'_, U> {
    fn reduce(&mut self, r: &Ref) -> Step<Expr> {
        let element = self.run.place(r)?;
        if let Some(n) = self.run.known(&element) {
            return Ok(Expr::Int(n));
        }
        self.open.push(element);
        let index = element.index[..r.index.len()].iter().map(|i| Expr::Int(*i));
        Ok(Expr::Ref(Ref { index: index.collect(), ..r.clone() }))
    }
}
