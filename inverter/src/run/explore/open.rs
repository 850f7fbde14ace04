//! Evaluation that leaves unknowns open, so that a condition on one of them decides its values.

use super::class::Element;
use super::run::{Halt, Run, Step};
use crate::program::eval::{self, Lookup, Reduce, Undefined};
use crate::program::{Expr, Pred, Ref, VarId};

/// Returns the only unknown that a predicate leaves open, with the predicate in which everything else is a
/// number; `None` if there are several or none, or a part has no value.
///
/// # Errors
///
/// If the exploration is over its bounds.
pub(super) fn only_unknown(run: &mut Run<'_>, p: &Pred) -> Step<Option<(Element, Pred)>> {
    let mut partial = Partial { run, open: Vec::new() };
    let rest = match residual(&mut partial, p) {
        // Another part may hold without it.
        Err(Halt::Dead) => return Ok(None),
        other => other?,
    };
    let open = partial.open;
    match open.first() {
        Some(first) if open.iter().all(|o| o == first) => Ok(Some((*first, rest))),
        _ => Ok(None),
    }
}

fn residual(partial: &mut Partial<'_, '_>, p: &Pred) -> Step<Pred> {
    let all = |partial: &mut Partial<'_, '_>, ps: &[Pred]| {
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

/// Evaluation that leaves unknowns open.
pub(super) struct Partial<'r, 'a> {
    /// The run.
    pub run: &'r mut Run<'a>,
    /// The unknowns that are left, as often as they occur.
    pub open: Vec<Element>,
}

impl Lookup for Partial<'_, '_> {
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

impl Reduce for Partial<'_, '_> {
    fn reduce(&mut self, r: &Ref) -> Step<Expr> {
        let element = self.run.locate(r)?;
        if let Some(n) = self.run.class.known.get(&element) {
            return Ok(Expr::Int(*n));
        }
        self.open.push(element);
        let index = element.index[..r.index.len()].iter().map(|i| Expr::Int(*i));
        Ok(Expr::Ref(Ref { index: index.collect(), ..r.clone() }))
    }
}
