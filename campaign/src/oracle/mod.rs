//! The oracle: compares a client with the truth or, if that is unknown, with itself.
//!
//! The expected result of a file is the canonical picture under the client's contract, if the contract determines one.
//! Otherwise it is the client's own picture of a reference file, a metamorphic relation that decides only that two
//! pictures differ, not which of them is right.

mod difference;
mod expectation;
mod mapping;
mod part;
mod refusal;
mod samples;
mod shift;
mod signature;
mod turn;
mod usual;

use tiff_harness::Picture;

use clients::{ExtraRead, Reply};

pub use difference::{Difference, DifferenceKind, classify};
pub use expectation::{Expectation, Wanted};
pub use refusal::Refusal;
pub use samples::{Area, Pixel};
pub use signature::Signature;
pub use turn::Turn;
pub use usual::Usual;

/// The class of a client's result on one file, worst first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Outcome {
    /// A picture that differs from that of the seed, or an empty one, without a warning.
    Wrong,
    /// The process died.
    Crash,
    /// The process exceeded its time limit.
    Hang,
    /// The process exceeded its memory, disk or output limit.
    Resource,
    /// The right picture, but an extra read is wrong.
    Extra(ExtraRead),
    /// The right picture, for many times the memory that the client takes for other files of it.
    Memory,
    /// The right picture, with many times the processor time that the client uses for other files of the same picture.
    Slow,
    /// An error message for a file that is equivalent to one that the client reads.
    Refused,
    /// The client's picture of the seed.
    Same,
}

impl Outcome {
    /// The number of outcomes.
    pub const COUNT: usize = 8 + ExtraRead::ALL.len();

    /// All outcomes, worst first.
    pub const ALL: [Outcome; Outcome::COUNT] = [
        Outcome::Wrong,
        Outcome::Crash,
        Outcome::Hang,
        Outcome::Resource,
        Outcome::Extra(ExtraRead::Threads),
        Outcome::Extra(ExtraRead::Pages),
        Outcome::Extra(ExtraRead::Region),
        Outcome::Extra(ExtraRead::Rewrite),
        Outcome::Extra(ExtraRead::Metadata),
        Outcome::Memory,
        Outcome::Slow,
        Outcome::Refused,
        Outcome::Same,
    ];

    /// Returns its name in results and tables.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Crash => "crash",
            Outcome::Hang => "hang",
            Outcome::Resource => "resource",
            Outcome::Extra(read) => read.words().word,
            Outcome::Memory => "memory",
            Outcome::Slow => "slow",
            Outcome::Refused => "refused",
            Outcome::Same => "same",
        }
    }

    /// Returns a phrase that completes a sentence about the client.
    pub fn phrase(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong pixels",
            Outcome::Crash => "crash",
            Outcome::Hang => "hang",
            Outcome::Resource => "resource limit exceeded",
            Outcome::Extra(read) => read.words().phrase,
            Outcome::Memory => "far more memory",
            Outcome::Slow => "far slower",
            Outcome::Refused => "refused",
            Outcome::Same => "same picture",
        }
    }

    /// Returns one character for narrow tables, so that color is never the only indication.
    pub fn symbol(self) -> &'static str {
        match self {
            Outcome::Wrong => "≠",
            Outcome::Crash => "✖",
            Outcome::Hang => "∞",
            Outcome::Resource => "▲",
            Outcome::Extra(read) => read.words().symbol,
            Outcome::Memory => "▤",
            Outcome::Slow => "◷",
            Outcome::Refused => "⊘",
            Outcome::Same => "✓",
        }
    }

    /// Returns its index in [`Outcome::ALL`].
    pub fn rank(self) -> usize {
        match self {
            Outcome::Wrong => 0,
            Outcome::Crash => 1,
            Outcome::Hang => 2,
            Outcome::Resource => 3,
            Outcome::Extra(read) => 4 + read as usize,
            Outcome::Memory => Self::COUNT - 4,
            Outcome::Slow => Self::COUNT - 3,
            Outcome::Refused => Self::COUNT - 2,
            Outcome::Same => Self::COUNT - 1,
        }
    }

    /// Returns true if the result differs from that on the seed.
    pub fn is_difference(self) -> bool {
        self != Outcome::Same
    }

    /// Returns true if the picture is right and only its cost is not; see [`Usual`].
    pub fn is_cost(self) -> bool {
        matches!(self, Outcome::Memory | Outcome::Slow)
    }

    /// Returns the counts of outcomes by [`Outcome::rank`] of a store, which may be older than some outcomes.
    pub(crate) fn counts(stored: &[usize]) -> Option<[usize; Outcome::COUNT]> {
        match *stored {
            [wrong, crash, hang, resource, refused, same] => {
                Outcome::counts(&[wrong, crash, hang, resource, 0, 0, 0, refused, same])
            }
            [wrong, crash, hang, resource, region, memory, slow, refused, same] => Some([
                wrong, crash, hang, resource, 0, 0, region, 0, 0, memory, slow, refused, same,
            ]),
            _ => stored.try_into().ok(),
        }
    }
}

