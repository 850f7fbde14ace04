//! The weakest precondition of an inverse's assumptions (paper, `EmitEnsure`).

use std::collections::BTreeSet;

use super::inst::{Conjunct, Inst, InstKind, Why};
use super::loops::perfect_nest;
use super::simplify;
use super::state::{Level, loops};
use crate::program::fold::replacing;
use crate::program::iteration::iteration;
use crate::program::{
    Atom, Cmp, Expr, FieldId, Poly, Pred, Program, Ref, Side, Span, VarId, range,
};

/// Computes, backwards, the condition before `insts` under which every assumption in them, and every conjunct of
/// `post`, holds. Random assignments to inputs that the result mentions are removed, because the ensure assigns those
/// values.
pub fn weakest_precondition(
    program: &Program,
    insts: &mut Vec<Inst>,
    post: Vec<Conjunct>,
) -> Vec<Conjunct> {
    let mut q = before(program, insts, post, false);
    // A scalar that only branches assign is not an unknown of an ensure.
    let mut unknown = BTreeSet::new();
    demanded(&q).for_each(|c| {
        c.pred.refs(&mut |r| {
            if r.side == Side::Input {
                unknown.insert(r.field);
            }
        });
    });
    q.retain(|c| !matches!(c.why, Why::Assigned(field) if !unknown.contains(&field)));
    q
}

/// The precondition, together with the values that branches assign, whether an ensure assigns them or not. `in_branch`
/// is true for the statements of a branch.
fn before(
    program: &Program,
    insts: &mut Vec<Inst>,
    post: Vec<Conjunct>,
    in_branch: bool,
) -> Vec<Conjunct> {
    let mut q = post;
    let mut kept = Vec::with_capacity(insts.len());
    for mut inst in std::mem::take(insts).into_iter().rev() {
        match &mut inst.kind {
            InstKind::Assign { target, value } => {
                replace(&mut q, &replacing(Poly::ref_atom(target), value.clone()));
                q.extend(fits(program, target, value, inst.span));
                q.extend(in_branch.then(|| assigned(target, value, inst.span)).flatten());
            }
            InstKind::Free(target) => {
                let atom = Poly::ref_atom(target);
                if demanded(&q).any(|c| simplify::mentions(&c.pred, &atom)) {
                    continue;
                }
            }
            InstKind::Assume(p, why) => {
                q.push(Conjunct { pred: p.clone(), span: inst.span, why: why.clone() });
            }
            InstKind::If { cond, then, els } => {
                let old = q.len();
                let q_then = before(program, then, q.clone(), true);
                let q_els = before(program, els, q, true);
                q = either(cond, q_then, q_els, old);
                // A condition on values that many branches assign grows with each branch, so it is left to the run,
                // which checks it where it stands.
                for c in q.iter_mut().filter(|c| c.pred.size() > MAX_SIZE) {
                    (c.pred, c.why) = (Pred::Const(true), Why::Large);
                }
                // Inputs that one branch needs are assigned before both.
                let needed = |r: &Ref| {
                    let atom = Poly::ref_atom(r);
                    demanded(&q).any(|c| simplify::mentions(&c.pred, &atom))
                };
                for branch in [then, els] {
                    branch.retain(|i| !matches!(&i.kind, InstKind::Free(r) if needed(r)));
                }
            }
            InstKind::For { var, count, body } => {
                read_over_write(&mut q, *var, count, body);
                let inner = before(program, body, Vec::new(), false);
                q.extend(inner.into_iter().map(|c| Conjunct {
                    pred: Pred::All(*var, Box::new(count.clone()), Box::new(c.pred)),
                    ..c
                }));
            }
            InstKind::Ensure(_) | InstKind::Reserve { .. } | InstKind::Encode(_) => {}
        }
        kept.push(inst);
    }
    kept.reverse();
    *insts = kept;
    tidy(program, q)
}

/// The conjuncts that something requires, without those that state what a branch assigns.
fn demanded(q: &[Conjunct]) -> impl Iterator<Item = &Conjunct> {
    q.iter().filter(|c| !matches!(c.why, Why::Assigned(_)))
}

