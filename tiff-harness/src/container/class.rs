//! How surely every reader must take what a file does.

/// How surely every reader must take a file, by the standard. A file has the greatest
/// class of anything it does.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Every reader must take it (TIFF 6.0, part 1).
    Baseline,
    /// TIFF 6.0 part 2, BigTIFF, Adobe's notes, and what part 1 marks as optional.
    Extension,
    /// Seen in the wild, not clearly legal.
    Questionable,
}

impl Class {
    /// The word for it in results and reports.
    pub fn word(self) -> &'static str {
        match self {
            Class::Baseline => "baseline",
            Class::Extension => "extension",
            Class::Questionable => "questionable",
        }
    }
}

/// Which values are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// Nothing questionable. What is given, or is so in the seed, is still taken.
    #[default]
    Strict,
    /// Everything; what is questionable seldom.
    Wide,
}

impl Profile {
    /// Whether values of this class are drawn.
    pub fn draws(self, class: Class) -> bool {
        self == Profile::Wide || class < Class::Questionable
    }
}
