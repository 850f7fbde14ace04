//! Layouts whose constraints connect several bases: Z3, with the order fixed, so that each segment
//! is constrained against its neighbours only.

use super::problem::{Base, Problem};
use super::room::crowded;
use crate::program::{Cmp, Expr, FieldId, Op, Poly, Pred, Ref, Side, Span};
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::run::store::{Slot, Store};
use crate::solve::smt::{self, Unknown};
use crate::solve::{Choice, ChoiceError, Domain};

/// Returns where each segment starts. Tries `order`, then the segments' own order, then its
/// reverse.
pub fn solve(
    cx: Context<'_>,
    array: FieldId,
    problem: &Problem,
    order: &[usize],
    input: &Store,
) -> Result<Vec<i128>, RunError> {
    let identity: Vec<usize> = (0..problem.segments.len()).collect();
    let reversed: Vec<usize> = identity.iter().rev().copied().collect();
    let layout = Layout { problem, input };
    for order in [order, &identity, &reversed] {
        let unknowns: Vec<Unknown> = order.iter().map(|k| layout.unknown(*k)).collect();
        let solved = smt::solve(&unknowns, &layout.constraints(order), &mut |_, _| None);
        if let Ok(values) = solved {
            let mut starts = vec![0; problem.segments.len()];
            for (k, value) in order.iter().zip(values) {
                starts[*k] = value + problem.slots.slots[*k].lo;
            }
            return Ok(starts);
        }
    }
    Err(match problem.coupled.first() {
        Some(r) => {
            cx.impossible(r.span, &format!("{} and {}", crowded(cx, array), describe(cx, r)))
        }
        None => RunError::Choice(ChoiceError {
            dimension: cx.name(array).into(),
            value: Choice::Int(0),
            why: crowded(cx, array),
        }),
    })
}

/// A layout as constraints on its bases.
struct Layout<'p> {
    problem: &'p Problem,
    input: &'p Store,
}

impl Layout<'_> {
    /// Returns the base of a segment, as a reference.
    fn base(&self, k: usize) -> Ref {
        let (field, _) = self.problem.slots.slots[k].base;
        let lengths: &[usize] = match &self.input.slots[field] {
            Slot::Array(a, _) => &a.lengths,
            _ => &[],
        };
        element(self.problem.slots.slots[k].base, lengths)
    }

    fn start(&self, k: usize) -> Expr {
        let lo = self.problem.slots.slots[k].lo;
        Expr::bin(Op::Add, Expr::Ref(self.base(k)), Expr::Int(lo))
    }

    fn end(&self, k: usize) -> Expr {
        Expr::bin(Op::Add, self.start(k), Expr::Int(self.problem.segments[k].len))
    }

    fn unknown(&self, k: usize) -> Unknown {
        let Problem { slots, segments, space, .. } = self.problem;
        let (set, lo) = (&segments[k].starts.set, slots.slots[k].lo);
        let range = (set.min().unwrap_or(0) - lo, set.max().unwrap_or(-1).min(space.limit()) - lo);
        Unknown { atom: Poly::ref_atom(&self.base(k)), range }
    }

    /// Returns the constraints of the layout with its segments in `order`.
    fn constraints(&self, order: &[usize]) -> Vec<Pred> {
        let Problem { segments, space, coupled, .. } = self.problem;
        let mut preds: Vec<Pred> = coupled.iter().map(|r| r.pred.clone()).collect();
        for pair in order.windows(2) {
            preds.push(Pred::cmp(Cmp::Le, self.end(pair[0]), self.start(pair[1])));
        }
        for &k in order {
            preds.push(Pred::cmp(Cmp::Le, self.end(k), Expr::Int(space.limit())));
            preds.push(Pred::cmp(Cmp::Ge, self.start(k), Expr::Int(0)));
            for &(lo, hi) in space.taken() {
                preds.push(Pred::or([
                    Pred::cmp(Cmp::Le, self.end(k), Expr::Int(lo)),
                    Pred::cmp(Cmp::Ge, self.start(k), Expr::Int(hi)),
                ]));
            }
            let Domain { modulus, residue, .. } = segments[k].starts;
            if modulus > 1 {
                let rem = Expr::bin(Op::Rem, self.start(k), Expr::Int(modulus));
                preds.push(Pred::cmp(Cmp::Eq, rem, Expr::Int(residue)));
            }
        }
        preds
    }
}

/// Returns a base as a reference with numerals as indices.
fn element((field, mut at): Base, lengths: &[usize]) -> Ref {
    let mut index: Vec<Expr> = Vec::new();
    for length in lengths.iter().rev() {
        let length = (*length).max(1);
        index.push(Expr::Int((at % length) as i128));
        at /= length;
    }
    index.reverse();
    Ref { side: Side::Input, field, index, span: Span::default() }
}
