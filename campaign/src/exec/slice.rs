//! Slices: the parts of one client's variants on one seed.

use std::fmt;

use crate::settings::Settings;

/// One part of the variants of a client on a seed. Each slice is a separate campaign, with fewer variants and its own
/// randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slice {
    /// The number of the slice, from 1.
    pub index: usize,
    /// The number of slices.
    pub count: usize,
}

impl Slice {
    /// All variants.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Returns true if it has all variants.
    pub fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Returns the settings of the slice's campaign. The first slice has the randomness of the whole.
    pub fn settings(self, settings: &Settings) -> Settings {
        let part = (self.index as u64 - 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Settings {
            variants: settings.variants.div_ceil(self.count),
            seed: settings.seed.wrapping_add(part),
            ..settings.clone()
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_the_variants_and_draw_differently() {
        let whole = Settings { variants: 100, seed: 7, ..Settings::default() };
        let slices = [1, 2, 3].map(|index| Slice { index, count: 3 }.settings(&whole));
        assert_eq!(slices.each_ref().map(|s| s.variants), [34; 3]);
        assert_eq!(slices[0].seed, 7);
        assert!(slices[1].seed != 7 && slices[1].seed != slices[2].seed);
        assert_eq!(Slice::WHOLE.settings(&whole), whole);
    }
}
