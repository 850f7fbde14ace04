//! Simplification of predicates by normal form and by the ranges of types.

use std::collections::HashSet;

use crate::program::{
    Atom, Cmp, Expr, FieldId, Op, Poly, Pred, Program, Side, Span, StmtKind, range,
};

/// `p` with tautologies and contradictions decided, and duplicates dropped.
pub fn pred(program: &Program, p: &Pred) -> Pred {
    match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(cmp, a, b) => {
            let (lo, hi) = range::of(program, &Poly::of(a).sub(&Poly::of(b)).to_expr());
            match decided(*cmp, lo, hi) {
                Some(truth) => Pred::Const(truth),
                None => p.clone(),
            }
        }
        Pred::And(ps) => Pred::and(distinct(ps.iter().map(|p| pred(program, p)))),
        Pred::Or(ps) => Pred::or(distinct(ps.iter().map(|p| pred(program, p)))),
        Pred::All(var, count, p) => {
            let inner = pred(program, p);
            match inner {
                Pred::Const(true) => inner,
                _ if !mentions(&inner, &Atom::Var(*var)) => {
                    let none = Pred::cmp(Cmp::Le, (**count).clone(), Expr::Int(0));
                    Pred::or([pred(program, &none), inner])
                }
                _ => Pred::All(*var, count.clone(), Box::new(inner)),
            }
        }
    }
}

/// The number of operands above which an expression is written as a polynomial.
const LONG: usize = 40;

/// Returns a long expression as a polynomial: in a chain of sums, each substituted into the next, expressions grow
/// exponentially but polynomials do not.
pub fn shortened(e: Expr) -> Expr {
    if e.size() < LONG {
        return e;
    }
    let poly = Poly::of(&e);
    // Larger coefficients saturate.
    let small = poly.terms().all(|(_, c)| c.unsigned_abs() < 1 << 100);
    let short = poly.to_expr();
    if small && short.size() < e.size() { short } else { e }
}

/// Returns a predicate with its long expressions [`shortened`].
pub fn shortened_pred(p: Pred) -> Pred {
    match p {
        Pred::Const(_) => p,
        Pred::Cmp(cmp, a, b) => Pred::cmp(cmp, shortened(a), shortened(b)),
        Pred::And(ps) => Pred::And(ps.into_iter().map(shortened_pred).collect()),
        Pred::Or(ps) => Pred::Or(ps.into_iter().map(shortened_pred).collect()),
        Pred::All(var, count, p) => Pred::All(var, count, Box::new(shortened_pred(*p))),
    }
}

fn decided(cmp: Cmp, lo: i128, hi: i128) -> Option<bool> {
    let always = match cmp {
        Cmp::Eq => lo == 0 && hi == 0,
        Cmp::Ne => lo > 0 || hi < 0,
        Cmp::Lt => hi < 0,
        Cmp::Le => hi <= 0,
        Cmp::Gt => lo > 0,
        Cmp::Ge => lo >= 0,
    };
    if always {
        return Some(true);
    }
    let never = match cmp {
        Cmp::Eq => lo > 0 || hi < 0,
        Cmp::Ne => lo == 0 && hi == 0,
        Cmp::Lt => lo >= 0,
        Cmp::Le => lo > 0,
        Cmp::Gt => hi <= 0,
        Cmp::Ge => hi < 0,
    };
    never.then_some(false)
}

/// Drops repetitions: of predicates that are the [`same`], only the first is kept.
fn distinct(ps: impl Iterator<Item = Pred>) -> Vec<Pred> {
    let ps: Vec<Pred> = ps.collect();
    // The normal form is the most expensive step here, and a single comparison does not need it.
    let several = ps.iter().filter(|p| matches!(p, Pred::Cmp(..))).nth(1).is_some();
    let mut normals = HashSet::new();
    let mut out: Vec<Pred> = Vec::with_capacity(ps.len());
    for p in ps {
        let repeats = match several.then(|| comparison(&p)).flatten() {
            Some(normal) => !normals.insert(normal),
            None => out.contains(&p),
        };
        if !repeats {
            out.push(p);
        }
    }
    out
}

