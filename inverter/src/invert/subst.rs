//! Substitution in expressions, predicates and statements.

use crate::program::{Atom, Expr, Poly, Pred, Ref, VarId};

/// A substitution: what a reference or a variable is replaced by, if it is.
pub type Map<'a> = &'a dyn Fn(&Expr) -> Option<Expr>;

/// `e` with everything replaced that `map` replaces, indices included.
pub fn expr(e: &Expr, map: Map<'_>) -> Expr {
    if let Some(by) = map(e) {
        return by;
    }
    match e {
        Expr::Int(_) | Expr::Var(_) => e.clone(),
        Expr::Ref(r) => {
            let index = r.index.iter().map(|i| expr(i, map)).collect();
            let inner = Expr::Ref(Ref { index, ..r.clone() });
            map(&inner).unwrap_or(inner)
        }
        Expr::Bin(op, a, b) => Expr::bin(*op, expr(a, map), expr(b, map)),
    }
}

/// `p` with everything replaced that `map` replaces.
pub fn pred(p: &Pred, map: Map<'_>) -> Pred {
    match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(c, a, b) => Pred::Cmp(*c, expr(a, map), expr(b, map)),
        Pred::And(ps) => Pred::and(ps.iter().map(|p| pred(p, map))),
        Pred::Or(ps) => Pred::or(ps.iter().map(|p| pred(p, map))),
        Pred::All(v, count, p) => Pred::All(*v, Box::new(expr(count, map)), Box::new(pred(p, map))),
    }
}

/// The substitution of one atom.
pub fn atom(atom: Atom, by: Expr) -> impl Fn(&Expr) -> Option<Expr> {
    move |e| {
        let same = match (e, &atom) {
            (Expr::Var(v), Atom::Var(a)) => v == a,
            (Expr::Ref(r), Atom::Ref(side, field, _)) => {
                r.side == *side && r.field == *field && Poly::ref_atom(r) == atom
            }
            _ => false,
        };
        same.then(|| by.clone())
    }
}

/// The substitution of a loop variable.
pub fn var(var: VarId, by: Expr) -> impl Fn(&Expr) -> Option<Expr> {
    atom(Atom::Var(var), by)
}
