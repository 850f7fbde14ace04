//! A smaller picture that shows the same cause.

use inverter::solve::{Choice, Choices};
use tiff_harness::Picture;

use super::canonicalize::fitted;
use super::test_oracle::{ReduceError, TestOracle};
use crate::client_session::JudgedRun;
use crate::oracle::{Outcome, Signature};
use crate::records::{Purpose, SmallExample, Trial};
use clients::Reply;
use equivalents::subject::Subject;

/// The maximum number of pictures that are tested for one cause.
const MAX_PICTURES: usize = 20;

/// The sizes that are tested first, in pixels. The smallest is the smallest picture in which a person can still
/// recognize the orientation, with the help of [`marked`], and errors in a row or a column.
const SIZES: [(u32, u32); 3] = [(8, 6), (17, 17), (33, 33)];

/// Searches for a small picture on which a client still has the same signature.
pub struct Shrinker<'a> {
    /// The test function on the seed's own picture.
    oracle: TestOracle<'a>,
    /// The signature to preserve: a picture that is too flat to show it is not an example.
    signature: Signature,
    /// The 1-minimal choices with that signature.
    choices: &'a Choices,
    /// The number of pictures that may still be tested.
    left: usize,
}

impl<'a> Shrinker<'a> {
    /// A search for one cause.
    pub fn new(oracle: TestOracle<'a>, signature: Signature, choices: &'a Choices) -> Self {
        Self { oracle, signature, choices, left: MAX_PICTURES }
    }

    /// Returns the smallest picture found; `None` if none is smaller than the seed's.
    ///
    /// # Errors
    ///
    /// Returns [`ReduceError`] except [`ReduceError::Stopped`], which only cuts the search short.
    pub fn shrink(mut self) -> Result<Option<SmallExample>, ReduceError> {
        // Each run that hangs takes the whole time limit. A smaller picture has different costs.
        let outcome = self.signature.outcome;
        if self.choices.is_empty() || outcome == Outcome::Hang || outcome.is_cost() {
            return Ok(None);
        }
        let mut best = None;
        match self.search(&mut best) {
            Ok(()) | Err(ReduceError::Stopped) => {}
            Err(error) => return Err(error),
        }
        best.map_or(Ok(None), |small| self.confirmed(small))
    }

    /// Returns `small` if processes that have read nothing before have the same results.
    fn confirmed(&self, mut small: SmallExample) -> Result<Option<SmallExample>, ReduceError> {
        let TestOracle { session, budget, gate, cost, .. } = self.oracle;
        if budget.ends_reduction() {
            return Ok(None);
        }
        let session = session.of_picture(&small.picture, &small.expected);
        let run = |file: &[u8]| gate.pass(cost, || session.run_fresh(file));
        let (Some(seed), Some(file)) = (run(&small.seed)?, run(&small.file)?) else {
            return Ok(None);
        };
        self.oracle.log_probe(&small.choices, &file.judgment, file.took, Purpose::Confirm);
        let found = file.judgment.signature().without_words();
        if seed.judgment.outcome.is_difference() || found != self.signature.without_words() {
            return Ok(None);
        }
        drop(session);
        small.message = file.judgment.message;
        small.got = match file.reply {
            Reply::Picture(picture) if self.signature.outcome == Outcome::Wrong => Some(picture),
            _ => None,
        };
        Ok(Some(small))
    }

    fn search(&mut self, best: &mut Option<SmallExample>) -> Result<(), ReduceError> {
        let whole = self.oracle.subject.picture().clone();
        for (width, height) in SIZES {
            let (width, height) = (whole.width().min(width), whole.height().min(height));
            if (width, height) == (whole.width(), whole.height()) {
                break;
            }
            let Some(crop) = whole.part((0, 0), (width, height)) else { break };
            if self.keep(best, &marked(&crop))? || self.keep(best, &crop)? {
                break;
            }
        }
        // Halve the picture from each side as long as the signature stays.
        let mut smaller_found = true;
        while smaller_found && self.left > 0 {
            let now = best.as_ref().map_or(&whole, |small| &small.picture).clone();
            let (w, h) = (now.width(), now.height());
            let (least_width, least_height) = SIZES[0];
            let left = w.div_ceil(2).max(w.min(least_width));
            let top = h.div_ceil(2).max(h.min(least_height));
            let parts =
                [(0, 0, left, h), (w - left, 0, left, h), (0, 0, w, top), (0, h - top, w, top)];
            smaller_found = false;
            for (x, y, width, height) in parts {
                let smaller = (width, height) != (w, h);
                let Some(part) = now.part((x, y), (width, height)) else { continue };
                if smaller && self.keep(best, &part)? {
                    smaller_found = true;
                    break;
                }
            }
        }
        let now = best.as_ref().map_or(&whole, |small| &small.picture).clone();
        let plain = marked(&now);
        if plain != now {
            self.keep(best, &plain)?;
        }
        Ok(())
    }

