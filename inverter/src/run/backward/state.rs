//! The state of one run of the inverse: the assignment, evaluation, and choices.
//!
//! Each solver borrows only the parts that it works on: a check evaluates; a solver of scalars
//! chooses and assigns. Code that needs all parts takes the whole [`Backward`].

use super::assignment::Assignment;
use super::context::Context;
use super::elements::filler::Filler;
use super::prepared::Prepared;
use crate::program::{FieldId, Span, VarId};
use crate::run::error::RunError;
use crate::run::eval::Env;
use crate::run::steps::Steps;
use crate::run::store::Store;
use crate::solve::ChoiceSource;

/// One run of the inverse.
pub struct Backward<'a> {
    /// The inverse and the canonical value.
    pub cx: Context<'a>,
    /// The values of input fields so far.
    pub assignment: Assignment,
    /// The state of the evaluation.
    pub evaluation: Evaluation,
    /// The choices.
    pub choices: ChoiceState<'a>,
}

/// The loop variables, and the bound on rounds of loops.
pub struct Evaluation {
    /// The values of the loop variables.
    pub vars: Vec<i128>,
    /// The number of rounds that loops may still run.
    pub steps: Steps,
    /// The arrays that are being allocated; each is needed for the length of the previous one.
    pub allocating: Vec<FieldId>,
}

/// The source of all choices, and the fills that it has chosen.
pub struct ChoiceState<'a> {
    /// The source.
    pub source: &'a mut ChoiceSource,
    /// For each array, the generator of its free elements once it is chosen.
    pub fillers: Vec<Option<Filler>>,
}

impl<'a> Backward<'a> {
    /// Starts a run in which nothing is known.
    pub fn new(prepared: &'a Prepared<'a>, source: &'a mut ChoiceSource) -> Self {
        let input = Store::unset(&prepared.inverse().program.input);
        Self::starting(prepared, source, input)
    }

    /// Starts a run with the part of the input that the canonical value alone determines.
    pub fn starting(
        prepared: &'a Prepared<'a>,
        source: &'a mut ChoiceSource,
        input: Store,
    ) -> Self {
        let cx = Context::new(prepared, source);
        let program = cx.program;
        let fillers = program.input.fields.iter().map(|_| None).collect();
        Self {
            cx,
            assignment: Assignment::new(input),
            evaluation: Evaluation {
                vars: vec![0; program.vars.len()],
                steps: prepared.steps(),
                allocating: Vec::new(),
            },
            choices: ChoiceState { source, fillers },
        }
    }

    /// Returns the environment in which expressions are evaluated.
    pub fn env(&mut self) -> Env<'_> {
        Env {
            steps: &self.evaluation.steps,
            program: self.cx.program,
            input: &self.assignment.input,
            output: self.cx.output,
            conditions: Some((self.cx.inverse, &self.cx.prepared.conditions)),
            vars: &mut self.evaluation.vars,
        }
    }

    /// Counts one round of a loop.
    pub fn step(&self, span: Span) -> Result<(), RunError> {
        self.evaluation.steps.take(1, &self.cx.program.source, span)
    }

    /// Sets a loop variable.
    pub fn set_var(&mut self, var: VarId, value: i128) {
        self.env().set_var(var, value);
    }

    /// Runs `look` and rolls back its allocations and draws, because both depend on scalars that may be chosen again.
    pub fn dry_run<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let assignment = self.assignment.snapshot();
        let source = self.choices.source.clone();
        let none = self.choices.fillers.iter().map(|_| None).collect();
        let fillers = std::mem::replace(&mut self.choices.fillers, none);
        let result = look(self);
        self.choices.fillers = fillers;
        *self.choices.source = source;
        self.assignment.rollback(&assignment);
        result
    }
}
