//! Iterations of loops, identified by the element that they reach.

use super::poly::{Atom, Poly};
use super::syntax::VarId;

/// A loop: its variable, and how often it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The loop variable.
    pub var: VarId,
    /// The number of iterations; zero if negative.
    pub count: Poly,
}

/// Returns the values of the variables of `nest` for which `index` equals `at`, if there is such an iteration for every
/// iteration of the loops `around` the latter. The rule is incomplete, and returns `None` if it does not apply: each
/// dimension must decide one variable, with a numeral as its coefficient. A loop around both keeps its variable, unless
/// `at` belongs to another iteration of it.
pub fn iteration(
    index: &[Poly],
    nest: &[Loop],
    at: &[Poly],
    around: &[Loop],
) -> Option<Vec<(VarId, Poly)>> {
    let mut decided: Vec<(VarId, Poly)> = Vec::new();
    for (own, other) in index.iter().zip(at) {
        let innermost = nest.iter().rev().find(|l| own.mentions(&Atom::Var(l.var)));
        let Some(level) = innermost else {
            if own != other {
                return None;
            }
            continue;
        };
        if decided.iter().any(|(var, _)| own.mentions(&Atom::Var(*var))) {
            return None;
        }
        let (coefficient, rest) = own.linear_in(&Atom::Var(level.var))?;
        let value = divided(&other.sub(&rest), coefficient.as_int()?)?;
        decided.push((level.var, value));
    }
    let mut all = Vec::new();
    for level in nest {
        let Some((_, value)) = decided.iter().find(|(var, _)| *var == level.var) else {
            // The others are the loops that are around both.
            let shared = around.iter().any(|l| l.var == level.var && l.count == level.count);
            if !shared {
                return None;
            }
            all.push((level.var, Poly::atom(Atom::Var(level.var))));
            continue;
        };
        if decided.iter().any(|(var, _)| level.count.mentions(&Atom::Var(*var))) {
            return None;
        }
        let (least, most) = (extreme(value, around, -1)?, extreme(value, around, 1)?);
        let beyond = most.sub(&level.count).add(&Poly::int(1));
        if least.as_int()? < 0 || beyond.as_int()? > 0 {
            return None;
        }
        all.push((level.var, value.clone()));
    }
    // One dimension decides each of them, and no other dimension may depend on it.
    let apart =
        |own: &Poly| decided.iter().filter(|(var, _)| own.mentions(&Atom::Var(*var))).count() <= 1;
    index.iter().all(apart).then_some(all)
}

/// Returns `p / divisor`, if all its coefficients are multiples of the divisor.
fn divided(p: &Poly, divisor: i128) -> Option<Poly> {
    let mut out = Poly::default();
    for (monomial, c) in p.terms() {
        if divisor == 0 || c % divisor != 0 {
            return None;
        }
        out = out.add(&Poly::term(monomial.clone(), c / divisor));
    }
    Some(out)
}

/// Returns a bound of `p` over all iterations of these loops: an upper one if `sign` is 1, a lower one if it is -1.
fn extreme(p: &Poly, around: &[Loop], sign: i128) -> Option<Poly> {
    let mut bound = p.clone();
    for level in around.iter().rev() {
        let (coefficient, rest) = bound.linear_in(&Atom::Var(level.var))?;
        let coefficient = coefficient.as_int()?;
        bound = match coefficient * sign > 0 {
            true => rest.add(&level.count.sub(&Poly::int(1)).scale(coefficient)),
            false => rest,
        };
    }
    Some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(k: usize) -> Poly {
        Poly::atom(Atom::Var(VarId(k)))
    }

    fn times(k: usize, count: Poly) -> Loop {
        Loop { var: VarId(k), count }
    }

    #[test]
    fn an_iteration_reaches_each_element_inside_the_bounds() {
        let nest = [times(0, Poly::int(4))];
        let index = [var(0).scale(3).add(&Poly::int(12))];
        let of = |at: i128| iteration(&index, &nest, &[Poly::int(at)], &[]);
        assert_eq!(of(18), Some(vec![(VarId(0), Poly::int(2))]));
        assert_eq!([of(13), of(9), of(24)], [None, None, None]);
    }

    #[test]
    fn earlier_iterations_of_one_loop_are_iterations_of_it() {
        let nest = [times(0, Poly::int(9))];
        let around = [times(0, Poly::int(9)), times(1, var(0))];
        let of = |at: Poly| iteration(&[var(0).scale(2)], &nest, &[at.scale(2)], &around);
        assert_eq!(of(var(1)), Some(vec![(VarId(0), var(1))]));
        assert_eq!(of(var(0).add(&Poly::int(1))), None);
        assert_eq!(of(var(0).add(&var(1))), None);
    }

    #[test]
    fn loops_around_both_keep_their_variables() {
        let nest = [times(0, Poly::int(5)), times(1, Poly::int(8))];
        let around = [times(0, Poly::int(5)), times(2, Poly::int(7))];
        let index = |k: usize| [var(0).scale(100).add(&var(k))];
        let found = iteration(&index(1), &nest, &index(2), &around);
        assert_eq!(found, Some(vec![(VarId(0), var(0)), (VarId(1), var(2))]));
    }
}
