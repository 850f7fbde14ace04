//! Evaluates expressions over a representation and its canonical value.

use inverter::program::Program;
use inverter::run::eval::Env;
use inverter::run::{Record, Steps, Store};

/// Calls `f` with the evaluator of the representation `x` of `y`.
pub fn evaluated<T>(
    program: &Program,
    x: &Record,
    y: &Record,
    f: impl FnOnce(&mut Env<'_>) -> T,
) -> T {
    let (input, output) = (Store::full(x), Store::full(y));
    let steps = Steps::default();
    let mut vars = vec![0; program.vars.len()];
    f(&mut Env {
        steps: &steps,
        program,
        input: &input,
        output: &output,
        conditions: None,
        vars: &mut vars,
    })
}
