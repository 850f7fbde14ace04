//! The conjuncts of ensures that may have no value. Solvers work on unbounded integers, so a subterm of a predicate
//! that holds may still exceed 128 bits.

use crate::invert::{ConjunctId, Ensure, EnsureId, Inverse, OutputConditions};
use crate::program::{Expr, Op, Pred, Program, range};

/// The conjuncts that the spec states and that may have no value, by ensure. They are computed once for all variants.
#[derive(Debug, Clone)]
pub struct Fallible(Vec<Vec<ConjunctId>>);

impl Fallible {
    /// Finds the conjuncts that may have no value.
    pub fn of(inverse: &Inverse, conditions: &OutputConditions) -> Self {
        let of_ensure = |(ensure, preds): (&Ensure, &Vec<Pred>)| {
            let conjuncts = ensure.conjuncts.iter().zip(preds).enumerate();
            let stated = conjuncts.filter(|(_, (c, _))| !c.why.is_derived());
            let fallible = stated.filter(|(_, (_, pred))| may_fail(&inverse.program, pred));
            fallible.map(|(k, _)| ConjunctId(k)).collect()
        };
        Self(inverse.ensures.iter().zip(&conditions.conjuncts).map(of_ensure).collect())
    }

    /// Returns the conjuncts of an ensure that may have no value.
    pub fn of_ensure(&self, n: EnsureId) -> &[ConjunctId] {
        self.0.get(n.0).map_or(&[], Vec::as_slice)
    }
}

/// Returns true if a predicate may have no value, whatever the scalars are.
fn may_fail(program: &Program, p: &Pred) -> bool {
    match p {
        Pred::Const(_) => false,
        Pred::Cmp(_, a, b) => !has_value(program, a) || !has_value(program, b),
        Pred::And(ps) | Pred::Or(ps) => ps.iter().any(|p| may_fail(program, p)),
        // Loops take steps, whose number is limited.
        Pred::All(..) => true,
    }
}

/// Returns true if an expression has a value for all values of its scalars: each operation stays within 128 bits, and
/// no divisor is less than 1. An element may be outside its array.
fn has_value(program: &Program, e: &Expr) -> bool {
    match e {
        Expr::Int(_) => true,
        Expr::Var(_) => false,
        Expr::Ref(r) => r.index.is_empty(),
        Expr::Bin(op, a, b) => {
            // Bounds saturate at 128 bits.
            let (least, most) = range::of(program, e);
            let divides = matches!(op, Op::Div | Op::Rem | Op::DivCeil);
            least > i128::MIN
                && most < i128::MAX
                && (!divides || range::of(program, b).0 >= 1)
                && has_value(program, a)
                && has_value(program, b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::invert::invert;
    use crate::program::parse;

    /// Returns true if a spec's condition on two words and a byte may have no value.
    fn fails(condition: &str) -> bool {
        let text = format!(
            "struct X {{ a: u64, b: u64, c: u8, s: [u8; 4] }} struct Y {{ y: u8 }}
            fn normalize(x: &X, y: &mut Y) {{ assume({condition}); y.y = x.c; }}"
        );
        let inverse = invert(&parse("t.rs", &text).unwrap()).unwrap();
        let fallible = Fallible::of(&inverse, &OutputConditions::of(&inverse.ensures));
        fallible.0.iter().any(|conjuncts| !conjuncts.is_empty())
    }

    #[test]
    fn operations_that_may_leave_128_bits() {
        assert!(!fails("x.a + x.b > 3"));
        assert!(!fails("x.a * x.c > 3 || x.b == 0"));
        assert!(fails("x.a * x.b * x.a > 3"));
        assert!(fails("x.a == 1 || x.a * x.b * x.b > 3"));
    }

    #[test]
    fn divisors_that_may_be_less_than_1() {
        assert!(!fails("x.a / 2 > 3"));
        assert!(!fails("x.a / (x.b + 1) > 3"));
        assert!(fails("x.a / x.b > 3"));
        assert!(fails("x.a % x.c > 3"));
    }

    #[test]
    fn elements_that_may_be_outside_of_their_array() {
        // An equation would be an assignment.
        assert!(fails("x.s[x.c] > 3"));
    }
}
