//! Pipelines: compositions of specs, the stages.
//!
//! The normalization programs run in order, each on the output of the previous one; the inverse is the composition of
//! the stages' inverses in reverse. A dimension of a stage is preceded by the stage's name: `strips: strip order`. All
//! stages share one [`ChoiceSource`].
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
mod texts;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

pub use file::{ReadError, from_text, from_text_recorded, read, read_recorded};
pub use texts::Texts;

use crate::program::{Constants, FieldId, Program, RecordType, constants};
use crate::run::{
    Executable, FieldValue, Limits, Record, Room, RunError, Runner, SharedCache, normalize_in,
    own_choices, views,
};
use crate::solve::{ChoiceSource, Choices, ClassConstants};

/// A spec with its inverse, as a part of a pipeline.
#[derive(Debug, Clone)]
pub struct Stage {
    name: String,
    inverse: Executable,
    /// Results about the inverse, cached for the most recently used limits.
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
        self.inverse.program()
    }

    /// A runner of the inverse, which shares the stage's cache.
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
    /// The stages; there is at least one.
    stages: Vec<Stage>,
    /// For each stage but the last, the fields of its output that become the fields of the next stage's input.
    joints: Vec<Vec<FieldId>>,
    /// True if names of dimensions are preceded by their stage. False for a single spec.
    named: bool,
}

/// The reason why stages do not make a pipeline, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PipelineError(String);

/// An error of a run, with the stage in which it occurred.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}{error}", stage.as_ref().map(|s| format!("stage `{s}`: ")).unwrap_or_default())]
pub struct StageError {
    /// The stage; `None` if it is the only one and has no name.
    pub stage: Option<String>,
    /// The error.
    pub error: Box<RunError>,
}

impl Pipeline {
    /// The pipeline of one spec, whose dimensions have no prefix.
    pub fn single(inverse: impl Into<Executable>) -> Self {
        let inverse = inverse.into();
        let stages = vec![Stage::new(inverse.program().name.clone(), inverse)];
        Self { stages, joints: Vec::new(), named: false }
    }

