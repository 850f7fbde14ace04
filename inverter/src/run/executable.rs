//! An inverse together with what it takes to run it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Deref;
use std::sync::OnceLock;

use super::compiled::Compiled;
use super::writes::Writes;
use crate::invert::{Inverse, OutputConditions};
use crate::primitive::{Primitive, Primitives};
use crate::program::{Callee, Diagnostic, FieldId, Span, SpecError};

/// An inverse that can be run, in both directions: with the primitives that its program calls, the
/// compiled code if there is any, and the conditions on its output. Derefs to the [`Inverse`].
#[derive(Debug, Clone)]
pub struct Executable {
    inverse: Inverse,
    primitives: Primitives,
    compiled: Option<&'static Compiled>,
    conditions: OnceLock<OutputConditions>,
    writes: OnceLock<BTreeMap<FieldId, Writes>>,
}

impl Executable {
    /// An inverse whose program calls no other primitives than those of this crate.
    pub fn new(inverse: Inverse) -> Self {
        Self::with_primitives(inverse, &Primitives::shipped())
    }

    /// An inverse whose program calls `primitives`.
    pub fn with_primitives(inverse: Inverse, primitives: &Primitives) -> Self {
        let primitives = primitives.clone();
        let (conditions, writes) = (OnceLock::new(), OnceLock::new());
        Self { inverse, primitives, compiled: None, conditions, writes }
    }

    /// Runs compiled code where there is any.
    ///
    /// # Errors
    ///
    /// If that was compiled from another text.
    pub fn with_compiled(self, compiled: &'static Compiled) -> Result<Self, SpecError> {
        if !compiled.is_of(&self.program) {
            let what = "the compiled spec is one of another text: compile it again";
            let here = Diagnostic::new(what, Span::default(), "");
            return Err(SpecError::new(self.program.source.clone(), vec![here]));
        }
        Ok(Self { compiled: Some(compiled), ..self })
    }

    /// Returns the compiled code.
    pub fn compiled(&self) -> Option<&'static Compiled> {
        self.compiled
    }

    /// Returns the conditions of the ensures on the canonical value alone.
    pub fn output_conditions(&self) -> &OutputConditions {
        self.conditions.get_or_init(|| OutputConditions::of(&self.inverse.ensures))
    }

    /// Returns the writes of an array.
    pub(super) fn writes(&self, array: FieldId) -> &Writes {
        static NONE: Writes = Writes { all: Vec::new(), depends_on: BTreeSet::new() };
        self.writes.get_or_init(|| Writes::of(&self.inverse)).get(&array).unwrap_or(&NONE)
    }

    /// Returns the primitives that the program may call.
    pub fn primitives(&self) -> &Primitives {
        &self.primitives
    }

    /// Returns the primitive that a statement calls.
    ///
    /// # Errors
    ///
    /// If there is none of that name.
    pub fn primitive(&self, callee: &Callee) -> Result<&dyn Primitive, String> {
        self.primitives.resolve(callee)
    }
}

impl Deref for Executable {
    type Target = Inverse;

    fn deref(&self) -> &Inverse {
        &self.inverse
    }
}

impl fmt::Display for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inverse.fmt(f)
    }
}

impl From<Inverse> for Executable {
    fn from(inverse: Inverse) -> Self {
        Self::new(inverse)
    }
}
