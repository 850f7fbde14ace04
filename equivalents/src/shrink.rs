//! From an equivalent file that shows something to the one that differs least from the seed.

use std::sync::Arc;

use inverter::solve::Choices;

use crate::reduce::{Answer, least, next_question};
use crate::subject::Subject;
use crate::{Equivalent, Format, NotRead};

/// A search for the file that differs least from its seed and still shows something, one file at a time:
/// [`Shrinking::next`] gives a file, [`Shrinking::answer`] takes whether it shows it.
pub struct Shrinking {
    seed: Arc<dyn Subject>,
    start: Choices,
    answers: Vec<Answer>,
    best: Equivalent,
    asked: Option<Equivalent>,
}

impl Shrinking {
    /// From `start`, an equivalent of `seed` that shows it.
    pub(crate) fn new(seed: Arc<dyn Subject>, start: Equivalent) -> Self {
        let choices = start.choices.clone();
        Self { seed, start: choices, answers: Vec::new(), best: start, asked: None }
    }

    /// From `file`, which means what `seed` means; `None` if it does not, or cannot be made of the
    /// seed again by its choices. What is made again may differ in bytes that choices do not tell of a
    /// file that was read, such as the codes of a compression: whether [`Shrinking::best`] still shows
    /// it is for the caller to see.
    ///
    /// # Errors
    ///
    /// [`NotRead::File`], if the seed cannot be read.
    pub fn of(format: &Format, seed: &[u8], file: &[u8]) -> Result<Option<Self>, NotRead> {
        Ok(Self::between(format, format.seed(seed)?, file))
    }

    pub(crate) fn between(format: &Format, seed: Arc<dyn Subject>, file: &[u8]) -> Option<Self> {
        let read = format.seed(file).ok().filter(|read| read.picture() == seed.picture())?;
        let choices = read.own_choices().differing_from(seed.own_choices());
        let start = match choices.is_empty() {
            true => Equivalent::seed(&*seed),
            false => Equivalent::replayed(&*seed, &choices)?,
        };
        Some(Self::new(seed, Equivalent { choices, ..start }))
    }

    /// The next file to try; `None` if there is no more to be tried.
    #[expect(clippy::should_implement_trait, reason = "a file is asked about, and answered")]
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
                // It is told by what was asked for; what follows of it is not.
                Some(file) => return Some(self.asked.insert(Equivalent { choices, ..file })),
                None => self.answers.push(Answer::No),
            }
        }
    }

    /// Takes whether the file that [`Shrinking::next`] gave shows it.
    pub fn answer(&mut self, shows: bool) {
        let Some(asked) = self.asked.take() else { return };
        self.answers.push(if shows { Answer::Yes } else { Answer::No });
        if shows {
            self.best = asked;
        }
    }

    /// The file that shows it and differs least, so far.
    pub fn best(&self) -> &Equivalent {
        &self.best
    }
}

/// The file that differs least from `seed` and still `shows` what `file` shows, which means the same:
/// first as few choices as can be, then values near to the seed's. `None` if `file` means something
/// else, or what its choices make of the seed does not show it.
///
/// # Errors
///
/// [`NotRead::File`], if the seed cannot be read.
pub fn shrink(
    format: &Format,
    seed: &[u8],
    file: &[u8],
    mut shows: impl FnMut(&[u8]) -> bool,
) -> Result<Option<Equivalent>, NotRead> {
    let Some(mut shrinking) = Shrinking::of(format, seed, file)? else { return Ok(None) };
    if !shows(shrinking.best()) {
        return Ok(None);
    }
    while let Some(asked) = shrinking.next() {
        let answer = shows(asked);
        shrinking.answer(answer);
    }
    Ok(Some(shrinking.best))
}
