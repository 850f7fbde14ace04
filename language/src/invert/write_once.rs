//! Conditions on scalars under which no element of an array is written twice.
//!
//! Each access must be injective over its loops. Accesses that differ by a numeral are treated as one access with an
//! additional loop, and all others must be disjoint in some dimension.

use super::access::{Access, outside};
use super::inst::{Conjunct, Why};
use super::state::Level;
use super::{injective, simplify};
use crate::program::eval::gcd;
use crate::program::{Atom, Cmp, Expr, Poly, Pred, Program};

/// Returns conditions under which no two of the accesses write the same element; `None` if no rule
/// applies.
pub fn written_once(program: &Program, accesses: &[&Access]) -> Option<Vec<Conjunct>> {
    let mut out = Vec::new();
    let name = program.input_name(accesses[0].field);
    // Nothing is required if the guards of one of the accesses do not hold.
    let mut add = |happen: &[&Access], preds: Vec<Pred>| {
        for pred in preds {
            let unless = happen
                .iter()
                .flat_map(|access| outside(&access.guards, &access.nest).map(Pred::negated));
            let pred = Pred::or(unless.chain([pred]));
            out.push(Conjunct { pred, span: happen[0].span, why: Why::Once(name.clone()) });
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
            add(&[access], injective::conditions(program, &index, &access.nest, &[])?);
        } else {
            add(&[access], together(program, access, &twins, accesses)?);
            merged.extend(twins);
        }
    }
    // All others must be disjoint as a whole, pair by pair.
    let heads: Vec<usize> = (0..accesses.len()).filter(|k| !merged.contains(k)).collect();
    for (n, &k) in heads.iter().enumerate() {
        for &j in &heads[n + 1..] {
            let (a, b) = (accesses[k], accesses[j]);
            if !a.excludes(b) {
                add(&[a, b], disjoint(program, a, b)?);
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

/// Combines parallel accesses into one, with the numeral as an additional loop variable.
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

/// Conditions under which all of `a` is below or above all of `b` in some dimension: as a whole, or in each iteration
/// of loops that they share.
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
        ways.extend(disjoint_in_step(program, (a, x), (b, y)));
    }
    match Pred::or(ways) {
        Pred::Const(true) => Some(Vec::new()),
        Pred::Const(false) => None,
        way => Some(vec![way]),
    }
}

/// Returns true if the guards of two accesses exclude each other in the same iteration of the first `depth + 1` loops,
/// which they share.
fn exclude_in_step(a: &Access, b: &Access, depth: usize) -> bool {
    let own = |e: &Expr| match e {
        Expr::Var(v) => {
            let at = b.nest[..=depth].iter().position(|level| level.var == *v)?;
            Some(Expr::Var(a.nest[at].var))
        }
        _ => None,
    };
    let not: Vec<Pred> = b.guards.iter().map(|g| g.substitute(own).negated()).collect();
    a.guards.iter().any(|g| not.iter().any(|not| simplify::same(g, not)))
}

/// Conditions under which two accesses are disjoint because each iteration of their common loops has a separate range,
/// in which one access is below the other or only one of them happens. An example is records of equal size, with each
/// access using a part of the record.
fn disjoint_in_step(
    program: &Program,
    (a, x): (&Access, &Expr),
    (b, y): (&Access, &Expr),
) -> Vec<Pred> {
    let (mut first, mut second) = (Poly::of(x), renamed(y, b, a));
    let mut apart = Vec::new();
    let mut ways = Vec::new();
    for (depth, (level, other)) in a.nest.iter().zip(&b.nest).enumerate() {
        if Poly::of(&level.count) != renamed(&other.count, b, a) {
            break;
        }
        let var = Atom::Var(level.var);
        let (Some((c, rest)), Some((d, other))) = (first.linear_in(&var), second.linear_in(&var))
        else {
            break;
        };
        if c != d || simplify::sign(program, &c) != Some(1) {
            break;
        }
        (first, second) = (rest, other);
        let inner = |access: &Access| -> Vec<Level> {
            let rename =
                |l: &Level| Level { var: l.var, count: renamed(&l.count, access, a).to_expr() };
            access.nest[depth + 1..].iter().map(rename).collect()
        };
        // Variables of `b` that have a counterpart in `a` were renamed to it.
        let of_b: Vec<Level> = inner(b)
            .into_iter()
            .enumerate()
            .map(|(k, l)| Level { var: a.nest.get(depth + 1 + k).map_or(l.var, |m| m.var), ..l })
            .collect();
        let (Some((a_lo, a_hi)), Some((b_lo, b_hi))) = (
            injective::extremes(program, &first, &inner(a), &[]),
            injective::extremes(program, &second, &of_b, &[]),
        ) else {
            break;
        };
        let bounded = [&a_lo, &a_hi, &b_lo, &b_hi].into_iter().chain([&c]);
        if bounded.into_iter().any(|p| p.any_atom(&mut |a| matches!(a, Atom::Var(_)))) {
            break;
        }
        // All of an iteration is below all of the next one.
        for (low, high) in [(&a_lo, &b_hi), (&b_lo, &a_hi)] {
            apart.push(Pred::cmp(Cmp::Lt, high.sub(low).to_expr(), c.to_expr()));
        }
        if exclude_in_step(a, b, depth) {
            ways.push(simplify::pred(program, &Pred::and(apart.iter().cloned())));
        }
        for (low, high) in [(a_hi, b_lo), (b_hi, a_lo)] {
            let below = Pred::cmp(Cmp::Lt, low.to_expr(), high.to_expr());
            let way = Pred::and(apart.iter().cloned().chain([below]));
            ways.push(simplify::pred(program, &way));
        }
    }
    ways
}
