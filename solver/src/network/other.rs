//! Nonlinear predicates: they are decided once their unknowns are fixed, and narrow the last open one.

use super::constraint::Other;
use super::state::{State, Stop};
use crate::domain::{self, Domain};
use language::program::eval::holds_with;
use language::program::{Expr, Poly, Pred, Ref};

impl State<'_> {
    /// Narrows the last open unknown of a nonlinear predicate.
    pub fn other(&mut self, other: &Other) -> Result<(), Stop> {
        self.spend(8 * other.unknowns.len())?;
        let mut open = other.unknowns.iter().filter(|(_, k)| !self.is_fixed(*k as usize));
        match (open.next(), open.next()) {
            (first, None) => match holds_with(&other.pred, |r| self.value_of(other, r)) {
                Some(true) => Ok(()),
                None if first.is_some() => self.last(other),
                _ => Err(Stop::Dead),
            },
            _ if other.decides_only => Ok(()),
            _ => match holds_with(&other.pred, |r| self.value_of(other, r)) {
                Some(false) => Err(Stop::Dead),
                _ => Ok(()),
            },
        }
    }

    fn last(&mut self, other: &Other) -> Result<(), Stop> {
        if other.decides_only {
            return Ok(());
        }
        self.spend(32)?;
        let Some((unknown, found)) = self.solutions(other) else { return Ok(()) };
        self.narrow(unknown, found.ends().ok_or(Stop::Dead)?)
    }

    /// Returns the value of a reference in a predicate, if it is fixed.
    fn value_of(&self, other: &Other, r: &Ref) -> Option<i128> {
        let (lo, hi) = self.bounds(other.number(r)? as usize);
        (lo == hi).then_some(lo)
    }

    /// Returns the only open unknown of a predicate, with the values for which the predicate holds, if they have a
    /// closed form.
    pub fn solutions(&self, other: &Other) -> Option<(u32, Domain)> {
        let mut open = other.unknowns.iter().filter(|(_, k)| !self.is_fixed(*k as usize));
        let (Some((r, unknown)), None) = (open.next(), open.next()) else { return None };
        let numeral = |e: &Expr| match e {
            Expr::Ref(r) => self.value_of(other, r).map(Expr::Int),
            _ => None,
        };
        let left = simplified(other.pred.substitute(numeral));
        let within = self.bounds(*unknown as usize);
        Some((*unknown, domain::solutions(&left, &Poly::ref_atom(r), within)?))
    }
}

/// Removes the parts of a predicate that are decided.
pub fn simplified(p: Pred) -> Pred {
    match p {
        Pred::And(ps) => Pred::and(ps.into_iter().map(simplified)),
        Pred::Or(ps) => Pred::or(ps.into_iter().map(simplified)),
        p => holds_with(&p, |_| None).map_or(p, Pred::Const),
    }
}
