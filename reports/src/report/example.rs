//! The example files of a cause.

use std::borrow::Cow;

use inverter::solve::Choices;
use tiff_harness::Picture;

use campaign::{Cause, Run};

/// Returns the choices that recreate the example of `cause` from its seed without the restriction of the run. In these
/// choices, dimensions that did not vary may have values that imply nothing.
pub fn replayed_choices<'r>(run: &'r Run, cause: &'r Cause) -> Cow<'r, Choices> {
    let Example { choices, follows, .. } = Example::of(run, cause);
    if run.settings.restriction.is_empty() {
        return Cow::Borrowed(choices);
    }
    let mut all = choices.clone();
    follows.iter().for_each(|(name, value)| all.set(name, value.clone()));
    Cow::Owned(all)
}

/// A file that shows a cause, and the equivalent seed. All pages use the pair on a reduced picture if there is one.
pub struct Example<'r> {
    /// The seed file.
    pub seed: &'r [u8],
    /// The file that shows it.
    pub file: &'r [u8],
    /// The choices that cause it.
    pub choices: &'r Choices,
    /// Further choices that differ from the seed because they are implied.
    pub follows: &'r Choices,
    /// The client's picture of the seed, or of the re-encoded seed if variants are compared with it. `None` if the
    /// client could not be tested.
    pub expected: Option<&'r Picture>,
    /// The client's picture of the file, if it produced one.
    pub got: Option<&'r Picture>,
}

impl<'r> Example<'r> {
    /// Returns true if the file that shows the cause is the seed file itself.
    pub fn is_single(&self) -> bool {
        self.file == self.seed
    }

    /// Returns the best example of `cause`.
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
        // The re-encoded seed is compared with the seed; all other files are compared with the reference.
        let anew = cause.dimensions.is_empty() && cause.choices.is_empty();
        let baseline = run.clients[cause.client].state.baseline();
        let expected = baseline.map(|b| if anew { &b.seed } else { b.reference() });
        Self {
            seed: run.base_of(cause.client).0,
            file: &cause.file,
            choices: &cause.choices,
            follows: &cause.follows,
            expected: cause.expected.as_ref().or(expected),
            got: cause.got.as_ref(),
        }
    }
}