    /// Returns true if `picture` shows the cause; it is then the best so far.
    fn keep(
        &mut self,
        best: &mut Option<SmallExample>,
        picture: &Picture,
    ) -> Result<bool, ReduceError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let found = self.test(picture)?;
        let is_one = found.is_some();
        *best = found.or(best.take());
        Ok(is_one)
    }

    fn test(&self, picture: &Picture) -> Result<Option<SmallExample>, ReduceError> {
        let TestOracle { subject, session, .. } = self.oracle;
        let Some(small) = subject.of_picture(picture) else { return Ok(None) };
        let Some(expected) = self.measure(&*small)? else { return Ok(None) };
        let session = session.of_picture(picture, &expected);
        let oracle = TestOracle { subject: &*small, session: &session, ..self.oracle };
        let choices = self.fitted_to(&*small);
        let Some(trial) = self.failing(oracle, &choices)? else { return Ok(None) };
        for (dimension, _) in choices.iter().filter(|_| choices.len() > 1) {
            let mut fewer = choices.clone();
            fewer.remove(dimension);
            if self.failing(oracle, &fewer)?.is_some() {
                return Ok(None);
            }
        }
        let seed = small.seed_bytes().to_vec();
        let mut follows = trial.variant.differing_from(small.own_choices());
        choices.iter().for_each(|(dimension, _)| drop(follows.remove(dimension)));
        Ok(Some(SmallExample {
            picture: picture.clone(),
            seed,
            expected: session.expectation.of(&trial.variant.bytes).picture().clone(),
            file: trial.variant.bytes,
            choices,
            follows,
            got: None,
            message: String::new(),
        }))
    }

    /// Returns the client's picture of the small seed. `None` if it is not exact although the client's picture of the
    /// whole seed is.
    fn measure(&self, small: &dyn Subject) -> Result<Option<Picture>, ReduceError> {
        let TestOracle { subject, session, budget, gate, cost, .. } = self.oracle;
        let first = session.of_picture(small.picture(), small.picture());
        if budget.ends_reduction() {
            return Err(ReduceError::Stopped);
        }
        let run = gate.pass(cost, || first.run(small.seed_bytes()))?;
        let Some(JudgedRun { reply: Reply::Picture(shown), judgment, .. }) = run else {
            return Ok(None);
        };
        let exact = session.expectation.reference() == subject.picture();
        let truth = session.expectation.truth(subject.seed_bytes()).is_some();
        Ok((judgment.outcome == Outcome::Same || !(exact || truth)).then_some(shown))
    }

    /// Tests `choices`. `None` if the signature changes.
    fn failing(
        &self,
        oracle: TestOracle<'_>,
        choices: &Choices,
    ) -> Result<Option<Trial>, ReduceError> {
        let trial = oracle.test(choices, Purpose::Shrink)?;
        Ok(trial.filter(|trial| trial.judgment.signature() == self.signature))
    }

    /// Returns the choices with lists of the lengths that they have in `small`.
    fn fitted_to(&self, small: &dyn Subject) -> Choices {
        let own = small.own_choices();
        let fit = |(dimension, value): (&str, &Choice)| {
            let fit = own.get(dimension).and_then(|own| fitted(value, own));
            (dimension.to_owned(), fit.unwrap_or_else(|| value.clone()))
        };
        self.choices.iter().map(fit).collect()
    }
}

/// Returns `picture` in two of its colors: a mark of 3 × 2 pixels in the top left corner, which every turn of the
/// picture moves, on the color of the last pixel.
fn marked(picture: &Picture) -> Picture {
    let pixels: Vec<&[u16]> = picture.rgba().chunks_exact(4).collect();
    let Some(last) = pixels.last() else { return picture.clone() };
    let other = pixels.iter().max_by_key(|pixel| distance(pixel, last)).unwrap_or(last);
    let width = picture.width() as usize;
    let in_mark = |k: usize| k % width < 3 && k / width < 2;
    let color = |k: usize| if in_mark(k) { *other } else { *last };
    let rgba = (0..pixels.len()).flat_map(|k| color(k).to_vec()).collect();
    Picture::new(picture.width(), picture.height(), rgba)
}

/// Returns the sum of the differences of two pixels.
fn distance(one: &[u16], other: &[u16]) -> u32 {
    one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, levels: &[u8]) -> Picture {
        Picture::from_8bit(width, levels.len() as u32 / width, 1, levels).unwrap()
    }

    #[test]
    fn a_marked_picture_has_two_colors() {
        let levels: Vec<u8> = (1..=20).collect();
        let mut expected = vec![20; 20];
        for k in [0, 1, 2, 5, 6, 7] {
            expected[k] = 1;
        }
        assert_eq!(marked(&gray(5, &levels)), gray(5, &expected));
    }
}
