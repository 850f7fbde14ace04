//! Shrinking: finds, from an equivalent file that fails, the failing file that differs least from the seed.
//!
//! It consists of delta debugging over choices (Zeller and Hildebrandt, 2002), followed by a search for values nearer
//! to the seed's.

use std::sync::Arc;

use inverter::solve::Choices;

use crate::reduce::{Answer, least, next_question};
use crate::subject::Subject;
use crate::{Equivalent, Equivalents, Format, NotRead};

/// A search for the file that differs least from its seed and still fails, one file at a time:
/// [`Shrinking::next`] returns a file, [`Shrinking::answer`] takes the result of trying it.
pub struct Shrinking {
    seed: Arc<dyn Subject>,
    start: Choices,
    answers: Vec<Answer>,
    best: Equivalent,
    asked: Option<Equivalent>,
}

impl Shrinking {
    /// Begins at `start`, an equivalent of `seed` that fails.
    pub(crate) fn new(seed: Arc<dyn Subject>, start: Equivalent) -> Self {
        let choices = start.choices.clone();
        Self { seed, start: choices, answers: Vec::new(), best: start, asked: None }
    }

    /// Starts at `file`, which must mean the same as `seed`. Returns `None` if it does not, or if its choices cannot be
    /// replayed on the seed. The replayed file may differ from `file` where a baseline has no choices, such as the
    /// codes of a compression, so the caller must check that [`Shrinking::best`] still fails.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::File`] if the seed cannot be read.
    pub fn of(format: &Format, seed: &[u8], file: &[u8]) -> Result<Option<Self>, NotRead> {
        Ok(Self::between(format.seed(seed)?, file))
    }

    pub(crate) fn between(seed: Arc<dyn Subject>, file: &[u8]) -> Option<Self> {
        let read = seed.reopened(file.to_vec())?;
        let choices = read.own_choices().differing_from(seed.own_choices());
        if choices.is_empty() {
            let start = Equivalent::seed(&*seed);
            return Some(Self::new(seed, start));
        }
        let start = match Equivalent::replayed(&*seed, &choices) {
            Some(start) => Equivalent { choices, ..start },
            // The choices that a file embodies may not fit together as given choices, because some follow from others.
            None => Equivalent::stored_like(&*seed, read.own_choices())?,
        };
        Some(Self::new(seed, start))
    }

    /// Starts at `file`, which was made from a seed that means the same as that of `files`, such as the same bytes read
    /// again. Returns `None` as [`Shrinking::of`] does.
    ///
    /// # Errors
    ///
    /// As [`Shrinking::of`].
    pub fn of_equivalent(
        format: &Format,
        files: &Equivalents,
        file: Equivalent,
    ) -> Result<Option<Self>, NotRead> {
        match files.replay(&file.choices) {
            Ok(again) if again.bytes == file.bytes => Ok(Some(files.shrinking(file))),
            _ => Self::of(format, files.seed(), &file.bytes),
        }
    }

    /// Returns the next file to try; `None` if the search is over.
    #[expect(clippy::should_implement_trait, reason = "each file needs an answer before the next")]
    pub fn next(&mut self) -> Option<&Equivalent> {
        self.asked = None;
        loop {
            let (own, start) = (self.seed.own_choices(), &self.start);
            let choices = next_question(&self.answers, |ask| drop(least(own, start, ask)))?;
            let file = match choices.is_empty() {
                true => Some(Equivalent::seed(&*self.seed)),
                false => Equivalent::replayed(&*self.seed, &choices),
            };
            match file {
                // Its choices are those of the search, without those that follow from them.
                Some(file) => return Some(self.asked.insert(Equivalent { choices, ..file })),
                None => self.answers.push(Answer::No),
            }
        }
    }

    /// Takes the result for the file that [`Shrinking::next`] returned.
    pub fn answer(&mut self, fails: bool) {
        let Some(asked) = self.asked.take() else { return };
        self.answers.push(if fails { Answer::Yes } else { Answer::No });
        if fails {
            self.best = asked;
        }
    }

    /// Returns the failing file that differs least, so far.
    pub fn best(&self) -> &Equivalent {
        &self.best
    }
}

impl Equivalents {
    /// Begins to shrink `file`, which belongs to this sequence.
    pub fn shrinking(&self, file: Equivalent) -> Shrinking {
        Shrinking::new(Arc::clone(self.subject()), file)
    }
}

/// Returns the file that differs least from `seed` and still `fails`, starting from `file`, which means the same. The
/// search first removes as many choices as possible, then looks for values near to the seed's. Returns `None` if `file`
/// means something else, or no longer fails when its choices are replayed on the seed.
///
/// # Errors
///
/// Returns [`NotRead::File`] if the seed cannot be read.
pub fn shrink(
    format: &Format,
    seed: &[u8],
    file: &[u8],
    mut fails: impl FnMut(&[u8]) -> bool,
) -> Result<Option<Equivalent>, NotRead> {
    let Some(mut shrinking) = Shrinking::of(format, seed, file)? else { return Ok(None) };
    if !fails(shrinking.best()) {
        return Ok(None);
    }
    while let Some(asked) = shrinking.next() {
        let answer = fails(asked);
        shrinking.answer(answer);
    }
    Ok(Some(shrinking.best))
}
