//! Drops irrelevant variables, on which neither a guard nor the error depends. The contents of a stack are such
//! variables. Without them, a library is far smaller.

use std::collections::HashSet;

use crate::library::{Expr, Function, Library, Problem, Update, VarId};

/// Drops variables of a library whose initial condition is a conjunction of equations, each of a variable and a number.
/// Parameters stay, with 0 as their only value. Returns the first problem of a remaining variable that is in `vague`,
/// which lists variables with their functions.
pub(super) fn slice(library: &mut Library, vague: Vec<(usize, VarId, Problem)>) -> Option<Problem> {
    let globals = library.globals.len();
    let mut needed: HashSet<usize> = HashSet::new();
    library.error.variables(&mut |v| {
        needed.insert(v.0);
    });
    // Globals that one function needs may be computed from other globals in another function.
    let mut locals: Vec<HashSet<usize>> = vec![HashSet::new(); library.functions.len()];
    loop {
        let before = needed.len() + locals.iter().map(HashSet::len).sum::<usize>();
        for (function, inner) in library.functions.iter().zip(&mut locals) {
            let mut found: Vec<usize> = Vec::new();
            let is_needed =
                |v: usize| if v < globals { needed.contains(&v) } else { inner.contains(&v) };
            for rule in &function.rules {
                rule.guard.variables(&mut |v| found.push(v.0));
                for (v, update) in &rule.updates {
                    if let (true, Update::Value(e)) = (is_needed(v.0), update) {
                        e.variables(&mut |v| found.push(v.0));
                    }
                }
            }
            let (global, local): (Vec<usize>, Vec<usize>) =
                found.into_iter().partition(|v| *v < globals);
            needed.extend(global);
            inner.extend(local);
        }
        if needed.len() + locals.iter().map(HashSet::len).sum::<usize>() == before {
            break;
        }
    }
    let decides = |(function, v, _): &(usize, VarId, Problem)| match v.0 < globals {
        true => needed.contains(&v.0),
        false => locals.get(*function).is_some_and(|inner| inner.contains(&v.0)),
    };
    let problem = vague.into_iter().find(decides).map(|(_, _, problem)| problem);
    let kept: Vec<usize> = (0..globals).filter(|v| needed.contains(v)).collect();
    for (function, inner) in library.functions.iter_mut().zip(&locals) {
        drop_locals(function, inner, &kept, globals);
    }
    let number = |v: VarId| kept.iter().position(|k| *k == v.0).map(VarId);
    library.initial = conditions(&library.initial)
        .into_iter()
        .filter_map(|(v, value)| Some((number(v)?, value)))
        .fold(Expr::Int(1), |all, (v, value)| {
            Expr::and(all, Expr::equals(Expr::Var(v), Expr::Int(value)))
        });
    library.error = renamed(&library.error, &|v| number(v).unwrap_or(v));
    library.globals = kept.iter().map(|k| library.globals[*k].clone()).collect();
    problem
}

fn drop_locals(function: &mut Function, needed: &HashSet<usize>, kept: &[usize], globals: usize) {
    let parameters = function.parameters;
    let stays = |k: usize| k < parameters || needed.contains(&(globals + k));
    let locals: Vec<usize> = (0..function.locals.len()).filter(|k| stays(*k)).collect();
    let number = |v: VarId| {
        let position = match v.0 < globals {
            true => kept.iter().position(|k| *k == v.0),
            false => locals.iter().position(|k| k + globals == v.0).map(|k| k + kept.len()),
        };
        position.map(VarId)
    };
    for rule in &mut function.rules {
        rule.guard = renamed(&rule.guard, &|v| number(v).unwrap_or(v));
        rule.updates = rule
            .updates
            .iter()
            .filter(|(v, _)| v.0 < globals || needed.contains(&v.0))
            .filter_map(|(v, update)| {
                let update = match update {
                    Update::Value(e) => Update::Value(renamed(e, &|v| number(v).unwrap_or(v))),
                    any => any.clone(),
                };
                Some((number(*v)?, update))
            })
            .collect();
    }
    function.locals = locals
        .iter()
        .map(|k| {
            let mut v = function.locals[*k].clone();
            if !needed.contains(&(globals + k)) {
                (v.low, v.high, v.initial) = (0, 0, 0);
            }
            v
        })
        .collect();
}

/// The equations of an initial condition.
fn conditions(initial: &Expr) -> Vec<(VarId, i64)> {
    use crate::library::BinaryOp;
    match initial {
        Expr::Binary(BinaryOp::And, a, b) => [conditions(a), conditions(b)].concat(),
        Expr::Binary(BinaryOp::Eq, a, b) => match (&**a, &**b) {
            (Expr::Var(v), Expr::Int(n)) => vec![(*v, *n)],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// An expression over other variables.
fn renamed(expr: &Expr, number: &impl Fn(VarId) -> VarId) -> Expr {
    match expr {
        Expr::Int(n) => Expr::Int(*n),
        Expr::Var(v) => Expr::Var(number(*v)),
        Expr::Unary(op, a) => Expr::Unary(*op, Box::new(renamed(a, number))),
        Expr::Binary(op, a, b) => {
            Expr::Binary(*op, Box::new(renamed(a, number)), Box::new(renamed(b, number)))
        }
        Expr::If(parts) => Expr::If(Box::new((
            renamed(&parts.0, number),
            renamed(&parts.1, number),
            renamed(&parts.2, number),
        ))),
        Expr::Wrap { bits, signed, of } => {
            Expr::Wrap { bits: *bits, signed: *signed, of: Box::new(renamed(of, number)) }
        }
    }
}
