//! The limits that a caller sets to the choices.

use crate::container::{Format, Profile};

/// The choices that are open. The caller closes those that it cannot place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// The values that are drawn at random.
    pub profile: Profile,
    /// The formats; at least one, the simplest first.
    pub formats: &'static [Format],
    /// True if there may be directories beside the first: pages, SubIFDs, and those that private
    /// tags point to.
    pub directories: bool,
    /// The number of pages, without reduced ones and masks, that the seed has: further pages are counted on from
    /// there.
    pub pages: u16,
}

impl WriterOptions {
    /// Opens every choice.
    pub fn all(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic, Format::Big], directories: true, pages: 1 }
    }

    /// Allows one directory in a classic file.
    pub fn simple(profile: Profile) -> Self {
        Self { profile, formats: &[Format::Classic], directories: false, pages: 1 }
    }
}
