//! The files that a cause is shown by.

use inverter::solve::Choices;
use tiff_harness::Picture;

use crate::campaign::{Cause, Run};

/// A file that shows a cause, and the seed that it means the same as. All pages take them
/// from here: the small pair, where there is one.
pub struct Example<'r> {
    /// The seed file.
    pub seed: &'r [u8],
    /// The file that shows it.
    pub file: &'r [u8],
    /// The choices that it takes.
    pub choices: &'r Choices,
    /// Further choices that are not as in the seed: they follow.
    pub follows: &'r Choices,
    /// What the client makes of the seed, or of the seed written anew where that is the
    /// measure. `None` if it could not be judged.
    pub expected: Option<&'r Picture>,
    /// What it makes of the file, if that is a picture.
    pub got: Option<&'r Picture>,
}

impl<'r> Example<'r> {
    /// What shows `cause` best.
    pub fn of(run: &'r Run, cause: &'r Cause) -> Self {
        if let Some(small) = &cause.small {
            return Self {
                seed: &small.seed,
                file: &small.file,
                choices: &small.choices,
                follows: &small.follows,
                expected: Some(&small.expected),
                got: small.got.as_ref(),
            };
        }
        // The file written anew is compared with the seed; all others with the measure.
        let anew = cause.dimensions.is_empty() && cause.choices.is_empty();
        let baseline = run.clients[cause.client].state.baseline();
        let expected = baseline.map(|b| if anew { &b.seed } else { b.reference() });
        Self {
            seed: &run.seed,
            file: &cause.file,
            choices: &cause.choices,
            follows: &cause.follows,
            expected,
            got: cause.got.as_ref(),
        }
    }
}
