//! Bases that accesses use up: elements of tables that are themselves indexed through a table.

use super::access::Access;
use super::layout::base;
use super::simplify;
use super::state::Level;
use super::write_once::{parallel, renamed};
use crate::program::{Atom, Cmp, Expr, Poly, Pred, Program, Ref};

/// Bases that are themselves elements indexed through another array (`t[p[k]]`). Two segments must not have the same
/// base, so each iteration uses up an element of `t`.
pub fn bases_used(
    program: &Program,
    accesses: &[Access],
    places: &dyn Fn(&Ref) -> bool,
) -> Vec<Access> {
    let mut out: Vec<Access> = Vec::new();
    let mut next: Vec<Access> = accesses.to_vec();
    while let Some(access) = next.pop() {
        for (d, e) in access.index.iter().enumerate() {
            let Some((r, offset)) = base(program, e, places) else { continue };
            let indirect = r.index.iter().any(|i| i.mentions(|r| !r.index.is_empty()));
            if !indirect {
                continue;
            }
            let mentioned = |l: &&Level| {
                let var = Atom::Var(l.var);
                r.index.iter().any(|i| Poly::of(i).mentions(&var))
            };
            let relative = || {
                let mut written = access.clone();
                written.index[d] = offset.to_expr();
                Box::new(written)
            };
            // A guard that mentions a loop variable that is not in the base is left out: the base counts as used if the
            // guard may hold.
            let beside =
                |g: &&Pred| access.nest.iter().all(|l| mentioned(&l) || !g.mentions_var(l.var));
            // The base is not used if a loop without its variable in the base has no iteration.
            let dropped: Vec<&Level> = access.nest.iter().filter(|l| !mentioned(l)).collect();
            let runs = dropped.iter().filter_map(|level| {
                let bound = Poly::of(&level.count);
                let known = dropped.iter().all(|l| !bound.mentions(&Atom::Var(l.var)));
                let some = Pred::cmp(Cmp::Gt, level.count.clone(), Expr::Int(0));
                let some = simplify::pred(program, &some);
                (known && some != Pred::Const(true)).then_some(some)
            });
            let used = Access {
                stands_for: Some(access.stands_for.clone().unwrap_or_else(relative)),
                field: r.field,
                nest: access.nest.iter().filter(mentioned).cloned().collect(),
                guards: access.guards.iter().filter(beside).cloned().chain(runs).collect(),
                index: r.index.clone(),
                value: None,
                span: access.span,
            };
            let same = |o: &Access| {
                o.field == used.field
                    && parallel(o, &used)
                    && o.index
                        .iter()
                        .zip(&used.index)
                        .all(|(a, b)| Poly::of(a) == renamed(b, &used, o))
            };
            if !out.iter().any(same) {
                next.push(used.clone());
                out.push(used);
            }
        }
    }
    out
}