/// Returns the condition that a scalar has the value that a branch assigns to it; `None` if that depends on more than
/// scalars of the canonical value. Another branch may need the scalar from an ensure. With this condition, the ensure
/// does not draw a value that will be overwritten, because that would not be a different representation.
fn assigned(target: &Ref, value: &Expr, span: Span) -> Option<Conjunct> {
    let open = |r: &Ref| r.side == Side::Input || !r.index.is_empty();
    if !target.index.is_empty() || value.mentions(open) {
        return None;
    }
    let pred = Pred::cmp(Cmp::Eq, Expr::Ref(target.clone()), value.clone());
    Some(Conjunct { pred, span, why: Why::Assigned(target.field) })
}

/// The maximum number of operands of a condition.
const MAX_SIZE: usize = 20_000;

fn replace(q: &mut [Conjunct], by: &dyn Fn(&Expr) -> Option<Expr>) {
    for c in q {
        c.pred = simplify::shortened_pred(c.pred.substitute(by));
    }
}

/// Simplified, without tautologies and repetitions.
fn tidy(program: &Program, q: Vec<Conjunct>) -> Vec<Conjunct> {
    let mut out: Vec<Conjunct> = Vec::with_capacity(q.len());
    let mut comparisons = std::collections::HashMap::new();
    for c in q {
        let pred = simplify::pred(program, &c.pred);
        let twin = match simplify::comparison(&pred) {
            Some(key) => {
                let first = *comparisons.entry(key).or_insert(out.len());
                out.get_mut(first)
            }
            None if pred == Pred::Const(true) => None,
            None => out.iter_mut().find(|o| o.pred == pred),
        };
        let known = pred == Pred::Const(true) || twin.is_some();
        // The best reason is an assumption of the spec itself, the next best the earlier statement.
        if let Some(twin) = twin
            && (c.why == Why::Assumed || twin.why != Why::Assumed)
            && !matches!(c.why, Why::Assigned(_))
        {
            (twin.span, twin.why) = (c.span, c.why.clone());
        }
        // A branch compares its conjuncts with the other's by position, so they keep their order.
        let pred = if known { Pred::Const(true) } else { pred };
        out.push(Conjunct { pred, ..c });
    }
    out
}

/// `(p and q1) or (not p and q2)`, conjunct by conjunct: the first `old` are the same postcondition in both branches,
/// the others belong to one branch.
fn either(cond: &Pred, then: Vec<Conjunct>, els: Vec<Conjunct>, old: usize) -> Vec<Conjunct> {
    let not = cond.negated();
    let mut then = then.into_iter();
    let mut els = els.into_iter();
    let mut out = Vec::new();
    for (t, e) in then.by_ref().take(old).zip(els.by_ref().take(old)) {
        let pred = if t.pred == e.pred {
            t.pred.clone()
        } else {
            let when = |guard: &Pred, p: Pred| match p {
                Pred::Const(false) => Pred::Const(false),
                p => Pred::and([guard.clone(), p]),
            };
            Pred::or([when(cond, t.pred.clone()), when(&not, e.pred)])
        };
        out.push(Conjunct { pred, ..t });
    }
    let own =
        |guard: Pred| move |c: Conjunct| Conjunct { pred: Pred::or([guard.clone(), c.pred]), ..c };
    out.extend(then.map(own(not)));
    out.extend(els.map(own(cond.clone())));
    out
}

/// Returns the conditions that keep an assigned value within its type.
fn fits(program: &Program, target: &Ref, value: &Expr, span: Span) -> Vec<Conjunct> {
    let field = program.field(target);
    let (lo, hi) = field.int.range();
    let (least, most) = range::of(program, value);
    let name = format!("{}.{}", program.input.binder, field.name);
    let conjunct = |cmp, bound| Conjunct {
        pred: Pred::cmp(cmp, value.clone(), Expr::Int(bound)),
        span,
        why: Why::Fits(name.clone()),
    };
    let mut out = Vec::new();
    if least < lo {
        out.push(conjunct(Cmp::Ge, lo));
    }
    if most > hi {
        out.push(conjunct(Cmp::Le, hi));
    }
    out
}

