//! The oracle: a client is compared with itself.
//!
//! What a client makes of the seed is what it must make of every equivalent file. The
//! oracle never says that a picture is right, only that it is another one.

use tiff_harness::Picture;

use crate::client::Reply;

/// What came of one file, worst first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Another picture than the seed's, and no warning.
    Wrong,
    /// It died.
    Crash,
    /// It did not end in time.
    Hang,
    /// It ran into its memory, disk or output limit.
    Resource,
    /// It reported an error on a file that means the same as one it reads.
    Refused,
    /// The picture it makes of the seed.
    Same,
}

impl Outcome {
    /// All of them, worst first.
    pub const ALL: [Outcome; 6] = [
        Outcome::Wrong,
        Outcome::Crash,
        Outcome::Hang,
        Outcome::Resource,
        Outcome::Refused,
        Outcome::Same,
    ];

    /// The word it goes by in results and tables.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong",
            Outcome::Crash => "crash",
            Outcome::Hang => "hang",
            Outcome::Resource => "resource",
            Outcome::Refused => "refused",
            Outcome::Same => "same",
        }
    }

    /// What the client does, as the end of a sentence.
    pub fn phrase(self) -> &'static str {
        match self {
            Outcome::Wrong => "wrong pixels",
            Outcome::Crash => "crash",
            Outcome::Hang => "hang",
            Outcome::Resource => "resource limit exceeded",
            Outcome::Refused => "refused",
            Outcome::Same => "same picture",
        }
    }

    /// One character for narrow tables, so that colour never stands alone.
    pub fn symbol(self) -> &'static str {
        match self {
            Outcome::Wrong => "≠",
            Outcome::Crash => "✖",
            Outcome::Hang => "∞",
            Outcome::Resource => "▲",
            Outcome::Refused => "⊘",
            Outcome::Same => "✓",
        }
    }

    /// Its place in [`Outcome::ALL`].
    pub fn rank(self) -> usize {
        self as usize
    }

    /// Whether it differs from what the client does with the seed.
    pub fn is_difference(self) -> bool {
        self != Outcome::Same
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

/// Judges `reply` against the picture that the same client made of the seed.
pub fn judge(on_seed: &Picture, reply: &Reply) -> Outcome {
    match reply {
        Reply::Picture(picture) if picture == on_seed => Outcome::Same,
        Reply::Picture(_) => Outcome::Wrong,
        Reply::Refused { .. } => Outcome::Refused,
        Reply::Crash { .. } => Outcome::Crash,
        Reply::Hang => Outcome::Hang,
        Reply::Resource { .. } => Outcome::Resource,
    }
}

/// The client's own words; empty for a picture or a hang.
pub fn message(reply: &Reply) -> &str {
    match reply {
        Reply::Picture(_) | Reply::Hang => "",
        Reply::Refused { message } | Reply::Crash { message } | Reply::Resource { message } => {
            message
        }
    }
}

/// Whether two replies to one file agree: the same kind and, if pictures, the same
/// pixels. Messages may differ, for many carry an address or a temporary name.
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
    fn a_client_is_judged_by_itself() {
        let seed = Picture::new(1, 1, vec![1, 2, 3, 4]);
        let other = Picture::new(1, 1, vec![1, 2, 3, 5]);
        assert_eq!(judge(&seed, &Reply::Picture(seed.clone())), Outcome::Same);
        assert_eq!(judge(&seed, &Reply::Picture(other)), Outcome::Wrong);
        assert_eq!(judge(&seed, &Reply::Hang), Outcome::Hang);
    }
}
