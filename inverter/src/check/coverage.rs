//! Each output element is assigned exactly once, for every input that the assumptions
//! allow: proved for all sizes, else looked for on small inputs, where a counterexample
//! shows itself.

use std::fmt;

use super::once::{self, Unproved};
use crate::program::{Diagnostic, Program, SpecError};
use crate::run::explore::{Bounds, Class, Found, Goal, Window, explore};

/// What is known of the outputs' assignments. Shown as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// Each element is assigned once, whatever the input.
    Proved,
    /// No counterexample was found.
    Searched {
        /// How many classes of inputs were looked at.
        inputs: usize,
        /// All of unknowns from 0 to this; `None` if there were too many to look at all.
        window: Option<i128>,
        /// What could not be proved.
        unproved: Vec<Unproved>,
    },
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coverage::Proved => f.write_str("proved"),
            Coverage::Searched { inputs, window, unproved } => {
                match window {
                    Some(n) => write!(f, "held for all {inputs} inputs of 0 to {n}")?,
                    None => write!(f, "held for {inputs} small inputs, not all of them")?,
                }
                let why: Vec<String> =
                    unproved.iter().map(|u| format!("{}: {}", u.output, u.what)).collect();
                write!(f, "; not proved: {}", why.join(", "))
            }
        }
    }
}

/// Proves that each output element is assigned once. Where that does not succeed, looks for an
/// input for which one is assigned twice, never, or outside its array.
///
/// # Errors
///
/// The counterexample, in the spec's own names.
pub fn assigned_once(program: &Program) -> Result<Coverage, SpecError> {
    let unproved = once::unproved(program);
    if unproved.is_empty() {
        return Ok(Coverage::Proved);
    }
    let (inputs, window) = search(program)?;
    Ok(Coverage::Searched { inputs, window, unproved })
}

/// Looks for a counterexample among small inputs: how many there were, and all up to which
/// size.
///
/// # Errors
///
/// The counterexample.
pub fn search(program: &Program) -> Result<(usize, Option<i128>), SpecError> {
    let mut wrong = None;
    let mut reached = (0, None);
    for window in [1, 2, 3] {
        let bounds = Bounds { runs: 3000, steps: 60_000 };
        let mut options = Window::new(program, window);
        let mut inputs = 0;
        let whole = explore(program, Goal::Cover, &mut options, bounds, &mut |found| match found {
            Found::Class(_) => {
                inputs += 1;
                true
            }
            Found::Wrong(class, why, span) => {
                wrong = Some((class, why, span));
                false
            }
        });
        if reached.1.is_none() {
            reached.0 = inputs;
        }
        if wrong.is_some() || !whole {
            break;
        }
        reached = (inputs, Some(window));
    }
    match wrong {
        None => Ok(reached),
        Some((class, why, span)) => {
            let class: &Class = &class;
            let diagnostic = Diagnostic::new(
                format!("{}: {why}", class.describe(program, 8)),
                span,
                "each output element is assigned exactly once",
            )
            .help(
                "an `assume` that rules such inputs out, or another bound or index, makes every \
                 element be assigned once",
            );
            Err(SpecError::new(program.source.clone(), vec![diagnostic]))
        }
    }
}