/// Elements that a loop assigns are known after it. `x[i][j] := v`, whose indices are distinct loop variables,
/// determines every `x[a][b]`. (Outside the loop's bounds the element is assigned elsewhere or free; the run checks
/// that.) Any other `x[e] := v` determines `x[e]` under quantifiers with the bounds of the loops.
fn read_over_write(q: &mut [Conjunct], var: VarId, count: &Expr, body: &[Inst]) {
    let (nest, innermost) = perfect_nest(var, count, body);
    for inst in innermost {
        let InstKind::Assign { target, value } = &inst.kind else { continue };
        if target.index.is_empty() {
            continue;
        }
        let indices: Option<Vec<VarId>> = target
            .index
            .iter()
            .map(|i| match i {
                Expr::Var(v) if nest.iter().any(|l| l.var == *v) => Some(*v),
                _ => None,
            })
            .collect();
        let distinct =
            |vars: &[VarId]| vars.iter().enumerate().all(|(k, v)| !vars[..k].contains(v));
        match indices.filter(|vars| distinct(vars)) {
            Some(indices) => replace(q, &|e: &Expr| {
                let Expr::Ref(r) = e else { return None };
                if r.side != Side::Input || r.field != target.field {
                    return None;
                }
                let at = |e: &Expr| match e {
                    Expr::Var(v) => indices.iter().position(|i| i == v).map(|k| r.index[k].clone()),
                    _ => None,
                };
                Some(value.substitute(at))
            }),
            None => {
                for c in &mut *q {
                    c.pred = in_step(&c.pred, &mut Vec::new(), &nest, target, value);
                }
            }
        }
    }
}

/// `p`, with `target` replaced by `value`, which the loops of `nest` assign to it, wherever the quantifiers around it
/// have the same ranges as those loops.
pub fn in_step(
    p: &Pred,
    around: &mut Vec<Level>,
    nest: &[Level],
    target: &Ref,
    value: &Expr,
) -> Pred {
    match p {
        Pred::All(var, count, inner) => {
            around.push(Level { var: *var, count: (**count).clone() });
            let inner = in_step(inner, around, nest, target, value);
            around.pop();
            Pred::All(*var, count.clone(), Box::new(inner))
        }
        Pred::And(ps) => Pred::and(ps.iter().map(|p| in_step(p, around, nest, target, value))),
        Pred::Or(ps) => Pred::or(ps.iter().map(|p| in_step(p, around, nest, target, value))),
        Pred::Const(_) | Pred::Cmp(..) => {
            let p = &in_another_iteration(p, around, nest, target, value);
            if around.len() < nest.len() {
                return p.clone();
            }
            let to = |e: &Expr| match e {
                Expr::Var(v) => {
                    nest.iter().position(|l| l.var == *v).map(|k| Expr::Var(around[k].var))
                }
                _ => None,
            };
            let same = |a: &Expr, b: &Expr| Poly::of(&a.substitute(to)) == Poly::of(b);
            if !nest.iter().zip(&*around).all(|(l, m)| same(&l.count, &m.count)) {
                return p.clone();
            }
            p.substitute(|e| {
                let Expr::Ref(r) = e else { return None };
                let meant = r.side == Side::Input
                    && r.field == target.field
                    && target.index.iter().zip(&r.index).all(|(a, b)| same(a, b));
                meant.then(|| value.substitute(to))
            })
        }
    }
}

/// `p`, with `target` replaced by `value`, which the loops of `nest` assign to it, wherever it is the element of some
/// iteration of these loops, for each iteration of those `around`.
fn in_another_iteration(
    p: &Pred,
    around: &[Level],
    nest: &[Level],
    target: &Ref,
    value: &Expr,
) -> Pred {
    let is_own = |r: &Ref| r.side == Side::Input && r.field == target.field;
    if !p.mentions(is_own) {
        return p.clone();
    }
    let index: Vec<Poly> = target.index.iter().map(Poly::of).collect();
    let (nest, around) = (loops(nest), loops(around));
    p.substitute(|e| {
        let Expr::Ref(r) = e else { return None };
        if !is_own(r) {
            return None;
        }
        let at: Vec<Poly> = r.index.iter().map(Poly::of).collect();
        let found = iteration(&index, &nest, &at, &around)?;
        Some(value.substitute(|e| match e {
            Expr::Var(v) => found.iter().find(|(var, _)| var == v).map(|(_, by)| by.to_expr()),
            _ => None,
        }))
    })
}

/// Returns true if a predicate mentions an element of an input array for which `given` is false.
pub fn waits_for(p: &Pred, given: &dyn Fn(FieldId) -> bool) -> bool {
    let mut waits = false;
    p.exprs(&mut |e| {
        waits |= Poly::of(e).any_atom(&mut |a| {
            matches!(a, Atom::Ref(Side::Input, field, index) if !index.is_empty() && !given(*field))
        });
    });
    waits
}
