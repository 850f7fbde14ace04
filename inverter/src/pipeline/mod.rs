//! Pipelines: specs one after the other.
//!
//! A format is a composition of stages. The normalization programs are run in order, each
//! on what the one before it gave; the inverse is the reversed composition of their
//! inverses. A dimension of a stage has the stage's name in front: `strips: strip order`.
//! All stages share one [`ChoiceSource`].
//!
//! ```
//! use inverter::invert::invert;
//! use inverter::pipeline::{Pipeline, Stage};
//! use inverter::program::parse;
//! use inverter::run::{Limits, from_json};
//! use inverter::solve::ChoiceSource;
//!
//! let spaced = "
//!     struct Spaced { n: u8, step: u8, data: [u8] }
//!     struct Dense { n: u8, data: [u8; n] }
//!     fn normalize(x: &Spaced, y: &mut Dense) {
//!         y.n = x.n;
//!         for i in 0..x.n {
//!             y.data[i] = x.data[i * x.step];
//!         }
//!     }
//! ";
//! let added = "
//!     struct Bytes { n: u8, data: [u8; n] }
//!     struct Sum { n: u8, sum: [u16; n] }
//!     fn normalize(x: &Bytes, y: &mut Sum) {
//!         y.n = x.n;
//!         for i in 0..x.n {
//!             y.sum[i] = x.data[i] + 1;
//!         }
//!     }
//! ";
//! let stage = |name: &str, text: &str| -> Result<Stage, Box<dyn std::error::Error>> {
//!     Ok(Stage::new(name, invert(&parse(name, text)?)?))
//! };
//! let pipeline = Pipeline::new(vec![stage("spaced", spaced)?, stage("added", added)?])?;
//!
//! let json = serde_json::json!({ "n": 3, "sum": [8, 9, 10] });
//! let y = from_json(pipeline.output(), &json)?;
//! let mut choices = ChoiceSource::seeded(1, 0);
//! let x = pipeline.invert(&y, &mut choices, &Limits::default())?;
//! assert_eq!(pipeline.normalize(&x)?, y);
//! assert!(choices.recorded().get("spaced: step").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod file;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

pub use file::{ReadError, from_text, from_text_compiled, read, read_compiled};

use crate::program::{FieldId, Program, Record};
use crate::run::{
    Datum, Executable, Limits, RunError, Runner, SharedCache, Value, normalize_with, own_choices,
    views,
};
use crate::solve::{ChoiceSource, Choices};

/// A spec with its inverse, as a part of a pipeline.
#[derive(Debug, Clone)]
pub struct Stage {
    name: String,
    inverse: Executable,
    /// What was worked out of the inverse under the limits that were asked for last.
    cache: Arc<Mutex<Option<Arc<SharedCache>>>>,
}

impl Stage {
    /// The stage `name`.
    pub fn new(name: impl Into<String>, inverse: impl Into<Executable>) -> Self {
        Self { name: name.into(), inverse: inverse.into(), cache: Arc::default() }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The spec with its inverse.
    pub fn inverse(&self) -> &Executable {
        &self.inverse
    }

    fn program(&self) -> &Program {
        &self.inverse.program
    }

    /// What runs the inverse. What it works out is kept.
    fn runner(&self, limits: Limits) -> Arc<Runner<'_>> {
        let new = || Arc::new(SharedCache::new(&self.inverse, limits));
        let cache = match self.cache.lock() {
            Ok(mut kept) => match &*kept {
                Some(cache) if cache.limits == limits => Arc::clone(cache),
                _ => Arc::clone(kept.insert(new())),
            },
            Err(_) => new(),
        };
        Arc::new(Runner::with_cache(&self.inverse, cache))
    }
}

/// Stages, in the order of normalization.
#[derive(Debug, Clone)]
pub struct Pipeline {
    /// At least one.
    stages: Vec<Stage>,
    /// For each stage but the last, which of its output's fields the fields of the next
    /// stage's input are.
    joints: Vec<Vec<FieldId>>,
    /// Whether names have stages in front: not if it is a spec by itself.
    named: bool,
}

/// Stages that make no pipeline; why, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PipelineError(String);

