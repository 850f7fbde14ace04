//! Assertion functions that a program defines itself.

use std::sync::Arc;

use canonical::{Action, Callee, Function, Program, Storage};

use super::library::{Kind, kind};

/// The functions whose calls are assertions even if the program defines them.
const NAMES: [&str; 2] = ["__VERIFIER_assert", "assert"];

/// Returns the program without the bodies of its own assertion functions that end a run other than by a failure, such
/// as by `abort`. Their calls are then the failures, like those of external functions.
pub fn without_own_assertions(program: Arc<Program>) -> Arc<Program> {
    let ends = |function: &Function| {
        NAMES.contains(&function.name.as_str()) && only_ends(&program, function)
    };
    if !program.functions.iter().any(ends) {
        return program;
    }
    let which: Vec<bool> = program.functions.iter().map(ends).collect();
    let mut changed = Program::clone(&program);
    for (function, _) in changed.functions.iter_mut().zip(&which).filter(|(_, own)| **own) {
        function.body = None;
        function.no_return = false;
    }
    Arc::new(changed)
}

/// Returns true if a body only calls functions that end the run or change nothing, and only assigns its own variables.
fn only_ends(program: &Program, function: &Function) -> bool {
    let Some(graph) = &function.body else { return false };
    let mut ends = false;
    let only = graph.edges.iter().all(|edge| match &edge.action {
        Action::Nothing | Action::Guard { .. } | Action::Return(_) => true,
        Action::Assign { target, .. } => target.whole_variable().is_some_and(|id| {
            !matches!(program.variable(id).storage, Storage::Global | Storage::Static)
        }),
        Action::Call(call) => match call.callee {
            Callee::Function(id) => {
                let kind = kind(program.function(id));
                ends |= kind == Kind::Ends;
                matches!(kind, Kind::Ends | Kind::Pure)
            }
            Callee::Pointer { .. } => false,
        },
    });
    only && ends
}
