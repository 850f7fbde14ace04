//! Bounds on what an inverse builds.

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
