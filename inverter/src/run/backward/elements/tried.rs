//! Elements that decide which conditions apply: their values are tried one by one.
//!
//! As long as `x.count[i]` has no value, a solver cannot use `for all k in 0..x.count[i]: y.a[i][k] < 9`. But its truth
//! follows from that element alone, so each of the element's values is tried if there are few.

use crate::invert::{ConjunctId, EnsureId};
use crate::program::{FieldId, Pred, Span};
use crate::run::backward::constraints::constraint::{Origin, Residual};
use crate::run::backward::constraints::residual::describe;
use crate::run::backward::limits::{MOST_VALUES, MOST_WRITES};
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::{Env, Stop};
use crate::run::steps::Steps;
use crate::run::store::Slot;
use crate::solve::{Domain, IntervalSet};

/// The maximum number of loop rounds that are run to decide conditions, for each element beyond [`MOST_WRITES`].
const MOST_ROUNDS: u64 = 1 << 10;

/// Restricts the elements of `field` to the values with which these conjuncts of ensure `n` may hold. A conjunct that
/// connects elements with one another, or with others without values, restricts none of them.
///
/// # Errors
///
/// Returns an error if an element has no such value.
pub fn try_values(
    run: &mut Backward<'_>,
    n: EnsureId,
    field: FieldId,
    conjuncts: &[ConjunctId],
    domains: &mut [Domain],
) -> Result<(), RunError> {
    let cx = run.cx;
    // A trial assigns an element and then removes the value, so no element may have its own value yet.
    if !matches!(&run.assignment.input.slots[field], Slot::Array(_, known) if known.is_clear()) {
        return Ok(());
    }
    let rounds = MOST_ROUNDS.saturating_mul(domains.len() as u64);
    let steps = Steps::of(rounds.saturating_add(MOST_WRITES as u64));
    for k in conjuncts {
        let c = &cx.inverse.ensures[n].conjuncts[*k];
        let pred = &cx.inverse.output_conditions().conjuncts[n][*k];
        let derived = c.why.is_derived();
        let mut trial = Trial { run, field, domains, steps: &steps, span: c.span, derived };
        if let Err(at) = trial.restrict(pred) {
            let origin = Origin::Conjunct(n, *k);
            let whole = Residual { pred: pred.clone(), span: c.span, origin, once: false };
            let why = format!("no value of element {at} satisfies {}", describe(cx, &whole));
            return Err(cx.impossible(c.span, &why));
        }
    }
    Ok(())
}

/// A conjunct whose elements are tried.
struct Trial<'t, 'a> {
    run: &'t mut Backward<'a>,
    field: FieldId,
    domains: &'t mut [Domain],
    steps: &'t Steps,
    span: Span,
    derived: bool,
}

impl Trial<'_, '_> {
    /// Returns the environment, with a separate bound on the rounds of loops.
    fn env(&mut self) -> Env<'_> {
        Env { steps: self.steps, ..self.run.env() }
    }

    /// Restricts the elements on which parts of `p` depend, each alone. Returns the position of an element that has no
    /// value left.
    fn restrict(&mut self, p: &Pred) -> Result<(), usize> {
        let (field, span) = (self.field, self.span);
        if let Pred::And(ps) = p {
            return ps.iter().try_for_each(|p| self.restrict(p));
        }
        if let Pred::All(var, count, inner) = p
            && let Ok(count) = self.env().eval(count, span)
        {
            for k in 0..count {
                if !self.steps.try_take(1) {
                    break;
                }
                self.env().set_var(*var, k);
                self.restrict(inner)?;
            }
            return Ok(());
        }
        match self.env().holds(p, span) {
            Err(Stop::Unset(of, at)) if of == field => self.restrict_element(p, at),
            _ => Ok(()),
        }
    }

    /// Restricts one element to the values with which `p` may hold.
    fn restrict_element(&mut self, p: &Pred, at: usize) -> Result<(), usize> {
        let Some(members) = self.domains[at].members(MOST_VALUES) else { return Ok(()) };
        let mut fit = Vec::with_capacity(members.len());
        for value in members.iter().copied() {
            self.run.assignment.assign_elements(self.field, [(at, value)]);
            let span = self.span;
            match self.env().holds(p, span) {
                Ok(true) | Err(Stop::Unset(..)) => fit.push((value, value)),
                Err(Stop::Error(_)) if self.derived => fit.push((value, value)),
                Ok(false) | Err(Stop::Error(_)) => {}
            }
            if self.steps.left() == 0 {
                break;
            }
        }
        if let Slot::Array(_, known) = &mut self.run.assignment.input.slots[self.field] {
            known.set(at, false);
        }
        // Values that were not tried to the end remain possible.
        if self.steps.left() == 0 || fit.len() == members.len() {
            return Ok(());
        }
        if fit.is_empty() {
            return Err(at);
        }
        self.domains[at] = Domain::of(IntervalSet::from_spans(fit));
        Ok(())
    }
}
