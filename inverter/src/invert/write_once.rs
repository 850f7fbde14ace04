//! Conditions on scalars under which no element of an array is written twice.
//!
//! Each access is injective over its loops, accesses that differ by a numeral are taken as one with
//! one more loop, and all others are disjoint in some dimension.

use super::access::{Access, outside};
use super::inst::{Conjunct, Why};
use super::state::Level;
use super::{injective, simplify};
use crate::program::{Atom, Cmp, Expr, Poly, Pred, Program};

/// Returns conditions under which no two of the accesses write the same element; `None` if no rule
/// applies.
pub fn written_once(program: &Program, accesses: &[&Access]) -> Option<Vec<Conjunct>> {
    let mut out = Vec::new();
    let name = program.input_name(accesses[0].field);
    let mut add = |access: &Access, preds: Vec<Pred>| {
        for pred in preds {
            let unless = outside(&access.guards, &access.nest).map(Pred::negated);
            let pred = Pred::or(unless.chain([pred]));
            out.push(Conjunct { pred, span: access.span, why: Why::Once(name.clone()) });
        }
    };
    let mut merged: Vec<usize> = Vec::new();
    for (k, access) in accesses.iter().enumerate() {
        if merged.contains(&k) {
            continue;
        }
        let twins: Vec<usize> =
            (k + 1..accesses.len()).filter(|j| parallel(access, accesses[*j])).collect();
        if twins.is_empty() {
            let index: Vec<Poly> = access.index.iter().map(Poly::of).collect();
            add(access, injective::conditions(program, &index, &access.nest, &[])?);
        } else {
            add(access, together(program, access, &twins, accesses)?);
            merged.extend(twins);
        }
    }
    // All others must be disjoint as a whole, pair by pair.
    let heads: Vec<usize> = (0..accesses.len()).filter(|k| !merged.contains(k)).collect();
    for (n, &k) in heads.iter().enumerate() {
        for &j in &heads[n + 1..] {
            let (a, b) = (accesses[k], accesses[j]);
            if !a.excludes(b) {
                add(a, disjoint(program, a, b)?);
            }
        }
    }
    Some(out)
}

/// Returns true if two accesses run the same loops and differ by a numeral in one dimension.
pub fn parallel(a: &Access, b: &Access) -> bool {
    let same_loops = a.nest.len() == b.nest.len()
        && a.guards == b.guards
        && a.nest
            .iter()
            .zip(&b.nest)
            .all(|(l, m)| renamed(&l.count, b, a) == renamed(&m.count, b, a));
    let same = |(x, y): (&Expr, &Expr)| Poly::of(x).sub(&renamed(y, b, a)).as_int().is_some();
    same_loops && a.index.iter().zip(&b.index).all(same)
}

/// `e` with the loop variables of `from` replaced by those of `to`.
pub fn renamed(e: &Expr, from: &Access, to: &Access) -> Poly {
    from.nest
        .iter()
        .zip(&to.nest)
        .fold(Poly::of(e), |p, (f, t)| p.replace(&Atom::Var(f.var), &Poly::atom(Atom::Var(t.var))))
}

/// Parallel accesses as one, with the numeral as one more loop variable.
fn together(
    program: &Program,
    first: &Access,
    twins: &[usize],
    accesses: &[&Access],
) -> Option<Vec<Pred>> {
    let index: Vec<Poly> = first.index.iter().map(Poly::of).collect();
    let shifts: Vec<Vec<i128>> = twins
        .iter()
        .map(|t| {
            let twin = accesses[*t];
            let shift = |(e, p): (&Expr, &Poly)| renamed(e, twin, first).sub(p).as_int();
            twin.index.iter().zip(&index).map(shift).collect::<Option<Vec<_>>>()
        })
        .collect::<Option<_>>()?;
    // They may differ in one dimension only.
    let dimension = (0..index.len()).find(|d| shifts.iter().any(|s| s[*d] != 0))?;
    if shifts.iter().any(|s| s.iter().enumerate().any(|(d, v)| d != dimension && *v != 0)) {
        return None;
    }
    let mut offsets: Vec<i128> = shifts.iter().map(|s| s[dimension]).chain([0]).collect();
    offsets.sort_unstable();
    let step = offsets.windows(2).map(|w| w[1] - w[0]).fold(0, gcd);
    if step == 0 || offsets.windows(2).any(|w| w[0] == w[1]) {
        return None;
    }
    let span = offsets[offsets.len() - 1] - offsets[0];
    let var = program.fresh_var();
    let mut nest = first.nest.clone();
    nest.push(Level { var, count: Expr::Int(span / step + 1) });
    let mut index = index;
    index[dimension] = index[dimension].add(&Poly::atom(Atom::Var(var)).scale(step));
    injective::conditions(program, &index, &nest, &[])
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Conditions under which all of `a` is below all of `b`, or above, in some dimension.
fn disjoint(program: &Program, a: &Access, b: &Access) -> Option<Vec<Pred>> {
    let mut ways = Vec::new();
    for (x, y) in a.index.iter().zip(&b.index) {
        let (Some((a_lo, a_hi)), Some((b_lo, b_hi))) = (
            injective::extremes(program, &Poly::of(x), &a.nest, &[]),
            injective::extremes(program, &Poly::of(y), &b.nest, &[]),
        ) else {
            continue;
        };
        for (low, high) in [(a_hi, b_lo), (b_hi, a_lo)] {
            let below = Pred::cmp(Cmp::Lt, low.to_expr(), high.to_expr());
            ways.push(simplify::pred(program, &below));
        }
    }
    match Pred::or(ways) {
        Pred::Const(true) => Some(Vec::new()),
        Pred::Const(false) => None,
        way => Some(vec![way]),
    }
}
