//! Conjuncts about elements that another conjunct defines.
//!
//! If an assumption about an element comes before the assignment to an output, an ensure assigns the element. It
//! contains `x.c[i][k] < 9` and `y.c[i][k] = x.c[i][k]`, both in the same loops. Substituting `y.c[i][k]` for the
//! element turns the first into a condition on the canonical value and on the bounds of the loops, which is required
//! where these are chosen.

use super::access::Access;
use super::ensure::in_step;
use super::inst::{Conjunct, Inst, InstKind};
use super::simplify;
use super::state::Level;
use crate::program::{Cmp, Expr, FieldId, Pred, Program, Ref, Side};

/// The value that a conjunct implies for an element, in all iterations of its loops.
pub struct Definition {
    nest: Vec<Level>,
    /// The element.
    pub target: Ref,
    value: Expr,
}

/// In all other conjuncts, replaces elements that a conjunct defines, if these then no longer mention any element of
/// the array.
pub fn without_defined(program: &Program, conjuncts: &mut [Conjunct]) {
    for at in 0..conjuncts.len() {
        let Some(definition) = definition(&conjuncts[at].pred) else { continue };
        let Definition { nest, target, value } = &definition;
        for (k, c) in conjuncts.iter_mut().enumerate() {
            if k == at || !c.pred.mentions(is_of(target.field)) {
                continue;
            }
            let pred = in_step(&c.pred, &mut Vec::new(), nest, target, value);
            if !pred.mentions(is_of(target.field)) {
                c.pred = simplify::pred(program, &pred);
            }
        }
    }
}

/// Replaces elements that loops of the inverse assign in the values that accesses write, so that the written values are
/// known before the loops run.
pub fn with_known_values(accesses: &mut [Access], body: &[Inst]) {
    let mut assigned = Vec::new();
    assignments(body, &mut Vec::new(), &mut assigned);
    for access in accesses {
        // A later assignment may use elements that an earlier one assigns.
        for Assigned { nest, target, value: given } in assigned.iter().rev() {
            let Some(value) = &access.value else { continue };
            if target.field == access.field || !value.mentions(is_of(target.field)) {
                continue;
            }
            let written = Pred::Cmp(Cmp::Eq, value.clone(), Expr::Int(0));
            let all = Level::all(&access.nest, written);
            let mut p = in_step(&all, &mut Vec::new(), nest, target, given);
            while let Pred::All(_, _, inner) = p {
                p = *inner;
            }
            if let Pred::Cmp(_, value, _) = p {
                access.value = Some(value);
            }
        }
    }
}

/// An assignment of an element, in all iterations of its loops.
struct Assigned<'i> {
    nest: Vec<Level>,
    target: &'i Ref,
    value: &'i Expr,
}

/// Collects the assignments of elements outside of branches.
fn assignments<'i>(body: &'i [Inst], nest: &mut Vec<Level>, out: &mut Vec<Assigned<'i>>) {
    for inst in body {
        match &inst.kind {
            InstKind::Assign { target, value } if !target.index.is_empty() => {
                out.push(Assigned { nest: nest.clone(), target, value });
            }
            InstKind::For { var, count, body } => {
                nest.push(Level { var: *var, count: count.clone() });
                assignments(body, nest, out);
                nest.pop();
            }
            _ => {}
        }
    }
}

/// Returns the definition in a conjunct of the form `for all ..: x.a[..] = value`, where the value contains no element
/// of an input.
pub fn definition(p: &Pred) -> Option<Definition> {
    let mut nest = Vec::new();
    let mut inner = p;
    while let Pred::All(var, count, body) = inner {
        nest.push(Level { var: *var, count: (**count).clone() });
        inner = body;
    }
    let Pred::Cmp(Cmp::Eq, a, b) = inner else { return None };
    let given = |e: &Expr| !e.mentions(|r| r.side == Side::Input && !r.index.is_empty());
    let element = |e: &Expr| match e {
        Expr::Ref(r) if r.side == Side::Input && !r.index.is_empty() => Some(r.clone()),
        _ => None,
    };
    let (target, value) = match (element(a), element(b)) {
        (Some(target), None) if given(b) => (target, b.clone()),
        (None, Some(target)) if given(a) => (target, a.clone()),
        _ => return None,
    };
    Some(Definition { nest, target, value })
}

/// Returns the test for an element of this input.
fn is_of(field: FieldId) -> impl Fn(&Ref) -> bool + Copy {
    move |r| r.side == Side::Input && r.field == field
}

#[cfg(test)]
mod tests {
    use crate::invert::invert;
    use crate::program::parse;
    use crate::program::print::Show;

    /// Returns the conjuncts of the ensures, one list each.
    fn ensures(body: &str) -> Vec<Vec<String>> {
        let text = format!(
            "struct In {{ n: u16, m: [u8; n], a: [[u8; 9]; n] }}
            struct Out {{ n: u16, a: [[u8; 9]; n], b: [[u8; 9]; n] }}
            fn normalize(x: &In, y: &mut Out) {{ y.n = x.n; {body} }}"
        );
        let inverse = invert(&parse("t.rs", &text).unwrap()).unwrap();
        let shown = |c: &crate::invert::Conjunct| Show(&inverse.program, &c.pred).to_string();
        inverse.ensures.iter().map(|e| e.conjuncts.iter().map(shown).collect()).collect()
    }

    #[test]
    fn what_is_assumed_of_a_defined_element_is_a_condition_on_the_value() {
        let found = ensures(
            "for i in 0..x.n {
                assume(x.m[i] == 9);
                for k in 0..x.m[i] {
                    assume(x.a[i][k] < 7);
                    y.a[i][k] = x.a[i][k];
                    y.b[i][k] = x.a[i][k];
                }
            }",
        );
        let all = found.concat();
        let has = |text: &str| all.iter().filter(|c| *c == text).count();
        assert_eq!(
            has("for all i in 0..y.n: for all k in 0..x.m[i]: y.b[i][k] < 7"),
            1,
            "{all:#?}"
        );
        let same = "for all i in 0..y.n: for all k in 0..x.m[i]: y.a[i][k] = y.b[i][k]";
        assert_eq!(has(same), 1, "{all:#?}");
    }

    #[test]
    fn elements_of_other_loops_stay() {
        let found = ensures(
            "for i in 0..x.n { for k in 0..9 { assume(x.a[i][k] < 7); } }
            for i in 0..x.n {
                for k in 0..4 { y.a[i][k] = x.a[i][k]; y.b[i][k] = x.a[i][k]; }
                for k in 0..5 { y.a[i][4 + k] = 0; y.b[i][4 + k] = 0; }
            }",
        );
        let all = found.concat();
        let stays = "for all i in 0..y.n: for all k in 0..9: x.a[i][k] < 7";
        assert!(all.iter().any(|c| c == stays), "{all:#?}");
    }
}
