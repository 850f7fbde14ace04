//! A survey of a seed's dimensions: the values that occur, and the prerequisites of dimensions.
//!
//! There is no table of dimensions. Instead, about a hundred random variants are made, and each dimension is varied
//! alone. That takes as long as making several hundred variants, or many thousand for a seed with many pages. The
//! result is a function of the seed, unless a time limit cuts the survey short.

mod needs;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use inverter::solve::{Choice, ChoiceSource, Choices, DimensionId, Vary};

use super::{Class, Subject};

/// The number of variants with all choices at random.
const RANDOM: u64 = 128;

/// The number of variants in which one dimension varies, on the seed and on a variant that has it.
const ALONE: u64 = 4;

/// The parts of a time limit after which random variants, and variants of single dimensions, must be finished.
const PARTS: [f64; 2] = [0.4, 0.7];

/// The dimensions of a seed, as its variants show them.
#[derive(Debug, Clone)]
pub struct Survey {
    /// The dimensions, in the order in which they are chosen.
    pub dimensions: Vec<Surveyed>,
    /// The number of dimensions that were not varied alone, or whose prerequisites were not sought, because the time
    /// was over.
    pub left: usize,
}

/// One dimension.
#[derive(Debug, Clone)]
pub struct Surveyed {
    /// Its name.
    pub name: String,
    /// The seed's value class; `None` if the seed does not have the dimension.
    pub own: Option<String>,
    /// The value classes of the dimension: numbers in order, then names.
    pub classes: Vec<SurveyedClass>,
    /// The value classes of other dimensions with which the dimension exists, if it does not exist with all of them.
    pub needs: Vec<Need>,
}

/// One value class.
#[derive(Debug, Clone)]
pub struct SurveyedClass {
    /// Its name.
    pub name: String,
    /// A value of the class.
    pub example: Choice,
    /// The minimum legality class that the observed values give a file.
    pub legality: Option<Class>,
}

/// A prerequisite of a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The other dimension.
    pub dimension: String,
    /// The value classes of the other dimension with which the dimension occurs.
    pub classes: Vec<String>,
}

/// The variants that were made.
struct Samples<'s> {
    subject: &'s dyn Subject,
    /// The dimensions of the subject itself, in their order.
    own: Vec<DimensionId>,
    all: Vec<Sample>,
    /// The number of samples, counted from the first, in which prerequisites are sought.
    looked_at: usize,
}

/// The choices of a variant, and their value classes.
struct Sample {
    choices: Choices,
    classes: BTreeMap<DimensionId, String>,
}

impl Samples<'_> {
    /// Makes a variant. Returns its position among the samples, or `None` if there is none.
    fn make(&mut self, source: ChoiceSource) -> Option<usize> {
        let choices = self.subject.choices_from(source).ok()?;
        let class =
            |(id, value): (DimensionId, &Choice)| (id, self.subject.value_class(id.name(), value));
        let classes = choices.entries().map(class).collect();
        self.all.push(Sample { choices, classes });
        Some(self.all.len() - 1)
    }

    /// Makes variants in which the dimension varies alone.
    fn vary_alone(&mut self, id: DimensionId) {
        let alone = |index| ChoiceSource::seeded(1, index).with_vary(Vary::only([id]));
        for index in 0..ALONE {
            self.make(alone(index));
        }
        let absent = self.subject.own_choices().get(id).is_none();
        let beside = self.with(id).filter(|_| absent).map(|sample| sample.choices.clone());
        for index in ALONE..2 * ALONE {
            let Some(choices) = &beside else { break };
            self.make(alone(index).with_baseline(choices.clone()));
        }
    }

    /// Returns the dimensions that occurred: the subject's own first, then by name.
    fn dimensions(&self) -> Vec<DimensionId> {
        let mut all = self.own.clone();
        let mut more: Vec<DimensionId> = self.all.iter().flat_map(|s| s.choices.ids()).collect();
        more.sort();
        more.dedup();
        more.retain(|id| !all.contains(id));
        all.extend(more);
        all.retain(|id| self.all.iter().any(|sample| sample.classes.contains_key(id)));
        all
    }

    fn with(&self, id: DimensionId) -> Option<&Sample> {
        self.all.iter().find(|sample| sample.classes.contains_key(&id))
    }
}

impl Survey {
    /// Surveys `subject`.
    pub fn of(subject: &dyn Subject) -> Self {
        Self::until(subject, |_| None)
    }

    /// Surveys `subject` within a time; a large seed needs more time for all of its dimensions.
    pub fn within(subject: &dyn Subject, time: Duration) -> Self {
        let began = Instant::now();
        Self::until(subject, |part| Some(began + time.mul_f64(part)))
    }

    /// Surveys `subject`. `end` is the time at which a part of the survey must end.
    fn until(subject: &dyn Subject, end: impl Fn(f64) -> Option<Instant>) -> Self {
        let over = |part| end(part).is_some_and(|end| Instant::now() >= end);
        let mut samples = Samples { subject, own: Vec::new(), all: Vec::new(), looked_at: 0 };
        samples.make(ChoiceSource::replaying(Choices::new()));
        for index in (0..RANDOM).take_while(|_| !over(PARTS[0])) {
            samples.make(ChoiceSource::seeded(0, index));
        }
        // The subject finds its dimensions by making some sixty more variants, however long that takes.
        samples.own = match over(PARTS[0]) {
            true => subject.own_choices().ids().collect(),
            false => subject.dimensions().iter().map(Into::into).collect(),
        };
        let mut left = 0;
        for id in samples.dimensions() {
            if over(PARTS[1]) {
                left += 1;
                continue;
            }
            samples.vary_alone(id);
        }
        let dimensions = samples.dimensions();
        // Samples made below, for the prerequisites of others, are few for each and say little.
        samples.looked_at = samples.all.len();
        let mut needs: Vec<Vec<Need>> = Vec::new();
        for id in &dimensions {
            let late = over(1.0);
            left += usize::from(late && left < dimensions.len());
            needs.push(if late { Vec::new() } else { samples.needs(*id) });
        }
        let surveyed = |(id, needs)| samples.surveyed(id, needs);
        let dimensions = dimensions.into_iter().zip(needs).map(surveyed).collect();
        Self { dimensions, left }
    }

    /// Returns the information about the dimension with this name.
    pub fn dimension(&self, name: &str) -> Option<&Surveyed> {
        self.dimensions.iter().find(|surveyed| surveyed.name == name)
    }
}

impl Samples<'_> {
    fn surveyed(&self, id: DimensionId, needs: Vec<Need>) -> Surveyed {
        let mut classes: BTreeMap<(Option<i128>, &str), SurveyedClass> = BTreeMap::new();
        for Sample { choices, classes: named } in &self.all {
            let (Some(value), Some(name)) = (choices.get(id), named.get(&id)) else { continue };
            let legality = self.subject.class_of(id.name(), value, choices);
            let known = classes.entry(rank(name)).or_insert_with(|| SurveyedClass {
                name: name.clone(),
                example: value.clone(),
                legality,
            });
            known.legality = known.legality.min(legality);
        }
        let own = self.subject.own_choices().get(id);
        Surveyed {
            name: id.name().to_owned(),
            own: own.map(|value| self.subject.value_class(id.name(), value)),
            classes: classes.into_values().collect(),
            needs,
        }
    }
}

/// Returns the key by which value classes are sorted.
fn rank(class: &str) -> (Option<i128>, &str) {
    // Names come last.
    (Some(class.parse().unwrap_or(i128::MAX)), class)
}