/// Returns true if two predicates have the same normal form.
pub fn same(a: &Pred, b: &Pred) -> bool {
    match (comparison(a), comparison(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
    }
}

/// The normal form of a comparison.
pub fn comparison(p: &Pred) -> Option<(u8, Poly)> {
    match p {
        Pred::Cmp(cmp, a, b) => Some(normal(*cmp, Poly::of(a).sub(&Poly::of(b)))),
        _ => None,
    }
}

/// A comparison as `poly >= 0`, `poly = 0` or `poly != 0`.
fn normal(cmp: Cmp, p: Poly) -> (u8, Poly) {
    match cmp {
        Cmp::Ge => (0, p),
        Cmp::Gt => (0, p.sub(&Poly::int(1))),
        Cmp::Le => (0, p.scale(-1)),
        Cmp::Lt => (0, p.scale(-1).sub(&Poly::int(1))),
        Cmp::Eq => (1, either_sign(p)),
        Cmp::Ne => (2, either_sign(p)),
    }
}

/// Returns the greater of `p` and `-p`: the normal form of two polynomials that differ only in sign.
fn either_sign(p: Poly) -> Poly {
    let negated = p.scale(-1);
    p.max(negated)
}

/// Returns true if the atom occurs in the predicate, at any depth.
pub fn mentions(p: &Pred, atom: &Atom) -> bool {
    let mut found = false;
    // The normal form of an expression has only atoms that the expression has.
    p.exprs(&mut |e| found = found || may_mention(e, atom) && Poly::of(e).mentions(atom));
    found
}

/// Returns false if no reference or variable of an expression is of the same kind as an atom.
fn may_mention(e: &Expr, atom: &Atom) -> bool {
    match atom {
        Atom::Var(v) => e.mentions_var(*v),
        Atom::Ref(side, field, _) => e.mentions(|r| r.side == *side && r.field == *field),
        Atom::Op(..) => true,
    }
}

/// Returns an upper bound of `e` without the atoms for which `loose` is true: a `min` is replaced by an operand without
/// them. `None` if there is no such bound.
pub fn upper_bound(e: &Poly, loose: &dyn Fn(&Atom) -> bool) -> Option<Poly> {
    let free = |p: &Poly| !p.any_atom(&mut |a| loose(a));
    if free(e) {
        return Some(e.clone());
    }
    let mut out = Poly::default();
    for (monomial, c) in e.terms() {
        let mut product = Poly::int(c);
        for atom in monomial {
            let factor = match atom {
                Atom::Op(Op::Min, a, b) if c > 0 && monomial.len() == 1 => {
                    [a, b].into_iter().find(|p| free(p))?.as_ref().clone()
                }
                atom => Poly::atom(atom.clone()),
            };
            product = product.mul(&factor);
        }
        if !free(&product) {
            return None;
        }
        out = out.add(&product);
    }
    Some(out)
}

/// The sign of a polynomial as determined by its atoms' ranges: at least 0, or at most 0.
pub fn sign(program: &Program, p: &Poly) -> Option<i8> {
    let e = p.to_expr();
    let of = |(lo, hi): (i128, i128)| match (lo >= 0, hi <= 0) {
        (true, _) => Some(1),
        (_, true) => Some(-1),
        _ => None,
    };
    of(range::of(program, &e)).or_else(|| {
        // The type of a signed number is weaker than the program's assumptions about it.
        of(range::with(&e, &|r| match (r.side, r.index.is_empty()) {
            (Side::Input, true) => assumed_range(program, r.field),
            _ => program.field(r).int.range(),
        }))
    })
}

/// The bounds of a scalar input that follow from statements outside loops and conditionals: assumptions, and outputs to
/// which it is assigned.
fn assumed_range(program: &Program, field: FieldId) -> (i128, i128) {
    let own = |e: &Expr| matches!(e, Expr::Ref(r) if r.side == Side::Input && r.field == field && r.index.is_empty());
    let (mut lo, mut hi) = program.input.fields[field].int.range();
    let mut at_least = |n: i128| lo = lo.max(n);
    let mut at_most = |n: i128| hi = hi.min(n);
    for stmt in &program.body {
        match &stmt.kind {
            StmtKind::Assume(Pred::Cmp(cmp, a, b)) => {
                let (cmp, n) = match (own(a), b, own(b), a) {
                    (true, Expr::Int(n), ..) => (*cmp, *n),
                    (_, _, true, Expr::Int(n)) => (cmp.mirrored(), *n),
                    _ => continue,
                };
                match cmp {
                    Cmp::Ge => at_least(n),
                    Cmp::Gt => at_least(n.saturating_add(1)),
                    Cmp::Le => at_most(n),
                    Cmp::Lt => at_most(n.saturating_sub(1)),
                    Cmp::Eq | Cmp::Ne => {}
                }
            }
            StmtKind::Assign { target, value } if own(value) => {
                let (least, most) = program.field(target).int.range();
                at_least(least);
                at_most(most);
            }
            _ => {}
        }
    }
    (lo, hi)
}

/// The empty span, for derived expressions.
pub const NOWHERE: Span = Span { start: 0, end: 0 };
