//! Proves that no element is assigned twice: different iterations, of one statement or of two,
//! never write the same element.

use z3::ast::Bool;

use super::{Case, Proof, SECOND, own};
use crate::check::once::Claim;
use crate::check::once::collect::{Step, Write, loops};
use crate::check::once::logic::Env;
use crate::program::{Atom, Cmp, Expr, Poly, VarId};

impl Proof<'_> {
    /// Proves that no iteration of `a` writes an element that another iteration of `b` writes.
    pub(super) fn disjoint(&self, case: &Case<'_>, a: &Write, b: &Write) -> Result<(), Claim> {
        let same = std::ptr::eq(a, b);
        if !same && (differ(a, b) || exclusive(a, b)) {
            return Ok(());
        }
        // Tries all iterations at once first, then case by case: the outermost shared loop that differs.
        let bare;
        let (a, b) = if same {
            bare = without_plain(a);
            (&bare, &bare)
        } else {
            (a, b)
        };
        if self.never_overlap(case, a, b, (0, None)) {
            return Ok(());
        }
        let (of_a, of_b): (Vec<VarId>, Vec<VarId>) =
            (loops(&a.path).collect(), loops(&b.path).collect());
        let shared = of_a.iter().zip(&of_b).take_while(|(x, y)| x == y).count();
        let mut ways: Vec<(usize, Option<Cmp>)> = Vec::new();
        for k in 0..shared {
            ways.push((k, Some(Cmp::Lt)));
            if !same {
                ways.push((k, Some(Cmp::Gt)));
            }
        }
        if !same {
            ways.push((shared, None));
        }
        let disjoint =
            shared > 0 && ways.into_iter().all(|way| self.never_overlap(case, a, b, way));
        if disjoint { Ok(()) } else { Err(Claim::AtMostOnce) }
    }

    /// Proves it for iterations that agree in the first `equal` loops, and compare as `order` in
    /// the next.
    fn never_overlap(
        &self,
        case: &Case<'_>,
        a: &Write,
        b: &Write,
        (equal, order): (usize, Option<Cmp>),
    ) -> bool {
        let first = own(a);
        let mut second = Env::new();
        for (k, v) in loops(&b.path).enumerate() {
            let name = if k < equal { v.0 } else { v.0 + SECOND };
            second.insert(v, Poly::atom(Atom::Var(VarId(name))));
        }
        self.never(case, &[first.clone(), second.clone()], |logic| {
            for (write, env) in [(a, &first), (b, &second)] {
                let here = logic.path(&write.path, env);
                logic.say(here);
            }
            let mut differ_by = |v: VarId, order: Cmp| {
                let v = Expr::Var(v);
                let difference = logic.poly(&v, &first).sub(&logic.poly(&v, &second));
                logic.compare(order, &difference)
            };
            let different = match order {
                Some(order) => loops(&a.path).nth(equal).map(|v| differ_by(v, order)),
                None if std::ptr::eq(a, b) => {
                    let any: Vec<Bool> = loops(&a.path).map(|v| differ_by(v, Cmp::Ne)).collect();
                    Some(Bool::or(&any))
                }
                None => None,
            };
            different.into_iter().for_each(|p| logic.say(p));
            // A write of a whole array has no index, so it overlaps every write.
            for (x, y) in a.index.iter().zip(&b.index) {
                let difference = logic.poly(x, &first).sub(&logic.poly(y, &second));
                let same = logic.compare(Cmp::Eq, &difference);
                logic.say(same);
            }
        })
    }
}

/// Removes the loops whose variable forms a whole index and has no other use. Iterations that overlap agree in such a
/// variable, whatever the loop's count is.
fn without_plain(write: &Write) -> Write {
    let elsewhere = |v: VarId, at: usize| {
        let index = write.index.iter().enumerate().any(|(k, e)| k != at && e.mentions_var(v));
        let path = write.path.iter().any(|step| match step {
            Step::Loop(_, count) => count.mentions_var(v),
            Step::Guard(p) => p.mentions_var(v),
        });
        index || path
    };
    let plain: Vec<(usize, VarId)> = write
        .index
        .iter()
        .enumerate()
        .filter_map(|(k, e)| match e {
            Expr::Var(v) => Some((k, *v)),
            _ => None,
        })
        .filter(|(k, v)| !elsewhere(*v, *k) && loops(&write.path).any(|l| l == *v))
        .collect();
    let is_plain = |v: VarId| plain.iter().any(|p| p.1 == v);
    let mut out = write.clone();
    out.path.retain(|step| !matches!(step, Step::Loop(v, _) if is_plain(*v)));
    out.index = write
        .index
        .iter()
        .enumerate()
        .filter(|(k, _)| !plain.iter().any(|p| p.0 == *k))
        .map(|(_, e)| e.clone())
        .collect();
    out
}

/// Returns true if an index of the two writes is a different numeral in each.
fn differ(a: &Write, b: &Write) -> bool {
    a.index.iter().zip(&b.index).any(|pair| match pair {
        (Expr::Int(x), Expr::Int(y)) => x != y,
        _ => false,
    })
}

/// Returns true if two writes are in different branches of a conditional that is outside all loops.
fn exclusive(a: &Write, b: &Write) -> bool {
    for pair in a.path.iter().zip(&b.path) {
        match pair {
            (Step::Guard(p), Step::Guard(q)) if p == q => {}
            (Step::Guard(p), Step::Guard(q)) => return *q == p.negated() || *p == q.negated(),
            _ => return false,
        }
    }
    false
}
