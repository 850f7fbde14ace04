//! Whether the facts of an inverse hold of a canonical value.

use std::sync::OnceLock;

use super::eval::{Env, Steps};
use super::store::Store;
use crate::invert::Inverse;
use crate::program::{Pred, Span};

/// The facts of one canonical value, each looked at when it is first asked for.
#[derive(Debug)]
pub struct Truths(Vec<OnceLock<Option<bool>>>);

impl Truths {
    /// Nothing is known yet.
    pub fn new(inverse: &Inverse) -> Self {
        Self(inverse.facts().closed.iter().map(|_| OnceLock::new()).collect())
    }

    /// Whether `p` holds of `y`, if it is a fact, and has a value.
    pub fn of(&self, inverse: &Inverse, y: &Store, p: &Pred) -> Option<bool> {
        let place = inverse.facts().place(p)?;
        *self.0.get(place)?.get_or_init(|| {
            let compiled = inverse.compiled().and_then(|c| c.facts.get(place));
            compiled.and_then(|fact| fact(y).ok()).or_else(|| interpreted(inverse, y, p))
        })
    }
}

fn interpreted(inverse: &Inverse, y: &Store, p: &Pred) -> Option<bool> {
    let steps = Steps::default();
    y.slots.iter().for_each(|slot| steps.allow(slot.cells()));
    let program = &inverse.program;
    let input = Store::unset(&program.input);
    let mut vars = vec![0; program.vars.len()];
    let (input, vars) = (&input, &mut vars);
    let mut env = Env { steps: &steps, program, input, output: y, truths: None, vars };
    env.holds(p, Span::default()).ok()
}
