//! Bounds on what an inverse builds, and on the values that it tries.

/// The maximum number of values of an unknown that are tried one by one, and the maximum number of elements in a
/// sample.
pub const MOST_VALUES: u128 = 1 << 12;
/// The maximum number of writes, runs of writes, or rounds of the loops around them that are examined.
pub const MOST_WRITES: usize = 1 << 20;
/// The distance of placeholders for places that are not chosen yet: no place is that far away.
pub const FAR: i128 = 1 << 70;

/// Bounds on what an inverse builds. They are not part of the format: a value just beyond them is equally legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of elements that an array of free length may have beyond those in use, and the maximum by
    /// which segments may be spread beyond the closest packing.
    pub slack: u64,
    /// True if segments, and elements, of equal content may be drawn to share a place.
    pub sharing: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slack: 1 << 16, sharing: true }
    }
}
