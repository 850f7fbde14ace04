//! One entry of the table of meanings.

use inverter::solve::Choice;

/// The part of a file to which a dimension belongs, the outermost first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Header, directories, entries and the values of tags.
    Container,
    /// Strips and tiles, and their places.
    Segments,
    /// The coding of segments.
    Coding,
    /// The samples of a pixel.
    Samples,
    /// The colors that samples stand for.
    Photometric,
    /// The orientation of the picture.
    Orientation,
}

impl Area {
    /// Returns its word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Area::Container => "container",
            Area::Segments => "segments",
            Area::Coding => "coding",
            Area::Samples => "samples",
            Area::Photometric => "photometric",
            Area::Orientation => "orientation",
        }
    }
}

/// The meaning of a dimension.
#[derive(Debug)]
pub struct Meaning {
    /// The names of dimensions. A name that ends in a space is a prefix: `type of `.
    pub(super) names: &'static [&'static str],
    /// The part of the file.
    pub area: Area,
    /// The section that defines the dimension.
    pub(super) section: &'static str,
    /// The meaning in one sentence.
    pub words: &'static str,
    pub(super) values: &'static [ValueMeaning],
}

/// The meanings of values: the value or its beginning, the words, and the section if it differs from the dimension's.
#[derive(Debug)]
pub(super) struct ValueMeaning(
    pub(super) &'static str,
    pub(super) &'static str,
    pub(super) &'static str,
);

impl Meaning {
    /// Returns the meaning of `value`, as the end of a sentence; `None` if the value is self-explanatory.
    pub fn value(&self, value: &Choice) -> Option<&'static str> {
        let words = self.entry_of(value).map(|entry| entry.1).filter(|words| !words.is_empty());
        words.or_else(|| match value {
            Choice::Text(text) if text.starts_with("random:") => {
                Some("at random, from the seed after the colon")
            }
            _ => None,
        })
    }

    /// Returns the sections of TIFF 6.0 that define `value` (`8`, `3 to 6`), or another document.
    pub fn section(&self, value: &Choice) -> &'static str {
        match self.entry_of(value) {
            Some(ValueMeaning(_, _, section)) if !section.is_empty() => section,
            _ => self.section,
        }
    }

    fn entry_of(&self, value: &Choice) -> Option<&'static ValueMeaning> {
        let text = match value {
            Choice::List(_) => return None,
            value => value.to_string(),
        };
        let kind = text.split(':').next().unwrap_or_default();
        self.values.iter().find(|entry| entry.0 == text || entry.0 == kind)
    }
}