    /// The pipeline of `stages`, in the order of normalization.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no stages, two have the same name, or the output of one is not the input of the
    /// next.
    pub fn new(stages: Vec<Stage>) -> Result<Self, PipelineError> {
        let fail = |message: String| Err(PipelineError(message));
        if stages.is_empty() {
            return fail("a pipeline has at least one stage".to_owned());
        }
        let mut names = BTreeSet::new();
        for stage in &stages {
            // A colon separates the stage's name from the dimension.
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

    /// The prefix of a stage's dimensions.
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

    /// Returns the numbers with which the specs compare each dimension, including later stages.
    pub fn constants(&self) -> ClassConstants {
        let mut by_name = BTreeMap::new();
        let mut of_outputs = Constants::new();
        for (k, stage) in self.stages.iter().enumerate().rev() {
            let (program, prefix) = (stage.program(), self.prefix(stage));
            let of_inputs = constants(program, &of_outputs);
            for (field, found) in program.input.indexed() {
                if let Some(numbers) = of_inputs.get(&field) {
                    let name = format!("{prefix}{}", found.dimension());
                    by_name.entry(name).or_insert_with(BTreeSet::new).extend(numbers);
                }
            }
            let joint = k.checked_sub(1).and_then(|before| self.joints.get(before));
            of_outputs = joint
                .into_iter()
                .flatten()
                .zip(program.input.indexed())
                .filter_map(|(output, (input, _))| Some((*output, of_inputs.get(&input)?.clone())))
                .collect();
        }
        ClassConstants::new(by_name)
    }

    /// The record of the representations.
    pub fn input(&self) -> &RecordType {
        &self.first().input
    }

    /// The record of the canonical values.
    pub fn output(&self) -> &RecordType {
        &self.last().output
    }

    /// Returns the representation that a file is, for a pipeline whose first stage takes only the
    /// bytes of a file.
    ///
    /// # Errors
    ///
    /// Returns an error if it takes something else, or if the file ends before a number that is read from it.
    pub fn open(&self, file: Vec<u8>) -> Result<Record, StageError> {
        views::open(self.first(), file).map_err(|error| self.failed(&self.stages[0], error))
    }

    /// Returns the file that such a representation is.
    ///
    /// # Errors
    ///
    /// Returns an error if the first stage takes anything but a file.
    pub fn file(&self, x: Record) -> Result<Vec<u8>, StageError> {
        views::file(self.first(), x).map_err(|error| self.failed(&self.stages[0], error))
    }

    /// Returns the canonical value of a representation.
    ///
    /// # Errors
    ///
    /// Returns an error if the input of a stage is not a representation.
    pub fn normalize(&self, x: &Record) -> Result<Record, StageError> {
        self.normalize_in(x, Room::UNLIMITED)
    }

    /// [`Pipeline::normalize`], if the result of each stage fits `room`.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::normalize`], and [`RunError::TooLarge`].
    pub fn normalize_in(&self, x: &Record, room: Room) -> Result<Record, StageError> {
        let mut value = Cow::Borrowed(x);
        for k in 0..self.stages.len() {
            value = Cow::Owned(self.next(k, &mut value, room)?);
        }
        Ok(value.into_owned())
    }

    /// Runs the inverses on a canonical value, last stage first. `source` makes all choices.
    ///
    /// # Errors
    ///
    /// Returns [`RunError::NoRepresentation`] if a stage has no representation of its value under the choices made,
    /// [`RunError::Choice`] if a given choice does not fit, [`RunError::Refused`] if `y` does not fit the output's
    /// record.
    pub fn invert(
        &self,
        y: &Record,
        source: &mut ChoiceSource,
        limits: &Limits,
    ) -> Result<Record, StageError> {
        let mut value = y.clone();
        for k in (0..self.stages.len()).rev() {
            value = self.invert_stage(k, value, source, limits)?;
        }
        Ok(value)
    }

    /// Returns the result of the inverse of stage `k` (the last, if there are fewer) for its canonical value `y`: the
    /// canonical value of the previous stage or, for the first stage, a representation.
    ///
    /// # Errors
    ///
    /// As [`Pipeline::invert`].
    pub fn invert_stage(
        &self,
        k: usize,
        y: Record,
        source: &mut ChoiceSource,
        limits: &Limits,
    ) -> Result<Record, StageError> {
        let last = self.stages.len() - 1;
        let stage = &self.stages[k.min(last)];
        let prepared = stage.runner(*limits).prepare(y).map_err(|error| match k < last {
            true => RunError::NoRepresentation(error.to_string()),
            false => error,
        });
        let made = prepared
            .and_then(|y| source.within(&self.prefix(stage), |source| y.invert(source)))
            .map_err(|error| self.failed(stage, error))?;
        let joint = k.checked_sub(1).and_then(|before| self.joints.get(before));
        Ok(match joint {
            Some(joint) => backwards(made, joint),
            None => made,
        })
    }

    /// Returns the choices that a representation embodies, of all stages.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not a representation, or not one that the inverses can return.
    pub fn own_choices(&self, x: &Record, limits: &Limits) -> Result<Choices, StageError> {
        let (inputs, mut y) = self.values(x)?;
        let mut own = Choices::new();
        for (k, (stage, x)) in self.stages.iter().zip(inputs).enumerate().rev() {
            let choices = own_choices(&stage.inverse, &x, &y, limits)
                .map_err(|error| self.failed(stage, error))?;
            let prefix = self.prefix(stage);
            for (dimension, value) in choices.iter() {
                own.set(format!("{prefix}{dimension}"), value.clone());
            }
            if k > 0 {
                y = backwards(x, &self.joints[k - 1]);
            }
        }
        Ok(own)
    }

    /// Returns the canonical value of each stage, for a representation of the first.
    ///
    /// # Errors
    ///
    /// Returns an error if the input of a stage is not a representation.
    pub fn stage_values(&self, x: &Record) -> Result<Vec<Record>, StageError> {
        let (inputs, last) = self.values(x)?;
        let before = inputs.into_iter().skip(1).zip(&self.joints);
        Ok(before.map(|(input, joint)| backwards(input, joint)).chain([last]).collect())
    }

    /// The input of each stage, and the output of the last.
    fn values(&self, x: &Record) -> Result<(Vec<Record>, Record), StageError> {
        let mut inputs = Vec::new();
        let mut value = Cow::Borrowed(x);
        for k in 0..self.stages.len() {
            let next = self.next(k, &mut value, Room::UNLIMITED)?;
            inputs.push(std::mem::replace(&mut value, Cow::Owned(next)).into_owned());
        }
        Ok((inputs, value.into_owned()))
    }

    /// Returns the result of stage `k`, for the next stage if there is one. Completes the input with the data that a
    /// later stage's program reads from it.
    fn next(
        &self,
        k: usize,
        input: &mut Cow<'_, Record>,
        room: Room,
    ) -> Result<Record, StageError> {
        let stage = &self.stages[k];
        let failed = |error| self.failed(stage, error);
        if k > 0 && !stage.program().views.is_empty() {
            let fields = std::mem::take(&mut input.to_mut().fields);
            *input = Cow::Owned(views::complete(stage.program(), fields).map_err(failed)?);
        }
        let made = normalize_in(&stage.inverse, input, room).map_err(failed)?;
        Ok(match self.joints.get(k) {
            Some(joint) => forwards(made, joint),
            None => made,
        })
    }

    fn failed(&self, stage: &Stage, error: RunError) -> StageError {
        StageError { stage: self.named.then(|| stage.name.clone()), error: Box::new(error) }
    }
}

/// Returns, for each field of `to`'s input, the corresponding field of `from`'s output.
///
/// # Errors
///
/// A message if the two records differ.
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

/// Converts a stage's output to the next stage's input.
fn forwards(value: Record, joint: &[FieldId]) -> Record {
    let mut fields: Vec<Option<FieldValue>> = value.fields.into_iter().map(Some).collect();
    let take = |at: &FieldId| fields.get_mut(at.0).and_then(Option::take);
    Record { fields: joint.iter().filter_map(take).collect() }
}

/// Converts a stage's input to the output of the previous stage, without the numbers read from bytes.
fn backwards(value: Record, joint: &[FieldId]) -> Record {
    let mut fields: Vec<(FieldId, FieldValue)> = joint.iter().copied().zip(value.fields).collect();
    fields.sort_by_key(|(at, _)| *at);
    Record { fields: fields.into_iter().map(|(_, field_value)| field_value).collect() }
}
