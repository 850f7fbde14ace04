//! Finds single mistakes that a proof rules out, for outputs that are not proved entirely.

use std::time::Instant;

use z3::with_own_context;

use super::super::collect::{Collected, Write};
use super::super::logic;
use super::Proof;
use crate::program::{FieldId, Program};

/// A mistake in the assignment of an output.
#[derive(Clone, Copy)]
pub enum Mistake<'w> {
    /// A write is outside the array.
    Outside(&'w Write),
    /// Two iterations, of one write or of two in program order, assign the same element.
    Twice(&'w Write, &'w Write),
}

/// Returns, for each of these mistakes, true if no accepted input has it. The lengths of the output must be assigned
/// once.
pub fn never(
    program: &Program,
    collected: &Collected,
    field: FieldId,
    mistakes: &[Mistake<'_>],
) -> Vec<bool> {
    let of_context = || {
        let solver = logic::solver_within(logic::FEW);
        let solver = &solver;
        let began = Instant::now();
        let proofs = [false, true].map(|thorough| {
            let inside = false;
            Proof { program, collected, solver, field, began, inside, thorough }
        });
        let Ok(cases) = proofs[0].cases() else { return vec![false; mistakes.len()] };
        let never = |mistake: &Mistake<'_>| {
            proofs.iter().any(|proof| {
                cases.iter().all(|case| match mistake {
                    Mistake::Outside(write) => proof.inside(case, write).is_ok(),
                    Mistake::Twice(a, b) => proof.disjoint(case, a, b).is_ok(),
                })
            })
        };
        mistakes.iter().map(never).collect()
    };
    with_own_context(of_context).unwrap_or_else(|_| vec![false; mistakes.len()])
}

#[cfg(test)]
mod tests {
    use super::super::super::collect::collect;
    use super::*;
    use crate::program::parse;

    #[test]
    fn single_mistakes_are_ruled_out_although_the_output_is_not_proved() {
        let text = "
            struct In { n: u8, m: u8, a: [u8] } struct Out { n: u8, v: [u8; 2 * n] }
            fn normalize(x: &In, y: &mut Out) {
                y.n = x.n;
                for k in 0..x.n { y.v[2 * k] = x.a[k]; }
                for k in 0..x.m { y.v[2 * k + 1] = x.a[k]; }
            }";
        let program = parse("t.rs", text).unwrap();
        let collected = collect(&program);
        let [_, even, odd] = &collected.writes[..] else { panic!("{collected:?}") };
        let mistakes = [
            Mistake::Outside(even),
            Mistake::Outside(odd),
            Mistake::Twice(even, even),
            Mistake::Twice(even, odd),
        ];
        let known = never(&program, &collected, even.field, &mistakes);
        assert_eq!(known, [true, false, true, true], "m may be greater than n");
    }
}
