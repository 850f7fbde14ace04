//! The limits that a caller sets on the choices.

use crate::container::{Format, Profile};

/// The choices that may be made. The caller excludes choices for which it cannot provide a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// The values that are drawn at random.
    pub profile: Profile,
    /// The formats; at least one, the simplest first.
    pub formats: &'static [Format],
    /// True if there may be further directories: pages, SubIFDs, and those to which private tags point.
    pub directories: bool,
    /// The number of pages of the seed, without reduced ones and masks; numbering of further pages continues from
    /// there.
    pub pages: u16,
}

impl WriterOptions {
    /// Allows every choice.
    pub fn all(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic, Format::Big], directories: true, pages: 1 }
    }

    /// Allows one directory in a classic file.
    pub fn simple(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic], directories: false, pages: 1 }
    }
}
