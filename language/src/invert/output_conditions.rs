//! Conditions of ensures on the canonical value alone.
//!
//! `for all i, j: x.alpha = 2 or y.rgba[i][j][3] = 65535` is `x.alpha = 2`, or a condition on the whole canonical value
//! that no choice changes. Such a condition is decided once for each canonical value, however many representations are
//! made, and is compiled to code like the rest of a spec.

use super::Ensure;
use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side, VarId};

/// The conjuncts of ensures with their quantifiers moved inward as far as possible, and the conditions on the output in
/// them.
#[derive(Debug, Clone)]
pub struct OutputConditions {
    /// The conjuncts, by ensure and conjunct.
    pub conjuncts: Vec<Vec<Pred>>,
    /// The conditions: quantified predicates in which only the canonical value occurs.
    pub closed: Vec<Pred>,
}

impl OutputConditions {
    /// Collects the conjuncts and the conditions of `ensures`.
    pub fn of(ensures: &[Ensure]) -> Self {
        let equal = equalities(ensures.iter().flat_map(|e| &e.conjuncts).map(|c| &c.pred));
        let settled = |p: &Pred| of_outputs(&inward(p), &equal);
        let conjuncts: Vec<Vec<Pred>> = ensures
            .iter()
            .map(|e| e.conjuncts.iter().map(|c| settled(&c.pred)).collect())
            .collect();
        let mut closed = Vec::new();
        conjuncts.iter().flatten().for_each(|p| collect(p, &mut closed));
        Self { conjuncts, closed }
    }

    /// Returns the position of a predicate among the conditions.
    pub fn position(&self, p: &Pred) -> Option<usize> {
        self.closed.iter().position(|closed| closed == p)
    }
}

/// Returns the input scalars that have to equal an expression over the output.
fn equalities<'p>(conjuncts: impl Iterator<Item = &'p Pred>) -> Vec<(FieldId, Expr)> {
    let mut equal = Vec::new();
    for p in conjuncts {
        let Pred::Cmp(Cmp::Eq, a, b) = p else { continue };
        for (scalar, value) in [(a, b), (b, a)] {
            if let Expr::Ref(Ref { side: Side::Input, field, index, .. }) = scalar
                && index.is_empty()
                && !value.mentions(|r| r.side == Side::Input)
            {
                equal.push((*field, value.clone()));
            }
        }
    }
    equal
}

/// In quantified predicates, replaces input scalars by the outputs that they `equal`, if only outputs remain then.
fn of_outputs(p: &Pred, equal: &[(FieldId, Expr)]) -> Pred {
    match p {
        Pred::Const(_) | Pred::Cmp(..) => p.clone(),
        Pred::And(ps) => Pred::and(ps.iter().map(|p| of_outputs(p, equal))),
        Pred::Or(ps) => Pred::or(ps.iter().map(|p| of_outputs(p, equal))),
        Pred::All(var, count, inner) => {
            let replaced = p.substitute(|e| match e {
                Expr::Ref(r) if r.side == Side::Input && r.index.is_empty() => {
                    equal.iter().find(|(field, _)| *field == r.field).map(|(_, e)| e.clone())
                }
                _ => None,
            });
            if replaced.mentions(|r| r.side == Side::Input) {
                Pred::All(*var, count.clone(), Box::new(of_outputs(inner, equal)))
            } else {
                replaced
            }
        }
    }
}

/// Moves the quantifiers of a predicate inward as far as possible.
fn inward(p: &Pred) -> Pred {
    match p {
        Pred::Const(_) | Pred::Cmp(..) => p.clone(),
        Pred::And(ps) => Pred::and(ps.iter().map(inward)),
        Pred::Or(ps) => Pred::or(ps.iter().map(inward)),
        Pred::All(var, count, p) => quantified(*var, count, inward(p)),
    }
}

