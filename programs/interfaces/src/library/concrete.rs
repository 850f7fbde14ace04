//! Runs libraries on concrete values, one call on one state at a time, for the explicit construction and for checks of
//! the symbolic one.

use std::collections::{BTreeSet, HashSet};

use super::{BinaryOp, Expr, Function, Library, Problem, Update, VarId};

/// Values of the globals.
pub type State = Vec<i64>;

/// The number of steps after which a call of a nondeterministic function is given up, and the numbers of states and
/// argument values that are enumerated.
pub const STEP_LIMIT: usize = 1 << 22;

/// The possible results of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The values of the globals when the call returns without an error.
    pub returns: BTreeSet<State>,
    /// True if the error condition can hold, or if the call may never return.
    pub error: bool,
}

/// Returns true if the error condition holds.
pub fn is_error(library: &Library, state: &[i64]) -> bool {
    library.error.value(&|v: VarId| state[v.0]) != 0
}

/// All states of the initial condition.
///
/// # Errors
///
/// There are more than [`STEP_LIMIT`].
pub fn initial_states(library: &Library) -> Result<Vec<State>, Problem> {
    let mut ranges: Vec<(i64, i64)> = library.globals.iter().map(|v| (v.low, v.high)).collect();
    let mut parts = Vec::new();
    conjuncts(&library.initial, &mut parts);
    // A 32-bit variable that can have only a single value is assigned this value without a search.
    for part in &parts {
        if let Expr::Binary(BinaryOp::Eq, a, b) = part
            && let (Expr::Var(v), Expr::Int(n)) = (&**a, &**b)
        {
            let (low, high) = &mut ranges[v.0];
            (*low, *high) = ((*low).max(*n), (*high).min(*n));
        }
    }
    let mut out = Vec::new();
    let mut state: State = Vec::new();
    let mut budget = STEP_LIMIT;
    fill(&ranges, &parts, &mut state, &mut out, &mut budget).map_err(|()| {
        let message = format!("the initial condition has more than {STEP_LIMIT} candidates");
        Problem::new(library.places.initial, message)
    })?;
    Ok(out)
}

/// The conjuncts of a condition.
fn conjuncts<'a>(expr: &'a Expr, out: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Binary(BinaryOp::And, a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        other => out.push(other),
    }
}

/// Extends `state` by all values of the next variables that do not make a decided conjunct false.
fn fill(
    ranges: &[(i64, i64)],
    conjuncts: &[&Expr],
    state: &mut State,
    out: &mut Vec<State>,
    budget: &mut usize,
) -> Result<(), ()> {
    *budget = budget.checked_sub(1).ok_or(())?;
    let known = state.len();
    for c in conjuncts {
        let mut last = 0;
        c.variables(&mut |v| last = last.max(v.0 + 1));
        if last <= known && c.value(&|v: VarId| state[v.0]) == 0 {
            return Ok(());
        }
    }
    let Some((low, high)) = ranges.get(known) else {
        out.push(state.clone());
        return Ok(());
    };
    for value in *low..=*high {
        state.push(value);
        fill(ranges, conjuncts, state, out, budget)?;
        state.pop();
    }
    Ok(())
}

/// Calls a function on a state without an error, with the given values of its parameters.
///
/// # Errors
///
/// The call has more than [`STEP_LIMIT`] intermediate states.
pub fn call(
    library: &Library,
    function: &Function,
    state: &[i64],
    arguments: &[i64],
) -> Result<Outcome, Problem> {
    let globals = library.globals.len();
    let mut start = state.to_vec();
    start.extend(arguments);
    start.extend(function.locals[function.parameters..].iter().map(|v| v.initial));
    let mut outcome = Outcome::default();
    let mut seen = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(current) = open.pop() {
        if is_error(library, &current) {
            outcome.error = true;
            continue;
        }
        let mut is_final = true;
        for rule in &function.rules {
            if rule.guard.value(&|v: VarId| current[v.0]) == 0 {
                continue;
            }
            is_final = false;
            let mut next = vec![current.clone()];
            for (v, update) in &rule.updates {
                match update {
                    Update::Value(e) => {
                        let value = e.value(&|v: VarId| current[v.0]);
                        next.iter_mut().for_each(|s| s[v.0] = value);
                    }
                    Update::Any(low, high) => {
                        let of = |s: &State| {
                            let s = s.clone();
                            let v = v.0;
                            (*low..=*high).map(move |x| {
                                let mut s = s.clone();
                                s[v] = x;
                                s
                            })
                        };
                        next = next.iter().flat_map(of).collect();
                    }
                }
            }
            open.extend(next.into_iter().filter(|s| seen.insert(s.clone())));
            if seen.len() > STEP_LIMIT {
                let message = format!("`{}` takes more than {STEP_LIMIT} steps", function.name);
                return Err(Problem::new(function.place, message));
            }
        }
        if is_final {
            outcome.returns.insert(current[..globals].to_vec());
        }
    }
    // A deterministic call that reaches a state again never returns.
    outcome.error |= outcome.returns.is_empty();
    Ok(outcome)
}
