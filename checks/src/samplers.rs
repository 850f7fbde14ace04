//! Samplers: the closed forms that replace ensures when an inverse runs. Z3 proves that each contains exactly the
//! solutions.
//!
//! A closed form depends on the canonical value and on earlier choices, so only those that come up while making
//! representations of a few values are checked.

use std::time::{Duration, Instant};

use inverter::program::print::Show;
use inverter::program::{Cmp, Expr, FieldId, Op, Pred, Ref, Side, Span};
use inverter::run::{Executable, Limits, Record, Sampler, samplers_of};
use inverter::solve::Domain;
use inverter::solve::smt::{self, Failure, Unknown};

/// The result of the proofs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Samplers {
    /// The number of different closed forms that came up for components with one unknown.
    pub all: usize,
    /// The number of those proved to contain only solutions.
    pub sound: usize,
    /// The number of those proved to contain all solutions.
    pub whole: usize,
    /// Conditions whose closed form is wrong: an internal error.
    pub wrong: Vec<String>,
}

/// Proves the closed forms that come up in `samples` representations of each of `values`, within
/// `budget`.
pub fn samplers(
    inverse: &Executable,
    values: &[Record],
    samples: u64,
    budget: Duration,
) -> Samplers {
    let began = Instant::now();
    let mut found: Vec<Sampler> = Vec::new();
    for y in values {
        for sampler in samplers_of(inverse, y, &Limits::default(), samples) {
            if !found.contains(&sampler) {
                found.push(sampler);
            }
        }
    }
    let mut out = Samplers { all: found.len(), ..Samplers::default() };
    for sampler in found {
        if began.elapsed() > budget {
            break;
        }
        let (member, conditions) = (member(&sampler), Pred::and(sampler.conditions.clone()));
        let only = vec![member.clone(), conditions.clone().negated()];
        let every = vec![conditions.clone(), member.negated()];
        for (count, claim) in [(&mut out.sound, only), (&mut out.whole, every)] {
            match refuted(&sampler, &claim) {
                Some(false) => *count += 1,
                Some(true) => out.wrong.push(Show(&inverse.program, &conditions).to_string()),
                None => {}
            }
        }
    }
    out
}

/// Returns true if there are values for which `claim` holds; `None` if Z3 gives up.
fn refuted(sampler: &Sampler, claim: &[Pred]) -> Option<bool> {
    let atom = inverter::program::Poly::ref_atom(&scalar(sampler.field));
    let unknown = Unknown { atom, range: sampler.range };
    match smt::solve(&[unknown], claim, &mut |_, _| None) {
        Ok(_) => Some(true),
        Err(Failure::Clash(_)) => Some(false),
        Err(Failure::GaveUp(_) | Failure::NoSolver(_)) => None,
    }
}

fn scalar(field: FieldId) -> Ref {
    Ref { side: Side::Input, field, index: Vec::new(), span: Span::default() }
}

/// Returns the predicate that the closed form contains the unknown's value.
fn member(sampler: &Sampler) -> Pred {
    let value = || Expr::Ref(scalar(sampler.field));
    let Domain { set, modulus, residue } = &sampler.domain;
    let within = |&(lo, hi): &(i128, i128)| {
        Pred::and([
            Pred::cmp(Cmp::Ge, value(), Expr::Int(lo)),
            Pred::cmp(Cmp::Le, value(), Expr::Int(hi)),
        ])
    };
    let rem = Expr::bin(Op::Rem, value(), Expr::Int(*modulus));
    Pred::and([
        Pred::or(set.spans().iter().map(within)),
        Pred::cmp(Cmp::Eq, rem, Expr::Int(*residue)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::small_values;
    use inverter::check::load;

    const SPEC: &str = "
        pub struct In { n: u8, pitch: u16, kind: u8, rows: u8, d: [u8] }
        pub struct Out { n: u8, d: [u8; n] }
        fn normalize(x: &In, y: &mut Out) {
            y.n = x.n;
            assume(x.pitch >= x.n && x.pitch % 4 == 0);
            assume(x.kind == 1 || x.kind == 2 || x.kind >= 200 && x.kind % 7 == 3);
            assume(x.rows <= 8 || x.rows == 255);
            for i in 0..x.n {
                y.d[i] = x.d[i];
            }
        }";

    #[test]
    fn closed_forms_have_every_solution_and_nothing_else() {
        let inverse = load("kinds.rs", SPEC).unwrap();
        let values = small_values(&inverse, 4, 1);
        let proved = samplers(&inverse, &values, 8, Duration::from_secs(60));
        assert!(proved.all >= 3, "{proved:?}");
        assert_eq!((proved.sound, proved.whole), (proved.all, proved.all), "{proved:?}");
        assert_eq!(proved.wrong, [""; 0]);
    }

    #[test]
    fn a_closed_form_that_is_wrong_is_found() {
        let at_least = |n| Pred::cmp(Cmp::Ge, Expr::Ref(scalar(FieldId(0))), Expr::Int(n));
        let wrong = Sampler {
            field: FieldId(0),
            range: (0, 255),
            conditions: vec![at_least(5)],
            domain: Domain::range((6, 255)),
        };
        let outside = [at_least(5), member(&wrong).negated()];
        assert_eq!(refuted(&wrong, &outside), Some(true), "5 is missing");
        let inside = [member(&wrong), at_least(5).negated()];
        assert_eq!(refuted(&wrong, &inside), Some(false));
    }
}
