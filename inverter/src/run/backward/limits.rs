//! Bounds on what an inverse builds, and on what is tried for it.

/// The most values of an unknown that are tried one by one, and the most elements that a sample has.
pub const MOST_VALUES: u128 = 1 << 12;
/// The most writes, runs of writes, or rounds of the loops around them that are looked at.
pub const MOST_WRITES: usize = 1 << 20;
/// The distance of places that stand for those which are not chosen yet: no place is that far away.
pub const FAR: i128 = 1 << 70;

/// Bounds on what an inverse builds. They are not part of the format: a value just beyond
/// them is as legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most elements that an array of free length may have beyond those in use, and the
    /// most that segments may be spread beyond the closest packing.
    pub slack: u64,
    /// True if segments, and elements, of equal content may be drawn to share their place.
    pub sharing: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slack: 1 << 16, sharing: true }
    }
}
