//! Examples of hangs and exhausted resources, which a report shows even if no cause was found.

use inverter::solve::Choices;
use serde::{Deserialize, Serialize};

use super::row::{GIVEN, Row};
use crate::oracle::Outcome;
use equivalents::subject::Subject;

/// A variant on which a client hangs or exceeds a limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeExample {
    /// [`Outcome::Hang`] or [`Outcome::Resource`].
    pub outcome: Outcome,
    /// The choices that make it again from the seed of the run.
    pub choices: Choices,
    /// The file.
    #[serde(with = "super::pack::bytes")]
    pub file: Vec<u8>,
}

impl OutcomeExample {
    /// The outcomes that are shown without a cause.
    pub const OUTCOMES: [Outcome; 2] = [Outcome::Hang, Outcome::Resource];

    /// Returns the variant with the fewest choices among `rows` with this outcome. `None` if there is none, or if its
    /// choices do not reproduce it from the seed of `subject`.
    pub(crate) fn of<'r>(
        subject: &dyn Subject,
        outcome: Outcome,
        rows: impl Iterator<Item = &'r Row>,
    ) -> Option<Self> {
        let found = rows.filter(|row| row.variant != GIVEN && row.outcome() == outcome);
        let row = found.min_by_key(|row| (row.info.choices.len(), row.variant))?;
        let choices = row.info.choices.clone();
        let file = subject.replay(&choices).ok()?.bytes;
        (file.len() == row.info.size).then_some(Self { outcome, choices, file })
    }
}
