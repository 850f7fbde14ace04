//! Finds consequences of an assignment of scalars that make later statements fail.
//!
//! Right after an ensure of scalars, before anything is written, this evaluates everything that depends on them:
//! deferred conjuncts, write conflicts, streams that no encoder can build, and room for segments. A conflict names the
//! inputs to choose again.

use std::collections::BTreeSet;

use super::plan::Conflict;
use crate::invert::{ConjunctId, DisjointnessStrategy, Ensure, EnsureId, EnsureKind};
use crate::program::{FieldId, Length, Pred, Ref, Side};
use crate::run::backward::checks::writes::{conflict_or_open, write_conflict};
use crate::run::backward::encode::refused_encoding;
use crate::run::backward::layout::room::no_room;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::eval::Stop;

/// The arrays whose writes are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteChecks {
    /// Arrays whose writes neither conditions nor a layout keep disjoint.
    Undecided,
    /// All arrays, because conditions that keep writes disjoint were dropped. Used only for inverses without a layout
    /// ([`Context::may_overlap`](crate::run::backward::context::Context::may_overlap)).
    All,
}

/// Returns the first conflict that follows from the scalars after ensure `n`.
pub fn conflict(
    run: &mut Backward<'_>,
    n: EnsureId,
    deferred: &[ConjunctId],
    checks: WriteChecks,
) -> Result<Option<Conflict>, RunError> {
    if let Some(conflict) = failed_conjunct(run, n, deferred)? {
        return Ok(Some(conflict));
    }
    let cx = run.cx;
    let all = checks == WriteChecks::All;
    for (array, strategy) in &cx.inverse.strategies {
        let depends_on = || cx.inverse.writes(*array).depends_on.clone();
        let why = match strategy {
            DisjointnessStrategy::RuntimeCheck => write_conflict(cx, &mut run.env(), *array)?,
            // No later check covers writes that conditions keep disjoint.
            DisjointnessStrategy::Conditions if all => {
                conflict_or_open(cx, &mut run.env(), *array)?
            }
            DisjointnessStrategy::Conditions | DisjointnessStrategy::Layout(_) => None,
        };
        if let Some(why) = why {
            return Ok(Some(Conflict { why, depends_on: depends_on(), crowded: None }));
        }
    }
    if let Some(conflict) = refused_encoding(cx, &run.env()) {
        return Ok(Some(conflict));
    }
    for (k, e) in cx.inverse.ensures.iter().enumerate() {
        if let EnsureKind::Places { array, .. } = &e.kind
            && let Some(why) =
                no_room(run, (EnsureId(k), *array), &cx.inverse.ensures[n].kind.fields())?
        {
            let mut depends_on = cx.inverse.writes(*array).depends_on.clone();
            e.conjuncts.iter().for_each(|c| add_inputs(&c.pred, &mut depends_on));
            for length in &cx.program.input.fields[*array].lengths {
                if let Length::Is(length) = length {
                    length.refs(&mut |r| {
                        depends_on.insert(r.field);
                    });
                }
            }
            // The scalars that bound indices also decide which elements the indices select.
            if cx.layout(*array).is_some_and(|layout| layout.picked) {
                let picks = |e: &&Ensure| matches!(e.kind, EnsureKind::Elements(f) if depends_on.contains(&f));
                let bounds: Vec<&Ensure> = cx.inverse.ensures.iter().filter(picks).collect();
                let conjuncts = bounds.into_iter().flat_map(|e| &e.conjuncts);
                conjuncts.for_each(|c| add_inputs(&c.pred, &mut depends_on));
            }
            let crowded = Some((EnsureId(k), *array));
            return Ok(Some(Conflict { why, depends_on, crowded }));
        }
    }
    Ok(None)
}

/// Evaluates the conjuncts of ensure `n`: those of the spec for overflow, the deferred ones for
/// truth.
fn failed_conjunct(
    run: &mut Backward<'_>,
    n: EnsureId,
    deferred: &[ConjunctId],
) -> Result<Option<Conflict>, RunError> {
    let cx = run.cx;
    let (ensure, conditions) = (&cx.inverse.ensures[n], cx.inverse.output_conditions());
    let conflict = |pred: &Pred, why: String| {
        let mut depends_on = BTreeSet::new();
        add_inputs(pred, &mut depends_on);
        Some(Conflict { why, depends_on, crowded: None })
    };
    // Solvers work on unbounded integers, so a subterm may still overflow.
    for k in cx.inverse.fallible(n) {
        let c = &ensure.conjuncts[*k];
        if let Err(Stop::Error(e)) = run.env().holds(&conditions.conjuncts[n][*k], c.span) {
            return Ok(conflict(&c.pred, e.to_string()));
        }
    }
    for k in deferred {
        let c = &ensure.conjuncts[*k];
        match run.env().holds(&conditions.conjuncts[n][*k], c.span) {
            Ok(true) | Err(Stop::Unset(..)) => {}
            Err(Stop::Error(_)) if c.why.is_derived() => {}
            Ok(false) => {
                let text = format!("{} does not hold: {}", run.env().show(&c.pred), c.why);
                let why = cx.impossible(c.span, &text).to_string();
                return Ok(conflict(&c.pred, why));
            }
            Err(Stop::Error(e)) => return Err(e),
        }
    }
    Ok(None)
}

fn add_inputs(pred: &Pred, out: &mut BTreeSet<FieldId>) {
    pred.refs(&mut |r: &Ref| {
        if r.side == Side::Input {
            out.insert(r.field);
        }
    });
}
