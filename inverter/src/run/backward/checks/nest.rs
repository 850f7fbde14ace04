//! Loops and guards around a derived condition: which iterations happen, and which do not.

use crate::invert::Level;
use crate::program::{Expr, Pred, Span};
use crate::run::eval::{Env, Stop};

/// Returns true if a guard fails that can be decided at `depth` and not before: it mentions the
/// variable of the level before, if there is one, and none of those from `depth` on. The inside
/// of such a guard does not happen, and its bounds may have no value.
pub fn is_skipped(
    env: &mut Env<'_>,
    guards: &[Pred],
    nest: &[Level],
    depth: usize,
    span: Span,
) -> Result<bool, Stop> {
    for guard in guards {
        let now = depth == 0 || guard.mentions_var(nest[depth - 1].var);
        let later = nest[depth..].iter().any(|l| guard.mentions_var(l.var));
        if !now || later {
            continue;
        }
        match env.holds(guard, span) {
            Ok(true) => {}
            Ok(false) => return Ok(true),
            // It has no value where a loop around it does not run.
            Err(Stop::Error(_)) if depth < nest.len() => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(false)
}

/// Returns the number of iterations of a loop around something derived. A bound without a value
/// belongs to an unreachable statement; if it were reachable, a separate condition would cover
/// its divisors.
pub fn iterations(env: &Env<'_>, count: &Expr, span: Span) -> Result<i128, Stop> {
    match env.eval(count, span) {
        Err(Stop::Error(_)) => Ok(0),
        count => count,
    }
}