/// A run that ended in one of the stages.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}{error}", stage.as_ref().map(|s| format!("stage `{s}`: ")).unwrap_or_default())]
pub struct StageError {
    /// The stage; `None` if it is the only one and has no name.
    pub stage: Option<String>,
    /// Why.
    pub error: RunError,
}

impl Pipeline {
    /// A spec by itself: nothing has a stage's name in front.
    pub fn single(inverse: impl Into<Executable>) -> Self {
        let inverse = inverse.into();
        let stages = vec![Stage::new(inverse.program.name.clone(), inverse)];
        Self { stages, joints: Vec::new(), named: false }
    }

    /// The pipeline of `stages`, in the order of normalization.
    ///
    /// # Errors
    ///
    /// If there are none, two have one name, or one gives another record than the next
    /// one takes.
    pub fn new(stages: Vec<Stage>) -> Result<Self, PipelineError> {
        let fail = |message: String| Err(PipelineError(message));
        if stages.is_empty() {
            return fail("a pipeline has at least one stage".to_owned());
        }
        let mut names = BTreeSet::new();
        for stage in &stages {
            // Names and dimensions are told apart by the colon.
            let name = &stage.name;
            if name.trim().is_empty() || name.contains(|c: char| c == ':' || c.is_control()) {
                return fail(format!("a stage cannot be called {name:?}"));
            }
            if !names.insert(name) {
                return fail(format!("two stages are called `{name}`"));
            }
        }
        let joints = stages.windows(2).map(|pair| match pair {
            [from, to] => joint(from, to),
            _ => Ok(Vec::new()),
        });
        let joints = joints.collect::<Result<_, _>>().map_err(PipelineError)?;
        Ok(Self { stages, joints, named: true })
    }

    /// The stages, in the order of normalization.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// What stands before the names of a stage's dimensions.
    pub fn prefix(&self, stage: &Stage) -> String {
        if self.named { format!("{}: ", stage.name) } else { String::new() }
    }

    /// The first stage's program, whose input the representations are.
    pub fn first(&self) -> &Program {
        self.stages[0].program()
    }

    /// The last stage's program, whose output the canonical values are.
    pub fn last(&self) -> &Program {
        self.stages[self.stages.len() - 1].program()
    }

    /// The record of the representations.
    pub fn input(&self) -> &Record {
        &self.first().input
    }

    /// The record of the canonical values.
    pub fn output(&self) -> &Record {
        &self.last().output
    }

    /// The representation that a file is, for a pipeline whose first stage takes nothing but
    /// the bytes of one.
    ///
    /// # Errors
    ///
    /// If it takes something else, or the file ends before a number that is read from it.
    pub fn open(&self, file: Vec<u8>) -> Result<Value, StageError> {
        views::open(self.first(), file).map_err(|error| self.failed(&self.stages[0], error))
    }

    /// The file that such a representation is.
    ///
    /// # Errors
    ///
    /// If the first stage takes anything but a file.
    pub fn file(&self, x: Value) -> Result<Vec<u8>, StageError> {
        views::file(self.first(), x).map_err(|error| self.failed(&self.stages[0], error))
    }

    /// The canonical value of a representation.
    ///
    /// # Errors
    ///
    /// The first stage for which its input is no representation.
    pub fn normalize(&self, x: &Value) -> Result<Value, StageError> {
        Ok(self.values(x)?.1)
    }

    /// Runs the inverses on a canonical value, last stage first, with what is free decided
    /// by `source`.
    ///
    /// # Errors
    ///
    /// [`RunError::NoRepresentation`] if a stage has none of the value that it is to give
    /// under the choices made, [`RunError::Choice`] if a given choice does not fit,
    /// [`RunError::Refused`] if `y` is no value of the output's record.
    pub fn invert(
        &self,
        y: &Value,
        source: &mut ChoiceSource,
        limits: &Limits,
    ) -> Result<Value, StageError> {
        let mut value = y.clone();
        for (k, stage) in self.stages.iter().enumerate().rev() {
            let given = k + 1 == self.stages.len();
            let program = stage.program();
            value.fits(&program.output).map_err(|(span, why)| {
                let error = RunError::at(&program.source, span, why);
                self.failed(
                    stage,
                    if given { error } else { RunError::NoRepresentation(error.to_string()) },
                )
            })?;
            value = source
                .within(&self.prefix(stage), |source| {
                    stage.runner(*limits).prepare(value)?.invert(source)
                })
                .map_err(|error| self.failed(stage, error))?;
            if k > 0 {
                value = backwards(value, &self.joints[k - 1]);
            }
        }
        Ok(value)
    }

