//! A smaller picture that shows the same cause.

use inverter::solve::Choices;
use tiff_harness::Picture;

use super::canonicalize::fitted;
use super::test_oracle::{Prober, ReduceError};
use crate::campaign::client_session::Fresh;
use crate::campaign::records::{Purpose, Small, Trial};
use crate::client::Reply;
use crate::oracle::Outcome;
use crate::subject::Subject;

/// The most pictures that are tried for one cause.
const PICTURES: usize = 20;

/// The sides that are tried first.
const SIDES: [u32; 5] = [1, 2, 6, 17, 33];

/// Looks for a small picture of which one client still comes to one outcome.
pub struct Shrinker<'a> {
    /// Tries choices, of the seed's own picture.
    pub prober: Prober<'a>,
    /// What they come to.
    pub outcome: Outcome,
    /// All of them are needed.
    pub choices: &'a Choices,
    left: usize,
}

impl<'a> Shrinker<'a> {
    /// For one cause.
    pub fn new(prober: Prober<'a>, outcome: Outcome, choices: &'a Choices) -> Self {
        Self { prober, outcome, choices, left: PICTURES }
    }

    /// The smallest picture that is found; `None` if there is none smaller than the seed's.
    ///
    /// # Errors
    ///
    /// [`ReduceError`], except [`ReduceError::Stopped`]: then it is as small as it got.
    pub fn shrink(mut self) -> Result<Option<Small>, ReduceError> {
        // Each run of a hang costs a whole time limit.
        if self.choices.is_empty() || self.outcome == Outcome::Hang {
            return Ok(None);
        }
        let mut best = None;
        match self.steps(&mut best) {
            Ok(()) | Err(ReduceError::Stopped) => {}
            Err(error) => return Err(error),
        }
        best.map_or(Ok(None), |small| self.confirmed(small))
    }

    /// `small`, if processes that have read nothing before come to the same.
    fn confirmed(&self, mut small: Small) -> Result<Option<Small>, ReduceError> {
        let Prober { bench, budget, gate, cost, .. } = self.prober;
        if budget.everything() {
            return Ok(None);
        }
        let bench = bench.against(&small.expected);
        let afresh = |file: &[u8]| gate.pass(cost, || bench.afresh(file));
        let (Some(seed), Some(file)) = (afresh(&small.seed)?, afresh(&small.file)?) else {
            return Ok(None);
        };
        self.prober.note(&small.choices, &file.judged, file.took, Purpose::Confirm);
        if seed.judged.outcome.is_difference() || file.judged.outcome != self.outcome {
            return Ok(None);
        }
        drop(bench);
        small.got = match file.reply {
            Reply::Picture(picture) if self.outcome == Outcome::Wrong => Some(picture),
            _ => None,
        };
        Ok(Some(small))
    }

    fn steps(&mut self, best: &mut Option<Small>) -> Result<(), ReduceError> {
        let whole = self.prober.subject.picture().clone();
        for side in SIDES {
            let (width, height) = (whole.width().min(side), whole.height().min(side));
            if (width, height) != (whole.width(), whole.height())
                && self.keep(best, &crop(&whole, 0, 0, width, height))?
            {
                break;
            }
        }
        // Halves, from either side, as long as they do.
        let mut again = true;
        while again && self.left > 0 {
            let now = best.as_ref().map_or(&whole, |small| &small.picture).clone();
            let (w, h) = (now.width(), now.height());
            let (left, top) = (w.div_ceil(2), h.div_ceil(2));
            let parts =
                [(0, 0, left, h), (w - left, 0, left, h), (0, 0, w, top), (0, h - top, w, top)];
            again = false;
            for (x, y, width, height) in parts {
                let smaller = (width, height) != (w, h);
                if smaller && self.keep(best, &crop(&now, x, y, width, height))? {
                    again = true;
                    break;
                }
            }
        }
        let now = best.as_ref().map_or(&whole, |small| &small.picture).clone();
        for plainer in plainer(&now) {
            if plainer != now && self.keep(best, &plainer)? {
                break;
            }
        }
        Ok(())
    }