impl From<Outcome> for &'static str {
    fn from(outcome: Outcome) -> Self {
        outcome.word()
    }
}

impl TryFrom<String> for Outcome {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = Outcome::ALL.into_iter().find(|outcome| outcome.word() == word);
        found.ok_or_else(|| {
            let all = Outcome::ALL.map(Outcome::word).join(", ");
            format!("`{word}` is not an outcome: these are {all}")
        })
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// Compares `reply` with the same client's picture of the seed.
pub fn judge(on_seed: &Picture, reply: &Reply) -> Outcome {
    match reply {
        Reply::Picture(picture) if picture == on_seed => Outcome::Same,
        Reply::Picture(_) | Reply::Empty { .. } => Outcome::Wrong,
        Reply::Refused { .. } => Outcome::Refused,
        Reply::Crash { .. } => Outcome::Crash,
        Reply::Hang => Outcome::Hang,
        Reply::Resource { .. } => Outcome::Resource,
    }
}

/// Returns the client's message; empty for a picture or a hang.
pub fn message(reply: &Reply) -> &str {
    match reply {
        Reply::Picture(_) | Reply::Hang => "",
        Reply::Refused { message }
        | Reply::Empty { message }
        | Reply::Crash { message }
        | Reply::Resource { message } => message,
    }
}

/// Returns true if two replies to the same file agree: they are of the same kind and, if they are pictures, have the
/// same pixels.
pub fn agree(a: &Reply, b: &Reply) -> bool {
    match (a, b) {
        (Reply::Picture(a), Reply::Picture(b)) => a == b,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worst_comes_first() {
        assert!(Outcome::ALL.is_sorted());
        assert!(Outcome::ALL.iter().enumerate().all(|(k, o)| o.rank() == k));
    }

    #[test]
    fn counts_of_older_stores_are_read() {
        assert_eq!(
            Outcome::counts(&[1, 2, 3, 4, 5, 6]),
            Some([1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 5, 6])
        );
        assert_eq!(Outcome::counts(&[1; Outcome::COUNT]), Some([1; Outcome::COUNT]));
        let with_regions = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let now = [1, 2, 3, 4, 0, 0, 5, 0, 0, 6, 7, 8, 9];
        assert_eq!(Outcome::counts(&with_regions), Some(now));
        assert_eq!(Outcome::counts(&[1; 7]), None);
    }

    #[test]
    fn a_client_is_judged_by_itself() {
        let seed = Picture::new(1, 1, vec![1, 2, 3, 4]);
        let other = Picture::new(1, 1, vec![1, 2, 3, 5]);
        assert_eq!(judge(&seed, &Reply::Picture(seed.clone())), Outcome::Same);
        assert_eq!(judge(&seed, &Reply::Picture(other)), Outcome::Wrong);
        assert_eq!(judge(&seed, &Reply::Hang), Outcome::Hang);
    }
}
