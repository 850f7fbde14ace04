//! Loops and guards around a derived condition: determines which iterations happen.

use crate::invert::Level;
use crate::program::{Expr, Pred, Span};
use crate::run::eval::{Env, Stop};

/// Returns true if a guard fails that can be decided at `depth` but not earlier: it mentions the variable of the
/// previous level, if there is one, and none of `depth` or deeper levels. The code inside such a guard does not run,
/// and its bounds may have no value.
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
            // The guard has no value if a loop around it does not run.
            Err(Stop::Error(_)) if depth < nest.len() => {}
            Err(stop) => return Err(stop),
        }
    }
    Ok(false)
}

/// Returns the number of iterations of a loop around a derived condition. A bound without a value belongs to an
/// unreachable statement; if it were reachable, a separate condition would cover its divisors.
pub fn iterations(env: &Env<'_>, count: &Expr, span: Span) -> Result<i128, Stop> {
    match env.eval(count, span) {
        Err(Stop::Error(_)) => Ok(0),
        count => count,
    }
}
