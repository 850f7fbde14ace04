//! Injectivity of affine indices: a sufficient condition for every iteration to have a different element.
//!
//! `c0 + c1*i1 + .. + ck*ik` is injective on a box if, for some order of the coefficients by size, each is at least 1
//! plus the reach of the smaller ones: `|c_a| >= 1 + sum over smaller b of (n_b - 1)*|c_b|` (lexicographic dominance,
//! as in array dependence analysis). An index of several dimensions is injective if its dimensions, taken in some
//! order, successively settle all loop variables.

use super::simplify;
use super::state::Level;
use crate::program::{Atom, Cmp, Op, Poly, Pred, Program};

/// One addend `coefficient * variable` of an index.
struct Stride {
    coefficient: Poly,
    /// The maximum number of values of the variable, if it is bounded in terms of values outside the nest. It matters
    /// for all but the largest coefficient.
    count: Option<Poly>,
    depth: usize,
}

/// Conditions under which `index` (one polynomial per dimension) differs in every iteration of `nest`; `None` if the
/// rule does not apply. `settled` variables are known to be equal.
pub fn conditions(
    program: &Program,
    index: &[Poly],
    nest: &[Level],
    settled: &[usize],
) -> Option<Vec<Pred>> {
    let mut open: Vec<usize> = (0..nest.len()).filter(|d| !settled.contains(d)).collect();
    let mut left: Vec<&Poly> = index.iter().collect();
    let mut out = Vec::new();
    while !open.is_empty() {
        // The dimension with the fewest unsettled variables comes first.
        let uses = |p: &Poly| open.iter().filter(|d| mentions(p, nest, **d)).count();
        let next = (0..left.len()).filter(|k| uses(left[*k]) > 0).min_by_key(|k| uses(left[*k]))?;
        let dimension = left.remove(next);
        let used: Vec<usize> =
            open.iter().copied().filter(|d| mentions(dimension, nest, *d)).collect();
        out.extend(dominance(program, dimension, nest, &used)?);
        open.retain(|d| !used.contains(d));
    }
    Some(out)
}

fn mentions(p: &Poly, nest: &[Level], depth: usize) -> bool {
    p.mentions(&Atom::Var(nest[depth].var))
}

/// The rule for one dimension.
fn dominance(program: &Program, index: &Poly, nest: &[Level], used: &[usize]) -> Option<Vec<Pred>> {
    let mut rest = index.clone();
    let mut strides = Vec::new();
    for &depth in used {
        let (coefficient, without) = rest.linear_in(&Atom::Var(nest[depth].var))?;
        if has_loop_variable(&coefficient) {
            return None;
        }
        let loose = |a: &Atom| matches!(a, Atom::Var(_));
        let count = simplify::upper_bound(&Poly::of(&nest[depth].count), &loose);
        let coefficient = match simplify::sign(program, &coefficient)? {
            1 => coefficient,
            _ => coefficient.scale(-1),
        };
        strides.push(Stride { coefficient, count, depth });
        rest = without;
    }
    // Small to large: numerals by value, then products of fewer scalars, then inner loops.
    strides.sort_by_key(|s| {
        let degree = s.coefficient.terms().map(|(m, _)| m.len()).max().unwrap_or(0);
        (degree, s.coefficient.as_int(), std::cmp::Reverse(s.depth))
    });
    let mut reach = Some(Poly::int(1));
    let mut smaller = Poly::default();
    let mut out = Vec::new();
    for stride in strides {
        let smallest = reach?;
        // Each of these is an upper bound of the sum of the smaller strides.
        let tops = greatest(program, &smaller, nest);
        let tops = tops.iter().filter(|p| !has_loop_variable(p)).map(|p| p.add(&Poly::int(1)));
        let reaches = [smallest.clone()].into_iter().chain(tops.filter(|p| *p != smallest));
        let coefficient = stride.coefficient.to_expr();
        let large =
            Pred::or(reaches.map(|reach| Pred::cmp(Cmp::Ge, coefficient.clone(), reach.to_expr())));
        out.push(simplify::pred(program, &large));
        reach = stride
            .count
            .map(|count| smallest.add(&count.sub(&Poly::int(1)).mul(&stride.coefficient)));
        let var = Poly::atom(Atom::Var(nest[stride.depth].var));
        smaller = smaller.add(&stride.coefficient.mul(&var));
    }
    out.retain(|p| *p != Pred::Const(true));
    (!out.contains(&Pred::Const(false))).then_some(out)
}

fn has_loop_variable(p: &Poly) -> bool {
    p.any_atom(&mut |a| matches!(a, Atom::Var(_)))
}

/// The least and greatest value of `index` over `nest` in terms of values outside it (loop variables of `outer`
/// allowed); `None` if it is not linear with known signs.
pub fn extremes(
    program: &Program,
    index: &Poly,
    nest: &[Level],
    outer: &[Level],
) -> Option<(Poly, Poly)> {
    let (mut lo, mut hi) = (index.clone(), index.clone());
    for level in nest.iter().rev() {
        let var = Atom::Var(level.var);
        let count = Poly::of(&level.count);
        let loose = |a: &Atom| {
            matches!(a, Atom::Var(v) if nest.iter().any(|l| l.var == *v)
                && !outer.iter().any(|l| l.var == *v))
        };
        let last = simplify::upper_bound(&count, &loose)?.sub(&Poly::int(1));
        for (side, top) in [(&mut lo, -1), (&mut hi, 1)] {
            let (coefficient, rest) = side.linear_in(&var)?;
            if coefficient == Poly::default() {
                continue;
            }
            *side = if simplify::sign(program, &coefficient)? == top {
                rest.add(&coefficient.mul(&last))
            } else {
                rest
            };
        }
    }
    Some((lo, hi))
}

/// Bounds that `index` never exceeds over `nest`, in terms of values outside it: one for each choice of an operand in
/// each bound that is a `min`. The least of these is exact if each operand decides in some iteration: for the last row
/// of the last strip it is the picture's height, rather than whole strips. Empty if it is not linear with known signs.
pub fn greatest(program: &Program, index: &Poly, nest: &[Level]) -> Vec<Poly> {
    /// The maximum number of alternatives.
    const MOST: usize = 8;
    let mut found = vec![index.clone()];
    for level in nest.iter().rev() {
        let var = Atom::Var(level.var);
        let count = Poly::of(&level.count);
        let counts = match count.as_atom() {
            Some(Atom::Op(Op::Min, a, b)) => vec![a.as_ref().clone(), b.as_ref().clone()],
            _ => vec![count],
        };
        let last = |p: &Poly| -> Vec<Poly> {
            let Some((coefficient, rest)) = p.linear_in(&var) else { return Vec::new() };
            if coefficient == Poly::default() {
                return vec![rest];
            }
            match simplify::sign(program, &coefficient) {
                Some(1) => {
                    let top = |c: &Poly| rest.add(&coefficient.mul(&c.sub(&Poly::int(1))));
                    counts.iter().map(top).collect()
                }
                Some(_) => vec![rest],
                None => Vec::new(),
            }
        };
        found = found.iter().flat_map(last).take(MOST).collect();
    }
    found.dedup();
    found
}