fn quantified(var: VarId, count: &Expr, p: Pred) -> Pred {
    match p {
        Pred::And(ps) => Pred::and(ps.into_iter().map(|p| quantified(var, count, p))),
        Pred::Or(ps) if ps.iter().any(|p| !p.mentions_var(var)) => {
            let (within, outside): (Vec<Pred>, Vec<Pred>) =
                ps.into_iter().partition(|p| p.mentions_var(var));
            let none = Pred::cmp(Cmp::Le, count.clone(), Expr::Int(0));
            let all = match within.is_empty() {
                true => Pred::Const(false),
                false => quantified(var, count, Pred::or(within)),
            };
            Pred::or([none].into_iter().chain(outside).chain([all]))
        }
        p => Pred::All(var, Box::new(count.clone()), Box::new(p)),
    }
}

fn collect(p: &Pred, out: &mut Vec<Pred>) {
    match p {
        Pred::Const(_) | Pred::Cmp(..) => {}
        Pred::And(ps) | Pred::Or(ps) => ps.iter().for_each(|p| collect(p, out)),
        Pred::All(_, _, inner) => {
            if p.mentions(|r| r.side == Side::Input) || !bound(p, &mut Vec::new()) {
                collect(inner, out);
            } else if !out.contains(p) {
                out.push(p.clone());
            }
        }
    }
}

/// Returns true if every loop variable in `p` is quantified in it.
fn bound(p: &Pred, vars: &mut Vec<VarId>) -> bool {
    let known = |e: &Expr, vars: &[VarId]| {
        let mut known = true;
        e.vars(&mut |v| known &= vars.contains(&v));
        known
    };
    match p {
        Pred::Const(_) => true,
        Pred::Cmp(_, a, b) => known(a, vars) && known(b, vars),
        Pred::And(ps) | Pred::Or(ps) => ps.iter().all(|p| bound(p, vars)),
        Pred::All(var, count, inner) => {
            let count = known(count, vars);
            vars.push(*var);
            let inner = bound(inner, vars);
            vars.pop();
            count && inner
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OutputConditions;
    use crate::invert::invert;
    use crate::program::parse;
    use crate::program::print::Show;

    #[test]
    fn a_choice_is_taken_out_of_what_is_said_of_every_element() {
        let spec = "
            pub struct In { n: u32, kind: u8, d: [u8; n] }
            pub struct Out { n: u32, d: [u8; n] }
            fn normalize(x: &In, y: &mut Out) {
                y.n = x.n;
                assume(x.kind <= 2);
                for i in 0..x.n {
                    y.d[i] = x.d[i];
                    assume(x.kind == 2 || x.d[i] == 255);
                }
            }";
        let inverse = invert(&parse("kinds.rs", spec).unwrap()).unwrap();
        let conditions = OutputConditions::of(&inverse.ensures);
        let closed: Vec<String> =
            conditions.closed.iter().map(|p| Show(&inverse.program, p).to_string()).collect();
        assert_eq!(closed, ["for all i in 0..y.n: y.d[i] = 255"]);
    }

    #[test]
    fn bounds_of_loops_are_those_of_the_output_where_they_equal_it() {
        let spec = "
            pub struct In { n: u32, m: u32, kind: u8, d: [u8; n * m] }
            pub struct Out { n: u32, m: u32, d: [u8; n * m] }
            fn normalize(x: &In, y: &mut Out) {
                y.n = x.n;
                assume(x.m * 2 == x.kind);
                y.m = x.m;
                for i in 0..x.n * x.m {
                    y.d[i] = x.d[i];
                    assume(x.kind == 2 || x.d[i] == 255);
                }
            }";
        let inverse = invert(&parse("bounds.rs", spec).unwrap()).unwrap();
        let conditions = OutputConditions::of(&inverse.ensures);
        let closed: Vec<String> =
            conditions.closed.iter().map(|p| Show(&inverse.program, p).to_string()).collect();
        assert_eq!(closed, ["for all i in 0..y.n*y.m: y.d[i] = 255"]);
    }
}
