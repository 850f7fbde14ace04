//! Checks that each output element is assigned exactly once, for every input that the assumptions
//! allow. A proof covers all sizes; where it fails, a search of small inputs looks for a
//! counterexample.

use std::collections::BTreeSet;
use std::fmt;

pub use super::cover::{guided_write, search};
use super::once::{self, Claim, Unproved};
use crate::program::{Field, FieldId, Program, SpecError};

/// The result of the check. Shown as one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// Nothing is proved about a program with walks; each run checks it.
    Run,
    /// Each element is assigned once for every input.
    Proved,
    /// The proof failed, but the search found no counterexample.
    Searched {
        /// The number of classes of inputs that were tried.
        inputs: usize,
        /// The size up to which all inputs were tried, with unknowns from 0 to this number. `None` if there were too
        /// many to try them all.
        window: Option<i128>,
        /// The claims that could not be proved.
        unproved: Vec<Unproved>,
    },
}

impl Coverage {
    /// Returns the outputs whose elements are all proved to be assigned once.
    pub fn proved(&self, program: &Program) -> BTreeSet<FieldId> {
        let unproved = match self {
            Coverage::Run => return BTreeSet::new(),
            Coverage::Proved => &[][..],
            Coverage::Searched { unproved, .. } => unproved,
        };
        let proved = |f: &Field| unproved.iter().all(|u| u.output != f.name);
        program.output.indexed().filter(|(_, f)| proved(f)).map(|(field, _)| field).collect()
    }

    /// Returns false if no proof was tried because Z3 is missing.
    pub fn is_tried(&self) -> bool {
        match self {
            Coverage::Run | Coverage::Proved => true,
            Coverage::Searched { unproved, .. } => {
                unproved.iter().all(|u| u.what != Claim::NoSolver)
            }
        }
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Coverage::Run => f.write_str("checked in each run: walks are not proved"),
            Coverage::Proved => f.write_str("proved"),
            Coverage::Searched { inputs, window, unproved } => {
                match window {
                    _ if *inputs == 0 => f.write_str("not seen: no small input is accepted")?,
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

/// Proves that each output element is assigned once. If the proof fails, searches for an input for
/// which an element is assigned twice, never, or outside its array.
///
/// # Errors
///
/// The counterexample, in the spec's own names.
pub fn assigned_once(program: &Program) -> Result<Coverage, SpecError> {
    if program.has_walks() {
        return Ok(Coverage::Run);
    }
    let unproved = once::unproved(program);
    if unproved.is_empty() {
        return Ok(Coverage::Proved);
    }
    let (inputs, window) = search(program)?;
    Ok(Coverage::Searched { inputs, window, unproved })
}
