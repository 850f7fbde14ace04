//! The classes of files by the standard, and the profiles that draw from them.

/// The certainty with which every reader must accept a file, according to the standard. The class of a file is the
/// worst class of its features.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Every reader must accept it (TIFF 6.0, part 1).
    Baseline,
    /// TIFF 6.0 part 2, BigTIFF, Adobe's notes, and features that part 1 marks as optional.
    Extension,
    /// Occurs in real files, but is not clearly legal.
    Questionable,
}

impl Class {
    /// Returns its word in results and reports.
    pub fn word(self) -> &'static str {
        match self {
            Class::Baseline => "baseline",
            Class::Extension => "extension",
            Class::Questionable => "questionable",
        }
    }
}

/// The values that are drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Profile {
    /// No questionable values, unless they are given or are the seed's.
    #[default]
    Strict,
    /// All values; questionable ones seldom.
    Wide,
}

impl Profile {
    /// Returns true if values of this class are drawn.
    pub fn draws(self, class: Class) -> bool {
        self == Profile::Wide || class < Class::Questionable
    }
}
