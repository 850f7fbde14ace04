//! Extra reads in words.

use super::ExtraRead;

/// The words for an extra read that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Its name in descriptions, results and tables.
    pub word: &'static str,
    /// One character for narrow tables.
    pub symbol: &'static str,
    /// A phrase that completes a sentence about the client: `wrong region`.
    pub phrase: &'static str,
    /// The beginning of a title, before the kind of file.
    pub title: &'static str,
    /// A sentence part: the client `does` this with a file.
    pub does: &'static str,
}

impl ExtraRead {
    /// Returns its words.
    pub fn words(self) -> Words {
        let [word, symbol, phrase, title, does] = match self {
            Self::Threads => [
                "threads",
                "∥",
                "wrong in two threads",
                "Wrong pixels by two threads at once for",
                "correctly, but not by two threads at once",
            ],
            Self::Pages => [
                "pages",
                "❏",
                "wrong pages",
                "Wrong pages read of",
                "correctly, but not all of its pages",
            ],
            Self::Region => [
                "region",
                "◩",
                "wrong region",
                "Wrong part read of",
                "correctly, but not a part of it",
            ],
            Self::Rewrite => [
                "rewrite",
                "↻",
                "wrong picture after rewriting",
                "Wrong picture after rewriting",
                "correctly, but not the file that it writes of it",
            ],
            Self::Metadata => [
                "metadata",
                "ⓘ",
                "wrong metadata",
                "Wrong metadata read of",
                "correctly, but returns other metadata than those of the file",
            ],
        };
        Words { word, symbol, phrase, title, does }
    }
}