    /// Whether `picture` shows the cause; then it is the best so far.
    fn keep(&mut self, best: &mut Option<Small>, picture: &Picture) -> Result<bool, ReduceError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let found = self.look(picture)?;
        let is_one = found.is_some();
        *best = found.or(best.take());
        Ok(is_one)
    }

    fn look(&self, picture: &Picture) -> Result<Option<Small>, ReduceError> {
        let Prober { subject, bench, .. } = self.prober;
        let Some(small) = subject.of_picture(picture) else { return Ok(None) };
        let Some(shown) = self.measure(&*small)? else { return Ok(None) };
        let bench = bench.against(&shown);
        let prober = Prober { subject: &*small, bench: &bench, ..self.prober };
        let choices = self.fit(&*small);
        let Some(trial) = self.shows(prober, &choices)? else { return Ok(None) };
        for (dimension, _) in choices.iter().filter(|_| choices.len() > 1) {
            let mut fewer = choices.clone();
            fewer.remove(dimension);
            if self.shows(prober, &fewer)?.is_some() {
                return Ok(None);
            }
        }
        let seed = small.seed_bytes().to_vec();
        let mut follows = trial.variant.differing_from(small.own_choices());
        choices.iter().for_each(|(dimension, _)| drop(follows.remove(dimension)));
        Ok(Some(Small {
            picture: picture.clone(),
            seed,
            expected: shown.clone(),
            file: trial.variant.bytes,
            choices,
            follows,
            got: None,
        }))
    }

    /// What the client shows of the small seed, if that is as right as of the seed.
    fn measure(&self, small: &dyn Subject) -> Result<Option<Picture>, ReduceError> {
        let Prober { subject, bench, budget, gate, cost, .. } = self.prober;
        let first = bench.against(small.picture());
        if budget.everything() {
            return Err(ReduceError::Stopped);
        }
        let ran = gate.pass(cost, || first.again(small.seed_bytes()))?;
        let Some(Fresh { reply: Reply::Picture(shown), .. }) = ran else { return Ok(None) };
        let exact = bench.reference == subject.picture();
        Ok((!exact || shown == *small.picture()).then_some(shown))
    }

    fn shows(&self, prober: Prober<'_>, choices: &Choices) -> Result<Option<Trial>, ReduceError> {
        let trial = prober.probe(choices, Purpose::Shrink)?;
        Ok(trial.filter(|trial| trial.judged.outcome == self.outcome))
    }

    /// The choices with lists that are as long as those of `small`.
    fn fit(&self, small: &dyn Subject) -> Choices {
        let own = small.own_choices();
        let fit = |(dimension, value): (&str, &inverter::solve::Choice)| {
            let fit = own.get(dimension).and_then(|own| fitted(value, own));
            (dimension.to_owned(), fit.unwrap_or_else(|| value.clone()))
        };
        self.choices.iter().map(fit).collect()
    }
}

/// A part of a picture, which is inside it.
fn crop(picture: &Picture, x: u32, y: u32, width: u32, height: u32) -> Picture {
    let row = 4 * picture.width() as usize;
    let rows = picture.rgba().chunks_exact(row).skip(y as usize).take(height as usize);
    let columns = 4 * x as usize..4 * (x + width) as usize;
    let rgba = rows.flat_map(|row| row[columns.clone()].to_vec()).collect();
    Picture::new(width, height, rgba)
}

/// Pictures of fewer colors, the plainest first: of one; of one but for a corner; of two.
fn plainer(picture: &Picture) -> Vec<Picture> {
    let pixels: Vec<&[u16]> = picture.rgba().chunks_exact(4).collect();
    let (Some(first), Some(last)) = (pixels.first(), pixels.last()) else { return Vec::new() };
    let other = pixels.iter().find(|pixel| *pixel != last).unwrap_or(first);
    let of = |color: &dyn Fn(usize, &[u16]) -> Vec<u16>| {
        let rgba = pixels.iter().enumerate().flat_map(|(k, pixel)| color(k, pixel)).collect();
        Picture::new(picture.width(), picture.height(), rgba)
    };
    vec![
        of(&|_, _| last.to_vec()),
        of(&|k, _| if k == 0 { other.to_vec() } else { last.to_vec() }),
        of(&|_, pixel| if pixel == *last { last.to_vec() } else { other.to_vec() }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gray(width: u32, levels: &[u8]) -> Picture {
        Picture::from_8bit(width, levels.len() as u32 / width, 1, levels).unwrap()
    }

    #[test]
    fn a_part_of_a_picture() {
        let whole = gray(3, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(crop(&whole, 1, 0, 2, 1), gray(2, &[2, 3]));
        assert_eq!(crop(&whole, 0, 1, 3, 1), gray(3, &[4, 5, 6]));
    }

    #[test]
    fn plainer_pictures_have_fewer_colors() {
        let plain = plainer(&gray(2, &[1, 2, 3, 4]));
        assert_eq!(plain[0], gray(2, &[4, 4, 4, 4]));
        assert_eq!(plain[1], gray(2, &[1, 4, 4, 4]));
        assert_eq!(plain[2], gray(2, &[1, 1, 1, 4]));
    }
}