    /// The choices that a representation embodies, all stages together.
    ///
    /// # Errors
    ///
    /// If it is no representation, or not one that the inverses describe.
    pub fn own_choices(&self, x: &Value, limits: &Limits) -> Result<Choices, StageError> {
        let (inputs, mut y) = self.values(x)?;
        let mut own = Choices::new();
        for (k, (stage, x)) in self.stages.iter().zip(inputs).enumerate().rev() {
            let choices = own_choices(&stage.inverse, &x, &y, limits)
                .map_err(|error| self.failed(stage, error))?;
            let prefix = self.prefix(stage);
            for (dimension, value) in choices.iter() {
                own.set(&format!("{prefix}{dimension}"), value.clone());
            }
            if k > 0 {
                y = backwards(x, &self.joints[k - 1]);
            }
        }
        Ok(own)
    }

    /// The input of each stage, and the output of the last.
    fn values(&self, x: &Value) -> Result<(Vec<Value>, Value), StageError> {
        let mut inputs = Vec::new();
        let mut value = x.clone();
        for (k, stage) in self.stages.iter().enumerate() {
            let failed = |error| self.failed(stage, error);
            if k > 0 && !stage.program().views.is_empty() {
                value = views::complete(stage.program(), value.fields).map_err(failed)?;
            }
            let given = normalize_with(&stage.inverse, &value);
            inputs.push(value);
            value = given.map_err(failed)?;
            if let Some(joint) = self.joints.get(k) {
                value = forwards(value, joint);
            }
        }
        Ok((inputs, value))
    }

    fn failed(&self, stage: &Stage, error: RunError) -> StageError {
        StageError { stage: self.named.then(|| stage.name.clone()), error }
    }
}

/// Which of `from`'s output fields the fields of `to`'s input are; what differs if they are
/// not the same.
fn joint(from: &Stage, to: &Stage) -> Result<Vec<FieldId>, String> {
    let (gives, takes) = (&from.program().output, &to.program().input);
    let declared = &takes.fields[..takes.fields.len() - to.program().views.len()];
    let differ = |what: String| {
        let (a, b) = (&from.name, &to.name);
        Err(format!(
            "stage `{a}` gives {}, but stage `{b}` takes {}: {what}",
            gives.type_name, takes.type_name
        ))
    };
    if let Some(extra) = gives.fields.iter().find(|f| declared.iter().all(|t| t.name != f.name)) {
        return differ(format!("`{b}` takes no `{}`", extra.name, b = to.name));
    }
    let mut out = Vec::new();
    for f in declared {
        let Some(at) = gives.field(&f.name) else {
            return differ(format!("`{a}` gives no `{}`", f.name, a = from.name));
        };
        let given = &gives.fields[at];
        let kind = |f: &crate::program::Field| match f.lengths.len() {
            0 => format!("a {}", f.int),
            n => format!("{}{}{}", "[".repeat(n), f.int, "]".repeat(n)),
        };
        if (given.int, given.lengths.len()) != (f.int, f.lengths.len()) {
            return differ(format!("`{}` is {} and {}", f.name, kind(given), kind(f)));
        }
        out.push(at);
    }
    Ok(out)
}

/// A stage's output as the next stage's input.
fn forwards(value: Value, joint: &[FieldId]) -> Value {
    let mut fields: Vec<Option<Datum>> = value.fields.into_iter().map(Some).collect();
    let take = |at: &FieldId| fields.get_mut(at.0).and_then(Option::take);
    Value { fields: joint.iter().filter_map(take).collect() }
}

/// A stage's input as the output of the stage before it: without the numbers that are read from bytes.
fn backwards(value: Value, joint: &[FieldId]) -> Value {
    let mut fields: Vec<(FieldId, Datum)> = joint.iter().copied().zip(value.fields).collect();
    fields.sort_by_key(|(at, _)| *at);
    Value { fields: fields.into_iter().map(|(_, datum)| datum).collect() }
}
