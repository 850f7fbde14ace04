//! Each output element is assigned exactly once, for every input that the assumptions
//! allow: looked for on small inputs, where a counterexample shows itself, and proved for
//! all sizes where Z3 follows a witness.

use crate::program::{Diagnostic, Program, SpecError};
use crate::run::explore::{Bounds, Class, Found, Goal, Window, explore};

/// What is known of an output's assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// All small inputs were looked at.
    Small {
        /// Unknowns from 0 to this.
        window: i128,
    },
    /// There were too many: just some.
    Sampled,
}

/// Looks for an input for which an output element is assigned twice, never, or outside its
/// array.
///
/// # Errors
///
/// The counterexample, in the spec's own names.
pub fn assigned_once(program: &Program) -> Result<Coverage, SpecError> {
    let mut wrong = None;
    let mut reached = Coverage::Sampled;
    for window in [1, 2, 3] {
        let bounds = Bounds { runs: 3000, steps: 60_000 };
        let mut options = Window::new(program, window);
        let whole = explore(program, Goal::Cover, &mut options, bounds, &mut |found| match found {
            Found::Class(_) => true,
            Found::Wrong(class, why, span) => {
                wrong = Some((class, why, span));
                false
            }
        });
        if wrong.is_some() || !whole {
            break;
        }
        reached = Coverage::Small { window };
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
