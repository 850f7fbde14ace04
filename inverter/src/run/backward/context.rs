//! The data of a run that does not change during the run, and the messages that are built from it.

use super::limits::Limits;
use super::names::Names;
use super::prepared::Prepared;
use crate::invert::{DisjointnessStrategy, EnsureKind, Layout};
use crate::program::{FieldId, Program, Span};
use crate::run::error::RunError;
use crate::run::executable::Executable;
use crate::run::store::Store;
use crate::solve::{ChoiceSource, DimensionId};

/// The inverse and the canonical value on which it runs.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The canonical value with its caches.
    pub prepared: &'a Prepared<'a>,
    /// The inverse.
    pub inverse: &'a Executable,
    /// Its program.
    pub program: &'a Program,
    /// The canonical value.
    pub output: &'a Store,
    /// Bounds on the size of results.
    pub limits: Limits,
    /// The names of the dimensions of each input field, in the scope of the run.
    names: &'a [Names],
    /// Values near which behaviour may change.
    pub interesting_values: &'a [i128],
}

impl<'a> Context<'a> {
    /// Creates the context of a prepared value in the scope of `source`.
    pub fn new(prepared: &'a Prepared<'a>, source: &ChoiceSource) -> Self {
        let inverse = prepared.inverse();
        Self {
            prepared,
            inverse,
            program: &inverse.program,
            output: &prepared.output,
            limits: prepared.runner.cache.limits,
            names: prepared.runner.cache.names.of(&inverse.program, source),
            interesting_values: &prepared.interesting_values,
        }
    }

    /// Returns the names of the dimensions that belong to an input field.
    pub fn names(&self, field: FieldId) -> &'a Names {
        &self.names[field.0]
    }

    /// Returns the dimension that is an input field's value.
    pub fn dimension(&self, field: FieldId) -> DimensionId {
        self.names(field).value
    }

    /// Returns the least and greatest value of an input field's type.
    pub fn range(&self, field: FieldId) -> (i128, i128) {
        self.program.input.fields[field].int.range()
    }

    /// Returns the name of an input field in messages.
    pub fn name(&self, field: FieldId) -> String {
        self.program.input_name(field)
    }

    /// Returns true if scalars may be chosen so that writes overlap. With a layout they may not, because elements of
    /// segments are compared when the segments are placed, after the scalars are chosen.
    pub fn may_overlap(&self) -> bool {
        self.inverse.strategies.keys().all(|array| self.layout(*array).is_none())
    }

    /// Returns the layout of an array whose segments are placed.
    pub fn layout(&self, array: FieldId) -> Option<&'a Layout> {
        match self.inverse.strategies.get(&array) {
            Some(DisjointnessStrategy::Layout(layout)) => Some(layout),
            _ => None,
        }
    }

    /// Returns the inputs that are chosen together with the places of an array's segments: the bases, and numbers
    /// that only limit them.
    pub fn placed(&self, array: FieldId) -> Vec<FieldId> {
        let found = self.inverse.ensures.iter().find_map(|e| match &e.kind {
            EnsureKind::Places { array: of, bases } if *of == array => Some(bases.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Returns the number of scalars and elements of the canonical value.
    pub fn value_size(&self) -> i128 {
        self.prepared.elements as i128
    }

    /// Returns the maximum number of elements that an array of free length may have for its content.
    pub fn most_elements(&self) -> i128 {
        4 * self.value_size() + i128::from(self.limits.slack)
    }

    /// Creates the error that the statement at `span` rules out every representation.
    pub fn impossible(&self, span: Span, why: &str) -> RunError {
        RunError::NoRepresentation(self.located(span, why))
    }

    /// Creates the error that the statement at `span` fails although the ensures accepted it.
    pub fn failed(&self, span: Span, why: &str) -> RunError {
        RunError::FailedAssume(self.located(span, why))
    }

    /// Appends the statement at `span` to a message.
    pub fn located(&self, span: Span, why: &str) -> String {
        let source = &self.program.source;
        let text = source.at(span).split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{why} ({}: {text})", source.place(span))
    }
}
